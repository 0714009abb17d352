// SPDX-License-Identifier: Apache-2.0
//
// The same with __threadfence() on both sides.
// expect: clean
#include "race.h"

__global__ void message(int *data, volatile int *flag) {
  if (threadIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    *flag = 1;
  } else if (threadIdx.x == 32) {
    while (*flag == 0) {
    }
    __threadfence();
    data[1] = data[0];
  }
}

int main() {
  int *d = zeros(64);
  message<<<1, 64>>>(d, d + 32);
  return done(d);
}
