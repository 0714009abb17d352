// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 1, wrong: __syncthreads() taken for a barrier of the whole grid (the text's reduce_2). A[i + d] may be another block's.
#include "../wg_program.h"

__global__ void sum(float *A, int length) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  for (int d = 1; d < length; d <<= 1) {
    if (i < length && i % (d << 1) == 0) A[i] += A[i + d];
    __syncthreads();
  }
}

int main() {
  const int n = 2048;
  std::vector<float> ones(n, 1.0f);
  float *d = to_device(ones);
  sum<<<n / 256, 256>>>(d, n);
  launched();
  printf("sum %g of %d\n", from_device(d, 1)[0], n);
  CUDA_CHECK(cudaFree(d));
  return 0;
}
