// SPDX-License-Identifier: Apache-2.0
#include "programs/wg_golden.h"

#include <math.h>

static int bodies(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  size_t n = (size_t)wg_golden_i32(l, 16);
  const float *b = wg_golden_f32(l, m, 0, 0, 4 * n);
  float *out = wg_golden_f32(l, m, 8, 0, 4 * n);
  if (b == NULL || out == NULL) return 1;
  for (size_t i = 0; i < n; i++) {
    float a[3] = {0.0f, 0.0f, 0.0f};
    for (size_t k = 0; k < n; k++) {
      float dx = b[4 * k] - b[4 * i], dy = b[4 * k + 1] - b[4 * i + 1], dz = b[4 * k + 2] - b[4 * i + 2];
      float d2 = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, 0.01f)));
      float f = b[4 * k + 3] / (d2 * sqrtf(d2));
      a[0] = fmaf(dx, f, a[0]);
      a[1] = fmaf(dy, f, a[1]);
      a[2] = fmaf(dz, f, a[2]);
    }
    memcpy(out + 4 * i, a, sizeof a);
    out[4 * i + 3] = 0.0f;
  }
  return 0;
}
#define FORM(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m) { return bodies(l, m); }
FORM(_Z12bodiesDirectPK6float4PS_i)
FORM(_Z10bodiesTilePK6float4PS_i)
