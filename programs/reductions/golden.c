// SPDX-License-Identifier: Apache-2.0
//
// Sums of small integers: exact in float, whatever the order.
#include "programs/wg_golden.h"

#define GOLDEN(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m)

static void level(float *a, int n, int d) {
  for (int i = 0; i + d < n; i += 2 * d) a[i] += a[i + d];
}

GOLDEN(_Z13reduceKernelsPfii) {
  int n = wg_golden_i32(l, 8), d = wg_golden_i32(l, 12);
  float *a = n <= 0 || d <= 0 ? NULL : wg_golden_f32(l, m, 0, 0, (size_t)n);
  if (a == NULL) return 1;
  level(a, n, d);
  return 0;
}

/* All levels in place: what the forms with one launch should do, and those without a barrier between blocks do not. */
static int in_place(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  int n = wg_golden_i32(l, 8);
  float *a = n <= 0 ? NULL : wg_golden_f32(l, m, 0, 0, (size_t)n);
  if (a == NULL) return 1;
  for (int d = 1; d < n; d *= 2) level(a, n, d);
  return 0;
}
GOLDEN(_Z12reduceSinglePfi) { return in_place(l, m); }
GOLDEN(_Z11reduceWrongPfi) { return in_place(l, m); }
GOLDEN(_Z15reduceNoBarrierPfi) { return in_place(l, m); }

/* Each block's sum of its `per_block` numbers. */
static int of_blocks(const wg_golden_launch_t *l, wg_golden_mem_t *m, size_t per_block) {
  size_t n = (size_t)wg_golden_i32(l, 16);
  const float *in = wg_golden_f32(l, m, 0, 0, n);
  float *out = wg_golden_f32(l, m, 8, 0, l->grid[0]);
  if (in == NULL || out == NULL) return 1;
  for (size_t b = 0; b < l->grid[0]; b++) {
    out[b] = 0.0f;
    for (size_t i = b * per_block; i < (b + 1) * per_block && i < n; i++) out[b] += in[i];
  }
  return 0;
}
GOLDEN(_Z17reduceInterleavedPKfPfi) { return of_blocks(l, m, l->block[0]); }
GOLDEN(_Z13reduceStridedPKfPfi) { return of_blocks(l, m, l->block[0]); }
GOLDEN(_Z16reduceSequentialPKfPfi) { return of_blocks(l, m, l->block[0]); }
GOLDEN(_Z13reduceShufflePKfPfi) { return of_blocks(l, m, l->block[0]); }
GOLDEN(_Z14reduceTwoLevelPKfPfi) { return of_blocks(l, m, 2u * l->block[0]); }
