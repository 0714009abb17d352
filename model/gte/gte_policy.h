// SPDX-License-Identifier: Apache-2.0
//
// Block policies of the GigaThread engine: which SM gets the next block of a grid. One file a policy
// (model/gte/policy_<name>.c), one entry in the table of gte_policy.c. A policy sees SMs only through the view below,
// never an SM or the engine itself. It may hold blocks back but never refuses one for good: whoever withholds a grid
// must let it go on when resident blocks of the grid end.
#ifndef WG_MODEL_GTE_POLICY_H
#define WG_MODEL_GTE_POLICY_H

#include "model/gte/gte_spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Read-only view of the engine. Grids are named by their grid slot. */
typedef struct wg_gte wg_gte_view_t;

/** What a policy sees of an SM: room that is free now, who is there, and what its issue slots did. */
typedef struct wg_gte_sm_view {
  uint32_t free_blocks, free_warps; /* slots */
  uint32_t free_registers;          /* of all sub-cores together */
  uint32_t free_shared_bytes;
  uint32_t blocks, grid_blocks; /* resident: of all grids, of the grid asked about */
  uint64_t grid_sent;           /* blocks of that grid that this SM ever got */
  uint64_t issued, idle,
      memory_wait; /* issue slots (sub-cores x cycles) since the SM was cleared, up to the last sample */
} wg_gte_sm_view_t;

uint32_t wg_gte_view_sms(const wg_gte_view_t *v);
uint32_t wg_gte_view_sub_cores(const wg_gte_view_t *v);
/** Would the SM's allocator take a block of this grid now? */
bool wg_gte_view_fits(const wg_gte_view_t *v, uint32_t grid, uint32_t sm);
/** How many blocks of this grid it would take now, one after another; counts no further than `most`. */
uint32_t wg_gte_view_room(const wg_gte_view_t *v, uint32_t grid, uint32_t sm, uint32_t most);
/** Blocks of this grid that an empty SM holds, >= 1. */
uint32_t wg_gte_view_capacity(const wg_gte_view_t *v, uint32_t grid);
/** Blocks of the grid: all; not sent yet. */
uint64_t wg_gte_view_total(const wg_gte_view_t *v, uint32_t grid);
uint64_t wg_gte_view_left(const wg_gte_view_t *v, uint32_t grid);
/** Grids that are resident. */
uint32_t wg_gte_view_grids(const wg_gte_view_t *v);
/** State of an SM, as `grid` sees it. */
void wg_gte_view_sm(const wg_gte_view_t *v, uint32_t grid, uint32_t sm, wg_gte_sm_view_t *out);

typedef enum wg_gte_answer {
  kWgGtePick,     /* the block goes to *sm, where it fits */
  kWgGteFull,     /* it fits nowhere: grids behind this one wait too */
  kWgGteWithheld, /* it would fit somewhere, but the policy holds it back: the next grid is asked */
} wg_gte_answer_t;

typedef struct wg_gte_policy {
  const char *name, *doc;
  const char *source; /* paper, text or measurement */
  uint32_t num_knobs;
  const char *knobs; /* what they mean, with ranges; NULL without */
  uint32_t knob[kWgGteMaxKnobs], lo[kWgGteMaxKnobs], hi[kWgGteMaxKnobs]; /* defaults, limits */
  bool samples;                                                          /* it reads issued, idle, memory_wait */
  int period_knob; /* knob that is the period in cycles after which `sample` is called; -1 = never */
  size_t (*state_bytes)(uint32_t sms); /* NULL = none */
  /** Begin anew; `state` is zeroed before. NULL = zeroes do. */
  void (*clear)(void *state, const wg_gte_view_t *v, const uint32_t knob[kWgGteMaxKnobs]);
  /** A grid became resident in this slot. May be NULL, as the next ones. */
  void (*grid_begin)(void *state, const wg_gte_view_t *v, uint32_t grid);
  /** Where the next block of `grid` goes. Changes nothing that another call would notice: its answer may be dropped.
   */
  wg_gte_answer_t (*pick)(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t *sm);
  /** The block went to `sm`, the view shows it there. */
  void (*sent)(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t sm);
  /** A block of `grid` ended on `sm`; the view no longer shows it. @param issued warp instructions it issued; 0 =
   * unknown */
  void (*ended)(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t sm, uint64_t issued);
  /** A period is over. */
  void (*sample)(void *state, const wg_gte_view_t *v);
} wg_gte_policy_t;

extern const wg_gte_policy_t wg_gte_policy_breadth, wg_gte_policy_depth, wg_gte_policy_greedy, wg_gte_policy_bcs,
    wg_gte_policy_lcs, wg_gte_policy_dyncta, wg_gte_policy_random, wg_gte_policy_h200;

/** All policies, breadth first; ends with NULL. */
extern const wg_gte_policy_t *const kWgGtePolicies[];
/** A policy from outside, found from now on by its name, which begins with "c:"; it stays. @return false if there are
 * too many or one of that name */
bool wg_gte_policy_add(const wg_gte_policy_t *p);
/** By name; NULL if there is none. An empty name is breadth. */
const wg_gte_policy_t *wg_gte_policy_find(const char *name);
/**
 * Read "breadth", "random:7", "dyncta:2048,128", and "c:NAME:1,2" of an added policy.
 * @return kWgOk; kWgBadInput for an unknown name (the hint lists all), for knobs that are no numbers, too many or out
 * of range
 */
WG_NODISCARD wg_status_t wg_gte_choice_parse(const char *text, wg_gte_choice_t *out, wg_diag_t *diag);
/** Read "forward", "reverse", "shuffle:SEED" or block numbers "1,0". @return kWgOk or kWgBadInput */
WG_NODISCARD wg_status_t wg_gte_order_parse(const char *text, wg_gte_order_t *out, wg_diag_t *diag);
/** Number of the block that comes `i`-th of `total` (< 2^47 or so). A permutation of 0..total - 1. */
uint64_t wg_gte_order_block(const wg_gte_order_t *o, uint64_t i, uint64_t total);

#ifdef __cplusplus
}
#endif
#endif
