// SPDX-License-Identifier: Apache-2.0
//
// Two groups of warps, each at two barriers of its own: their numbers are equal, their places are not.
// expect: sync barriers-apart
#include "check.h"

__global__ void pairs(int *y) {
  __shared__ int tile[128];
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 64) {
    __syncthreads();  // bad
    y[threadIdx.x] = tile[127 - threadIdx.x];
    __syncthreads();  // bad
    tile[threadIdx.x] = 1;
  } else {
    __syncthreads();  // bad?
    y[threadIdx.x] = -tile[127 - threadIdx.x];
    __syncthreads();  // bad?
    tile[threadIdx.x] = 2;
  }
  __syncthreads();
  y[threadIdx.x + 128] = tile[threadIdx.x ^ 1];
}

int main() {
  int *y = zeros<int>(256);
  pairs<<<1, 128>>>(y);
  return done(y);
}
