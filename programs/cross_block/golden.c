// SPDX-License-Identifier: Apache-2.0
#include "programs/wg_golden.h"

#define GOLDEN(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m)

GOLDEN(_Z4flagPViPii) {
  int32_t *flag = m->at(m->ctx, wg_golden_u64(l, 0), sizeof *flag), *out = m->at(m->ctx, wg_golden_u64(l, 8), 2 * sizeof *out);
  if (flag == NULL || out == NULL) return 1;
  *flag += 1;
  out[0] = 1;
  out[1] = 2;
  return 0;
}

GOLDEN(_Z11gridBarrierPiS_) {
  int32_t n = (int32_t)l->grid[0];
  int32_t *arrived = m->at(m->ctx, wg_golden_u64(l, 0), sizeof *arrived), *out = m->at(m->ctx, wg_golden_u64(l, 8), (size_t)n * 2 * sizeof *out);
  if (arrived == NULL || out == NULL) return 1;
  *arrived += n;
  for (int32_t b = 0; b < n; b++) {
    out[b] = b + 1;
    out[n + b] = (b + 1) % n + 1;
  }
  return 0;
}
