// SPDX-License-Identifier: Apache-2.0
//
// One barrier, 64 threads for one warp and 96 for another.
// say: fault
// say: trap: barrier 1: 96 threads are asked for; warps 0x1, which have arrived, ask for 64 in kernel 'counts(int*)'
// say: block (0,0,0), warp 1
// say: lanes 0xffffffff, PC 0x
// say: remedy: who meets at a barrier must ask for the same number of threads
#include "../check/check.h"

__global__ void counts(int *y) {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  else
    asm volatile("bar.sync 1, 96;" ::: "memory");
  y[threadIdx.x] = 1;
}

int main() {
  int *y = zeros<int>(96);
  counts<<<1, 96>>>(y);
  return done(y);
}
