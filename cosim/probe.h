// SPDX-License-Identifier: Apache-2.0
//
// Events that the bound probes report (testbench/probe/*.sv, imports in testbench/probe/sm_probe_pkg.sv). The RTL does not
// know about them. A probe calls only when its unit did something; all counters, the retire hash, slot accounting, golden
// checks and traces are computed from these events in C.
//
// cosim/sm_dut_vl.cc implements the imports and forwards to the hooks of the instance that is being evaluated (a
// thread-local pointer set by step(); a verilated SM is evaluated by one thread at a time). Every hook may be NULL.
// The order of events inside one cycle is the order of the fields below; within one kind, by sub-core.
#ifndef WG_COSIM_PROBE_H
#define WG_COSIM_PROBE_H

#include "isa/wg_cfg.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A warp slot was bound (one event a warp). Rows are register rows, bases are bytes. */
typedef struct wg_ev_init {
  uint8_t sub, slot, block, warp; /* warp = warp in block */
  uint32_t mask;                  /* existing threads */
  uint32_t reg_base, regs;        /* rows */
  uint32_t shared_base, shared_size;
  uint32_t grid_id, ctaid[3];
} wg_ev_init_t;

/** A warp instruction left the scheduler. Events of a warp come in program order: this is its sequence. */
typedef struct wg_ev_issue {
  uint8_t sub, slot;
  uint32_t pc;
  uint32_t mask; /* running split: active, not exited lanes */
  uint32_t exec; /* lanes whose guard holds as well */
} wg_ev_issue_t;

/** Registers were written: rd, and rd + 1 if wide. A warp never has two open V-bus writes to one register; F results
    of one register come in program order. */
typedef struct wg_ev_wb {
  uint8_t sub, slot, rd;
  bool wide, variable; /* variable: came over the V bus */
  uint32_t mask;
  const uint32_t *lo, *hi; /* [32] each, lane 0 first; lanes off in mask are undefined; hi valid only if wide */
} wg_ev_wb_t;

/** A predicate register was written (may come in several beats; each names its lanes). */
typedef struct wg_ev_pred {
  uint8_t sub, slot, pd;
  uint32_t mask, bits;
} wg_ev_pred_t;

/** The LSU took a memory or shuffle instruction; per warp in program order. `tag` names it until `lsu_done`. */
typedef struct wg_ev_lsu {
  uint8_t sub, slot, tag;
  uint32_t pc;
} wg_ev_lsu_t;

/** One wavefront of the shared pipe took effect for these lanes (LDS, STS, ATOMS, LDSM, SHFL, lanes of generic accesses). */
typedef struct wg_ev_shm {
  uint8_t tag;
  uint32_t lanes;
} wg_ev_shm_t;

/** One line transaction passed the L1 tag stage: this is where a global load or store takes its place in the SM's order.
    Atomics: hit is 0, the sectors are dropped; `store` = RED. */
typedef struct wg_ev_l1 {
  uint8_t tag;
  bool store;
  uint64_t line;       /* byte address of the line */
  uint32_t lanes;      /* lanes served by this transaction */
  uint8_t sectors;     /* touched */
  uint8_t hit;         /* loads: sectors that were answered by the L1; stores: sectors updated in the L1 */
  uint8_t req_id;      /* loads with hit != sectors: memory request id that will bring the rest (new or merged);
                          stores: id of the lowest sector's request, the following sectors take the next ids of 64..127 */
} wg_ev_l1_t;

/** A response sector reached the L1. Merged loads see the sector's bytes as delivered, whether installed or not. */
typedef struct wg_ev_fill {
  uint8_t req_id, sector;
  bool installed; /* false: invalidated or written while pending */
} wg_ev_fill_t;

/** The whole L1 was dropped at the end of this cycle, open misses will not be installed (CCTL; not a launch). */
typedef struct wg_ev_inval {
  bool all; /* true */
} wg_ev_inval_t;

/** No MSHR of the L1 was free in the last cycle; one event a cycle. */
typedef struct wg_ev_full {
  bool full; /* true */
} wg_ev_full_t;

typedef struct wg_ev_lsu_done {
  uint8_t tag;
} wg_ev_lsu_done_t;

/** Operation of the divergence unit, reported when it takes effect. */
typedef struct wg_ev_stack {
  uint8_t sub, slot;
  uint8_t op;           /* opcode of a control instruction; its: or kWgDivSwitch, kWgDivRelease, kWgDivWake */
  uint8_t breg;
  uint32_t pc;          /* of the instruction */
  uint32_t target;      /* absolute byte PC, BRA, CALL and BSSY */
  uint32_t mask, exec;  /* before */
  uint32_t next_pc, next_mask; /* after; mask 0 = warp ended; its: or no lane can run */
  uint8_t depth;        /* stack: after */
  uint8_t fault;        /* kWgFault* */
} wg_ev_stack_t;

/** Scheduler decision of a cycle in which a valid warp exists. */
typedef struct wg_ev_pick {
  uint8_t sub, policy;
  bool issued;
  uint8_t warp;         /* if issued */
  uint16_t valid, eligible, withheld;
  uint32_t event[4]; /* bits of sm_sub_pkg::sched_ev_t, lowest word first; see wg_sched_unpack */
} wg_ev_pick_t;

typedef struct wg_ev_bar {
  uint8_t kind; /* 0 arrive, 1 release, 2 warp exit, 3 block launch */
  uint8_t block, warp, id;
  bool arrive_only, has_count;
  uint16_t count;  /* threads */
  uint8_t red;     /* arrive, release: wg_bar_red_t */
  uint16_t value;  /* arrive: lanes whose predicate holds; release: result */
  bool some_false; /* arrive: a lane's does not */
  uint32_t warps;  /* release: warps of the block that go on; launch: participating warps */
} wg_ev_bar_t;

/** A block ended; its slots and ranges are free from the next cycle. */
typedef struct wg_ev_free {
  uint8_t block;
} wg_ev_free_t;

/** Instruction words were read for a warp: decoded in the next cycle, in its instruction buffer after that, unless a flush
    of one of the two cycles drops them. */
typedef struct wg_ev_fetch {
  uint8_t sub, slot;
  bool two; /* also the word at pc + 16 */
  uint32_t pc;
} wg_ev_fetch_t;

/** The warp goes on elsewhere: what is fetched for it, up to this cycle, is dropped. */
typedef struct wg_ev_flush {
  uint8_t sub, slot;
} wg_ev_flush_t;

/** An instruction leaves its operand collector: first beat of its pipe, or into a unit of variable latency (matrix
    instructions: twice). */
typedef struct wg_ev_exec {
  uint8_t sub, slot;
  uint32_t pc;
} wg_ev_exec_t;

/** Why each warp slot of a sub-core does not issue in this cycle, when that changed; 4 bits a slot, kWgReason*. For a warp that
    issues: what was said before. Events of the other kinds tell the rest. */
typedef struct wg_ev_why {
  uint8_t sub;
  uint64_t why;
} wg_ev_why_t;

typedef struct wg_probe_hooks {
  void (*init)(void *ctx, const wg_ev_init_t *e);
  void (*issue)(void *ctx, const wg_ev_issue_t *e);
  void (*wb)(void *ctx, const wg_ev_wb_t *e);
  void (*pred)(void *ctx, const wg_ev_pred_t *e);
  void (*lsu)(void *ctx, const wg_ev_lsu_t *e);
  void (*shm)(void *ctx, const wg_ev_shm_t *e);
  void (*l1)(void *ctx, const wg_ev_l1_t *e);
  void (*fill)(void *ctx, const wg_ev_fill_t *e);
  void (*inval)(void *ctx, const wg_ev_inval_t *e);
  void (*full)(void *ctx, const wg_ev_full_t *e);
  void (*lsu_done)(void *ctx, const wg_ev_lsu_done_t *e);
  void (*free)(void *ctx, const wg_ev_free_t *e);
  /* level `units` only */
  void (*stack)(void *ctx, const wg_ev_stack_t *e);
  void (*pick)(void *ctx, const wg_ev_pick_t *e);
  void (*bar)(void *ctx, const wg_ev_bar_t *e);
  /* event traces only */
  void (*fetch)(void *ctx, const wg_ev_fetch_t *e);
  void (*flush)(void *ctx, const wg_ev_flush_t *e);
  void (*exec)(void *ctx, const wg_ev_exec_t *e);
  void (*why)(void *ctx, const wg_ev_why_t *e);
} wg_probe_hooks_t;

#ifdef __cplusplus
}
#endif
#endif
