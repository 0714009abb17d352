// SPDX-License-Identifier: Apache-2.0
//
// random: any SM on which the block fits, each as likely as the others. Equal seeds give equal runs.
#include "model/gte/gte_policy.h"

typedef struct chance {
  uint64_t state; /* splitmix64 */
} chance_t;

static size_t state_bytes(uint32_t sms) {
  (void)sms;
  return sizeof(chance_t);
}

static void clear(void *state, const wg_gte_view_t *v, const uint32_t knob[kWgGteMaxKnobs]) {
  (void)v;
  ((chance_t *)state)->state = knob[0];
}

/* Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
static uint64_t value(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static wg_gte_answer_t pick(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t *sm) {
  uint32_t n = wg_gte_view_sms(v), fit = 0;
  for (uint32_t s = 0; s < n; s++) fit += wg_gte_view_fits(v, grid, s);
  if (fit == 0) return kWgGteFull;
  uint32_t k = (uint32_t)(value(((chance_t *)state)->state) % fit);
  for (uint32_t s = 0; s < n; s++) {
    if (wg_gte_view_fits(v, grid, s) && k-- == 0) {
      *sm = s;
      break;
    }
  }
  return kWgGtePick;
}

static void sent(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t sm) {
  (void)v, (void)grid, (void)sm;
  ((chance_t *)state)->state += UINT64_C(0x9e3779b97f4a7c15);
}

const wg_gte_policy_t wg_gte_policy_random = {
    .name = "random",
    .doc = "any SM on which the block fits",
    .source = "programs must not depend on where blocks run",
    .num_knobs = 1,
    .knobs = "seed",
    .knob = {1},
    .hi = {UINT32_MAX},
    .period_knob = -1,
    .state_bytes = state_bytes,
    .clear = clear,
    .pick = pick,
    .sent = sent,
};
