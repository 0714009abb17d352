// SPDX-License-Identifier: Apache-2.0
#include "programs/wg_golden.h"

#define GOLDEN(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m)

static int convolve(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  size_t n = (size_t)l->grid[0] * l->block[0];
  const float *in = wg_golden_f32(l, m, 0, 0, n + 2);
  float *out = wg_golden_f32(l, m, 8, 0, n);
  if (in == NULL || out == NULL) return 1;
  for (size_t i = 0; i < n; i++) out[i] = (in[i] + in[i + 1] + in[i + 2]) / 3.0f;
  return 0;
}
GOLDEN(_Z8convolveILi128EEvPKfPf) { return convolve(l, m); }
GOLDEN(_Z8convolveILi256EEvPKfPf) { return convolve(l, m); }

GOLDEN(_Z4halfPj) {
  uint32_t *out = m->at(m->ctx, wg_golden_u64(l, 0), l->block[0] * sizeof *out);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < l->block[0]; t++) out[t] = t;
  return 0;
}
