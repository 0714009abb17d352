// SPDX-License-Identifier: Apache-2.0
//
// A named barrier for 48 threads.
// expect: sync barrier-arguments
#include "check.h"

__global__ void count(int *y) {
  asm volatile("bar.sync 1, %0;" ::"r"(y[0] + 48) : "memory");  // bad
  y[threadIdx.x] = 1;
}

int main() {
  int *y = zeros<int>(64);
  count<<<1, 64>>>(y);
  return done(y);
}
