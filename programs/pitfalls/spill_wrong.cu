// SPDX-License-Identifier: Apache-2.0
//
// Pitfall 6, wrong: 320 sums a thread. They do not fit into its 255 registers and live in local memory.
#include "../wg_program.h"

const int kSums = 320, kAtATime = 320;

__global__ void sums(const unsigned *in, unsigned *out, unsigned turns) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, x = 0;
#pragma unroll 1
  for (int from = 0; from < kSums; from += kAtATime) {
    unsigned s[kAtATime];
#pragma unroll
    for (int i = 0; i < kAtATime; i++) s[i] = in[t + from + i];
#pragma unroll 1
    for (unsigned k = 0; k < turns; k++) {
#pragma unroll
      for (int i = 0; i < kAtATime; i++) s[i] = s[i] * 3u + k;
    }
#pragma unroll
    for (int i = 0; i < kAtATime; i++) x ^= s[i];
  }
  out[t] = x;
}

int main() {
  const int n = 64;
  const unsigned turns = 8;
  std::vector<unsigned> in(n + kSums), want(n);
  Numbers r;
  for (unsigned &v : in) v = r.next();
  for (int t = 0; t < n; t++) {
    for (int i = 0; i < kSums; i++) {
      unsigned s = in[t + i];
      for (unsigned k = 0; k < turns; k++) s = s * 3u + k;
      want[t] ^= s;
    }
  }
  unsigned *d = to_device(in), *out = zeros<unsigned>(n);
  sums<<<1, n>>>(d, out, turns);
  launched();
  same("sums", from_device(out, n), want);
  CUDA_CHECK(cudaFree(d));
  CUDA_CHECK(cudaFree(out));
  return finish("spill");
}
