// SPDX-License-Identifier: Apache-2.0
//
// All lanes call __syncwarp with a mask of half of them.
// expect: sync lane-not-in-mask
#include "check.h"

__global__ void sync(int *y) {
  y[threadIdx.x] = 1;
  __syncwarp(0x0000ffff);  // bad
  y[threadIdx.x + 32] = y[threadIdx.x ^ 1];
}

int main() {
  int *y = zeros<int>(64);
  sync<<<1, 32>>>(y);
  return done(y);
}
