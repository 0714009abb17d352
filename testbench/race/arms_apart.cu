// SPDX-License-Identifier: Apache-2.0
//
// One arm of a branch reads what the other one writes.
// expect: RAW|WAR apart
#include "race.h"

__global__ void arms(int *out) {
  __shared__ int s[16];
  if (threadIdx.x < 16)
    s[threadIdx.x] = out[threadIdx.x] + 1;  // racy
  else
    out[threadIdx.x] = s[threadIdx.x - 16] * out[threadIdx.x];  // racy
}

int main() {
  int *d = zeros(32);
  arms<<<1, 32>>>(d);
  return done(d);
}
