// SPDX-License-Identifier: Apache-2.0
//
// Lanes at a block barrier, others of their warp at the join behind it.
// modes: its
// say: no progress
// say: warp 0 lanes 0x0000ffff at BSYNC
// say: lanes 0xffff0000 at barrier 0 (pc @inner
// say: remedy: every thread of a block must reach the same barriers
#include "../check/check.h"

__global__ void half(int *y) {
  for (int i = 0; i < threadIdx.x / 16 % 2 + 1; i++) {
    y[threadIdx.x] += i;
    __syncthreads();  // inner
  }
  y[threadIdx.x] += 1;
}

int main() {
  int *y = zeros<int>(64);
  half<<<1, 64>>>(y);
  return done(y);
}
