// SPDX-License-Identifier: Apache-2.0
//
// A reduction with its barrier inside the branch.
// expect: sync divergent-barrier
#include "check.h"

__global__ void reduce(const int *x, int *y) {
  __shared__ int s[128];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (threadIdx.x < d) {
      s[threadIdx.x] += s[threadIdx.x + d];
      __syncthreads();  // bad
    }
  }
  if (threadIdx.x == 0) *y = s[0];
}

int main() {
  int *x = zeros<int>(129);
  reduce<<<1, 128>>>(x, x + 128);
  return done(x);
}
