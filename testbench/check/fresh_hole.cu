// SPDX-License-Identifier: Apache-2.0
//
// A kernel writes every second element, the next one reads all.
// expect: init uninitialized-global
#include "check.h"

__global__ void even(int *x) { x[2 * threadIdx.x] = 1; }
__global__ void all(const int *x, int *y) { y[threadIdx.x] = x[threadIdx.x]; }  // bad

int main() {
  int *x = fresh<int>(64), *y = fresh<int>(64);
  even<<<1, 32>>>(x);
  all<<<1, 64>>>(x, y);
  check(cudaFree(x));
  return done(y);
}
