// SPDX-License-Identifier: Apache-2.0
//
// Rows are taken to be as far apart as they are wide, plus one.
// expect: mem out-of-bounds-tail
#include "check.h"

__global__ void rows(int *x, int pitch) { x[blockIdx.x * pitch + threadIdx.x] = 1; }  // bad

int main() {
  int *x = zeros<int>(4 * 20);
  rows<<<4, 20>>>(x, 21);
  return done(x);
}
