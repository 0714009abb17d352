// SPDX-License-Identifier: Apache-2.0
//
// The C face of isa/cfg.def: constants kWg<Id>, policy ids kWgPolicy<Id>, slot reasons kWgReason<Id>,
// special registers kWgSr<Id>, memory operations kWgMem<Id>, fault codes kWgFault<Id>, warp states kWgState<Id>,
// and the table of shapes.
#ifndef WG_ISA_CFG_H
#define WG_ISA_CFG_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
#define WG_CONST(ID, VALUE, DOC) kWg##ID = (VALUE),
#define WG_POLICY(ID, VALUE, NAME, DOC) kWgPolicy##ID = (VALUE),
#define WG_REASON(ID, VALUE, NAME, DOC) kWgReason##ID = (VALUE),
#define WG_SREG(ID, VALUE, NAME, DOC) kWgSr##ID = (VALUE),
#define WG_MEMOP(ID, VALUE, NAME, DOC) kWgMem##ID = (VALUE),
#define WG_FAULT(ID, VALUE, CUDA, NAME, DOC) kWgFault##ID = (VALUE),
#define WG_WSTATE(ID, VALUE, NAME, DOC) kWgState##ID = (VALUE),
#include "isa/cfg.def"
  kWgReasonCount = 16,
};

/** What one verilated build contains (decision: elaboration parameters only). Units: registers are 32-bit per thread. */
typedef struct wg_shape {
  char name[16];
  uint32_t sub_cores, warp_slots; /* warp slots per sub-core */
  uint32_t lanes_int, lanes_fp32, lanes_fp64, lanes_sfu;
  uint32_t regs_per_subcore;
  uint32_t smem_bytes; /* L1 data and shared memory, one array */
  uint32_t block_slots;
  uint32_t l1i_bytes;
  uint32_t l0i_bytes; /* instruction cache of a sub-core */
  uint32_t mma_rows;  /* rows of eight elements of D that a matrix unit computes in a step */
} wg_shape_t;

/** Shape by name, NULL if there is none. The table ends with an empty name. */
extern const wg_shape_t wg_shapes[];
const wg_shape_t *wg_shape_find(const char *name);

/** Names for messages and waves; never NULL ("?" for values outside the table). */
const char *wg_reason_name(unsigned reason);
const char *wg_sreg_name(unsigned sr);
const char *wg_fault_name(unsigned fault);
const char *wg_policy_name(unsigned policy);
/** Policy id by name, -1 if there is none. */
int wg_policy_find(const char *name);
/** CUDA error number of a hardware fault code. */
unsigned wg_fault_cuda(unsigned fault);

#ifdef __cplusplus
}
#endif
#endif
