// SPDX-License-Identifier: Apache-2.0
//
// A tile with its halo, filled with 0 where the array ends.
// expect: clean
#include "check.h"

__global__ void blur(const float *x, float *y, int n) {
  __shared__ float tile[64 + 2];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x + 1] = x[i];
  if (threadIdx.x == 0) tile[0] = i > 0 ? x[i - 1] : 0;
  if (threadIdx.x == 63) tile[65] = i < n - 1 ? x[i + 1] : 0;
  __syncthreads();
  y[i] = tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];
}

int main() {
  float *x = zeros<float>(512);
  blur<<<4, 64>>>(x, x + 256, 256);
  return done(x);
}
