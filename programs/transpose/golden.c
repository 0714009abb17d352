// SPDX-License-Identifier: Apache-2.0
#include "programs/wg_golden.h"

static int transpose(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  size_t n = (size_t)wg_golden_i32(l, 16);
  const float *in = wg_golden_f32(l, m, 0, 0, n * n);
  float *out = wg_golden_f32(l, m, 8, 0, n * n);
  if (in == NULL || out == NULL) return 1;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) out[j * n + i] = in[i * n + j];
  }
  return 0;
}
#define FORM(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m) { return transpose(l, m); }
FORM(_Z14transposeNaivePKfPfi)
FORM(_Z15transposeSharedILi32EEvPKfPfi)
FORM(_Z15transposeSharedILi33EEvPKfPfi)
