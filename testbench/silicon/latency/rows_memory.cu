// SPDX-License-Identifier: Apache-2.0
//
// Rows of memory.cu: rows_memory (chase SPACE BYTES STRIDE | pattern BYTES STRIDE 0 | shared FORM 0 0 | atomics FORM 0 0)...; its
// kernels, unchanged. Its own main flushes the L2 with 256 MiB and walks rings of up to 512 MiB, hours of simulation.
#define main whole_main
#include "memory.cu"
#undef main

static void chase(const char *space, size_t bytes, size_t stride, u64 *out) {
  struct { const char *name; Ch k; } ks[] = {{"ca", chase_ca}, {"cg", chase_cg}, {"cv", chase_cv}, {"nc", chase_nc}, {"generic", chase_gen}};
  size_t n = bytes / stride, at = 0, step = n > 64 ? (n / 3) | 1 : 1;
  u64 h[2];
  if (strcmp(space, "local") == 0) {
    chase_local<<<1, 1>>>(out, 256, 5);
    CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    printf("chase,local,256,4,%.2f,%.2f\n", (double)h[0] / 256, (double)h[1] / 256);
    return;
  }
  for (;; step += 2) { // one ring through all places, as memory.cu
    size_t a = n, b = step;
    while (b) { size_t t = a % b; a = b; b = t; }
    if (a == 1) break;
  }
  u64 *buf = (u64 *)dev_buf(bytes), *hb = (u64 *)calloc(bytes, 1);
  for (size_t k = 0; k < n; k++) {
    size_t j = (at + step) % n;
    hb[at * stride / 8] = (u64)buf + j * stride;
    at = j;
  }
  CK(cudaMemcpy(buf, hb, bytes, cudaMemcpyHostToDevice));
  int loads = n < 4096 ? (int)(n < 256 ? 256 / n * n : n) : 4096;
  for (auto &k : ks) if (strcmp(space, k.name) == 0) k.k<<<1, 1>>>(buf, out, loads);
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  printf("chase,%s,%zu,%zu,%.2f,%.2f\n", space, bytes, stride, (double)h[0] / loads, (double)h[1] / loads);
  CK(cudaFree(buf));
  free(hb);
}

/* Cycles of one in a long and a short run of a kernel that takes its length. */
template <typename F> static double slope(u64 *out, int few, int many, F launch) {
  u64 v[2];
  for (int i = 0; i < 3; i++) { // the first run brings the code into the L2
    launch(i == 2 ? many : few);
    CK(cudaMemcpy(&v[i == 2], out, 8, cudaMemcpyDeviceToHost));
  }
  return (double)(v[1] - v[0]) / (many - few);
}

int main(int argc, char **argv) {
  u64 *out = (u64 *)dev_buf(4096), *buf = (u64 *)dev_buf(1 << 20), h[2];
  u32 *m = (u32 *)dev_buf(4096);
  const char *fs[] = {"ld.shared.u32", "ld.shared.v2.u32", "ld.shared.v4.u32", "ld.shared.u32 same word"};
  const char *as[] = {"atom.shared.add own word", "atom.shared.add same word", "atom.global.add own word", "atom.global.add same word",
                      "atom.shared.cas own word", "atom.shared.cas same word", "atom.global.cas own word", "atom.global.cas same word"};
  for (int i = 1; i + 3 < argc; i += 4) {
    const char *what = argv[i], *which = argv[i + 1];
    int x = atoi(argv[i + 2]);
    if (strcmp(what, "chase") == 0) chase(which, (size_t)x, (size_t)atoi(argv[i + 3]), out);
    if (strcmp(what, "pattern") == 0) {
      pattern<<<1, 32>>>(buf, out, x);
      CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
      printf("pattern,8,%d,%d,%.2f,%.2f\n", x, 32 * x / 128, (double)h[0] / 32, (double)h[1] / 16);
    }
    for (int f = 0; f < 4; f++) {
      if (strcmp(what, "shared") != 0 || strcmp(which, fs[f]) != 0) continue;
      printf("shared,%s,%.3f\n", fs[f], slope(out, 64, 320, [&](int n) { chase_shared<<<1, 32>>>(out, n, f); }));
    }
    for (int f = 0; f < 8; f++) for (int t = 1; t <= 32; t += 31) {
      char name[64];
      snprintf(name, sizeof name, "%s %d lanes", as[f], t);
      if (strcmp(what, "atomics") != 0 || strcmp(which, name) != 0) continue;
      printf("atomics,%s,%.2f\n", name, slope(out, 32, 160, [&](int n) { chase_atom<<<1, t>>>(out, m, n, f); }));
    }
  }
  return 0;
}
