// SPDX-License-Identifier: Apache-2.0
//
// Two warps, each at a barrier of its own that asks for both.
// expect: sync barrier-incomplete
#include "check.h"

__global__ void cross(int *y) {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1, 64;" ::: "memory");  // bad
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");  // bad
  y[threadIdx.x] = 1;
}

int main() {
  int *y = zeros<int>(64);
  cross<<<1, 64>>>(y);
  return done(y);
}
