// SPDX-License-Identifier: Apache-2.0
//
// A tile is read that nobody has filled.
// expect: init-all uninitialized-shared
#include "check.h"

__global__ void use(int *y) {
  __shared__ int tile[64];
  if (threadIdx.x < 32) tile[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x];  // bad
}

int main() {
  int *y = zeros<int>(64);
  use<<<1, 64>>>(y);
  return done(y);
}
