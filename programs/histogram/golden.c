// SPDX-License-Identifier: Apache-2.0
#include "programs/wg_golden.h"

enum { kBins = 64 };

static int count(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  size_t n = (size_t)wg_golden_i32(l, 16);
  const uint32_t *in = m->at(m->ctx, wg_golden_u64(l, 0), n * sizeof *in);
  uint32_t *bins = m->at(m->ctx, wg_golden_u64(l, 8), kBins * sizeof *bins);
  if (in == NULL || bins == NULL) return 1;
  for (size_t i = 0; i < n; i++) {
    if (in[i] >= kBins) return 1;
    bins[in[i]]++;
  }
  return 0;
}
#define FORM(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m) { return count(l, m); }
FORM(_Z15histogramGlobalPKjPji)
FORM(_Z15histogramSharedPKjPji)
