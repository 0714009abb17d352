// SPDX-License-Identifier: Apache-2.0
//
// The retire hash (equal over schedulers, SM counts and back ends), computed the same way by the functional runs and by the lockstep checker.
//
// Each lane of each executed instruction gives a term: the FNV-1a chain, word by word, of {launch, block, thread} (the
// seed), the number of instructions that the thread has executed before, the pc, and the values written: destination
// words in ascending order, then, if the instruction has predicate destinations, one word (bit 0 = p0, bit 1 = p1). The
// hash is the sum of all terms modulo 2^64. Because the place of an instruction in its thread is part of its term,
// terms may be added in any order: a load's term is added when its value arrives, while younger instructions have
// retired already.
#ifndef WG_MODEL_REF_STATS_H
#define WG_MODEL_REF_STATS_H

#include "model/ref/wg_ref.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One warp's threads: seeds and instructions executed so far. */
typedef struct wg_ref_hash {
  uint64_t seed[32];
  uint32_t count[32];
} wg_ref_hash_t;

/** Values that one instruction wrote. */
typedef struct wg_ref_written {
  const uint32_t *row[4]; /* [rows] destination words, each [32]; lanes off in exec are not read */
  unsigned rows;          /* 0..4 */
  bool preds;             /* has predicate destinations */
  uint32_t p0, p1;        /* lane bits */
} wg_ref_written_t;

/** Threads of warp `warp` of block `cta`. */
void wg_ref_hash_init(wg_ref_hash_t *h, const wg_cta_launch_t *cta, uint32_t warp);
/** An instruction begins for the lanes of `exec`. @param[out] place [32] each lane's instruction number (lanes of exec)
 */
void wg_ref_hash_begin(wg_ref_hash_t *h, uint32_t exec, uint32_t place[32]);
/** Sum of its terms. `unknown` lanes (values nobody can predict) count as if they had written zeros. */
uint64_t wg_ref_hash_terms(const wg_ref_hash_t *h, uint32_t exec, uint32_t unknown, const uint32_t place[32],
                           uint32_t pc, const wg_ref_written_t *w);
/** What a finished step wrote (results of st->out, or the loaded rows for a load). */
wg_ref_written_t wg_ref_written_of(const wg_ref_step_t *st);

#ifdef __cplusplus
}
#endif
#endif
