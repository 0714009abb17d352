// SPDX-License-Identifier: Apache-2.0
//
// A warp scheduler in C: loose round robin once more. It takes the cycles of the built-in `lrr`.
//   scripts/cpolicy.sh robin testbench/plugin/robin.c && build/bin/warpglass run --sched c:robin ./program
#include "model/twin/sched.h"

static wg_sched_out_t pick(const wg_sched_t *s, const wg_sched_in_t *in) {
  wg_sched_out_t out = {.issue = false};
  for (unsigned k = 1; k <= s->num_slots && !out.issue; k++) {
    unsigned slot = (s->last + k) % s->num_slots;
    if ((in->eligible >> slot & 1u) == 0u) continue;
    out.issue = true;
    out.warp = (uint8_t)slot;
  }
  return out;
}

const wg_sched_policy_t wg_sched_robin = {kWgSchedAbi, kWgPolicyExt, pick, NULL};
