// SPDX-License-Identifier: Apache-2.0
// The kernels of programs/convolve_1d/convolve_1d.cu, unchanged, each launched once (the program itself repeats them 20 times),
// and once more with blocks of 256 threads and 258 floats, the lecture's question 3; last, to compare with that, the
// same kernel with blocks of 128 threads and 130 floats.
#define main lecture_main
#include "programs/convolve_1d/convolve_1d.cu"
#undef main

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 128000;
  const int in_len = n + 2 + 2 * THREADS_PER_BLK;
  float *h = (float *)malloc(sizeof(float) * in_len), *in, *out;
  int bad = 0;
  for (int i = 0; i < in_len; i++) h[i] = sinf(0.001f * i);
  CUDA_CHECK(cudaMalloc(&in, sizeof(float) * in_len));
  CUDA_CHECK(cudaMalloc(&out, sizeof(float) * n));
  CUDA_CHECK(cudaMemcpy(in, h, sizeof(float) * in_len, cudaMemcpyHostToDevice));
  float *got = (float *)malloc(sizeof(float) * n);
  for (int which = 0; which < 4; which++) {
    CUDA_CHECK(cudaMemset(out, 0, sizeof(float) * n));
    if (which == 0) convolve_v2<<<(n + 127) / 128, 128>>>(n, in, out);
    if (which == 1) convolve_v1<<<(n + 255) / 256, 256, 258 * sizeof(float)>>>(n, in, out);  // as many bytes as question 3 says
    if (which == 2) convolve_v1<<<(n + 127) / 128, 128>>>(n, in, out);
    if (which == 3) convolve_v1<<<(n + 127) / 128, 128, 130 * sizeof(float)>>>(n, in, out);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(got, out, sizeof(float) * n, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) bad += got[i] != (h[i] + h[i + 1] + h[i + 2]) / 3.0f;
  }
  printf("%d of %d results differ\n", bad, 4 * n);
  free(h);
  free(got);
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  return bad != 0;
}
