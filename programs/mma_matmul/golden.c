// SPDX-License-Identifier: Apache-2.0
//
// Small integers: products and sums are exact, in fp32 as on the matrix unit.
#include "programs/wg_golden.h"

/* fp16 to its value; the program uses zero and normal numbers only. */
static float value(uint16_t h) {
  uint32_t bits = (uint32_t)(h & 0x8000u) << 16;
  if ((h & 0x7fffu) != 0u) bits |= ((uint32_t)(h & 0x7fffu) << 13) + (112u << 23);
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static int product(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  size_t n = (size_t)wg_golden_i32(l, 24);
  const uint16_t *a = m->at(m->ctx, wg_golden_u64(l, 0), n * n * 2), *b = m->at(m->ctx, wg_golden_u64(l, 8), n * n * 2);
  float *c = wg_golden_f32(l, m, 16, 0, n * n);
  if (a == NULL || b == NULL || c == NULL) return 1;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      float sum = 0.0f;
      for (size_t k = 0; k < n; k++) sum += value(a[i * n + k]) * value(b[k * n + j]);
      c[i * n + j] = sum;
    }
  }
  return 0;
}
#define FORM(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m) { return product(l, m); }
FORM(_Z10matmulFfmaPKtS0_Pfi)
FORM(_Z9matmulMmaPKtS0_Pfi)
