// SPDX-License-Identifier: Apache-2.0
//
// A last warp of 12 threads reduces with the full mask.
// expect: clean
#include "check.h"

__global__ void sum(int *y) {
  int v = threadIdx.x;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v;
}

int main() {
  int *y = zeros<int>(2);
  sum<<<1, 44>>>(y);
  return done(y);
}
