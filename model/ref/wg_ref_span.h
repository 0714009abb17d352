// SPDX-License-Identifier: Apache-2.0
//
// Span: how many instructions must come one after another, however many lanes a machine had? It stands beside the
// golden model, in functional runs and in the lockstep checker, and sees every instruction at its issue.
//
// An executed instruction of a thread has a depth: one more than the deepest of what it waits for. The span of a
// launch is the deepest of all; its work is the number of instructions that threads executed (thread_insts). Waited for are
//
//   registers, predicates   the instruction that wrote the value; the guard counts
//   memory                  what stored, or updated, a word that is read: global, shared and local memory, by words of 4
//                           bytes. A store of fewer bytes leaves the deeper of itself and what was there
//   atomics                 the one before on that word, in the order in which they take place; an atomic whose result is
//                           asked for and that leaves the value as it was (a compare-and-swap that fails, a maximum that
//                           is none) only reads
//   lanes of a warp         shuffle, vote, match, redux, matrix, LDSM: the operands of all lanes that execute it;
//                           WARPSYNC: everything that the lanes of its mask did before
//   block barrier           everything that its arrivals did before, and exited threads; with a count those that take part.
//                           Mode `stack`: a warp arrives as a whole, as it does in the machine
//   launch                  a launch begins at depth 0: launches of a stream add up
//
// Not waited for: branches, as if each had been foreseen; a word that is overwritten (WAR, WAW), as if memory were renamed;
// places on the machine. That is the dataflow limit of the literature (Austin and Sohi, "Dynamic dependency analysis of
// ordinary programs", ISCA 1992), with synchronisation added. A loop that waits for a flag costs its last turn only: the
// number of turns, which differs from machine to machine, does not count unless the loop counts them.
//
// The value does not depend on schedulers, SMs or back ends for programs without races, but where atomics of different depth
// meet at one word. 4 bytes for each word that is written, by pages of 4 KiB, and for each register of a resident thread.
#ifndef WG_MODEL_REF_SPAN_H
#define WG_MODEL_REF_SPAN_H

#include "model/ref/wg_ref.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wg_span wg_span_t;
typedef struct wg_span_block wg_span_block_t;

/** @return never NULL (host memory exhausted: aborts) */
wg_span_t *wg_span_new(void);
void wg_span_free(wg_span_t *s); /* takes NULL; no block may be left */
/** A launch begins, no block of an earlier one runs any more. */
void wg_span_launch(wg_span_t *s);
/** Instructions on the longest chain since wg_span_launch; UINT32_MAX: at least so many. */
uint32_t wg_span_insts(const wg_span_t *s);

/** A block starts. @param its lanes arrive at barriers one by one, not as a warp */
wg_span_block_t *wg_span_block_new(wg_span_t *s, const wg_cta_launch_t *cta, bool its);
void wg_span_block_free(wg_span_block_t *b); /* takes NULL */
/** Warp `w` of the block has issued `st`, without a fault. */
void wg_span_issue(wg_span_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st);
/**
 * The values of `lanes` of a load or atomic have arrived: what was stored since its issue is found here.
 * @param shared lanes on shared memory; @param addr [32]; @param word rows rd.. as memory gave them; @param data rows rc.. of an
 *   atomic, else not read
 */
void wg_span_loaded(wg_span_block_t *b, uint32_t warp, const wg_insn_t *in, uint32_t lanes, uint32_t shared,
                    const uint64_t *addr, const uint32_t (*word)[32], const uint32_t (*data)[32]);

#ifdef __cplusplus
}
#endif
#endif
