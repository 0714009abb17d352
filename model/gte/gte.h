// SPDX-License-Identifier: Apache-2.0
//
// GigaThread engine: takes launch commands, makes grids resident (grid slots), sends their blocks to SMs on which
// block slot, warp slots, registers and shared memory all fit (by the twin of the SM's own allocator, so a dispatch
// is never refused), sees them end, and knows when a grid is done. Which SM is the block policy's choice
// (gte_policy.h).
//
// Which grids run at once. A command becomes resident as soon as a grid slot is free and no earlier command that has
// not ended is ordered before it: one of the same stream; or, with one of the two in stream 0, any that is not
// `nonblocking` (the legacy default stream of CUDA). So this engine keeps the order of grids in a stream; copies and
// events are others' business.
//
// Whose block is next. Resident grids with blocks to send are served by priority, then in the order of submission.
// The first one's blocks are all sent before those of the next (head of line): while its block fits nowhere, nobody
// overtakes it, however small. Only if the policy withholds it (lcs, dyncta, bcs) is the next grid asked. Resident
// blocks are never preempted.
//
// If the SM that was chosen is still starting its last block, the engine waits for it, so placement does not depend
// on how fast an SM starts blocks.
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
  uint64_t start_cycle, end_cycle, blocks; /* first block sent, last block's end seen */
  uint64_t last_sent_cycle;                /* last block sent: what follows is the tail */
  uint64_t block_cycles;                   /* from sent to end, both included, summed over blocks */
  uint64_t shortest_block_cycles, longest_block_cycles;
  uint64_t sm_busy_cycles;                      /* cycles with a block of the grid, summed over SMs */
  uint64_t least_busy_cycles, most_busy_cycles; /* of one SM */
  uint32_t blocks_per_sm;                       /* that an empty SM holds */
  uint32_t warps;                               /* of a block */
  uint64_t launched, retired;                   /* blocks: sent to an SM; their end told by one */
  uint64_t resident_warp_cycles;                /* warps of the grid on the SMs, summed over cycles */
} wg_gte_result_t;

/**
 * The rules that a finished grid's counters obey: blocks launched = retired = those of the grid; warps on the SMs summed over cycles =
 * lifetimes summed over warps; what one SM was busy for lies in the grid's time. The two sides are counted apart from each other.
 * @return kWgOk; kWgMismatch, naming the rule and both sides
 */
WG_NODISCARD wg_status_t wg_gte_sums(const wg_gte_result_t *r, wg_diag_t *diag);

/** Counts to lose, model/sum_faults.def. */
typedef enum wg_sum_fault {
  kWgSumNoFault,
#define WG_SUM_FAULT(ID, WORD, DOC) kWgSum##ID,
#include "model/sum_faults.def"
} wg_sum_fault_t;
/** Fault of a word of sum_faults.def; kWgSumNoFault if there is none. */
wg_sum_fault_t wg_sum_fault_find(const char *word);

/** @param cfg  an SM's configuration (all SMs are equal). @return kWgOk, kWgBadArg, kWgNoSpace. */
WG_NODISCARD wg_status_t wg_gte_create(const wg_gte_spec_t *spec, const wg_shape_t *shape, const wg_sm_cfg_t *cfg,
                                       uint32_t sms, wg_gte_t **out, wg_diag_t *diag);
void wg_gte_destroy(wg_gte_t *g); /* takes NULL */
/** Lose a count once, at the first opportunity from cycle `from` on; does nothing for an SM's. */
void wg_gte_lose(wg_gte_t *g, wg_sum_fault_t what, uint64_t from);
/** Would wg_gte_submit take this command into an empty queue? @return as there */
WG_NODISCARD wg_status_t wg_gte_check(const wg_gte_t *g, const wg_grid_t *grid, wg_diag_t *diag);
/**
 * Check and queue a launch command.
 * @return kWgOk; kWgBadArg for an invalid grid, block or field (CUDA 9); kWgNoSpace if the queue is full or a block
 *   can never fit (CUDA 701: the diag names the resource, what the block needs and what an empty SM has).
 */
WG_NODISCARD wg_status_t wg_gte_submit(wg_gte_t *g, const wg_grid_t *grid, wg_diag_t *diag);
/** SM that the next block goes to; false if no block waits, none fits, or the engine is not yet ready for another. */
bool wg_gte_peek(wg_gte_t *g, uint64_t now, uint32_t *sm);
/** kWgOk, or kWgBadInput with what is wrong: the policy named an SM that cannot take the block. No block is sent any
 * more until wg_gte_clear. */
WG_NODISCARD wg_status_t wg_gte_bad_pick(const wg_gte_t *g, uint64_t now, wg_diag_t *diag);
/** Send the next block to the SM that peek named: fills the launch message. @return block slot the SM will use */
uint8_t wg_gte_dispatch(wg_gte_t *g, uint64_t now, wg_cta_launch_t *launch);
/** An SM reports the end of a block. @param issued warp instructions that the block issued, for policies; 0 =
   unknown.
    @return kWgMismatch if no such block was sent to that slot. */
WG_NODISCARD wg_status_t wg_gte_done(wg_gte_t *g, uint32_t sm, const wg_cta_done_t *done, uint64_t issued,
                                     uint64_t now, wg_diag_t *diag);
/** The policy reads the SMs' issue slots: hand over every SM's activity when a period is over, and an SM's before
 * wg_gte_done. */
bool wg_gte_samples(const wg_gte_t *g);
bool wg_gte_sample_due(const wg_gte_t *g, uint64_t now);
void wg_gte_sample(wg_gte_t *g, uint32_t sm, const wg_sm_activity_t *a);
void wg_gte_sample_end(wg_gte_t *g, uint64_t now);
/** No grid queued or running. */
bool wg_gte_idle(const wg_gte_t *g);
/** Forget all grids and blocks (after a fault). */
void wg_gte_clear(wg_gte_t *g);
/** Result of the grid that ended last, and how many have ended. */
uint64_t wg_gte_results(const wg_gte_t *g, wg_gte_result_t *last);
/** Result of a grid by its id; false if it has not ended or 256 others ended since. */
bool wg_gte_result(const wg_gte_t *g, uint32_t grid_id, wg_gte_result_t *out);
/** The oldest result that this function has not given yet; false if there is none. `out` may be NULL. */
bool wg_gte_take_result(wg_gte_t *g, wg_gte_result_t *out);
/** Blocks of resident grids that have not been sent: they have found no place yet. */
uint64_t wg_gte_unsent(const wg_gte_t *g);
/** Blocks that are on an SM, as the engine knows. */
uint32_t wg_gte_resident(const wg_gte_t *g, uint32_t sm);
/** The block that has been on the SM longest: "block (5,0,0) of grid 1 in block slot 2, sent in cycle 100"; "" if
 * none. @return buf */
const char *wg_gte_oldest(const wg_gte_t *g, uint32_t sm, char *buf, size_t n);
/** Blocks of such a launch that an empty SM holds at once. 0 = never fits. */
uint32_t wg_gte_blocks_per_sm(const wg_gte_t *g, uint32_t threads, uint32_t regs_per_thread, uint32_t shared_bytes);

#ifdef __cplusplus
}
#endif
#endif
