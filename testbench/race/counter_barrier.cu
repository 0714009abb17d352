// SPDX-License-Identifier: Apache-2.0
//
// The same with a barrier behind the clearing.
// expect: clean
#include "race.h"

__global__ void count(int *out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  atomicAdd(&n, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = n;
}

int main() {
  int *d = zeros(1);
  count<<<1, 64>>>(d);
  return done(d);
}
