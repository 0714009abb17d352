// SPDX-License-Identifier: Apache-2.0
//
// Every second word of shared memory.
// expect: advice bank-conflict
#include "check.h"

__global__ void even(int *y) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  tile[threadIdx.x + 32] = threadIdx.x;
  __syncthreads();
  int v = tile[2 * threadIdx.x];  // bad
  y[threadIdx.x] = v;
}

int main() {
  int *y = zeros<int>(32);
  even<<<1, 32>>>(y);
  return done(y);
}
