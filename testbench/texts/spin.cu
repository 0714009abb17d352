// SPDX-License-Identifier: Apache-2.0
//
// The text's listing of the deadlock inside a warp. Two changes: a __shared__ variable has no initial value in CUDA,
// so thread 2 writes it before a barrier, and what the threads would print goes to memory. clang makes of the two
// comparisons with constants a choice that tests 1 first: so thread 1 comes first, and the listing ends even under
// the SIMT stack. programs/waiting keeps the order of the text.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void spin(int *seen) {
  __shared__ volatile int flag;
  if (threadIdx.x == 2) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (flag == 0) {
    }
    seen[0] = 10;
  } else if (threadIdx.x == 1) {
    flag = 1;
    seen[1] = 11;
  }
}

int main() {
  int *d, h[2] = {0, 0};
  if (cudaMalloc(&d, sizeof h) != cudaSuccess) return 1;
  spin<<<1, 32>>>(d);
  if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  cudaFree(d);
  printf("Thread 0: %d, thread 1: %d\n", h[0], h[1]);
  return 0;
}
