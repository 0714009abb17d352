// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 5, wrong: threads as an operating system runs them. Thread 0 waits for thread 1 of its warp, which shares its program counter.
#include "../wg_program.h"

__global__ void hand_over(volatile int *box) {
  if (threadIdx.x == 0) {
    while (box[0] == 0) {
    }
  }
  if (threadIdx.x == 1) {
    box[1] = 42;
    box[0] = 1;
  }
  if (threadIdx.x == 0) box[2] = box[1] + 1;
}

int main() {
  int *d = zeros<int>(3);
  hand_over<<<1, 32>>>(d);
  launched();
  printf("value %d of 43\n", from_device(d, 3)[2]);
  CUDA_CHECK(cudaFree(d));
  return 0;
}
