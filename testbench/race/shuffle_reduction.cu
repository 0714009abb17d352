// SPDX-License-Identifier: Apache-2.0
//
// A reduction by shuffles, and a table that they guard.
// expect: clean
// settings: race=note
#include "race.h"

__global__ void sum(const int *in, int *out) {
  __shared__ int s[32];
  int v = in[threadIdx.x];
  s[threadIdx.x] = v;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  out[threadIdx.x] = v + s[31 - threadIdx.x];
}

int main() {
  int *d = zeros(64);
  sum<<<1, 32>>>(d, d + 32);
  return done(d);
}
