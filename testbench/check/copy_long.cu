// SPDX-License-Identifier: Apache-2.0
//
// More bytes than the device's array has.
// expect: mem bad-copy
#include "check.h"

int main() {
  int host[33] = {0}, *x = zeros<int>(32);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);  // bad
  cudaGetLastError();
  return done(x);
}
