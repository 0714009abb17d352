// SPDX-License-Identifier: Apache-2.0
//
// Greedy, then oldest: the slot issued last goes on while it is eligible; else the eligible warp that was launched
// first. "Issued last" is a slot number: it stays when the slot gets a new warp. Source: Rogers et al., MICRO 2012.
#include "model/twin/sched.h"

static wg_sched_out_t pick(wg_sched_t *s, const wg_sched_in_t *in) {
  if (in->eligible == 0u) return (wg_sched_out_t){false, 0u};
  unsigned best = s->last;
  if (!s->has_last || (in->eligible >> s->last & 1u) == 0u) {
    best = (unsigned)__builtin_ctz(in->eligible);
    for (unsigned w = best + 1u; w < s->num_slots; w++) {
      if ((in->eligible >> w & 1u) != 0u && s->age[w] < s->age[best]) best = w;
    }
  }
  s->last = (uint8_t)best;
  s->has_last = true;
  return (wg_sched_out_t){true, (uint8_t)best};
}

const wg_sched_policy_t wg_sched_gto = {kWgPolicyGto, pick};
