// SPDX-License-Identifier: Apache-2.0
//
// Memory that was freed and allocated again has old contents, not new ones.
// expect: init uninitialized-global
#include "check.h"

__global__ void copy(const int *x, int *y) { y[threadIdx.x] = x[threadIdx.x]; }  // bad

int main() {
  int *x = zeros<int>(32);
  check(cudaFree(x));
  x = fresh<int>(32);
  int *y = fresh<int>(32);
  copy<<<1, 32>>>(x, y);
  check(cudaFree(x));
  return done(y);
}
