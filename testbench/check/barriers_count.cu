// SPDX-License-Identifier: Apache-2.0
//
// One group of warps counts at its barrier, the other waits at its own.
// expect: sync barriers-apart
#include "check.h"

__global__ void count(int *y) {
  if (threadIdx.x < 32)
    y[threadIdx.x] = __syncthreads_count(y[threadIdx.x] == 0);  // bad
  else
    __syncthreads();  // bad?
}

int main() {
  int *y = zeros<int>(64);
  count<<<1, 64>>>(y);
  return done(y);
}
