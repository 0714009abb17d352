// SPDX-License-Identifier: Apache-2.0
//
// Which part of the SM a waveform shows: words for instances of the design. A table, since the writer of waveforms dies of a name
// that does not exist.
#ifndef WG_COSIM_TRACE_SCOPE_H
#define WG_COSIM_TRACE_SCOPE_H

#include "isa/wg_cfg.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The instance of a word: "top", "mem", "barrier", "sub2", "sub0.sched". @param sub_cores of the SM @return false: there is none */
bool wg_trace_scope(const char *word, unsigned sub_cores, char *instance, size_t n);
/** The words, sub-cores as N; ends with NULL. */
extern const char *const wg_trace_scopes[];

#ifdef __cplusplus
}
#endif
#endif
