// SPDX-License-Identifier: Apache-2.0
// More stores than an SM has request credits, behind an L2 that cannot keep up.
#include <cstdio>

enum { kBlocks = 6, kThreads = 256, kEach = 16, kN = kBlocks * kThreads * kEach };

__global__ void fill(int *p) {
  int first = blockIdx.x * kThreads * kEach + threadIdx.x;
  for (int i = 0; i < kEach; i++) p[first + i * kThreads] = first + i;
}

int main() {
  static int h[kN];
  int *d, bad = 0;
  cudaMalloc(&d, sizeof h);
  fill<<<kBlocks, kThreads>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kN; i++) {
    int block = i / (kThreads * kEach), step = i / kThreads % kEach;
    bad += h[i] != block * kThreads * kEach + i % kThreads + step;
  }
  cudaFree(d);
  printf("%d bad\n", bad);
  return bad != 0;
}
