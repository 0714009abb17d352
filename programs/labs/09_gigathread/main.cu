// SPDX-License-Identifier: Apache-2.0
//
// Lab 9: blocks of 64 threads of which some work longer than the others. usage: gigathread BLOCKS PERIOD LONG
// Blocks whose number is a multiple of PERIOD make LONG times as many steps; PERIOD 0: none does. Defaults: 16 4 16
#include "../../wg_program.h"

__global__ void work(unsigned *out, int period, int factor) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  int steps = 40 * (period > 0 && blockIdx.x % period == 0 ? factor : 1);
#pragma unroll 1
  for (int i = 0; i < steps; i++) x = x * 1664525u + 1013904223u;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main(int argc, char **argv) {
  const int blocks = arg_int(argc, argv, 1, "BLOCKS", 16, 1, 4096), period = arg_int(argc, argv, 2, "PERIOD", 4, 0, 4096),
            factor = arg_int(argc, argv, 3, "LONG", 16, 1, 1000), threads = 64;
  std::vector<unsigned> want(blocks * threads);
  for (int i = 0; i < blocks * threads; i++) {
    unsigned x = i;
    int steps = 40 * (period > 0 && i / threads % period == 0 ? factor : 1);
    for (int k = 0; k < steps; k++) x = x * 1664525u + 1013904223u;
    want[i] = x;
  }
  unsigned *out = zeros<unsigned>(want.size());
  work<<<blocks, threads>>>(out, period, factor);
  launched();
  same("work", from_device(out, want.size()), want);
  CUDA_CHECK(cudaFree(out));
  return finish("gigathread");
}
