// SPDX-License-Identifier: Apache-2.0
//
// Fills the control field of code: stall counts for results of fixed latency, counters and wait masks for the
// others (isa/README.md, "Control field").
#ifndef WG_TOOLCHAIN_ANNOTATE_H
#define WG_TOOLCHAIN_ANNOTATE_H

#include "isa/wg_ctl.h"
#include "toolchain/obj/wg_obj.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wg_annotate_mode {
  kWgAnnotateTight, /* the least that the table asks for: what the compiler emits */
  kWgAnnotateSafe,  /* the longest distance of the table behind everything, every counter waited for at once */
} wg_annotate_mode_t;

/**
 * Write stall, wr_ctr, rd_ctr and wait_mask of `n` instructions in the order of memory; yield stays as it is.
 * Where branches go does not matter: what jumps leaves nothing open.
 * @param n 0 is allowed
 */
void wg_annotate(wg_insn_t *in, uint32_t n, const wg_ctl_table_t *t, wg_annotate_mode_t mode);

/** The same for every kernel of an object; words that are no instruction stay. Sets `latency_hash`. */
void wg_annotate_object(wg_obj_t *o, const wg_ctl_table_t *t, wg_annotate_mode_t mode);

#ifdef __cplusplus
}
#endif
#endif
