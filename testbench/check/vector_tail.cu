// SPDX-License-Identifier: Apache-2.0
//
// Four floats at once, of a number that is no multiple of four.
// expect: mem out-of-bounds-tail
#include "check.h"

__global__ void copy4(const float4 *x, float4 *y) {
  y[threadIdx.x] = x[threadIdx.x];  // bad
}

int main() {
  float *x = zeros<float>(62), *y = zeros<float>(64);
  copy4<<<1, 16>>>(reinterpret_cast<float4 *>(x), reinterpret_cast<float4 *>(y));
  check(cudaFree(y));
  return done(x);
}
