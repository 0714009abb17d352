// SPDX-License-Identifier: Apache-2.0
//
// The same pointer is freed twice.
// expect: mem double-free
#include "check.h"

int main() {
  int *x = zeros<int>(32);
  check(cudaFree(x));
  return cudaFree(x) == cudaSuccess;  // bad
}
