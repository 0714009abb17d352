// SPDX-License-Identifier: Apache-2.0
#include "programs/wg_golden.h"

static void step(uint32_t *keys, size_t n, size_t k, size_t j) {
  for (size_t a = 0; a < n; a++) {
    if ((a & j) != 0) continue;
    uint32_t lo = keys[a], hi = keys[a + j];
    if ((lo > hi) == ((a & k) == 0)) keys[a] = hi, keys[a + j] = lo;
  }
}

#define GOLDEN(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m)

static uint32_t *keys_of(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  return m->at(m->ctx, wg_golden_u64(l, 0), (size_t)2 * l->grid[0] * l->block[0] * sizeof(uint32_t));
}

GOLDEN(_Z10stepGlobalPjjj) {
  uint32_t *keys = keys_of(l, m);
  if (keys == NULL) return 1;
  step(keys, (size_t)2 * l->grid[0] * l->block[0], (size_t)wg_golden_i32(l, 8), (size_t)wg_golden_i32(l, 12));
  return 0;
}

GOLDEN(_Z11stepsSharedPjjj) {
  uint32_t *keys = keys_of(l, m);
  size_t from = (size_t)wg_golden_i32(l, 8), to = (size_t)wg_golden_i32(l, 12), b = l->block[0];
  if (keys == NULL || from == 0) return 1;
  for (size_t k = from; k <= to; k *= 2) {
    for (size_t j = k / 2 < b ? k / 2 : b; j > 0; j /= 2) step(keys, 2 * b * l->grid[0], k, j);
  }
  return 0;
}
