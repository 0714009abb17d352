// SPDX-License-Identifier: Apache-2.0
//
// Twin of sm_coalescer: a global access of a warp becomes one transaction a touched 128-byte line, ascending addresses.
// Source: silicon/README.md (tag requests = distinct lines, sectors = distinct 32-byte sectors). Stateless.
#ifndef WG_MODEL_TWIN_COALESCER_H
#define WG_MODEL_TWIN_COALESCER_H

#include "isa/wg_cfg.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wg_line_access {
  uint64_t line;   /* byte address, a multiple of kWgLineBytes */
  uint32_t lanes;  /* served by it */
  uint8_t sectors; /* touched, bit 0 = lowest address */
} wg_line_access_t;

/**
 * @param addr  [32] byte addresses, each a multiple of `bytes`; lanes off in `mask` are not read
 * @param bytes per lane: 1, 2, 4, 8 or 16
 * @param[out] out [32] transactions, ascending line address
 * @return their number, 0..32
 */
unsigned wg_coalesce(const uint64_t addr[32], unsigned bytes, uint32_t mask, wg_line_access_t out[32]);

/**
 * A global atomic: as above, but a transaction takes each 32-bit word (64-bit types: each pair) of its line once, the
 * lowest lane that is left; a line comes as often as it must. Sectors are then the sum over passes that take each
 * address once: silicon/README.md, global reductions.
 * @param bytes per lane: 2, 4 or 8
 */
unsigned wg_coalesce_atom(const uint64_t addr[32], unsigned bytes, uint32_t mask, wg_line_access_t out[32]);

/**
 * A load of constants (LDC): as above, but a transaction answers the lanes of one address, that of the lowest lane left in the
 * lowest line. Source: silicon/README.md, constmem (requests of the constant cache = distinct words).
 */
unsigned wg_coalesce_const(const uint64_t addr[32], unsigned bytes, uint32_t mask, wg_line_access_t out[32]);

#ifdef __cplusplus
}
#endif
#endif
