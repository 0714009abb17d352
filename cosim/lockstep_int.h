// SPDX-License-Identifier: Apache-2.0
//
// Inside of the lockstep checker; included by cosim/lockstep*.c only.
#ifndef WG_COSIM_LOCKSTEP_INT_H
#define WG_COSIM_LOCKSTEP_INT_H

#include "cosim/lockstep.h"
#include "model/ref/ref_hazard.h"
#include "model/ref/wg_ref_spin.h"
#include "model/ref/wg_ref_stats.h"
#include "model/twin/coalescer.h"
#include "model/twin/cta_alloc.h"
#include "model/twin/sched.h"
#include "model/twin/smem_passes.h"

enum {
  kLsMaxOps = 96, /* instructions of a warp with something open */
  kLsTags = 256,
  kLsLaunches = 64, /* launch messages not yet started */
  kLsCodes = 16,    /* code windows (modules) */
};

/** An issued instruction that still has something open: a write-back, a predicate, a memory effect. */
typedef struct ls_op {
  struct ls_op *next_free;
  const wg_ref_insn_t *insn;
  uint32_t pc, exec;
  uint64_t cycle;      /* of its ISSUE */
  uint8_t rows;        /* destination words, 0 if none or RZ */
  bool variable;       /* result comes over the V bus */
  bool adopt;          /* S2R of a time: any value, the same in all lanes */
  bool lsu, lsu_taken; /* goes through the LSU; has its tag */
  bool store;          /* writes memory and no register */
  bool atomic;
  bool in_const;       /* LDC */
  uint8_t tag;
  uint32_t wb_left[4];           /* lanes whose write-back is due, per destination word */
  uint32_t ready;                /* lanes whose result is known (loads: performed) */
  uint32_t unknown;              /* lanes that depend on values nobody has written */
  uint32_t word[4][32];          /* results */
  uint32_t p_left[2], p_bits[2]; /* predicate lanes due, expected bits; [0] = pd0, [1] = pd1 */
  uint8_t pd[2];
  uint32_t mem_left; /* lanes whose memory effect is due */
  uint32_t waiting;  /* lanes waiting for a response */
  uint32_t rows_of;  /* LDSM: lanes that give a row */
  uint32_t in_shared, in_local; /* lanes of the shared pipe (SHFL: all); lanes on local memory */
  uint64_t seq;      /* stores: number among the SM's, given when the LSU took it */
  uint64_t addr[32];
  uint32_t data[4][32]; /* stores, atomics: operands; LDSM: the rows read */
  unsigned bytes;
  wg_smem_passes_t passes;   /* units: of the lanes in_shared */
  unsigned pass;             /* the next one */
  wg_line_access_t line[32]; /* units: of the others */
  unsigned steps, step;      /* lines, and the next one */
  uint32_t place[32];        /* hash: instruction number of each lane */
} ls_op_t;

/** A warp slot. */
typedef struct ls_warp {
  bool active;
  uint8_t sub, slot, block;
  wg_ref_warp_t w;
  uint32_t reg_base;
  uint32_t pred_known[8]; /* lanes whose predicate value is known; [7] all */
  ls_op_t *op[kLsMaxOps]; /* in issue order */
  unsigned ops;
  uint8_t open_v[256]; /* V writes open, per register */
  uint8_t open_vp[8];  /* V writes open, per predicate */
  bool at_bar;         /* golden barrier: waits */
  uint8_t bar_id;
  uint32_t count_wants; /* the count, in threads */
  uint32_t bar_asks;    /* of its last arrival: threads, 0: all; and the barrier; for messages */
  uint8_t bar_last;
  uint8_t count_bar; /* waits at this barrier + 1 with a count, which only the unit's twin judges; for messages */
  uint32_t bad_lanes, bad_pc; /* its first access to an illegal address */
  uint64_t bad_addr;
  uint64_t last_issue;
  wg_ref_hash_t hash;
  bool faulted; /* golden fault; what follows is not judged */
  wg_fault_t fault;
  bool in_fence, fence_gpu, fence_inval; /* issued MEMBAR (.GPU, .SYS) or CCTL and nothing behind it */
  uint64_t fence_seq;                    /* stores taken by then */
  uint64_t fence_invals;                 /* invalidations by then */
  const wg_ref_insn_t *fence_insn;       /* it, for env.retired */
  uint32_t fence_exec;
  bool stack_due;      /* units: a stack event is expected */
  wg_ev_stack_t stack; /* what it must say of the instruction */
  const wg_ref_insn_t *stack_insn; /* it, if it is done with that event, for env.retired; else NULL */
  wg_diverge_in_t div_in;
  wg_diverge_t unit;      /* units: twin on the divergence unit's own events */
  wg_spin_t spin;         /* what it does in the open window of wg_lockstep_spin_begin */
  wg_hazard_t hazard;     /* control-bits: what the control fields leave open */
  bool bar_result_known;  /* result of the last BAR.RED follows from what the checker judges */
} ls_warp_t;

/** Constants of a grid. */
typedef struct ls_grid {
  bool used;
  wg_cta_launch_t key;
  uint8_t *bank[4];
  wg_ref_banks_t banks;
  unsigned blocks; /* block slots that point here */
} ls_grid_t;

typedef struct ls_block {
  bool active;
  wg_cta_launch_t cta;
  wg_cta_place_t place;
  uint32_t inited;      /* warps initialised */
  uint32_t shared_base; /* byte in the shared array */
  ls_grid_t *grid;
  wg_ref_code_t *code;
  wg_barrier_t bar;              /* golden barriers */
  uint32_t bar_due[kWgBarriers]; /* units: releases that the design still owes */
  uint16_t bar_owed;             /* barriers with such a release */
  wg_barrier_t bar_units;        /* units: twin on the unit's own events */
  wg_race_block_t *race;         /* or NULL */
  wg_span_block_t *span;         /* or NULL */
  wg_tools_block_t *tools;       /* or NULL */
} ls_block_t;

/** Lanes of an op that wait for one sector of a request. */
typedef struct ls_wait {
  ls_op_t *op;
  ls_warp_t *warp;
  uint32_t lanes;
} ls_wait_t;

/** One request id. */
typedef struct ls_req {
  uint64_t line;
  uint8_t due;     /* loads: sectors that some load waits for */
  uint8_t asked;   /* sectors requested and not answered */
  uint8_t arrived; /* sectors answered, their fill event not yet seen */
  uint8_t written; /* sectors that an own store changed since they were missed */
  uint8_t status[4];
  uint8_t op;
  uint64_t seq, cycle; /* stores, atomics: as in their flit */
  uint8_t data[4][32];
  ls_wait_t *wait[4];
  unsigned waits[4], wait_cap[4];
} ls_req_t;

/** A flit of a store or an atomic that must come. */
typedef struct ls_flit {
  uint64_t sector;             /* byte address */
  uint32_t byte_mask, unknown; /* unknown: bytes whose value is not judged */
  uint32_t pc;
  uint8_t warp;
  uint8_t op, atom; /* kWgMem*; as in wg_mem_req_t */
  uint64_t seq, cycle; /* cycle: of the instruction's ISSUE */
  uint8_t data[32], cmp[32];
} ls_flit_t;

/** What the L1 may hold: one line. */
typedef struct ls_line {
  uint64_t line;  /* address | 1; 0 = free */
  uint8_t valid;  /* sectors */
  uint8_t unsure; /* sectors with bytes that nobody can predict */
  uint8_t data[128];
} ls_line_t;

typedef enum ls_kind {
  kEvInit,
  kEvIssue,
  kEvWb,
  kEvPred,
  kEvLsu,
  kEvShm,
  kEvL1,
  kEvFill,
  kEvInval,
  kEvLsuDone,
  kEvFree,
  kEvStack,
  kEvPick,
  kEvBar,
  kEvKinds
} ls_kind_t;

/** Recorded events of one kind in the cycle. */
typedef struct ls_queue {
  uint8_t *buf;
  size_t size, num, cap; /* bytes an event, events */
} ls_queue_t;

struct wg_lockstep {
  wg_shape_t shape;
  wg_lockstep_level_t level;
  wg_lockstep_env_t env;
  wg_sm_cfg_t cfg;
  wg_ctl_table_t ctl; /* dependence mode control-bits */
  bool has_ctl;
  uint64_t cycle;
  bool quiet; /* nothing is checked: after a mismatch, or a fault */
  bool mismatch;
  char what[256], detail[768], report[2560];
  wg_lockstep_counts_t counts;
  ls_queue_t queue[kEvKinds];
  bool any_event;

  wg_ref_code_t *code[kLsCodes]; /* code windows seen; decoded words stay while blocks run */
  ls_grid_t grid[kWgMaxBlockSlots];
  wg_cta_alloc_t alloc;
  wg_cta_launch_t launch[kLsLaunches];
  unsigned launches, launch_at;

  ls_warp_t warp[kWgMaxSubCores][kWgMaxWarpSlots];
  ls_block_t block[kWgMaxBlockSlots];
  uint32_t (*reg[kWgMaxSubCores])[32]; /* mirror of the register file: rows */
  uint32_t *reg_known[kWgMaxSubCores]; /* [rows] lanes */
  uint8_t *shared, *shared_known;      /* [shape.smem_bytes * 2] */
  uint32_t shared_cap;

  ls_op_t *free_ops;
  ls_op_t *tag[kLsTags];
  ls_warp_t *tag_warp[kLsTags];
  ls_req_t req[kWgMemIds];
  ls_flit_t *flit; /* expected, oldest first */
  size_t flits, flit_cap;
  uint64_t store_seq; /* stores that the LSU took */
  uint64_t invals;    /* invalidations by CCTL */
  bool start_inval;   /* a block that began in this cycle empties the L1 */
  ls_line_t *l1; /* open addressing */
  size_t l1_cap, l1_num;
  bool mem_fault;  /* a response said illegal address */
  bool has_illegal;
  wg_fault_t illegal;   /* the first access that env.legal refuses */
  uint64_t legal_chunk; /* 256 bytes that the last one lay in, + 1: most accesses need no second look */
  bool pc_any;          /* pc_lo, pc_hi hold something */
  uint32_t pc_lo, pc_hi;
  bool spin_on, spin_broken; /* a window is open; something changed in it */
  uint64_t last_issue; /* of any warp */
  uint64_t spin_cycle;       /* its begin */
  uint16_t spin_starved[kWgMaxSubCores]; /* slots that had no turn in the last window, by wg_lockstep_spins */
  unsigned faults; /* warps with a golden fault: their accesses have no op here */

  wg_sched_t sched[kWgMaxSubCores];
  bool has_sched;
  int issued[kWgMaxSubCores]; /* units: slot issued since the last pick event, -1 none */
  wg_ref_step_t step;         /* scratch */
};

/** Record the first mismatch. `lw` and `pc` may be NULL / ignored where no instruction is concerned. */
void ls_fail(wg_lockstep_t *ls, const ls_warp_t *lw, const uint32_t *pc, const char *what, const char *expected_fmt,
             ...) WG_PRINTF(5, 6);

/* lockstep_hazard.c */
/** Control-bits: judge an issue by the control fields and by what is really open. @return false after a report */
bool ls_hazard(wg_lockstep_t *ls, ls_warp_t *lw, const wg_ref_insn_t *insn, uint32_t mask);

/** Tell env.retired. */
static inline void ls_retired(wg_lockstep_t *ls, const wg_ref_insn_t *insn, uint32_t exec) {
  if (ls->env.retired != NULL && exec != 0u) ls->env.retired(ls->env.retired_ctx, &insn->in, exec);
}

/* lockstep_spin.c */
/** The warp issues the instruction at its pc: before its golden execution. */
void ls_spin_before(ls_warp_t *lw);
/** A load hits these sectors of a line that the L1 holds: stale data would not last, so it ends the window. */
void ls_spin_hit(wg_lockstep_t *ls, const ls_line_t *line, uint8_t sectors);

/* lockstep_exec.c */
void ls_issue(wg_lockstep_t *ls, const wg_ev_issue_t *e);
/** The scheduler picked this warp, but it did not issue: right if its instruction faults. @return false if it does not
 */
bool ls_picked_fault(wg_lockstep_t *ls, unsigned sub, unsigned slot);
/** its: let the lanes that can run at `pc` be the running split; `mask` says which, 0 all. @return false if there are none,
    or others than `mask`. Mode stack: whether they are the running split. */
bool ls_follow(ls_warp_t *lw, uint32_t pc, uint32_t mask);
void ls_wb(wg_lockstep_t *ls, const wg_ev_wb_t *e);
void ls_pred(wg_lockstep_t *ls, const wg_ev_pred_t *e);
ls_warp_t *ls_warp_at(wg_lockstep_t *ls, unsigned sub, unsigned slot, const char *event);
/** Close an op if nothing of it is open. */
void ls_retire(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op);
/** A load's lanes have their values: into the golden registers, and the hash when it was the last. */
void ls_loaded(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op, uint32_t lanes);

/* lockstep_block.c */
void ls_init(wg_lockstep_t *ls, const wg_ev_init_t *e);
void ls_free(wg_lockstep_t *ls, const wg_ev_free_t *e);
void ls_barrier(wg_lockstep_t *ls, ls_warp_t *lw, const wg_ref_step_t *st);
void ls_exit(wg_lockstep_t *ls, ls_warp_t *lw);
void ls_blocks_reset(wg_lockstep_t *ls);

/* lockstep_mem.c */
void ls_lsu(wg_lockstep_t *ls, const wg_ev_lsu_t *e);
void ls_shm(wg_lockstep_t *ls, const wg_ev_shm_t *e);
void ls_l1(wg_lockstep_t *ls, const wg_ev_l1_t *e);
void ls_fill(wg_lockstep_t *ls, const wg_ev_fill_t *e);
void ls_inval(wg_lockstep_t *ls);
/** The same by the start of a grid's first block on the SM. */
void ls_inval_start(wg_lockstep_t *ls);
/** The warp issues behind a MEMBAR or CCTL: everything that it waited for must be done. @return false after a report */
bool ls_fence_passed(wg_lockstep_t *ls, ls_warp_t *lw);
void ls_lsu_done(wg_lockstep_t *ls, const wg_ev_lsu_done_t *e);
void ls_l1_clear(wg_lockstep_t *ls);
/** Shadow line, NULL if absent. */
ls_line_t *ls_l1_find(wg_lockstep_t *ls, uint64_t line, bool create);

/* lockstep_units.c */
void ls_stack(wg_lockstep_t *ls, const wg_ev_stack_t *e);
void ls_pick(wg_lockstep_t *ls, const wg_ev_pick_t *e);
void ls_bar(wg_lockstep_t *ls, const wg_ev_bar_t *e);

#endif
