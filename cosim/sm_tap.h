// SPDX-License-Identifier: Apache-2.0
//
// A tap on the probe events of one SM: looks for an event, records events, hands them on to the lockstep checker. Without anything
// to look for or to record there is none: the checker's hooks are the design's.
#ifndef WG_COSIM_SM_TAP_H
#define WG_COSIM_SM_TAP_H

#include "cosim/events.h"
#include "cosim/lockstep.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wg_sm_tap wg_sm_tap_t;

/** @param ls the checker, or NULL @param find what to look for, kind None: nothing @param recorder may be NULL; its window's event
    is looked for as well: `window`, kind None: none @return never NULL */
wg_sm_tap_t *wg_sm_tap_new(const wg_shape_t *shape, wg_lockstep_t *ls, uint16_t sm, const wg_when_t *find, const wg_when_t *window,
                           wg_recorder_t *recorder);
void wg_sm_tap_free(wg_sm_tap_t *t); /* takes NULL */
/** Hooks of the design; their ctx is the tap. */
const wg_probe_hooks_t *wg_sm_tap_hooks(const wg_sm_tap_t *t);

/** The cycle that is about to be stepped. */
void wg_sm_tap_cycle(wg_sm_tap_t *t, uint64_t cycle);
/** The SM was reset; this is the simulated time of the next cycle. */
void wg_sm_tap_restart(wg_sm_tap_t *t, uint64_t cycle, uint64_t time_ns);
/* Messages of the SM's port. */
void wg_sm_tap_req(wg_sm_tap_t *t, const wg_mem_req_t *req);
void wg_sm_tap_rsp(wg_sm_tap_t *t, const wg_mem_rsp_t *rsp);
void wg_sm_tap_fault(wg_sm_tap_t *t, const wg_fault_t *fault);
/** The serial part of a cycle: full buffers go to the file; did the checker report? */
void wg_sm_tap_drain(wg_sm_tap_t *t);

/** Cycle of the event that was looked for; false if it has not happened. For `hang`: of the last issue. */
bool wg_sm_tap_found(const wg_sm_tap_t *t, uint64_t *cycle);

#ifdef __cplusplus
}
#endif
#endif
