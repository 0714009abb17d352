// SPDX-License-Identifier: Apache-2.0
//
// Lanes that pass a barrier by and work on.
// expect: sync divergent-barrier
#include "check.h"

__global__ void late(int *y) {
  if (threadIdx.x >= 40) {
    y[threadIdx.x] = 7;
  } else {
    __syncthreads();  // bad
    y[threadIdx.x] = y[threadIdx.x ^ 1] + 1;
  }
  y[threadIdx.x + 64] = 1;
}

int main() {
  int *y = zeros<int>(128);
  late<<<1, 64>>>(y);
  return done(y);
}
