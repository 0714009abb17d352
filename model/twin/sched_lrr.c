// SPDX-License-Identifier: Apache-2.0
//
// Loose round robin: the next eligible slot behind the one issued last, slot numbers in a ring; slots that are not
// eligible are passed over. Begins at slot 0.
#include "model/twin/sched.h"

static wg_sched_out_t pick(const wg_sched_t *s, const wg_sched_in_t *in) {
  return wg_sched_answer(s, wg_sched_next(s, in->eligible, s->last), 0);
}

const wg_sched_policy_t wg_sched_lrr = {kWgSchedAbi, kWgPolicyLrr, pick, NULL};
