// SPDX-License-Identifier: Apache-2.0
//
// Twin of sm_ccws_vta: the victim tags of an SM. For each warp the last lines that it had brought into the L1 and
// that were displaced there: 16 entries, 2 sets of 8 ways by the lowest bit of the line address. Source: Rogers et
// al., MICRO 2012.
#ifndef WG_MODEL_TWIN_VTA_H
#define WG_MODEL_TWIN_VTA_H

#include "isa/wg_cfg.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgVtaSets = 2, kWgVtaWays = 8, kWgVtaWarps = 64, kWgVtaRows = 2048 };

typedef struct wg_vta {
  uint8_t owner[kWgVtaRows];                            /* warp that brought the line of an L1 row */
  uint8_t num[kWgVtaWarps][kWgVtaSets];                 /* tags there are */
  uint64_t tag[kWgVtaWarps][kWgVtaSets][kWgVtaWays];    /* line number (address / 128), the youngest first */
} wg_vta_t;

void wg_vta_reset(wg_vta_t *v);
/** The warp id gets a new warp: its tags are dropped. @param warp sub-core + sub-cores * slot, below kWgVtaWarps */
void wg_vta_bind(wg_vta_t *v, unsigned warp);
/** A load of `warp` misses. @param line line number @return true if the warp had lost that line */
bool wg_vta_miss(const wg_vta_t *v, unsigned warp, uint64_t line);
/** A line that `warp` asked for goes into an L1 row. @param row below kWgVtaRows @param victim line that it displaces, read
    only if `evict`; it must have come by an earlier fill of the row */
void wg_vta_fill(wg_vta_t *v, unsigned warp, unsigned row, bool evict, uint64_t victim);

#ifdef __cplusplus
}
#endif
#endif
