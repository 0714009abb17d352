// SPDX-License-Identifier: Apache-2.0
//
// A counter in shared memory that nobody has zeroed.
// expect: init-all uninitialized-shared
#include "check.h"

__global__ void count(int *y) {
  __shared__ int n;
  atomicAdd(&n, 1);  // bad
  __syncthreads();
  y[threadIdx.x] = n;
}

int main() {
  int *y = zeros<int>(64);
  count<<<1, 64>>>(y);
  return done(y);
}
