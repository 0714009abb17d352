// SPDX-License-Identifier: Apache-2.0
//
// A tile read by columns without padding.
// expect: advice bank-conflict
#include "check.h"

__global__ void turn(const float *x, float *y) {
  __shared__ float tile[32][32];
  for (int i = threadIdx.y; i < 32; i += 4) tile[i][threadIdx.x] = x[i * 32 + threadIdx.x];
  __syncthreads();
  for (int i = threadIdx.y; i < 32; i += 4) {
    float v = tile[threadIdx.x][i];  // bad
    y[i * 32 + threadIdx.x] = v;
  }
}

int main() {
  float *x = zeros<float>(1024), *y = zeros<float>(1024);
  turn<<<1, dim3(32, 4)>>>(x, y);
  check(cudaFree(y));
  return done(x);
}
