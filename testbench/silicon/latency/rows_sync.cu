// SPDX-License-Identifier: Apache-2.0
//
// Rows of sync.cu: rows_sync (barrier FORM WARPS | conflict ACCESS DEGREE)...; the conflict kernels unchanged. Barriers have a
// kernel of their own: clang does not unroll a loop of convergent instructions whose trip count it does not know, so that
// `bars` would measure its loop too; here 32 stand in a turn, and what 6 turns take beyond 2 counts: during the second the code
// behind the loop is fetched, for which a kernel of one turn would wait. Caches are cold at each launch: of two blocks, which
// dynamic shared memory lets run one after the other only, the second one's cycles stay.
#define main whole_main
#include "sync.cu"
#undef main

#define REP8(X) X X X X X X X X
#define REP32(X) REP8(X) REP8(X) REP8(X) REP8(X)
__global__ void bars32(u64 *out, int n, int form, int pairs) {
  u64 t0 = now();
  if (form == 0) for (int k = 0; k < n; k += 32) { REP32(asm volatile("bar.sync 0;" ::: "memory");) }
  if (form == 1) for (int k = 0; k < n; k += 32) { REP32(asm volatile("bar.sync 1, %0;" :: "r"(pairs) : "memory");) }
  if (form == 2) {
    u32 r = 0;
    for (int k = 0; k < n; k += 32) {
      REP32(asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 7; bar.red.popc.u32 %0, 0, p; }" : "=r"(r) : "r"(k) : "memory");)
    }
    if (r == 12345) out[100] = r;
  }
  if (form == 3) for (int k = 0; k < n; k += 32) { REP32(asm volatile("bar.warp.sync -1;" ::: "memory");) }
  if (form == 4) for (int k = 0; k < n; k += 32) { REP32(__threadfence_block();) }
  if (form == 5) for (int k = 0; k < n; k += 32) { REP32(__threadfence();) }
  u64 t1 = now();
  if ((threadIdx.x & 31) == 0) out[threadIdx.x >> 5] = t1 - t0;
}

static void barrier(const char *name, int w, u64 *out) {
  const char *fs[] = {"bar.sync 0", "bar.sync 1 of all", "bar.red.popc 0", "bar.warp.sync", "membar.cta", "membar.gl"};
  u64 h[32], v[2] = {0, 0};
  for (int f = 0; f < 6; f++) {
    if (strcmp(name, fs[f]) != 0) continue;
    for (int j = 0; j < 3; j++) { // the first launch brings the code into the L2
      bars32<<<1, w * 32>>>(out, j == 2 ? 192 : 64, f, w * 32);
      CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
      v[j == 2] = 0;
      for (int k = 0; k < w; k++) if (h[k] > v[j == 2]) v[j == 2] = h[k];
    }
    printf("barrier,%s,%d,%.3f\n", name, w, (double)(v[1] - v[0]) / 128);
  }
}

static void conflict(const char *name, int d, u64 *out) {
  struct { const char *name; void (*k)(u64 *, int, int); int form; } ks[] = {
      {"ld.shared", conflict_ld, 1}, {"st.shared", conflict_st, 1}, {"atom.shared.add bank", conflict_atom, 0},
      {"atom.shared.add word", conflict_atom, 1}, {"ld.shared one bank", conflict_ld, 0}, {"st.shared one bank", conflict_st, 0}};
  u64 h[2];
  cudaDeviceProp p;
  CK(cudaGetDeviceProperties(&p, 0));
  int dyn = (int)(p.sharedMemPerMultiprocessor / 16 * 9); // with the kernel's own, more than half
  for (auto &k : ks) {
    if (strcmp(name, k.name) != 0) continue;
    CK(cudaFuncSetAttribute((const void *)k.k, cudaFuncAttributeMaxDynamicSharedMemorySize, dyn));
    k.k<<<2, 32, dyn>>>(out, d, k.form);
    CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    printf("conflict,%s,%d,%.2f,%.2f\n", name, d, (double)h[0] / 32, (double)h[1] / 32);
  }
}

int main(int argc, char **argv) {
  u64 *out = (u64 *)dev_buf(4096);
  for (int i = 1; i + 2 < argc; i += 3) {
    if (strcmp(argv[i], "barrier") == 0) barrier(argv[i + 1], atoi(argv[i + 2]), out);
    if (strcmp(argv[i], "conflict") == 0) conflict(argv[i + 1], atoi(argv[i + 2]), out);
  }
  return 0;
}
