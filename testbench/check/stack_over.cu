// SPDX-License-Identifier: Apache-2.0
//
// Digits of a number in an array that is too short for the longest one.
// expect: mem out-of-bounds-local
#include "check.h"

__global__ void digits(unsigned *x) {
  int d[8], n = 0, s = 0;
  for (unsigned v = x[threadIdx.x]; v != 0; v /= 10) d[n++] = v % 10;  // bad
  for (int i = n - 1; i >= 0; i--) s = s * 3 + d[i];
  x[threadIdx.x] = s;
}

int main() {
  unsigned *x = fresh<unsigned>(32), h[32];
  for (int i = 0; i < 32; i++) h[i] = i == 9 ? 4000000000u : 1234u * i;
  check(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  digits<<<1, 32>>>(x);
  return done(x);
}
