// SPDX-License-Identifier: Apache-2.0
//
// The RTL SM as a back end of model/sm_port.h: the bridge between the GPU model's messages and the verilated design, with the
// lockstep checker attached. One instance per SM; instances share the loaded library of a shape.
#ifndef WG_COSIM_SM_RTL_H
#define WG_COSIM_SM_RTL_H

#include "cosim/debug/debug.h"
#include "cosim/events.h"
#include "cosim/lockstep.h"
#include "cosim/policy_plugin.h"
#include "model/gte/gte.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wg_sm_rtl_opts {
  wg_lockstep_level_t check;   /* off, retire, units */
  wg_lockstep_env_t env;       /* memory, source lines, seed: for golden execution and reports */
  uint32_t seed;               /* random reset values */
  const char *trace_path;      /* FST or NULL; needs the wave variant */
  uint64_t trace_from, trace_to; /* SM cycles since creation, [from, to) */
  const char *trace_scope;       /* instance; NULL = all */
  unsigned trace_depth;          /* levels of instances, 0 = all */
  uint16_t sm;                   /* its number */
  wg_when_t find;                /* kind None: nothing is looked for */
  wg_when_t window;              /* the event that the recorder waits for; kind None: it waits for none */
  wg_recorder_t *recorder;       /* borrowed; NULL: events are not recorded */
  wg_debug_t *debug;             /* borrowed; NULL: no debugger is told */
  const char *inject;          /* "kind@n", see cosim/README.md; NULL = none; needs the inject variant */
} wg_sm_rtl_opts_t;

/** Is the library of an SM there, and of this version? @return as wg_sm_rtl_create */
WG_NODISCARD wg_status_t wg_sm_rtl_check(const char *shape, const char *variant, wg_diag_t *diag);
/**
 * Load build/sm/<shape>-<variant>/libwgsm.so and create an SM.
 * @param variant "fast", "wave" or "inject"
 * @return kWgOk; kWgNotFound if the library has not been built (the hint says how); kWgMismatch if it was built for
 *   another ABI or shape; kWgIo if the trace file cannot be written
 */
WG_NODISCARD wg_status_t wg_sm_rtl_create(const char *shape, const char *variant, const wg_sm_rtl_opts_t *opts,
                                          wg_sm_t **out, wg_diag_t *diag);

/** The checker of an instance; NULL at level off. */
wg_lockstep_t *wg_sm_rtl_lockstep(wg_sm_t *sm);
/**
 * Does the account of the scheduler slots add up? Every slot of a cycle with a resident block has one owner, and as many
 * slots are owned by an issue as the checker has seen instructions issue (if there is one). And does every resident warp have
 * one state in every cycle, and issues only what was eligible?
 * @return kWgMismatch with the two numbers
 */
wg_status_t wg_sm_rtl_check_slots(const wg_sm_t *sm, unsigned index, wg_diag_t *diag);
/** Lose a count (model/sum_faults.def) once, from SM cycle `from` on; does nothing for the GigaThread engine's. */
void wg_sm_rtl_lose(wg_sm_t *sm, wg_sum_fault_t what, uint64_t from);
/** Resident warps by state (kWgReason*), summed over cycles since creation. */
void wg_sm_rtl_warp_cycles(const wg_sm_t *sm, uint64_t out[kWgReasonCount]);
/** Scheduler slots by owner (kWgReason*) since creation, counted in cycles in which a block was resident. */
void wg_sm_rtl_slots(const wg_sm_t *sm, uint64_t out[kWgReasonCount]);
/** States of a sub-core's warps in the cycle that comes. Valid until then. */
const sm_warp_view_t *wg_sm_rtl_warps(const wg_sm_t *sm, unsigned sub);
/** Slot that a sub-core issued in the cycle that was stepped last, -1: none. */
int wg_sm_rtl_issued(const wg_sm_t *sm, unsigned sub);
/** Clock cycles stepped since creation, reset included: the time axis of a trace. */
uint64_t wg_sm_rtl_cycle(const wg_sm_t *sm);
/** Cycle (of the trace's time axis) of the event that opts.find names; false if it has not happened (hang: of the last issue). */
bool wg_sm_rtl_found(const wg_sm_t *sm, uint64_t *cycle);
/** Failed assertions in the design so far. */
unsigned wg_sm_rtl_assert_errors(const wg_sm_t *sm);

/** Slots of each sub-core whose next instruction lacks nothing but a turn, or a unit that others keep busy. @param[out] ready [kWgMaxSubCores] */
void wg_sm_rtl_ready(const wg_sm_t *sm, uint16_t *ready);

/** Load build/plugin/<name>.so. @param warp_slots of a sub-core of the machine; a plug-in that exports
    `const uint32_t wg_policy_warp_slots` was made for so many @return kWgNotFound (the hint says how to build it),
    kWgMismatch (other ABI), kWgBadInput (it sees fewer slots than there are) */
WG_NODISCARD wg_status_t wg_policy_plugin_load(const char *name, uint32_t warp_slots, const wg_policy_plugin_t **out,
                                               wg_diag_t *diag);
/** Let a plug-in drive the pick ports; takes effect at the next reset under policy kWgPolicyExt. */
void wg_sm_rtl_set_policy(wg_sm_t *sm, const wg_policy_plugin_t *plugin);
/** kWgBadInput with a message if the external policy has picked a slot that is not eligible (it was not issued). */
WG_NODISCARD wg_status_t wg_sm_rtl_policy_status(const wg_sm_t *sm, wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
