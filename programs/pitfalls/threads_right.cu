// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 5, right: as many threads as the machine holds at a time; each sets up once and takes elements until none is left.
#include "../wg_program.h"

__device__ void set_up(int *table) {
  unsigned v = 1;
#pragma unroll 1
  for (int k = 0; k < 32; k++) table[k] = (int)(v = v * 1664525u + 1013904223u);
}

__global__ void look_up(const int *in, int *out, int n) {
  int table[32];
  set_up(table);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = table[in[i] & 31];
}

int main() {
  const int n = 8192;
  std::vector<int> in(n), want(n), table(32);
  unsigned v = 1;
  for (int &t : table) t = (int)(v = v * 1664525u + 1013904223u);
  Numbers r;
  for (int i = 0; i < n; i++) in[i] = r.between(0, 1000), want[i] = table[in[i] & 31];
  int *d = to_device(in), *out = zeros<int>(n);
  look_up<<<resident_blocks(look_up, 64), 64>>>(d, out, n);
  launched();
  same("table", from_device(out, n), want);
  CUDA_CHECK(cudaFree(d));
  CUDA_CHECK(cudaFree(out));
  return finish("threads");
}
