// SPDX-License-Identifier: Apache-2.0
//
// The tail of a reduction as written before Volta: converged lanes, volatile, no __syncwarp(). A note only.
// expect: RAW|WAR hidden
// settings: race=note
#include "race.h"

__global__ void tail(const int *in, int *out) {
  __shared__ volatile int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  s[threadIdx.x + 32] = in[threadIdx.x + 32];  // racy
  s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 32];  // racy
  s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 16];  // racy
  out[threadIdx.x] = s[(threadIdx.x + 8) % 32];  // racy
}

int main() {
  int *d = zeros(96);
  tail<<<1, 32>>>(d, d + 64);
  return done(d);
}
