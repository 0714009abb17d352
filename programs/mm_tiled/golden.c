// SPDX-License-Identifier: Apache-2.0
//
// What mm_tiled must leave in memory: C = A x B, each element one chain of fused multiply-adds in the order of k
// (the compiler contracts c += a * b, as nvcc does). The kernel has no guard: N must be a multiple of 32, or it
// touches elements that do not exist.
#include <math.h>

#include "programs/wg_golden.h"

enum { kA = 0, kB = 8, kC = 16, kN = 24, kTile = 32 };

int wg_golden__Z8mm_tiledPKfS0_Pfi(const wg_golden_launch_t *l, wg_golden_mem_t *m);
int wg_golden__Z8mm_tiledPKfS0_Pfi(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  int32_t n = wg_golden_i32(l, kN);
  if (n < 0 || n % kTile != 0) return 1;
  size_t rows = (size_t)l->grid[1] * kTile, cols = (size_t)l->grid[0] * kTile, width = (size_t)n;
  if (rows > width || cols > width) return 2;
  const float *a = wg_golden_f32(l, m, kA, 0, width * width);
  const float *b = wg_golden_f32(l, m, kB, 0, width * width);
  float *c = wg_golden_f32(l, m, kC, 0, width * width);
  if (a == NULL || b == NULL || c == NULL) return 3;
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < cols; j++) {
      float sum = 0.0f;
      for (size_t k = 0; k < width; k++) sum = fmaf(a[i * width + k], b[k * width + j], sum);
      c[i * width + j] = sum;
    }
  }
  return 0;
}
