// SPDX-License-Identifier: Apache-2.0
//
// Stores two words apart.
// expect: advice uncoalesced
#include "check.h"

__global__ void even(int *y) { y[2 * threadIdx.x] = 1; }  // bad

int main() {
  int *y = zeros<int>(128);
  even<<<1, 64>>>(y);
  return done(y);
}
