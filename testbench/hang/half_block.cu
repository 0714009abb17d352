// SPDX-License-Identifier: Apache-2.0
//
// A block of 256 threads with a barrier: admitted by halves it never ends, and without a barrier it does.
// args: 1
// settings: unsafe=half-block
// say: no progress
// say: warp 0 at barrier 0 (pc @wait
// say: arrived 0xf of 0xff
// say: warps 4 to 7 are not admitted until one ends
// say: remedy: unsafe=half-block let half the warps in
#include "../check/check.h"

__global__ void stage(int *y, int barrier) {
  __shared__ int tile[256];
  tile[threadIdx.x] = threadIdx.x;
  if (barrier != 0) __syncthreads();  // wait
  y[threadIdx.x] = barrier != 0 ? tile[255 - threadIdx.x] : tile[threadIdx.x];
}

int main(int argc, char **argv) {
  int *y = zeros<int>(256);
  stage<<<1, 256>>>(y, argc > 1 ? atoi(argv[1]) : 0);
  return done(y);
}
