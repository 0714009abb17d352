// SPDX-License-Identifier: Apache-2.0
//
// Memory of the host is given to cudaFree.
// expect: mem bad-free
#include "check.h"

int main() {
  int *x = zeros<int>(32);
  int host = 0;
  cudaFree(&host);  // bad
  cudaGetLastError();
  return done(x);
}
