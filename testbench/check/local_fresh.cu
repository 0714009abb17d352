// SPDX-License-Identifier: Apache-2.0
//
// An element of a thread's own array before it has a value.
// expect: init-all uninitialized-local
#include "check.h"

__global__ void use(int *y, int n, int k) {
  int own[16];
  for (int i = 0; i < n; i++) own[i * 3 % 16] = i;
  y[threadIdx.x] = own[k + threadIdx.x % 8];  // bad
}

int main() {
  int *y = zeros<int>(32);
  use<<<1, 32>>>(y, 4, 1);
  return done(y);
}
