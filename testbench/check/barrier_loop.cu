// SPDX-License-Identifier: Apache-2.0
//
// A barrier in a loop that lanes leave at different times.
// expect: sync divergent-barrier
#include "check.h"

__global__ void rounds(int *y) {
  int sum = 0;
  for (int i = 0; i < threadIdx.x % 4 + 1; i++) {
    sum += y[i];
    __syncthreads();  // bad
  }
  y[threadIdx.x] = sum;
}

int main() {
  int *y = zeros<int>(64);
  rounds<<<1, 64>>>(y);
  return done(y);
}
