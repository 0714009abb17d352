// SPDX-License-Identifier: Apache-2.0
//
// An atomic behind the last bin.
// expect: mem out-of-bounds-tail
#include "check.h"

__global__ void count(int *bin) { atomicAdd(&bin[threadIdx.x % 11], 1); }  // bad

int main() {
  int *bin = zeros<int>(10);
  count<<<1, 32>>>(bin);
  return done(bin);
}
