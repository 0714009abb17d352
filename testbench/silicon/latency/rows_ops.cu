// SPDX-License-Identifier: Apache-2.0
//
// Rows of ops.cu by name: rows_ops OP...; its kernels, unchanged, under a main that launches what is asked for. Three launches a
// kernel, as caches are cold at each: the first brings the code into the L2, the others run 128 and 640 instructions.
#define main whole_main
#include "ops.cu"
#undef main

template <typename T> static double cycles(void (*k)(u64 *, const T *, int), u64 *out, const T *in) {
  u64 a, b;
  k<<<1, 32>>>(out, in, 128);
  k<<<1, 32>>>(out, in, 128);
  CK(cudaMemcpy(&a, out, 8, cudaMemcpyDeviceToHost));
  k<<<1, 32>>>(out, in, 640);
  CK(cudaMemcpy(&b, out, 8, cudaMemcpyDeviceToHost));
  return (double)(long long)(b - a) / 512.0;
}

template <typename T>
static void one(const char *name, void (*k1)(u64 *, const T *, int), void (*k8)(u64 *, const T *, int), u64 *out, const T *in) {
  printf("ops,%s,%.3f,%.3f\n", name, cycles(k1, out, in), cycles(k8, out, in));
}

int main(int argc, char **argv) {
  u64 *out = (u64 *)dev_buf(4096);
  static float hf[96];
  static double hd[96];
  static u32 hu[96];
  static u64 hl[96];
  for (int i = 0; i < 96; i++) { // the inputs of ops.cu
    hf[i] = i < 32 ? 1.0f + (float)(i % 7) * 0.125f : i < 64 ? 1.0000001f : 0.125f;
    hd[i] = hf[i];
    hl[i] = hu[i] = 3 + rng() % 29;
  }
  struct { const float *f; const double *d; const u32 *u; const u64 *l; } in = {
      (const float *)dev_copy(hf, sizeof hf), (const double *)dev_copy(hd, sizeof hd), (const u32 *)dev_copy(hu, sizeof hu),
      (const u64 *)dev_copy(hl, sizeof hl)};
  for (int i = 1; i < argc; i++) {
#undef GO
#define GO(N, T) if (strcmp(argv[i], #N) == 0) one<T>(#N, l1_##N, l8_##N, out, IN_##T);
    ALL(GO)
#define MMA(TEXT, A, B) if (strcmp(argv[i], TEXT) == 0) one<u32>(TEXT, A, B, out, in.u);
    MMA("MMA m16n8k16 f16 (4 chains in the second column)", hmma16_1, hmma16_4)
    MMA("MMA m16n8k8 f16 (4 chains in the second column)", hmma8_1, hmma8_4)
    MMA("MMA m16n8k32 s8 (4 chains in the second column)", imma_1, imma_4)
  }
  return 0;
}
