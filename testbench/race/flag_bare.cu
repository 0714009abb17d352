// SPDX-License-Identifier: Apache-2.0
//
// One warp waits for another one's flag in global memory; no fence before the flag.
// expect: RAW block
#include "race.h"

__global__ void message(int *data, volatile int *flag) {
  if (threadIdx.x == 0) {
    data[0] = 42;  // racy
    *flag = 1;
  } else if (threadIdx.x == 32) {
    while (*flag == 0) {
    }
    data[1] = data[0];  // racy
  }
}

int main() {
  int *d = zeros(64);
  message<<<1, 64>>>(d, d + 32);
  return done(d);
}
