// SPDX-License-Identifier: Apache-2.0
// Three blocks of 100 threads: the last warp of each has 28 lanes that no thread is in.
#include <cuda_runtime.h>

__global__ void count(int *out) { atomicAdd(out, 1); }

int main() {
  int *out, n = 0;
  cudaMalloc(&out, sizeof n);
  cudaMemset(out, 0, sizeof n);
  count<<<3, 100>>>(out);
  cudaMemcpy(&n, out, sizeof n, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return n != 300;
}
