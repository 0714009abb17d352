// SPDX-License-Identifier: Apache-2.0
//
// What each rung of ladders.cu must leave in memory.
#include "programs/wg_golden.h"

#define GOLDEN(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m)

static uint32_t *words(const wg_golden_launch_t *l, wg_golden_mem_t *m, size_t offset, size_t count) {
  return m->at(m->ctx, wg_golden_u64(l, offset), count * sizeof(uint32_t));
}
static uint32_t threads_of(const wg_golden_launch_t *l) { return l->grid[0] * l->block[0]; }

GOLDEN(_Z10loadStridePKjPjjj) {
  uint32_t n = threads_of(l), stride = (uint32_t)wg_golden_i32(l, 16), offset = (uint32_t)wg_golden_i32(l, 20);
  const uint32_t *in = words(l, m, 0, (size_t)n * 32u + 32u);
  uint32_t *out = words(l, m, 8, n);
  if (in == NULL || out == NULL) return 1;
  for (uint32_t i = 0; i < n; i++) out[i] = in[i / 32u * 1024u + i % 32u * stride + offset];
  return 0;
}

GOLDEN(_Z10loadSharedPjj) {
  uint32_t *out = words(l, m, 0, 32), stride = (uint32_t)wg_golden_i32(l, 8);
  if (out == NULL) return 1;
  for (uint32_t t = 0; t < 32u; t++) {
    out[t] = 0u;
    for (uint32_t r = 0; r < 16u; r++) out[t] += (t * stride + r) % 2048u;
  }
  return 0;
}

static int stream(const wg_golden_launch_t *l, wg_golden_mem_t *m, uint32_t loads) {
  uint32_t n = threads_of(l), turns = (uint32_t)wg_golden_i32(l, 16), wrap = (uint32_t)wg_golden_i32(l, 20);
  const uint32_t *in = wrap == 0u ? NULL : words(l, m, 0, (size_t)n * loads * wrap);
  uint32_t *out = words(l, m, 8, n);
  if (in == NULL || out == NULL) return 1;
  memset(out, 0, n * sizeof *out);
  for (uint32_t t = 0; t < turns; t++) {
    const uint32_t *turn = in + (size_t)(t % wrap) * n * loads;
    for (uint32_t i = 0; i < n * loads; i++) out[i / 32u / loads * 32u + i % 32u] += turn[i];
  }
  return 0;
}
GOLDEN(_Z6streamILi1EEvPKjPjjj) { return stream(l, m, 1u); }
GOLDEN(_Z6streamILi2EEvPKjPjjj) { return stream(l, m, 2u); }
GOLDEN(_Z6streamILi4EEvPKjPjjj) { return stream(l, m, 4u); }

GOLDEN(_Z5chasePKjPjj) {
  uint32_t n = (uint32_t)wg_golden_i32(l, 16);
  const uint32_t *next = words(l, m, 0, n);
  uint32_t *out = words(l, m, 8, threads_of(l));
  if (next == NULL || out == NULL) return 1;
  for (uint32_t i = 0; i < threads_of(l); i++) out[i] = next[next[next[next[i % n]]]];
  return 0;
}

static int sums(const wg_golden_launch_t *l, wg_golden_mem_t *m, uint32_t count) {
  uint32_t n = threads_of(l), turns = (uint32_t)wg_golden_i32(l, 16);
  const uint32_t *in = words(l, m, 0, n + count);
  uint32_t *out = words(l, m, 8, n);
  if (in == NULL || out == NULL) return 1;
  for (uint32_t t = 0; t < n; t++) {
    uint32_t s[320];
    memcpy(s, in + t, count * sizeof *s);
    for (uint32_t k = 0; k < turns; k++) {
      for (uint32_t i = 0; i < count; i++) s[i] = s[i] * 3u + s[(i + 1u) % count];
    }
    out[t] = 0u;
    for (uint32_t i = 0; i < count; i++) out[t] ^= s[i];
  }
  return 0;
}
GOLDEN(_Z4sumsILi16EEvPKjPjj) { return sums(l, m, 16u); }
GOLDEN(_Z4sumsILi64EEvPKjPjj) { return sums(l, m, 64u); }
GOLDEN(_Z4sumsILi128EEvPKjPjj) { return sums(l, m, 128u); }
GOLDEN(_Z4sumsILi224EEvPKjPjj) { return sums(l, m, 224u); }
GOLDEN(_Z4sumsILi320EEvPKjPjj) { return sums(l, m, 320u); }

/* The node where `turns` steps end; all lanes go the same way. */
static int follow(uint32_t *out, uint32_t start, uint32_t turns, uint32_t nodes) {
  if (out == NULL || nodes == 0u) return 1;
  for (uint32_t k = 0; k < turns; k++) start = (start * 5u + 3u) % nodes;
  for (uint32_t i = 0; i < 32u; i++) out[i] = start;
  return 0;
}

/* What the nodes hold decides, as on the device. */
static int follow_device(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  uint64_t at = wg_golden_u64(l, 0), base = wg_golden_u64(l, 8);
  uint32_t step = (uint32_t)wg_golden_i32(l, 16), turns = (uint32_t)wg_golden_i32(l, 32), *out = words(l, m, 24, 32);
  for (uint32_t k = 0; k < turns; k++) {
    const uint64_t *p = m->at(m->ctx, at, sizeof at);
    if (p == NULL) return 1;
    at = *p;
  }
  if (out == NULL || step == 0u) return 1;
  for (uint32_t i = 0; i < 32u; i++) out[i] = (uint32_t)(at - base) / step;
  return 0;
}
GOLDEN(_Z14followPointersPKyPKcjPjj) { return follow_device(l, m); }
GOLDEN(_Z14followVolatilePVKyPKcjPjj) { return follow_device(l, m); }
GOLDEN(_Z12followSharedPjj) { return follow(words(l, m, 0, 32), 0u, (uint32_t)wg_golden_i32(l, 8), 32u); }
GOLDEN(_Z14followConstantPjj) { return follow(words(l, m, 0, 32), 0u, (uint32_t)wg_golden_i32(l, 8), 32u); }
GOLDEN(_Z11followLocalPKjPjj) { return follow(words(l, m, 8, 32), 0u, (uint32_t)wg_golden_i32(l, 16), 32u); }
GOLDEN(_Z14followRegisterPjjjj) { return follow(words(l, m, 0, 32), 0u, (uint32_t)wg_golden_i32(l, 8), 32u); }
