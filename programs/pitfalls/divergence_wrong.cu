// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 2, wrong: the lanes that add lie apart (t % (2 d) == 0), so that every warp works in every step.
#include "../wg_program.h"

__global__ void sum(const float *in, float *out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
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
