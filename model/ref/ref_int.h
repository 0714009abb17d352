// SPDX-License-Identifier: Apache-2.0
//
// Shared by ref_warp.c and ref_memory.c only.
#ifndef WG_MODEL_REF_INT_H
#define WG_MODEL_REF_INT_H

#include "model/ref/wg_ref.h"

static inline void wg_ref_set_fault(wg_ref_step_t *st, uint8_t code, uint32_t lanes, uint64_t addr) {
  st->fault = code;
  st->fault_lanes = lanes;
  st->fault_addr = addr;
}

/** Addresses, checks and store data of an instruction of the LSU pipe that is no SHFL, for the lanes of st->exec. */
void wg_ref_issue_memory(const wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st);

#endif
