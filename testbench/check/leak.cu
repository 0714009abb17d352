// SPDX-License-Identifier: Apache-2.0
//
// An allocation that is never freed.
// expect: mem leak
#include "check.h"

int main() {
  int *x = nullptr, *y = zeros<int>(32);
  check(cudaMalloc(&x, 128));  // bad
  return done(y);
}
