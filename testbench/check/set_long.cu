// SPDX-License-Identifier: Apache-2.0
//
// A set of elements instead of bytes, and too many.
// expect: mem bad-copy
#include "check.h"

int main() {
  int *x = zeros<int>(32);
  cudaMemset(x, 0, 32 * sizeof(int) + 1);  // bad
  cudaGetLastError();
  return done(x);
}
