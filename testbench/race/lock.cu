// SPDX-License-Identifier: Apache-2.0
//
// The same with the write under the lock, every lane in its turn.
// expect: clean
#include "race.h"

__global__ void add(int *lock, int *sum) {
  for (bool waits = true; waits;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *sum = *sum + blockIdx.x + 1;
      __threadfence();
      atomicExch(lock, 0);
      waits = false;
    }
  }
}

int main() {
  int *d = zeros(64);
  add<<<4, 8>>>(d, d + 32);
  return done(d);
}
