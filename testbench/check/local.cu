// SPDX-License-Identifier: Apache-2.0
//
// An index that leaves a thread's own array.
// expect: mem out-of-bounds-local
#include "check.h"

__global__ void sort(int *y, int n) {
  int own[8];
  for (int i = 0; i < n; i++) own[(i * 7) % n] = i;  // bad
  y[threadIdx.x] = own[threadIdx.x % 8];
}

int main() {
  int *y = zeros<int>(32);
  sort<<<1, 32>>>(y, 64);
  return done(y);
}
