// SPDX-License-Identifier: Apache-2.0
//
// Twin of sm_cta's allocator: where a block goes in an SM. Rules: rtl/README.md, "Allocator". All or nothing: block
// slot, warp slots, one contiguous register range a sub-core, one contiguous shared range.
#ifndef WG_MODEL_TWIN_CTA_ALLOC_H
#define WG_MODEL_TWIN_CTA_ALLOC_H

#include "model/sm_port.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A contiguous range; len 0 = nothing. */
typedef struct wg_range {
  uint32_t base, len;
} wg_range_t;

/** A block's place. Warp k lies in sub-core (first + k) mod sub-cores. */
typedef struct wg_cta_place {
  bool used;
  uint8_t block;                   /* slot */
  uint8_t first;                   /* sub-core of warp 0 */
  uint8_t warps;                   /* 1..32 */
  uint32_t regs;                   /* rows a warp */
  uint8_t slot[32];                /* [warps] warp slot in its sub-core */
  wg_range_t rows[kWgMaxSubCores]; /* register rows */
  wg_range_t shared;               /* bytes, reserve and rounding included */
} wg_cta_place_t;

typedef struct wg_cta_alloc {
  uint32_t sub_cores, warp_slots, block_slots, reg_rows;
  uint32_t shared_bytes, shared_unit, shared_reserve;
  bool rotate;
  uint8_t next_first;             /* rotate: first sub-core to try */
  uint16_t taken[kWgMaxSubCores]; /* warp slots in use */
  wg_cta_place_t block[kWgMaxBlockSlots];
} wg_cta_alloc_t;

/** An empty SM of `sub_cores` sub-cores under `cfg`. */
void wg_cta_alloc_reset(wg_cta_alloc_t *a, uint32_t sub_cores, const wg_sm_cfg_t *cfg);
/**
 * Find the place of a block; nothing changes.
 * @param warps 1..32; @param regs per thread, a multiple of kWgRegUnit; @param shared_bytes as asked for
 * @return false if the block does not fit now
 */
bool wg_cta_alloc_find(const wg_cta_alloc_t *a, uint32_t warps, uint32_t regs, uint32_t shared_bytes,
                       wg_cta_place_t *place);
/** Take a place that wg_cta_alloc_find gave for this state. */
void wg_cta_alloc_take(wg_cta_alloc_t *a, const wg_cta_place_t *place);
/** Release a block slot in use. */
void wg_cta_alloc_free(wg_cta_alloc_t *a, unsigned block);
/** Bytes of the shared array that a block takes. */
uint32_t wg_cta_alloc_shared(const wg_cta_alloc_t *a, uint32_t shared_bytes);
/** Sub-core and first register row of warp `k` of a place. */
uint32_t wg_cta_place_sub(const wg_cta_alloc_t *a, const wg_cta_place_t *p, uint32_t k);
uint32_t wg_cta_place_row(const wg_cta_alloc_t *a, const wg_cta_place_t *p, uint32_t k);

#ifdef __cplusplus
}
#endif
#endif
