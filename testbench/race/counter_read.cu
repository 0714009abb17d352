// SPDX-License-Identifier: Apache-2.0
//
// A counter is read before all have counted.
// expect: RAW|WAW|WAR block
#include "race.h"

__global__ void count(int *out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  atomicAdd(&n, 1);  // racy
  if (threadIdx.x == 40) out[0] = n;  // racy
}

int main() {
  int *d = zeros(1);
  count<<<1, 128>>>(d);
  return done(d);
}
