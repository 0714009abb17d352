// SPDX-License-Identifier: Apache-2.0
//
// Story of a grid's blocks: starts and ends as the GPU's hooks tell them, kept as a table (CSV), told step by step in
// the form of the lecture's figure (t0, t1, ...: which block went to which SM's contexts and shared memory, which
// waits).
#ifndef WG_MODEL_TIMELINE_H
#define WG_MODEL_TIMELINE_H

#include <stdio.h>

#include "model/preset.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A block's start or end. */
typedef struct wg_block_event {
  uint64_t cycle;
  bool start;
  uint32_t sm, slot, grid;
  uint64_t number, blocks;              /* x + nctaid.x * (y + nctaid.y * z); of the grid */
  uint32_t threads, regs, shared_bytes; /* of the block, as asked for */
} wg_block_event_t;

typedef struct wg_timeline {
  wg_block_event_t *event; /* [n], in simulation order */
  size_t n, cap;
} wg_timeline_t;

/** Append. @return false if the host has no memory */
bool wg_timeline_add(wg_timeline_t *t, const wg_block_event_t *e);
/** The event of a launch message. */
wg_block_event_t wg_block_start(uint64_t cycle, uint32_t sm, uint32_t slot, const wg_cta_launch_t *l);
void wg_timeline_free(wg_timeline_t *t); /* leaves it empty */

/** Head line of the table and one line of it; an end repeats what the start said. */
void wg_timeline_write_head(FILE *f);
void wg_timeline_write(FILE *f, const wg_block_event_t *e);
/** Read a table; `grid` 0 = all grids. @return kWgOk, kWgBadInput (line in diag), kWgNoSpace; appends to `t` */
WG_NODISCARD wg_status_t wg_timeline_read(FILE *f, uint32_t grid, wg_timeline_t *t, wg_diag_t *diag);

/** What the steps come to. */
typedef struct wg_timeline_sums {
  uint64_t steps, cycles; /* all steps; first start to last end, both included */
  uint64_t first_end[2];  /* numbers of the first blocks that ended; UINT64_MAX = none */
  uint32_t most_resident; /* blocks on one SM at once */
} wg_timeline_sums_t;
/**
 * Tell one grid's story: t0 its launch; then each start, each wait of a block that fits nowhere, each end with the
 * block that takes the place. Contexts are thread contexts of the SM (warp slot order), shared memory its first byte.
 * @param t    events of one grid on the machine `p`
 * @param steps lines to print; the rest is counted only
 * @return kWgOk; kWgBadInput if an event cannot be (a slot in use, an end without start)
 */
WG_NODISCARD wg_status_t wg_timeline_tell(const wg_preset_t *p, const wg_timeline_t *t, const char *kernel,
                                          uint64_t steps, FILE *out, wg_timeline_sums_t *sums, wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
