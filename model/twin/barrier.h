// SPDX-License-Identifier: Apache-2.0
//
// Twin of sm_barrier: the 16 named barriers of one block slot. Masks are over the warps of the block (bit w = warp w).
// Rules: rtl/README.md, "Barriers". A barrier without a count is complete when every participating warp has arrived;
// with a count, when 32 x arrived warps = count. A warp that exits leaves participation; what it had arrived at with
// BAR.ARV stays arrived. A warp that arrives twice in one generation counts once. BAR.RED collects a predicate of every
// arriving lane; the released warps get the result.
#ifndef WG_MODEL_TWIN_BARRIER_H
#define WG_MODEL_TWIN_BARRIER_H

#include "isa/wg_cfg.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Reductions of BAR.RED; kWgBarRedNone for BAR. */
typedef enum wg_bar_red { kWgBarRedNone, kWgBarRedPopc, kWgBarRedAnd, kWgBarRedOr } wg_bar_red_t;

/** A warp's arrival. */
typedef struct wg_bar_arrival {
  uint8_t id; /* 16 and above fault */
  bool arrive_only, has_count;
  uint8_t red;           /* wg_bar_red_t */
  uint32_t count;        /* threads, if has_count; faults if 0, no multiple of 32, or different within a generation */
  uint32_t lanes, preds; /* lanes that arrive; red: the predicate that they bring */
  uint32_t pc;           /* of the barrier instruction that the last of them executed, for the report of a fault */
} wg_bar_arrival_t;

typedef struct wg_barrier_one {
  uint32_t arrived, waiting; /* waiting is a subset: arrived by BAR.SYNC */
  bool has_count;            /* of the current generation, valid if arrived != 0 */
  uint32_t count;            /* threads */
  uint8_t red;               /* wg_bar_red_t of the last arrival */
  uint32_t sum;              /* lanes whose predicate held */
  bool some_false;           /* a lane's did not */
  uint8_t done_red;          /* of the last complete generation: red, and its result */
  uint32_t result;
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

/** What is wrong at a barrier: a trap there has it in the address of its fault (wg_fault_t), packed. */
typedef struct wg_bar_trap {
  uint8_t id;             /* 16: there is none such */
  uint32_t asks, expects; /* threads of this arrival, of the generation; 0: all; 2,047: that many or more */
  uint32_t arrived;       /* warps of the generation; 0: the arrival is wrong in itself, or expects = 1: they are not known */
} wg_bar_trap_t;
uint64_t wg_bar_trap_pack(const wg_bar_trap_t *t);
/** @return false: the address is none of a trap at a barrier */
bool wg_bar_trap_unpack(uint64_t addr, wg_bar_trap_t *out);

/** A block of warps `present` starts. */
void wg_barrier_reset(wg_barrier_t *b, uint32_t present);
/** A warp arrives. After a complete generation, bar[id].done_red and .result say what BAR.RED gives. */
wg_barrier_out_t wg_barrier_take(wg_barrier_t *b, unsigned warp, const wg_bar_arrival_t *a);
/** A warp arrives without a reduction; parameters as the fields of wg_bar_arrival_t. */
wg_barrier_out_t wg_barrier_arrive(wg_barrier_t *b, unsigned warp, unsigned id, bool arrive_only, bool has_count,
                                   uint32_t count);
/** A warp ends. @return mask of barriers that it completes; release[id] = warps that go on (only for those). Results as
 * after wg_barrier_take. */
uint32_t wg_barrier_exit(wg_barrier_t *b, unsigned warp, uint32_t release[kWgBarriers]);

#ifdef __cplusplus
}
#endif
#endif
