// SPDX-License-Identifier: Apache-2.0
#include "programs/wg_golden.h"

#define GOLDEN(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m)

GOLDEN(_Z6followPjj) {
  uint32_t n = l->grid[0] * l->block[0], turns = (uint32_t)wg_golden_i32(l, 8), *out = m->at(m->ctx, wg_golden_u64(l, 0), n * sizeof *out);
  if (out == NULL) return 1;
  for (uint32_t i = 0; i < n; i++) {
    out[i] = i % 32u;
    for (uint32_t k = 0; k < turns; k++) out[i] = (out[i] * 5u + 3u) % 32u;
  }
  return 0;
}

static float factor(const wg_golden_launch_t *l) {
  float a;
  wg_golden_param(l, 16, &a, sizeof a);
  return a;
}

GOLDEN(_Z5scalePKfPffi) {
  size_t n = (size_t)wg_golden_i32(l, 20);
  const float *x = wg_golden_f32(l, m, 0, 0, n);
  float *y = wg_golden_f32(l, m, 8, 0, n), a = factor(l);
  if (x == NULL || y == NULL) return 1;
  for (size_t i = 0; i < n; i++) y[i] = a * x[i];
  return 0;
}
GOLDEN(_Z5addToPKfPfi) {
  size_t n = (size_t)wg_golden_i32(l, 16);
  const float *x = wg_golden_f32(l, m, 0, 0, n);
  float *y = wg_golden_f32(l, m, 8, 0, n);
  if (x == NULL || y == NULL) return 1;
  for (size_t i = 0; i < n; i++) y[i] += x[i];
  return 0;
}
GOLDEN(_Z6squarePfi) {
  size_t n = (size_t)wg_golden_i32(l, 8);
  float *y = wg_golden_f32(l, m, 0, 0, n);
  if (y == NULL) return 1;
  for (size_t i = 0; i < n; i++) y[i] *= y[i];
  return 0;
}
GOLDEN(_Z5fusedPKfPffi) {
  size_t n = (size_t)wg_golden_i32(l, 20);
  const float *x = wg_golden_f32(l, m, 0, 0, n);
  float *y = wg_golden_f32(l, m, 8, 0, n), a = factor(l);
  if (x == NULL || y == NULL) return 1;
  for (size_t i = 0; i < n; i++) {
    float v = a * x[i] + x[i];
    y[i] = v * v;
  }
  return 0;
}
