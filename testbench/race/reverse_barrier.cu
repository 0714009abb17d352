// SPDX-License-Identifier: Apache-2.0
//
// The same with the barrier.
// expect: clean
#include "race.h"

__global__ void reverse(int *data) {
  __shared__ int s[128];
  s[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = s[127 - threadIdx.x];
}

int main() {
  int *d = zeros(128);
  reverse<<<1, 128>>>(d);
  return done(d);
}
