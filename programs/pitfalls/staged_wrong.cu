// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 3, wrong: shared memory for its own sake. Every word is staged, waited for and read once: nothing is reused.
#include "../wg_program.h"

__global__ void twice(const float *in, float *out) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = 2.0f * tile[threadIdx.x];
}

int main() {
  const int n = 32768;
  std::vector<float> in(n), want(n);
  for (int i = 0; i < n; i++) in[i] = (float)i, want[i] = 2.0f * in[i];
  float *d = to_device(in), *out = zeros<float>(n);
  twice<<<n / 128, 128>>>(d, out);
  launched();
  same("twice", from_device(out, n), want);
  CUDA_CHECK(cudaFree(d));
  CUDA_CHECK(cudaFree(out));
  return finish("staged");
}
