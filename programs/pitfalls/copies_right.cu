// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 4, right: the data stay, and the steps are one kernel.
#include "../wg_program.h"

__global__ void all_steps(float *x, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  for (int s = 0; s < steps; s++) v = 0.5f * v + 1.0f;
  x[i] = v;
}

int main() {
  const int n = 8192, steps = 8;
  std::vector<float> x(n), want(n);
  for (int i = 0; i < n; i++) {
    x[i] = (float)i;
    want[i] = x[i];
    for (int s = 0; s < steps; s++) want[i] = 0.5f * want[i] + 1.0f;
  }
  float *d = zeros<float>(n);
  Watch watch;
  CUDA_CHECK(cudaMemcpy(d, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  all_steps<<<n / 256, 256>>>(d, steps);
  launched();
  CUDA_CHECK(cudaMemcpy(x.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost));
  printf("time_us %.1f\n", watch.us());
  same("steps", x, want);
  CUDA_CHECK(cudaFree(d));
  return finish("copies");
}
