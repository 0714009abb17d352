// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 3, right: the tile is loaded side by side, and a word of padding spreads its columns over the banks.
#include "../wg_program.h"

const int W = 64, H = 1024; // columns, rows

__global__ void row_sums(const float *in, float *out) {
  __shared__ float tile[32][33];
  int t = threadIdx.x, base = blockIdx.x * 32;
  float sum = 0.0f;
  for (int at = 0; at < W; at += 32) {
    for (int r = 0; r < 32; r++) tile[r][t] = in[(base + r) * W + at + t];
    __syncthreads();
    for (int k = 0; k < 32; k++) sum += tile[t][k];
    __syncthreads();
  }
  out[base + t] = sum;
}

int main() {
  std::vector<float> in(W * H), want(H);
  Numbers r;
  for (float &x : in) x = (float)r.between(0, 9);
  for (int i = 0; i < W * H; i++) want[i / W] += in[i];
  float *d = to_device(in), *out = zeros<float>(H);
  row_sums<<<H / 32, 32>>>(d, out);
  launched();
  same("row sums", from_device(out, H), want);
  CUDA_CHECK(cudaFree(d));
  CUDA_CHECK(cudaFree(out));
  return finish("row sums");
}
