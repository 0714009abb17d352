// SPDX-License-Identifier: Apache-2.0
//
// Control flow graph: cleaning, orders, dominators, post-dominators.
//
// Post-dominance here is that of the lanes that go on: blocks that only lead to an EXIT of their own do not count,
// for lanes that exit leave the masks that BSYNC waits for. One exit is the primary one (primary_exit says which);
// blocks that cannot reach it are judged among themselves.
#include <string.h>

#include "toolchain/ptx/px.h"

enum { kMaxExits = 24 };

void wg_px_renumber(wg_px_fn_t *f) {
  f->num_blocks = 0;
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) b->id = f->num_blocks++;
}

static bool lone_exit(const wg_px_block_t *b) { return b->n == 0 && b->term == kWgPxTExit; }

/* Skip empty blocks that only jump; bounded, for loops of empty blocks exist. */
static wg_px_block_t *thread(wg_px_block_t *b) {
  for (int i = 0; i < 64 && b->n == 0 && b->term == kWgPxTJump && b->succ[0] != b; i++) b = b->succ[0];
  return b;
}

static void simplify_end(wg_px_block_t *b) {
  for (unsigned i = 0; i < wg_px_num_succ(b); i++) b->succ[i] = thread(b->succ[i]);
  if (b->term == kWgPxTCond && b->succ[0] == b->succ[1]) b->term = kWgPxTJump;
  if (b->term == kWgPxTCond && lone_exit(b->succ[0])) { /* @p bra to a return: @p EXIT */
    b->term = kWgPxTExitIf;
    b->succ[0] = b->succ[1];
  } else if (b->term == kWgPxTCond && lone_exit(b->succ[1])) {
    b->term = kWgPxTExitIf;
    b->pred_not = !b->pred_not;
  }
  if ((b->term == kWgPxTJump || b->term == kWgPxTExitIf) && lone_exit(b->succ[0])) b->term = kWgPxTExit;
}

static void mark(wg_px_block_t *b, bool *seen, wg_px_block_t **stack) {
  uint32_t top = 0;
  seen[b->id] = true;
  stack[top++] = b;
  while (top > 0) {
    wg_px_block_t *c = stack[--top];
    for (unsigned i = 0; i < wg_px_num_succ(c); i++) {
      if (seen[c->succ[i]->id]) continue;
      seen[c->succ[i]->id] = true;
      stack[top++] = c->succ[i];
    }
  }
}

static void remove_unreachable(wg_px_ctx_t *x, wg_px_fn_t *f) {
  bool *seen = wg_px_alloc(x, f->num_blocks);
  wg_px_block_t **stack = wg_px_alloc(x, f->num_blocks * sizeof *stack);
  mark(f->entry, seen, stack);
  wg_px_block_t **at = &f->entry;
  while (*at != NULL) {
    if (!seen[(*at)->id]) {
      *at = (*at)->next;
    } else {
      f->last = *at;
      at = &(*at)->next;
    }
  }
}

/* Join a block with its only successor if that has no other predecessor and follows it in the layout. */
static void merge_blocks(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_cfg_t *g = wg_px_cfg(x, f);
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    while (b->term == kWgPxTJump && b->succ[0] == b->next && b->next != NULL && g->num_pred[b->next->id] == 1 &&
           !(b->next->n > 0 && b->next->insn[0]->op == kWgOp_BSYNC)) { /* which a BSSY has to find */
      wg_px_block_t *c = b->next;
      for (uint32_t i = 0; i < c->n; i++) wg_px_insert(x, b, b->n, c->insn[i]);
      b->term = c->term;
      b->pred = c->pred;
      b->pred_not = c->pred_not;
      b->uni = c->uni;
      b->succ[0] = c->succ[0];
      b->succ[1] = c->succ[1];
      b->src = c->src;
      b->next = c->next;
      if (f->last == c) f->last = b;
    }
  }
}

void wg_px_cfg_clean(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_renumber(f);
  for (int round = 0; round < 3; round++) {
    for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) simplify_end(b);
    remove_unreachable(x, f);
    wg_px_renumber(f);
    merge_blocks(x, f);
    wg_px_renumber(f);
  }
}

/* ---- orders ---- */

/* Reverse post-order by an explicit stack: bodies may be thousands of blocks deep. */
static void order(wg_px_ctx_t *x, wg_px_fn_t *f, wg_px_cfg_t *g) {
  wg_px_block_t **stack = wg_px_alloc(x, (g->n + 1) * sizeof *stack);
  uint8_t *next = wg_px_alloc(x, g->n);
  bool *seen = wg_px_alloc(x, g->n);
  uint32_t top = 0, at = g->n;
  stack[top++] = f->entry;
  seen[f->entry->id] = true;
  while (top > 0) {
    wg_px_block_t *b = stack[top - 1];
    if (next[b->id] < wg_px_num_succ(b)) {
      wg_px_block_t *s = b->succ[next[b->id]++];
      if (!seen[s->id]) {
        seen[s->id] = true;
        stack[top++] = s;
      }
    } else {
      g->rpo[--at] = b;
      top--;
    }
  }
  g->num_rpo = g->n - at;
  memmove(g->rpo, g->rpo + at, g->num_rpo * sizeof *g->rpo);
  for (uint32_t i = 0; i < g->n; i++) g->rpo_index[i] = UINT32_MAX;
  for (uint32_t i = 0; i < g->num_rpo; i++) g->rpo_index[g->rpo[i]->id] = i;
}

static void predecessors(wg_px_ctx_t *x, wg_px_cfg_t *g) {
  for (uint32_t i = 0; i < g->num_rpo; i++) {
    for (unsigned k = 0; k < wg_px_num_succ(g->rpo[i]); k++) g->num_pred[g->rpo[i]->succ[k]->id]++;
  }
  for (uint32_t i = 0; i < g->n; i++) {
    g->pred[i] = wg_px_alloc(x, (g->num_pred[i] + 1) * sizeof **g->pred);
    g->num_pred[i] = 0;
  }
  for (uint32_t i = 0; i < g->num_rpo; i++) {
    wg_px_block_t *b = g->rpo[i];
    for (unsigned k = 0; k < wg_px_num_succ(b); k++) {
      uint32_t s = b->succ[k]->id;
      if (k == 1 && b->succ[0] == b->succ[1]) continue;
      g->pred[s][g->num_pred[s]++] = b;
    }
  }
}

/* Cooper, Harvey, Kennedy: "A simple, fast dominance algorithm". */
static wg_px_block_t *intersect(const wg_px_cfg_t *g, wg_px_block_t **idom, const uint32_t *index, wg_px_block_t *a,
                                wg_px_block_t *b) {
  uint32_t steps = 0;
  for (; a != b && a != NULL && b != NULL; steps++) {
    if (index[a->id] > index[b->id]) a = idom[a->id];
    else b = idom[b->id];
  }
  wg_px_charge(g, steps);
  return a == b ? a : NULL;
}

static void dominators(wg_px_cfg_t *g) {
  bool changed = true;
  while (changed) {
    changed = false;
    wg_px_charge(g, g->num_rpo);
    for (uint32_t i = 1; i < g->num_rpo; i++) {
      wg_px_block_t *b = g->rpo[i], *d = NULL;
      for (uint32_t k = 0; k < g->num_pred[b->id]; k++) {
        wg_px_block_t *p = g->pred[b->id][k];
        if (p != g->rpo[0] && g->idom[p->id] == NULL) continue;
        d = d == NULL ? p : intersect(g, g->idom, g->rpo_index, p, d);
      }
      if (d != g->idom[b->id]) {
        g->idom[b->id] = d;
        changed = true;
      }
    }
  }
}

/* ---- post-dominators, exit by exit ---- */

/* Blocks that are not taken and reach `exit`. One that reaches it through a taken block is taken itself. */
static void reach_back(const wg_px_cfg_t *g, wg_px_block_t *exit, const bool *taken, bool *out,
                       wg_px_block_t **stack) {
  memset(out, 0, g->n);
  uint32_t top = 0;
  out[exit->id] = true;
  stack[top++] = exit;
  while (top > 0) {
    wg_px_block_t *b = stack[--top];
    for (uint32_t k = 0; k < g->num_pred[b->id]; k++) {
      wg_px_block_t *p = g->pred[b->id][k];
      if (!out[p->id] && !taken[p->id]) {
        out[p->id] = true;
        stack[top++] = p;
      }
    }
  }
}

/* Room to work in; each block belongs to one part, so nothing has to be cleared between parts. */
typedef struct wg_px_post {
  wg_px_block_t **rpo, **stack;
  uint32_t *index, *next;
  bool *seen, *done;
} wg_px_post_t;

/* The blocks that reach `exit` and are not taken, dominated backward from it; they are taken then. Edges out of this
   part are ignored. */
static void post_part(wg_px_cfg_t *g, wg_px_block_t *exit, bool *taken, const wg_px_post_t *w) {
  wg_px_block_t **rpo = w->rpo, **stack = w->stack;
  uint32_t *index = w->index, *next = w->next, top = 0, at = g->n, n;
  bool *seen = w->seen, *done = w->done;
  stack[top++] = exit;
  seen[exit->id] = true;
  while (top > 0) {
    wg_px_block_t *b = stack[top - 1];
    if (next[b->id] < g->num_pred[b->id]) {
      wg_px_block_t *p = g->pred[b->id][next[b->id]++];
      if (!taken[p->id] && !seen[p->id]) {
        seen[p->id] = true;
        stack[top++] = p;
      }
    } else {
      rpo[--at] = b;
      top--;
    }
  }
  n = g->n - at;
  memmove(rpo, rpo + at, n * sizeof *rpo);
  for (uint32_t i = 0; i < n; i++) index[rpo[i]->id] = i;
  done[exit->id] = true;
  for (bool changed = true; changed;) {
    changed = false;
    wg_px_charge(g, n);
    for (uint32_t i = 1; i < n; i++) {
      wg_px_block_t *b = rpo[i], *d = NULL;
      for (unsigned k = 0; k < wg_px_num_succ(b); k++) {
        wg_px_block_t *s = b->succ[k];
        if (taken[s->id] || !done[s->id]) continue;
        d = d == NULL ? s : intersect(g, g->ipdom, index, s, d);
      }
      if (!done[b->id] || d != g->ipdom[b->id]) {
        done[b->id] = true;
        g->ipdom[b->id] = d;
        changed = true;
      }
    }
  }
  for (uint32_t i = 0; i < n; i++) taken[rpo[i]->id] = true;
}

/* What a block is worth staying together for: barriers and shuffles need the lanes, other code wants them. */
static uint32_t worth(const wg_px_block_t *b) {
  uint32_t w = b->n + 1;
  for (uint32_t i = 0; i < b->n; i++) w += b->insn[i]->op == kWgOp_BAR || b->insn[i]->op == kWgOp_SHFL ? 1000u : 0u;
  return w;
}

/* The exit whose own code, that from which no other exit can be reached, is worth most, of `n` exits. */
static wg_px_block_t *primary_exit(const wg_px_cfg_t *g, wg_px_block_t **exit, uint32_t n, const bool *taken,
                                   bool *part, uint16_t *exits, wg_px_block_t **stack) {
  wg_px_block_t *best = NULL;
  uint32_t most = 0;
  memset(exits, 0, g->n * sizeof *exits);
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < n; i++) {
      if (taken[exit[i]->id]) continue;
      reach_back(g, exit[i], taken, part, stack);
      uint32_t w = 0;
      for (uint32_t k = 0; k < g->n; k++) {
        if (pass == 0) exits[k] = (uint16_t)(exits[k] + part[k]);
        if (pass == 1 && part[k] && exits[k] == 1) w += worth(g->block[k]);
      }
      if (pass == 1 && w >= most) {
        most = w;
        best = exit[i];
      }
      wg_px_charge(g, g->n / 8);
    }
  }
  return best;
}

/* Mark `exit` and what reaches it; marked blocks have been followed already. */
static void mark_reaching(const wg_px_cfg_t *g, wg_px_block_t *exit, bool *have, wg_px_block_t **stack) {
  uint32_t top = 0;
  if (have[exit->id]) return;
  have[exit->id] = true;
  stack[top++] = exit;
  while (top > 0) {
    wg_px_block_t *b = stack[--top];
    for (uint32_t k = 0; k < g->num_pred[b->id]; k++) {
      wg_px_block_t *p = g->pred[b->id][k];
      if (have[p->id]) continue;
      have[p->id] = true;
      stack[top++] = p;
    }
  }
}

/* Exits in reverse post-order; then, for code from which none of them is reached, the last conditional exit: a loop at the end
   of a kernel is left by @p EXIT alone, and the lanes of what comes before it have to meet all the same. */
static uint32_t list_exits(const wg_px_cfg_t *g, wg_px_block_t **exit, bool *have, wg_px_block_t **stack) {
  uint32_t n = 0;
  memset(have, 0, g->n);
  for (uint32_t i = 0; i < g->num_rpo; i++) {
    if (wg_px_num_succ(g->rpo[i]) != 0) continue;
    exit[n++] = g->rpo[i];
    mark_reaching(g, g->rpo[i], have, stack);
  }
  for (uint32_t i = g->num_rpo; i-- > 0;) {
    if (g->rpo[i]->term != kWgPxTExitIf || have[g->rpo[i]->id]) continue;
    exit[n++] = g->rpo[i];
    mark_reaching(g, g->rpo[i], have, stack);
  }
  return n;
}

void wg_px_post_dominators(wg_px_cfg_t *g) {
  wg_px_ctx_t *x = g->x;
  wg_px_block_t **stack = wg_px_alloc(x, (g->n + 1) * sizeof *stack);
  wg_px_block_t **exit = wg_px_alloc(x, (g->n + 1) * sizeof *exit);
  bool *taken = wg_px_alloc(x, g->n), *part = wg_px_alloc(x, g->n);
  uint16_t *exits = wg_px_alloc(x, g->n * sizeof *exits);
  wg_px_post_t w = {.rpo = wg_px_alloc(x, (g->n + 1) * sizeof *w.rpo), .stack = stack};
  w.index = wg_px_alloc(x, g->n * sizeof *w.index);
  w.next = wg_px_alloc(x, g->n * sizeof *w.next);
  w.seen = wg_px_alloc(x, g->n);
  w.done = wg_px_alloc(x, g->n);
  uint32_t n = list_exits(g, exit, taken, stack), left = n;
  memset(taken, 0, g->n);
  for (uint32_t i = 0; i < n; i++) { /* whoever called wants all lanes that come back */
    if (exit[i]->term != kWgPxTRet) continue;
    post_part(g, exit[i], taken, &w);
    left--;
  }
  /* A text of very many exits: the last ones of the layout first, unjudged. */
  memset(part, 0, g->n);
  for (uint32_t i = 0; i < n; i++) part[exit[i]->id] = true;
  for (uint32_t k = g->n; left > kMaxExits && k-- > 0;) {
    if (!part[k]) continue;
    if (!taken[k]) post_part(g, g->block[k], taken, &w);
    left--;
  }
  for (; left > 0; left--) {
    wg_px_block_t *e = primary_exit(g, exit, n, taken, part, exits, stack);
    if (e != NULL) post_part(g, e, taken, &w);
  }
}

wg_px_cfg_t *wg_px_cfg(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_renumber(f);
  wg_px_cfg_t *g = wg_px_alloc(x, sizeof *g);
  uint32_t n = g->n = f->num_blocks;
  g->x = x;
  g->f = f;
  g->stack = wg_px_alloc(x, (n + 1) * sizeof *g->stack);
  g->mark = wg_px_alloc(x, n);
  g->block = wg_px_alloc(x, n * sizeof *g->block);
  g->rpo = wg_px_alloc(x, n * sizeof *g->rpo);
  g->rpo_index = wg_px_alloc(x, n * sizeof *g->rpo_index);
  g->idom = wg_px_alloc(x, n * sizeof *g->idom);
  g->ipdom = wg_px_alloc(x, n * sizeof *g->ipdom);
  g->num_pred = wg_px_alloc(x, n * sizeof *g->num_pred);
  g->pred = wg_px_alloc(x, n * sizeof *g->pred);
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) g->block[b->id] = b;
  order(x, f, g);
  predecessors(x, g);
  dominators(g);
  return g;
}

void wg_px_charge(const wg_px_cfg_t *g, uint64_t steps) {
  g->x->flow_steps += steps;
  if (g->x->flow_steps > kWgPxMaxFlow) {
    wg_px_fail(g->x, kWgUnsupported, g->f->kernel->line, 0,
               "split the kernel, or replace branches by predicated instructions",
               "the branches of kernel '%s' are too entangled to analyse (%u blocks)", g->f->kernel->name, g->n);
  }
}

void wg_px_reach(const wg_px_cfg_t *g, const wg_px_block_t *from, const wg_px_block_t *stop, bool with_from,
                 bool *out) {
  uint32_t top = 0, steps = 0;
  memset(out, 0, g->n);
  if (with_from) out[from->id] = true;
  for (const wg_px_block_t *b = from;; b = g->stack[--top]) {
    for (unsigned k = 0; k < wg_px_num_succ(b); k++) {
      wg_px_block_t *s = b->succ[k];
      if (s == stop || out[s->id]) continue;
      out[s->id] = true;
      if (s != from) g->stack[top++] = s;
    }
    steps++;
    if (top == 0) break;
  }
  wg_px_charge(g, steps + g->n / 8);
}
