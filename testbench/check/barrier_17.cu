// SPDX-License-Identifier: Apache-2.0
//
// Barrier 17 of 16.
// expect: sync barrier-arguments
#include "check.h"

__global__ void number(int *y) {
  asm volatile("bar.sync %0;" ::"r"(y[0] + 17) : "memory");  // bad
  y[threadIdx.x] = 1;
}

int main() {
  int *y = zeros<int>(64);
  number<<<1, 64>>>(y);
  return done(y);
}
