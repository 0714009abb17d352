// SPDX-License-Identifier: Apache-2.0
//
// Producer and consumer at named barriers.
// expect: clean
#include "check.h"

__global__ void pair(int *y) {
  __shared__ int tile[32];
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = threadIdx.x;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    y[threadIdx.x - 32] = tile[63 - threadIdx.x];
  }
}

int main() {
  int *y = zeros<int>(32);
  pair<<<1, 64>>>(y);
  return done(y);
}
