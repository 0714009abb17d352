// SPDX-License-Identifier: Apache-2.0
// Two blocks that depend on each other, as the text warns: block 1 spins until block 0 has set a flag. Argument `barrier N`: N
// blocks meet at a grid barrier of their own making, without a promise that all are resident.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

__device__ volatile int flag;
__device__ int arrived;

__global__ void cross_block(int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[0] = 1;
    __threadfence();
    flag = 1;
  } else {
    while (flag == 0) {
    }
    out[1] = 2;
  }
}

// Every block adds one and waits for all others: works as long as the SMs hold the whole grid.
__global__ void grid_barrier(int *out) {
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1);
    while (*(volatile int *)&arrived < (int)gridDim.x) {
    }
    out[blockIdx.x] = *(volatile int *)&arrived;
  }
}

int main(int argc, char **argv) {
  bool barrier = argc > 2 && strcmp(argv[1], "barrier") == 0;
  int n = barrier ? atoi(argv[2]) : 2, *out, host[1024] = {0}, bad = 0;
  if (n < 1 || n > 1024) return 2;
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(out, 0, n * sizeof(int));
  if (barrier) grid_barrier<<<n, 128>>>(out);
  else cross_block<<<2, 32>>>(out);
  cudaError_t e = cudaDeviceSynchronize();
  if (e != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(e));
    return 1;
  }
  cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) bad += host[i] != (barrier ? n : i + 1);
  cudaFree(out);
  printf("%d of %d blocks are wrong\n", bad, n);
  return bad != 0;
}
