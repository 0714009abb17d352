// SPDX-License-Identifier: Apache-2.0
//
// All lanes store their own number to one word.
// expect: WAW same
#include "race.h"

__global__ void last(int *out) {
  __shared__ int who;
  who = threadIdx.x;  // racy
  __syncthreads();
  out[threadIdx.x] = who;
}

int main() {
  int *d = zeros(32);
  last<<<1, 32>>>(d);
  return done(d);
}
