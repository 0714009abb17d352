// SPDX-License-Identifier: Apache-2.0
//
// What a debugger sees of the lockstep checker: the golden warps of an SM, which follow the design instruction by instruction, and
// the results that the design still owes. Looking changes nothing of a run.
#ifndef WG_COSIM_LOCKSTEP_VIEW_H
#define WG_COSIM_LOCKSTEP_VIEW_H

#include "cosim/lockstep.h"
#include "model/ref/wg_ref_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An issued instruction that still owes something. */
typedef struct wg_open_view {
  const wg_ref_insn_t *insn;
  uint32_t pc, exec;
  uint64_t cycle;        /* of its issue */
  uint8_t rows;          /* destination registers from insn->in.rd on */
  bool variable;         /* of variable latency: the scoreboard holds its results; else the distance is fixed */
  uint32_t reg_lanes[4]; /* lanes whose write-back is due, by register */
  uint8_t pd[2];
  uint32_t pred_lanes[2];
  uint32_t memory_lanes, response_lanes; /* lanes whose access, whose response is due */
} wg_open_view_t;

enum { kWgOpenMax = 96 };

/** The events of the cycle that was stepped last take effect. Behind it everything is as the next cycle finds it. */
void wg_lockstep_sync(wg_lockstep_t *ls);
/** A resident warp that has not ended. @return false if the slot has none */
bool wg_lockstep_view(const wg_lockstep_t *ls, unsigned sub, unsigned slot, wg_warp_view_t *out);
/** Open instructions of a warp, in the order of issue. @param out [kWgOpenMax] @return their number */
unsigned wg_lockstep_open(const wg_lockstep_t *ls, unsigned sub, unsigned slot, wg_open_view_t *out);

#ifdef __cplusplus
}
#endif
#endif
