// SPDX-License-Identifier: Apache-2.0
//
// A barrier inside a branch that a whole block takes.
// expect: clean
#include "check.h"

__global__ void some(int *y) {
  __shared__ int tile[64];
  if (blockIdx.x % 2 == 0) {
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
  }
}

int main() {
  int *y = zeros<int>(256);
  some<<<4, 64>>>(y);
  return done(y);
}
