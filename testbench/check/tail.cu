// SPDX-License-Identifier: Apache-2.0
//
// The last threads have no element: inside what the device rounds the size up to.
// expect: mem out-of-bounds-tail
#include "check.h"

__global__ void scale(float *x) { x[threadIdx.x] = 2.0f * threadIdx.x; }  // bad

int main() {
  float *x = zeros<float>(100);
  scale<<<1, 128>>>(x);
  return done(x);
}
