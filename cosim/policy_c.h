// SPDX-License-Identifier: Apache-2.0
//
// A warp scheduler that exists in C only: `--sched c:NAME`. It is written against model/twin/sched.h, the interface
// of the twins, in one file that defines
//   const wg_sched_policy_t wg_sched_NAME = {kWgSchedAbi, kWgPolicyExt, pick, update or NULL};
// and made a shared library by scripts/cpolicy.sh NAME FILE.c: build/plugin/c/NAME.so. It drives the pick ports of
// the RTL, sees the scheduler door and nothing else, and keeps the launch's progress rule like every policy (wg_sched_step);
// so it takes the cycles that the same policy takes when it is built into the SM. testbench/plugin/robin.c is an
// example.
#ifndef WG_COSIM_POLICY_C_H
#define WG_COSIM_POLICY_C_H

#include "cosim/policy_plugin.h"
#include "model/twin/sched.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Load build/plugin/c/NAME.so; it stays loaded. @param name letters, digits and underscores
 * @return kWgNotFound with the remedy if there is none, kWgMismatch if it was built for another interface
 */
WG_NODISCARD wg_status_t wg_policy_c_load(const char *name, const wg_policy_plugin_t **out, wg_diag_t *diag);
/** A plug-in that asks `policy`. @param[out] out stays valid as long as `policy`; `name` is not copied */
void wg_policy_c_wrap(const wg_sched_policy_t *policy, const char *name, wg_policy_plugin_t *out);

#ifdef __cplusplus
}
#endif
#endif
