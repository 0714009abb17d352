// SPDX-License-Identifier: Apache-2.0
//
// YIELD at the ends of loops that wait: in which a lane may spin on what another lane of its warp has yet to write (an
// atomic, a volatile or ordered load, there or in a function that is called). With independent thread scheduling the other side then gets its turn; with the
// SIMT stack it does nothing.
#include <string.h>

#include "toolchain/ptx/px.h"

/* What may a call reach? One that is not compiled yet is on a circle of calls and may do anything. */
typedef struct wg_px_reached {
  bool waits, counts;
} wg_px_reached_t;

static void reach_func(wg_px_reached_t *r, const wg_px_kernel_t *f) {
  r->waits = r->waits || f->fn == NULL || f->waits;
  r->counts = r->counts || (f->fn != NULL && f->counts);
}

static wg_px_reached_t reached(const wg_px_fn_t *f, const wg_px_insn_t *in) {
  wg_px_reached_t r = {false, false};
  if (in->op == kWgOp_CALL) reach_func(&r, in->func);
  for (uint32_t i = 0; in->op == kWgOp_BRX && i < f->kernel->num_callees; i++) reach_func(&r, f->kernel->callee[i]);
  return r;
}

static bool waits(const wg_px_fn_t *f, const wg_px_block_t *b) {
  for (uint32_t i = 0; i < b->n; i++) {
    const wg_px_insn_t *in = b->insn[i];
    if (in->strong || wg_insn_is_atomic(in->op)) return true;
    if (wg_px_is_call(in) && reached(f, in).waits) return true;
  }
  return false;
}

bool wg_px_dominates(const wg_px_cfg_t *g, const wg_px_block_t *h, const wg_px_block_t *b) {
  while (b != NULL && b != h && g->rpo_index[b->id] > g->rpo_index[h->id]) b = g->idom[b->id];
  return b == h;
}

/* Does the natural loop of the edge from `latch` to `h` hold a block that waits? */
static bool loop_waits(wg_px_cfg_t *g, wg_px_block_t *h, wg_px_block_t *latch, bool *inside) {
  uint32_t top = 0;
  memset(inside, 0, g->n);
  inside[h->id] = true;
  if (latch != h) g->stack[top++] = latch;
  inside[latch->id] = true;
  bool found = waits(g->f, h) || waits(g->f, latch);
  while (top > 0) {
    wg_px_block_t *b = g->stack[--top];
    for (uint32_t k = 0; k < g->num_pred[b->id]; k++) {
      wg_px_block_t *p = g->pred[b->id][k];
      if (inside[p->id]) continue;
      inside[p->id] = true;
      found = found || waits(g->f, p);
      g->stack[top++] = p;
    }
  }
  wg_px_charge(g, g->n / 4 + 1);
  return found;
}

/* ---- loops that only wait ---- */

/* Is unit u the same in every turn: written nowhere in the loop, or by a MOV of what is? */
static bool constant_in(const wg_px_cfg_t *g, const bool *inside, int32_t u, int depth) {
  for (uint32_t i = 0; i < g->n; i++) {
    for (uint32_t k = 0; inside[i] && k < g->block[i]->n; k++) {
      const wg_px_insn_t *in = g->block[i]->insn[k];
      wg_px_use_t w = wg_px_uses(in);
      if (w.dst < 0 || u < w.dst || u >= w.dst + w.ndst) continue;
      bool mov = in->op == kWgOp_MOV && in->guard < 0 && depth < 3;
      bool same = mov && (in->form != kWgFormReg || in->b < 0 || constant_in(g, inside, in->b, depth + 1));
      if (!same) return false;
    }
  }
  return true;
}

/* Does the atomic count, so that no two turns see the same: a ticket? Then each turn has work of its own. */
static bool counts(const wg_px_insn_t *in) {
  unsigned op = (in->mods >> kWgModLsb_AOP) & 15u;
  bool add = op == 0, step = op == 3 || op == 4; /* .ADD, .INC, .DEC of isa.def */
  return wg_insn_is_atomic(in->op) && (step || (add && in->c >= 0));
}

/* Do all calls of the loop get the same arguments in every turn? On the stack: not known, so no. */
static bool arguments_same(wg_px_cfg_t *g, const bool *inside) {
  for (uint32_t i = 0; i < g->n; i++) {
    for (uint32_t k = 0; inside[i] && k < g->block[i]->n; k++) {
      const wg_px_insn_t *in = g->block[i]->insn[k];
      if (in->op == kWgOp_STL && in->a == g->f->sp) return false;
      if (in->op != kWgOp_MOV || in->d < 0 || g->f->unit[in->d].fixed == 0 || in->return_pc) continue;
      if (!constant_in(g, inside, in->d, 0)) return false;
    }
  }
  wg_px_charge(g, g->n);
  return true;
}

/* A strong load or an atomic that asks the same in every turn, or a call that may: the loop waits for another thread. */
bool wg_px_asks_the_same(wg_px_cfg_t *g, const bool *inside) {
  bool asks = false;
  for (uint32_t i = 0; i < g->n; i++) {
    for (uint32_t k = 0; inside[i] && k < g->block[i]->n; k++) {
      const wg_px_insn_t *in = g->block[i]->insn[k];
      if (wg_px_is_call(in)) {
        wg_px_reached_t r = reached(g->f, in);
        if (r.counts) return false;
        asks = asks || (r.waits && arguments_same(g, inside));
        continue;
      }
      if (!in->strong && !wg_insn_is_atomic(in->op)) continue;
      if (in->d < 0 && in->pd0 < 0) continue; /* nothing is asked */
      if (counts(in)) return false;
      wg_px_use_t u = wg_px_uses(in);
      bool same = true;
      for (int s = 0; s < 3; s++) {
        for (int j = 0; same && u.src[s] >= 0 && j < u.nsrc[s]; j++) same = constant_in(g, inside, u.src[s] + j, 0);
      }
      wg_px_charge(g, g->n);
      asks = asks || same;
    }
  }
  return asks;
}

/* Lanes that leave such a loop must not wait behind it for those inside: these may wait for them (a lock). */
void wg_px_mark_spins(wg_px_ctx_t *x, wg_px_cfg_t *g) {
  bool *inside = wg_px_alloc(x, g->n + 1);
  for (uint32_t i = 0; i < g->num_rpo; i++) {
    wg_px_block_t *h = g->rpo[i];
    for (uint32_t k = 0; k < g->num_pred[h->id]; k++) {
      wg_px_block_t *p = g->pred[h->id][k];
      if (!wg_px_dominates(g, h, p) || !loop_waits(g, h, p, inside) || !wg_px_asks_the_same(g, inside)) continue;
      p->spin = true;
      for (uint32_t b = 0; b < g->n; b++) {
        wg_px_block_t *e = g->block[b];
        e->spins = e->spins || inside[b];
        bool leaves = inside[b] && e->term == kWgPxTCond && (!inside[e->succ[0]->id] || !inside[e->succ[1]->id]);
        e->handled = e->handled || leaves;
        e->loose = e->loose || leaves;
      }
    }
  }
}

/* For those who call the function: has it any of this, itself or in what it calls? */
static void note_waits(wg_px_fn_t *f) {
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    f->kernel->waits = f->kernel->waits || waits(f, b);
    for (uint32_t i = 0; i < b->n; i++) {
      const wg_px_insn_t *in = b->insn[i];
      f->kernel->counts = f->kernel->counts || counts(in) || (wg_px_is_call(in) && reached(f, in).counts);
    }
  }
}

void wg_px_yield(wg_px_ctx_t *x, wg_px_fn_t *f) {
  bool any = false;
  note_waits(f);
  for (wg_px_block_t *b = f->entry; b != NULL && !any; b = b->next) any = waits(f, b);
  if (!any) return;
  wg_px_cfg_t *g = wg_px_cfg(x, f);
  bool *inside = wg_px_alloc(x, g->n + 1), *done = wg_px_alloc(x, g->n + 1);
  for (uint32_t i = 0; i < g->num_rpo; i++) {
    wg_px_block_t *h = g->rpo[i];
    for (uint32_t k = 0; k < g->num_pred[h->id]; k++) {
      wg_px_block_t *p = g->pred[h->id][k];
      if (done[p->id] || !wg_px_dominates(g, h, p) || !loop_waits(g, h, p, inside)) continue;
      wg_px_insn_t *in = wg_px_insn_new(x, kWgOp_YIELD);
      in->src = p->src;
      wg_px_insert(x, p, p->n, in);
      done[p->id] = true;
    }
  }
}
