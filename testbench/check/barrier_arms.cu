// SPDX-License-Identifier: Apache-2.0
//
// A barrier in each arm of a branch that lanes of a warp take both of.
// expect: sync divergent-barrier
#include "check.h"

__global__ void arms(int *y) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x % 2 == 0) {
    __syncthreads();  // bad
    y[threadIdx.x] = tile[63 - threadIdx.x];
  } else {
    __syncthreads();  // bad?
    y[threadIdx.x] = -tile[63 - threadIdx.x];
  }
}

int main() {
  int *y = zeros<int>(64);
  arms<<<1, 64>>>(y);
  return done(y);
}
