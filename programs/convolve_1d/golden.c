// SPDX-License-Identifier: Apache-2.0
//
// What convolve_v1 and convolve_v2 must leave in memory: output[i] = (in[i] + in[i+1] + in[i+2]) / 3, in this
// order, with an IEEE division. Both versions add the same three floats in the same order, so they must agree bit
// for bit.
#include "programs/wg_golden.h"

enum { kN = 0, kInput = 8, kOutput = 16 }; /* int, pointer, pointer */

static int convolve(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  int64_t n = wg_golden_i32(l, kN);
  int64_t threads = (int64_t)l->grid[0] * l->block[0];
  if (threads < n) n = threads;
  for (int64_t i = 0; i < n; i++) {
    const float *in = wg_golden_f32(l, m, kInput, i, 3);
    float *out = wg_golden_f32(l, m, kOutput, i, 1);
    if (in == NULL || out == NULL) return 1;
    float result = 0.0f;
    for (int k = 0; k < 3; k++) result += in[k];
    *out = result / 3.0f;
  }
  return 0;
}

int wg_golden__Z11convolve_v1iPKfPf(const wg_golden_launch_t *l, wg_golden_mem_t *m);
int wg_golden__Z11convolve_v1iPKfPf(const wg_golden_launch_t *l, wg_golden_mem_t *m) { return convolve(l, m); }

/* Version 2 reads 128 elements beyond the block's own, guarded or not: they must exist. */
int wg_golden__Z11convolve_v2iPKfPf(const wg_golden_launch_t *l, wg_golden_mem_t *m);
int wg_golden__Z11convolve_v2iPKfPf(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  int64_t threads = (int64_t)l->grid[0] * l->block[0];
  if (threads > 0 && wg_golden_f32(l, m, kInput, 0, (size_t)threads + 2) == NULL) return 2;
  return convolve(l, m);
}
