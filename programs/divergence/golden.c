// SPDX-License-Identifier: Apache-2.0
//
// What each kernel of divergence.cu must leave in memory: each thread's way on its own, without warps.
#include "programs/wg_golden.h"

static uint32_t step10(uint32_t x, uint32_t k) {
  for (int i = 0; i < 10; i++) x = x * 3u + k;
  return x;
}

/* The launch's output words, one a thread. NULL if they are not there. */
static uint32_t *out_of(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  return m->at(m->ctx, wg_golden_u64(l, 0), l->block[0] * sizeof(uint32_t));
}

#define GOLDEN(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m)

GOLDEN(_Z6ifElsePj) {
  uint32_t *out = out_of(l, m);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < l->block[0]; t++) out[t] = step10(step10(t, t % 32u < 16u ? 1u : 2u), 3u);
  return 0;
}

static uint32_t nest(uint32_t levels, uint32_t t, uint32_t x) {
  if (levels == 0u) return step10(x, 9u);
  if ((t & 1u) == 0u) return step10(x, 50u + levels);
  return step10(nest(levels - 1u, t >> 1, step10(x, levels)), 7u);
}
static int nested(const wg_golden_launch_t *l, wg_golden_mem_t *m, uint32_t levels) {
  uint32_t *out = out_of(l, m);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < l->block[0]; t++) out[t] = step10(nest(levels, t, t), 3u);
  return 0;
}
GOLDEN(_Z6nestedILi1EEvPj) { return nested(l, m, 1u); }
GOLDEN(_Z6nestedILi2EEvPj) { return nested(l, m, 2u); }
GOLDEN(_Z6nestedILi3EEvPj) { return nested(l, m, 3u); }
GOLDEN(_Z6nestedILi4EEvPj) { return nested(l, m, 4u); }

GOLDEN(_Z9loopTripsPj) {
  uint32_t *out = out_of(l, m);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < l->block[0]; t++) {
    uint32_t x = t;
    for (uint32_t i = 0; i <= t % 8u; i++) x = step10(x, i);
    out[t] = step10(x, 3u);
  }
  return 0;
}

GOLDEN(_Z10switchCasePj) {
  static const uint32_t k[6] = {11u, 22u, 33u, 44u, 55u, 66u};
  uint32_t *out = out_of(l, m);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < l->block[0]; t++) {
    uint32_t x = step10(t, k[t % 6u]);
    if (t % 6u == 2u) x = step10(x, k[3]);
    out[t] = step10(x, 3u);
  }
  return 0;
}

GOLDEN(_Z11earlyReturnPj) {
  uint32_t *out = out_of(l, m);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < l->block[0]; t++) {
    if (t % 32u >= 12u) out[t] = step10(t, 3u);
  }
  return 0;
}

GOLDEN(_Z8tailWarpPj) {
  uint32_t *out = out_of(l, m), n = l->block[0];
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < n; t++) {
    uint32_t left = n - t / 32u * 32u; /* threads from this warp's first on */
    out[t] = step10(t, left >= 32u ? UINT32_MAX : (1u << left) - 1u);
  }
  return 0;
}

static int ladder(const wg_golden_launch_t *l, wg_golden_mem_t *m, uint32_t paths) {
  uint32_t *out = out_of(l, m);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < l->block[0]; t++) out[t] = step10(t, t % paths);
  return 0;
}
GOLDEN(_Z6ladderILi1EEvPj) { return ladder(l, m, 1u); }
GOLDEN(_Z6ladderILi2EEvPj) { return ladder(l, m, 2u); }
GOLDEN(_Z6ladderILi4EEvPj) { return ladder(l, m, 4u); }
GOLDEN(_Z6ladderILi8EEvPj) { return ladder(l, m, 8u); }
GOLDEN(_Z6ladderILi16EEvPj) { return ladder(l, m, 16u); }
GOLDEN(_Z6ladderILi32EEvPj) { return ladder(l, m, 32u); }

static int by_sign(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  uint32_t n = l->block[0];
  const float *in = wg_golden_f32(l, m, 0, 0, n);
  float *out = wg_golden_f32(l, m, 8, 0, n);
  if (in == NULL || out == NULL) return 1;
  for (uint32_t t = 0; t < n; t++) {
    float x = in[t];
    out[t] = x > 0.0f ? x + x : x * x * x * x * x;
  }
  return 0;
}
GOLDEN(_Z8asBranchPKfPf) { return by_sign(l, m); }
GOLDEN(_Z12asPredicatesPKfPf) { return by_sign(l, m); }
