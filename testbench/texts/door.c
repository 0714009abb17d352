// SPDX-License-Identifier: Apache-2.0
//
// Round robin that tells on stderr what it sees at the scheduler's door: `depth N` when a warp's divergence stack is
// higher than any before, `barrier MASK` when the set of warps at a block barrier changes (bit i = slot i: on a
// machine of one sub-core, warp i of the only block). For testbench/texts/texts_test.py.
#include <stdio.h>

#include "model/twin/sched.h"

static wg_sched_out_t pick(const wg_sched_t *s, const wg_sched_in_t *in) {
  for (unsigned i = 1; i <= s->num_slots; i++) {
    unsigned w = (s->last + i) % s->num_slots;
    if (wg_sched_has(in->eligible, w)) return wg_sched_answer(s, w, 0);
  }
  return wg_sched_answer(s, s->num_slots, 0);
}

static void update(wg_sched_t *s, const wg_sched_in_t *in, const wg_sched_out_t *out) {
  uint32_t depth = s->word[0], mask = 0;
  (void)out;
  for (unsigned w = 0; w < s->num_slots; w++) {
    if (!wg_sched_has(in->valid, w)) continue;
    if (in->more->depth[w] > depth) depth = in->more->depth[w];
    if (in->more->reason[w] == kWgReasonBarrier) mask |= 1u << w;
  }
  if (depth != s->word[0]) fprintf(stderr, "depth %u\n", depth);
  if (mask != s->word[1]) {
    fprintf(stderr, "barrier ");
    for (unsigned w = s->num_slots; w-- > 0;) fputc((mask >> w & 1u) != 0u ? '1' : '0', stderr);
    fputc('\n', stderr);
  }
  s->word[0] = depth;
  s->word[1] = mask;
}

const wg_sched_policy_t wg_sched_door = {kWgSchedAbi, kWgPolicyExt, pick, update};
