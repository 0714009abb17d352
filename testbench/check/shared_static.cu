// SPDX-License-Identifier: Apache-2.0
//
// A tile without room for the right neighbour.
// expect: mem out-of-bounds-shared
#include "check.h"

__global__ void smooth(int *y) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int right = tile[threadIdx.x + 1];  // bad
  y[threadIdx.x] = right;
}

int main() {
  int *y = zeros<int>(32);
  smooth<<<1, 32>>>(y);
  return done(y);
}
