// SPDX-License-Identifier: Apache-2.0
#include "model/twin/sched.h"

#include <string.h>

static const wg_sched_policy_t *const kPolicies[] = {
    &wg_sched_lrr, &wg_sched_rr,   &wg_sched_old,   &wg_sched_gto, &wg_sched_twolevel,
    &wg_sched_swl, &wg_sched_ccws, &wg_sched_gcaws, &wg_sched_gty,
};

void wg_sched_init(wg_sched_t *s, const wg_sched_policy_t *policy, uint32_t num_slots, const uint32_t knob[4],
                   uint32_t progress_cycles) {
  memset(s, 0, sizeof *s);
  s->policy = policy;
  s->num_slots = num_slots;
  memcpy(s->knob, knob, sizeof s->knob);
  s->last = (uint8_t)(num_slots - 1u);
  s->progress_cycles = progress_cycles;
}

bool wg_sched_reset(wg_sched_t *s, unsigned policy, uint32_t num_slots, const uint32_t knob[4], uint32_t progress_cycles) {
  for (size_t i = 0; i < sizeof kPolicies / sizeof kPolicies[0]; i++) {
    if (kPolicies[i]->id != policy) continue;
    wg_sched_init(s, kPolicies[i], num_slots, knob, progress_cycles);
    return true;
  }
  return false;
}

/* The progress rule: a slot that waited long enough issues first; several take turns in slot order, but the lowest that
   has not issued yet goes before the others: so the wait has a bound. */
static void force(const wg_sched_t *s, const wg_sched_in_t *in, wg_sched_out_t *o) {
  uint16_t set = s->granted & in->eligible;
  if (set == 0u) return;
  o->issue = true;
  o->warp = (uint8_t)wg_sched_next(s, set, s->last);
  for (unsigned w = s->num_slots; w-- > 0u;) {
    if (wg_sched_has(set, w) && s->count[w] == kWgSchedGrant - 1) o->warp = (uint8_t)w;
  }
}

static void count(wg_sched_t *s, const wg_sched_in_t *in, const wg_sched_out_t *o) {
  s->waiting = (uint16_t)((s->waiting | in->eligible) & ~in->launched);
  if (o->issue) s->waiting &= (uint16_t) ~(1u << o->warp);
  bool step = s->tick++ % kWgSchedStep == kWgSchedStep - 1;
  for (unsigned w = 0; w < s->num_slots; w++) {
    uint16_t me = (uint16_t)(1u << w);
    bool granted = (s->granted & me) != 0u;
    if ((in->launched & me) != 0u || (o->issue && o->warp == w && !(granted && s->count[w] != 0u))) {
      s->granted &= (uint16_t)~me;
      s->count[w] = 0;
    } else if (o->issue && o->warp == w) {
      s->count[w]--;
    } else if (step && (s->waiting & me) != 0u && !granted && ++s->count[w] == s->progress_cycles / kWgSchedStep) {
      s->granted |= me;
      s->count[w] = kWgSchedGrant - 1;
    }
  }
}

wg_sched_out_t wg_sched_step(wg_sched_t *s, const wg_sched_in_t *in) {
  for (unsigned w = 0; w < s->num_slots; w++) {
    if (wg_sched_has(in->launched, w)) s->age[w] = s->launches++;
  }
  wg_sched_out_t o = s->policy->pick(s, in);
  force(s, in, &o);
  if (s->policy->update != NULL) s->policy->update(s, in, &o);
  if (s->progress_cycles != 0u) count(s, in, &o);
  if (o.issue) {
    s->last = o.warp;
    s->has_last = true;
  }
  return o;
}
