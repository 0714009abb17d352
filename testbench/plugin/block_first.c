// SPDX-License-Identifier: Apache-2.0
//
// A warp scheduler in C that looks at blocks: the warp that has issued least recently in the lowest block slot with
// an eligible warp.
#include "model/twin/sched.h"

static wg_sched_out_t pick(const wg_sched_t *s, const wg_sched_in_t *in) {
  const wg_sched_more_t *m = in->more;
  unsigned best = s->num_slots;
  for (unsigned w = 0; w < s->num_slots; w++) {
    if (!wg_sched_has(in->eligible, w) || m->reason[w] != kWgReasonNotSelected) continue;
    if (best == s->num_slots || m->block[w] < m->block[best] ||
        (m->block[w] == m->block[best] && m->since_issue[w] > m->since_issue[best])) {
      best = w;
    }
  }
  return wg_sched_answer(s, best, 0);
}

const wg_sched_policy_t wg_sched_block_first = {kWgSchedAbi, kWgPolicyExt, pick, NULL};
