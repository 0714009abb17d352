// SPDX-License-Identifier: Apache-2.0
//
// Counters of a launch (counts.def) and how an instruction moves them. The golden model counts what it does; the lockstep
// checker counts requests, lanes and bytes at issue, and takes lines, sectors and wavefronts from the RTL's events.
#ifndef WG_MODEL_COUNTS_H
#define WG_MODEL_COUNTS_H

#include "isa/wg_isa.h"
#include "model/twin/coalescer.h"
#include "model/twin/smem_passes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wg_counts {
#define WG_COUNT(FIELD, KEY, TABLE, DOC) uint64_t FIELD;
#include "model/counts.def"
} wg_counts_t;

/** One warp instruction issued: instructions, register rows, branches, floating-point lanes. @param regs wg_insn_regs of it;
    @param mask running lanes; @param exec those whose guard holds */
void wg_count_insn(wg_counts_t *c, const wg_insn_t *in, const wg_regset_t *regs, uint32_t mask, uint32_t exec);
/** Register rows of an instruction with a lane to execute: into operand collectors, and read from banks for it. */
void wg_count_operands(const wg_insn_t *in, const wg_regset_t *regs, unsigned *rows, unsigned *reads);
/** A warp started with these threads, the first one of its block or not. */
void wg_count_warp(wg_counts_t *c, uint32_t present, bool first);

/** What one access counts as. */
typedef enum wg_access { kWgAccLoad, kWgAccStore, kWgAccRed, kWgAccAtom } wg_access_t;
/** Kind of a memory instruction. */
wg_access_t wg_access_of(const wg_insn_t *in);

/** Lanes of one access on device memory: requests, lanes, bytes; sectors that no pass counts twice; of atomics also the lines.
    @param addr [32]; @param bytes per lane; @param lanes not 0; @param line [n] of wg_coalesce for these lanes */
void wg_count_global(wg_counts_t *c, wg_access_t kind, const uint64_t addr[32], unsigned bytes, uint32_t lanes,
                     const wg_line_access_t *line, unsigned n);
/** One transaction of it: `sectors` = mask of four. */
void wg_count_line(wg_counts_t *c, wg_access_t kind, uint8_t sectors);
/** Lanes of one access on shared memory: requests, bytes, conflicts. Atomics count as ATOMS. */
void wg_count_shared(wg_counts_t *c, wg_access_t kind, const uint64_t addr[32], unsigned bytes, uint32_t lanes,
                     const wg_smem_passes_t *p);
/** Wavefronts of it. */
void wg_count_wavefronts(wg_counts_t *c, wg_access_t kind, unsigned n);

#ifdef __cplusplus
}
#endif
#endif
