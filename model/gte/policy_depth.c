// SPDX-License-Identifier: Apache-2.0
//
// depth: fill one SM before the next one is used.
#include "model/gte/gte_policy.h"

static wg_gte_answer_t pick(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t *sm) {
  (void)state;
  for (uint32_t s = 0; s < wg_gte_view_sms(v); s++) {
    if (!wg_gte_view_fits(v, grid, s)) continue;
    *sm = s;
    return kWgGtePick;
  }
  return kWgGteFull;
}

const wg_gte_policy_t wg_gte_policy_depth = {
    .name = "depth",
    .doc = "fill an SM before the next one: the lowest SM on which the block fits",
    .source = "the opposite of breadth, to show what that is good for",
    .period_knob = -1,
    .pick = pick,
};
