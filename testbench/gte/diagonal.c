// SPDX-License-Identifier: Apache-2.0
//
// A block policy in C: round robin that begins a round one SM further than the round before, so that blocks whose numbers
// are congruent modulo the number of SMs do not meet on one SM.
#include "model/gte/gte_policy.h"

static wg_gte_answer_t pick(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t *sm) {
  (void)state;
  uint64_t n = wg_gte_view_sms(v), sent = wg_gte_view_total(v, grid) - wg_gte_view_left(v, grid);
  for (uint64_t i = 0; i < n; i++) {
    uint32_t s = (uint32_t)((sent + sent / n + i) % n);
    if (!wg_gte_view_fits(v, grid, s)) continue;
    *sm = s;
    return kWgGtePick;
  }
  return kWgGteFull;
}

const wg_gte_policy_t wg_gte_policy_diagonal = {.period_knob = -1, .pick = pick};
