// SPDX-License-Identifier: Apache-2.0
//
// Tuples: aligned groups of registers that lowering gathers for one operand, A and B of a matrix instruction above all. Several
// instructions with the same values get one tuple, copied once, in front of a loop if the values come from there. The
// allocator then gives the values the tuple's registers, or, where it cannot, pays the copies once: issue slots belong
// to the matrix unit.
//
// A value here is a unit that is written once, so that all tuples of the same units are equal wherever they are read.
#include <string.h>

#include "toolchain/ptx/px.h"

enum { kMaxTuple = 4, kBuckets = 1024, kMaxStands = 8 };

/** A group all of whose units are copies, made in one block without a guard. */
typedef struct wg_px_tuple {
  struct wg_px_tuple *chain; /* of its bucket */
  struct wg_px_tuple *same;  /* the next with these values, in the order of the text */
  struct wg_px_tuple *tail;  /* of the first: the last */
  int32_t base, of[kMaxTuple]; /* first unit; what is copied, -1 behind `width` */
  uint8_t width;
  wg_px_block_t *block;
  uint32_t first, last; /* places of its copies in the block */
} wg_px_tuple_t;

typedef struct wg_px_tuples {
  wg_px_ctx_t *x;
  wg_px_fn_t *f;
  uint32_t *defs;          /* [units] writes; 2 for one under a guard */
  wg_px_block_t **def_in;  /* [units] block of the last write */
  wg_px_tuple_t *bucket[kBuckets];
  int32_t *instead;        /* [units] the unit to read, or -1 */
  wg_px_cfg_t *g;
} wg_px_tuples_t;

static void count_defs(wg_px_tuples_t *t) {
  for (wg_px_block_t *b = t->f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      wg_px_use_t u = wg_px_uses(b->insn[i]);
      for (int j = 0; u.dst >= 0 && j < u.ndst; j++) {
        t->defs[u.dst + j] += b->insn[i]->guard < 0 ? 1 : 2;
        t->def_in[u.dst + j] = b;
      }
    }
  }
}

/* Is it a copy into a gathered group, of a unit that keeps its value? */
static bool gathers(const wg_px_tuples_t *t, const wg_px_insn_t *in) {
  if (in->op != kWgOp_MOV || in->form != kWgFormReg || in->b < 0 || in->guard >= 0 || in->d < 0) return false;
  const wg_px_unit_t *d = &t->f->unit[in->d], *s = &t->f->unit[in->b];
  return d->width > 1 && !d->named && d->fixed == 0 && s->fixed == 0 && t->defs[in->d] == 1 && t->defs[in->b] == 1;
}

static uint32_t bucket_of(const wg_px_tuple_t *p) {
  uint32_t h = p->width;
  for (int i = 0; i < kMaxTuple; i++) h = h * 2654435761u + (uint32_t)p->of[i];
  return (h >> 8) % kBuckets;
}

static void file(wg_px_tuples_t *t, wg_px_tuple_t *p) {
  wg_px_tuple_t **at = &t->bucket[bucket_of(p)];
  for (wg_px_tuple_t *q = *at; q != NULL; q = q->chain) {
    if (q->width != p->width || memcmp(q->of, p->of, sizeof p->of) != 0) continue;
    q->tail->same = p;
    q->tail = p;
    return;
  }
  p->tail = p;
  p->chain = *at;
  *at = p;
}

/* Complete tuples of a block: their copies follow in the order of the units. */
static void find(wg_px_tuples_t *t, wg_px_block_t *b) {
  wg_px_tuple_t *p = NULL;
  uint8_t have = 0;
  for (uint32_t i = 0; i < b->n; i++) {
    const wg_px_insn_t *in = b->insn[i];
    if (!gathers(t, in)) continue;
    const wg_px_unit_t *d = &t->f->unit[in->d];
    if (in->d == d->base) {
      p = wg_px_alloc(t->x, sizeof *p);
      *p = (wg_px_tuple_t){.base = d->base, .width = d->width, .block = b, .first = i, .of = {-1, -1, -1, -1}};
      have = 0;
    }
    if (p == NULL || p->base != d->base || in->d != p->base + have) {
      p = NULL;
      continue;
    }
    p->of[have++] = in->b;
    p->last = i;
    if (have == p->width) file(t, p);
  }
}

/* ---- where one copy serves all ---- */

static wg_px_block_t *common(const wg_px_cfg_t *g, wg_px_block_t *a, wg_px_block_t *b) {
  while (a != b && a != NULL && b != NULL) {
    if (g->rpo_index[a->id] > g->rpo_index[b->id]) a = g->idom[a->id];
    else b = g->idom[b->id];
  }
  return a == b ? a : NULL;
}

static bool values_reach(const wg_px_tuples_t *t, const wg_px_tuple_t *p, const wg_px_block_t *b) {
  for (int i = 0; i < p->width; i++) {
    if (!wg_px_dominates(t->g, t->def_in[p->of[i]], b)) return false;
  }
  return true;
}

/* The block in front of a loop for the copies of a class: the values there, in fewer loops than the members, as late as
   that allows; NULL if there is none. */
static wg_px_block_t *hoisted(const wg_px_tuples_t *t, const wg_px_tuple_t *first) {
  wg_px_block_t *b = first->block, *best = NULL;
  for (const wg_px_tuple_t *p = first->same; p != NULL && b != NULL; p = p->same) b = common(t->g, b, p->block);
  if (b == NULL) return NULL;
  uint32_t depth = b->loop_depth;
  for (; b != NULL && values_reach(t, first, b); b = t->g->idom[b->id]) {
    if (b->loop_depth < depth) {
      best = b;
      depth = b->loop_depth;
    }
  }
  return best;
}

/* `p` is read as the tuple that begins at `base`. */
static void replace(wg_px_tuples_t *t, const wg_px_tuple_t *p, int32_t base) {
  for (int i = 0; i < p->width; i++) t->instead[p->base + i] = base + i;
}

/* Copies of a class at the end of a block in front of all members. */
static void copy_at_end(wg_px_tuples_t *t, const wg_px_tuple_t *first, wg_px_block_t *b) {
  int32_t base = wg_px_unit_new(t->x, t->f, first->width);
  const wg_px_stmt_t *src = first->block->insn[first->first]->src;
  for (int i = 0; i < first->width; i++) {
    wg_px_insn_t *in = wg_px_insn_new(t->x, kWgOp_MOV);
    in->d = base + i;
    in->b = first->of[i];
    in->src = src;
    wg_px_insert(t->x, b, b->n, in);
  }
  for (const wg_px_tuple_t *p = first; p != NULL; p = p->same) replace(t, p, base);
}

/* Is `p`, complete, on every way to `q`? */
static bool in_front(const wg_px_tuples_t *t, const wg_px_tuple_t *p, const wg_px_tuple_t *q) {
  return p->block == q->block ? p->last < q->first : wg_px_dominates(t->g, p->block, q->block);
}

/* Members that others follow stand for those. */
static void copy_at_first(wg_px_tuples_t *t, const wg_px_tuple_t *first) {
  const wg_px_tuple_t *stands[kMaxStands];
  uint32_t n = 0;
  for (const wg_px_tuple_t *p = first; p != NULL; p = p->same) {
    uint32_t k = 0;
    while (k < n && !in_front(t, stands[k], p)) k++;
    if (k < n) replace(t, p, stands[k]->base);
    else if (n < kMaxStands) stands[n++] = p;
  }
}

static void read_instead(wg_px_tuples_t *t) {
  for (wg_px_block_t *b = t->f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      int32_t *slot[3] = {&b->insn[i]->a, &b->insn[i]->b, &b->insn[i]->c};
      for (int k = 0; k < 3; k++) {
        if (*slot[k] >= 0 && t->instead[*slot[k]] >= 0) *slot[k] = t->instead[*slot[k]];
      }
    }
  }
}

void wg_px_share_tuples(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_tuples_t t = {.x = x, .f = f};
  uint32_t n = f->num_units + 1;
  t.defs = wg_px_alloc(x, n * sizeof *t.defs);
  t.def_in = wg_px_alloc(x, n * sizeof *t.def_in);
  count_defs(&t);
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) find(&t, b);
  for (uint32_t k = 0; k < kBuckets; k++) {
    for (wg_px_tuple_t *p = t.bucket[k]; p != NULL; p = p->chain) {
      if (p->same == NULL) continue;
      if (t.g == NULL) {
        t.g = wg_px_cfg(x, f);
        wg_px_loop_depths(t.g);
        t.instead = wg_px_alloc(x, (n + 1) * sizeof *t.instead);
        memset(t.instead, 0xff, (n + 1) * sizeof *t.instead);
      }
      wg_px_block_t *b = hoisted(&t, p);
      if (b != NULL) copy_at_end(&t, p, b);
      else copy_at_first(&t, p);
    }
  }
  if (t.g == NULL) return;
  read_instead(&t);
  wg_px_sweep(x, f);
}
