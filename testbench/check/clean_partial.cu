// SPDX-License-Identifier: Apache-2.0
//
// A last warp of 12 threads votes and shuffles with the full mask, from a lane that is there.
// expect: clean
#include "check.h"

__global__ void count(int *y) {
  int v = __popc(__ballot_sync(0xffffffff, threadIdx.x % 2 == 0));
  v = __shfl_sync(0xffffffff, v, 0);
  if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v;
}

int main() {
  int *y = zeros<int>(2);
  count<<<1, 44>>>(y);
  return done(y);
}
