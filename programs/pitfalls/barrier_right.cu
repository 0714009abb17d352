// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 1, right: the barrier within a block, the end of a kernel between blocks.
#include "../wg_program.h"

__global__ void sum(const float *in, float *out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

int main() {
  const int n = 2048;
  std::vector<float> ones(n, 1.0f);
  float *d = to_device(ones), *parts = zeros<float>(n / 256), *total = zeros<float>(1);
  sum<<<n / 256, 256>>>(d, parts);
  sum<<<1, n / 256>>>(parts, total);
  launched();
  printf("sum %g of %d\n", from_device(total, 1)[0], n);
  CUDA_CHECK(cudaFree(d));
  CUDA_CHECK(cudaFree(parts));
  CUDA_CHECK(cudaFree(total));
  return 0;
}
