// SPDX-License-Identifier: Apache-2.0
//
// Who wrote a flag or a lock last? For reports of launches that never end. Kept are atomics that changed their word, and stores of at most
// four lanes or marked as strong (st.volatile, .relaxed on global memory): what flags and locks are written by. A table of fixed size; of two
// words that share a place in it the later one stays, so what it says is true, and what it does not know may have happened.
#ifndef WG_MODEL_REF_WRITERS_H
#define WG_MODEL_REF_WRITERS_H

#include "model/ref/wg_ref.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wg_writer {
  uint64_t key; /* of the word; 0: none */
  uint32_t grid_id, ctaid[3], warp, lane, pc, value;
  bool atomic, known; /* value is known: not of an atomic without a result */
} wg_writer_t;

typedef struct wg_writers wg_writers_t;

/** @return never NULL (host memory exhausted: aborts) */
wg_writers_t *wg_writers_new(void);
void wg_writers_free(wg_writers_t *t); /* takes NULL */
/** A launch begins: what earlier ones wrote is forgotten. */
void wg_writers_launch(wg_writers_t *t);
/** A store, or an atomic without a result, of warp `warp` issues. Other instructions do nothing. */
void wg_writers_store(wg_writers_t *t, const wg_cta_launch_t *cta, uint32_t warp, const wg_ref_step_t *st);
/**
 * An atomic has got its old values.
 * @param lanes of it; shared: those on shared memory; data [4][32] rows rc..; old [2][32] words of its result
 */
void wg_writers_atomic(wg_writers_t *t, const wg_cta_launch_t *cta, uint32_t warp, const wg_insn_t *in, uint32_t pc, uint32_t lanes,
                       uint32_t shared, const uint64_t addr[32], const uint32_t data[4][32], const uint32_t *const old[2]);
/** The last writer of the word that holds `addr`; NULL: not known. @param cta the block whose shared memory it is (global: any) */
const wg_writer_t *wg_writers_of(const wg_writers_t *t, const wg_cta_launch_t *cta, bool shared, uint64_t addr);

#ifdef __cplusplus
}
#endif
#endif
