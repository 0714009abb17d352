// SPDX-License-Identifier: Apache-2.0
//
// The same in shared memory, which works in order: a volatile flag in a loop that only waits.
// expect: clean
#include "race.h"

__global__ void message(int *out) {
  __shared__ volatile int flag;
  __shared__ int data;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = 42;
    __threadfence_block();
    flag = 1;
  } else if (threadIdx.x == 32) {
    while (flag == 0) {
    }
    out[0] = data;
  }
}

int main() {
  int *d = zeros(1);
  message<<<1, 64>>>(d);
  return done(d);
}
