// SPDX-License-Identifier: Apache-2.0
//
// One barrier, 64 threads for one warp and 96 for another.
// say: fault
// say: barrier's number of threads that is no multiple of 32 or not the same
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
