// SPDX-License-Identifier: Apache-2.0
//
// Greedy, then youngest: the slot issued last goes on while it is eligible; else the eligible warp that was launched
// last.
// Source: Huerta et al., arXiv 2503.20481 (MICRO 2025).
#include "model/twin/sched.h"

static wg_sched_out_t pick(const wg_sched_t *s, const wg_sched_in_t *in) {
  if (s->has_last && wg_sched_has(in->eligible, s->last)) return wg_sched_answer(s, s->last, 0);
  unsigned best = s->num_slots;
  for (unsigned w = 0; w < s->num_slots; w++) {
    if (wg_sched_has(in->eligible, w) && (best == s->num_slots || s->age[w] > s->age[best])) best = w;
  }
  return wg_sched_answer(s, best, 0);
}

const wg_sched_policy_t wg_sched_gty = {kWgSchedAbi, kWgPolicyGty, pick, NULL};
