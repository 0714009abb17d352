// SPDX-License-Identifier: Apache-2.0
//
// The text's warning: lanes that are done with their side of a branch run ahead and read what the other side has yet to
// write.
// usage: runahead [sync]     sync: with __syncwarp() behind the branch
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

template <bool kSync>
__global__ void exchange(const int *in, int *out) {
  __shared__ volatile int word[32];
  unsigned t = threadIdx.x;
  word[t] = -1;
  __syncthreads();
  if (t < 16) {
    word[t] = (int)t;
  } else {
    word[t] = in[in[t]];  // global memory, twice
  }
  if (kSync) __syncwarp();
  out[t] = word[(t + 16) % 32];
}

int main(int argc, char **argv) {
  int *d, h[64], garbage = 0;
  for (int i = 0; i < 32; i++) h[i] = i;
  if (cudaMalloc(&d, sizeof h) != cudaSuccess) return 1;
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  if (argc > 1 && strcmp(argv[1], "sync") == 0)
    exchange<true><<<1, 32>>>(d, d + 32);
  else
    exchange<false><<<1, 32>>>(d, d + 32);
  if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  cudaFree(d);
  for (int i = 0; i < 32; i++) garbage += h[32 + i] != (i + 16) % 32;
  printf("%d lanes read what was not written yet\n", garbage);
  return 0;
}
