// SPDX-License-Identifier: Apache-2.0
//
// A double in shared memory at a multiple of four.
// expect: mem misaligned
#include "check.h"

__global__ void half(double *y, int k) {
  __shared__ float tile[64];
  tile[threadIdx.x] = tile[threadIdx.x + 32] = 1.0f;
  __syncthreads();
  y[threadIdx.x] = *reinterpret_cast<double *>(tile + threadIdx.x + k);  // bad
}

int main() {
  double *y = zeros<double>(32);
  half<<<1, 32>>>(y, 1);
  return done(y);
}
