// SPDX-License-Identifier: Apache-2.0
//
// A tile without room for the halo: its last thread reads behind it.
// expect: mem out-of-bounds-shared
#include "check.h"

__global__ void blur(const float *x, float *y, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = x[i];
  __syncthreads();
  if (threadIdx.x > 0 && i < n - 1) y[i] = tile[threadIdx.x - 1] + tile[threadIdx.x] + tile[threadIdx.x + 1];  // bad
}

int main() {
  float *x = zeros<float>(512);
  blur<<<4, 64>>>(x, x + 256, 256);
  return done(x);
}
