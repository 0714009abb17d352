// SPDX-License-Identifier: Apache-2.0
//
// The last byte of a word.
// expect: init uninitialized-global
#include "check.h"

__global__ void word(const int *x, int *y) { *y = *x; }  // bad

int main() {
  int *x = fresh<int>(1), *y = fresh<int>(1);
  check(cudaMemset(x, 0, 3));
  word<<<1, 1>>>(x, y);
  check(cudaFree(x));
  return done(y);
}
