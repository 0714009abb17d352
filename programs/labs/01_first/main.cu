// SPDX-License-Identifier: Apache-2.0
//
// Lab 1: calls the kernel saxpy with blocks of 64 threads and looks at the result. usage: first [n] [beyond]
// n: elements, default 200. beyond: elements behind the n-th that must stay as they are, default 0.
#include "../lab_program.h"

LAB_KERNEL(__global__ void saxpy(int n, float a, const float *x, float *y))

int main(int argc, char **argv) {
  const int n = arg_int(argc, argv, 1, "n", 200, 1, 1 << 20), more = arg_int(argc, argv, 2, "beyond", 0, 0, 1 << 20);
  const int threads = 64, blocks = (n + threads - 1) / threads;
  const float a = 2.5f;
  std::vector<float> x(n + more), y(n + more), want;
  Numbers r(lab_seed());
  for (int i = 0; i < n + more; i++) {
    x[i] = r.between(1, 1000) * 0.5f;
    y[i] = r.between(-1000, 1000) * 0.25f;
  }
  want = y;
  for (int i = 0; i < n; i++) want[i] = a * x[i] + y[i];  // exact: few bits
  float *dX = to_device(x), *dY = to_device(y);
  saxpy<<<blocks, threads>>>(n, a, dX, dY);
  launched();
  std::vector<float> have = from_device(dY, n + more);
  printf("saxpy: n = %d, %d blocks of %d threads\n", n, blocks, threads);
  verdict("elements", differing(have, want, 0, n).empty(), differing(have, want, 0, n));
  if (more > 0) verdict("beyond", differing(have, want, n, n + more).empty(), differing(have, want, n, n + more));
  CUDA_CHECK(cudaFree(dX));
  CUDA_CHECK(cudaFree(dY));
  return finish("first");
}
