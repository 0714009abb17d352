// SPDX-License-Identifier: Apache-2.0
//
// A loop that runs to n and not to n - 1.
// expect: mem out-of-bounds-tail
#include "check.h"

__global__ void total(const int *x, int *sum, int n) {
  int s = 0;
  for (int i = 0; i <= n; i++) s += x[i];  // bad
  *sum = s;
}

int main() {
  int *x = zeros<int>(50), *sum = zeros<int>(1);
  total<<<1, 1>>>(x, sum, 50);
  check(cudaFree(sum));
  return done(x);
}
