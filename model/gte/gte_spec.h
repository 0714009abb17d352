// SPDX-License-Identifier: Apache-2.0
//
// What a preset says about the GigaThread engine, and the launch command it takes.
#ifndef WG_MODEL_GTE_SPEC_H
#define WG_MODEL_GTE_SPEC_H

#include "model/sm_port.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Spec. Cycles are SM cycles. */
typedef struct wg_gte_spec {
  uint32_t queue_grids;        /* launch commands that may wait, 1..64 */
  uint32_t dispatch_cycles;    /* from one block's dispatch to the next one's, >= 1 */
} wg_gte_spec_t;

/**
 * Launch command: everything the engine needs to start a grid. Bytes unless said otherwise.
 * Source: what a block needs to start, rtl/README.md, "Launch".
 */
typedef struct wg_grid {
  uint32_t grid_id;         /* unique in a run; in every message of the grid */
  uint32_t grid[3];         /* blocks: x 1..2^31-1, y and z 1..65535 */
  uint32_t block[3];        /* threads: x, y 1..1024, z 1..64, product <= 1024 */
  uint32_t entry_pc;        /* byte offset in the code window */
  uint32_t regs_per_thread; /* 1..255, rounded up to kWgRegUnit here */
  uint32_t static_shared_bytes, dyn_shared_bytes;
  uint32_t local_bytes;     /* per thread, multiple of 4 */
  uint32_t barriers;        /* 0..16 */
  uint64_t code_base;       /* device address of code window offset 0 */
  uint64_t const_base[4];   /* device addresses of constant banks 0 (launch data, parameters), 1, 2, 3 */
  uint32_t const_size[4];
  uint64_t local_arena;     /* device address, a multiple of 128; SM i gets local_arena + i * local_stride; 0 if
                               local_bytes is 0 */
  uint64_t local_stride;    /* see wg_gpu_local_stride */
  bool inval_const, inval_insn; /* constants or code were written since the last grid */
} wg_grid_t;

#ifdef __cplusplus
}
#endif
#endif
