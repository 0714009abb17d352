// SPDX-License-Identifier: Apache-2.0
//
// One launch of one version of the lecture's convolution on a cold device, for counters that must not depend on what an
// earlier launch left in the L2. Arguments: version (1 or 2), number of outputs.
#define main lecture_main
#include "programs/convolve_1d/convolve_1d.cu"
#undef main

int main(int argc, char **argv) {
  const int version = argc > 1 ? atoi(argv[1]) : 1;
  const int n = argc > 2 ? atoi(argv[2]) : 4096;
  const int in_len = n + 2 + 2 * THREADS_PER_BLK;
  float *in = (float *)malloc(sizeof(float) * in_len);
  for (int i = 0; i < in_len; i++) in[i] = 0.25f * i;
  float *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, sizeof(float) * in_len));
  CUDA_CHECK(cudaMalloc(&d_out, sizeof(float) * n));
  CUDA_CHECK(cudaMemcpy(d_in, in, sizeof(float) * in_len, cudaMemcpyHostToDevice));
  const dim3 grid((n + THREADS_PER_BLK - 1) / THREADS_PER_BLK), block(THREADS_PER_BLK);
  if (version == 1) {
    convolve_v1<<<grid, block>>>(n, d_in, d_out);
  } else {
    convolve_v2<<<grid, block>>>(n, d_in, d_out);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  free(in);
  return 0;
}
