// SPDX-License-Identifier: Apache-2.0
//
// Lanes return, the others shuffle with the full mask.
// expect: clean
#include "check.h"

__global__ void sum(const int *x, int *y, int n) {
  if (threadIdx.x >= n) return;
  int v = x[threadIdx.x];
  v += __shfl_xor_sync(0xffffffff, v, 1);
  y[threadIdx.x] = v;
}

int main() {
  int *x = zeros<int>(32), *y = zeros<int>(32);
  sum<<<1, 32>>>(x, y, 20);
  check(cudaFree(y));
  return done(x);
}
