// SPDX-License-Identifier: Apache-2.0
//
// Small blocks on the sub-cores: for 1 to 8 warps a block, about 96 warps of the same work (a chain of additions and
// multiplications). Prints
//   ladder,warps a block,blocks,most warps found at once on each of four sub-cores,cycles from the first to the last warp
#include <cstdio>
#include <cstdlib>

typedef unsigned int u32;
typedef unsigned long long u64;

#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
    printf("ERROR %s line %d\n", cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)

struct Seen {
  u32 now[4], most[4];
  u64 first, last; // clock
};

__global__ void rung(Seen *seen, float *out, float a, float b, int n) {
  u32 slot = 0;
  u64 t = clock64();
  if (threadIdx.x % 32 == 0) {
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
    atomicMin(&seen->first, t);
    atomicMax(&seen->most[slot % 4], atomicAdd(&seen->now[slot % 4], 1) + 1);
  }
  float x = (float)threadIdx.x;
  for (int k = 0; k < n; k++) x = x * a + b;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
  if (threadIdx.x % 32 == 0) {
    atomicSub(&seen->now[slot % 4], 1);
    atomicMax(&seen->last, (u64)clock64());
  }
}

int main() {
  const int kWarps = 96, kWork = 1200;
  Seen *seen;
  float *out;
  CK(cudaMalloc(&seen, sizeof *seen));
  CK(cudaMalloc(&out, (kWarps + 8) * 32 * sizeof *out));
  for (int w = 1; w <= 8; w++) {
    Seen h = {};
    h.first = ~0ull;
    int blocks = (kWarps + w - 1) / w;
    CK(cudaMemcpy(seen, &h, sizeof h, cudaMemcpyHostToDevice));
    rung<<<blocks, 32 * w>>>(seen, out, 1.0000001f, 0.5f, kWork);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&h, seen, sizeof h, cudaMemcpyDeviceToHost));
    printf("ladder,%d,%d,%u,%u,%u,%u,%llu\n", w, blocks, h.most[0], h.most[1], h.most[2], h.most[3], h.last - h.first);
  }
  CK(cudaFree(seen));
  CK(cudaFree(out));
  return 0;
}
