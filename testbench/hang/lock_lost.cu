// SPDX-License-Identifier: Apache-2.0
//
// A thread takes a lock and exits without giving it back.
// settings: sms=1 blocks_per_sm=1
// say: spins for ever @spin
// say: last written by block (0,0,0) warp 0 lane 0 at lock_lost.cu:@take
// say: which has exited, with its block
// say: + 16 in an allocation of 32 bytes, which holds 1
// say: remedy: lost lock: whoever takes a lock must give it back
#include "../check/check.h"

__global__ void lost(int *lock, int *y) {
  if (blockIdx.x == 0) {
    atomicCAS(lock, 0, 1);  // take
    return;
  }
  while (atomicCAS(lock, 0, 1) != 0) {}  // spin
  y[blockIdx.x] = 1;
  atomicExch(lock, 0);
}

int main() {
  int *y = zeros<int>(8);
  lost<<<2, 1>>>(y + 4, y);
  return done(y);
}
