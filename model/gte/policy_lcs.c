// SPDX-License-Identifier: Apache-2.0
//
// lcs: lazy limit. An SM begins with all blocks that fit. When its first block of a grid ends, the instructions that
// the SM has issued meanwhile, over those of the block that ended, say how many blocks really shared the issue slots;
// from then on the SM gets no more of them at a time. Works with warp schedulers that prefer old warps (gto): the
// others issue alike for all blocks, and the quotient is the number of blocks that are there.
#include "model/gte/gte_policy.h"

/* a grid on an SM */
typedef struct lazy {
  uint32_t limit;       /* 0 = not known yet */
  uint64_t issued_then; /* the SM's counter when the grid's first block came */
} lazy_t;

typedef struct lcs {
  uint32_t turn;
  lazy_t at[]; /* [grid slots][sms] */
} lcs_t;

static size_t state_bytes(uint32_t sms) { return sizeof(lcs_t) + (size_t)kWgGteMaxGridSlots * sms * sizeof(lazy_t); }

static lazy_t *at(lcs_t *l, const wg_gte_view_t *v, uint32_t grid, uint32_t sm) {
  return &l->at[(size_t)grid * wg_gte_view_sms(v) + sm];
}

static void grid_begin(void *state, const wg_gte_view_t *v, uint32_t grid) {
  lcs_t *l = state;
  for (uint32_t s = 0; s < wg_gte_view_sms(v); s++) *at(l, v, grid, s) = (lazy_t){0};
  if (wg_gte_view_grids(v) == 1) l->turn = 0;
}

static wg_gte_answer_t pick(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t *sm) {
  lcs_t *l = state;
  uint32_t n = wg_gte_view_sms(v);
  bool some = false;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t s = (l->turn + i) % n, limit = at(l, v, grid, s)->limit;
    wg_gte_sm_view_t view;
    if (!wg_gte_view_fits(v, grid, s)) continue;
    some = true;
    wg_gte_view_sm(v, grid, s, &view);
    if (limit != 0 && view.grid_blocks >= limit) continue;
    *sm = s;
    return kWgGtePick;
  }
  return some ? kWgGteWithheld : kWgGteFull;
}

static void sent(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t sm) {
  lcs_t *l = state;
  wg_gte_sm_view_t view;
  wg_gte_view_sm(v, grid, sm, &view);
  if (view.grid_sent == 1) at(l, v, grid, sm)->issued_then = view.issued;
  l->turn = (sm + 1) % wg_gte_view_sms(v);
}

static void ended(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t sm, uint64_t issued) {
  lazy_t *a = at(state, v, grid, sm);
  if (a->limit != 0) return;
  wg_gte_sm_view_t view;
  wg_gte_view_sm(v, grid, sm, &view);
  uint32_t most = wg_gte_view_capacity(v, grid);
  uint64_t all = view.issued - a->issued_then, limit = issued == 0 ? most : (all + issued - 1) / issued;
  a->limit = limit < 1 ? 1 : limit > most ? most : (uint32_t)limit;
}

const wg_gte_policy_t wg_gte_policy_lcs = {
    .name = "lcs",
    .doc = "lazy limit: at an SM's first block end, its instructions over that block's (rounded up) limit its blocks",
    .source = "lazy CTA scheduling, Lee et al., HPCA 2014",
    .samples = true,
    .period_knob = -1,
    .state_bytes = state_bytes,
    .grid_begin = grid_begin,
    .pick = pick,
    .sent = sent,
    .ended = ended,
};
