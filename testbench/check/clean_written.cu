// SPDX-License-Identifier: Apache-2.0
//
// Fresh memory that a kernel writes before another one reads it.
// expect: clean
#include "check.h"

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }
__global__ void add(int *x) { x[threadIdx.x] += 1; }

int main() {
  int *x = fresh<int>(64), *y = fresh<int>(64);
  fill<<<1, 64>>>(x);
  check(cudaMemcpy(y, x, 64 * sizeof(int), cudaMemcpyDeviceToDevice));
  add<<<1, 64>>>(y);
  check(cudaFree(y));
  return done(x);
}
