// SPDX-License-Identifier: Apache-2.0
//
// The C ABI of a warp scheduler that drives the pick port (policy kWgPolicyExt): a policy written in C, or an RTL
// policy verilated alone (scripts/plugin.sh). A plug-in is a shared library that exports `wg_policy_plugin`, and
// `const uint32_t wg_policy_warp_slots` if it can serve so many warp slots and no more. It sees the scheduler door and
// nothing else, so it takes the same cycles as the same policy built into the SM.
#ifndef WG_COSIM_POLICY_PLUGIN_H
#define WG_COSIM_POLICY_PLUGIN_H

#include "cosim/sm_dut.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wg_policy_plugin {
  uint32_t abi_version; /* kWgAbiVersion */
  const char *name;
  const void *impl; /* the plug-in's own */
  /** One instance drives one sub-core. @param warp_slots of the shape; @param knob four 32-bit knobs of the launch
      @param progress_cycles progress rule that the plug-in puts around its policy (wg_sched_init); 0: none */
  void *(*create)(const struct wg_policy_plugin *self, uint32_t warp_slots, const uint32_t knob[4], uint32_t progress_cycles);
  /**
   * Decide a cycle; called once in every cycle in which the sub-core has a valid warp. The pick is issued in that cycle.
   * @param[out] withheld slots that the policy throttles, for slot accounting
   * @return a slot of view->eligible, or -1
   */
  int (*pick)(void *state, const sm_sched_view_t *view, uint16_t *withheld);
  void (*destroy)(void *state);
} wg_policy_plugin_t;

#ifdef __cplusplus
}
#endif
#endif
