// SPDX-License-Identifier: Apache-2.0
//
// Lanes of a warp walk down a column.
// expect: advice uncoalesced
#include "check.h"

__global__ void column(const float *x, float *y) {
  float v = x[threadIdx.x * 64 + blockIdx.x];  // bad
  y[blockIdx.x * 32 + threadIdx.x] = v;
}

int main() {
  float *x = zeros<float>(32 * 64), *y = zeros<float>(32 * 64);
  column<<<64, 32>>>(x, y);
  check(cudaFree(y));
  return done(x);
}
