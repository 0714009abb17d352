// SPDX-License-Identifier: Apache-2.0
//
// The same with __syncwarp(): not even a note.
// expect: clean
// settings: race=note
#include "race.h"

__global__ void tail(const int *in, int *out) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = in[t + 32];
  int v = s[t] + s[t + 32];
  for (int d = 16; d > 0; d /= 2) {
    __syncwarp();
    s[t] = v;
    __syncwarp();
    v += s[t + d];
  }
  out[t] = v;
}

int main() {
  int *d = zeros(96);
  tail<<<1, 32>>>(d, d + 64);
  return done(d);
}
