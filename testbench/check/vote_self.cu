// SPDX-License-Identifier: Apache-2.0
//
// A vote of the odd lanes with the mask of the even ones.
// expect: sync lane-not-in-mask|mask-names-absent-lane
// modes: stack
#include "check.h"

__global__ void vote(int *y) {
  int v = y[threadIdx.x];
  if (threadIdx.x % 2 == 1) v = __any_sync(0x55555555, v);  // bad
  y[threadIdx.x] = v;
}

int main() {
  int *y = zeros<int>(32);
  vote<<<1, 32>>>(y);
  return done(y);
}
