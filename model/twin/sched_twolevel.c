// SPDX-License-Identifier: Apache-2.0
//
// Two-level scheduling: loose round robin among the active slots. A slot leaves the active set when its next
// instruction waits for a global load, at a block barrier and at its end; while there is room, one that waits for
// none of these enters a cycle, round robin. knob 0: places, 1..16, 0 = kWgTwoLevelActive.
// Sources: Gebhart et al., ISCA 2011; Narasiman et al., MICRO 2011.
#include "model/twin/sched.h"

enum { kActive, kEntered }; /* words: the set; number of the slot that entered last, plus 1 */

static wg_sched_out_t pick(const wg_sched_t *s, const wg_sched_in_t *in) {
  uint16_t set = (uint16_t)(in->eligible & s->word[kActive]);
  return wg_sched_answer(s, wg_sched_next(s, set, s->last), (uint16_t)(in->eligible & ~s->word[kActive]));
}

static void update(wg_sched_t *s, const wg_sched_in_t *in, const wg_sched_out_t *out) {
  (void)out;
  uint16_t ready = (uint16_t)(in->valid & ~in->parked & ~in->long_wait);
  uint16_t pending = (uint16_t)(ready & ~s->word[kActive]);
  s->word[kActive] &= ready;
  uint32_t used = (uint32_t)__builtin_popcount(s->word[kActive]);
  if (used >= wg_sched_knob(s, 0, kWgTwoLevelActive, kWgMaxWarpSlots)) return;
  unsigned w = wg_sched_next(s, pending, s->word[kEntered] == 0u ? s->num_slots - 1u : s->word[kEntered] - 1u);
  if (w == s->num_slots) return;
  s->word[kActive] |= 1u << w;
  s->word[kEntered] = w + 1u;
}

const wg_sched_policy_t wg_sched_twolevel = {kWgSchedAbi, kWgPolicyTwoLevel, pick, update};
