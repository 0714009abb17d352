// SPDX-License-Identifier: Apache-2.0
//
// One version of the lecture's convolution on data that no cache has seen, for counters that must not depend on earlier
// launches. A first launch of one block, on buffers of its own, brings the code into the L2, so that the second launch
// reads data only from DRAM. Arguments: version (1 or 2), number of outputs.
#define main lecture_main
#include "programs/convolve_1d/convolve_1d.cu"
#undef main

static void launch(int version, int n) {
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
}

int main(int argc, char **argv) {
  const int version = argc > 1 ? atoi(argv[1]) : 1;
  launch(version, THREADS_PER_BLK);
  launch(version, argc > 2 ? atoi(argv[2]) : 4096);
  return 0;
}
