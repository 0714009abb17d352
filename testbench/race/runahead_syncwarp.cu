// SPDX-License-Identifier: Apache-2.0
//
// The same with __syncwarp().
// expect: clean
// settings: diverge=its reconverge=off
#include "race.h"

__global__ void exchange(const int *in, int *out) {
  __shared__ volatile int word[32];
  unsigned t = threadIdx.x;
  if (t < 16) {
    word[t] = (int)t;
  } else {
    word[t] = in[in[t]];
  }
  __syncwarp();
  out[t] = word[(t + 16) % 32];
}

int main() {
  int *d = zeros(64);
  exchange<<<1, 32>>>(d, d + 32);
  return done(d);
}
