// SPDX-License-Identifier: Apache-2.0
//
// Warp 1 waits at a named barrier for a warp that never comes.
#include <cstdio>

__global__ void lonely(int *out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x >= 32) asm volatile("bar.sync 3, 96;");
  out[threadIdx.x] = 2;
}

int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof *out);
  lonely<<<1, 64>>>(out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
