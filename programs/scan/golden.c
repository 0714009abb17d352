// SPDX-License-Identifier: Apache-2.0
//
// Prefix sums of small integers: exact in float, whatever the order.
#include "programs/wg_golden.h"

static int scan(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  size_t n = (size_t)wg_golden_i32(l, 24), b = l->block[0];
  const float *in = wg_golden_f32(l, m, 0, 0, n);
  float *out = wg_golden_f32(l, m, 8, 0, n), *sums = wg_golden_f32(l, m, 16, 0, l->grid[0]);
  if (in == NULL || out == NULL || sums == NULL) return 1;
  for (size_t k = 0; k < l->grid[0]; k++) {
    float sum = 0.0f;
    for (size_t i = k * b; i < (k + 1) * b && i < n; i++) out[i] = sum += in[i];
    sums[k] = sum;
  }
  return 0;
}
#define GOLDEN(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m)
GOLDEN(_Z9scanStepsPKfPfS1_i) { return scan(l, m); }
GOLDEN(_Z8scanTreePKfPfS1_i) { return scan(l, m); }
GOLDEN(_Z9addBeforePfPKfi) {
  size_t n = (size_t)wg_golden_i32(l, 16), b = l->block[0];
  float *out = wg_golden_f32(l, m, 0, 0, n);
  const float *sums = wg_golden_f32(l, m, 8, 0, l->grid[0]);
  if (out == NULL || sums == NULL) return 1;
  for (size_t i = b; i < n; i++) out[i] += sums[i / b - 1];
  return 0;
}
