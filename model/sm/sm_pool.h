// SPDX-License-Identifier: Apache-2.0
//
// Host threads that tick SMs: within a cycle no SM sees another, and nothing else runs, so results cannot depend on their
// number. Messages move before and behind, in the caller's thread. For back ends whose instances share nothing that a tick
// changes (rtl, stub; not func, whose instances write device memory).
#ifndef WG_MODEL_SM_POOL_H
#define WG_MODEL_SM_POOL_H

#include "model/sm_port.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgMaxJobs = 64 };

typedef struct wg_sm_pool wg_sm_pool_t;

/**
 * Start the threads. The caller's is one of them; more than SMs are not started. A waiting thread spins for a few
 * microseconds and then sleeps, so between runs a pool costs nothing.
 * @param sms [num_sms], borrowed @param jobs 1..kWgMaxJobs threads
 * @return kWgOk; kWgBadArg; kWgNoSpace if the host gives no thread
 */
WG_NODISCARD wg_status_t wg_sm_pool_create(wg_sm_t *const *sms, uint32_t num_sms, uint32_t jobs, wg_sm_pool_t **out,
                                           wg_diag_t *diag);
/** Tick every SM once. Threads keep their SMs. To be called by one thread. */
void wg_sm_pool_tick(wg_sm_pool_t *p, uint64_t time_ns, bool kill);
void wg_sm_pool_destroy(wg_sm_pool_t *p); /* takes NULL; joins the threads */

#ifdef __cplusplus
}
#endif
#endif
