// SPDX-License-Identifier: Apache-2.0
//
// Inside of the checks; included by ref_tools*.c only.
#ifndef WG_MODEL_REF_TOOLS_INT_H
#define WG_MODEL_REF_TOOLS_INT_H

#include "model/ref/wg_ref_tools.h"

enum { kToolMaxFindings = 4096, kToolMaxFreed = 65536 };

/** An allocation, or one that was. */
typedef struct tool_range {
  uint64_t addr, bytes;
  uint8_t *written; /* a bit a byte; NULL: all are */
} tool_range_t;

typedef struct tool_ranges {
  tool_range_t *r; /* [n] */
  size_t n, cap;
} tool_ranges_t;

/** What a code window's instructions moved. */
typedef struct tool_code {
  uint64_t base;
  uint32_t cap;
  wg_advice_t *at[2]; /* [cap] by pc / 16: global and local; shared */
} tool_code_t;

struct wg_tools {
  unsigned wanted;
  tool_ranges_t live;  /* ascending */
  tool_ranges_t freed; /* oldest first; contents not kept */
  tool_ranges_t areas; /* where module variables lie */
  size_t last;         /* live range met last */
  wg_finding_t *finding;
  size_t findings, cap_findings;
  bool incomplete;
  tool_code_t *code;
  size_t codes;
  wg_advice_t *list; /* of wg_tools_advice */
  wg_tools_block_t *blocks;
  bool (*legal)(void *ctx, uint64_t addr, uint64_t bytes); /* driver area; NULL: all */
  void *legal_ctx;
};

typedef struct tool_warp {
  uint32_t alive;
  uint8_t *local; /* bit a byte of each lane's frame; NULL: none was accessed */
  uint32_t worked; /* lanes that have issued more than control since the last wait of others began */
  /* a block barrier that lanes have come to: stack, those that did not; its, those that were left at its begin */
  uint32_t bar_here, bar_want, bar_pc[32];
  uint8_t waits;   /* number + 1 of the barrier where the warp waits */
  bool split;      /* its lanes have come to that barrier apart: a finding of its own */
  uint32_t came_pc; /* where the warp as a whole has come to barrier 0 */
  uint32_t gathered[32]; /* its: mask of the WARPSYNC that the lane has come to and not used yet; 0: none */
  uint32_t sync_mask[32], sync_pc[32]; /* its: lanes that wait at a WARPSYNC; mask 0: does not */
} tool_warp_t;

typedef struct tool_bar {
  uint32_t warps; /* arrived in this phase */
  uint32_t all;   /* of those, who wait for every warp of the block: __syncthreads() and its kin */
  bool has_count;
  uint32_t count, pc, first; /* of the first; its warp */
} tool_bar_t;

struct wg_tools_block {
  wg_tools_t *tools;
  wg_cta_launch_t cta;
  bool its;
  uint32_t warps;
  tool_warp_t warp[kWgRefBlockWarps];
  tool_bar_t bar[kWgBarriers];
  uint8_t *shared; /* a bit a byte */
  wg_tools_block_t *next, **at; /* of the live ones */
};

/** Note a finding of `lanes` (not 0) of a step: merged with one of its kind and pc. @return the record, or NULL if it was merged
    or there is no room */
wg_finding_t *tools_found(wg_tools_block_t *b, uint32_t warp, wg_finding_kind_t kind, uint32_t pc, uint32_t lanes);
void *tools_alloc(size_t n, size_t size);
/** The live range that holds `addr`, or NULL. */
tool_range_t *tools_range(wg_tools_t *t, uint64_t addr);
/** Is `addr` among a module's variables or between them? */
bool tools_in_area(const wg_tools_t *t, uint64_t addr);

void tools_memory(wg_tools_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st);
void tools_sync(wg_tools_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st);
/** The launch is given up: what the block waits for. */
void tools_stuck(wg_tools_block_t *b);
void tools_advise(wg_tools_block_t *b, const wg_ref_step_t *st);

#endif
