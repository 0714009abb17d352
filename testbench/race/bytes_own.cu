// SPDX-License-Identifier: Apache-2.0
//
// Each thread has a byte of its own, four threads a word.
// expect: clean
#include "race.h"

__global__ void own(const int *in, int *out) {
  __shared__ unsigned char s[64];
  unsigned i = threadIdx.x * 2 % 64 + threadIdx.x / 32;  // the warps take turns in a word
  s[i] = (unsigned char)in[threadIdx.x];
  s[i]++;
  out[threadIdx.x] = s[i];
}

int main() {
  int *d = zeros(128);
  own<<<1, 64>>>(d, d + 64);
  return done(d);
}
