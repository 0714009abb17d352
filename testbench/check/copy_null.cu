// SPDX-License-Identifier: Apache-2.0
//
// A copy to a pointer that nobody has set.
// expect: mem bad-copy
#include "check.h"

int main() {
  int host[32] = {0}, *x = zeros<int>(1), *y = nullptr;
  cudaMemcpy(y, host, sizeof host, cudaMemcpyHostToDevice);  // bad
  cudaGetLastError();
  return done(x);
}
