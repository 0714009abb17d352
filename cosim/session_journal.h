// SPDX-License-Identifier: Apache-2.0
//
// A journal of launches: the same command after a kill skips what is finished and ends with the same bytes. An entry holds
// what the SMs of a launch gave to the GPU, with its cycle: block ends, requests, counters. Skipping is running the GPU model
// with that in place of the RTL, so that memory, L2, HBM and the clock come to the state they had; it takes a small part of
// the time. Included by cosim/session*.c only.
#ifndef WG_COSIM_SESSION_JOURNAL_H
#define WG_COSIM_SESSION_JOURNAL_H

#include "cosim/session_int.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Do the settings go with the journal that they name? @return kWgOk or kWgBadInput */
WG_NODISCARD wg_status_t wg_session_journal_check(const wg_session_t *s, wg_diag_t *diag);
/**
 * Open the journal that the settings name and put recorders between GPU and SMs; does nothing without the setting.
 * @return kWgOk; kWgBadInput: a file that is no journal; kWgIo
 */
wg_status_t wg_session_journal_open(wg_session_t *s, wg_gpu_cfg_t *cfg, wg_diag_t *diag);
void wg_session_journal_close(wg_session_t *s); /* says on stderr how many launches were skipped, if any */
/** Before a run. @return true if the journal has this launch: the run is then made without the SMs */
bool wg_session_journal_begin(wg_session_t *s, const wg_launch_t *l, const wg_grid_t *grid);
/** True in such a run. */
bool wg_session_journal_skips(const wg_session_t *s);
/** Counters of skipped launches, to be added to the back end's. */
void wg_session_journal_counts(const wg_session_t *s, wg_session_counts_t *sum);
/**
 * After a skipped run that ended well, before counters are read.
 * @return kWgMismatch if the entry did not fit the run
 */
wg_status_t wg_session_journal_skipped(wg_session_t *s, wg_diag_t *diag);
/** After a run that was not skipped and ended well: write its entry. @return kWgIo if that fails */
wg_status_t wg_session_journal_add(wg_session_t *s, const wg_session_counts_t *before, const wg_session_counts_t *after,
                                   wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
