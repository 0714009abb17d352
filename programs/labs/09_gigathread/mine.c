// SPDX-License-Identifier: Apache-2.0
//
// Lab 9: a block policy, and what limits the blocks of an SM. As it stands the policy places no block.

// answer a_blocks = ?
// answer a_limiter = ?
// answer b_blocks = ?
// answer b_limiter = ?
// answer c_blocks = ?
// answer c_limiter = ?
// answer c_waves = ?
// answer d_blocks = ?
// answer d_limiter = ?
// answer d_waves = ?

#include "model/gte/gte_policy.h"

static wg_gte_answer_t pick(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t *sm) {
  (void)state, (void)v, (void)grid, (void)sm; /* your policy: put the SM into *sm and answer kWgGtePick */
  return kWgGteFull;
}

const wg_gte_policy_t wg_gte_policy_mine = {.period_knob = -1, .pick = pick};
