// SPDX-License-Identifier: Apache-2.0
//
// Proof that warps spin for ever (livelock), used by the functional SM and by the lockstep checker.
//
// The proof. Look at a stretch of time, the window. If in it no byte of device or shared memory changed, no block
// started or ended, and every warp of every resident block either
//   - came back to a state that it had before in the window: in mode `stack` registers, predicates, running split and
//     stack of the warp; in mode `its` pc, registers and predicates of each of its lanes that can run, or
//   - is blocked all the time: at a block barrier, or no lane of it can run,
// then nothing will ever happen: what a lane does follows from its state and from the memory that it reads, and neither
// changes. Under `its` the order of splits does not matter, because lanes meet only where they wait for each other.
// The RTL's lockstep adds a warp that could go on and has no turn for two stretches of 40,000 cycles (only with progress=off): whom
// the scheduler has not served by then, while all that runs repeats itself, it does not serve. That is no proof, since memory's
// timing is no part of the state; the report says what was seen.
// Not proved, and so left to the run's limit: warps that read a clock, arrive at barriers or count in registers while
// they wait, and under `its` warps that exchange values between lanes (shuffle, vote, matrix) in the loop.
//
// A window: wg_spin_begin for each warp; before each of its instructions wg_spin_before, after it wg_spin_after; at the
// end wg_spin_stuck. Memory, blocks and what is still on its way through a memory system are the caller's part.
#ifndef WG_MODEL_REF_SPIN_H
#define WG_MODEL_REF_SPIN_H

#include "model/ref/wg_ref.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One warp in a window. Zeros: none was begun. */
typedef struct wg_spin {
  bool on;         /* wg_spin_begin was called */
  bool moved;      /* did what the proof does not cover */
  bool whole;      /* stack: the state is kept */
  uint32_t seen;   /* lanes whose state is kept; stack: that ran */
  uint32_t back;   /* of them: lanes that came back to it */
  uint32_t pc_lo, pc_hi; /* of the instructions since the window's begin */
  bool polls;      /* the next two hold the first access of the last load or atomic */
  bool poll_shared;
  uint64_t poll_addr;
  wg_simt_stack_t stack;
  uint32_t pc[32];
  uint32_t pred[8];
  uint32_t rows;        /* of reg */
  uint32_t (*reg)[32];  /* owned */
} wg_spin_t;

/** Start a window, forgetting the last one. */
void wg_spin_begin(wg_spin_t *s);
/** Release what it owns; the structure may be used again. */
void wg_spin_free(wg_spin_t *s);
/** The warp is about to execute the instruction at w->div.pc. @param pending lanes with a load under way: their
    registers are not what the lane will see */
void wg_spin_before(wg_spin_t *s, const wg_ref_warp_t *w, uint32_t pending);
/** It has executed `st`. */
void wg_spin_after(wg_spin_t *s, const wg_ref_warp_t *w, const wg_ref_step_t *st);
/** End of a window: does the warp only repeat itself, or wait? @param at_bar it waits at a block barrier */
bool wg_spin_stuck(const wg_spin_t *s, const wg_ref_warp_t *w, bool at_bar);
/** It has executed nothing since the window's begin. */
static inline bool wg_spin_idle(const wg_spin_t *s) { return s->on && !s->moved && s->pc_lo == UINT32_MAX; }
/** Lanes that repeat themselves; 0 if the warp only waits. */
static inline uint32_t wg_spin_lanes(const wg_spin_t *s) { return s->back; }
/** Lanes of a warp that spins which wait for others of it: at a join, or (stack) to have their turn. */
uint32_t wg_spin_waiting(const wg_spin_t *s, const wg_ref_warp_t *w);
/** What is told of a livelock, gathered over warps. Zeros at first. */
typedef struct wg_spin_report {
  char text[448];   /* the first warps that spin, one entry each */
  size_t at;
  unsigned warps;   /* that spin */
  uint32_t waiting; /* lanes of these warps that wait for their other lanes */
  bool at_barrier;  /* some of them at a block barrier */
  unsigned starved; /* warps that could go on, but have no turn while these spin */
  unsigned polls;   /* words that the first warps spin on */
  struct {
    wg_cta_launch_t cta; /* of the block */
    uint32_t warp, lanes;
    bool shared;
    uint64_t addr;
  } poll[2];
} wg_spin_report_t;
/** Where a thread is, for a report. */
typedef enum wg_thread_state {
  kWgThreadGone,    /* its block has ended */
  kWgThreadExited,
  kWgThreadBarrier, /* waits at a block barrier */
  kWgThreadSpins,
  kWgThreadWaits,   /* for other lanes of its warp */
  kWgThreadRuns,
  kWgThreadUnknown  /* of another launch */
} wg_thread_state_t;
/** Of a lane of a warp whose block is there. */
wg_thread_state_t wg_spin_thread(const wg_spin_t *s, const wg_ref_warp_t *w, bool at_bar, unsigned lane);
/** Add a warp to a report, if it spins. */
void wg_spin_report(wg_spin_report_t *r, const wg_spin_t *s, const wg_ref_warp_t *w);
/** "lanes 0x1 spin at pc 0x40 to pc 0x80 on shared word 0x0, lanes 0x2 wait at pc 0xa0". @return characters written */
size_t wg_spin_text(const wg_spin_t *s, const wg_ref_warp_t *w, char *buf, size_t n);

/* ---- a block of the functional model ---- */

/** A window for all warps of a block. */
void wg_ref_block_spin_begin(wg_ref_block_t *b);
/** The block has done nothing new since then, and changed no byte of its shared memory.
    @param[in,out] any set if a warp spins */
bool wg_ref_block_spins(const wg_ref_block_t *b, bool *any);
/** Where a thread of the block is. @param[out] barrier its number, if it waits at one */
wg_thread_state_t wg_ref_block_thread(const wg_ref_block_t *b, uint32_t warp, unsigned lane, unsigned *barrier);
/** Add the warps of the block that spin. */
void wg_ref_block_spin_text(const wg_ref_block_t *b, wg_spin_report_t *r);

#ifdef __cplusplus
}
#endif
#endif
