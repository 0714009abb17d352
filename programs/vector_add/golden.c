// SPDX-License-Identifier: Apache-2.0
#include "programs/wg_golden.h"

int wg_golden__Z9vectorAddPKfS0_Pfi(const wg_golden_launch_t *l, wg_golden_mem_t *m);
int wg_golden__Z9vectorAddPKfS0_Pfi(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  size_t n = (size_t)wg_golden_i32(l, 24);
  const float *a = wg_golden_f32(l, m, 0, 0, n), *b = wg_golden_f32(l, m, 8, 0, n);
  float *c = wg_golden_f32(l, m, 16, 0, n);
  if (a == NULL || b == NULL || c == NULL) return 1;
  for (size_t i = 0; i < n; i++) c[i] = a[i] + b[i];
  return 0;
}
