// SPDX-License-Identifier: Apache-2.0
//
// Barriers in both arms of a branch that whole blocks take, and named barriers that groups of warps meet at from different places.
// expect: clean
#include "check.h"

__global__ void places(int *y) {
  __shared__ int tile[128];
  tile[threadIdx.x] = threadIdx.x;
  if (blockIdx.x == 0) {
    __syncthreads();
    y[threadIdx.x] = tile[127 - threadIdx.x];
  } else {
    __syncthreads();
    y[threadIdx.x + 128] = -tile[127 - threadIdx.x];
  }
  for (unsigned i = 0; i < 2 + blockIdx.x; i++) __syncthreads();
  if (threadIdx.x < 64) {
    tile[threadIdx.x] = 1;
    asm volatile("bar.sync 1;" ::: "memory");
    asm volatile("bar.arrive 2, 128;" ::: "memory");
  } else {
    asm volatile("bar.sync 1;" ::: "memory");
    y[threadIdx.x + 256 + blockIdx.x * 64] = tile[threadIdx.x - 64];
    asm volatile("bar.sync 2, 128;" ::: "memory");
  }
  __syncthreads();
}

int main() {
  int *y = zeros<int>(512);
  places<<<2, 128>>>(y);
  return done(y);
}
