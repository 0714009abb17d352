// SPDX-License-Identifier: Apache-2.0
//
// A matrix of 11 x 5 in blocks of 4 x 3 threads, the guard removed.
// expect: mem out-of-bounds-tail|out-of-bounds
#include "check.h"

__global__ void matrixAdd(const float *a, const float *b, float *c, int nx) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int i = y * nx + x;
  float sum = a[i] + b[i];  // bad
  c[i] = sum;  // bad
}

int main() {
  float *a = zeros<float>(55), *b = zeros<float>(55), *c = zeros<float>(55);
  matrixAdd<<<dim3(3, 2), dim3(4, 3)>>>(a, b, c, 11);
  check(cudaFree(a));
  check(cudaFree(b));
  return done(c);
}
