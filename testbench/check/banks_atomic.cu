// SPDX-License-Identifier: Apache-2.0
//
// Atomics of a warp on one word of shared memory.
// expect: advice bank-conflict
#include "check.h"

__global__ void count(int *y, const int *x) {
  __shared__ int bin[4];
  if (threadIdx.x < 4) bin[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bin[x[threadIdx.x]], threadIdx.x);  // bad
  __syncthreads();
  if (threadIdx.x < 4) y[threadIdx.x] = bin[threadIdx.x];
}

int main() {
  int *x = zeros<int>(32), *y = zeros<int>(4);
  count<<<1, 32>>>(y, x);
  check(cudaFree(y));
  return done(x);
}
