// SPDX-License-Identifier: Apache-2.0
//
// A block policy in C that does not ask whether a block fits: all go to SM 0 (knob 0; 99 is an SM that is not there).
#include "model/gte/gte_policy.h"

static size_t state_bytes(uint32_t sms) { return (void)sms, sizeof(uint32_t); }
static void clear(void *state, const wg_gte_view_t *v, const uint32_t knob[kWgGteMaxKnobs]) {
  (void)v;
  *(uint32_t *)state = knob[0];
}
static wg_gte_answer_t pick(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t *sm) {
  (void)v, (void)grid;
  *sm = *(uint32_t *)state;
  return kWgGtePick;
}

const wg_gte_policy_t wg_gte_policy_overfull = {
    .num_knobs = 1, .knobs = "the SM", .hi = {99}, .period_knob = -1, .state_bytes = state_bytes, .clear = clear, .pick = pick};
