// SPDX-License-Identifier: Apache-2.0
//
// A reduction by shuffles behind an early return: lanes take values of lanes that have left.
// expect: sync shuffle-source
#include "check.h"

__global__ void sum(const int *x, int *y, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  int v = x[i];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);  // bad
  if (i % 32 == 0) y[i / 32] = v;
}

int main() {
  int *x = zeros<int>(66);
  sum<<<1, 64>>>(x, x + 64, 50);
  return done(x);
}
