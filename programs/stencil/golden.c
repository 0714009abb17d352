// SPDX-License-Identifier: Apache-2.0
#include "programs/wg_golden.h"

#include <math.h>

static int stencil(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  size_t w = l->grid[0] * l->block[0], h = l->grid[1] * l->block[1], pitch = (size_t)wg_golden_i32(l, 16);
  if (pitch != w + 2) return 1;
  const float *in = wg_golden_f32(l, m, 0, 0, pitch * (h + 2));
  float *out = wg_golden_f32(l, m, 8, 0, pitch * (h + 2));
  if (in == NULL || out == NULL) return 1;
  for (size_t y = 1; y <= h; y++) {
    for (size_t x = 1; x <= w; x++) {
      const float *p = in + y * pitch + x;
      out[y * pitch + x] = fmaf(0.5f, *p, 0.125f * ((*(p - pitch) + p[pitch]) + (p[-1] + p[1])));
    }
  }
  return 0;
}
#define FORM(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m) { return stencil(l, m); }
FORM(_Z13stencilDirectPKfPfi)
FORM(_Z11stencilTilePKfPfi)
