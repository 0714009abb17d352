// SPDX-License-Identifier: Apache-2.0
//
// Greedy, then oldest: the slot issued last goes on while it is eligible; else the eligible warp that was launched
// first. "Issued last" is a slot number: it stays when the slot gets a new warp. Source: Rogers et al., MICRO 2012.
#include "model/twin/sched.h"

static wg_sched_out_t pick(const wg_sched_t *s, const wg_sched_in_t *in) {
  return wg_sched_answer(s, wg_sched_greedy_oldest(s, in->eligible), 0);
}

const wg_sched_policy_t wg_sched_gto = {kWgSchedAbi, kWgPolicyGto, pick, NULL};
