// SPDX-License-Identifier: Apache-2.0
//
// Bytes of neighbours are read without a barrier; only those on a warp's border belong to another warp.
// expect: RAW|WAR block
#include "race.h"

__global__ void smooth(const int *in, int *out) {
  __shared__ unsigned char s[65];
  s[threadIdx.x] = (unsigned char)in[threadIdx.x];  // racy
  __syncwarp();
  out[threadIdx.x] = s[threadIdx.x] + s[(threadIdx.x + 1) % 64];  // racy
}

int main() {
  int *d = zeros(128);
  smooth<<<1, 64>>>(d, d + 64);
  return done(d);
}
