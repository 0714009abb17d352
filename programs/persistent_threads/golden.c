// SPDX-License-Identifier: Apache-2.0
#include "programs/wg_golden.h"

static int all(const wg_golden_launch_t *l, wg_golden_mem_t *m, uint32_t tasks) {
  uint32_t b = l->block[0], *out = m->at(m->ctx, wg_golden_u64(l, 0), (size_t)tasks * b * sizeof *out);
  if (out == NULL) return 1;
  for (uint32_t i = 0; i < tasks * b; i++) {
    uint32_t x = i;
    for (uint32_t k = i / b % 16u == 3u ? 96u : 4u; k > 0u; k--) x = x * 1664525u + 1013904223u;
    out[i] = x;
  }
  return 0;
}

#define GOLDEN(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m)

GOLDEN(_Z12blockPerTaskPj) { return all(l, m, l->grid[0]); }
GOLDEN(_Z10gridStridePji) { return all(l, m, (uint32_t)wg_golden_i32(l, 8)); }
/* Each block asks once more than there are tasks for it. */
GOLDEN(_Z10persistentPjPii) {
  int32_t tasks = wg_golden_i32(l, 16), *next = m->at(m->ctx, wg_golden_u64(l, 8), sizeof *next);
  if (next == NULL) return 1;
  *next += tasks + (int32_t)l->grid[0];
  return all(l, m, (uint32_t)tasks);
}
