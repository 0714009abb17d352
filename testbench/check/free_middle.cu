// SPDX-License-Identifier: Apache-2.0
//
// A pointer into an allocation is freed.
// expect: mem bad-free
#include "check.h"

int main() {
  int *x = zeros<int>(32);
  cudaFree(x + 4);  // bad
  cudaGetLastError();
  return done(x);
}
