// SPDX-License-Identifier: Apache-2.0
//
// A shuffle in each arm of a branch, both with the mask of the whole warp: neither has all its lanes.
// expect: sync mask-names-absent-lane
#include "check.h"

__global__ void arms(int *y) {
  int t = threadIdx.x, v = y[t];
  if (t % 2) {
    v = __shfl_xor_sync(0xffffffff, v + 3, 1);  // bad?
    y[t] = v * 5;
  } else {
    v = __shfl_down_sync(0xffffffff, v, 2);  // bad
    y[t + 32] = v;
  }
  y[t + 64] = v;
}

int main() {
  int *y = zeros<int>(96);
  arms<<<1, 32>>>(y);
  return done(y);
}
