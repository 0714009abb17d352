// SPDX-License-Identifier: Apache-2.0
//
// Spilling: values that get no register live in the thread's local frame. Each read loads into a unit of its own right
// before the instruction, each write stores right behind it, word by word: the frame takes part like a register, also
// under guards and in diverged lanes. A value that is one MOV of a literal or a constant is not stored: that MOV is
// repeated in front of each read. Which values, is px_alloc.c's choice.
#include <string.h>

#include "toolchain/ptx/px.h"

enum { kMaxLoopLevels = 5, kAccessCost = 4 /* a load or store, in MOVs */ };

/* ---- what it costs ---- */

void wg_px_loop_depths(wg_px_cfg_t *g) {
  bool *inside = wg_px_alloc(g->x, g->n + 1);
  wg_px_block_t **stack = wg_px_alloc(g->x, (g->n + 1) * sizeof(wg_px_block_t *));
  for (uint32_t i = 0; i < g->num_rpo; i++) g->rpo[i]->loop_depth = 0;
  for (uint32_t i = 0; i < g->num_rpo; i++) {
    wg_px_block_t *h = g->rpo[i];
    uint32_t top = 0;
    for (uint32_t k = 0; k < g->num_pred[h->id]; k++) {
      wg_px_block_t *p = g->pred[h->id][k];
      /* only a block that comes later in this order can be dominated by h */
      if (g->rpo_index[p->id] < i || !wg_px_dominates(g, h, p)) continue;
      if (top == 0) memset(inside, 0, g->n);
      inside[h->id] = true;
      stack[top++] = p;
    }
    if (top == 0) continue;
    uint32_t latches = top;
    for (uint32_t k = 0; k < latches; k++) inside[stack[k]->id] = true;
    while (top > 0) {
      wg_px_block_t *b = stack[--top];
      for (uint32_t k = 0; b != h && k < g->num_pred[b->id]; k++) {
        wg_px_block_t *p = g->pred[b->id][k];
        if (inside[p->id]) continue;
        inside[p->id] = true;
        stack[top++] = p;
      }
    }
    for (uint32_t k = i; k < g->num_rpo; k++) g->rpo[k]->loop_depth += inside[g->rpo[k]->id];
  }
}

wg_px_insn_t **wg_px_remat(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_insn_t **def = wg_px_alloc(x, (f->num_units + 1) * sizeof *def);
  bool *several = wg_px_alloc(x, f->num_units + 1);
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      wg_px_insn_t *in = b->insn[i];
      wg_px_use_t u = wg_px_uses(in);
      bool literal = in->op == kWgOp_MOV && (in->form != kWgFormReg || in->b < 0) && in->guard < 0;
      for (int j = 0; u.dst >= 0 && j < u.ndst; j++) {
        several[u.dst + j] |= def[u.dst + j] != NULL || !literal;
        def[u.dst + j] = in;
      }
    }
  }
  for (uint32_t i = 0; i < f->num_units; i++) {
    if (several[i]) def[i] = NULL;
  }
  return def;
}

uint32_t *wg_px_spill_cost(wg_px_ctx_t *x, wg_px_fn_t *f, wg_px_insn_t *const *remat) {
  static const uint32_t kLevel[kMaxLoopLevels + 1] = {1, 10, 100, 1000, 10000, 100000};
  uint32_t *cost = wg_px_alloc(x, (f->num_units + 1) * sizeof *cost);
  wg_px_loop_depths(wg_px_cfg(x, f));
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    uint32_t each = kLevel[b->loop_depth < kMaxLoopLevels ? b->loop_depth : kMaxLoopLevels];
    for (uint32_t i = 0; i < b->n; i++) {
      wg_px_use_t u = wg_px_uses(b->insn[i]);
      for (int k = 0; k < 3; k++) {
        for (int j = 0; u.src[k] >= 0 && j < u.nsrc[k]; j++) {
          uint32_t *c = &cost[u.src[k] + j], add = each * (remat[u.src[k] + j] != NULL ? 1u : (uint32_t)kAccessCost);
          *c = *c > UINT32_MAX / 2 ? *c : *c + add;
        }
      }
      for (int j = 0; u.dst >= 0 && j < u.ndst; j++) {
        uint32_t *c = &cost[u.dst + j], add = remat[u.dst + j] != NULL ? 0 : each * kAccessCost;
        *c = *c > UINT32_MAX / 2 ? *c : *c + add;
      }
    }
  }
  return cost;
}

/* ---- the rewriting ---- */

typedef struct wg_px_rewrite {
  wg_px_ctx_t *x;
  wg_px_fn_t *f;
  const int32_t *slot;
  wg_px_insn_t *const *remat;
  int32_t units; /* how many existed before: later ones are ours */
  wg_px_block_t *b;
  uint32_t at;   /* the instruction at work */
} wg_px_rewrite_t;

static bool moved(const wg_px_rewrite_t *r, int32_t unit) {
  return unit >= 0 && unit < r->units && r->slot[unit] >= 0;
}

static int32_t temp(wg_px_rewrite_t *r, unsigned width) {
  int32_t t = wg_px_unit_new(r->x, r->f, width);
  for (unsigned i = 0; i < width; i++) r->f->unit[t + (int32_t)i].pinned = true;
  return t;
}

/* An instruction that puts the value of spilled `unit` into `to`. */
static wg_px_insn_t *fetch(wg_px_rewrite_t *r, int32_t unit, int32_t to, const wg_px_insn_t *user) {
  const wg_px_insn_t *def = r->remat[unit];
  wg_px_insn_t *in = wg_px_insn_new(r->x, def != NULL ? kWgOp_MOV : kWgOp_LDL);
  if (def != NULL) {
    *in = *def;
  } else {
    in->mods = 4u << kWgModLsb_LSIZE;
    in->imm = (uint32_t)r->slot[unit];
    in->a = r->f->sp;
  }
  in->d = to;
  in->src = user->src;
  return in;
}

static wg_px_insn_t *keep(wg_px_rewrite_t *r, int32_t unit, int32_t from, const wg_px_insn_t *writer) {
  wg_px_insn_t *in = wg_px_insn_new(r->x, kWgOp_STL);
  in->mods = 4u << kWgModLsb_LSIZE;
  in->imm = (uint32_t)r->slot[unit];
  in->a = r->f->sp;
  in->c = from;
  in->src = writer->src;
  return in;
}

static void before(wg_px_rewrite_t *r, wg_px_insn_t *in) { wg_px_insert(r->x, r->b, r->at++, in); }

static void with_guard(wg_px_insn_t *in, const wg_px_insn_t *of) {
  in->guard = of->guard;
  in->guard_not = of->guard_not;
}

/* MOV between registers of which one or both are spilled: a load, a store, or nothing. */
static void rewrite_mov(wg_px_rewrite_t *r, wg_px_insn_t *in) {
  int32_t s = in->b, d = in->d;
  if (moved(r, s) && moved(r, d) && r->remat[s] == NULL && r->slot[s] == r->slot[d]) {
    in->op = kWgOp_MOV; /* joined: one place for both */
    in->d = in->b = -1;
    return;
  }
  if (moved(r, d)) {
    int32_t from = s;
    if (moved(r, s)) {
      from = temp(r, 1);
      before(r, fetch(r, s, from, in));
    }
    wg_px_insn_t *st = keep(r, d, from, in);
    with_guard(st, in);
    *in = *st;
    return;
  }
  wg_px_insn_t *ld = fetch(r, s, d, in);
  with_guard(ld, in);
  *in = *ld;
}

static void rewrite_reads(wg_px_rewrite_t *r, wg_px_insn_t *in) {
  wg_px_use_t u = wg_px_uses(in);
  int32_t *operand[3] = {&in->a, &in->b, &in->c};
  for (int k = 0; k < 3; k++) {
    if (!moved(r, u.src[k])) continue;
    int32_t t = -1;
    for (int m = 0; m < k; m++) { /* the same value twice: one load */
      if (u.src[m] == u.src[k] && u.nsrc[m] >= u.nsrc[k]) t = *operand[m];
    }
    if (t < 0) {
      t = temp(r, u.nsrc[k]);
      for (int j = 0; j < u.nsrc[k]; j++) before(r, fetch(r, u.src[k] + j, t + j, in));
    }
    *operand[k] = t;
  }
}

static void rewrite_write(wg_px_rewrite_t *r, wg_px_insn_t *in) {
  wg_px_use_t u = wg_px_uses(in);
  int32_t t = temp(r, u.ndst);
  /* A guard that the instruction itself overwrites cannot guard the store: then the old value comes along. */
  const uint8_t *p = r->f->pred_reg; /* predicates have their registers already */
  bool own_guard = in->guard >= 0 && ((in->pd0 >= 0 && p[in->pd0] == p[in->guard]) ||
                                      (in->pd1 >= 0 && p[in->pd1] == p[in->guard]));
  for (int j = 0; own_guard && j < u.ndst; j++) {
    before(r, fetch(r, u.dst + j, t + j, in));
    r->f->unit[t + j].named = true;
  }
  in->d = t;
  for (int j = 0; j < u.ndst; j++) {
    wg_px_insn_t *st = keep(r, u.dst + j, t + j, in);
    if (!own_guard) with_guard(st, in);
    wg_px_insert(r->x, r->b, ++r->at, st);
  }
}

static void drop(wg_px_rewrite_t *r) {
  memmove(r->b->insn + r->at, r->b->insn + r->at + 1, (r->b->n - r->at - 1) * sizeof *r->b->insn);
  r->b->n--;
  r->at--; /* of an unsigned count: the loop adds it again */
}

void wg_px_spill(wg_px_ctx_t *x, wg_px_fn_t *f, const int32_t *slot, wg_px_insn_t *const *remat) {
  wg_px_rewrite_t r = {.x = x, .f = f, .slot = slot, .remat = remat, .units = (int32_t)f->num_units};
  for (r.b = f->entry; r.b != NULL; r.b = r.b->next) {
    for (r.at = 0; r.at < r.b->n; r.at++) {
      wg_px_insn_t *in = r.b->insn[r.at];
      if (moved(&r, in->d) && remat[in->d] == in) {
        drop(&r);
      } else if (in->op == kWgOp_MOV && in->form == kWgFormReg && in->b >= 0 &&
                 (moved(&r, in->b) || moved(&r, in->d))) {
        rewrite_mov(&r, in);
        if (in->d < 0 && in->op == kWgOp_MOV) drop(&r);
      } else {
        rewrite_reads(&r, in);
        if (moved(&r, in->d)) rewrite_write(&r, in);
      }
    }
  }
}
