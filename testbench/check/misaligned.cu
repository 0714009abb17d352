// SPDX-License-Identifier: Apache-2.0
//
// A word at an odd address.
// expect: mem misaligned
#include "check.h"

__global__ void word(const char *x, int *y) { y[threadIdx.x] = *reinterpret_cast<const int *>(x + 1); }  // bad

int main() {
  char *x = zeros<char>(64);
  int *y = zeros<int>(32);
  word<<<1, 1>>>(x, y);
  check(cudaFree(y));
  return done(x);
}
