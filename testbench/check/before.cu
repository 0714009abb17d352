// SPDX-License-Identifier: Apache-2.0
//
// The left neighbour of the first element.
// expect: mem out-of-bounds
#include "check.h"

__global__ void left(const int *x, int *y) {
  int i = threadIdx.x;
  y[i] = x[i - 1];  // bad
}

int main() {
  int *x = zeros<int>(64), *y = zeros<int>(64);
  left<<<1, 64>>>(x, y);
  check(cudaFree(y));
  return done(x);
}
