// SPDX-License-Identifier: Apache-2.0
//
// A kernel that uses what was freed.
// expect: mem use-after-free
#include "check.h"

__global__ void fill(int *x) { x[threadIdx.x] = 1; }  // bad

int main() {
  int *x = zeros<int>(32), *y = zeros<int>(32);
  check(cudaFree(x));
  fill<<<1, 32>>>(x);
  return done(y);
}
