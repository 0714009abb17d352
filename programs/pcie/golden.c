// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "programs/wg_golden.h"

enum { kTile = 16 };

/* product(const float *a, const float *b, float *c, int n): tiles change where words come from, not their order */
int wg_golden__Z7productPKfS0_Pfi(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  int32_t n = wg_golden_i32(l, 24);
  size_t all = (size_t)n * (size_t)n;
  const float *a = wg_golden_f32(l, m, 0, 0, all), *b = wg_golden_f32(l, m, 8, 0, all);
  float *c = wg_golden_f32(l, m, 16, 0, all);
  if (a == NULL || b == NULL || c == NULL || n % kTile != 0 || l->grid[0] * kTile != (uint32_t)n) return 1;
  for (int32_t y = 0; y < n; y++) {
    for (int32_t x = 0; x < n; x++) {
      float sum = 0;
      for (int32_t k = 0; k < n; k++) sum = fmaf(a[y * n + k], b[k * n + x], sum);
      c[y * n + x] = sum;
    }
  }
  return 0;
}

int wg_golden__Z7nothingv(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  (void)l;
  (void)m;
  return 0;
}
