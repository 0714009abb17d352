// SPDX-License-Identifier: Apache-2.0
//
// bcs: two blocks that follow each other go to one SM, since neighbours share cache lines. An SM is taken when both
// fit; a place for one stays empty until there is a second (or goes to another grid).
#include "model/gte/gte_policy.h"

/* [grid slot] SM that had the first of a pair, + 1; 0 = the next block begins a pair */
typedef struct bcs {
  uint32_t turn;
  uint32_t open[kWgGteMaxGridSlots];
} bcs_t;

static size_t state_bytes(uint32_t sms) {
  (void)sms;
  return sizeof(bcs_t);
}

static void grid_begin(void *state, const wg_gte_view_t *v, uint32_t grid) {
  bcs_t *b = state;
  b->open[grid] = 0;
  if (wg_gte_view_grids(v) == 1) b->turn = 0;
}

static wg_gte_answer_t pick(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t *sm) {
  const bcs_t *b = state;
  uint32_t n = wg_gte_view_sms(v);
  if (b->open[grid] != 0 && wg_gte_view_fits(v, grid, b->open[grid] - 1)) {
    *sm = b->open[grid] - 1;
    return kWgGtePick;
  }
  /* no pairs where an SM holds one block, at the end of an odd grid, or if another grid took the second's place */
  bool single = wg_gte_view_capacity(v, grid) < 2 || wg_gte_view_left(v, grid) == 1 || b->open[grid] != 0;
  uint32_t want = single ? 1 : 2;
  bool some = false;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t s = (b->turn + i) % n, room = wg_gte_view_room(v, grid, s, want);
    some = some || room > 0;
    if (room < want) continue;
    *sm = s;
    return kWgGtePick;
  }
  return some ? kWgGteWithheld : kWgGteFull;
}

static void sent(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t sm) {
  bcs_t *b = state;
  bool second = b->open[grid] != 0 || wg_gte_view_capacity(v, grid) < 2;
  b->open[grid] = second ? 0 : sm + 1;
  if (second) b->turn = (sm + 1) % wg_gte_view_sms(v);
}

const wg_gte_policy_t wg_gte_policy_bcs = {
    .name = "bcs",
    .doc = "pairs: two blocks that follow each other go to one SM, when both fit there; pairs go round robin",
    .source = "block CTA scheduling, Lee et al., HPCA 2014",
    .period_knob = -1,
    .state_bytes = state_bytes,
    .grid_begin = grid_begin,
    .pick = pick,
    .sent = sent,
};
