// SPDX-License-Identifier: Apache-2.0
//
// Shared by ref_warp.c, ref_ctrl.c and ref_memory.c only.
#ifndef WG_MODEL_REF_INT_H
#define WG_MODEL_REF_INT_H

#include "model/ref/wg_ref.h"

static inline void wg_ref_set_fault(wg_ref_step_t *st, uint8_t code, uint32_t lanes, uint64_t addr) {
  st->fault = code;
  st->fault_lanes = lanes;
  st->fault_addr = addr;
}

/** Source b as a row; immediates and constants are spread into `scratch` ([32]). NULL after a fault. */
const uint32_t *wg_ref_row_b(const wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st, uint32_t *scratch);
/** Write an instruction's results to registers and predicates of `lanes`. */
void wg_ref_commit(wg_ref_warp_t *w, const wg_insn_t *in, const wg_ref_out_t *o, uint32_t lanes);
/** A control instruction: step of the divergence twin, faults, barrier arrival, results. */
void wg_ref_issue_ctrl(wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st);
/** Addresses, checks and store data of an instruction of the LSU pipe that is no SHFL, for the lanes of st->exec. */
void wg_ref_issue_memory(const wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st);

#endif
