// SPDX-License-Identifier: Apache-2.0
//
// Values are added to a result that nobody has zeroed.
// expect: init uninitialized-global
#include "check.h"

__global__ void sum(int *out) { atomicAdd(out, threadIdx.x); }  // bad

int main() {
  int *out = fresh<int>(1);
  sum<<<1, 32>>>(out);
  return done(out);
}
