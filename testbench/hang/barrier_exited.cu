// SPDX-License-Identifier: Apache-2.0
//
// A named barrier for three warps, of which one has exited.
// say: no progress
// say: warp 0 at barrier 1 (pc @wait|warp 0 at pc @wait waits at barrier 1
// say: arrived 0x3 of 0x3, 96 threads are asked for), warps 0x4 have exited
// say: remedy: every thread of a block must reach the same barriers
#include "../check/check.h"

__global__ void three(int *y) {
  if (threadIdx.x < 64) asm volatile("bar.sync 1, 96;" ::: "memory");  // wait
  y[threadIdx.x] = 1;
}

int main() {
  int *y = zeros<int>(96);
  three<<<1, 96>>>(y);
  return done(y);
}
