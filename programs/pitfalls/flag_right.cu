// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 1, right: what waits for another block is a kernel of its own.
#include "../wg_program.h"

__global__ void produce(int *value) { *value = 42; }
__global__ void consume(int *value) { value[1] = *value + 1; }

int main() {
  int *value = zeros<int>(2);
  produce<<<1, 1>>>(value);
  consume<<<1, 1>>>(value);
  launched();
  printf("value %d of 43\n", from_device(value, 2)[1]);
  CUDA_CHECK(cudaFree(value));
  return 0;
}
