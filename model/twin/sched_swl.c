// SPDX-License-Identifier: Apache-2.0
//
// Static warp limiting: of the running warps (not at a block barrier, with lanes) the N oldest may issue, greedy,
// then oldest.
// knob 0: N, 1..16, 0 = kWgSwlWarps. Source: Rogers et al., MICRO 2012.
#include "model/twin/sched.h"

static uint16_t allowed(const wg_sched_t *s, uint16_t running) {
  uint16_t set = 0;
  for (uint32_t n = wg_sched_knob(s, 0, kWgSwlWarps, kWgMaxWarpSlots); n != 0u && running != 0u; n--) {
    uint16_t one = (uint16_t)(1u << wg_sched_oldest(s, running));
    set |= one;
    running &= (uint16_t)~one;
  }
  return set;
}

static wg_sched_out_t pick(const wg_sched_t *s, const wg_sched_in_t *in) {
  uint16_t may = allowed(s, (uint16_t)(in->valid & ~in->parked));
  unsigned w = wg_sched_greedy_oldest(s, (uint16_t)(in->eligible & may));
  return wg_sched_answer(s, w, (uint16_t)(in->eligible & ~may));
}

const wg_sched_policy_t wg_sched_swl = {kWgSchedAbi, kWgPolicySwl, pick, NULL};
