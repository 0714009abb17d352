// SPDX-License-Identifier: Apache-2.0
#include "cosim/lockstep_view.h"

#include <string.h>

#include "cosim/lockstep_int.h"

_Static_assert((int)kWgOpenMax == (int)kLsMaxOps, "a warp's open instructions");

bool wg_lockstep_view(const wg_lockstep_t *ls, unsigned sub, unsigned slot, wg_warp_view_t *out) {
  if (sub >= ls->shape.sub_cores || slot >= ls->shape.warp_slots) return false;
  const ls_warp_t *lw = &ls->warp[sub][slot];
  if (!lw->active || wg_diverge_ended(&lw->w.div)) return false;
  const ls_block_t *b = &ls->block[lw->block];
  *out = (wg_warp_view_t){.w = &lw->w,
                          .code = b->code,
                          .reg_known = ls->reg_known[sub] + lw->reg_base,
                          .pred_known = lw->pred_known,
                          .bar = ls->level == kWgLockstepUnits ? &b->bar_units : &b->bar, /* the unit's judges counts as well */
                          .shared = ls->shared + b->shared_base,
                          .shared_known = ls->shared_known + b->shared_base,
                          .at_bar = lw->at_bar || lw->count_bar != 0u,
                          .counted = !lw->at_bar && lw->count_bar != 0u,
                          .bar_id = lw->at_bar ? lw->bar_id : (uint8_t)(lw->count_bar - (lw->count_bar != 0u ? 1u : 0u))};
  return true;
}

unsigned wg_lockstep_open(const wg_lockstep_t *ls, unsigned sub, unsigned slot, wg_open_view_t *out) {
  const ls_warp_t *lw = &ls->warp[sub][slot];
  for (unsigned i = 0; i < lw->ops; i++) {
    const ls_op_t *op = lw->op[i];
    out[i] = (wg_open_view_t){.insn = op->insn,
                              .pc = op->pc,
                              .exec = op->exec,
                              .cycle = op->cycle,
                              .rows = op->rows,
                              .variable = op->variable,
                              .pd = {op->pd[0], op->pd[1]},
                              .pred_lanes = {op->p_left[0], op->p_left[1]},
                              .memory_lanes = op->mem_left,
                              .response_lanes = op->waiting};
    memcpy(out[i].reg_lanes, op->wb_left, sizeof out[i].reg_lanes);
  }
  return lw->ops;
}
