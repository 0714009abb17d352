// SPDX-License-Identifier: Apache-2.0
//
// Source and destination in the wrong order.
// expect: mem bad-copy
#include "check.h"

int main() {
  int host[32] = {0}, *x = zeros<int>(32);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyHostToDevice);  // bad
  cudaGetLastError();
  return done(x);
}
