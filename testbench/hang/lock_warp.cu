// SPDX-License-Identifier: Apache-2.0
//
// A lane holds a lock and waits at the join for lanes that spin for it.
// modes: stack
// say: spins for ever
// say: last written by block (0,0,0) warp 0 lane
// say: which waits for lanes of its warp
// say: remedy: 
#include "../check/check.h"

__global__ void critical(int *lock, int *y) {
  if (threadIdx.x == 0) atomicExch(lock, 1);  // take
  __syncwarp();
  if (threadIdx.x == 0) {
    y[0] += 1;
    atomicExch(lock, 0);
  } else {
    while (atomicCAS(lock, 0, 1) != 0) {}  // spin
    y[0] += 1;
    atomicExch(lock, 0);
  }
}

int main() {
  int *y = zeros<int>(64);
  critical<<<1, 32>>>(y + 40, y);
  return done(y);
}
