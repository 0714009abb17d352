// SPDX-License-Identifier: Apache-2.0
//
// A named barrier for two warps, of which one has exited.
// expect: sync barrier-incomplete
#include "check.h"

__global__ void wait(int *y) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");  // bad
  y[threadIdx.x] = 1;
}

int main() {
  int *y = zeros<int>(64);
  wait<<<1, 64>>>(y);
  return done(y);
}
