// SPDX-License-Identifier: Apache-2.0
//
// Four floats from the second one on.
// expect: mem misaligned
#include "check.h"

__global__ void load(const float *x, float4 *y) { y[threadIdx.x] = *reinterpret_cast<const float4 *>(x + 1); }  // bad

int main() {
  float *x = zeros<float>(64);
  float4 *y = zeros<float4>(1);
  load<<<1, 1>>>(x, y);
  check(cudaFree(y));
  return done(x);
}
