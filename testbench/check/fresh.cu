// SPDX-License-Identifier: Apache-2.0
//
// What cudaMalloc gave is read.
// expect: init uninitialized-global
#include "check.h"

__global__ void copy(const int *x, int *y) { y[threadIdx.x] = x[threadIdx.x]; }  // bad

int main() {
  int *x = fresh<int>(32), *y = fresh<int>(32);
  copy<<<1, 32>>>(x, y);
  check(cudaFree(x));
  return done(y);
}
