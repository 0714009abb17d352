// SPDX-License-Identifier: Apache-2.0
// Blocks that stay until the last one is placed. Arguments: blocks, threads, bytes of shared memory.
#include <cstdlib>

__global__ void hold(int *p, int turns) {
  int x = threadIdx.x;
  for (int i = 0; i < turns; i++) x = x * 3 + i;
  p[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int *p;
  cudaMalloc(&p, 1 << 20);
  hold<<<atoi(argv[1]), atoi(argv[2]), atoi(argv[3])>>>(p, 400);
  return cudaDeviceSynchronize() != cudaSuccess;
}
