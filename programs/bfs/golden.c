// SPDX-License-Identifier: Apache-2.0
#include "programs/wg_golden.h"

int wg_golden__Z8bfsLevelPKiS0_PiS1_ii(const wg_golden_launch_t *l, wg_golden_mem_t *m);
int wg_golden__Z8bfsLevelPKiS0_PiS1_ii(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  int32_t now = wg_golden_i32(l, 32);
  size_t n = (size_t)wg_golden_i32(l, 36);
  const int32_t *start = m->at(m->ctx, wg_golden_u64(l, 0), (n + 1) * sizeof *start);
  if (start == NULL || start[n] < 0) return 1;
  const int32_t *edge = m->at(m->ctx, wg_golden_u64(l, 8), (size_t)start[n] * sizeof *edge);
  int32_t *level = m->at(m->ctx, wg_golden_u64(l, 16), n * sizeof *level);
  int32_t *found = m->at(m->ctx, wg_golden_u64(l, 24), sizeof *found);
  if (edge == NULL || level == NULL || found == NULL) return 1;
  for (size_t v = 0; v < n; v++) {
    if (level[v] != now) continue;
    for (int32_t k = start[v]; k < start[v + 1]; k++) {
      if (level[edge[k]] >= 0) continue;
      level[edge[k]] = now + 1;
      *found = 1;
    }
  }
  return 0;
}
