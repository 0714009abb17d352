// SPDX-License-Identifier: Apache-2.0
//
// Inputs are small integers: sums and products are exact, whatever their order.
#include "programs/wg_golden.h"

enum { kClusters = 4, kPattern = 4 };
#define KERNEL(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m)

static size_t count(const wg_golden_launch_t *l, size_t offset) {
  int32_t v = wg_golden_i32(l, offset);
  return v < 0 ? 0 : (size_t)v;
}

KERNEL(_Z12kmeansAssignPKfS0_Piii) {
  size_t points = count(l, 24), features = count(l, 28);
  const float *p = wg_golden_f32(l, m, 0, 0, points * features), *c = wg_golden_f32(l, m, 8, 0, kClusters * features);
  int32_t *nearest = m->at(m->ctx, wg_golden_u64(l, 16), points * sizeof *nearest);
  if (p == NULL || c == NULL || nearest == NULL) return 1;
  for (size_t i = 0; i < points; i++) {
    float least = 1e30f;
    for (int32_t k = 0; k < kClusters; k++) {
      float d2 = 0.0f;
      for (size_t f = 0; f < features; f++) {
        float d = p[i * features + f] - c[(size_t)k * features + f];
        d2 += d * d;
      }
      if (d2 < least) least = d2, nearest[i] = k;
    }
  }
  return 0;
}

/* sum over k of a row of A with x */
static float row(const float *a, const float *x, size_t i, size_t columns) {
  float sum = 0.0f;
  for (size_t k = 0; k < columns; k++) sum += a[i * columns + k] * x[k];
  return sum;
}

KERNEL(_Z7mvtRowsPKfS0_Pfii) {
  size_t rows = count(l, 24), columns = count(l, 28);
  const float *a = wg_golden_f32(l, m, 0, 0, rows * columns), *x = wg_golden_f32(l, m, 8, 0, columns);
  float *y = wg_golden_f32(l, m, 16, 0, rows);
  if (a == NULL || x == NULL || y == NULL) return 1;
  for (size_t i = 0; i < rows; i++) y[i] += row(a, x, i, columns);
  return 0;
}

KERNEL(_Z11gesummvRowsPKfS0_S0_Pfii) {
  size_t rows = count(l, 32), columns = count(l, 36);
  const float *a = wg_golden_f32(l, m, 0, 0, rows * columns), *b = wg_golden_f32(l, m, 8, 0, rows * columns);
  const float *x = wg_golden_f32(l, m, 16, 0, columns);
  float *y = wg_golden_f32(l, m, 24, 0, rows);
  if (a == NULL || b == NULL || x == NULL || y == NULL) return 1;
  for (size_t i = 0; i < rows; i++) y[i] = 2.0f * row(a, x, i, columns) + 3.0f * row(b, x, i, columns);
  return 0;
}

KERNEL(_Z11syrkElementPKfPfii) {
  size_t n = count(l, 16), columns = count(l, 20);
  const float *a = wg_golden_f32(l, m, 0, 0, n * columns);
  float *c = wg_golden_f32(l, m, 8, 0, n * n);
  if (a == NULL || c == NULL) return 1;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) c[i * n + j] = row(a, a + j * columns, i, columns);
  return 0;
}

KERNEL(_Z10matchPiecePKhS0_Piii) {
  size_t pieces = count(l, 24), length = count(l, 28);
  const uint8_t *text = m->at(m->ctx, wg_golden_u64(l, 0), pieces * length + kPattern - 1);
  const uint8_t *pattern = m->at(m->ctx, wg_golden_u64(l, 8), kPattern);
  int32_t *found = m->at(m->ctx, wg_golden_u64(l, 16), pieces * sizeof *found);
  if (text == NULL || pattern == NULL || found == NULL) return 1;
  for (size_t i = 0; i < pieces; i++) {
    found[i] = 0;
    for (size_t k = i * length; k < (i + 1) * length; k++) found[i] += memcmp(text + k, pattern, kPattern) == 0;
  }
  return 0;
}

KERNEL(_Z11triadStreamPKfS0_Pfi) {
  size_t n = count(l, 24);
  const float *b = wg_golden_f32(l, m, 0, 0, n), *c = wg_golden_f32(l, m, 8, 0, n);
  float *a = wg_golden_f32(l, m, 16, 0, n);
  if (a == NULL || b == NULL || c == NULL) return 1;
  for (size_t i = 0; i < n; i++) a[i] = b[i] + 3.0f * c[i];
  return 0;
}
