// SPDX-License-Identifier: Apache-2.0
// Assertions that do not hold, in two lanes of block 1. argv[1] = 1: what heap and FIFO do on wrong calls of free.
#include <cassert>
#include <cstdio>
#include <cstdlib>

__global__ void check(const int *p, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t == 5) printf("thread %d is still well\n", t);
  assert(p[t] < n && "too large");
}

__global__ void twice(int how) {
  char *p = (char *)malloc(100);
  if (how == 1) free(p);
  free(how == 2 ? p + 16 : how == 3 ? (char *)&how : p);
}

int main(int argc, char **argv) {
  int how = argc > 1 ? atoi(argv[1]) : 0, h[8] = {0, 1, 2, 3, 9, 4, 9, 1}, *p;
  cudaMalloc(&p, sizeof h);
  cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
  if (how == 0) check<<<2, 4>>>(p, 5);
  else twice<<<1, 1>>>(how);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%d %s\n", (int)e, cudaGetErrorName(e));
  return 0;
}
