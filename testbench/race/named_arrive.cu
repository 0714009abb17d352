// SPDX-License-Identifier: Apache-2.0
//
// Producer and consumer with bar.arrive and bar.sync, both ways.
// expect: clean
#include "race.h"

__global__ void pipe(int *out) {
  __shared__ int s[32];
  unsigned l = threadIdx.x % 32;
  for (int i = 0; i < 3; i++) {
    if (threadIdx.x < 32) {
      if (i > 0) asm volatile("bar.sync 2, 64;" ::: "memory");
      s[l] = i * 32 + l;
      asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[i * 32 + l] = s[31 - l];
      if (i < 2) asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
  }
}

int main() {
  int *d = zeros(96);
  pipe<<<1, 64>>>(d);
  return done(d);
}
