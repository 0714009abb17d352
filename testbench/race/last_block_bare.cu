// SPDX-License-Identifier: Apache-2.0
//
// The last block sums what all blocks wrote, without a fence before they count.
// expect: RAW grid
#include "race.h"

__global__ void total(int *part, unsigned *count, int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x;  // racy
    last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < gridDim.x; i++) sum += part[i];  // racy
    out[0] = sum;
  }
}

int main() {
  int *d = zeros(64);
  total<<<6, 32>>>(d, (unsigned *)(d + 32), d + 40);
  return done(d);
}
