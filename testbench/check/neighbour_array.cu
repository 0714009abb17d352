// SPDX-License-Identifier: Apache-2.0
//
// An index behind an array of whole KiB, which another array follows.
// expect: mem out-of-bounds
#include "check.h"

__global__ void sums(const int *x, const int *other, int *y) {
  int i = threadIdx.x;
  y[i] = x[i] + x[i + 1] + other[i];  // bad
}

int main() {
  int *x = zeros<int>(256), *other = zeros<int>(256), *y = zeros<int>(256);
  sums<<<1, 256>>>(x, other, y);
  done(x);
  done(other);
  return done(y);
}
