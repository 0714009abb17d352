// SPDX-License-Identifier: Apache-2.0
//
// A thread's own array, filled before it is read; a tile with padding.
// expect: clean
#include "check.h"

__global__ void own(int *y, int k) {
  __shared__ int tile[32][33];
  int a[8];
  for (int i = 0; i < 8; i++) a[(i + k) % 8] = i;
  for (int i = 0; i < 32; i++) tile[i][threadIdx.x] = a[(i + threadIdx.x) % 8];
  __syncthreads();
  int s = 0;
  for (int i = 0; i < 32; i++) s += tile[threadIdx.x][i];
  y[threadIdx.x] = s;
}

int main() {
  int *y = zeros<int>(32);
  own<<<1, 32>>>(y, 3);
  return done(y);
}
