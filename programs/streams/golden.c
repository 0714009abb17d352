// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "programs/wg_golden.h"

/* work(float *x, int n, int rounds) */
int wg_golden__Z4workPfii(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  int32_t n = wg_golden_i32(l, 8), rounds = wg_golden_i32(l, 12);
  float *x = wg_golden_f32(l, m, 0, 0, (size_t)n);
  if (x == NULL) return 1;
  uint64_t threads = (uint64_t)l->grid[0] * l->block[0];
  for (uint64_t i = 0; i < threads && i < (uint64_t)n; i++) {
    for (int32_t r = 0; r < rounds; r++) x[i] = fmaf(x[i], 0.75f, 0.5f);
  }
  return 0;
}
