// SPDX-License-Identifier: Apache-2.0
//
// Occupancy: how many blocks an SM holds, which resource says no to the next one, and what would help. The number is
// the GigaThread engine's (the twin of the SM's allocator); the shares of single resources are formulas, held to it
// by a test.
#ifndef WG_MODEL_OCCUPANCY_H
#define WG_MODEL_OCCUPANCY_H

#include "model/preset.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Resources of an SM, in the order in which they are named when several bind. */
typedef enum wg_occ_resource {
  kWgOccShared,
  kWgOccRegisters, /* of a sub-core */
  kWgOccWarps,
  kWgOccThreads, /* only where a preset limits threads apart from warps */
  kWgOccBlocks,
  kWgOccResources,
} wg_occ_resource_t;

/** "shared memory", "registers", ... */
const char *wg_occ_resource_name(wg_occ_resource_t r);

/** What a block needs. */
typedef struct wg_occ_block {
  uint32_t threads; /* 1..1024 */
  uint32_t regs;    /* a thread, 1..255 */
  uint32_t shared_bytes;
} wg_occ_block_t;

/** What comes of it. */
typedef struct wg_occ {
  uint32_t warps;     /* of a block */
  uint32_t max_warps; /* warp slots of an SM; fewer where it limits threads */
  uint32_t blocks;    /* that an SM holds; 0 = never fits */
  uint32_t needs[kWgOccResources],
      has[kWgOccResources];        /* a block, an SM; registers: of the sub-core with most warps */
  uint32_t alone[kWgOccResources]; /* blocks if only this resource counted; UINT32_MAX = no limit */
  wg_occ_resource_t limiter;       /* the smallest of them */
} wg_occ_t;

/** @return kWgOk, or kWgBadArg for numbers out of range */
WG_NODISCARD wg_status_t wg_occ_of(const wg_preset_t *p, const wg_occ_block_t *b, wg_occ_t *out, wg_diag_t *diag);
/** What to change so that an SM holds more, one sentence. @return buf */
const char *wg_occ_remedy(const wg_preset_t *p, const wg_occ_block_t *b, const wg_occ_t *o, char *buf, size_t n);

/** A grid in waves. */
typedef struct wg_occ_waves {
  uint64_t resident; /* blocks that the SMs hold together */
  uint64_t waves;    /* ceil(blocks / resident) */
  uint64_t last;     /* blocks of the last wave */
  double tail;       /* share of the places that it fills, 0..1 */
  double use;        /* blocks over waves x resident, 0..1: of the places over the whole run, if blocks last alike */
} wg_occ_waves_t;
/** @param blocks, sms, blocks_per_sm >= 1 */
void wg_occ_waves(uint64_t blocks, uint32_t sms, uint32_t blocks_per_sm, wg_occ_waves_t *out);

#ifdef __cplusplus
}
#endif
#endif
