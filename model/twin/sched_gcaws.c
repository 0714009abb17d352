// SPDX-License-Identifier: Apache-2.0
//
// Greedy, then most critical: see rtl/sched/sm_sched_gcaws.sv for the rules. knob 0: cycles an instruction, 1..255,
// 0 = kWgGcawsCpi. Sources: Lee et al., ISCA 2015 (gCAWS in CAWA); Lee and Wu, PACT 2014.
#include "model/twin/sched.h"

enum { kPath, kStall }; /* slot words: cycles, at most 65535 */

static uint32_t critical(const wg_sched_t *s, unsigned w) { return s->slot_word[kPath][w] + s->slot_word[kStall][w]; }

static wg_sched_out_t pick(const wg_sched_t *s, const wg_sched_in_t *in) {
  if (s->has_last && wg_sched_has(in->eligible, s->last)) return wg_sched_answer(s, s->last, 0);
  unsigned best = s->num_slots;
  for (unsigned w = 0; w < s->num_slots; w++) {
    if (!wg_sched_has(in->eligible, w)) continue;
    if (best == s->num_slots || critical(s, w) > critical(s, best) ||
        (critical(s, w) == critical(s, best) && s->age[w] < s->age[best])) {
      best = w;
    }
  }
  return wg_sched_answer(s, best, 0);
}

static void update(wg_sched_t *s, const wg_sched_in_t *in, const wg_sched_out_t *out) {
  uint32_t cpi = wg_sched_knob(s, 0, kWgGcawsCpi, 255);
  for (unsigned w = 0; w < s->num_slots; w++) {
    uint32_t *path = &s->slot_word[kPath][w], *stall = &s->slot_word[kStall][w];
    if (wg_sched_has(in->launched, w)) *path = *stall = 0;
    if (wg_sched_has(in->launched | in->parked, w) || !wg_sched_has(in->valid, w)) continue;
    if (out->issue && out->warp == w) *path = *path > cpi ? *path - cpi : 0u;
    else if (*stall < 65535u) ++*stall;
    if (in->branch && in->branch_slot == w) *path += in->branch_insts * cpi;
    if (*path > 65535u) *path = 65535u;
  }
}

const wg_sched_policy_t wg_sched_gcaws = {kWgSchedAbi, kWgPolicyGcaws, pick, update};
