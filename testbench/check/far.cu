// SPDX-License-Identifier: Apache-2.0
//
// An index that leaves the allocation by far.
// expect: mem out-of-bounds
#include "check.h"

__global__ void far(int *x) {
  int i = threadIdx.x * 100000;
  x[i] = 1;  // bad
}

int main() {
  int *x = zeros<int>(64);
  far<<<1, 32>>>(x);
  return done(x);
}
