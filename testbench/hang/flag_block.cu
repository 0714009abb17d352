// SPDX-License-Identifier: Apache-2.0
//
// Block 0 waits for a flag of the last block, which finds no place while the others wait too.
// settings: sms=1 blocks_per_sm=2
// say: spins for ever @spin
// say: on address 0x
// say: blocks that have not begun: 2
// say: which holds 0
// say: last writer: no atomic and no store of single lanes of this launch has written it
// say: remedy: what the loop waits for must be done by a thread that runs
#include "../check/check.h"

__global__ void last(volatile int *flag, int *y) {
  if (blockIdx.x == gridDim.x - 1) *flag = 1;
  while (*flag == 0) {}  // spin
  y[blockIdx.x] = 1;
}

int main() {
  int *y = zeros<int>(8);
  last<<<4, 1>>>(y + 4, y);
  return done(y);
}
