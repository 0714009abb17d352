// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 4, wrong: every step is a launch, and its data go to the host and back.
#include "../wg_program.h"

__global__ void step(float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = 0.5f * x[i] + 1.0f;
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
  for (int s = 0; s < steps; s++) {
    CUDA_CHECK(cudaMemcpy(d, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    step<<<n / 256, 256>>>(d);
    launched();
    CUDA_CHECK(cudaMemcpy(x.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost));
  }
  printf("time_us %.1f\n", watch.us());
  same("steps", x, want);
  CUDA_CHECK(cudaFree(d));
  return finish("copies");
}
