// SPDX-License-Identifier: Apache-2.0
//
// A loop whose number of rounds is each warp's own: who has left it meets the others at the next barrier.
// expect: sync barriers-apart
#include "check.h"

__global__ void rounds(int *y) {
  __shared__ int sum[128];
  sum[threadIdx.x] = 0;
  for (unsigned i = threadIdx.x / 32; i < 6; i += 4) {
    __syncthreads();  // bad
    sum[(threadIdx.x + 1) % 128] += y[i];
  }
  __syncthreads();  // bad?
  y[threadIdx.x] = sum[threadIdx.x];
  __syncthreads();  // bad?
}

int main() {
  int *y = zeros<int>(128);
  rounds<<<1, 128>>>(y);
  return done(y);
}
