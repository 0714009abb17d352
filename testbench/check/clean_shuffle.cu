// SPDX-License-Identifier: Apache-2.0
//
// A reduction by shuffles that threads without a value join with 0; then one of half a warp, inside its half.
// expect: clean
#include "check.h"

__global__ void sum(const int *x, int *y, int n) {
  int i = threadIdx.x;
  int v = i < n ? x[i] : 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (i % 32 == 0) y[i / 32] = v;
  if (i % 32 >= 16) return;
  for (int d = 8; d > 0; d /= 2) v += __shfl_xor_sync(0x0000ffff, v, d);
  y[i + 2] = v;
}

int main() {
  int *x = zeros<int>(132);
  sum<<<1, 64>>>(x, x + 64, 50);
  return done(x);
}
