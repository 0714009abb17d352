// SPDX-License-Identifier: Apache-2.0
//
// The text's table: if (threadIdx.x < 16) { A1(); A2(); } else { B1(); B2(); }. Each step reads the clock and is one
// instruction, so the clocks say in which order the steps issued. Prints e.g. "A1 B1 A2 B2".
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

__global__ void steps(unsigned *when) {
  unsigned a1, a2, b1, b2;
  if (threadIdx.x < 16) {
    asm volatile("mov.u32 %0, %%clock;\n\tmov.u32 %1, %%clock;" : "=r"(a1), "=r"(a2)::"memory");
    if (threadIdx.x == 0) {
      when[0] = a1;
      when[1] = a2;
    }
  } else {
    asm volatile("mov.u32 %0, %%clock;\n\tmov.u32 %1, %%clock;" : "=r"(b1), "=r"(b2)::"memory");
    if (threadIdx.x == 16) {
      when[2] = b1;
      when[3] = b2;
    }
  }
}

int main() {
  static const char *const kName[4] = {"A1", "A2", "B1", "B2"};
  unsigned *d, when[4];
  cudaMalloc(&d, sizeof when);
  steps<<<1, 32>>>(d);
  if (cudaMemcpy(when, d, sizeof when, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  cudaFree(d);
  int order[4] = {0, 1, 2, 3};
  std::sort(order, order + 4, [&](int x, int y) { return when[x] < when[y]; });
  printf("%s %s %s %s\n", kName[order[0]], kName[order[1]], kName[order[2]], kName[order[3]]);
  return 0;
}
