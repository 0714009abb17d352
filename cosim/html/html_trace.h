// SPDX-License-Identifier: Apache-2.0
//
// What an event trace (`warpglass run --events FILE`, depth pipe) says of a launch's warps: cycles by state of every
// warp slot, over time and by instruction. A warp has a state from being bound to its slot until the slot is free, as
// in the counters `warp_states`.
#ifndef WG_COSIM_HTML_TRACE_H
#define WG_COSIM_HTML_TRACE_H

#include "cosim/events.h"
#include "isa/wg_cfg.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kTraceColumns = 200, kTraceRows = 32 };

/** An instruction of a launch. */
typedef struct trace_pc {
  uint64_t issues, lanes;          /* running lanes, whatever the guard, summed over issues */
  uint64_t sectors;                /* of 32 bytes that its accesses take at the L1's tags */
  uint64_t cycles[kWgReasonCount]; /* of warps whose next instruction it was; Issued: its issues */
} trace_pc_t;

/** A place for warps. */
typedef struct trace_row {
  uint16_t sm;
  uint8_t sub, slot;
  uint64_t cycles[kWgReasonCount];
} trace_row_t;

typedef struct trace_launch {
  uint32_t grid;     /* number of the launch */
  uint64_t from, to; /* cycles [from, to) in which it has warps; from > to: none was recorded */
  trace_row_t *row;  /* [rows] SM by SM, sub-core by sub-core */
  size_t rows, row_cap;
  trace_pc_t *pc; /* [pcs], by pc / 16 */
  size_t pcs;
  uint64_t issues;
  uint64_t (*bin)[kWgReasonCount]; /* [kTraceRows][kTraceColumns] of the first rows: warp cycles by state */
} trace_launch_t;

/**
 * Follow the warps of some launches.
 * @param grid [n] numbers of launches @param[out] out [n], for trace_free
 * @return kWgBadInput: the trace has no reasons (depth), or is damaged; kWgNoSpace
 */
WG_NODISCARD wg_status_t trace_read(const wg_events_t *t, const uint32_t *grid, size_t n, trace_launch_t *out,
                                    wg_diag_t *diag);
void trace_free(trace_launch_t *l, size_t n);
/** First cycle of a column of a launch's bins. */
uint64_t trace_column(const trace_launch_t *l, unsigned column);

#ifdef __cplusplus
}
#endif
#endif
