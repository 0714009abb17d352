// SPDX-License-Identifier: Apache-2.0
//
// Half a warp at one barrier, the other half of it and the other warp at another one.
// say: no progress
// say: warp 0 lanes 0x0000ffff at barrier 1|warp 0 lanes 0x0000ffff at pc @one waits at barrier 1
// say: arrived 0x2 of 0x3, 64 threads are asked for
// say: remedy: every thread of a block must reach the same barriers
#include "../check/check.h"

__global__ void halves(int *y) {
  if (threadIdx.x < 16)
    asm volatile("bar.sync 1, 64;" ::: "memory");  // one
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");  // two
  y[threadIdx.x] = 1;
}

int main() {
  int *y = zeros<int>(64);
  halves<<<1, 64>>>(y);
  return done(y);
}
