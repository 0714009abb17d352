// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 5, right: lanes of a warp hand over by a warp-level call; nobody spins.
#include "../wg_program.h"

__global__ void hand_over(volatile int *box) {
  int mine = threadIdx.x == 1 ? 42 : 0;
  int got = __shfl_sync(0xffffffffu, mine, 1);
  if (threadIdx.x == 0) box[2] = got + 1;
}

int main() {
  int *d = zeros<int>(3);
  hand_over<<<1, 32>>>(d);
  launched();
  printf("value %d of 43\n", from_device(d, 3)[2]);
  CUDA_CHECK(cudaFree(d));
  return 0;
}
