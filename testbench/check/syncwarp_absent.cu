// SPDX-License-Identifier: Apache-2.0
//
// A __syncwarp() in one arm.
// expect: sync mask-names-absent-lane
#include "check.h"

__global__ void arm(int *y) {
  __shared__ int tile[32];
  tile[threadIdx.x] = y[threadIdx.x];
  if (threadIdx.x < 16) {
    __syncwarp();  // bad
    y[threadIdx.x] = tile[threadIdx.x ^ 1];
  } else {
    y[threadIdx.x] = 1;
  }
  y[threadIdx.x + 32] = 2;
}

int main() {
  int *y = zeros<int>(64);
  arm<<<1, 32>>>(y);
  return done(y);
}
