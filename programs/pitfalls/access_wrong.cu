// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 3, wrong: a thread a row of a row-major matrix: the lanes of a warp read words that lie W apart, 32 lines for 128 bytes.
#include "../wg_program.h"

const int W = 64, H = 1024; // columns, rows

__global__ void row_sums(const float *in, float *out) {
  int row = blockIdx.x * 32 + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < W; k++) sum += in[row * W + k];
  out[row] = sum;
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
