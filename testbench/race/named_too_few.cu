// SPDX-License-Identifier: Apache-2.0
//
// Two warps meet at a named barrier, a third one reads too.
// expect: RAW|WAR block
#include "race.h"

__global__ void pair(int *out) {
  __shared__ int s[32];
  unsigned w = threadIdx.x / 32, l = threadIdx.x % 32;
  if (w == 0) s[l] = l + out[l];  // racy
  if (w < 2) asm volatile("bar.sync 1, 64;" ::: "memory");
  if (w > 0) out[threadIdx.x] = s[l];  // racy
}

int main() {
  int *d = zeros(96);
  pair<<<1, 96>>>(d);
  return done(d);
}
