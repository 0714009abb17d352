// SPDX-License-Identifier: Apache-2.0
#include "model/twin/sched.h"

#include <string.h>

static const wg_sched_policy_t *const kPolicies[] = {
    &wg_sched_lrr,
    &wg_sched_gto,
};

bool wg_sched_reset(wg_sched_t *s, unsigned policy, uint32_t num_slots, const uint32_t knob[4]) {
  for (size_t i = 0; i < sizeof kPolicies / sizeof kPolicies[0]; i++) {
    if (kPolicies[i]->id != policy) continue;
    memset(s, 0, sizeof *s);
    s->policy = kPolicies[i];
    s->num_slots = num_slots;
    memcpy(s->knob, knob, sizeof s->knob);
    s->last = (uint8_t)(num_slots - 1u); /* so that round robin begins at slot 0 */
    return true;
  }
  return false;
}

void wg_sched_launch(wg_sched_t *s, unsigned slot) { s->age[slot] = s->launches++; }

wg_sched_out_t wg_sched_step(wg_sched_t *s, const wg_sched_in_t *in) { return s->policy->pick(s, in); }
