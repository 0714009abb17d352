// SPDX-License-Identifier: Apache-2.0
//
// Two blocks take two locks in opposite order.
// say: spins for ever
// say: last written by block (1,0,0) warp 0 lane 0|last written by block (0,0,0) warp 0 lane 0
// say: which spins itself
// say: remedy: 
#include "../check/check.h"

__device__ void take(int *lock) {
  while (atomicCAS(lock, 0, 1) != 0) {}  // spin
}

__global__ void cross(int *lock, volatile int *y) {
  take(&lock[blockIdx.x]);
  y[blockIdx.x] = 1;
  while (y[1 - blockIdx.x] == 0) {}
  take(&lock[1 - blockIdx.x]);
  y[blockIdx.x] = 2;
}

int main() {
  int *y = zeros<int>(8);
  cross<<<2, 1>>>(y + 4, y);
  return done(y);
}
