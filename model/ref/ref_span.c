// SPDX-License-Identifier: Apache-2.0
#include "model/ref/wg_ref_span.h"

#include <string.h>

#include "isa/wg_isa_table.h"
#include "model/ref/wg_ref_atom.h"

enum { kPageWords = 1024 };

/* Depths of the words of 4 KiB of device memory. */
typedef struct span_page {
  struct span_page *next; /* of its slot */
  uint64_t number;        /* address / 4096 */
  uint32_t launch;        /* of which the depths are */
  uint32_t depth[kPageWords];
} span_page_t;

typedef struct span_warp {
  uint32_t alive;      /* lanes that have not exited */
  uint32_t waiting;    /* at a WARPSYNC or barrier */
  bool arrived;        /* at a block barrier that waits */
  uint8_t bar[32];     /* number + 1 of the barrier where a lane waits */
  uint32_t sync[32];   /* mask of the WARPSYNC where it waits, 0 none */
  uint32_t floor[32];  /* what everything of a lane waits for */
  uint32_t top[32];    /* the deepest of a lane so far */
  uint32_t pred[8][32];
  uint32_t (*reg)[32]; /* [regs] of the block */
} span_warp_t;

typedef struct span_bar {
  uint32_t deepest; /* of this phase's arrivals */
  uint32_t threads; /* of those with a count */
} span_bar_t;

struct wg_span_block {
  wg_span_t *span;
  bool its;
  uint32_t num_warps, regs;
  size_t cells;
  uint32_t *cell; /* [cells] words of shared memory */
  span_bar_t bar[kWgBarriers];
  uint32_t (*reg)[32];
  span_warp_t warp[];
};

struct wg_span {
  uint32_t launch, deepest;
  span_page_t **slot; /* [cap] chains */
  size_t cap, num;
  span_page_t *last;
};

static void *alloc(size_t n, size_t size) {
  void *p = calloc(n != 0u ? n : 1u, size);
  WG_BUG(p == NULL);
  return p;
}

static uint32_t deeper(uint32_t a, uint32_t b) { return a > b ? a : b; }
/* One more, as far as it can be told. */
static uint32_t next_of(uint32_t d) { return d + (d != UINT32_MAX ? 1u : 0u); }

/* ---- life ---- */

wg_span_t *wg_span_new(void) {
  wg_span_t *s = alloc(1, sizeof *s);
  s->cap = 256u;
  s->slot = alloc(s->cap, sizeof *s->slot);
  return s;
}

static void drop_pages(wg_span_t *s) {
  for (size_t i = 0; i < s->cap; i++) {
    for (span_page_t *p = s->slot[i]; p != NULL;) {
      span_page_t *next = p->next;
      free(p);
      p = next;
    }
    s->slot[i] = NULL;
  }
  s->num = 0u;
  s->last = NULL;
}

void wg_span_free(wg_span_t *s) {
  if (s == NULL) return;
  drop_pages(s);
  free(s->slot);
  free(s);
}

void wg_span_launch(wg_span_t *s) {
  if (++s->launch == 0u) drop_pages(s); /* stamps begin again */
  s->deepest = 0u;
}

uint32_t wg_span_insts(const wg_span_t *s) { return s->deepest; }

wg_span_block_t *wg_span_block_new(wg_span_t *s, const wg_cta_launch_t *cta, bool its) {
  uint32_t warps = 0u;
  while (warps < (uint32_t)kWgRefBlockWarps && wg_ref_present(cta, warps) != 0u) warps++;
  wg_span_block_t *b = alloc(1, sizeof *b + warps * sizeof b->warp[0]);
  b->span = s;
  b->its = its;
  b->num_warps = warps;
  b->regs = (cta->regs_per_thread + (uint32_t)kWgRegUnit - 1u) / (uint32_t)kWgRegUnit * (uint32_t)kWgRegUnit;
  b->cells = (cta->shared_bytes + 3u) / 4u;
  b->cell = alloc(b->cells, sizeof *b->cell);
  b->reg = alloc((size_t)warps * b->regs, sizeof *b->reg);
  for (uint32_t w = 0; w < warps; w++) {
    b->warp[w].alive = wg_ref_present(cta, w);
    b->warp[w].reg = b->reg + (size_t)w * b->regs;
  }
  return b;
}

void wg_span_block_free(wg_span_block_t *b) {
  if (b == NULL) return;
  free(b->cell);
  free(b->reg);
  free(b);
}

/* ---- memory ---- */

static size_t slot_of(const wg_span_t *s, uint64_t number) {
  return (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (s->cap - 1u);
}

static void grow(wg_span_t *s) {
  span_page_t **old = s->slot;
  size_t n = s->cap;
  s->cap *= 2u;
  s->slot = alloc(s->cap, sizeof *s->slot);
  for (size_t i = 0; i < n; i++) {
    for (span_page_t *p = old[i]; p != NULL;) {
      span_page_t *next = p->next;
      size_t at = slot_of(s, p->number);
      p->next = s->slot[at];
      s->slot[at] = p;
      p = next;
    }
  }
  free(old);
}

/* The page of an address; with `make` it is made, or emptied for this launch. NULL: nothing was written there. */
static span_page_t *page_of(wg_span_t *s, uint64_t addr, bool make) {
  uint64_t number = addr / 4u / (uint64_t)kPageWords;
  span_page_t *p = s->last;
  if (p == NULL || p->number != number) {
    p = s->slot[slot_of(s, number)];
    while (p != NULL && p->number != number) p = p->next;
  }
  if (p == NULL && make) {
    if (s->num++ >= s->cap) grow(s);
    p = alloc(1, sizeof *p);
    p->number = number;
    p->launch = s->launch;
    p->next = s->slot[slot_of(s, number)];
    s->slot[slot_of(s, number)] = p;
  }
  if (p == NULL) return NULL;
  s->last = p;
  if (p->launch == s->launch) return p;
  if (!make) return NULL;
  memset(p->depth, 0, sizeof p->depth);
  p->launch = s->launch;
  return p;
}

/* The depths from the word at `addr` on, and how many words lie behind it there; NULL: 0 all of them. */
static uint32_t *words_at(wg_span_block_t *b, bool shared, uint64_t addr, bool make, size_t *left) {
  if (shared) {
    size_t at = (size_t)(addr / 4u);
    *left = at < b->cells ? b->cells - at : 0u;
    return *left != 0u ? b->cell + at : NULL;
  }
  span_page_t *p = page_of(b->span, addr, make);
  size_t at = (size_t)(addr / 4u % (uint64_t)kPageWords);
  *left = (size_t)kPageWords - at; /* accesses are aligned: none crosses a page */
  return p != NULL ? p->depth + at : NULL;
}

/* The deepest of the words of an access. */
static uint32_t read_words(wg_span_block_t *b, bool shared, uint64_t addr, unsigned bytes) {
  size_t left;
  const uint32_t *w = words_at(b, shared, addr, false, &left);
  if (w == NULL) return 0u;
  uint32_t d = w[0];
  for (size_t k = 1; k < bytes / 4u && k < left; k++) d = deeper(d, w[k]);
  return d;
}

static void write_words(wg_span_block_t *b, bool shared, uint64_t addr, unsigned bytes, uint32_t d) {
  size_t left;
  uint32_t *w = words_at(b, shared, addr, true, &left);
  if (w == NULL) return;
  if (bytes < 4u) w[0] = deeper(w[0], d);
  for (size_t k = 0; k < bytes / 4u && k < left; k++) w[k] = d;
}

/* Atomics with a result of which that result tells whether they changed anything. */
static bool may_only_read(const wg_insn_t *in) {
  unsigned op = WG_MOD_GET(in, AOP);
  return wg_insn_is_atomic(in->op) && in->rd != kWgRZ && in->op != kWgOp_RED && op != (unsigned)kWgAtomAdd &&
         op != (unsigned)kWgAtomInc && op != (unsigned)kWgAtomDec && op != (unsigned)kWgAtomXor;
}

/* A memory access at its issue. @param[in,out] d [32] depths of the lanes, so far without memory */
static void access_memory(wg_span_block_t *b, const wg_ref_step_t *st, uint32_t d[32]) {
  const wg_insn_t *in = &st->insn->in;
  bool atomic = wg_insn_is_atomic(in->op), store = !atomic && wg_insn_is_store(in->op);
  bool writes = store || (atomic && !may_only_read(in));
  for (uint32_t m = st->lanes; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    bool shared = (st->shared >> l & 1u) != 0u;
    if (!store) d[l] = deeper(d[l], next_of(read_words(b, shared, st->addr[l], st->bytes)));
    if (writes) write_words(b, shared, st->addr[l], st->bytes, d[l]);
  }
}

/* Does the atomic of lane `l` leave another value than it found? */
static bool changes(const wg_insn_t *in, unsigned l, bool shared, const uint32_t (*word)[32],
                    const uint32_t (*data)[32]) {
  unsigned bytes = wg_insn_bytes(in);
  uint32_t old[2] = {word[0][l], bytes == 8u ? word[1][l] : 0u};
  uint8_t raw[8];
  memcpy(raw, old, sizeof raw); /* little endian hosts only, as everything here */
  wg_ref_atom_lane(in, data, l, shared, raw);
  return memcmp(raw, old, bytes) != 0;
}

void wg_span_loaded(wg_span_block_t *b, uint32_t warp, const wg_insn_t *in, uint32_t lanes, uint32_t shared,
                    const uint64_t *addr, const uint32_t (*word)[32], const uint32_t (*data)[32]) {
  span_warp_t *sw = &b->warp[warp];
  wg_space_t space = wg_insn_space(in->op);
  bool atomic = wg_insn_is_atomic(in->op), maybe = may_only_read(in);
  if (in->rd == kWgRZ || space == kWgSpaceNone || space == kWgSpaceConst || in->op == kWgOp_LDSM) return;
  if (atomic && !maybe) return; /* took its place at issue */
  unsigned bytes = wg_insn_bytes(in), rows = wg_ref_result_words(in);
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    bool in_shared = (shared >> l & 1u) != 0u;
    uint32_t d = deeper(sw->reg[in->rd][l], next_of(read_words(b, in_shared, addr[l], bytes)));
    if (maybe && changes(in, l, in_shared, word, data)) write_words(b, in_shared, addr[l], bytes, d);
    for (unsigned k = 0; k < rows; k++) sw->reg[in->rd + k][l] = d;
    sw->top[l] = deeper(sw->top[l], d);
    b->span->deepest = deeper(b->span->deepest, d);
  }
}

/* ---- barriers ---- */

static uint32_t deepest_of(const uint32_t d[32], uint32_t lanes) {
  uint32_t max = 0u;
  for (; lanes != 0u; lanes &= lanes - 1u) max = deeper(max, d[__builtin_ctz(lanes)]);
  return max;
}

static void wait_for(span_warp_t *sw, uint32_t lanes, uint32_t depth) {
  for (; lanes != 0u; lanes &= lanes - 1u) {
    uint32_t *f = &sw->floor[__builtin_ctz(lanes)];
    *f = deeper(*f, depth);
  }
}

/* Barrier `id` is complete. `all`: no warp is left out, exited ones count as arrived. */
static void complete(wg_span_block_t *b, unsigned id, bool all) {
  uint32_t depth = b->bar[id].deepest;
  for (uint32_t w = 0; all && w < b->num_warps; w++) {
    if (b->warp[w].alive == 0u) depth = deeper(depth, deepest_of(b->warp[w].top, UINT32_MAX));
  }
  for (uint32_t w = 0; w < b->num_warps; w++) {
    span_warp_t *sw = &b->warp[w];
    uint32_t lane = sw->waiting != 0u ? (uint32_t)__builtin_ctz(sw->waiting) : 0u;
    if (!sw->arrived || sw->bar[lane] != id + 1u) continue;
    wait_for(sw, UINT32_MAX, depth);
    sw->waiting = 0u;
    sw->arrived = false;
    memset(sw->bar, 0, sizeof sw->bar);
  }
  b->bar[id] = (span_bar_t){0u, 0u};
}

/* Lanes of a warp come to a barrier. The warp has arrived when all have, which st->kind says. */
static void arrive(wg_span_block_t *b, span_warp_t *sw, const wg_ref_step_t *st) {
  const wg_bar_arrival_t *a = &st->diverge.bar;
  span_bar_t *bar = &b->bar[a->id % (unsigned)kWgBarriers];
  if (!a->arrive_only) {
    uint32_t lanes = b->its ? st->exec : sw->alive;
    sw->waiting |= lanes;
    for (; lanes != 0u; lanes &= lanes - 1u) sw->bar[__builtin_ctz(lanes)] = (uint8_t)(a->id + 1u);
  }
  if (st->kind != kWgRefBarrier) return;
  bar->deepest = deeper(bar->deepest, deepest_of(sw->top, UINT32_MAX));
  sw->arrived = sw->arrived || !a->arrive_only;
  if (!a->has_count) return; /* complete when one of them goes on: warps that exit count too */
  bar->threads += 32u;
  if (bar->threads >= a->count) complete(b, a->id, false);
}

/* Lanes that waited at a WARPSYNC or barrier go on: it is complete. */
static void leave(wg_span_block_t *b, span_warp_t *sw, uint32_t lanes) {
  while ((sw->waiting & lanes) != 0u) {
    unsigned l = (unsigned)__builtin_ctz(sw->waiting & lanes);
    if (sw->bar[l] != 0u) {
      sw->arrived = true;
      complete(b, sw->bar[l] - 1u, true);
      continue;
    }
    uint32_t mask = sw->sync[l], met = 0u;
    for (uint32_t m = sw->waiting; m != 0u; m &= m - 1u) {
      unsigned k = (unsigned)__builtin_ctz(m);
      if (sw->bar[k] == 0u && sw->sync[k] == mask) met |= 1u << k;
    }
    for (uint32_t m = met; m != 0u; m &= m - 1u) sw->sync[__builtin_ctz(m)] = 0u;
    sw->waiting &= ~met;
    wait_for(sw, met, deepest_of(sw->top, met));
  }
}

/* ---- an instruction ---- */

static void join(uint32_t d[32], const uint32_t row[32]) {
  for (unsigned l = 0; l < 32u; l++) d[l] = deeper(d[l], row[l]);
}

static bool crosses_lanes(const wg_insn_t *in) {
  unsigned pipe = wg_insn_info(in->op)->pipe;
  return in->op == kWgOp_SHFL || in->op == kWgOp_LDSM || pipe == kWgPipeXLANE || pipe == kWgPipeMMA;
}

/* What every lane's instruction waits for, but for memory; one more. */
static void depths_of(const span_warp_t *sw, const wg_ref_step_t *st, uint32_t d[32]) {
  const wg_insn_t *in = &st->insn->in;
  const wg_regset_t *r = &st->insn->regs;
  memcpy(d, sw->floor, sizeof sw->floor);
  for (unsigned i = 0; i < 4u; i++) {
    for (unsigned k = 0; k < r->count[i]; k++) join(d, sw->reg[r->first[i] + k]);
  }
  if (in->guard != kWgPT) join(d, sw->pred[in->guard]);
  if (in->ps0 != kWgPT) join(d, sw->pred[in->ps0]);
  if (in->ps1 != kWgPT) join(d, sw->pred[in->ps1]);
  if (in->op == kWgOp_BAR || in->op == kWgOp_BARRED || in->op == kWgOp_WARPSYNC) join(d, sw->top);
  for (unsigned l = 0; l < 32u; l++) d[l] = next_of(d[l]);
}

static void put(uint32_t row[32], const uint32_t d[32], uint32_t lanes) {
  if (lanes == UINT32_MAX) {
    memcpy(row, d, 32u * sizeof *row);
    return;
  }
  for (; lanes != 0u; lanes &= lanes - 1u) row[__builtin_ctz(lanes)] = d[__builtin_ctz(lanes)];
}

/* The results have these depths. @param exec lanes that executed */
static void commit(wg_span_block_t *b, span_warp_t *sw, const wg_ref_step_t *st, const uint32_t d[32]) {
  const wg_insn_t *in = &st->insn->in;
  const wg_regset_t *r = &st->insn->regs;
  uint32_t max = 0u;
  for (unsigned k = 0; k < r->count[4]; k++) put(sw->reg[r->first[4] + k], d, st->exec);
  if (st->out.wr_p0 && in->pd0 != kWgPT) put(sw->pred[in->pd0], d, st->exec);
  if (st->out.wr_p1 && in->pd1 != kWgPT) put(sw->pred[in->pd1], d, st->exec);
  for (unsigned l = 0; l < 32u; l++) {
    uint32_t v = (st->exec >> l & 1u) != 0u ? d[l] : 0u;
    sw->top[l] = deeper(sw->top[l], v);
    max = deeper(max, v);
  }
  b->span->deepest = deeper(b->span->deepest, max);
}

void wg_span_issue(wg_span_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st) {
  span_warp_t *sw = &b->warp[w->warp];
  const wg_insn_t *in = &st->insn->in;
  uint32_t d[32];
  if ((sw->waiting & st->mask) != 0u) leave(b, sw, st->mask);
  if (st->exec == 0u) return;
  depths_of(sw, st, d);
  if (st->kind == kWgRefMemory && wg_insn_space(in->op) != kWgSpaceConst) access_memory(b, st, d);
  if (crosses_lanes(in)) {
    uint32_t max = deepest_of(d, st->exec);
    for (unsigned l = 0; l < 32u; l++) d[l] = max;
  }
  commit(b, sw, st, d);
  if (in->op == kWgOp_EXIT) sw->alive &= ~st->exec;
  if (in->op == kWgOp_BAR || in->op == kWgOp_BARRED) arrive(b, sw, st);
  if (in->op == kWgOp_WARPSYNC) {
    for (uint32_t m = st->exec; m != 0u; m &= m - 1u) sw->sync[__builtin_ctz(m)] = st->diverge.value;
    sw->waiting |= st->exec;
  }
}
