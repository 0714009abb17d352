// SPDX-License-Identifier: Apache-2.0
//
// Bytes and halves, written one by one and read together.
// expect: clean
#include "check.h"

__global__ void bytes(char *x) { x[threadIdx.x] = static_cast<char>(threadIdx.x); }
__global__ void words(const int *x, int *y) { y[threadIdx.x] = x[threadIdx.x]; }

int main() {
  char *x = fresh<char>(64);
  int *y = fresh<int>(16);
  bytes<<<1, 64>>>(x);
  words<<<1, 16>>>(reinterpret_cast<int *>(x), y);
  check(cudaFree(y));
  return done(x);
}
