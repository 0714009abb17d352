// SPDX-License-Identifier: Apache-2.0
//
// What a preset says about the GigaThread engine, and the launch command it takes.
#ifndef WG_MODEL_GTE_SPEC_H
#define WG_MODEL_GTE_SPEC_H

#include "model/sm_port.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  kWgGteMaxQueue = 64,      /* launch commands that may wait */
  kWgGteMaxGridSlots = 128, /* grids that may be resident */
  kWgGteMaxKnobs = 4,
  kWgGteMaxOrder = 64, /* block numbers that a scripted order may name */
};

/** A block policy as a preset or a setting names it; see model/gte/gte_policy.h. */
typedef struct wg_gte_choice {
  char name[12];
  uint32_t num_knobs; /* given, 0..4; the others are the policy's defaults */
  uint32_t knob[kWgGteMaxKnobs];
} wg_gte_choice_t;

/** In which order the blocks of a grid are taken from it. CUDA promises none; hardware takes them by number. */
typedef enum wg_gte_order_kind { kWgGteForward, kWgGteReverse, kWgGteShuffle, kWgGteList } wg_gte_order_kind_t;

typedef struct wg_gte_order {
  wg_gte_order_kind_t kind;
  uint32_t seed;                 /* shuffle */
  uint32_t num;                  /* list: so many blocks come as listed, the others by number behind them */
  uint32_t list[kWgGteMaxOrder]; /* a permutation of 0..num - 1 */
} wg_gte_order_t;

/** Spec. Cycles are SM cycles. */
typedef struct wg_gte_spec {
  uint32_t queue_grids;     /* launch commands that may wait, 1..64 */
  uint32_t grid_slots;      /* grids that may be resident at once, 1..128 */
  uint32_t dispatch_cycles; /* from one block's dispatch to the next one's, >= 1 */
  uint32_t refill_cycles;   /* an SM gets no block for so long after it told of a block's end */
  wg_gte_choice_t policy;   /* where blocks go; an empty name: breadth */
  wg_gte_order_t order;     /* an override for experiments: no preset sets it */
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
  uint32_t local_bytes;   /* per thread, multiple of 4 */
  uint32_t barriers;      /* 0..16 */
  uint64_t code_base;     /* device address of code window offset 0 */
  uint64_t const_base[4]; /* device addresses of constant banks 0 (launch data, parameters), 1, 2, 3 */
  uint32_t const_size[4];
  uint64_t local_arena;         /* device address, a multiple of 128; SM i gets local_arena + i * local_stride; 0 if
                                   local_bytes is 0 */
  uint64_t local_stride;        /* see wg_gpu_local_stride */
  bool inval_const, inval_insn; /* constants or code were written since the last grid */
  uint32_t stream;  /* grids of one stream run one after another; 0 = the default stream, see model/gpu.h */
  bool nonblocking; /* its stream takes no part in the default stream's order (cudaStreamNonBlocking) */
  int32_t priority; /* lower numbers first, as in CUDA; among equals the order of submission */
} wg_grid_t;

#ifdef __cplusplus
}
#endif
#endif
