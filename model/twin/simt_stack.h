// SPDX-License-Identifier: Apache-2.0
//
// Twin of the divergence unit in mode `stack`: one warp's running {pc, mask} and its SIMT stack. The golden model runs
// on it, and the lockstep checker compares it with the RTL on every stack event. Rules: rtl/README.md, "SIMT stack".
// Guards: BRA and EXIT act on the lanes whose guard holds; BSSY and BSYNC act on the running lanes when the guard holds
// for at least one of them, and are passed over otherwise.
#ifndef WG_MODEL_TWIN_SIMT_STACK_H
#define WG_MODEL_TWIN_SIMT_STACK_H

#include "isa/wg_cfg.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wg_simt_entry {
  bool sync;    /* opened by BSSY; else a suspended path */
  uint8_t breg; /* B register, sync entries only */
  uint32_t pc;  /* path: where it goes on; sync: address of the BSYNC */
  uint32_t mask;
} wg_simt_entry_t;

/** State of one warp. `mask` 0 = the warp has ended. */
typedef struct wg_simt_stack {
  uint32_t pc, mask; /* running split; mask holds no exited lane */
  uint32_t exited;
  uint32_t depth;                       /* entries in use, [0, kWgStackDepth] */
  wg_simt_entry_t entry[kWgStackDepth]; /* [0] is the bottom */
} wg_simt_stack_t;

typedef struct wg_simt_in {
  uint8_t op;      /* opcode; BRA, EXIT, BSSY, BSYNC change the stack, all others step to the next instruction */
  uint8_t breg;    /* BSSY, BSYNC */
  uint32_t target; /* absolute byte PC, BRA and BSSY */
  uint32_t exec;   /* running lanes whose guard holds, a subset of the running mask */
} wg_simt_in_t;

typedef struct wg_simt_out {
  uint32_t pc, mask; /* running split after the step; mask 0 = the warp has ended */
  uint32_t depth;
  uint8_t fault; /* kWgFaultNone, StackError, or BadPc (BRA to an address that is no multiple of 16); after a fault the
                    state is as before the step */
} wg_simt_out_t;

/** All lanes of `mask` (not 0) start at `pc`. */
void wg_simt_reset(wg_simt_stack_t *s, uint32_t pc, uint32_t mask);
/** Execute the instruction at the running pc. The warp must not have ended. */
wg_simt_out_t wg_simt_step(wg_simt_stack_t *s, const wg_simt_in_t *in);

#ifdef __cplusplus
}
#endif
#endif
