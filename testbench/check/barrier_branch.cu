// SPDX-License-Identifier: Apache-2.0
//
// Half of a warp at a block barrier.
// expect: sync divergent-barrier
#include "check.h"

__global__ void half(int *y) {
  if (threadIdx.x % 32 < 16) __syncthreads();  // bad
  y[threadIdx.x] = threadIdx.x;
}

int main() {
  int *y = zeros<int>(64);
  half<<<1, 64>>>(y);
  return done(y);
}
