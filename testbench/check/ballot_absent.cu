// SPDX-License-Identifier: Apache-2.0
//
// A ballot inside a branch, with the mask of the whole warp.
// expect: sync mask-names-absent-lane
#include "check.h"

__global__ void ballot(int *y) {
  int v = y[threadIdx.x];
  if (threadIdx.x >= 8) {
    v = __ballot_sync(0xffffffff, v == 0);  // bad
    y[threadIdx.x] = v;
  } else {
    y[threadIdx.x] = 3 * v;
  }
  y[threadIdx.x + 32] = v;
}

int main() {
  int *y = zeros<int>(64);
  ballot<<<1, 32>>>(y);
  return done(y);
}
