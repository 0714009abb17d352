// SPDX-License-Identifier: Apache-2.0
//
// Rows of issue.cu: rows_issue (issue OP WARPS | subcore OP K)...; its kernels, unchanged. Two things differ from its own main: the
// GPU here has one SM, so that 264 blocks would run one after the other; and caches are cold at each launch, so that
// each launch has twice the blocks, of which the second half (dynamic shared memory lets no more run at once) is measured.
#define main whole_main
#include "issue.cu"
#undef main

static void issue(const char *name, Th k, int w, u64 *out, u32 *where) {
  static u64 h[4 * 64];
  int blocks = w > 32 ? 2 : 1, per = w / blocks, dyn = blocks == 1 ? 130 * 1024 : 90 * 1024;
  CK(cudaFuncSetAttribute((const void *)k, cudaFuncAttributeMaxDynamicSharedMemorySize, dyn));
  k<<<2 * blocks, per * 32, dyn>>>(out, where);
  CK(cudaDeviceSynchronize());
  CK(cudaMemcpy(h, out + 2 * w, (size_t)w * 16, cudaMemcpyDeviceToHost));
  u64 lo = ~0ull, hi = 0;
  for (int j = 0; j < w; j++) {
    if (h[2 * j] < lo) lo = h[2 * j];
    if (h[2 * j + 1] > hi) hi = h[2 * j + 1];
  }
  printf("issue,%s,%d,%d,%llu,%.3f\n", name, w, blocks, hi - lo, (double)w * N / (double)(hi - lo));
}

static void share(const char *name, Pr k, int w, u64 *out, u32 *where) {
  static u64 h[32];
  static u32 at[32];
  int dyn = 130 * 1024;
  CK(cudaFuncSetAttribute((const void *)k, cudaFuncAttributeMaxDynamicSharedMemorySize, dyn));
  k<<<2, 1024, dyn>>>(out, where, w); // both blocks write the same places, the second one last
  CK(cudaDeviceSynchronize());
  CK(cudaMemcpy(h, out, 256, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(at, where, 128, cudaMemcpyDeviceToHost));
  printf("subcore,%s,%d,%llu,%llu,%u,%u\n", name, w, h[0], h[w], at[0], at[w]);
}

int main(int argc, char **argv) {
  struct { const char *n; Th t; Pr p; } ks[] = {ALL(E)};
  u64 *out = (u64 *)dev_buf(4 * 64 * 8);
  u32 *where = (u32 *)dev_buf(4 * 64 * 4);
  for (int i = 1; i + 2 < argc; i += 3) {
    for (auto &k : ks) {
      if (strcmp(k.n, argv[i + 1]) != 0) continue;
      if (strcmp(argv[i], "issue") == 0) issue(k.n, k.t, atoi(argv[i + 2]), out, where);
      if (strcmp(argv[i], "subcore") == 0) share(k.n, k.p, atoi(argv[i + 2]), out, where);
    }
  }
  return 0;
}
