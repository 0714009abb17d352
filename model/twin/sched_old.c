// SPDX-License-Identifier: Apache-2.0
//
// Oldest first: the eligible slot that was bound first.
#include "model/twin/sched.h"

static wg_sched_out_t pick(const wg_sched_t *s, const wg_sched_in_t *in) {
  return wg_sched_answer(s, wg_sched_oldest(s, in->eligible), 0);
}

const wg_sched_policy_t wg_sched_old = {kWgSchedAbi, kWgPolicyOld, pick, NULL};
