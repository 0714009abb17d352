// SPDX-License-Identifier: Apache-2.0
//
// Strict round robin: the turn is at the next running slot behind the one issued last, slot numbers in a ring; if it
// is not eligible, nothing issues. A slot at a block barrier or without lanes has no turn. Begins at slot 0.
#include "model/twin/sched.h"

static wg_sched_out_t pick(const wg_sched_t *s, const wg_sched_in_t *in) {
  unsigned turn = wg_sched_next(s, (uint16_t)(in->valid & ~in->parked), s->last);
  if (turn < s->num_slots && wg_sched_has(in->eligible, turn)) {
    return wg_sched_answer(s, turn, (uint16_t)(in->eligible & ~(1u << turn)));
  }
  return wg_sched_answer(s, s->num_slots, in->eligible);
}

const wg_sched_policy_t wg_sched_rr = {kWgSchedAbi, kWgPolicyRr, pick, NULL};
