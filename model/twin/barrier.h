// SPDX-License-Identifier: Apache-2.0
//
// Twin of sm_barrier: the 16 named barriers of one block slot. Masks are over the warps of the block (bit w = warp w).
// Rules: rtl/README.md, "Barriers". A barrier without a count is complete when every participating warp has arrived;
// with a count, when 32 x arrived warps = count. A warp that exits leaves participation; what it had arrived at with
// BAR.ARV stays arrived. A warp that arrives twice in one generation counts once.
#ifndef WG_MODEL_TWIN_BARRIER_H
#define WG_MODEL_TWIN_BARRIER_H

#include "isa/wg_cfg.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wg_barrier_one {
  uint32_t arrived, waiting; /* waiting is a subset: arrived by BAR.SYNC */
  bool has_count;            /* of the current generation, valid if arrived != 0 */
  uint32_t count;            /* threads */
} wg_barrier_one_t;

/** One block slot. */
typedef struct wg_barrier {
  uint32_t present; /* participation: launched and not exited */
  wg_barrier_one_t bar[kWgBarriers];
} wg_barrier_t;

typedef struct wg_barrier_out {
  uint32_t release; /* warps that go on */
  bool complete;    /* the barrier's generation ended (release may be 0 if all arrived with ARV) */
  uint8_t fault;    /* kWgFaultNone or kWgFaultTrap; state unchanged after a fault */
} wg_barrier_out_t;

/** A block of warps `present` starts. */
void wg_barrier_reset(wg_barrier_t *b, uint32_t present);
/**
 * A warp arrives.
 * @param id barrier; 16 and above fault
 * @param count threads, read if has_count; faults if 0, no multiple of 32, or different within a generation
 */
wg_barrier_out_t wg_barrier_arrive(wg_barrier_t *b, unsigned warp, unsigned id, bool arrive_only, bool has_count,
                                   uint32_t count);
/** A warp ends. @return mask of barriers that it completes; release[id] = warps that go on (only for those). */
uint32_t wg_barrier_exit(wg_barrier_t *b, unsigned warp, uint32_t release[kWgBarriers]);

#ifdef __cplusplus
}
#endif
#endif
