// SPDX-License-Identifier: Apache-2.0
//
// The last warp of a reduction without volatile and without __syncwarp(): lanes in step hide it. A note only.
// expect: RAW|WAR hidden
// settings: race=note
#include "race.h"

__global__ void reduce(const int *in, int *out) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];  // racy
    s[t] += s[t + 8];  // racy
    s[t] += s[t + 4];  // racy
    s[t] += s[t + 2];  // racy
    s[t] += s[t + 1];  // racy
  }
  if (t == 0) *out = s[0];
}

int main() {
  int *d = zeros(128);
  reduce<<<1, 64>>>(d, d + 64);
  return done(d);
}
