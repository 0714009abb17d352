// SPDX-License-Identifier: Apache-2.0
#include "programs/wg_golden.h"

#include <math.h>

static int points(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  int32_t w = wg_golden_i32(l, 8), most = wg_golden_i32(l, 16), n = (int32_t)(l->grid[0] * l->block[0]);
  float step;
  wg_golden_param(l, 12, &step, sizeof step);
  int32_t *out = m->at(m->ctx, wg_golden_u64(l, 0), (size_t)n * sizeof *out);
  if (out == NULL || w <= 0) return 1;
  for (int32_t i = 0; i < n; i++) {
    float cx = fmaf((float)(i % w), step, -2.0f), cy = fmaf((float)(i / w), step, -0.5f), x = 0.0f, y = 0.0f;
    int32_t turns = 0;
    while (turns < most) {
      float y2 = y * y;
      if (fmaf(x, x, y2) > 4.0f) break;
      float next = fmaf(x, x, -y2) + cx;
      y = fmaf(x + x, y, cy);
      x = next;
      turns++;
    }
    out[i] = turns;
  }
  return 0;
}
#define FORM(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m) { return points(l, m); }
FORM(_Z10mandelbrotILb1EEvPiifi)
FORM(_Z10mandelbrotILb0EEvPiifi)
