// SPDX-License-Identifier: Apache-2.0
//
// What each kernel of barriers.cu must leave in memory: all threads in step, so a barrier is the end of a loop over
// them.
#include "programs/wg_golden.h"

/* The launch's output words, one a thread. NULL if they are not there. */
static uint32_t *out_of(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  return m->at(m->ctx, wg_golden_u64(l, 0), (size_t)l->grid[0] * l->block[0] * sizeof(uint32_t));
}

#define GOLDEN(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m)

GOLDEN(_Z8allNamedPj) {
  uint32_t *out = out_of(l, m), n = l->block[0];
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < n; t++) {
    uint32_t sum = 0u;
    for (uint32_t id = 0; id < 16u; id++) sum = sum * 3u + (t + 32u) % n * 16u + id;
    out[t] = sum;
  }
  return 0;
}

GOLDEN(_Z5pairsPj) {
  uint32_t *out = out_of(l, m);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < l->block[0]; t++) out[t] = (t ^ 32u) * 2u;
  return 0;
}

GOLDEN(_Z7producePj) {
  uint32_t *out = out_of(l, m);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < 64u; t++) {
    out[t] = 0u;
    for (uint32_t i = 0; i < 8u && t >= 32u; i++) out[t] += i * 100u + 31u - t % 32u;
  }
  return 0;
}

GOLDEN(_Z10reductionsPj) {
  uint32_t *out = out_of(l, m), n = l->block[0], third = (n + 2u) / 3u, has77 = n > 77u;
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < n; t++) out[t] = third * 16u + 8u + (has77 ? 0u : 4u) + (has77 ? 2u : 0u);
  return 0;
}

GOLDEN(_Z5exitsPj) {
  uint32_t *out = out_of(l, m);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < l->block[0]; t++) out[t] = t >= 64u ? 5u : 63u - t;
  return 0;
}

GOLDEN(_Z5reusePj) {
  uint32_t *out = out_of(l, m), n = l->block[0];
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < n; t++) out[t] = (t + 330u) % n + 10u;
  return 0;
}

GOLDEN(_Z9twoBlocksPj) {
  uint32_t *out = out_of(l, m), n = l->block[0];
  if (out == NULL) return 1;
  for (uint32_t b = 0; b < l->grid[0]; b++) {
    for (uint32_t t = 0; t < n; t++) out[b * n + t] = b * n + 63u - t;
  }
  return 0;
}

GOLDEN(_Z9staggeredPj) {
  uint32_t *out = out_of(l, m);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < 256u; t++) out[t] = (t + 64u) % 256u;
  return 0;
}

GOLDEN(_Z8bothArmsPj) {
  uint32_t *out = out_of(l, m);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < l->block[0]; t++) out[t] = 63u - t + (t % 32u < 16u ? 100u : 200u);
  return 0;
}

GOLDEN(_Z6oneArmPj) {
  uint32_t *out = out_of(l, m);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < l->block[0]; t++) out[t] = t;
  return 0;
}

GOLDEN(_Z11afterReturnPj) {
  uint32_t *out = out_of(l, m);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < l->block[0]; t++) {
    if (t % 32u < 20u) out[t] = (t + 32u) % 64u + 1u;
  }
  return 0;
}
