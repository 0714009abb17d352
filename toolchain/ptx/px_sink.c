// SPDX-License-Identifier: Apache-2.0
//
// Floating-point work for the lanes alone that want it, as ptxas does it (recorded: lanes of FADD, testbench/silicon/counters): an
// operation whose result is read only behind an exit of other lanes moves there, and a selection between a sum and its old
// value becomes a guarded sum. Fewer lanes compute; what a lane computes is the same. Not into the sides of a branch: there
// ptxas, which makes guards of short ones, leaves the operation in front.
#include <string.h>

#include "toolchain/ptx/px.h"

enum { kReach = 64 }; /* instructions between an operation and the selection that reads it */

typedef struct wg_px_sink {
  wg_px_ctx_t *x;
  wg_px_fn_t *f;
  uint32_t *defs, *uses; /* [units] */
  uint32_t *there;       /* [units] uses in the block that is looked at */
  bool *later;           /* [units] written in the exit's block behind the instruction that is looked at */
  bool *plater;          /* [preds] */
} wg_px_sink_t;

static bool floating(const wg_px_insn_t *in) {
  switch (in->op) {
    case kWgOp_FADD:
    case kWgOp_FMUL:
    case kWgOp_FFMA:
    case kWgOp_DADD:
    case kWgOp_DMUL:
    case kWgOp_DFMA: return true;
    default: return false;
  }
}

static void add_uses(uint32_t *count, const wg_px_insn_t *in) {
  wg_px_use_t u = wg_px_uses(in);
  for (int k = 0; k < 3; k++) {
    for (int j = 0; u.src[k] >= 0 && j < u.nsrc[k]; j++) count[u.src[k] + j]++;
  }
}

static void count(wg_px_sink_t *s) {
  memset(s->defs, 0, s->f->num_units * sizeof *s->defs);
  memset(s->uses, 0, s->f->num_units * sizeof *s->uses);
  for (wg_px_block_t *b = s->f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      wg_px_use_t u = wg_px_uses(b->insn[i]);
      add_uses(s->uses, b->insn[i]);
      for (int j = 0; u.dst >= 0 && j < u.ndst; j++) s->defs[u.dst + j] += wg_px_full_def(s->f, b->insn[i], u.dst + j) ? 1 : 2;
    }
  }
}

/* Are all reads of its result in the block whose uses are in s->there, and its sources the same there? */
static bool movable(const wg_px_sink_t *s, const wg_px_insn_t *in) {
  if (!floating(in) || in->guard >= 0) return false;
  wg_px_use_t u = wg_px_uses(in);
  if (u.dst < 0) return false;
  for (int j = 0; j < u.ndst; j++) {
    int32_t d = u.dst + j;
    if (s->defs[d] != 1 || s->later[d] || s->uses[d] == 0 || s->uses[d] != s->there[d]) return false;
  }
  for (int k = 0; k < 3; k++) {
    for (int j = 0; u.src[k] >= 0 && j < u.nsrc[k]; j++) {
      if (s->later[u.src[k] + j]) return false;
    }
    if (u.psrc[k] >= 0 && s->plater[u.psrc[k]]) return false;
  }
  return true;
}

static void mark_later(wg_px_sink_t *s, const wg_px_insn_t *in, bool value) {
  wg_px_use_t u = wg_px_uses(in);
  for (int j = 0; u.dst >= 0 && j < u.ndst; j++) s->later[u.dst + j] = value;
  for (int k = 0; k < 2; k++) {
    if (u.pdst[k] >= 0) s->plater[u.pdst[k]] = value;
  }
}

/* Move from the end of `b` to the head of `to`, which is entered from `b` alone. */
static void sink_into(wg_px_sink_t *s, wg_px_block_t *b, wg_px_block_t *to) {
  for (uint32_t i = 0; i < to->n; i++) add_uses(s->there, to->insn[i]);
  for (uint32_t i = b->n; i-- > 0;) {
    wg_px_insn_t *in = b->insn[i];
    if (!movable(s, in)) {
      mark_later(s, in, true);
      continue;
    }
    memmove(b->insn + i, b->insn + i + 1, (b->n - i - 1) * sizeof *b->insn);
    b->n--;
    wg_px_insert(s->x, to, 0, in);
    add_uses(s->there, in);
  }
  for (uint32_t i = 0; i < b->n; i++) mark_later(s, b->insn[i], false);
  for (uint32_t i = 0; i < to->n; i++) {
    wg_px_use_t u = wg_px_uses(to->insn[i]);
    for (int k = 0; k < 3; k++) {
      for (int j = 0; u.src[k] >= 0 && j < u.nsrc[k]; j++) s->there[u.src[k] + j] = 0;
    }
  }
}

/* ---- selections ---- */

static int32_t *units_of(wg_px_insn_t *in, int k) { return k == 0 ? &in->a : k == 1 ? &in->b : &in->c; }

/* b->insn[at] = SEL d, t, old, p with t of b->insn[from]: MOV d, old; @p OP d. */
static void guard_op(wg_px_sink_t *s, wg_px_block_t *b, uint32_t from, uint32_t at, bool t_is_a) {
  wg_px_insn_t *sel = b->insn[at], *op = b->insn[from], *mov = wg_px_insn_new(s->x, kWgOp_MOV);
  int32_t old = t_is_a && sel->form == kWgFormReg ? sel->b : t_is_a ? -2 : sel->a; /* -2: an immediate or a constant */
  mov->src = op->src;
  mov->d = sel->d;
  mov->form = kWgFormReg;
  if (old == -2) {
    mov->form = sel->form;
    mov->imm = sel->imm;
    mov->cbank = sel->cbank;
    mov->coff = sel->coff;
  } else {
    mov->b = old;
  }
  op->d = sel->d;
  op->guard = sel->ps0;
  op->guard_not = t_is_a ? sel->ps0_not : !sel->ps0_not;
  for (int k = 0; k < 3 && old >= 0; k++) { /* d holds the old value now, which then ends with the MOV */
    if (*units_of(op, k) == old && (k != 1 || op->form == kWgFormReg)) *units_of(op, k) = sel->d;
  }
  s->f->unit[sel->d].named = true; /* the lanes without p keep the MOV's value */
  s->defs[sel->d] = 3;
  memmove(b->insn + from, b->insn + from + 1, (at - from) * sizeof *b->insn);
  b->insn[at - 1] = mov;
  b->insn[at] = op;
}

static bool written_between(const wg_px_block_t *b, uint32_t from, uint32_t to, int32_t unit) {
  for (uint32_t i = from; unit >= 0 && i < to; i++) {
    wg_px_use_t u = wg_px_uses(b->insn[i]);
    if (u.dst >= 0 && unit >= u.dst && unit < u.dst + u.ndst) return true;
  }
  return false;
}

static bool fp32(const wg_px_insn_t *in) {
  return in->op == kWgOp_FADD || in->op == kWgOp_FMUL || in->op == kWgOp_FFMA;
}

/* The instruction before `at` that makes unit t for the selection alone, and can stand at its place. */
static bool single_source(const wg_px_sink_t *s, const wg_px_block_t *b, uint32_t at, int32_t t, uint32_t *from) {
  if (t < 0 || s->defs[t] != 1 || s->uses[t] != 1) return false;
  for (uint32_t i = at; i-- > 0 && at - i <= kReach;) {
    const wg_px_insn_t *in = b->insn[i];
    if (in->d != t || !fp32(in)) continue;
    int32_t src[3] = {in->a, in->form == kWgFormReg ? in->b : -1, in->c};
    for (int k = 0; k < 3; k++) {
      if (src[k] >= 0 && (src[k] == b->insn[at]->d || written_between(b, i + 1, at, src[k]))) return false;
    }
    *from = i;
    return in->guard < 0;
  }
  return false;
}

static void guard_selections(wg_px_sink_t *s, wg_px_block_t *b) {
  for (uint32_t i = 0; i < b->n; i++) {
    const wg_px_insn_t *in = b->insn[i];
    uint32_t from = 0;
    if (in->op != kWgOp_SEL || in->guard >= 0 || in->ps0 < 0 || in->mods != 0 || s->defs[in->d] != 1) continue;
    if (in->a == in->b && in->form == kWgFormReg) continue;
    if (single_source(s, b, i, in->a, &from)) guard_op(s, b, from, i, true);
    else if (in->form == kWgFormReg && single_source(s, b, i, in->b, &from)) guard_op(s, b, from, i, false);
  }
}

void wg_px_sink(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_cfg_t *g = wg_px_cfg(x, f);
  uint32_t n = f->num_units + 1;
  wg_px_sink_t s = {.x = x, .f = f};
  s.defs = wg_px_alloc(x, n * sizeof *s.defs);
  s.uses = wg_px_alloc(x, n * sizeof *s.uses);
  s.there = wg_px_alloc(x, n * sizeof *s.there);
  s.later = wg_px_alloc(x, n);
  s.plater = wg_px_alloc(x, f->num_preds + 1);
  count(&s);
  for (uint32_t i = 0; i < g->num_rpo; i++) guard_selections(&s, g->rpo[i]);
  count(&s);
  for (uint32_t i = g->num_rpo; i-- > 0;) {
    wg_px_block_t *b = g->rpo[i];
    wg_px_block_t *to = b->term == kWgPxTExitIf ? b->succ[0] : NULL;
    if (to != NULL && to != b && to != g->rpo[0] && g->num_pred[to->id] == 1) sink_into(&s, b, to);
  }
}
