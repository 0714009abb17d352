// SPDX-License-Identifier: Apache-2.0
//
// greedy: the SM with the most room, measured by its scarcest resource. Differs from breadth where blocks end out of
// turn or grids with different blocks share the SMs.
#include "model/gte/gte_policy.h"

/* Blocks of this grid that would still fit tell the room in the unit that counts; an SM with fewer warps wins a tie.
 */
static uint64_t room(const wg_gte_view_t *v, uint32_t grid, uint32_t sm) {
  wg_gte_sm_view_t s;
  wg_gte_view_sm(v, grid, sm, &s);
  return (uint64_t)wg_gte_view_room(v, grid, sm, kWgMaxBlockSlots) << 32 | s.free_warps;
}

static wg_gte_answer_t pick(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t *sm) {
  (void)state;
  uint64_t best = 0;
  for (uint32_t s = 0; s < wg_gte_view_sms(v); s++) {
    if (!wg_gte_view_fits(v, grid, s)) continue;
    uint64_t r = room(v, grid, s);
    if (r <= best) continue;
    best = r;
    *sm = s;
  }
  return best == 0 ? kWgGteFull : kWgGtePick;
}

const wg_gte_policy_t wg_gte_policy_greedy = {
    .name = "greedy",
    .doc = "the SM with the most room left for such blocks; free warp slots, then the lower number, break ties",
    .source = "most-room-first, the third of the text's ways to place blocks",
    .period_knob = -1,
    .pick = pick,
};
