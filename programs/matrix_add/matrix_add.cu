// SPDX-License-Identifier: Apache-2.0
//
// The text's first example: C = A + B on an Nx x Ny matrix, blocks of (4,3) threads. Nx = 11 is no multiple of 4, so the
// number of blocks is rounded up and the kernel has a guard. A block is one warp with 12 threads.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CHECK(call)                                                            \
  do {                                                                              \
    cudaError_t e_ = (call);                                                        \
    if (e_ != cudaSuccess) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_));   \
      exit(1);                                                                      \
    }                                                                               \
  } while (0)

__global__ void matrixAdd(const float *A, const float *B, float *C, int Nx, int Ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < Nx && j < Ny) C[j * Nx + i] = A[j * Nx + i] + B[j * Nx + i];
}

int main(int argc, char **argv) {
  const int Nx = argc > 1 ? atoi(argv[1]) : 11;
  const int Ny = argc > 2 ? atoi(argv[2]) : 5;
  if (Nx < 1 || Ny < 1 || Nx > 4096 || Ny > 4096) {
    fprintf(stderr, "usage: matrix_add [Nx [Ny]]   (1 to 4096)\n");
    return 2;
  }
  const size_t n = (size_t)Nx * Ny, bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), c(n);
  for (size_t k = 0; k < n; k++) {
    a[k] = (float)k;
    b[k] = 0.5f * (float)k;
  }
  float *dA, *dB, *dC;
  CUDA_CHECK(cudaMalloc(&dA, bytes));
  CUDA_CHECK(cudaMalloc(&dB, bytes));
  CUDA_CHECK(cudaMalloc(&dC, bytes));
  CUDA_CHECK(cudaMemcpy(dA, a.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(dB, b.data(), bytes, cudaMemcpyHostToDevice));
  dim3 threadsPerBlock(4, 3, 1);
  dim3 numBlocks((Nx + 3) / 4, (Ny + 2) / 3, 1);  // rounded up
  matrixAdd<<<numBlocks, threadsPerBlock>>>(dA, dB, dC, Nx, Ny);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(c.data(), dC, bytes, cudaMemcpyDeviceToHost));
  size_t wrong = 0;
  for (size_t k = 0; k < n; k++) wrong += c[k] != a[k] + b[k];
  printf("matrixAdd %d x %d, %u x %u blocks of 4 x 3 threads: %zu wrong\n", Nx, Ny, numBlocks.x, numBlocks.y, wrong);
  CUDA_CHECK(cudaFree(dA));
  CUDA_CHECK(cudaFree(dB));
  CUDA_CHECK(cudaFree(dC));
  return wrong == 0 ? 0 : 1;
}
