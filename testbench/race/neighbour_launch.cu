// SPDX-License-Identifier: Apache-2.0
//
// The same from one array into another, in two launches.
// expect: clean
#include "race.h"

__global__ void shift(const int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[(i + 32) % 128] + 1;
}

int main() {
  int *d = zeros(256);
  shift<<<4, 32>>>(d, d + 128);
  shift<<<4, 32>>>(d + 128, d);
  return done(d);
}
