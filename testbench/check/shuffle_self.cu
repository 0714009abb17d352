// SPDX-License-Identifier: Apache-2.0
//
// All lanes shuffle, the mask names the lower half.
// expect: sync lane-not-in-mask
#include "check.h"

__global__ void shift(int *y) {
  int v = y[threadIdx.x];
  v = __shfl_down_sync(0x0000ffff, v, 1);  // bad
  y[threadIdx.x] = v;
}

int main() {
  int *y = zeros<int>(32);
  shift<<<1, 32>>>(y);
  return done(y);
}
