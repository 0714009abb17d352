// SPDX-License-Identifier: Apache-2.0
//
// Twin of sm_smem: a shared-memory access of a warp becomes wavefronts. Rules: rtl/README.md, "Shared wavefronts", from
// counters of real silicon (silicon/README.md). Stateless.
#ifndef WG_MODEL_TWIN_SMEM_PASSES_H
#define WG_MODEL_TWIN_SMEM_PASSES_H

#include "isa/wg_cfg.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wg_smem_passes {
  unsigned num;        /* wavefronts, 0..32 */
  unsigned conflicts;  /* sum over the groups of (wavefronts of the group - 1) */
  uint32_t lanes[32];  /* [num] lanes served by each, in order */
} wg_smem_passes_t;

/**
 * @param addr  [32] byte addresses in the shared array (block base included), multiples of `bytes`; lanes off in `mask`
 *              are not read
 * @param bytes per lane: 1, 2, 4, 8 or 16
 */
void wg_smem_split(const uint32_t addr[32], unsigned bytes, uint32_t mask, bool store, wg_smem_passes_t *out);

/**
 * An atomic access: a wavefront takes one lane of each bank (64 bits: of each pair of banks, in two groups of 16
 * lanes), the lowest that is left, whether words are equal or not. Source: silicon/README.md, shared atomics.
 * @param bytes per lane: 2, 4 or 8
 */
void wg_smem_split_atom(const uint32_t addr[32], unsigned bytes, uint32_t mask, wg_smem_passes_t *out);

#ifdef __cplusplus
}
#endif
#endif
