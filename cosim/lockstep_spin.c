// SPDX-License-Identifier: Apache-2.0
//
// Do the warps of this SM spin for ever? The golden warps are watched (model/ref/wg_ref_spin.h); what is still on its
// way through the LSU and the memory system is judged here.
#include <string.h>

#include "cosim/lockstep_int.h"

void ls_spin_before(ls_warp_t *lw) {
  uint32_t pending = 0u;
  for (unsigned i = 0; i < lw->ops; i++) {
    const ls_op_t *op = lw->op[i];
    if (!op->store) pending |= op->exec & ~op->ready;
  }
  wg_spin_before(&lw->spin, &lw->w, pending);
}

void ls_spin_hit(wg_lockstep_t *ls, const ls_line_t *line, uint8_t sectors) {
  for (unsigned s = 0; s < 4u; s++) {
    uint8_t now[32];
    if ((sectors >> s & 1u) == 0u) continue;
    uint64_t addr = (line->line & ~UINT64_C(1)) + 32u * s;
    if (!ls->env.mem.read(ls->env.mem.ctx, addr, now, sizeof now) || memcmp(now, line->data + 32u * s, sizeof now) != 0)
      ls->spin_broken = true;
  }
}

void wg_lockstep_spin_begin(wg_lockstep_t *ls) {
  ls->spin_on = true;
  ls->spin_broken = false;
  ls->spin_cycle = ls->cycle;
  for (unsigned s = 0; s < ls->shape.sub_cores; s++) {
    for (unsigned i = 0; i < ls->shape.warp_slots; i++) {
      if (ls->warp[s][i].active) wg_spin_begin(&ls->warp[s][i].spin);
    }
  }
}

/* An instruction from before the window has not reached memory: in its warp, as a flit, or unanswered. */
static bool old_access_open(const wg_lockstep_t *ls) {
  for (unsigned s = 0; s < ls->shape.sub_cores; s++) {
    for (unsigned i = 0; i < ls->shape.warp_slots; i++) {
      const ls_warp_t *lw = &ls->warp[s][i];
      for (unsigned k = 0; lw->active && k < lw->ops; k++) {
        if (lw->op[k]->cycle <= ls->spin_cycle) return true;
      }
    }
  }
  for (size_t i = 0; i < ls->flits; i++) {
    if (ls->flit[i].cycle <= ls->spin_cycle) return true;
  }
  for (unsigned id = 0; id < (unsigned)kWgMemIds; id++) {
    const ls_req_t *r = &ls->req[id];
    bool writes = r->op == kWgMemStore || r->op == kWgMemRed || r->op == kWgMemAtom;
    if (r->asked != 0u && writes && r->cycle <= ls->spin_cycle) return true;
  }
  return false;
}

/* Far beyond what memory takes, and many periods of its refresh: whom a scheduler has not served by then, in a machine that only
 * repeats itself, it does not serve. Windows of that length come in pairs. */
enum { kStarveCycles = 40000 };

bool wg_lockstep_spins(wg_lockstep_t *ls, bool confirm, const uint16_t *ready, bool *any) {
  memset(ls->spin_starved, 0, sizeof ls->spin_starved);
  if (!ls->spin_on || ls->spin_broken || ls->quiet || ls->faults != 0u || ls->launches != 0u) return false;
  for (unsigned s = 0; s < ls->shape.sub_cores; s++) {
    for (unsigned i = 0; i < ls->shape.warp_slots; i++) {
      const ls_warp_t *lw = &ls->warp[s][i];
      if (!lw->active) continue;
      /* barriers with a count are the unit's to judge: who waits there has issued nothing for a window */
      bool counted = lw->count_bar != 0u && lw->ops == 0u && lw->spin.seen == 0u;
      bool starved = (ready[s] >> i & 1u) != 0u && ls->cycle - ls->spin_cycle >= kStarveCycles && wg_spin_idle(&lw->spin);
      if (starved) ls->spin_starved[s] |= (uint16_t)(1u << i);
      else if (!wg_spin_stuck(&lw->spin, &lw->w, lw->at_bar || counted)) return false;
      if (wg_spin_lanes(&lw->spin) != 0u && !wg_diverge_ended(&lw->w.div)) *any = true;
    }
  }
  return !confirm || !old_access_open(ls);
}

uint64_t wg_lockstep_last_issue(const wg_lockstep_t *ls) { return ls->last_issue; }

wg_thread_state_t wg_lockstep_thread(const wg_lockstep_t *ls, uint32_t grid_id, const uint32_t ctaid[3], uint32_t warp, unsigned lane,
                                     unsigned *barrier) {
  bool block = false;
  for (unsigned s = 0; s < ls->shape.sub_cores; s++) {
    for (unsigned i = 0; i < ls->shape.warp_slots; i++) {
      const ls_warp_t *lw = &ls->warp[s][i];
      if (!lw->active || lw->w.cta->grid_id != grid_id || memcmp(lw->w.cta->ctaid, ctaid, sizeof lw->w.cta->ctaid) != 0) continue;
      block = true;
      if (lw->w.warp != warp) continue;
      *barrier = lw->at_bar ? lw->bar_id : lw->w.div.bar.id;
      return wg_spin_thread(&lw->spin, &lw->w, lw->at_bar, lane);
    }
  }
  return block ? kWgThreadExited : kWgThreadGone; /* a warp that has ended gives its slot back */
}

static void tell_starved(wg_spin_report_t *r, const ls_warp_t *lw) {
  const uint32_t *c = lw->w.cta->ctaid;
  if (r->starved++ != 0u || r->at >= sizeof r->text) return;
  int n = snprintf(r->text + r->at, sizeof r->text - r->at, "%sblock (%u,%u,%u) warp %u: could go on at pc 0x%x, but has no turn",
                   r->at != 0u ? "; " : "", c[0], c[1], c[2], lw->w.warp, lw->w.div.pc);
  r->at += n < 0 ? 0u : (size_t)n;
  if (r->at >= sizeof r->text) r->at = sizeof r->text - 1u;
}

void wg_lockstep_spin_text(const wg_lockstep_t *ls, wg_spin_report_t *r) {
  for (unsigned s = 0; s < ls->shape.sub_cores; s++) {
    for (unsigned i = 0; i < ls->shape.warp_slots; i++) {
      if (ls->warp[s][i].active && (ls->spin_starved[s] >> i & 1u) != 0u) tell_starved(r, &ls->warp[s][i]);
    }
  }
  for (unsigned s = 0; s < ls->shape.sub_cores; s++) {
    for (unsigned i = 0; i < ls->shape.warp_slots; i++) {
      const ls_warp_t *lw = &ls->warp[s][i];
      if (lw->active) wg_spin_report(r, &lw->spin, &lw->w);
    }
  }
}
