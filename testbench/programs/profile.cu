// SPDX-License-Identifier: Apache-2.0
//
// wg_profile of each key named on the command line, before and after a launch: "key before after". No key: machine values.
#include <cuda_runtime.h>
#include <wg_profile.h>

#include <cstdio>

__global__ void work(float *x) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[63 - threadIdx.x] * 3.0f + 1.0f;
}

int main(int argc, char **argv) {
  double before[256];
  for (int i = 1; i < argc && i < 256; i++) before[i] = wg_profile(argv[i]);
  float *x;
  cudaMalloc(&x, 64 * sizeof *x);
  cudaMemset(x, 0, 64 * sizeof *x);
  work<<<1, 64>>>(x);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 1; i < argc && i < 256; i++) printf("%s %.0f %.0f\n", argv[i], before[i], wg_profile(argv[i]));
  printf("machine %g %g %g %g\n", wg_profile("fp32_flop_per_cycle"), wg_profile("dram_bytes_per_cycle"), wg_profile("clock_hz"),
         wg_profile("sms"));
  cudaFree(x);
  return 0;
}
