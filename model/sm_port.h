// SPDX-License-Identifier: Apache-2.0
//
// The one face of an SM towards the GPU model. Back ends: `rtl` (cosim/sm_rtl.c over the verilated design), `stub`
// (model/sm/sm_stub.c: blocks held for a given or scripted time), `func` (model/sm/sm_func.c: the golden instruction
// model, one block at a time, no timing claim). The GPU model cannot tell which one it drives.
//
// Order inside one cycle, fixed: gpu.c pushes responses and at most one launch, calls tick, then pops requests
// (at most as many as it has room for; the SM never has more than kWgMemCredits unpopped), the done message and the fault.
#ifndef WG_MODEL_SM_PORT_H
#define WG_MODEL_SM_PORT_H

#include "model/tlm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Launch-time configuration of an SM; constant while blocks are resident. Mirrors the RTL's cfg_i. */
typedef struct wg_sm_cfg {
  uint32_t warp_slots;      /* per sub-core, <= shape's */
  uint32_t block_slots;     /* <= shape's */
  uint32_t regs_per_subcore;
  uint32_t shared_bytes;    /* usable for blocks; the rest of the array is L1 */
  uint32_t shared_unit;     /* allocation granularity */
  uint32_t shared_reserve;  /* added to each block before rounding */
  uint32_t thread_slots;    /* threads an SM may hold (1536: 384 contexts on `lecture`); 0 = warp slots rule alone */
  bool first_rotate;        /* first sub-core of a block: false = 0 (the text), true = rotating (hardware) */
  uint32_t policy;          /* kWgPolicy* */
  uint32_t knob[4];         /* policy parameters */
  uint32_t progress_cycles; /* that an eligible warp waits at most before it issues first: 64, 128 .. 4096; 0: no such rule */
  uint32_t diverge_mode;    /* 0 = stack, 1 = its */
  uint32_t split_order;     /* its: 0 h200, 1 alternate, 2 random */
  uint32_t dep_mode;        /* 0 = scoreboard, 1 = control-bits */
  uint32_t operand_order;   /* 0 = free, 1 = in order */
  uint32_t issue_interval[4]; /* int, fp32, fp64, sfu: extra cycles between dispatches of a pipe */
  uint32_t extra_latency[4];  /* int, fp32, fp64, sfu: extra cycles until a dependent instruction may issue */
  uint32_t half_extra;        /* the same for the half pipe */
  uint32_t mem_interval;      /* cycles beyond one between memory instructions of a sub-core */
  uint32_t mem_switch;        /* so many fewer behind a load or shuffle of another warp; at most mem_interval */
  uint32_t cas_extra;         /* cycles by which a CAS on shared memory leaves its sub-core later */
  uint32_t wf_interval;       /* cycles beyond one between wavefronts of a shared access while no other sub-core waits */
  uint32_t line_interval;     /* cycles beyond one between the 128-byte lines of a global access */
  uint32_t shared_pad;        /* cycles by which the results of shared loads and shuffles are held back */
  uint32_t global_pad;        /* and those of global loads */
  uint32_t bar_interval;      /* cycles beyond one between arrivals at block barriers */
  uint32_t bar_extra;         /* cycles from the completion of a block barrier to its release, beyond one */
  uint32_t bar_count_extra;   /* so many more if the last arrival has its thread count from a register */
  uint32_t bar_red_extra;     /* so many more for BAR.RED */
  uint32_t bar_red_interval;  /* and for each of its warps beyond eight */
  uint32_t mma_extra;         /* cycles by which a matrix instruction begins later */
  uint32_t mma_deep_extra;    /* so many more with both halves of K (32 bytes) */
  uint32_t fence_extra;       /* cycles by which a MEMBAR or CCTL comes to the fence unit later */
  uint32_t fence_interval;    /* cycles beyond one between releases of the fence unit */
  uint32_t l1_sets, l1_ways;
  uint32_t mshrs;
  uint32_t rsp_per_cycle;   /* 1 or 2 */
  uint32_t smid, nsmid;
} wg_sm_cfg_t;

/** What block policies see of an SM: issue slots (sub-cores x cycles) since the last call. */
typedef struct wg_sm_activity {
  uint64_t issued, idle, memory_wait;
} wg_sm_activity_t;

typedef struct wg_sm wg_sm_t; /* a back end's instance */

typedef struct wg_sm_ops {
  const char *name;
  /** Forget all state: caches, pointers, policy state. Called when the GPU is idle; `cfg` takes effect. */
  wg_status_t (*reset)(wg_sm_t *sm, const wg_sm_cfg_t *cfg, wg_diag_t *diag);
  /** True if a launch may be pushed in this cycle. Whether the block fits is the launcher's business: it runs the
      twin of the SM's allocator (model/twin/cta_alloc.h), so a launch that does not fit is an internal error. */
  bool (*can_launch)(const wg_sm_t *sm);
  void (*launch)(wg_sm_t *sm, const wg_cta_launch_t *msg);
  /** Responses are always taken, at most cfg.rsp_per_cycle between two ticks. */
  void (*push_rsp)(wg_sm_t *sm, const wg_mem_rsp_t *rsp);
  /** One SM cycle. `time_ns` feeds %globaltimer. `kill` drains after a fault. */
  void (*tick)(wg_sm_t *sm, uint64_t time_ns, bool kill);
  bool (*pop_req)(wg_sm_t *sm, wg_mem_req_t *req);
  bool (*pop_done)(wg_sm_t *sm, wg_cta_done_t *done);
  bool (*pop_fault)(wg_sm_t *sm, wg_fault_t *fault);
  wg_sm_activity_t (*activity)(wg_sm_t *sm);
  void (*destroy)(wg_sm_t *sm); /* takes NULL */
  /** Blocks that it holds or whose end it has not handed over yet; UINT32_MAX = it does not know. May be NULL: unknown.
      The launcher compares it with what it sent: a block end that got lost must not look like a block that runs. */
  uint32_t (*resident)(const wg_sm_t *sm);
  /** Warp instructions issued by the block that is in this block slot, or was there last. May be NULL: unknown. */
  uint64_t (*block_issued)(const wg_sm_t *sm, uint32_t block_slot);
} wg_sm_ops_t;

/** Every back end's instance starts with this. */
struct wg_sm {
  const wg_sm_ops_t *ops;
};

#ifdef __cplusplus
}
#endif
#endif
