// SPDX-License-Identifier: Apache-2.0
//
// Blocks read what their neighbours write in the same launch.
// expect: RAW|WAR grid
#include "race.h"

__global__ void shift(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = a[(i + 32) % 128];  // racy
  __syncthreads();
  a[i] = v + 1;  // racy
}

int main() {
  int *d = zeros(128);
  shift<<<4, 32>>>(d);
  return done(d);
}
