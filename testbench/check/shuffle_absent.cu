// SPDX-License-Identifier: Apache-2.0
//
// Half of a warp shuffles, the mask names all.
// expect: sync mask-names-absent-lane
#include "check.h"

__global__ void half(int *y) {
  int v = y[threadIdx.x];
  if (threadIdx.x < 16) {
    v = __shfl_down_sync(0xffffffff, v, 1);  // bad
    y[threadIdx.x] = v;
  } else {
    y[threadIdx.x] = 2 * v;
  }
  y[threadIdx.x + 32] = v;
}

int main() {
  int *y = zeros<int>(64);
  half<<<1, 32>>>(y);
  return done(y);
}
