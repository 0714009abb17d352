// SPDX-License-Identifier: Apache-2.0
//
// Twin of the divergence unit (rtl/diverge): one warp in mode `stack` (before Volta) or `its` (independent thread
// scheduling). Rules: rtl/README.md, "SIMT stack" and "Independent thread scheduling". The golden model runs on it; the
// lockstep checker compares it with the RTL on every event of the unit.
//
// A golden run calls wg_diverge_run for each instruction. The checker follows the unit's own moments: wg_diverge_issued at
// issue, wg_diverge_step when the unit resolves a control instruction, wg_diverge_switch, wg_diverge_release and
// wg_diverge_wake when it does these.
#ifndef WG_MODEL_TWIN_DIVERGE_H
#define WG_MODEL_TWIN_DIVERGE_H

#include "model/twin/barrier.h"
#include "model/twin/simt_stack.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wg_split_order {
  kWgSplitH200 = 0,      /* stay on the running split (silicon/latency/interleave.csv) */
  kWgSplitAlternate = 1, /* switch after every instruction (the text's table) */
  kWgSplitRandom = 2,    /* switch after one instruction in four, by a seed */
} wg_split_order_t;

enum {
  kWgSplitRun = 1024,                     /* issues of a split while another could run */
  kWgDivSync = kWgConvBarriers,           /* group of WARPSYNC, behind those of B0..B15 */
  kWgDivGroups = kWgDivSync + 1,
  /* operations of the unit that are no instruction, as its events name them */
  kWgDivSwitch = 0xf0,
  kWgDivRelease = 0xf1,
  kWgDivWake = 0xf2,
};

/** How warps diverge; constant during a launch. */
typedef struct wg_diverge_cfg {
  bool its;
  uint8_t order; /* wg_split_order_t, its only */
  uint32_t seed; /* order random */
} wg_diverge_cfg_t;

/** State of one warp. */
typedef struct wg_diverge {
  wg_diverge_cfg_t cfg;
  uint32_t pc, mask; /* running split; mask 0: none runs */
  uint32_t gone;     /* lanes that have exited or never existed */
  uint32_t depth;    /* stack: entries in use; its: lanes that are not running, up to 31 */
  wg_simt_stack_t stack;
  /* its */
  uint32_t lane_pc[32];                /* of lanes that are not running */
  uint32_t ready;                      /* suspended lanes that could run */
  uint32_t asleep;                     /* in NANOSLEEP */
  uint32_t breg[kWgDivGroups][32];     /* each lane's mask of the lanes that meet there with it; [kWgDivSync]: WARPSYNC's */
  uint32_t group_here[kWgDivGroups];   /* lanes that wait there */
  uint32_t bar_lanes;                  /* gathered for a block barrier */
  wg_bar_arrival_t bar;                /* what they bring, valid if bar_lanes != 0 */
  bool bar_sent;                       /* the warp has arrived: they wait for the release */
  uint8_t last;                        /* lane that led the last choice */
  uint16_t run;                        /* issues since then while another split could run */
  uint16_t random;
  bool switch_due; /* wg_diverge_issued asked for a switch */
} wg_diverge_t;

typedef struct wg_diverge_in {
  uint8_t op;                  /* opcode; those that are no control instruction step to the next one */
  uint8_t breg;                /* BSSY, BSYNC, BREAK, BMOV.WR */
  uint32_t target;             /* absolute byte PC, BRA, CALL, BSSY */
  uint32_t exec;               /* running lanes whose guard holds */
  uint32_t value;              /* WARPSYNC mask, BMOV.WR mask: of the lowest executing lane */
  const uint32_t *lane_target; /* RET, BRX: [32] absolute byte PCs; BMOV.WR: [32] masks */
  wg_bar_arrival_t bar;        /* BAR, BAR.RED: lanes and predicates of `exec` */
} wg_diverge_in_t;

typedef struct wg_diverge_out {
  uint32_t pc, mask; /* running split after the step; mask 0: none can run, or the warp has ended */
  uint32_t depth;
  uint8_t fault; /* kWgFaultNone, StackError or BadPc; after a fault the state is as before */
  bool arrives;  /* the warp arrives at a block barrier with `bar` */
  wg_bar_arrival_t bar;
} wg_diverge_out_t;

/** All lanes of `mask` (not 0) start at `pc`. */
void wg_diverge_reset(wg_diverge_t *d, const wg_diverge_cfg_t *cfg, uint32_t pc, uint32_t mask);
/** True for instructions that the divergence unit resolves (with executing lanes). */
bool wg_diverge_resolves(const wg_diverge_t *d, uint8_t op);
/**
 * An instruction of the running split issues.
 * @param resolved it goes to the unit: wg_diverge_step follows; else it steps to the next pc here
 * @return a switch to another split is due: wg_diverge_switch must follow before the next issue
 */
bool wg_diverge_issued(wg_diverge_t *d, bool resolved);
/** Resolve a control instruction of the running split, which is at in->op's pc. mask must not be 0. */
wg_diverge_out_t wg_diverge_step(wg_diverge_t *d, const wg_diverge_in_t *in);
/** Suspend the running split and choose another one; clears switch_due. */
void wg_diverge_switch(wg_diverge_t *d);
/** The block barrier that the warp arrived at is complete: its lanes can run. */
void wg_diverge_release(wg_diverge_t *d);
/** The warp's sleep is over. */
void wg_diverge_wake(wg_diverge_t *d);
/** Golden run: issue, resolve and switch in one; a sleep is over at once. */
wg_diverge_out_t wg_diverge_run(wg_diverge_t *d, const wg_diverge_in_t *in);
/**
 * its: let exactly the lanes `mask` at `pc` run, whoever runs now.
 * @return false if one of them cannot run, or not there; the state is unchanged then
 */
bool wg_diverge_follow(wg_diverge_t *d, uint32_t pc, uint32_t mask);
/** Lanes at `pc` that run or could. */
uint32_t wg_diverge_at(const wg_diverge_t *d, uint32_t pc);
/** its, no lane runs: where the first waiting lanes are and for whom they wait, for messages. @return buf */
const char *wg_diverge_waits(const wg_diverge_t *d, char *buf, size_t n);
/** No lane is left. */
static inline bool wg_diverge_ended(const wg_diverge_t *d) { return d->cfg.its ? d->gone == UINT32_MAX : d->mask == 0u; }
/** Lane's mask of convergence barrier `breg` (BMOV.RD takes the lowest running lane's); 0 in mode stack. */
uint32_t wg_diverge_breg(const wg_diverge_t *d, unsigned breg, unsigned lane);

#ifdef __cplusplus
}
#endif
#endif
