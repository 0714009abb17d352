// SPDX-License-Identifier: Apache-2.0
//
// The holder of a lock waits at a barrier for a warp that spins for the lock.
// say: spins for ever @spin
// say: last written by block (0,0,0) warp 0 lane 0
// say: which waits at barrier 0
// say: remedy: 
#include "../check/check.h"

__global__ void both(int *lock, int *y) {
  if (threadIdx.x == 0) atomicExch(lock, 1);  // take
  __syncthreads();
  if (threadIdx.x == 32)
    while (atomicCAS(lock, 0, 1) != 0) {}  // spin
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(lock, 0);
  y[threadIdx.x] = 1;
}

int main() {
  int *y = zeros<int>(80);
  both<<<1, 64>>>(y + 70, y);
  return done(y);
}
