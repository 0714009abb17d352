// SPDX-License-Identifier: Apache-2.0
//
// Cache-conscious scheduling: see rtl/sched/sm_sched_ccws.sv for the rules.
// knob 0: base score, 1..4095, 0 = kWgCcwsBase; knob 1: points of a victim-tag hit, 1..65535, 0 = kWgCcwsHit.
// Source: Rogers et al., MICRO 2012.
#include "model/twin/sched.h"

enum { kExtra };  /* slot words: score above the base */
enum { kCannot }; /* words: slots that may not issue memory instructions */

static uint32_t base(const wg_sched_t *s) { return wg_sched_knob(s, 0, kWgCcwsBase, 4095); }
static uint32_t cutoff(const wg_sched_t *s, uint16_t running) {
  return base(s) * (uint32_t)__builtin_popcount(running);
}

static wg_sched_out_t pick(const wg_sched_t *s, const wg_sched_in_t *in) {
  uint16_t withheld = (uint16_t)(in->eligible & in->mem & s->word[kCannot]);
  return wg_sched_answer(s, wg_sched_greedy_oldest(s, (uint16_t)(in->eligible & ~withheld)), withheld);
}

/* The slots above which the stack is already as high as the cutoff: highest score first, of equal ones the oldest. */
static uint16_t over(const wg_sched_t *s, uint16_t running) {
  uint16_t left = running, set = 0;
  for (uint32_t height = 0; left != 0u;) {
    unsigned top = s->num_slots;
    for (unsigned w = 0; w < s->num_slots; w++) {
      if (!wg_sched_has(left, w)) continue;
      uint32_t a = s->slot_word[kExtra][w], b = top == s->num_slots ? 0u : s->slot_word[kExtra][top];
      if (top == s->num_slots || a > b || (a == b && s->age[w] < s->age[top])) top = w;
    }
    if (height >= cutoff(s, running)) set |= (uint16_t)(1u << top);
    height += base(s) + s->slot_word[kExtra][top];
    left &= (uint16_t) ~(1u << top);
  }
  return set;
}

static void update(wg_sched_t *s, const wg_sched_in_t *in, const wg_sched_out_t *out) {
  (void)out;
  uint16_t running = (uint16_t)(in->valid & ~in->parked);
  uint32_t *extra = s->slot_word[kExtra], max = cutoff(s, running);
  s->word[kCannot] = over(s, running);
  for (unsigned w = 0; w < s->num_slots; w++) {
    if (wg_sched_has(in->launched, w)) {
      extra[w] = 0;
    } else if (in->vta_hit && in->vta_slot == w) {
      extra[w] += wg_sched_knob(s, 1, kWgCcwsHit, 65535);
      if (extra[w] > max) extra[w] = max;
    } else if (extra[w] != 0u) {
      extra[w]--;
    }
  }
}

const wg_sched_policy_t wg_sched_ccws = {kWgSchedAbi, kWgPolicyCcws, pick, update};
