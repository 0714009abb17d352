// SPDX-License-Identifier: Apache-2.0
// The lecture's figure 2, `if (x > 0) { x = 2*x; } else { x = exp(x,5); }`, as a branch and as two guarded assignments.
// exp(x,5) is no function of CUDA: powf(x, 5) and expf(x * 5) are the two that it can mean. Signs alternate from lane
// to lane.
#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void branch(const float *in, float *out) {
  float x = in[threadIdx.x];
  if (x > 0) {
    x = 2 * x;
  } else {
    x = powf(x, 5) + expf(x * 5);
  }
  out[threadIdx.x] = x;
}

__global__ void select(const float *in, float *out) {
  float x = in[threadIdx.x], a = 2 * x, b = powf(x, 5) + expf(x * 5);
  out[threadIdx.x] = x > 0 ? a : b;
}

int main() {
  enum { kN = 64 };
  float h[kN], got[2][kN], *in, *out;
  int wrong = 0;
  for (int i = 0; i < kN; i++) h[i] = (float)(i % 2 == 0 ? i + 1 : -i) / 8;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  for (int k = 0; k < 2; k++) {
    if (k == 0)
      branch<<<1, kN>>>(in, out);
    else
      select<<<1, kN>>>(in, out);
    cudaMemcpy(got[k], out, sizeof h, cudaMemcpyDeviceToHost);
  }
  for (int i = 0; i < kN; i++) {
    double x = h[i], want = x > 0 ? 2 * x : pow(x, 5) + exp(x * 5);
    if (fabs(got[0][i] - want) > 1e-6 * fabs(want) || got[0][i] != got[1][i]) wrong++;
  }
  printf("%d of %d wrong, %.6f\n", wrong, (int)kN, got[0][1]);
  cudaFree(in);
  cudaFree(out);
  return wrong != 0;
}
