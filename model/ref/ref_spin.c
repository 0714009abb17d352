// SPDX-License-Identifier: Apache-2.0
#include "model/ref/wg_ref_spin.h"

#include <string.h>

#include "isa/wg_isa_table.h"

void wg_spin_begin(wg_spin_t *s) {
  s->on = true;
  s->moved = s->whole = s->polls = s->poll_shared = false;
  s->seen = s->back = 0u;
  s->pc_lo = UINT32_MAX;
  s->pc_hi = 0u;
}

void wg_spin_free(wg_spin_t *s) {
  free(s->reg);
  memset(s, 0, sizeof *s);
}

static void need_rows(wg_spin_t *s, uint32_t rows) {
  if (s->rows >= rows) return;
  free(s->reg);
  s->reg = malloc(rows * sizeof *s->reg);
  WG_BUG(s->reg == NULL);
  s->rows = rows;
}

/* ---- mode stack: the warp as a whole ---- */

static bool same_stack(const wg_simt_stack_t *a, const wg_simt_stack_t *b) {
  if (a->pc != b->pc || a->mask != b->mask || a->exited != b->exited || a->depth != b->depth) return false;
  for (uint32_t i = 0; i < a->depth; i++) {
    const wg_simt_entry_t *x = &a->entry[i], *y = &b->entry[i];
    if (x->sync != y->sync || x->breg != y->breg || x->pc != y->pc || x->mask != y->mask) return false;
  }
  return true;
}

static void before_stack(wg_spin_t *s, const wg_ref_warp_t *w) {
  size_t bytes = w->num_regs * sizeof *w->reg;
  s->seen |= w->div.mask;
  if (!s->whole) {
    need_rows(s, w->num_regs);
    s->stack = w->div.stack;
    memcpy(s->pred, w->pred, sizeof s->pred);
    memcpy(s->reg, w->reg, bytes);
    s->whole = true;
  } else if (s->back == 0u && same_stack(&s->stack, &w->div.stack) && memcmp(s->pred, w->pred, sizeof s->pred) == 0 &&
             memcmp(s->reg, w->reg, bytes) == 0) {
    s->back = s->seen;
  }
}

/* ---- mode its: each lane for itself ---- */

static void keep_lanes(wg_spin_t *s, const wg_ref_warp_t *w, uint32_t lanes) {
  need_rows(s, w->num_regs);
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    s->pc[l] = w->div.pc;
    for (uint32_t r = 0; r < w->num_regs; r++) s->reg[r][l] = w->reg[r][l];
  }
  for (unsigned p = 0; p < 8u; p++) s->pred[p] = (s->pred[p] & ~lanes) | (w->pred[p] & lanes);
  s->seen |= lanes;
}

static void before_its(wg_spin_t *s, const wg_ref_warp_t *w, uint32_t lanes) {
  uint32_t same = 0u, fresh = lanes & ~s->seen;
  for (uint32_t m = lanes & s->seen & ~s->back; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    same |= s->pc[l] == w->div.pc ? 1u << l : 0u;
  }
  for (unsigned p = 0; p < 8u && same != 0u; p++) same &= ~(s->pred[p] ^ w->pred[p]);
  for (uint32_t r = 0; r < w->num_regs && same != 0u; r++) {
    for (uint32_t m = same; m != 0u; m &= m - 1u) {
      unsigned l = (unsigned)__builtin_ctz(m);
      if (s->reg[r][l] != w->reg[r][l]) same &= ~(1u << l);
    }
  }
  s->back |= same;
  if (fresh != 0u) keep_lanes(s, w, fresh);
}

void wg_spin_before(wg_spin_t *s, const wg_ref_warp_t *w, uint32_t pending) {
  if (!s->on || s->moved) return;
  if (w->div.pc < s->pc_lo) s->pc_lo = w->div.pc;
  if (w->div.pc > s->pc_hi) s->pc_hi = w->div.pc;
  if (w->div.cfg.its)
    before_its(s, w, w->div.mask & ~pending);
  else if (pending == 0u)
    before_stack(s, w);
}

/* Results that depend on time, or on other lanes than those that the kept state covers. */
static bool outside_state(const wg_ref_warp_t *w, const wg_insn_t *in) {
  if (in->op == kWgOp_S2R)
    return in->imm == kWgSrClockLo || in->imm == kWgSrClockHi || in->imm == kWgSrGlobalTimerLo ||
           in->imm == kWgSrGlobalTimerHi;
  unsigned pipe = wg_insn_info(in->op)->pipe;
  bool cross = in->op == kWgOp_SHFL || in->op == kWgOp_LDSM || in->op == kWgOp_BMOVR || pipe == kWgPipeXLANE ||
               pipe == kWgPipeMMA;
  return cross && w->div.cfg.its;
}

void wg_spin_after(wg_spin_t *s, const wg_ref_warp_t *w, const wg_ref_step_t *st) {
  if (!s->on || s->moved) return;
  if (st->fault != kWgFaultNone) {
    s->moved = true;
    return;
  }
  if (st->exec == 0u) return;
  const wg_insn_t *in = &st->insn->in;
  bool meets = st->kind == kWgRefBarrier || in->op == kWgOp_BAR || in->op == kWgOp_BARRED;
  if (meets || in->op == kWgOp_EXIT || outside_state(w, in)) s->moved = true;
  bool reads = st->kind == kWgRefMemory && (wg_insn_is_atomic(in->op) || !wg_insn_is_store(in->op));
  if (!reads || st->lanes == 0u || wg_insn_space(in->op) == kWgSpaceConst) return;
  unsigned l = (unsigned)__builtin_ctz(st->lanes);
  s->polls = true;
  s->poll_shared = (st->shared >> l & 1u) != 0u;
  s->poll_addr = st->addr[l];
}

bool wg_spin_stuck(const wg_spin_t *s, const wg_ref_warp_t *w, bool at_bar) {
  const wg_diverge_t *d = &w->div;
  if (wg_diverge_ended(d)) return true;
  if (!s->on || s->moved || s->seen != s->back) return false;
  if (at_bar) return true;
  uint32_t can_run = d->mask | (d->cfg.its ? d->ready | d->asleep : 0u);
  return (can_run & ~s->back) == 0u;
}

uint32_t wg_spin_waiting(const wg_spin_t *s, const wg_ref_warp_t *w) {
  if (s->back == 0u) return 0u;
  uint32_t gone = w->div.cfg.its ? w->div.gone : w->div.stack.exited;
  return w->present & ~gone & ~s->back;
}

/* Where the waiting lanes wait: those at one pc together. */
static void waiting_places(const wg_ref_warp_t *w, uint32_t waiting, uint32_t pc[32], uint32_t lanes[32],
                           unsigned *num) {
  const wg_diverge_t *d = &w->div;
  *num = 0u;
  if (d->cfg.its) {
    for (uint32_t m = waiting; m != 0u;) {
      uint32_t at = d->lane_pc[__builtin_ctz(m)], here = 0u;
      for (uint32_t k = m; k != 0u; k &= k - 1u) {
        if (d->lane_pc[__builtin_ctz(k)] == at) here |= k & (0u - k);
      }
      pc[*num] = at;
      lanes[(*num)++] = here;
      m &= ~here;
    }
    return;
  }
  for (uint32_t i = d->stack.depth; i-- > 0u && waiting != 0u && *num < 32u;) { /* top first: inner before outer */
    const wg_simt_entry_t *e = &d->stack.entry[i];
    uint32_t here = e->mask & waiting;
    if (here == 0u) continue;
    pc[*num] = e->pc;
    lanes[(*num)++] = here;
    waiting &= ~here;
  }
}

static size_t moved_on(size_t n, size_t at, int len) {
  if (len < 0) return at;
  at += (size_t)len;
  return at < n ? at : n - 1u;
}

size_t wg_spin_text(const wg_spin_t *s, const wg_ref_warp_t *w, char *buf, size_t n) {
  uint32_t pc[32], lanes[32];
  unsigned num;
  size_t at = moved_on(n, 0u, snprintf(buf, n, "lanes 0x%x spin at pc 0x%x to pc 0x%x", s->back, s->pc_lo, s->pc_hi));
  if (s->polls)
    at = moved_on(n, at, snprintf(buf + at, n - at, " on %s 0x%llx", s->poll_shared ? "shared memory" : "address",
                                  (unsigned long long)s->poll_addr));
  waiting_places(w, wg_spin_waiting(s, w), pc, lanes, &num);
  for (unsigned i = 0; i < num && i < 2u; i++)
    at = moved_on(n, at, snprintf(buf + at, n - at, ", lanes 0x%x wait at pc 0x%x", lanes[i], pc[i]));
  if (num > 2u) at = moved_on(n, at, snprintf(buf + at, n - at, ", more wait elsewhere"));
  return at;
}

wg_thread_state_t wg_spin_thread(const wg_spin_t *s, const wg_ref_warp_t *w, bool at_bar, unsigned lane) {
  const wg_diverge_t *d = &w->div;
  uint32_t bit = 1u << lane, gone = d->cfg.its ? d->gone : d->stack.exited;
  if (wg_diverge_ended(d) || (gone & bit) != 0u || (w->present & bit) == 0u) return kWgThreadExited;
  if (at_bar || (d->cfg.its && (d->bar_lanes & bit) != 0u)) return kWgThreadBarrier;
  if ((s->back & bit) != 0u) return kWgThreadSpins;
  uint32_t runs = d->mask | (d->cfg.its ? d->ready | d->asleep : 0u);
  return (runs & bit) != 0u ? kWgThreadRuns : kWgThreadWaits;
}

void wg_spin_report(wg_spin_report_t *r, const wg_spin_t *s, const wg_ref_warp_t *w) {
  enum { kTold = 2 };
  if (s->back == 0u || wg_diverge_ended(&w->div)) return;
  r->waiting |= wg_spin_waiting(s, w);
  r->at_barrier = r->at_barrier || (w->div.cfg.its && w->div.bar_lanes != 0u);
  if (r->warps++ >= (unsigned)kTold) return;
  if (s->polls && (r->polls == 0u || r->poll[0].addr != s->poll_addr || r->poll[0].shared != s->poll_shared)) {
    r->poll[r->polls].cta = *w->cta;
    r->poll[r->polls].warp = w->warp;
    r->poll[r->polls].lanes = s->back;
    r->poll[r->polls].shared = s->poll_shared;
    r->poll[r->polls++].addr = s->poll_addr;
  }
  const uint32_t *c = w->cta->ctaid;
  r->at = moved_on(sizeof r->text, r->at,
                   snprintf(r->text + r->at, sizeof r->text - r->at, "%sblock (%u,%u,%u) warp %u: ",
                            r->at != 0u ? "; " : "", c[0], c[1], c[2], w->warp));
  r->at += wg_spin_text(s, w, r->text + r->at, sizeof r->text - r->at);
}
