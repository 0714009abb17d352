// SPDX-License-Identifier: Apache-2.0
//
// Consumers of a warp wait for a producer of the same warp: under the SIMT stack it never comes.
// modes: stack
// say: spins for ever @spin
// say: on shared memory 0x0
// say: lanes 0xfffffffe spin at pc @spin
// say: lanes 0x1 wait at pc @wait
// say: last written by block (0,0,0) warp 0 lane 0 at flag_warp.cu:@first
// say: which waits for lanes of its warp
// say: remedy: the SIMT stack runs one side
#include "../check/check.h"

__global__ void pair(int *y) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;  // first
  __syncthreads();
  if (threadIdx.x == 0) {
    flag = 1;  // wait
  } else {
    while (flag == 0) {}  // spin
  }
  y[threadIdx.x] = 1;
}

int main() {
  int *y = zeros<int>(32);
  pair<<<1, 32>>>(y);
  return done(y);
}
