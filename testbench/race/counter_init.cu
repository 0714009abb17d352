// SPDX-License-Identifier: Apache-2.0
//
// A counter is cleared by one thread while others count already.
// expect: WAW block
#include "race.h"

__global__ void count(int *out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;  // racy
  atomicAdd(&n, 1);  // racy
  __syncthreads();
  if (threadIdx.x == 0) out[0] = n;
}

int main() {
  int *d = zeros(1);
  count<<<1, 64>>>(d);
  return done(d);
}
