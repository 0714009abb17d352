// SPDX-License-Identifier: Apache-2.0
//
// dyncta: the number of blocks an SM may hold follows its issue slots. Every period: slots without work raise it,
// slots that waited for memory lower it. The paper pauses blocks that are too many; here they run to their end, and
// no new one comes.
#include "model/gte/gte_policy.h"

enum { kPeriod, kIdle, kMemLow, kMemHigh }; /* knobs */

typedef struct seen {
  uint64_t issued, idle, memory_wait;
} seen_t;

typedef struct dyncta {
  uint32_t turn, knob[kWgGteMaxKnobs];
  uint32_t sms;
  seen_t *seen;     /* [sms] counters when the last period ended */
  uint16_t limit[]; /* [grid slots][sms], behind it `seen` */
} dyncta_t;

static size_t limits_bytes(uint32_t sms) {
  size_t n = sizeof(dyncta_t) + (size_t)kWgGteMaxGridSlots * sms * sizeof(uint16_t);
  return (n + 15) / 16 * 16;
}

static size_t state_bytes(uint32_t sms) { return limits_bytes(sms) + sms * sizeof(seen_t); }

static void clear(void *state, const wg_gte_view_t *v, const uint32_t knob[kWgGteMaxKnobs]) {
  dyncta_t *d = state;
  d->sms = wg_gte_view_sms(v);
  for (unsigned i = 0; i < kWgGteMaxKnobs; i++) d->knob[i] = knob[i];
  d->seen = (void *)((char *)state + limits_bytes(d->sms)); /* aligned to 16 */
}

static uint16_t *limit_of(dyncta_t *d, uint32_t grid, uint32_t sm) { return &d->limit[(size_t)grid * d->sms + sm]; }

/* Half of what fits, as in the paper, but at least one. */
static void grid_begin(void *state, const wg_gte_view_t *v, uint32_t grid) {
  dyncta_t *d = state;
  uint32_t half = wg_gte_view_capacity(v, grid) / 2;
  for (uint32_t s = 0; s < d->sms; s++) *limit_of(d, grid, s) = (uint16_t)(half < 1 ? 1 : half);
  if (wg_gte_view_grids(v) == 1) d->turn = 0;
}

static wg_gte_answer_t pick(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t *sm) {
  dyncta_t *d = state;
  bool some = false;
  for (uint32_t i = 0; i < d->sms; i++) {
    uint32_t s = (d->turn + i) % d->sms;
    wg_gte_sm_view_t view;
    if (!wg_gte_view_fits(v, grid, s)) continue;
    some = true;
    wg_gte_view_sm(v, grid, s, &view);
    if (view.grid_blocks >= *limit_of(d, grid, s)) continue;
    *sm = s;
    return kWgGtePick;
  }
  return some ? kWgGteWithheld : kWgGteFull;
}

static void sent(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t sm) {
  (void)grid;
  ((dyncta_t *)state)->turn = (sm + 1) % wg_gte_view_sms(v);
}

/* +1, 0 or -1 for an SM by what its slots did in the period; an SM without blocks says nothing. Counters are slots of
 * all sub-cores; the knobs are cycles, as in the paper. */
static int step_of(const dyncta_t *d, const wg_gte_sm_view_t *now, const seen_t *then, uint32_t sub_cores) {
  uint64_t idle = (now->idle - then->idle) / sub_cores, wait = (now->memory_wait - then->memory_wait) / sub_cores;
  if (now->blocks == 0) return 0;
  if (idle >= d->knob[kIdle] || wait < d->knob[kMemLow]) return 1;
  return wait >= d->knob[kMemHigh] ? -1 : 0;
}

static void sample(void *state, const wg_gte_view_t *v) {
  dyncta_t *d = state;
  for (uint32_t s = 0; s < d->sms; s++) {
    wg_gte_sm_view_t now;
    wg_gte_view_sm(v, 0, s, &now);
    int step = step_of(d, &now, &d->seen[s], wg_gte_view_sub_cores(v));
    d->seen[s] = (seen_t){now.issued, now.idle, now.memory_wait};
    for (uint32_t g = 0; step != 0 && g < kWgGteMaxGridSlots; g++) {
      uint16_t *limit = limit_of(d, g, s);
      if (*limit == 0 || wg_gte_view_total(v, g) == 0) continue; /* no grid there */
      int next = *limit + step, most = (int)wg_gte_view_capacity(v, g);
      *limit = (uint16_t)(next < 1 ? 1 : next > most ? most : next);
    }
  }
}

const wg_gte_policy_t wg_gte_policy_dyncta = {
    .name = "dyncta",
    .doc = "dynamic count: an SM's blocks are limited; idle slots raise the limit, waits for memory lower it",
    .source = "DYNCTA, Kayiran et al., PACT 2013; the defaults are the paper's",
    .num_knobs = 4,
    .knobs =
        "period,idle,low,high: cycles of a period, idle cycles that raise, memory waits below which it raises and "
        "from "
        "which it lowers",
    .knob = {2048, 16, 128, 384},
    .lo = {64, 1, 0, 1},
    .hi = {1000000, 1000000, 1000000, 1000000},
    .samples = true,
    .period_knob = kPeriod,
    .state_bytes = state_bytes,
    .clear = clear,
    .grid_begin = grid_begin,
    .pick = pick,
    .sent = sent,
    .sample = sample,
};
