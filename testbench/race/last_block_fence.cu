// SPDX-License-Identifier: Apache-2.0
//
// The same with __threadfence(): all threads write, one counts behind a barrier.
// expect: clean
#include "race.h"

__global__ void total(int *part, unsigned *count, int *out) {
  __shared__ bool last;
  part[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (last) {
    int sum = 0;
    for (int i = 0; i < gridDim.x; i++) sum += part[i * blockDim.x + (threadIdx.x + 1) % blockDim.x];
    atomicAdd(out, sum);
  }
}

int main() {
  int *d = zeros(512);
  total<<<6, 64>>>(d, (unsigned *)(d + 400), d + 440);
  return done(d);
}
