// SPDX-License-Identifier: Apache-2.0
//
// breadth: round robin over the SMs. The next SM behind the one that got the last block, on which the block fits.
#include "model/gte/gte_policy.h"

typedef struct breadth {
  uint32_t turn; /* SM that is asked first */
} breadth_t;

static size_t state_bytes(uint32_t sms) {
  (void)sms;
  return sizeof(breadth_t);
}

/* A grid that has the GPU for itself begins at SM 0, so that its cycles do not depend on earlier ones. */
static void grid_begin(void *state, const wg_gte_view_t *v, uint32_t grid) {
  (void)grid;
  if (wg_gte_view_grids(v) == 1) ((breadth_t *)state)->turn = 0;
}

static wg_gte_answer_t pick(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t *sm) {
  uint32_t n = wg_gte_view_sms(v), turn = ((breadth_t *)state)->turn;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t s = turn + i < n ? turn + i : turn + i - n;
    if (!wg_gte_view_fits(v, grid, s)) continue;
    *sm = s;
    return kWgGtePick;
  }
  return kWgGteFull;
}

static void sent(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t sm) {
  (void)grid;
  ((breadth_t *)state)->turn = (sm + 1) % wg_gte_view_sms(v);
}

const wg_gte_policy_t wg_gte_policy_breadth = {
    .name = "breadth",
    .doc = "round robin over the SMs: the next one on which the block fits",
    .source = "the lecture's timeline (t1 to t4 alternate between the SMs)",
    .period_knob = -1,
    .state_bytes = state_bytes,
    .grid_begin = grid_begin,
    .pick = pick,
    .sent = sent,
};
