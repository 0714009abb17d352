// SPDX-License-Identifier: Apache-2.0
// Three devices one after the other in one process: cudaDeviceReset takes the old one away.
#include <cstdio>

__global__ void add(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(p + i, i);
}

int main() {
  enum { kN = 512 };
  for (int k = 0; k < 3; k++) {
    int *d, h[kN], bad = 0;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    add<<<4, 128>>>(d, kN);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < kN; i++) bad += h[i] != i;
    printf("device %d: %d bad\n", k, bad);
    if (bad != 0) return 1;
    cudaFree(d);
    cudaDeviceReset();
  }
}
