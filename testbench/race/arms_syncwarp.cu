// SPDX-License-Identifier: Apache-2.0
//
// The same with the reading arm behind a __syncwarp().
// expect: clean
#include "race.h"

__global__ void arms(int *out) {
  __shared__ int s[16];
  if (threadIdx.x < 16) s[threadIdx.x] = out[threadIdx.x] + 1;
  __syncwarp();
  if (threadIdx.x >= 16) out[threadIdx.x] = s[threadIdx.x - 16] * out[threadIdx.x];
}

int main() {
  int *d = zeros(32);
  arms<<<1, 32>>>(d);
  return done(d);
}
