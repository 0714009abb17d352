// SPDX-License-Identifier: Apache-2.0
//
// The same with both barriers.
// expect: clean
#include "race.h"

__global__ void tiles(const int *in, int *out) {
  __shared__ int tile[64];
  int sum = 0;
  for (int k = 0; k < 4; k++) {
    tile[threadIdx.x] = in[k * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; i += 8) sum += tile[(threadIdx.x + i) % 64];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

int main() {
  int *d = zeros(320);
  tiles<<<1, 64>>>(d, d + 256);
  return done(d);
}
