// SPDX-License-Identifier: Apache-2.0
//
// The launch gives less dynamic shared memory than the kernel uses.
// expect: mem out-of-bounds-shared
#include "check.h"

__global__ void stage(int *y) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = threadIdx.x;  // bad
  __syncthreads();
  y[threadIdx.x] = tile[31 - threadIdx.x % 32];
}

int main() {
  int *y = zeros<int>(64);
  stage<<<1, 64, 63 * sizeof(int)>>>(y);
  return done(y);
}
