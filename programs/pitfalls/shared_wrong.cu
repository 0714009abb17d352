// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 6, wrong: a tile of 48 KB, because it may be. An SM then holds two blocks, four warps, and nobody hides their loads.
#include "../wg_program.h"

__global__ void chase(const int *next, int *out) {
  __shared__ volatile int at[12288];
  at[threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; k++) at[threadIdx.x] = next[at[threadIdx.x]];
  out[blockIdx.x * blockDim.x + threadIdx.x] = at[threadIdx.x];
}

int main() {
  const int n = 4096;
  std::vector<int> next(n), want(n);
  for (int i = 0; i < n; i++) next[i] = (i + 32) % n;
  for (int i = 0; i < n; i++) want[i] = (i + 4 * 32) % n;
  int *d = to_device(next), *out = zeros<int>(n);
  chase<<<n / 64, 64>>>(d, out);
  launched();
  same("chase", from_device(out, n), want);
  CUDA_CHECK(cudaFree(d));
  CUDA_CHECK(cudaFree(out));
  return finish("shared");
}
