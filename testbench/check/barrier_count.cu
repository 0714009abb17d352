// SPDX-License-Identifier: Apache-2.0
//
// One named barrier, asked for with 64 threads and with 96.
// expect: sync barrier-count
#include "check.h"

__global__ void count(int *y) {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1, 64;" ::: "memory");  // bad?
  else
    asm volatile("bar.sync 1, 96;" ::: "memory");  // bad
  y[threadIdx.x] = 1;
}

int main() {
  int *y = zeros<int>(96);
  count<<<1, 96>>>(y);
  return done(y);
}
