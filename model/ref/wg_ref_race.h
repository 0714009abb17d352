// SPDX-License-Identifier: Apache-2.0
//
// Race checker: which two accesses to one place of shared or global memory did nothing order? It stands beside
// the golden model, in functional runs and in the lockstep checker, and sees every instruction at its issue.
//
// Two accesses race if they touch a common byte, come from different threads, at least one writes, they may not
// meet (below), and neither happens before the other. "Happens before" is the order within a thread, and what
// these add, also in chains:
//
//   block barrier     all arrivals of a phase -> all that leave it; with a count only the warps that took part; BAR.ARV
//                     only gives. Exited threads count as arrived. Mode `stack`: a warp arrives as a whole, as it does
//                     in the machine
//   lanes of a warp   WARPSYNC: the lanes of its mask; shuffle, vote, match, redux, matrix: the lanes that execute it
//   kernel boundary   orders everything
//   release, acquire  an atomic or a strong store (st.volatile, .relaxed ...) gives what its thread had done before its
//                     last fence (MEMBAR; .CTA gives to its own block only); on shared memory, which works in order,
//                     everything, with or without a fence. An atomic with a result, a strong load, and a load in a loop
//                     that only waits take it when their value comes; a fence behind them is not asked for. What was
//                     given to a word stays: a later store adds to it
//
// These may meet: two atomics; strong accesses and atomics of global memory; on shared memory a volatile store
// and an atomic (an unlock), and whatever is stored to a flag that a loop waits for; a load and a
// compare-and-swap (who reads in order to swap finds out whether the value still holds). A volatile load of
// shared memory outside such a loop orders nothing and is judged as any other: code for warps that never part
// was written with it, and that is the hazard.
//
// Lanes of one warp. CUDA orders nothing between two instructions of converged lanes without __syncwarp(); in
// fact they issue together. So a second, wider order is kept beside: lanes that ran as one split at some time
// are ordered by it. Accesses that it orders are a *note* (kWgRaceHidden: reconvergence at the join hid it);
// those that it does not order really ran apart, and are an *error* (kWgRaceApart). One order would not do: the
// strict one alone fails every program written before Volta, the wide one alone never shows what becomes of a
// program without joins. What goes to other warps follows the wide order, because the compiler drops
// __syncwarp() where all lanes are together anyway. For the same reason notes need code that keeps them
// (wg_ptx_options_t.keep_warpsync).
// Lanes that one instruction lets write different values to one place are an error (kWgRaceSame), equal values
// are nothing. Two instructions that write the same value are a note (kWgRaceEqual): `found = true`.
//
// Clock: one number, raised at every edge. An access is stamped with it; knowing a thread, a warp or a block
// "up to t" covers its accesses stamped at most t. Edges are met in the order of issue, and a value is taken
// when it arrives: what is given at an issue is never taken too early for want of time, so timing makes no
// false alarm. Read-after-write or write-after-read is named by the order of issue; memory may perform the two
// the other way round.
//
// Kept for each word: the last plain store and two warps that read it since, or updated it by atomics; of more
// the oldest is dropped. So a race can go unseen, but none is invented. Words that are accessed by bytes or
// halves are kept by bytes. 48 bytes for each word that is touched, allocated by pages of 4 KiB.
// compute-sanitizer's racecheck found no hazard on an H200 in the programs of silicon/counters but one; so does
// this (testbench/race).
#ifndef WG_MODEL_REF_RACE_H
#define WG_MODEL_REF_RACE_H

#include "model/ref/wg_ref.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wg_race_kind { kWgRaceRaw, kWgRaceWar, kWgRaceWaw } wg_race_kind_t;

typedef enum wg_race_class {
  kWgRaceApart,  /* lanes of a warp that ran apart */
  kWgRaceSame,   /* lanes of one instruction, different values */
  kWgRaceBlock,  /* warps of a block */
  kWgRaceGrid,   /* blocks */
  kWgRaceHidden, /* note: lanes of a warp that ran together in between */
  kWgRaceEqual,  /* note: both write the same value */
  kWgRaceClasses
} wg_race_class_t;

/** Is it a note, no error? */
static inline bool wg_race_is_note(wg_race_class_t c) { return c == kWgRaceHidden || c == kWgRaceEqual; }

typedef struct wg_race_side {
  uint32_t ctaid[3];
  uint32_t warp, lane; /* in the block */
  uint32_t pc;
  bool write, atomic;
} wg_race_side_t;

/** Races of one kind between two instructions; the first one met in full. */
typedef struct wg_race_pair {
  wg_race_kind_t kind;
  wg_race_class_t cls;
  uint32_t grid_id;
  uint64_t code_base;
  bool shared;
  uint64_t addr;  /* of the word, or byte, where they met; shared: offset in the block */
  unsigned bytes; /* of the second access, per lane */
  wg_race_side_t first, second; /* in the order of issue */
  uint64_t count; /* lanes of `second` that met it */
} wg_race_pair_t;

/** Marks of an instruction on shared memory (wg_obj_t.marks): volatile; a load in a loop that only waits; part of
    one atomic. */
enum { kWgRaceStrong = 1, kWgRaceWaits = 2, kWgRaceAtomic = 4 };

typedef struct wg_race wg_race_t;
typedef struct wg_race_block wg_race_block_t;

/** @return never NULL (host memory exhausted: aborts) */
wg_race_t *wg_race_new(void);
void wg_race_free(wg_race_t *r); /* takes NULL; no block may be left */
/**
 * A launch begins, no block of an earlier one runs any more.
 * @param marks [num] pc | marks of its code window, ascending; borrowed until the next call
 */
void wg_race_launch(wg_race_t *r, const uint32_t *marks, size_t num);
/** The head and bitmap of an allocator: atomics there give everything, with or without a fence, so that memory that one
    thread frees and another one gets is no race between the two; nothing else is judged there. One range; the last call
    counts. */
void wg_race_allocator(wg_race_t *r, uint64_t addr, uint64_t bytes);
/** Pairs since creation, in the order in which they were met. */
size_t wg_race_pairs(const wg_race_t *r, const wg_race_pair_t **out);
/** The lowest and the highest address that the instruction at `pc` has accessed in this launch. @return false: none */
bool wg_race_reach(const wg_race_t *r, uint32_t pc, bool shared, uint64_t *lo, uint64_t *hi);
/** False if a launch had more edges (2^32) or blocks (2^22), or a run more pairs (4,096), than the checker can tell
    apart: not all was looked at. */
bool wg_race_complete(const wg_race_t *r);

/** A block starts. @param its lanes arrive at barriers one by one, not as a warp */
wg_race_block_t *wg_race_block_new(wg_race_t *r, const wg_cta_launch_t *cta, bool its);
void wg_race_block_free(wg_race_block_t *b); /* takes NULL */
/** Warp `w` of the block has issued `st`, without a fault; memory has not changed yet. */
void wg_race_issue(wg_race_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st);
/** The values of `lanes` of a load or atomic have arrived. @param shared lanes on shared memory; @param addr [32] */
void wg_race_loaded(wg_race_block_t *b, uint32_t warp, const wg_insn_t *in, uint32_t pc, uint32_t lanes,
                    uint32_t shared, const uint64_t *addr);

#ifdef __cplusplus
}
#endif
#endif
