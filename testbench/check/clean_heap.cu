// SPDX-License-Identifier: Apache-2.0
//
// Memory of device malloc, freed by the thread that asked for it.
// expect: clean
#include "check.h"

__global__ void own(int *y) {
  int *p = static_cast<int *>(malloc(4 * sizeof(int)));
  if (p == nullptr) return;
  for (int i = 0; i < 4; i++) p[i] = i;
  y[threadIdx.x] = p[threadIdx.x % 4];
  free(p);
}

int main() {
  int *y = zeros<int>(32);
  own<<<1, 32>>>(y);
  return done(y);
}
