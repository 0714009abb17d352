// SPDX-License-Identifier: Apache-2.0
//
// A pointer that nobody has set.
// expect: mem null-pointer
#include "check.h"

__global__ void fill(int *x) { x[threadIdx.x] = 1; }  // bad

int main() {
  fill<<<1, 32>>>(nullptr);
  return done(static_cast<int *>(nullptr));
}
