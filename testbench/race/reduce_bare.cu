// SPDX-License-Identifier: Apache-2.0
//
// A reduction in shared memory without a barrier in its loop.
// expect: RAW|WAR block
#include "race.h"

__global__ void reduce(const int *in, int *out) {
  __shared__ int s[128];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned d = 64; d > 0; d /= 2) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];  // racy
  }
  if (threadIdx.x == 0) *out = s[0];
}

int main() {
  int *d = zeros(256);
  reduce<<<1, 128>>>(d, d + 128);
  return done(d);
}
