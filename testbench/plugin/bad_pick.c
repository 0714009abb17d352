// SPDX-License-Identifier: Apache-2.0
//
// A warp scheduler with a fault, for the test of the message: it picks slot 0, eligible or not.
#include "model/twin/sched.h"

static wg_sched_out_t pick(const wg_sched_t *s, const wg_sched_in_t *in) {
  (void)s, (void)in;
  return (wg_sched_out_t){.issue = true, .warp = 0};
}

const wg_sched_policy_t wg_sched_bad_pick = {kWgSchedAbi, kWgPolicyExt, pick, NULL};
