// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 2, right: the threads that add lie together (t < d), so that whole warps have nothing to do.
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
  const int n = 4096;
  std::vector<float> ones(n, 1.0f);
  float *d = to_device(ones), *parts = zeros<float>(n / 256);
  sum<<<n / 256, 256>>>(d, parts);
  launched();
  same("parts", from_device(parts, n / 256), std::vector<float>(n / 256, 256.0f));
  CUDA_CHECK(cudaFree(d));
  CUDA_CHECK(cudaFree(parts));
  return finish("divergence");
}
