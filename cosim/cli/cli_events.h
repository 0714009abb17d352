// SPDX-License-Identifier: Apache-2.0
//
// Inside of `warpglass trace`: an event trace in the formats of viewers. Each writes cycles [from, to) and returns false when the host
// has no memory, with a message in diag.
#ifndef WG_COSIM_CLI_EVENTS_H
#define WG_COSIM_CLI_EVENTS_H

#include "cosim/cli/cli.h"
#include "cosim/events_life.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cli_view {
  const wg_events_t *t;
  const wg_lives_t *lives; /* NULL: the trace has no instructions */
  uint64_t from, to;       /* cycles */
  int sm;                  /* -1 = all */
} cli_view_t;

/** Konata: a log of the format "Kanata 0004", an instruction a row. */
WG_NODISCARD wg_status_t cli_events_konata(FILE *out, const cli_view_t *v, wg_diag_t *diag);
/** Perfetto, chrome://tracing: JSON, an SM a process; a microsecond there is an SM cycle. */
WG_NODISCARD wg_status_t cli_events_perfetto(FILE *out, const cli_view_t *v, wg_diag_t *diag);
/** WaveDrom: JSON, at most kCliWaveCycles cycles of one SM. */
enum { kCliWaveCycles = 96 };
WG_NODISCARD wg_status_t cli_events_wavedrom(FILE *out, const cli_view_t *v, wg_diag_t *diag);
/** A line an event. */
WG_NODISCARD wg_status_t cli_events_text(FILE *out, const cli_view_t *v, wg_diag_t *diag);

/** Name of what the divergence unit did: a mnemonic, or of its own moves. */
const char *cli_events_control(unsigned op);

#ifdef __cplusplus
}
#endif
#endif
