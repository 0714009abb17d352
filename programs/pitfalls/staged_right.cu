// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 3, right: what is read once goes straight to a register.
#include "../wg_program.h"

__global__ void twice(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2.0f * in[i];
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
