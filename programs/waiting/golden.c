// SPDX-License-Identifier: Apache-2.0
//
// What each kernel of waiting.cu must leave in memory. Sums and a sorted list do not depend on who gets a lock first.
#include "programs/wg_golden.h"

#define GOLDEN(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m)

/* `words` words at the pointer parameter at `offset`. NULL if they are not there. */
static int32_t *words_of(const wg_golden_launch_t *l, wg_golden_mem_t *m, size_t offset, size_t words) {
  return m->at(m->ctx, wg_golden_u64(l, offset), words * sizeof(int32_t));
}

static int pair(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  int32_t *out = words_of(l, m, 0, 2);
  if (out == NULL) return 1;
  out[0] = 10;
  out[1] = 11;
  return 0;
}
GOLDEN(_Z13consumerFirstPijj) { return pair(l, m); }
GOLDEN(_Z13producerFirstPijj) { return pair(l, m); }

GOLDEN(_Z5chainPi) {
  int32_t *out = words_of(l, m, 0, l->block[0]);
  if (out == NULL) return 1;
  for (int32_t t = 0; t < (int32_t)l->block[0]; t++) out[t] = t + 1;
  return 0;
}

GOLDEN(_Z5warpsPij) {
  int32_t *out = words_of(l, m, 0, l->block[0]);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < l->block[0]; t++) out[t] = wg_golden_i32(l, 8) + 1;
  return 0;
}

static int fives(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  int32_t *out = words_of(l, m, 0, l->block[0]);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < l->block[0]; t++) out[t] = 5;
  return 0;
}

GOLDEN(_Z4slowPij) { return fives(l, m); }
GOLDEN(_Z7sleeperPi) { return fives(l, m); }

static uint32_t workers(const wg_golden_launch_t *l, size_t lanes_at) {
  return l->grid[0] * l->block[0] / 32u * (uint32_t)wg_golden_i32(l, lanes_at);
}

GOLDEN(_Z4hashPiPViS1_j) {
  int32_t *count = words_of(l, m, 8, 8), *sum = words_of(l, m, 16, 8);
  if (count == NULL || sum == NULL) return 1;
  for (uint32_t key = 0; key < workers(l, 24) * 4u; key++) {
    uint32_t b = key * UINT32_C(2654435761) >> 29;
    count[b]++;
    sum[b] += (int32_t)key;
  }
  return 0;
}

GOLDEN(_Z4listPiPVij) {
  int32_t *next = words_of(l, m, 8, 65), at = 0;
  uint64_t present = 0u;
  if (next == NULL) return 1;
  for (uint32_t w = 0; w < workers(l, 16); w++) present |= UINT64_C(1) << (w * 7u % 64u);
  for (int32_t key = 0; key < 64; key++) {
    if ((present >> key & 1u) == 0u) continue;
    next[at] = key;
    at = key + 1;
  }
  next[at] = -1;
  return 0;
}

GOLDEN(_Z5rangePjPVij) {
  int32_t *cell = words_of(l, m, 8, 32);
  if (cell == NULL) return 1;
  for (uint32_t w = 0; w < workers(l, 16); w++) {
    for (uint32_t k = 0; k < 4u; k++) cell[w * 5u % 29u + k] += (int32_t)w;
  }
  return 0;
}
