// SPDX-License-Identifier: Apache-2.0
//
// Messages of the GPU model and the contract of its blocks.
//
// A block is a const spec, a mutable state and four functions: can_accept, push, pop, tick(now). Blocks never call each
// other; model/gpu.c moves messages in a fixed order, so a run is reproducible. `now` counts SM cycles; L2, HBM and
// link clocks are integer ratios in the specs. Data of an address moves when the L2 slice serves the request: that is
// the one order of an address.
#ifndef WG_MODEL_TLM_H
#define WG_MODEL_TLM_H

#include "isa/wg_cfg.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A request flit of an SM's memory port. */
typedef struct wg_mem_req {
  uint64_t line;       /* byte address of the 128-byte line */
  uint32_t byte_mask;  /* stores, atomics: bytes of the one sector, bit 0 = lowest address */
  uint32_t pc;         /* of the instruction, for error reports */
  uint8_t id;          /* 0..255, unique among the SM's open requests; the flits of one atomic share it, each with another sector */
  uint8_t op;          /* kWgMem* */
  uint8_t atom;        /* atomics: AOP in the upper half, ATYPE in the lower (isa/isa.def); else 0 */
  uint8_t sector_mask; /* loads: sectors wanted; stores and atomics: exactly one bit */
  uint8_t warp;        /* sub_core + sub_cores * slot */
  uint16_t sm;         /* filled in by model/gpu.c */
  uint8_t data[32];    /* stores: the sector's bytes, address order; atomics: operands (CAS: new values) */
  uint8_t cmp[32];     /* CAS: expected values */
} wg_mem_req_t;

/** A response flit: one sector of a load, the sector as an atomic found it, or an acknowledgement (store, kWgMemRed). */
typedef struct wg_mem_rsp {
  uint8_t id;
  uint8_t sector; /* 0..3; stores: the acknowledged sector */
  uint8_t status; /* kWgFaultNone or kWgFaultIllegalAddr */
  uint16_t sm;
  uint8_t data[32];
} wg_mem_rsp_t;

/** Everything an SM needs to start one thread block. Bytes unless said otherwise. */
typedef struct wg_cta_launch {
  uint32_t grid_id;
  uint32_t ctaid[3], ntid[3], nctaid[3];
  uint32_t entry_pc;        /* byte offset in the code window */
  uint32_t regs_per_thread; /* rounded up to kWgRegUnit by the launcher */
  uint32_t shared_bytes;    /* static + dynamic, before the SM's granularity and reserve */
  uint32_t local_bytes;     /* per thread, a multiple of 4 */
  uint32_t barriers;
  uint64_t code_base;       /* device address of code window offset 0 */
  uint64_t const_base[4];   /* device address of constant banks 0..3 */
  uint32_t const_size[4];
  uint64_t local_arena;     /* device address, a multiple of 128; see isa/README.md, LDL */
  bool inval_l1, inval_const, inval_insn; /* first block of a grid on this SM */
} wg_cta_launch_t;

/** A block has ended and all its resources are free. */
typedef struct wg_cta_done {
  uint32_t grid_id;
  uint32_t ctaid[3];
  uint8_t block_slot;
} wg_cta_done_t;

/** First fault of an SM. */
typedef struct wg_fault {
  uint8_t code; /* kWgFault* */
  uint32_t grid_id;
  uint32_t ctaid[3];
  uint8_t warp; /* sub_core + sub_cores * slot */
  uint8_t warp_in_block;
  uint32_t lanes;
  uint32_t pc;
  uint64_t addr;
  uint64_t cycle;
  uint16_t sm;
} wg_fault_t;

#ifdef __cplusplus
}
#endif
#endif
