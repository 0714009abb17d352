// SPDX-License-Identifier: Apache-2.0
//
// All lanes of all warps store the same value to one word.
// expect: clean
#include "race.h"

__global__ void found(int *out) {
  __shared__ int any;
  if (threadIdx.x == 0) any = 0;
  __syncthreads();
  if (out[threadIdx.x] == 0) any = 1;
  __syncthreads();
  out[threadIdx.x] = any;
}

int main() {
  int *d = zeros(96);
  found<<<1, 96>>>(d);
  return done(d);
}
