// SPDX-License-Identifier: Apache-2.0
//
// c = a + b: no reuse, so memory alone decides. usage: vector_add [n], default 4096
#include "../wg_program.h"

__global__ void vectorAdd(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
  const int n = arg_int(argc, argv, 1, "n", 4096, 1, 1 << 22), threads = 128;
  std::vector<float> a(n), b(n), want(n);
  Numbers r;
  for (int i = 0; i < n; i++) {
    a[i] = r.between(-1000, 1000) * 0.125f;
    b[i] = r.between(-1000, 1000) * 0.25f;
    want[i] = a[i] + b[i];
  }
  float *dA = to_device(a), *dB = to_device(b), *dC = zeros<float>(n);
  vectorAdd<<<(n + threads - 1) / threads, threads>>>(dA, dB, dC, n);
  launched();
  same("vectorAdd", from_device(dC, n), want);
  heading("c = a + b");
  claim("loads (lanes)", wg_profile("load_lanes"), "2 n", 2.0 * n);
  claim("stores (lanes)", wg_profile("store_lanes"), "n", n);
  claim("arithmetic intensity, FLOP/byte", n / (4.0 * (wg_profile("load_lanes") + wg_profile("store_lanes"))), "1/12", 1.0 / 12);
  // an array begins on a sector; its last one may be used in part
  claim("sectors of loads", wg_profile("load_sectors"), "2 ceil(4 n / 32)", 2.0 * ((n + 7) / 8));
  claim("bytes read from DRAM", wg_profile("dram_read_bytes"), "2 x 4 n, code < 2 KB", 2.0 * 32.0 * ((n + 7) / 8), 2048.0 / (8.0 * n));
  double bw = wg_profile("dram_bytes_per_cycle"), peak = wg_profile("fp32_flop_per_cycle"), cycles = wg_profile("cycles");
  printf("  roof at AI 1/12: %s of %s FLOP/cycle, reached %s\n", show(fmin(peak, bw / 12)), show(peak / 2), show(n / cycles));
  CUDA_CHECK(cudaFree(dA));
  CUDA_CHECK(cudaFree(dB));
  CUDA_CHECK(cudaFree(dC));
  return finish("vector_add");
}
