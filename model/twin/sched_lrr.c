// SPDX-License-Identifier: Apache-2.0
//
// Loose round robin: the next eligible slot behind the one issued last, slot numbers in a ring; slots that are not
// eligible are passed over. Begins at slot 0.
#include "model/twin/sched.h"

static wg_sched_out_t pick(wg_sched_t *s, const wg_sched_in_t *in) {
  for (unsigned k = 1; k <= s->num_slots; k++) {
    unsigned w = (s->last + k) % s->num_slots;
    if ((in->eligible >> w & 1u) == 0u) continue;
    s->last = (uint8_t)w;
    s->has_last = true;
    return (wg_sched_out_t){true, (uint8_t)w};
  }
  return (wg_sched_out_t){false, 0u};
}

const wg_sched_policy_t wg_sched_lrr = {kWgPolicyLrr, pick};
