// SPDX-License-Identifier: Apache-2.0
//
// SM back end `func`: runs each block on the golden instruction model, directly on device memory. It sends no memory
// request and makes no timing claim: a block ends when its instructions are done, but not before `block_cycles` cycles
// after its launch. Resident blocks take turns, one a tick, so blocks that wait for each other make progress. Block
// slots are given lowest free first, as the SM's allocator does.
#ifndef WG_MODEL_SM_FUNC_H
#define WG_MODEL_SM_FUNC_H

#include "model/ref/wg_ref_spin.h"
#include "model/sm_port.h"
#include "model/store/store.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wg_race; /* model/ref/wg_ref_race.h */
struct wg_span; /* model/ref/wg_ref_span.h */
struct wg_writers; /* model/ref/wg_ref_writers.h */
struct wg_ref_watch; /* model/ref/wg_ref_view.h */
struct wg_warp_view;
struct wg_tools; /* model/ref/wg_ref_tools.h */

typedef struct wg_sm_func_cfg {
  wg_ref_mem_t mem;      /* device memory; reads of up to 64 KiB (constant banks), other accesses up to 16 bytes */
  uint64_t block_cycles; /* shortest life of a block; 0 = 100 */
  struct wg_race *race;  /* sees all blocks; NULL: none. Borrowed */
  struct wg_span *span;  /* the same */
  struct wg_tools *tools; /* the same */
  struct wg_writers *writers; /* notes writers of flags and locks; NULL: nobody wants it. Borrowed */
  const struct wg_ref_watch *watch; /* looks on while blocks run; NULL: nobody does. Borrowed */
  bool half_block;       /* wg_ref_block_half */
  uint64_t slice;        /* warp instructions a tick; 0 = 65,536 */
} wg_sm_func_cfg_t;

/** @param shape for the number of warp slots (NWARPID). @return kWgOk or kWgNoSpace. */
WG_NODISCARD wg_status_t wg_sm_func_create(const wg_shape_t *shape, const wg_sm_func_cfg_t *cfg, wg_sm_t **out,
                                           wg_diag_t *diag);
/** Device memory of a store, with its check of allocations. `store` is borrowed. */
wg_ref_mem_t wg_sm_func_store_mem(wg_store_t *store);
/** Instructions done since the last reset. `sm` must be of this back end. */
wg_ref_totals_t wg_sm_func_totals(const wg_sm_t *sm);
/** Widen [*lo, *hi] by the PCs executed since the last call. @return false if nothing ran */
bool wg_sm_func_pcs(wg_sm_t *sm, uint32_t *lo, uint32_t *hi);
/** Which warp is where and waits for what, in one line: of a block that is stuck at a barrier, else of the first; empty
    if no block is resident. @return buf */
const char *wg_sm_func_waits(const wg_sm_t *sm, char *buf, size_t n);

/** A resident warp as a debugger sees it. @return false if there is none at this block slot and warp of the block */
bool wg_sm_func_view(const wg_sm_t *sm, uint32_t block_slot, uint32_t warp, struct wg_warp_view *out);
/** Slot of a resident block; kWgMaxBlockSlots if it is none of this SM's. */
uint32_t wg_sm_func_slot(const wg_sm_t *sm, const wg_ref_block_t *b);

/** Where a thread is. @param[out] barrier its number, if it waits at one. @return kWgThreadGone if its block is not here */
wg_thread_state_t wg_sm_func_thread(const wg_sm_t *sm, uint32_t grid_id, const uint32_t ctaid[3], uint32_t warp, unsigned lane,
                                    unsigned *barrier);

/** A window (wg_ref_spin.h) for all resident blocks begins. */
void wg_sm_func_spin_begin(wg_sm_t *sm);
/** Since then no block started or ended, and none did anything new. Device memory is the caller's part.
    @param[in,out] any set if a warp spins */
bool wg_sm_func_spins(const wg_sm_t *sm, bool *any);
/** Add the warps that spin. */
void wg_sm_func_spin_text(const wg_sm_t *sm, wg_spin_report_t *r);

#ifdef __cplusplus
}
#endif
#endif
