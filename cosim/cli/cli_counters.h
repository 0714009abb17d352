// SPDX-License-Identifier: Apache-2.0
//
// Counters of a launch as words of a run's record: the run-time library writes them, `warpglass run --counters` reads them.
// One table for both, so that a counter is named once.
#ifndef WG_COSIM_CLI_COUNTERS_H
#define WG_COSIM_CLI_COUNTERS_H

#include "cosim/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Write " key=value" for every counter that the base words of a launch record lack, and " slots=" with the issue slots of each
    reason (kWgReasonCount numbers, isa/cfg.def order, comma between them); " states=" with the warps' states likewise. No newline. */
void cli_counters_write(FILE *out, const wg_launch_result_t *r);
/** Read them back from a record's line. @return false, with `r` untouched, if one of them is missing or no number */
WG_NODISCARD bool cli_counters_read(const char *line, wg_launch_result_t *r);

#ifdef __cplusplus
}
#endif
#endif
