// SPDX-License-Identifier: Apache-2.0
//
// The host's array instead of the device's.
// expect: mem no-device-address
#include "check.h"

static int host[32];

__global__ void fill(int *x) { x[threadIdx.x] = 1; }  // bad

int main() {
  int *x = zeros<int>(32);
  fill<<<1, 32>>>(host);
  return done(x);
}
