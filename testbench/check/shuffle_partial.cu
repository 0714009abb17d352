// SPDX-License-Identifier: Apache-2.0
//
// A block of 50 threads: the second warp's shuffle takes values of lanes that were never there.
// expect: sync shuffle-source
#include "check.h"

__global__ void rotate(const int *x, int *y) {
  int v = x[threadIdx.x];
  y[threadIdx.x] = __shfl_xor_sync(0xffffffff, v, 4);  // bad
}

int main() {
  int *x = zeros<int>(100);
  rotate<<<1, 50>>>(x, x + 50);
  return done(x);
}
