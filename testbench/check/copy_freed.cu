// SPDX-License-Identifier: Apache-2.0
//
// A result is read after its memory was freed.
// expect: mem bad-copy
#include "check.h"

int main() {
  int host[32], *x = zeros<int>(32);
  check(cudaFree(x));
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);  // bad
  cudaGetLastError();
  return 0;
}
