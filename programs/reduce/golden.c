// SPDX-License-Identifier: Apache-2.0
//
// What reduce_kernel must leave in memory: one partial sum a block, added in the kernel's order: two elements a
// thread, a tree over the block in shared memory down to 64, the last two halves in the first warp, then five
// shuffles.
#include "programs/wg_golden.h"

enum { kIn = 0, kOut = 8, kN = 16, kMaxThreads = 1024, kWarp = 32 };

/* The block's sum; `s` holds what the threads have read. */
static float block_sum(float *s, uint32_t threads) {
  for (uint32_t d = threads >> 1; d > kWarp; d >>= 1) {
    for (uint32_t t = 0; t < d; t++) s[t] += s[t + d];
  }
  float w[kWarp];
  for (uint32_t t = 0; t < kWarp; t++) w[t] = s[t] + (t + kWarp < threads ? s[t + kWarp] : 0.0f);
  for (uint32_t d = kWarp / 2; d > 0; d >>= 1) {
    for (uint32_t t = 0; t < d; t++) w[t] += w[t + d];
  }
  return w[0];
}

int wg_golden__Z13reduce_kernelPKfPfi(const wg_golden_launch_t *l, wg_golden_mem_t *m);
int wg_golden__Z13reduce_kernelPKfPfi(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  uint32_t threads = l->block[0], n = (uint32_t)wg_golden_i32(l, kN);
  /* the tree halves a power of two, and the last warp reads sdata[0..31] */
  if (threads < kWarp || threads > kMaxThreads || (threads & (threads - 1)) != 0) return 1;
  if (l->dyn_shared_bytes < threads * 4) return 2;
  const float *in = wg_golden_f32(l, m, kIn, 0, n);
  float *out = wg_golden_f32(l, m, kOut, 0, l->grid[0]);
  if (in == NULL || out == NULL) return 3;
  for (uint32_t b = 0; b < l->grid[0]; b++) {
    float s[kMaxThreads];
    for (uint32_t t = 0; t < threads; t++) {
      uint64_t i = (uint64_t)b * (threads * 2) + t;
      s[t] = i < n ? in[i] : 0.0f;
      if (i + threads < n) s[t] += in[i + threads];
    }
    out[b] = block_sum(s, threads);
  }
  return 0;
}
