// SPDX-License-Identifier: Apache-2.0
//
// An atomic on a bin that shared memory does not have.
// expect: mem out-of-bounds-shared
#include "check.h"

__global__ void count(int *y, int bins) {
  __shared__ int bin[8];
  if (threadIdx.x < 8) bin[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bin[threadIdx.x % bins], 1);  // bad
  __syncthreads();
  if (threadIdx.x < 8) y[threadIdx.x] = bin[threadIdx.x];
}

int main() {
  int *y = zeros<int>(8);
  count<<<1, 32>>>(y, 9);
  return done(y);
}
