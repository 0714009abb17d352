// SPDX-License-Identifier: Apache-2.0
//
// Lanes of a loop meet in each turn, as ptxas lets them (recorded: dv_break of testbench/silicon/counters). Of
//
//   for (;;) { if (a) continue; x; if (b) break; y; }
//
// the branch of `a` has the loop's exit as its post-dominator, so that lanes once apart would stay apart until all have left
// the loop. Silicon closes a barrier in front of the back edge and lets the breaking lanes out of its mask (BREAK). A
// stack cannot: its entry of the barrier lies below those of lanes that still run. So the breaking lanes come to the
// meeting place too, which is right in both modes: they set a predicate, and the branch behind the place takes them out.
//
// For a divergent branch with both sides in a loop L and its post-dominator outside, let K be the first block that
// all its ways come to if those that leave L do not count, or else L's head in the next turn, and S what lies between.
// Edges from S to K go to a new block in front of K; so do edges that leave L, by way of a block that sets their
// predicate. After this the ordinary post-dominator of the branch is the new block, and px_reconv.c does the rest.
#include <string.h>

#include "toolchain/ptx/px.h"

enum { kMaxRounds = 16, kMaxExitsOf = 4 };

typedef struct wg_px_meeting {
  wg_px_block_t *branch, *from, *place, *head; /* place NULL: the head in the next turn */
  uint32_t *id, size, leaving; /* [size] blocks of S; edges of S out of the loop */
} wg_px_meeting_t;

typedef struct wg_px_meet {
  wg_px_ctx_t *x;
  wg_px_fn_t *f;
  wg_px_cfg_t *g;
  bool *in_loop, *in, *used;
  uint32_t *loop_id, loop_size; /* blocks of the loop in hand */
  wg_px_block_t **stack, **order, **post; /* post[id]: post-dominator in the loop, NULL: its end */
  uint32_t *index, *next;
  bool *seen;
  wg_px_meeting_t *list, *accepted;
  uint32_t num, num_accepted;
} wg_px_meet_t;

/* ---- one loop ---- */

/* Blocks of the natural loop of head `h`. @return false: `h` heads none */
static bool find_loop(wg_px_meet_t *m, wg_px_block_t *h) {
  const wg_px_cfg_t *g = m->g;
  uint32_t top = 0;
  for (uint32_t i = 0; i < m->loop_size; i++) m->in_loop[m->loop_id[i]] = false;
  m->loop_size = 0;
  m->in_loop[h->id] = true;
  m->loop_id[m->loop_size++] = h->id;
  bool any = false;
  for (uint32_t k = 0; k < g->num_pred[h->id]; k++) {
    wg_px_block_t *p = g->pred[h->id][k];
    if (!wg_px_dominates(g, h, p)) continue;
    any = true;
    if (!m->in_loop[p->id]) m->stack[top++] = p;
    m->in_loop[p->id] = true;
  }
  while (top > 0) {
    wg_px_block_t *b = m->stack[--top];
    m->loop_id[m->loop_size++] = b->id;
    for (uint32_t k = 0; k < g->num_pred[b->id]; k++) {
      wg_px_block_t *p = g->pred[b->id][k];
      if (m->in_loop[p->id]) continue;
      m->in_loop[p->id] = true;
      m->stack[top++] = p;
    }
  }
  wg_px_charge(g, m->loop_size);
  return any;
}

static bool to_head(const wg_px_block_t *b, const wg_px_block_t *h) {
  for (unsigned k = 0; k < wg_px_num_succ(b); k++) {
    if (b->succ[k] == h) return true;
  }
  return false;
}

/* Blocks of the loop against their edges from its end on, into order[0..], last finished first. @return their number */
static uint32_t backward_order(wg_px_meet_t *m, const wg_px_block_t *h) {
  const wg_px_cfg_t *g = m->g;
  uint32_t at = m->loop_size;
  for (uint32_t i = 0; i < m->loop_size; i++) m->seen[m->loop_id[i]] = false;
  for (uint32_t i = 0; i < m->loop_size; i++) {
    wg_px_block_t *latch = g->block[m->loop_id[i]];
    if (m->seen[latch->id] || !to_head(latch, h)) continue;
    uint32_t top = 0;
    m->stack[top++] = latch;
    m->seen[latch->id] = true;
    m->next[latch->id] = 0;
    while (top > 0) {
      wg_px_block_t *b = m->stack[top - 1];
      if (b != h && m->next[b->id] < g->num_pred[b->id]) {
        wg_px_block_t *p = g->pred[b->id][m->next[b->id]++];
        if (m->seen[p->id] || !m->in_loop[p->id]) continue;
        m->seen[p->id] = true;
        m->next[p->id] = 0;
        m->stack[top++] = p;
      } else {
        m->order[--at] = b;
        top--;
      }
    }
  }
  memmove(m->order, m->order + at, (m->loop_size - at) * sizeof(wg_px_block_t *));
  return m->loop_size - at;
}

/* As dominators in px_cfg.c; NULL is the loop's end, before all in the order. */
static wg_px_block_t *meet_of(const wg_px_meet_t *m, wg_px_block_t *a, wg_px_block_t *b) {
  uint32_t steps = 0;
  while (a != b && a != NULL && b != NULL) {
    if (m->index[a->id] > m->index[b->id]) a = m->post[a->id];
    else b = m->post[b->id];
    steps++;
  }
  wg_px_charge(m->g, steps);
  return a == b ? a : NULL;
}

/* post[] of the loop: edges that leave it are ignored, those to its head lead to its end. */
static void post_dominate(wg_px_meet_t *m, const wg_px_block_t *h) {
  uint32_t n = backward_order(m, h);
  for (uint32_t i = 0; i < n; i++) {
    m->index[m->order[i]->id] = i;
    m->seen[m->order[i]->id] = false; /* has a post[] yet */
  }
  for (bool changed = true; changed;) {
    changed = false;
    wg_px_charge(m->g, n);
    for (uint32_t i = 0; i < n; i++) {
      wg_px_block_t *b = m->order[i], *d = NULL;
      bool any = false;
      for (unsigned k = 0; k < wg_px_num_succ(b); k++) {
        wg_px_block_t *s = b->succ[k];
        if (!m->in_loop[s->id] || (s != h && !m->seen[s->id])) continue;
        wg_px_block_t *t = s == h ? NULL : s;
        d = any ? meet_of(m, d, t) : t;
        any = true;
      }
      if (!any || (m->seen[b->id] && d == m->post[b->id])) continue;
      m->seen[b->id] = changed = true;
      m->post[b->id] = d;
    }
  }
}

/* ---- what lies between a branch and its place ---- */

/* Does a lane that goes to `b` come to J, the join of the branch? The others end on ways of their own. */
static bool joins(const wg_px_cfg_t *g, const wg_px_block_t *b, const wg_px_block_t *join) {
  uint32_t steps = 0;
  for (; b != NULL && b != join; b = g->ipdom[b->id]) steps++;
  wg_px_charge(g, steps);
  return b == join;
}

static bool leaves(const wg_px_meet_t *m, const wg_px_meeting_t *r, const wg_px_block_t *to) {
  return !m->in_loop[to->id] && joins(m->g, to, m->g->ipdom[r->branch->id]);
}

/* S of r->from in m->in; r->id is room for it. */
static void between(wg_px_meet_t *m, wg_px_meeting_t *r) {
  uint32_t top = 0;
  r->size = r->leaving = 0;
  m->stack[top++] = r->from;
  m->in[r->from->id] = true;
  while (top > 0) {
    wg_px_block_t *b = m->stack[--top];
    r->id[r->size++] = b->id;
    for (unsigned k = 0; k < wg_px_num_succ(b); k++) {
      wg_px_block_t *s = b->succ[k];
      r->leaving += leaves(m, r, s);
      if (!m->in_loop[s->id] || s == r->place || s == r->head || m->in[s->id]) continue;
      m->in[s->id] = true;
      m->stack[top++] = s;
    }
  }
  wg_px_charge(m->g, r->size);
}

static void forget(wg_px_meet_t *m, const wg_px_meeting_t *r) {
  for (uint32_t i = 0; i < r->size; i++) m->in[r->id[i]] = false;
}

/* A block of S that is entered from outside, other than r->from; NULL: S has one entry. */
static wg_px_block_t *other_entry(const wg_px_meet_t *m, const wg_px_meeting_t *r) {
  const wg_px_cfg_t *g = m->g;
  for (uint32_t i = 0; i < r->size; i++) {
    wg_px_block_t *b = g->block[r->id[i]];
    for (uint32_t k = 0; b != r->from && k < g->num_pred[b->id]; k++) {
      if (!m->in[g->pred[b->id][k]->id]) return b;
    }
  }
  return NULL;
}

/* Region of r->branch, grown to a dominator while it has several entries, left in m->in. @return false: none */
static bool find_meeting(wg_px_meet_t *m, wg_px_meeting_t *r) {
  r->from = r->branch;
  for (;;) {
    r->place = m->post[r->from->id];
    between(m, r);
    const wg_px_block_t *e = other_entry(m, r);
    if (e == NULL) return true;
    forget(m, r);
    if (r->from == r->head) return false; /* not a loop of one entry */
    r->from = m->g->idom[r->from->id];
  }
}

static bool candidate(const wg_px_meet_t *m, const wg_px_block_t *b) {
  if (b->term != kWgPxTCond || !b->divergent || b->met || b->succ[0] == b->succ[1]) return false;
  if (!m->in_loop[b->succ[0]->id] || !m->in_loop[b->succ[1]->id]) return false;
  const wg_px_block_t *j = m->g->ipdom[b->id];
  return j == NULL || !m->in_loop[j->id];
}

static int smaller(const void *a, const void *b) {
  const wg_px_meeting_t *p = a, *q = b;
  if (p->size != q->size) return p->size < q->size ? -1 : 1;
  return p->branch->id < q->branch->id ? -1 : p->branch->id > q->branch->id;
}

/* A branch whose lanes meet where those of a branch around it do needs no place of its own. */
static bool covered(wg_px_meet_t *m, uint32_t at) {
  const wg_px_meeting_t *r = &m->list[at];
  for (uint32_t i = at + 1; i < m->num; i++) {
    const wg_px_meeting_t *o = &m->list[i];
    if (o->place == r->place && o->from != r->from && wg_px_dominates(m->g, o->from, r->from) &&
        (r->place == NULL || !wg_px_dominates(m->g, r->place, r->from)))
      return true;
  }
  wg_px_charge(m->g, m->num);
  return false;
}

/* The places of one loop that do not touch others of this round: into m->accepted. */
static void look_into(wg_px_meet_t *m, wg_px_block_t *h) {
  uint32_t *room = m->loop_id + m->g->n; /* behind the blocks of the loop */
  bool ready = false;
  m->num = 0;
  for (uint32_t i = 0; i < m->loop_size; i++) {
    wg_px_block_t *b = m->g->block[m->loop_id[i]];
    if (!candidate(m, b)) continue;
    if (!ready && wg_px_asks_the_same(m->g, m->in_loop)) return; /* who waits there leaves the barriers around it */
    if (!ready) post_dominate(m, h);
    ready = true;
    wg_px_meeting_t *r = &m->list[m->num];
    *r = (wg_px_meeting_t){.branch = b, .head = h, .id = room};
    if (!find_meeting(m, r)) continue;
    forget(m, r);
    if (r->leaving != 0) m->num++;
  }
  qsort(m->list, m->num, sizeof *m->list, smaller);
  for (uint32_t i = 0; i < m->num; i++) {
    wg_px_meeting_t *r = &m->list[i];
    bool touches = (r->place != NULL && m->used[r->place->id]) || covered(m, i) || !find_meeting(m, r);
    if (touches) continue;
    for (uint32_t k = 0; k < r->size; k++) touches = touches || m->used[r->id[k]];
    forget(m, r);
    if (touches) continue;
    wg_px_meeting_t *a = &m->accepted[m->num_accepted++];
    *a = *r;
    a->id = wg_px_alloc(m->x, (r->size + 1) * sizeof *a->id);
    memcpy(a->id, r->id, r->size * sizeof *a->id);
    for (uint32_t k = 0; k < r->size; k++) m->used[r->id[k]] = true;
    if (r->place != NULL) m->used[r->place->id] = true;
  }
}

/* ---- the new blocks ---- */

static void set_pred(wg_px_ctx_t *x, wg_px_block_t *b, uint32_t at, int32_t p, bool value) {
  wg_px_insn_t *in = wg_px_insn_new(x, kWgOp_PLOP3);
  in->pd0 = p;
  in->mods = value ? 0xf : 0;
  in->src = b->src;
  wg_px_insert(x, b, at, in);
}

/* Where lanes of r meet, with the branch that takes those out that leave for `out`; else on to `to`. */
static wg_px_block_t *place_block(wg_px_meet_t *m, const wg_px_meeting_t *r, wg_px_block_t *out, wg_px_block_t *to,
                                  int32_t *pred) {
  wg_px_block_t *b = wg_px_block_new(m->x, m->f);
  *pred = wg_px_pred_new(m->x, m->f, true);
  b->term = kWgPxTCond;
  b->pred = *pred;
  b->succ[0] = out;
  b->succ[1] = to;
  b->divergent = b->met = true;
  b->src = r->branch->src;
  set_pred(m->x, r->from, 0, *pred, false);
  return b;
}

/* Blocks that S leaves the loop for. @return their number, at most kMaxExitsOf + 1 */
static uint32_t list_targets(wg_px_meet_t *m, const wg_px_meeting_t *r, wg_px_block_t **out) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->size; i++) {
    const wg_px_block_t *b = m->g->block[r->id[i]];
    for (unsigned k = 0; k < wg_px_num_succ(b); k++) {
      uint32_t j = 0;
      if (!leaves(m, r, b->succ[k])) continue;
      while (j < n && out[j] != b->succ[k]) j++;
      if (j < n) continue;
      out[n++] = b->succ[k];
      if (n > kMaxExitsOf) return n;
    }
  }
  return n;
}

/* Put `n` in front of `to` in the layout if nothing falls into `to` from outside S, else behind the last block of S. */
static void lay_out(wg_px_meet_t *m, const wg_px_meeting_t *r, wg_px_block_t *n, const wg_px_block_t *to) {
  wg_px_block_t *last = r->branch, *before = NULL;
  for (wg_px_block_t *b = m->f->entry; b != NULL; b = b->next) {
    if (b->next == to) before = b;
    if (b->id < m->g->n && m->in[b->id] && !b->cold) last = b;
  }
  bool falls = before != NULL && before->id < m->g->n && m->in[before->id];
  wg_px_block_insert_after(m->f, falls ? before : last, n);
}

static void build(wg_px_meet_t *m, const wg_px_meeting_t *r) {
  wg_px_block_t *out[kMaxExitsOf + 1] = {NULL}, *leave, *to = r->place != NULL ? r->place : r->head, *first = to;
  int32_t pred[kMaxExitsOf];
  uint32_t n = list_targets(m, r, out);
  for (uint32_t i = 0; i < r->size; i++) m->in[r->id[i]] = true;
  r->branch->met = true;
  for (uint32_t i = n > kMaxExitsOf ? 0 : n; i-- > 0;) {
    wg_px_block_t *b = place_block(m, r, out[i], first, &pred[i]);
    lay_out(m, r, b, first);
    first = b;
  }
  for (uint32_t i = 0; first != to && i < r->size; i++) {
    wg_px_block_t *b = m->g->block[r->id[i]];
    for (unsigned k = 0; k < wg_px_num_succ(b); k++) {
      wg_px_block_t *s = b->succ[k];
      if (s == to) b->succ[k] = first;
      if (s == to || !leaves(m, r, s)) continue;
      uint32_t j = 0;
      while (out[j] != s) j++;
      leave = wg_px_block_new(m->x, m->f);
      leave->term = kWgPxTJump;
      leave->succ[0] = first;
      leave->src = b->src;
      set_pred(m->x, leave, 0, pred[j], true);
      wg_px_block_append(m->f, leave);
      b->succ[k] = leave;
    }
  }
  forget(m, r);
}

/* ---- rounds ---- */

static bool meet_round(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_cfg_t *g = wg_px_cfg(x, f);
  wg_px_post_dominators(g);
  uint32_t n = g->n + 1;
  wg_px_meet_t m = {.x = x, .f = f, .g = g, .stack = wg_px_alloc(x, n * sizeof *m.stack)};
  m.in_loop = wg_px_alloc(x, n);
  m.in = wg_px_alloc(x, n);
  m.used = wg_px_alloc(x, n);
  m.seen = wg_px_alloc(x, n);
  m.loop_id = wg_px_alloc(x, 2 * n * sizeof *m.loop_id);
  m.order = wg_px_alloc(x, n * sizeof *m.order);
  m.post = wg_px_alloc(x, n * sizeof *m.post);
  m.index = wg_px_alloc(x, n * sizeof *m.index);
  m.next = wg_px_alloc(x, n * sizeof *m.next);
  m.list = wg_px_alloc(x, n * sizeof *m.list);
  m.accepted = wg_px_alloc(x, n * sizeof *m.accepted);
  for (uint32_t i = g->num_rpo; i-- > 0;) { /* inner loops first: their heads come later */
    if (find_loop(&m, g->rpo[i])) look_into(&m, g->rpo[i]);
  }
  for (uint32_t i = 0; i < m.num_accepted; i++) {
    (void)find_loop(&m, m.accepted[i].head);
    build(&m, &m.accepted[i]);
  }
  return m.num_accepted != 0;
}

void wg_px_meet(wg_px_ctx_t *x, wg_px_fn_t *f) {
  if (!x->opt.reconverge) return;
  for (int i = 0; i < kMaxRounds && meet_round(x, f); i++) {
  }
}
