// SPDX-License-Identifier: Apache-2.0
//
// The same with atomics.
// expect: clean
#include "race.h"

__global__ void histogram(const int *in, int *out) {
  __shared__ int bin[8];
  if (threadIdx.x < 8) bin[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bin[(in[threadIdx.x] + threadIdx.x) % 8], (int)threadIdx.x / 8);
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = bin[threadIdx.x];
}

int main() {
  int *d = zeros(128);
  histogram<<<1, 64>>>(d, d + 64);
  return done(d);
}
