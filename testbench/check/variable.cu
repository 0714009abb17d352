// SPDX-License-Identifier: Apache-2.0
//
// Behind the end of a __device__ variable.
// expect: mem out-of-bounds-tail
#include "check.h"

__device__ int table[5];

__global__ void fill(int n) {
  if (threadIdx.x < n) table[threadIdx.x] = 1;  // bad
}

int main() {
  fill<<<1, 32>>>(8);
  check(cudaDeviceSynchronize());
  return 0;
}
