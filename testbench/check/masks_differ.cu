// SPDX-License-Identifier: Apache-2.0
//
// Lanes that meet give masks that are not the same.
// expect: sync masks-differ
// modes: stack
#include "check.h"

__global__ void two(int *y) {
  y[threadIdx.x] = 1;
  __syncwarp(threadIdx.x < 16 ? 0xffffffff : 0xfffffffe | 1u << threadIdx.x & 1u);  // bad
  y[threadIdx.x + 32] = y[threadIdx.x ^ 1];
}

int main() {
  int *y = zeros<int>(64);
  two<<<1, 32>>>(y);
  return done(y);
}
