// SPDX-License-Identifier: Apache-2.0
//
// What the GigaThread engine knows of one SM's resources: thread slots, and the allocator of rtl/README.md ("Allocator").
#ifndef WG_MODEL_GTE_ROOM_H
#define WG_MODEL_GTE_ROOM_H

#include "model/sm_port.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A resident block. Register ranges are rows of a sub-core, shared ranges bytes. */
typedef struct wg_room_block {
  bool used;
  uint8_t first, warps;
  uint16_t slots[kWgMaxSubCores]; /* warp slots taken */
  uint32_t reg_lo[kWgMaxSubCores], reg_hi[kWgMaxSubCores];
  uint32_t shared_lo, shared_hi;
} wg_room_block_t;

typedef struct wg_room {
  uint32_t sub_cores, warp_slots, block_slots, reg_rows, shared_bytes, shared_unit, shared_reserve, thread_slots;
  bool rotate;
  uint8_t next_first; /* rotate: first sub-core to try */
  uint16_t taken[kWgMaxSubCores];
  uint32_t threads;   /* resident, in whole warps */
  wg_room_block_t block[kWgMaxBlockSlots];
} wg_room_t;

void wg_room_init(wg_room_t *r, const wg_shape_t *shape, const wg_sm_cfg_t *cfg);
/**
 * Find a place for a block. @param regs per thread, rounded to kWgRegUnit; @param shared_bytes as asked for
 * @return block slot, or -1 if the block does not fit now. Nothing changes.
 */
int wg_room_find(const wg_room_t *r, uint32_t warps, uint32_t regs, uint32_t shared_bytes, wg_room_block_t *place);
/** Take what wg_room_find found. */
void wg_room_take(wg_room_t *r, int slot, const wg_room_block_t *place);
/** Release a block slot that is in use. */
void wg_room_free(wg_room_t *r, int slot);
/** Bytes a block takes: reserve added, rounded up to the unit. */
uint32_t wg_room_shared_size(const wg_room_t *r, uint32_t shared_bytes);

#ifdef __cplusplus
}
#endif
#endif
