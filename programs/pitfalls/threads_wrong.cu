// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 5, wrong: threads as if they were made once and for ever. Each of 8192 threads sets up a table of its own, for one element.
#include "../wg_program.h"

__device__ void set_up(int *table) {
  unsigned v = 1;
#pragma unroll 1
  for (int k = 0; k < 32; k++) table[k] = (int)(v = v * 1664525u + 1013904223u);
}

__global__ void look_up(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, table[32];
  set_up(table);
  if (i < n) out[i] = table[in[i] & 31];
}

int main() {
  const int n = 8192;
  std::vector<int> in(n), want(n), table(32);
  unsigned v = 1;
  for (int &t : table) t = (int)(v = v * 1664525u + 1013904223u);
  Numbers r;
  for (int i = 0; i < n; i++) in[i] = r.between(0, 1000), want[i] = table[in[i] & 31];
  int *d = to_device(in), *out = zeros<int>(n);
  look_up<<<n / 64, 64>>>(d, out, n);
  launched();
  same("table", from_device(out, n), want);
  CUDA_CHECK(cudaFree(d));
  CUDA_CHECK(cudaFree(out));
  return finish("threads");
}
