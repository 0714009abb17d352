// SPDX-License-Identifier: Apache-2.0
//
// Memory is freed and its place is allocated again.
// expect: clean
#include "check.h"

__global__ void fill(int *x) { x[threadIdx.x] = 1; }

int main() {
  for (int i = 0; i < 3; i++) {
    int *x = fresh<int>(32 + 7 * i);
    fill<<<1, 32>>>(x);
    check(cudaFree(x));
  }
  return done(static_cast<int *>(nullptr));
}
