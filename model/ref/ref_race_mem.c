// SPDX-License-Identifier: Apache-2.0
//
// Shadow of shared and global memory: who accessed a word last, and does that happen before? What was given to words.
#include <string.h>

#include "isa/wg_isa_table.h"
#include "model/ref/ref_race.h"

/* One lane's access to one word, or to one byte of a split word. */
typedef struct access {
  wg_race_block_t *b;
  race_warp_t *rw;
  const wg_ref_step_t *st;
  uint32_t warp, lane, thread; /* thread: block * 1024 + thread */
  uint32_t begin;              /* stamps before are another block's or launch's */
  uint32_t flags;              /* kAccAtomic, kAccStrong */
  bool write, shared;
  uint64_t addr;
  uint32_t value;
} access_t;

/* ---- tables ---- */

static size_t hash_of(uint64_t key, size_t cap) {
  return (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (cap - 1u);
}

static race_link_t *find(const race_table_t *t, uint64_t key) {
  if (t->cap == 0u) return NULL;
  race_link_t *e = t->slot[hash_of(key, t->cap)];
  while (e != NULL && e->key != key) e = e->next;
  return e;
}

static void put(race_table_t *t, race_link_t *e) {
  race_link_t **s = &t->slot[hash_of(e->key, t->cap)];
  e->next = *s;
  *s = e;
}

static void insert(race_table_t *t, race_link_t *e) {
  if (t->num >= t->cap) {
    size_t cap = t->cap != 0u ? 2u * t->cap : 256u;
    race_table_t big = {race_alloc(cap, sizeof(race_link_t *)), cap, t->num};
    for (size_t i = 0; i < t->cap; i++) {
      for (race_link_t *k = t->slot[i]; k != NULL;) {
        race_link_t *next = k->next;
        put(&big, k);
        k = next;
      }
    }
    free(t->slot);
    *t = big;
  }
  put(t, e);
  t->num++;
}

static void drop_given(wg_race_t *r) {
  for (size_t i = 0; i < r->given.cap; i++) {
    for (race_link_t *k = r->given.slot[i]; k != NULL;) {
      race_given_t *g = (race_given_t *)k;
      k = k->next;
      know_drop(g->all);
      know_drop(g->near);
      free(g);
    }
    r->given.slot[i] = NULL;
  }
  r->given.num = 0u;
}

void race_memory_launch(wg_race_t *r) { drop_given(r); }

void race_memory_free(wg_race_t *r) {
  drop_given(r);
  free(r->given.slot);
  for (size_t i = 0; i < r->pages.cap; i++) {
    for (race_link_t *k = r->pages.slot[i]; k != NULL;) {
      race_link_t *next = k->next;
      free(k); /* the page's first member */
      k = next;
    }
  }
  free(r->pages.slot);
  free(r->split);
  r->given = r->pages = (race_table_t){NULL, 0u, 0u};
  r->last_page = NULL;
  r->split = NULL;
  r->splits = r->cap_splits = 0u;
}

static race_cell_t *cell_at(access_t *a) {
  wg_race_t *r = a->b->race;
  if (a->shared) return a->addr / 4u < a->b->cells ? &a->b->cell[a->addr / 4u] : NULL;
  uint64_t number = a->addr / 4u / (uint64_t)kRacePageWords;
  race_page_t *p = r->last_page;
  if (p == NULL || p->link.key != number) {
    p = (race_page_t *)find(&r->pages, number);
    if (p == NULL) {
      p = race_alloc(1, sizeof *p);
      p->link.key = number;
      insert(&r->pages, &p->link);
    }
    r->last_page = p;
  }
  return &p->cell[a->addr / 4u % (uint64_t)kRacePageWords];
}

/* The four cells of a word's bytes; each begins as the word was. */
static race_cell_t *split(wg_race_t *r, race_cell_t *c) {
  if (c->thread == (uint32_t)kCellSplit) return r->split[c->time];
  if (r->splits == 0u) r->splits = 1u;
  if (r->splits >= r->cap_splits) {
    r->cap_splits = r->cap_splits != 0u ? 2u * r->cap_splits : 64u;
    r->split = realloc(r->split, r->cap_splits * sizeof *r->split);
    WG_BUG(r->split == NULL);
  }
  race_cell_t *four = r->split[r->splits];
  for (unsigned i = 0; i < 4u; i++) {
    four[i] = *c;
    four[i].value = c->value >> (8u * i) & 0xffu;
  }
  memset(c, 0, sizeof *c);
  c->thread = (uint32_t)kCellSplit;
  c->time = r->splits++;
  return four;
}

/* ---- order ---- */

typedef enum order { kOrdered, kWide, kUnordered } order_t;

static order_t order_of(const access_t *a, uint32_t thread, uint32_t time) {
  const race_warp_t *rw = a->rw;
  uint32_t tid = thread % 1024u, l = tid % 32u;
  bool same_warp = thread / 32u == a->thread / 32u;
  if (same_warp && (rw->strict_floor >= time || rw->strict[a->lane][l] >= time)) return kOrdered;
  if (know_of(rw->know[a->lane], thread / 1024u, tid) >= time) return kOrdered;
  if (!same_warp) return kUnordered;
  bool wide = (rw->cur >> l & 1u) != 0u || rw->wide_floor >= time || rw->wide[a->lane][l] >= time;
  return wide ? kWide : kUnordered;
}

/* ---- reports ---- */

static void block_at(const wg_cta_launch_t *c, uint32_t number, uint32_t ctaid[3]) {
  ctaid[0] = number % c->nctaid[0];
  ctaid[1] = number / c->nctaid[0] % c->nctaid[1];
  ctaid[2] = number / c->nctaid[0] / c->nctaid[1];
}

static wg_race_pair_t *pair_of(wg_race_t *r, const wg_race_pair_t *p) {
  for (size_t i = r->pairs; i-- > 0u;) {
    wg_race_pair_t *q = &r->pair[i];
    if (q->first.pc == p->first.pc && q->second.pc == p->second.pc && q->kind == p->kind && q->cls == p->cls &&
        q->shared == p->shared && q->code_base == p->code_base) return q;
  }
  if (r->pairs == (size_t)kRaceMaxPairs) {
    r->incomplete = true;
    return NULL;
  }
  if (r->pairs == r->cap_pairs) {
    r->cap_pairs = r->cap_pairs != 0u ? 2u * r->cap_pairs : 16u;
    r->pair = realloc(r->pair, r->cap_pairs * sizeof *r->pair);
    WG_BUG(r->pair == NULL);
  }
  r->pair[r->pairs] = *p;
  return &r->pair[r->pairs++];
}

static void found(const access_t *a, wg_race_kind_t kind, wg_race_class_t cls, uint32_t thread, uint32_t pc,
                  bool write) {
  const wg_cta_launch_t *c = &a->b->cta;
  wg_race_pair_t p = {.kind = kind, .cls = cls, .grid_id = c->grid_id, .code_base = c->code_base, .shared = a->shared,
                      .addr = a->addr, .bytes = a->st->bytes};
  block_at(c, thread / 1024u, p.first.ctaid);
  p.first.warp = thread % 1024u / 32u;
  p.first.lane = thread % 32u;
  p.first.pc = pc >> 8 << 4;
  p.first.write = write;
  p.first.atomic = (pc & kAccAtomic) != 0u;
  memcpy(p.second.ctaid, c->ctaid, sizeof p.second.ctaid);
  p.second.warp = a->warp;
  p.second.lane = a->lane;
  p.second.pc = a->st->pc;
  p.second.write = a->write;
  p.second.atomic = (a->flags & kAccAtomic) != 0u;
  wg_race_pair_t *q = pair_of(a->b->race, &p);
  if (q != NULL) q->count++;
}

static wg_race_class_t class_of(const access_t *a, uint32_t thread, order_t o) {
  if (o == kWide) return kWgRaceHidden;
  if (thread / 32u == a->thread / 32u) return kWgRaceApart;
  return thread / 1024u == a->thread / 1024u ? kWgRaceBlock : kWgRaceGrid;
}

/* Two accesses that may meet unordered: atomics, on global memory also strong ones, on shared memory an atomic and a
   strong store; a compare-and-swap and one that only `reads`. */
static bool may_meet(const access_t *a, uint32_t other, bool reads) {
  uint32_t mine = a->flags;
  if ((mine & other & kAccAtomic) != 0u) return true;
  if (reads && ((mine | other) & kAccCas) != 0u) return true;
  bool one_atomic = ((mine | other) & kAccAtomic) != 0u;
  bool both = (mine & (kAccAtomic | kAccStrong)) != 0u && (other & (kAccAtomic | kAccStrong)) != 0u;
  return both && (!a->shared || one_atomic);
}

static void check(const access_t *a, const race_cell_t *c) {
  if (c->time >= a->begin && c->thread != a->thread && !may_meet(a, c->pc, !a->write)) {
    order_t o = order_of(a, c->thread, c->time);
    if (o != kOrdered) {
      wg_race_class_t cls = class_of(a, c->thread, o);
      bool equal = a->write && c->value == a->value && ((a->flags | c->pc) & kAccAtomic) == 0u;
      if (equal && o == kUnordered) cls = kWgRaceEqual;
      found(a, a->write ? kWgRaceWaw : kWgRaceRaw, cls, c->thread, c->pc, true);
    }
  }
  for (unsigned i = 0; i < 2u; i++) {
    const race_reader_t *q = &c->r[i];
    bool atomic = (q->pc & kAccAtomic) != 0u;
    if (q->time < a->begin || (!a->write && !atomic) || may_meet(a, q->pc, !a->write || !atomic)) continue;
    for (uint32_t m = q->lanes; m != 0u; m &= m - 1u) {
      uint32_t thread = q->warp * 32u + (uint32_t)__builtin_ctz(m);
      order_t o = thread == a->thread ? kOrdered : order_of(a, thread, q->time);
      if (o == kOrdered) continue;
      wg_race_kind_t kind = !atomic ? kWgRaceWar : a->write ? kWgRaceWaw : kWgRaceRaw;
      found(a, kind, class_of(a, thread, o), thread, q->pc, atomic);
      break;
    }
  }
}

static uint32_t acc_pc(const access_t *a) { return a->st->pc >> 4 << 8 | a->flags; }

static bool before_all(const access_t *a, const race_reader_t *q) {
  for (uint32_t m = q->lanes; m != 0u; m &= m - 1u) {
    uint32_t thread = q->warp * 32u + (uint32_t)__builtin_ctz(m);
    if (thread != a->thread && order_of(a, thread, q->time) != kOrdered) return false;
  }
  return true;
}

/* The readers and atomics kept: this one, and of the others one that is not ordered before it. */
static void keep_reader(const access_t *a, race_cell_t *c) {
  uint32_t warp = a->thread / 32u, now = a->b->race->now, pc = acc_pc(a);
  race_reader_t *into = NULL;
  for (unsigned i = 0; i < 2u; i++) {
    race_reader_t *q = &c->r[i];
    if (q->warp == warp && q->time == now && q->pc == pc) {
      q->lanes |= 1u << a->lane;
      return;
    }
  }
  for (unsigned i = 0; i < 2u && into == NULL; i++) {
    if (c->r[i].time < a->begin || before_all(a, &c->r[i])) into = &c->r[i];
  }
  if (into == NULL) into = c->r[0].time <= c->r[1].time ? &c->r[0] : &c->r[1];
  *into = (race_reader_t){warp, 1u << a->lane, now, pc};
}

static void update(const access_t *a, race_cell_t *c) {
  if (!a->write || (a->flags & kAccAtomic) != 0u) { /* an atomic does not make the last plain store forgotten */
    keep_reader(a, c);
    return;
  }
  *c = (race_cell_t){.thread = a->thread, .time = a->b->race->now, .pc = acc_pc(a), .value = a->value};
}

/* ---- one instruction ---- */

/* The words, or bytes, of a lane's access. */
static void each_cell(access_t *a, void (*visit)(const access_t *, race_cell_t *)) {
  const wg_ref_step_t *st = a->st;
  uint64_t base = st->addr[a->lane];
  unsigned step = st->bytes < 4u ? 1u : 4u;
  for (unsigned k = 0; k < st->bytes; k += 4u) {
    uint32_t word = a->write ? st->data[k / 4u][a->lane] : 0u;
    a->addr = base + k;
    race_cell_t *c = cell_at(a);
    if (c == NULL) return;
    if (step == 4u && c->thread != (uint32_t)kCellSplit) {
      a->value = word;
      visit(a, c);
      continue;
    }
    race_cell_t *four = split(a->b->race, c);
    for (unsigned i = 0; i < (step == 4u ? 4u : st->bytes); i++) {
      a->addr = base + k + i;
      a->value = word >> (8u * i) & 0xffu;
      visit(a, &four[a->addr % 4u]);
    }
  }
}

static void visit_check(const access_t *a, race_cell_t *c) { check(a, c); }

static bool same_data(const wg_ref_step_t *st, unsigned l, unsigned m) {
  for (unsigned k = 0; k < st->bytes; k += 4u) {
    uint32_t mask = st->bytes >= 4u ? UINT32_MAX : (1u << 8u * st->bytes) - 1u;
    if (((st->data[k / 4u][l] ^ st->data[k / 4u][m]) & mask) != 0u) return false;
  }
  return true;
}

/* Lanes of one store that write different values to one place. */
static void check_same(access_t *a, uint32_t lanes) {
  enum { kSlots = 64 };
  const wg_ref_step_t *st = a->st;
  uint64_t last = 0u;
  bool rising = true;
  for (uint32_t m = lanes; m != 0u && rising; m &= m - 1u) {
    uint64_t addr = st->addr[__builtin_ctz(m)];
    rising = m == lanes || addr > last;
    last = addr;
  }
  if (rising) return;
  uint8_t slot[kSlots] = {0}; /* lane + 1 */
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    size_t h = hash_of(st->addr[l] / st->bytes, kSlots);
    while (slot[h] != 0u && st->addr[slot[h] - 1u] != st->addr[l]) h = (h + 1u) % (size_t)kSlots;
    if (slot[h] == 0u) slot[h] = (uint8_t)(l + 1u);
    unsigned first = slot[h] - 1u;
    if (first == l || same_data(st, first, l)) continue;
    a->lane = l;
    a->shared = (st->shared >> l & 1u) != 0u;
    a->addr = st->addr[l];
    found(a, kWgRaceWaw, kWgRaceSame, (a->b->number * 32u + a->warp) * 32u + first, acc_pc(a), true);
  }
}

/* ---- release, acquire ---- */

static uint64_t given_key(const wg_race_block_t *b, bool shared, uint64_t addr) {
  return shared ? UINT64_C(1) << 63 | (uint64_t)b->number << 32 | (addr & ~UINT64_C(3)) : addr & ~UINT64_C(3);
}

static void give(wg_race_block_t *b, uint32_t warp, unsigned l, bool shared, uint64_t addr, uint32_t now) {
  const race_warp_t *rw = &b->warp[warp];
  wg_race_t *r = b->race;
  bool all = shared || addr - r->pool < r->pool_bytes;
  uint32_t far = all ? now : rw->fence_gpu[l], near = all ? 0u : rw->fence_cta[l];
  if (far == 0u && near == 0u) return;
  uint64_t key = given_key(b, shared, addr);
  race_given_t *g = (race_given_t *)find(&r->given, key);
  if (g == NULL) {
    g = race_alloc(1, sizeof *g);
    g->link.key = key;
    insert(&r->given, &g->link);
  }
  know_t *k = race_gift(b, warp, l, far);
  know_into(&g->all, k);
  know_drop(k);
  if (near <= far) return;
  if (g->block != b->number) {
    know_drop(g->near);
    g->near = NULL;
    g->block = b->number;
  }
  k = race_gift(b, warp, l, near);
  know_into(&g->near, k);
  know_drop(k);
}

/* A store that nobody knows as strong, into a flag that a loop waits for: what its thread had done by then. */
static void take_from_writer(wg_race_block_t *b, race_warp_t *rw, unsigned l, uint64_t addr) {
  if (addr / 4u >= b->cells) return;
  const race_cell_t *c = &b->cell[addr / 4u];
  if (c->thread == (uint32_t)kCellSplit) c = &b->race->split[c->time][addr % 4u];
  if (c->time < b->begin || c->thread / 1024u != b->number) return;
  know_t *k = race_gift(b, c->thread % 1024u / 32u, c->thread % 32u, c->time);
  know_into(&rw->know[l], k);
  know_drop(k);
}

void wg_race_loaded(wg_race_block_t *b, uint32_t warp, const wg_insn_t *in, uint32_t pc, uint32_t lanes,
                    uint32_t shared, const uint64_t *addr) {
  wg_race_t *r = b->race;
  if (r->stopped || b->ignored || in->rd == kWgRZ) return;
  bool atomic = wg_insn_is_atomic(in->op);
  bool strong = (in->op == kWgOp_LDG || in->op == kWgOp_LD) && WG_MOD_GET(in, MCACHE) == 2u;
  bool waits = (lanes & shared) != 0u && (race_marks(r, pc) & (unsigned)kWgRaceWaits) != 0u;
  if (!atomic && !strong && !waits) return;
  race_warp_t *rw = &b->warp[warp];
  bool news = false;
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    bool in_shared = (shared >> l & 1u) != 0u;
    if (!atomic && !(in_shared ? waits : strong)) continue;
    const know_t *old = rw->know[l];
    const race_given_t *g = (const race_given_t *)find(&r->given, given_key(b, in_shared, addr[l]));
    if (g != NULL) know_into(&rw->know[l], g->all);
    if (g != NULL && g->block == b->number) know_into(&rw->know[l], g->near);
    if (in_shared && waits) take_from_writer(b, rw, l, addr[l]);
    news = news || rw->know[l] != old;
  }
  if (!news) return;
  rw->same_know = false;
  if ((rw->cur & lanes) != 0u) race_share(rw, rw->cur);
}

/* ---- the door ---- */

static uint32_t flags_of(const wg_insn_t *in, bool shared, unsigned marks) {
  if ((marks & (unsigned)kWgRaceAtomic) != 0u) return kAccAtomic;
  if (wg_insn_is_atomic(in->op)) return WG_MOD_GET(in, AOP) == 9u ? kAccAtomic | kAccCas : kAccAtomic;
  if (shared) return (marks & (unsigned)kWgRaceStrong) != 0u ? kAccStrong : 0u;
  bool has = in->op == kWgOp_LDG || in->op == kWgOp_STG || in->op == kWgOp_LD || in->op == kWgOp_ST;
  return has && WG_MOD_GET(in, MCACHE) == 2u ? kAccStrong : 0u;
}

/* Lanes on an allocator's own data. */
static uint32_t pool_lanes(const wg_race_t *r, const wg_ref_step_t *st, uint32_t lanes) {
  uint32_t in = 0u;
  for (uint32_t m = r->pool_bytes != 0u ? lanes & ~st->shared : 0u; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    if (st->addr[l] - r->pool < r->pool_bytes) in |= 1u << l;
  }
  return in;
}

static void note_reach(wg_race_t *r, const wg_ref_step_t *st, uint32_t lanes) {
  size_t i = st->pc / (uint32_t)kWgInsnBytes;
  if (i >= r->cap_reach) {
    size_t cap = i < 512 ? 1024 : 2 * i;
    r->reach = realloc(r->reach, cap * sizeof *r->reach);
    WG_BUG(r->reach == NULL);
    for (size_t k = r->cap_reach; k < cap; k++) r->reach[k] = (race_reach_t){{UINT64_MAX, UINT64_MAX}, {0, 0}};
    r->cap_reach = cap;
  }
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m), shared = st->shared >> l & 1u;
    if (st->addr[l] < r->reach[i].lo[shared]) r->reach[i].lo[shared] = st->addr[l];
    if (st->addr[l] > r->reach[i].hi[shared]) r->reach[i].hi[shared] = st->addr[l];
  }
}

void race_memory(wg_race_block_t *b, uint32_t warp, const wg_ref_step_t *st) {
  wg_race_t *r = b->race;
  const wg_insn_t *in = &st->insn->in;
  uint32_t lanes = st->lanes & ~st->local;
  bool atomic = wg_insn_is_atomic(in->op);
  if (!atomic) lanes &= ~pool_lanes(r, st, lanes);
  if (lanes == 0u || wg_insn_space(in->op) == kWgSpaceConst) return;
  note_reach(r, st, lanes);
  bool write = atomic || wg_insn_is_store(in->op);
  unsigned marks = st->shared != 0u && r->marks != 0u ? race_marks(r, st->pc) : 0u;
  bool waits = !write && (marks & (unsigned)kWgRaceWaits) != 0u;
  access_t a = {.b = b, .rw = &b->warp[warp], .st = st, .warp = warp, .write = write};
  if (write && !atomic) check_same(&a, lanes);
  bool gives = false;
  for (unsigned pass = 0; pass < 2u; pass++) { /* first all are checked, then all noted: its lanes are no pairs */
    for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
      a.lane = (uint32_t)__builtin_ctz(m);
      a.shared = (st->shared >> a.lane & 1u) != 0u;
      if (a.shared && waits) continue; /* a flag */
      a.thread = (b->number * 32u + warp) * 32u + a.lane;
      a.begin = a.shared ? b->begin : r->begin;
      a.flags = flags_of(in, a.shared, marks);
      gives = gives || (write && a.flags != 0u);
      each_cell(&a, pass == 0u ? visit_check : update);
    }
  }
  if (!gives) return;
  uint32_t now = race_tick(r);
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    bool shared = (st->shared >> l & 1u) != 0u;
    if (flags_of(in, shared, marks) != 0u) give(b, warp, l, shared, st->addr[l], now);
  }
}
