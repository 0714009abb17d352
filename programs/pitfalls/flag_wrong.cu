// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 1, wrong: block 1 waits for block 0. Where an SM holds one block and block 1 comes first, for ever.
#include "../wg_program.h"

__global__ void hand_over(volatile int *flag, volatile int *value) {
  if (blockIdx.x == 0) {
    *value = 42;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    value[1] = *value + 1;
  }
}

int main() {
  int *flag = zeros<int>(1), *value = zeros<int>(2);
  hand_over<<<2, 1>>>(flag, value);
  launched();
  printf("value %d of 43\n", from_device(value, 2)[1]);
  CUDA_CHECK(cudaFree(flag));
  CUDA_CHECK(cudaFree(value));
  return 0;
}
