// SPDX-License-Identifier: Apache-2.0
//
// Floating-point atomics on shared memory, which are loops of compare-and-swap here.
// expect: clean
#include "race.h"

__global__ void sum(int *out) {
  __shared__ float s[4];
  if (threadIdx.x < 4) s[threadIdx.x] = 0.0f;
  __syncthreads();
  atomicAdd(&s[threadIdx.x % 4], 1.0f);
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = (int)s[threadIdx.x];
}

int main() {
  int *d = zeros(4);
  sum<<<1, 64>>>(d);
  return done(d);
}
