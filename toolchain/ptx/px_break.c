// SPDX-License-Identifier: Apache-2.0
//
// Lanes of one warp that wait for each other. With independent thread scheduling a lane at a BSYNC holds those that it has
// to wait for up to nobody, but those may wait for it: in a loop that asks for a flag, or at a block barrier that it has passed
// by or will leave by exiting. They BREAK the convergence barriers around them; the SIMT stack, in which lanes cannot wait for each
// other, ignores BREAK and keeps its reconvergence. Where lanes may then have run ahead, WARPSYNC gathers the members of a mask.
#include <string.h>

#include "toolchain/ptx/px_build.h"

/* ---- open barriers ---- */

void wg_px_open_step(wg_px_opened_t *s, wg_px_insn_t *in) {
  if (in->op == kWgOp_BSSY || in->op == kWgOp_BSSYR) s->by[in->breg] = in;
  if (in->op == kWgOp_BSYNC) s->by[in->breg] = NULL;
}

/* Barriers open in front of each block; px_reconv.c has numbered them by their depth. */
wg_px_opened_t *wg_px_open_barriers(wg_px_ctx_t *x, const wg_px_cfg_t *g) {
  wg_px_opened_t *at = wg_px_alloc(x, (g->n + 1) * sizeof *at);
  bool *seen = wg_px_alloc(x, g->n + 1);
  for (bool changed = true; changed;) {
    changed = false;
    wg_px_charge(g, g->num_rpo);
    for (uint32_t i = 0; i < g->num_rpo; i++) {
      const wg_px_block_t *b = g->rpo[i];
      wg_px_opened_t s = at[b->id];
      for (uint32_t k = 0; k < b->n; k++) wg_px_open_step(&s, b->insn[k]);
      for (unsigned k = 0; k < wg_px_num_succ(b); k++) {
        uint32_t t = b->succ[k]->id;
        if (!seen[t]) at[t] = s;
        changed = changed || !seen[t];
        seen[t] = true;
        for (unsigned r = 0; r < kWgConvBarriers; r++) {
          if (at[t].by[r] == NULL || at[t].by[r] == s.by[r]) continue;
          at[t].by[r] = NULL;
          changed = true;
        }
      }
    }
  }
  return at;
}

/* ---- BREAK ---- */

static bool waits_here(const wg_px_block_t *b) {
  for (uint32_t i = 0; i < b->n; i++) {
    if (b->insn[i]->op == kWgOp_BAR || b->insn[i]->op == kWgOp_BARRED) return true;
  }
  return false;
}

/* Is there a way from the BSSY to its BSYNC without a block barrier? @param from the block that the BSSY ends */
static bool bypass(wg_px_cfg_t *g, const wg_px_block_t *from, const wg_px_block_t *to) {
  uint32_t top = 0;
  memset(g->mark, 0, g->n);
  g->mark[from->id] = true;
  for (const wg_px_block_t *b = from;; b = g->stack[--top]) {
    for (unsigned k = 0; k < wg_px_num_succ(b); k++) {
      wg_px_block_t *s = b->succ[k];
      if (s == to) return true;
      if (g->mark[s->id] || waits_here(s)) continue;
      g->mark[s->id] = true;
      g->stack[top++] = s;
    }
    if (top == 0) break;
  }
  wg_px_charge(g, g->n);
  return false;
}

/* Leave barrier `r`, opened by `bssy`; a mask kept for calls is forgotten. @return instructions inserted at `at` */
static uint32_t leave(wg_px_ctx_t *x, wg_px_block_t *b, uint32_t at, uint32_t r, wg_px_insn_t *bssy,
                      const wg_px_stmt_t *src) {
  wg_px_insn_t *in = wg_px_insn_new(x, kWgOp_BREAK);
  in->breg = (uint8_t)r;
  in->src = src;
  wg_px_insert(x, b, at, in);
  bssy->left = true;
  if (bssy->op != kWgOp_BSSYR) return 1;
  wg_px_insn_t *mov = wg_px_insn_new(x, kWgOp_MOV);
  mov->form = kWgFormImm;
  mov->d = bssy->d;
  mov->src = src;
  wg_px_insert(x, b, at + 1, mov);
  return 2;
}

void wg_px_break(wg_px_ctx_t *x, wg_px_fn_t *f) {
  bool any = false;
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) any = any || b->spin || waits_here(b);
  if (!any || !x->opt.reconverge) return;
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) b->insn[i]->home = b;
  }
  wg_px_cfg_t *g = wg_px_cfg(x, f);
  wg_px_opened_t *at = wg_px_open_barriers(x, g);
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    wg_px_opened_t s = at[b->id];
    for (uint32_t i = 0; i < b->n; i++) {
      wg_px_insn_t *in = b->insn[i];
      wg_px_open_step(&s, in);
      if (in->op != kWgOp_BAR && in->op != kWgOp_BARRED) continue;
      for (unsigned r = 0; r < kWgConvBarriers; r++) {
        wg_px_insn_t *bssy = s.by[r];
        if (bssy == NULL) continue;
        if (bssy->bypass == 0) bssy->bypass = bypass(g, bssy->home, bssy->target) ? 1 : -1;
        if (bssy->bypass > 0) i += leave(x, b, i, r, bssy, in->src);
      }
    }
    for (unsigned r = 0; b->spin && r < kWgConvBarriers; r++) {
      if (s.by[r] != NULL) (void)leave(x, b, b->n, r, s.by[r], b->src);
    }
  }
}

/* ---- WARPSYNC ---- */

enum { kTogether = 255 };

/* Lanes are apart until fewer barriers than this are open: for any reason; because nothing holds them together. */
typedef struct wg_px_apart {
  uint8_t any, loose;
} wg_px_apart_t;

static uint8_t least(uint8_t a, uint32_t b) { return b < a ? (uint8_t)b : a; }

static wg_px_apart_t through(const wg_px_fn_t *f, const wg_px_block_t *b, const wg_px_opened_t *before, wg_px_apart_t s,
                             uint32_t upto) {
  wg_px_opened_t o = *before;
  uint32_t depth = 0;
  for (unsigned r = 0; r < kWgConvBarriers; r++) depth = o.by[r] != NULL ? r + 1 : depth;
  for (uint32_t i = 0; i < b->n && i < upto; i++) {
    wg_px_insn_t *in = b->insn[i];
    if (in->op == kWgOp_BSSY || in->op == kWgOp_BSSYR) depth = in->breg + 1u;
    if (in->op == kWgOp_BSYNC) {
      bool left = o.by[in->breg] == NULL || o.by[in->breg]->left;
      depth = in->breg;
      if (left && s.any != kTogether) s.loose = least(s.loose, depth), s.any = least(s.any, depth);
      if (!left && s.any > depth) s.any = kTogether;
      if (!left && s.loose > depth) s.loose = kTogether;
    }
    wg_px_open_step(&o, in);
  }
  if (upto < b->n || b->term != kWgPxTCond || !b->divergent) return s;
  s.any = least(s.any, depth);
  if (b->loose || f->all_loose) s.loose = least(s.loose, depth);
  return s;
}

/* Of a shuffle or vote: kept where lanes of the mask may have run ahead. Of bar.warp.sync: dropped where all are together. */
static void decide(wg_px_insn_t *in, wg_px_apart_t s, const wg_ptx_options_t *opt) {
  if (in->if_apart ? opt->keep_gather : opt->keep_warpsync || opt->keep_gather) return;
  if (in->if_apart ? s.loose != kTogether : s.any != kTogether) return;
  in->op = kWgOp_NOP; /* keeps the order */
  in->form = kWgFormReg;
  in->imm = 0;
  in->b = -1;
}

void wg_px_warpsync(wg_px_ctx_t *x, wg_px_fn_t *f) {
  bool any = false;
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) any = any || b->insn[i]->op == kWgOp_WARPSYNC;
  }
  if (!any) return;
  wg_px_cfg_t *g = wg_px_cfg(x, f);
  wg_px_opened_t *open = wg_px_open_barriers(x, g);
  wg_px_apart_t *at = wg_px_alloc(x, (g->n + 1) * sizeof *at);
  memset(at, kTogether, (g->n + 1) * sizeof *at);
  if (f->kernel->is_func) at[g->rpo[0]->id] = (wg_px_apart_t){0, 0}; /* who calls may be apart */
  if (!x->opt.reconverge) f->all_loose = true;
  for (bool changed = true; changed;) {
    changed = false;
    wg_px_charge(g, g->num_rpo);
    for (uint32_t i = 0; i < g->num_rpo; i++) {
      const wg_px_block_t *b = g->rpo[i];
      wg_px_apart_t s = through(f, b, &open[b->id], at[b->id], b->n);
      for (unsigned k = 0; k < wg_px_num_succ(b); k++) {
        wg_px_apart_t *t = &at[b->succ[k]->id];
        changed = changed || s.any < t->any || s.loose < t->loose;
        *t = (wg_px_apart_t){least(t->any, s.any), least(t->loose, s.loose)};
      }
    }
  }
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      if (b->insn[i]->op == kWgOp_WARPSYNC) decide(b->insn[i], through(f, b, &open[b->id], at[b->id], i), &x->opt);
    }
  }
}

/* Lowering: members of `mask` meet in front of an instruction that exchanges values between them. */
void wg_px_gather(wg_px_ctx_t *x, int32_t mask) {
  wg_px_emit(x, kWgOp_WARPSYNC, 0, -1, -1, mask, -1)->if_apart = true;
}
