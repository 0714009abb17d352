// SPDX-License-Identifier: Apache-2.0
//
// Threads without an element return before the barrier.
// expect: clean
#include "check.h"

__global__ void scale(float *x, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  tile[threadIdx.x] = x[i];
  __syncthreads();
  x[i] = 2.0f * tile[threadIdx.x];
}

int main() {
  float *x = zeros<float>(100);
  scale<<<2, 64>>>(x, 100);
  return done(x);
}
