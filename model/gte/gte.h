// SPDX-License-Identifier: Apache-2.0
//
// GigaThread engine: takes launch commands, sends blocks round robin to SMs on which block slot, warp slots,
// registers and shared memory all fit (by the twin of the SM's own allocator), sees them end, and knows when a
// grid is done. Placement rule: the next SM after the one that got the last block, on which the block fits now.
// If that SM is still starting its last block, the engine waits for it, so placement does not depend on how
// fast an SM starts blocks.
#ifndef WG_MODEL_GTE_H
#define WG_MODEL_GTE_H

#include "model/gte/gte_spec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wg_gte wg_gte_t;

/** One finished grid; cycles are SM clocks. */
typedef struct wg_gte_result {
  uint32_t grid_id;
  uint64_t start_cycle, end_cycle, blocks;
} wg_gte_result_t;

/** @param cfg  an SM's configuration (all SMs are equal). @return kWgOk, kWgBadArg, kWgNoSpace. */
WG_NODISCARD wg_status_t wg_gte_create(const wg_gte_spec_t *spec, const wg_shape_t *shape, const wg_sm_cfg_t *cfg,
                                       uint32_t sms, wg_gte_t **out, wg_diag_t *diag);
void wg_gte_destroy(wg_gte_t *g); /* takes NULL */
/**
 * Check and queue a launch command.
 * @return kWgOk; kWgBadArg for an invalid grid, block or field (CUDA 9); kWgNoSpace if the queue is full or a block
 *   can never fit (CUDA 701: the diag names the resource, what the block needs and what an empty SM has).
 */
WG_NODISCARD wg_status_t wg_gte_submit(wg_gte_t *g, const wg_grid_t *grid, wg_diag_t *diag);
/** SM that the next block goes to; false if no block waits, none fits, or the engine is not yet ready for another. */
bool wg_gte_peek(wg_gte_t *g, uint64_t now, uint32_t *sm);
/** Send the next block to the SM that peek named: fills the launch message. @return block slot the SM will use */
uint8_t wg_gte_dispatch(wg_gte_t *g, uint64_t now, wg_cta_launch_t *launch);
/** An SM reports the end of a block. @return kWgMismatch if no such block was sent to that slot. */
WG_NODISCARD wg_status_t wg_gte_done(wg_gte_t *g, uint32_t sm, const wg_cta_done_t *done, uint64_t now,
                                      wg_diag_t *diag);
/** No grid queued or running. */
bool wg_gte_idle(const wg_gte_t *g);
/** Forget all grids and blocks (after a fault). */
void wg_gte_clear(wg_gte_t *g);
/** Result of the grid that ended last, and how many have ended. */
uint64_t wg_gte_results(const wg_gte_t *g, wg_gte_result_t *last);
/** Blocks of such a launch that an empty SM holds at once. 0 = never fits. */
uint32_t wg_gte_blocks_per_sm(const wg_gte_t *g, uint32_t threads, uint32_t regs_per_thread, uint32_t shared_bytes);

#ifdef __cplusplus
}
#endif
#endif
