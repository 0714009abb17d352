// SPDX-License-Identifier: Apache-2.0
//
// Only half of the array was copied to the device.
// expect: init uninitialized-global
#include "check.h"

__global__ void twice(int *x) { x[threadIdx.x] *= 2; }  // bad

int main() {
  int host[64] = {0}, *x = fresh<int>(64);
  check(cudaMemcpy(x, host, sizeof host / 2, cudaMemcpyHostToDevice));
  twice<<<1, 64>>>(x);
  return done(x);
}
