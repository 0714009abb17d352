// SPDX-License-Identifier: Apache-2.0
//
// Small integers: the sums are exact, whatever their order.
#include "programs/wg_golden.h"

static int spmv(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  size_t rows = (size_t)wg_golden_i32(l, 40);
  const int32_t *start = m->at(m->ctx, wg_golden_u64(l, 0), (rows + 1) * sizeof *start);
  if (start == NULL || start[rows] < 0) return 1;
  size_t n = (size_t)start[rows];
  const int32_t *col = m->at(m->ctx, wg_golden_u64(l, 8), n * sizeof *col);
  const float *val = wg_golden_f32(l, m, 16, 0, n), *x = wg_golden_f32(l, m, 24, 0, rows);
  float *y = wg_golden_f32(l, m, 32, 0, rows);
  if (col == NULL || val == NULL || x == NULL || y == NULL) return 1;
  for (size_t i = 0; i < rows; i++) {
    y[i] = 0.0f;
    for (int32_t k = start[i]; k < start[i + 1]; k++) y[i] += val[k] * x[col[k]];
  }
  return 0;
}
#define FORM(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m) { return spmv(l, m); }
FORM(_Z10spmvThreadPKiS0_PKfS2_Pfi)
FORM(_Z8spmvWarpPKiS0_PKfS2_Pfi)
