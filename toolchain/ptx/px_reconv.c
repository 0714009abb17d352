// SPDX-License-Identifier: Apache-2.0
//
// Reconvergence: BSSY where lanes may part, BSYNC where they meet.
//
// For a divergent branch with immediate post-dominator J, the region S is what is reachable from it without passing
// J. All edges from outside into S must reach one block H; they get the BSSY, all edges from S into J get the BSYNC.
// So each way through the region opens the barrier once and closes it once, in loops and nests too, and branches
// inside S that also meet at J need none of their own. Inner regions are handled first. At the end a walk over the
// graph checks the balance and numbers the barriers by their depth; regions nested deeper than there are barriers go
// without.
#include <string.h>

#include "toolchain/ptx/px.h"

typedef struct wg_px_region {
  wg_px_block_t *branch, *from, *join, *head;
  bool *in, *scratch; /* [blocks] */
  uint32_t *id;       /* [size] the blocks of an accepted region */
  uint32_t size;
} wg_px_region_t;

/* Keep of `in` what can go on to the join: the rest ends in exits. */
static void only_reaching(const wg_px_cfg_t *g, wg_px_region_t *r) {
  bool *ok = r->scratch;
  memset(ok, 0, g->n);
  for (bool changed = true; changed;) {
    changed = false;
    wg_px_charge(g, g->num_rpo);
    for (uint32_t i = g->num_rpo; i-- > 0;) {
      wg_px_block_t *b = g->rpo[i];
      if (!r->in[b->id] || ok[b->id]) continue;
      for (unsigned k = 0; k < wg_px_num_succ(b); k++) {
        if (b->succ[k] == r->join || (r->in[b->succ[k]->id] && ok[b->succ[k]->id])) changed = ok[b->id] = true;
      }
    }
  }
  r->size = 0;
  for (uint32_t i = 0; i < g->n; i++) {
    r->in[i] = r->in[i] && ok[i];
    r->size += r->in[i];
  }
}

static wg_px_block_t *common_dominator(const wg_px_cfg_t *g, wg_px_block_t *a, wg_px_block_t *b) {
  while (a != b && a != NULL && b != NULL) {
    if (g->rpo_index[a->id] > g->rpo_index[b->id]) {
      a = g->idom[a->id];
    } else {
      b = g->idom[b->id];
    }
  }
  return a == b ? a : NULL;
}

/* Single entry of the region, or NULL; *dom = nearest block that dominates all entries. */
static wg_px_block_t *single_entry(const wg_px_cfg_t *g, const wg_px_region_t *r, wg_px_block_t **dom) {
  wg_px_block_t *head = NULL;
  bool several = false;
  *dom = NULL;
  wg_px_charge(g, g->num_rpo);
  for (uint32_t i = 0; i < g->num_rpo; i++) {
    wg_px_block_t *b = g->rpo[i];
    if (!r->in[b->id]) continue;
    bool entered = b == g->rpo[0];
    for (uint32_t k = 0; k < g->num_pred[b->id]; k++) entered = entered || !r->in[g->pred[b->id][k]->id];
    if (!entered) continue;
    several = several || head != NULL;
    *dom = head == NULL ? b : common_dominator(g, *dom, b);
    head = b;
  }
  return several ? NULL : head;
}

/* Region of branch `b`; grown to a common dominator while it has several entries. False: lanes meet at no place. */
static bool find_region(const wg_px_cfg_t *g, wg_px_block_t *b, wg_px_region_t *r) {
  r->branch = b;
  r->from = b;
  for (uint32_t i = 0; i <= g->n; i++) {
    r->join = g->ipdom[r->from->id];
    if (r->join == NULL) return false;
    wg_px_reach(g, r->from, r->join, true, r->in);
    only_reaching(g, r);
    wg_px_block_t *dom;
    r->head = single_entry(g, r, &dom);
    if (r->head != NULL) return true;
    if (dom == NULL) return false;
    r->from = dom == r->from ? g->idom[dom->id] : dom;
    if (r->from == NULL) return false;
  }
  return false;
}

static bool in_cycle(const wg_px_cfg_t *g, const wg_px_block_t *from, const wg_px_block_t *to,
                     const wg_px_block_t *stop) {
  if (from == to) return true;
  if (from == stop) return false;
  wg_px_reach(g, from, stop, false, g->mark);
  return g->mark[to->id];
}

/* The side that stays in a loop has to be the taken one: taken lanes are suspended on the stack, the leaving ones run
 * on to the BSYNC and pop them at once. The other way round each iteration would add an entry. */
static void orient(const wg_px_cfg_t *g, wg_px_block_t *b) {
  const wg_px_block_t *stop = g->ipdom[b->id];
  bool c0 = in_cycle(g, b->succ[0], b, stop), c1 = in_cycle(g, b->succ[1], b, stop);
  b->take_succ0 = c0 && !c1;
  b->take_succ1 = c1 && !c0;
}

static wg_px_block_t *before(wg_px_fn_t *f, const wg_px_block_t *b) {
  for (wg_px_block_t *p = f->entry; p != NULL; p = p->next) {
    if (p->next == b) return p;
  }
  return NULL;
}

static void redirect(wg_px_block_t *b, const wg_px_block_t *from, wg_px_block_t *to) {
  for (unsigned k = 0; k < wg_px_num_succ(b); k++) {
    if (b->succ[k] == from) b->succ[k] = to;
  }
}

static wg_px_block_t *jump_block(wg_px_ctx_t *x, wg_px_fn_t *f, wg_px_block_t *after, wg_px_block_t *to,
                                 const wg_px_stmt_t *src) {
  wg_px_block_t *n = wg_px_block_new(x, f);
  n->term = kWgPxTJump;
  n->succ[0] = to;
  n->src = src;
  if (after == NULL) {
    n->next = f->entry;
    f->entry = n;
  } else {
    wg_px_block_insert_after(f, after, n);
  }
  return n;
}

static void open_region(wg_px_ctx_t *x, wg_px_fn_t *f, const wg_px_cfg_t *g, const wg_px_region_t *r,
                        wg_px_insn_t *bssy) {
  wg_px_block_t *h = r->head;
  if (h == r->from && h->term == kWgPxTCond && !in_cycle(g, h->succ[0], h, r->join) &&
      !in_cycle(g, h->succ[1], h, r->join)) {
    wg_px_insert(x, h, h->n, bssy); /* right before the branch */
    return;
  }
  wg_px_block_t *n = jump_block(x, f, before(f, h), h, h->src);
  wg_px_insert(x, n, 0, bssy);
  for (uint32_t k = 0; k < g->num_pred[h->id]; k++) {
    if (!r->in[g->pred[h->id][k]->id]) redirect(g->pred[h->id][k], h, n);
  }
}

static wg_px_block_t *close_region(wg_px_ctx_t *x, wg_px_fn_t *f, const wg_px_cfg_t *g, const wg_px_region_t *r,
                                   wg_px_insn_t *bsync) {
  wg_px_block_t *j = r->join, *at = before(f, j), *last = NULL;
  bool all = j != g->rpo[0];
  for (uint32_t k = 0; k < g->num_pred[j->id]; k++) all = all && r->in[g->pred[j->id][k]->id];
  if (all) {
    wg_px_insert(x, j, 0, bsync);
    return j;
  }
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    if (b->id >= g->n || !r->in[b->id]) continue;
    for (unsigned k = 0; k < wg_px_num_succ(b); k++) last = b->succ[k] == j ? b : last;
  }
  if (at != NULL && at->id < g->n && !r->in[at->id] && last != NULL) at = last;
  wg_px_block_t *n = jump_block(x, f, at, j, j->src);
  wg_px_insert(x, n, 0, bsync);
  for (uint32_t k = 0; k < g->num_pred[j->id]; k++) {
    if (r->in[g->pred[j->id][k]->id]) redirect(g->pred[j->id][k], j, n);
  }
  return n;
}

static void insert_region(wg_px_ctx_t *x, wg_px_fn_t *f, const wg_px_cfg_t *g, const wg_px_region_t *r) {
  wg_px_insn_t *bssy = wg_px_insn_new(x, kWgOp_BSSY), *bsync = wg_px_insn_new(x, kWgOp_BSYNC);
  for (uint32_t i = 0; i < g->n; i++) {
    wg_px_block_t *b = g->block[i];
    if (r->in[i] && b->divergent && g->ipdom[i] == r->join) b->handled = true;
  }
  bssy->src = r->from->src;
  bsync->src = r->join->src;
  if (r->join->n > 0) bsync->src = r->join->insn[0]->src;
  open_region(x, f, g, r, bssy);
  bssy->target = close_region(x, f, g, r, bsync);
  bssy->partner = bsync;
  bsync->partner = bssy;
}

/* ---- balance and numbers ---- */

typedef struct wg_px_open {
  uint32_t depth;
  const wg_px_insn_t *bssy[kWgConvBarriers];
} wg_px_open_t;

/* Never seen from a compiler; a text may still branch into the middle of two regions at once. */
static _Noreturn void irregular(wg_px_ctx_t *x, const wg_px_fn_t *f, const wg_px_stmt_t *s) {
  wg_px_fail_stmt(x, kWgUnsupported, s, "compile without reconvergence", "divergent regions of '%s' overlap",
                  f->kernel->name);
}

/* Effect of a block on the open barriers. @return a BSSY for which there is no barrier left, or NULL */
static const wg_px_insn_t *walk(wg_px_ctx_t *x, const wg_px_fn_t *f, const wg_px_block_t *b, wg_px_open_t *s) {
  for (uint32_t i = 0; i < b->n; i++) {
    wg_px_insn_t *in = b->insn[i];
    if (in->op == kWgOp_BSSY) {
      if (s->depth == kWgConvBarriers) return in;
      in->breg = (uint8_t)s->depth;
      s->bssy[s->depth++] = in;
    } else if (in->op == kWgOp_BSYNC) {
      if (s->depth == 0 || s->bssy[s->depth - 1] != in->partner) irregular(x, f, in->src);
      in->breg = (uint8_t)--s->depth;
    }
  }
  return NULL;
}

/* Without its barrier the lanes of a region meet where those of the region around it do. */
static void drop_pair(wg_px_fn_t *f, const wg_px_insn_t *bssy) {
  f->all_loose = true;
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n; i++) {
      if (b->insn[i] != bssy && b->insn[i] != bssy->partner) b->insn[n++] = b->insn[i];
    }
    b->n = n;
  }
}

/* Join two states in front of a block. Code that only exits may be reached with different barriers open: what differs
 * becomes NULL, which no BSYNC may close. */
static bool meet(wg_px_open_t *at, const wg_px_open_t *s) {
  bool changed = false;
  uint32_t depth = at->depth > s->depth ? at->depth : s->depth;
  for (uint32_t i = 0; i < depth; i++) {
    const wg_px_insn_t *a = i < at->depth ? at->bssy[i] : NULL, *b = i < s->depth ? s->bssy[i] : NULL;
    const wg_px_insn_t *v = a == b ? a : NULL;
    changed = changed || i >= at->depth || v != at->bssy[i];
    at->bssy[i] = v;
  }
  at->depth = depth;
  return changed;
}

static bool number(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_cfg_t *g = wg_px_cfg(x, f);
  wg_px_open_t *at = wg_px_alloc(x, g->n * sizeof *at);
  bool *seen = wg_px_alloc(x, g->n);
  seen[g->rpo[0]->id] = true;
  for (bool changed = true; changed;) {
    changed = false;
    wg_px_charge(g, g->num_rpo);
    for (uint32_t i = 0; i < g->num_rpo; i++) { /* a predecessor that was seen comes first in reverse post-order */
      wg_px_block_t *b = g->rpo[i];
      wg_px_open_t s = at[b->id];
      const wg_px_insn_t *excess = walk(x, f, b, &s);
      if (excess != NULL) {
        drop_pair(f, excess);
        return false;
      }
      for (unsigned k = 0; k < wg_px_num_succ(b); k++) {
        uint32_t t = b->succ[k]->id;
        if (!seen[t]) {
          seen[t] = changed = true;
          at[t] = s;
        } else if (meet(&at[t], &s)) {
          changed = true;
        }
      }
    }
  }
  return true;
}

/* One side of the branch goes straight to the join, the other waits for another thread and then exits: a barrier there
 * would hold the first side's lanes until the second's are gone, and these may wait for them. */
static bool waits_and_leaves(const wg_px_cfg_t *g, const wg_px_region_t *r) {
  const wg_px_block_t *b = r->branch;
  if (r->from != b || r->size != 1u || (b->succ[0] == r->join) == (b->succ[1] == r->join)) return false;
  wg_px_reach(g, b->succ[b->succ[0] == r->join ? 1 : 0], r->join, true, r->scratch);
  for (uint32_t i = 0; i < g->n; i++) {
    if (r->scratch[i] && g->block[i]->spins) return true;
  }
  return false;
}

static int by_size(const void *a, const void *b) {
  const wg_px_region_t *p = a, *q = b;
  if (p->size != q->size) return p->size < q->size ? -1 : 1;
  return p->branch->id < q->branch->id ? -1 : p->branch->id > q->branch->id;
}

/* Mark the region's blocks and its join as taken, unless one is already. */
static bool claim(wg_px_ctx_t *x, const wg_px_cfg_t *g, wg_px_region_t *r, bool *used) {
  if (used[r->join->id]) return false;
  for (uint32_t i = 0; i < g->n; i++) {
    if (r->in[i] && used[i]) return false;
  }
  uint32_t n = 0;
  r->id = wg_px_alloc(x, (r->size + 1) * sizeof *r->id);
  for (uint32_t i = 0; i < g->n; i++) {
    if (r->in[i]) r->id[n++] = i;
    used[i] = used[i] || r->in[i];
  }
  used[r->join->id] = true;
  return true;
}

/* Is branch `r` in the region of one of list[0..n) that has the same join? Its lanes meet with those then. The list is in
 * reverse post-order, so that outer regions come first. @param last,prev chains of the regions of each join, by index + 1 */
static bool covered(const wg_px_cfg_t *g, const wg_px_region_t *list, const wg_px_region_t *r, const uint32_t *last,
                    const uint32_t *prev) {
  uint32_t steps = 1;
  bool found = false;
  for (uint32_t i = last[r->join->id]; i != 0 && !found; i = prev[i - 1], steps++) {
    found = wg_px_dominates(g, list[i - 1].from, r->from) && !wg_px_dominates(g, r->join, r->from);
  }
  wg_px_charge(g, steps);
  return found;
}

/* Insert the pairs of regions that do not touch each other, small ones first; a round each for those around them.
 * @return true if something was inserted */
static bool insert_round(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_cfg_t *g = wg_px_cfg(x, f);
  wg_px_post_dominators(g);
  bool *in = wg_px_alloc(x, g->n), *scratch = wg_px_alloc(x, g->n), *used = wg_px_alloc(x, g->n);
  wg_px_region_t *list = wg_px_alloc(x, (g->n + 1) * sizeof *list);
  uint32_t *last = wg_px_alloc(x, g->n * sizeof *last), *prev = wg_px_alloc(x, (g->n + 1) * sizeof *prev);
  uint32_t n = 0, accepted = 0;
  for (uint32_t i = 0; i < g->num_rpo; i++) {
    wg_px_block_t *b = g->rpo[i];
    if (b->term != kWgPxTCond || !b->divergent || b->handled) continue;
    list[n] = (wg_px_region_t){.in = in, .scratch = scratch};
    if (!find_region(g, b, &list[n]) || waits_and_leaves(g, &list[n])) {
      b->handled = b->loose = true;
    } else if (!covered(g, list, &list[n], last, prev)) {
      prev[n] = last[list[n].join->id];
      last[list[n].join->id] = n + 1;
      n++;
    }
  }
  qsort(list, n, sizeof *list, by_size);
  for (uint32_t i = 0; i < n; i++) { /* the graph is unchanged so far: the same region again */
    if (find_region(g, list[i].branch, &list[i]) && claim(x, g, &list[i], used)) list[accepted++] = list[i];
  }
  for (uint32_t i = 0; i < accepted; i++) {
    memset(in, 0, g->n);
    for (uint32_t k = 0; k < list[i].size; k++) in[list[i].id[k]] = true;
    list[i].branch->handled = true;
    insert_region(x, f, g, &list[i]);
  }
  return accepted != 0;
}

void wg_px_reconverge(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_cfg_t *g = wg_px_cfg(x, f);
  wg_px_post_dominators(g);
  for (uint32_t i = 0; i < g->num_rpo; i++) {
    if (g->rpo[i]->divergent) orient(g, g->rpo[i]);
  }
  wg_px_mark_spins(x, g); /* also for the marks of waiting loads */
  if (!x->opt.reconverge) return;
  while (insert_round(x, f)) {
  }
  while (!number(x, f)) {
  }
}
