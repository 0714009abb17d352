// SPDX-License-Identifier: Apache-2.0
//
// What race=note says of them: two warps store the same value.
// expect: WAW equal
// settings: race=note
#include "race.h"

__global__ void found(int *out) {
  __shared__ int any;
  if (threadIdx.x == 0) any = 0;
  __syncthreads();
  if (out[threadIdx.x] == 0) any = 1;  // racy
  __syncthreads();
  out[threadIdx.x] = any;
}

int main() {
  int *d = zeros(96);
  found<<<1, 96>>>(d);
  return done(d);
}
