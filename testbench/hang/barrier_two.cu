// SPDX-License-Identifier: Apache-2.0
//
// Two warps at barriers with different numbers, each for both.
// say: no progress
// say: at barrier 1 (pc @one|at pc @one waits at barrier 1
// say: at barrier 2 (pc @two|at pc @two waits at barrier 2
// say: arrived 0x1 of 0x3, 64 threads are asked for
// say: remedy: every thread of a block must reach the same barriers
#include "../check/check.h"

__global__ void cross(int *y) {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1, 64;" ::: "memory");  // one
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");  // two
  y[threadIdx.x] = 1;
}

int main() {
  int *y = zeros<int>(64);
  cross<<<1, 64>>>(y);
  return done(y);
}
