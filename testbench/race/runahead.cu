// SPDX-License-Identifier: Apache-2.0
//
// The text's warning, compiled without joins: lanes run ahead of the other arm. clang makes one store of the two.
// expect: RAW|WAR apart
// settings: diverge=its reconverge=off
#include "race.h"

__global__ void exchange(const int *in, int *out) {
  __shared__ volatile int word[32];
  unsigned t = threadIdx.x;
  if (t < 16) {
    word[t] = (int)t;
  } else {
    word[t] = in[in[t]];  // racy
  }
  out[t] = word[(t + 16) % 32];  // racy
}

int main() {
  int *d = zeros(64);
  exchange<<<1, 32>>>(d, d + 32);
  return done(d);
}
