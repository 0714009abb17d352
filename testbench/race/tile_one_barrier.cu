// SPDX-License-Identifier: Apache-2.0
//
// A tile is filled anew while others still read it: the loop's second barrier is missing.
// expect: RAW|WAR block
#include "race.h"

__global__ void tiles(const int *in, int *out) {
  __shared__ int tile[64];
  int sum = 0;
  for (int k = 0; k < 4; k++) {
    tile[threadIdx.x] = in[k * 64 + threadIdx.x];  // racy
    __syncthreads();
    for (int i = 0; i < 64; i += 8) sum += tile[(threadIdx.x + i) % 64];  // racy
  }
  out[threadIdx.x] = sum;
}

int main() {
  int *d = zeros(320);
  tiles<<<1, 64>>>(d, d + 256);
  return done(d);
}
