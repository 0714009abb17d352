// SPDX-License-Identifier: Apache-2.0
//
// The mask is taken from a ballot in front of the branch.
// expect: clean
#include "check.h"

__global__ void some(int *y) {
  int v = y[threadIdx.x];
  unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < 20);
  if (threadIdx.x < 20) v = __any_sync(mask, v == 0);
  y[threadIdx.x] = v;
}

int main() {
  int *y = zeros<int>(32);
  some<<<1, 32>>>(y);
  return done(y);
}
