// SPDX-License-Identifier: Apache-2.0
//
// Hardware warp slots, as the last part of dispatch.cu, with grids that one SM holds.
//   warpid,launch,block,warp,warpid,smid
#include <cstdio>

typedef unsigned int u32;

__global__ void slots(u32 *out, long long cycles) {
  if (threadIdx.x % 32 == 0) {
    u32 w, sm, *o = out + (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 2;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(w));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    o[0] = w;
    o[1] = sm;
  }
  long long t = clock64();
  while (clock64() - t < cycles) { }
}

int main() {
  u32 *out, h[64];
  if (cudaMalloc(&out, sizeof h) != cudaSuccess) return 1;
  const int shapes[][2] = {{1, 1024}, {4, 96}, {3, 160}};
  for (auto &s : shapes) {
    int per = s[1] / 32;
    slots<<<s[0], s[1]>>>(out, 6000);
    if (cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    for (int i = 0; i < s[0] * per; i++) printf("warpid,%dx%d,%d,%d,%u,%u\n", s[0], s[1], i / per, i % per, h[2 * i], h[2 * i + 1]);
  }
  return cudaFree(out) != cudaSuccess;
}
