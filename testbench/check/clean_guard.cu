// SPDX-License-Identifier: Apache-2.0
//
// The guard is there, the size is no multiple of 256.
// expect: clean
#include "check.h"

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

int main() {
  float *x = zeros<float>(1001);
  scale<<<8, 128>>>(x, 1001);
  return done(x);
}
