// SPDX-License-Identifier: Apache-2.0
//
// Threads behind the end return early; the others read the words that those would have written.
// expect: init-all uninitialized-shared
#include "check.h"

__global__ void reverse(const int *x, int *y, int n) {
  __shared__ int s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[63 - threadIdx.x];  // bad
}

int main() {
  int *x = zeros<int>(200);
  reverse<<<2, 64>>>(x, x + 100, 100);
  return done(x);
}
