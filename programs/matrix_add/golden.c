// SPDX-License-Identifier: Apache-2.0
//
// What matrixAdd must leave in memory: C = A + B inside the matrix, nothing elsewhere.
#include "programs/wg_golden.h"

enum { kA = 0, kB = 8, kC = 16, kNx = 24, kNy = 28 };

int wg_golden__Z9matrixAddPKfS0_Pfii(const wg_golden_launch_t *l, wg_golden_mem_t *m);
int wg_golden__Z9matrixAddPKfS0_Pfii(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  int64_t nx = wg_golden_i32(l, kNx), ny = wg_golden_i32(l, kNy);
  int64_t x_threads = (int64_t)l->grid[0] * l->block[0], y_threads = (int64_t)l->grid[1] * l->block[1];
  for (int64_t j = 0; j < ny && j < y_threads; j++) {
    for (int64_t i = 0; i < nx && i < x_threads; i++) {
      const float *a = wg_golden_f32(l, m, kA, j * nx + i, 1), *b = wg_golden_f32(l, m, kB, j * nx + i, 1);
      float *c = wg_golden_f32(l, m, kC, j * nx + i, 1);
      if (a == NULL || b == NULL || c == NULL) return 1;
      *c = *a + *b;
    }
  }
  return 0;
}
