// SPDX-License-Identifier: Apache-2.0
//
// Eight warps with the same work: in which order do they end, and how far apart? Prints "order 01234567 spread N", N
// in cycles.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

__global__ void work(unsigned *end, unsigned *sum) {
  unsigned x = threadIdx.x, now;
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < 40; i++) {
    asm volatile("mad.lo.u32 %0, %0, 3, 1;\n\tmad.lo.u32 %0, %0, 5, 1;" : "+r"(x));
  }
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
  sum[threadIdx.x] = x;
  if (threadIdx.x % 32 == 0) end[threadIdx.x / 32] = now;
}

int main() {
  unsigned *d, end[8];
  int order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  if (cudaMalloc(&d, (8 + 256) * sizeof *d) != cudaSuccess) return 1;
  work<<<1, 256>>>(d, d + 8);
  if (cudaMemcpy(end, d, sizeof end, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  cudaFree(d);
  std::sort(order, order + 8, [&](int a, int b) { return end[a] < end[b]; });
  printf("order ");
  for (int w : order) printf("%d", w);
  printf(" spread %u\n", end[order[7]] - end[order[0]]);
  return 0;
}
