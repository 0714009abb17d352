// SPDX-License-Identifier: Apache-2.0
//
// A built-in warp scheduler as its paper has it: its twin WG_POLICY_TWIN (model/twin/sched_<name>.c) at the pick port without the
// progress rule that stands around every policy of the RTL (rtl/README.md, "Progress"; wg_sched_step). That rule serves a warp which has
// waited for 4,096 cycles with 64 instructions. A policy that keeps warps waiting to save the L1 does just that, so the rule undoes it.
// Kernels whose warps wait for each other may hang without it. Made by study.py: build/plugin/free_<name>.so.
#include <stdlib.h>

#include "cosim/policy_plugin.h"
#include "model/twin/sched.h"

static void *create(const wg_policy_plugin_t *self, uint32_t warp_slots, const uint32_t knob[4]) {
  (void)self;
  wg_sched_t *s = malloc(sizeof *s);
  if (s == NULL) abort();
  wg_sched_init(s, &WG_POLICY_TWIN, warp_slots, knob);
  return s;
}

static int pick(void *state, const sm_sched_view_t *view, uint16_t *withheld) {
  wg_sched_t *s = state;
  wg_sched_in_t in = {.valid = view->valid, .eligible = view->eligible};
  wg_sched_unpack(&in, view->event);
  for (unsigned w = 0; w < s->num_slots; w++) {
    if (wg_sched_has(in.launched, w)) s->age[w] = s->launches++;
  }
  wg_sched_out_t o = s->policy->pick(s, &in);
  if (s->policy->update != NULL) s->policy->update(s, &in, &o);
  *withheld = o.withheld;
  if (!o.issue) return -1;
  s->last = o.warp;
  s->has_last = true;
  return o.warp;
}

const wg_policy_plugin_t wg_policy_plugin = {
    .abi_version = kWgAbiVersion, .name = "free", .create = create, .pick = pick, .destroy = free};
