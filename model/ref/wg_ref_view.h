// SPDX-License-Identifier: Apache-2.0
//
// A warp as a debugger sees it: pointers into a golden model's state, read-only and valid until it runs on. The same for the
// golden model alone (wg_ref_block_view) and in lockstep (cosim/lockstep_view.h).
#ifndef WG_MODEL_REF_VIEW_H
#define WG_MODEL_REF_VIEW_H

#include "model/ref/wg_ref.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wg_warp_view {
  const wg_ref_warp_t *w;
  wg_ref_code_t *code;        /* its window */
  const uint32_t *reg_known;  /* [w->num_regs] lanes whose value something has written; NULL: all */
  const uint32_t *pred_known; /* [8] the same of predicates; NULL: all */
  const wg_barrier_t *bar;    /* of its block */
  const uint8_t *shared, *shared_known; /* [w->shared_size] of its block; known: bytes that are not 0; NULL: all */
  bool at_bar;                /* waits at block barrier bar_id */
  bool counted;               /* and there with a number of threads, which `bar` may not tell of */
  uint8_t bar_id;
} wg_warp_view_t;

/** Who looks on while a block runs on the golden model alone. Both may run the watcher's own loop before they return. */
typedef struct wg_ref_watch {
  void *ctx;
  /** Warp `warp` of the block is about to execute the instruction at its PC. */
  void (*before)(void *ctx, const wg_ref_block_t *b, uint32_t warp);
  /** It has, or could not: st->fault. @param released warps that went on for it, at barrier st->bar.id or because the warp ended */
  void (*after)(void *ctx, const wg_ref_block_t *b, uint32_t warp, const wg_ref_step_t *st, uint32_t released);
} wg_ref_watch_t;

/** @param watch copied; a `before` of NULL: nobody looks on. Before the first wg_ref_block_run */
void wg_ref_block_watch(wg_ref_block_t *b, const wg_ref_watch_t *watch);
const wg_cta_launch_t *wg_ref_block_cta(const wg_ref_block_t *b);
/** @return false if the block has no such warp, or it has ended */
bool wg_ref_block_view(const wg_ref_block_t *b, uint32_t warp, wg_warp_view_t *out);

#ifdef __cplusplus
}
#endif
#endif
