// SPDX-License-Identifier: Apache-2.0
//
// Lab 9, a solution: round robin that begins each round one SM further. The answers are reckoned by hand.

// answer a_blocks = 3
// answer a_limiter = shared
// answer b_blocks = 2
// answer b_limiter = warps
// answer c_blocks = 6
// answer c_limiter = registers
// answer c_waves = 3
// answer d_blocks = 32
// answer d_limiter = blocks
// answer d_waves = 2

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

const wg_gte_policy_t wg_gte_policy_mine = {.period_knob = -1, .pick = pick};
