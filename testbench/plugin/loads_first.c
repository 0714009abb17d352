// SPDX-License-Identifier: Apache-2.0
//
// A warp scheduler in C with state of its own: warps whose next instruction goes to memory first, of these the one
// that has missed the L1 least often since it was bound; else the oldest warp.
#include "model/twin/sched.h"

enum { kMisses }; /* words of a slot */

static wg_sched_out_t pick(const wg_sched_t *s, const wg_sched_in_t *in) {
  unsigned best = s->num_slots;
  for (unsigned w = 0; w < s->num_slots; w++) {
    if (!wg_sched_has(in->eligible & in->mem, w)) continue;
    if (best == s->num_slots || s->slot_word[kMisses][w] < s->slot_word[kMisses][best]) best = w;
  }
  return wg_sched_answer(s, best < s->num_slots ? best : wg_sched_oldest(s, in->eligible), 0);
}

static void update(wg_sched_t *s, const wg_sched_in_t *in, const wg_sched_out_t *out) {
  (void)out;
  for (unsigned w = 0; w < s->num_slots; w++) {
    if (wg_sched_has(in->launched, w)) s->slot_word[kMisses][w] = 0;
  }
  if (in->miss) s->slot_word[kMisses][in->miss_slot]++;
}

const wg_sched_policy_t wg_sched_loads_first = {kWgSchedAbi, kWgPolicyExt, pick, update};
