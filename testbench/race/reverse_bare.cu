// SPDX-License-Identifier: Apache-2.0
//
// A block turns an array round without a barrier between writing and reading.
// expect: RAW|WAR block
#include "race.h"

__global__ void reverse(int *data) {
  __shared__ int s[128];
  s[threadIdx.x] = data[threadIdx.x];  // racy
  data[threadIdx.x] = s[127 - threadIdx.x];  // racy
}

int main() {
  int *d = zeros(128);
  reverse<<<1, 128>>>(d);
  return done(d);
}
