// SPDX-License-Identifier: Apache-2.0
//
// Who is ordered before whom: clock, splits of a warp, block barriers, fences.
#include "model/ref/ref_race.h"

#include <string.h>

void *race_alloc(size_t n, size_t size) {
  void *p = calloc(n != 0u ? n : 1u, size);
  WG_BUG(p == NULL);
  return p;
}

uint32_t race_tick(wg_race_t *r) {
  if (r->now == UINT32_MAX) { /* stamps would lose their order */
    r->stopped = r->incomplete = true;
    return r->now;
  }
  return r->now++;
}

/* ---- life ---- */

wg_race_t *wg_race_new(void) {
  wg_race_t *r = race_alloc(1, sizeof *r);
  r->now = 1u;
  return r;
}

static void drop_knows(wg_race_block_t *b) {
  for (uint32_t w = 0; w < b->num_warps; w++) {
    for (unsigned l = 0; l < 32u; l++) know_drop(b->warp[w].know[l]);
  }
  for (unsigned i = 0; i < (unsigned)kWgBarriers; i++) know_drop(b->bar[i].gave);
}

void wg_race_free(wg_race_t *r) {
  if (r == NULL) return;
  race_memory_free(r);
  free(r->reach);
  for (wg_race_block_t *b = r->free_blocks; b != NULL;) {
    wg_race_block_t *next = b->next_free;
    free(b->warp);
    free(b->cell);
    free(b);
    b = next;
  }
  free(r->pair);
  free(r);
}

void wg_race_launch(wg_race_t *r, const uint32_t *marks, size_t num) {
  r->mark = marks;
  r->marks = num;
  r->stopped = false;
  for (size_t i = 0; i < r->cap_reach; i++) r->reach[i] = (race_reach_t){{UINT64_MAX, UINT64_MAX}, {0, 0}};
  if (r->now > 1u << 31) { /* far enough for one launch more; shadows are dropped, so stamps may start again */
    r->now = 1u;
    race_memory_free(r);
    for (wg_race_block_t *b = r->free_blocks; b != NULL; b = b->next_free) {
      memset(b->warp, 0, b->cap_warps * sizeof *b->warp);
      memset(b->cell, 0, b->cap_cells * sizeof *b->cell);
    }
  }
  (void)race_tick(r);
  r->begin = r->now;
  race_memory_launch(r);
}

void wg_race_allocator(wg_race_t *r, uint64_t addr, uint64_t bytes) {
  r->pool = addr;
  r->pool_bytes = bytes;
}

unsigned race_marks(const wg_race_t *r, uint32_t pc) {
  size_t lo = 0, hi = r->marks;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if ((r->mark[mid] & ~15u) < pc) lo = mid + 1;
    else hi = mid;
  }
  return lo < r->marks && (r->mark[lo] & ~15u) == pc ? r->mark[lo] & 15u : 0u;
}

size_t wg_race_pairs(const wg_race_t *r, const wg_race_pair_t **out) {
  *out = r->pair;
  return r->pairs;
}

bool wg_race_reach(const wg_race_t *r, uint32_t pc, bool shared, uint64_t *lo, uint64_t *hi) {
  size_t i = pc / (uint32_t)kWgInsnBytes;
  if (i >= r->cap_reach || r->reach[i].lo[shared] > r->reach[i].hi[shared]) return false;
  *lo = r->reach[i].lo[shared];
  *hi = r->reach[i].hi[shared];
  return true;
}

bool wg_race_complete(const wg_race_t *r) { return !r->incomplete; }

/* ---- blocks ---- */

/* A record used before is used again: what it holds is stamped before `begin`. */
static wg_race_block_t *take_block(wg_race_t *r, uint32_t warps, size_t cells) {
  wg_race_block_t *b = r->free_blocks;
  if (b != NULL) r->free_blocks = b->next_free;
  else b = race_alloc(1, sizeof *b);
  if (b->cap_warps < warps) {
    free(b->warp);
    b->warp = race_alloc(warps, sizeof *b->warp);
    b->cap_warps = warps;
  }
  if (b->cap_cells < cells || b->cell == NULL) {
    free(b->cell);
    b->cell = race_alloc(cells, sizeof *b->cell);
    b->cap_cells = cells;
  }
  return b;
}

wg_race_block_t *wg_race_block_new(wg_race_t *r, const wg_cta_launch_t *cta, bool its) {
  uint32_t warps = 0;
  while (warps < (uint32_t)kWgRefBlockWarps && wg_ref_present(cta, warps) != 0u) warps++;
  size_t cells = (cta->shared_bytes + 3u) / 4u;
  wg_race_block_t *b = take_block(r, warps, cells);
  uint64_t number = ((uint64_t)cta->ctaid[2] * cta->nctaid[1] + cta->ctaid[1]) * cta->nctaid[0] + cta->ctaid[0];
  b->race = r;
  b->next_free = NULL;
  b->cta = *cta;
  b->its = its;
  b->ignored = number >= (uint64_t)kRaceMaxBlocks;
  r->incomplete = r->incomplete || b->ignored;
  b->number = (uint32_t)number;
  b->num_warps = warps;
  b->cells = cells;
  memset(b->bar, 0, sizeof b->bar);
  (void)race_tick(r);
  b->begin = r->now;
  for (uint32_t w = 0; w < warps; w++) {
    race_warp_t *rw = &b->warp[w];
    memset(rw, 0, offsetof(race_warp_t, strict));
    rw->present = rw->alive = rw->cur = wg_ref_present(cta, w);
    rw->strict_floor = rw->wide_floor = b->begin - 1u;
    rw->same_know = true;
  }
  return b;
}

void wg_race_block_free(wg_race_block_t *b) {
  if (b == NULL) return;
  drop_knows(b);
  b->num_warps = 0u;
  b->next_free = b->race->free_blocks;
  b->race->free_blocks = b;
}

/* ---- lanes of a warp ---- */

void race_share(race_warp_t *rw, uint32_t lanes) {
  if (rw->same_know) return;
  know_t *all = NULL;
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) know_into(&all, rw->know[__builtin_ctz(m)]);
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
    know_t **k = &rw->know[__builtin_ctz(m)];
    know_drop(*k);
    *k = know_ref(all);
  }
  know_drop(all);
  rw->same_know = (rw->alive & ~lanes) == 0u;
}

/* The lanes meet: what is ordered before one of them is before all, and so is what they did up to `t`. */
static void meet(uint32_t order[32][32], uint32_t *floor, uint32_t present, uint32_t lanes, uint32_t t) {
  if ((present & ~lanes) == 0u) { /* nobody is elsewhere, and nobody has exited: he would not be met */
    *floor = t;
    return;
  }
  uint32_t acc[32] = {0};
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
    const uint32_t *row = order[__builtin_ctz(m)];
    for (unsigned k = 0; k < 32u; k++) acc[k] = row[k] > acc[k] ? row[k] : acc[k];
  }
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) acc[__builtin_ctz(m)] = t;
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) memcpy(order[__builtin_ctz(m)], acc, sizeof acc);
}

/* Other lanes issue than last time. Those that parted were together until now; those that run have met. */
static void change_split(wg_race_t *r, race_warp_t *rw, uint32_t lanes) {
  uint32_t t = race_tick(r);
  meet(rw->wide, &rw->wide_floor, rw->present, rw->cur, t); /* those that have exited since too */
  if ((lanes & ~rw->cur) != 0u) {
    meet(rw->wide, &rw->wide_floor, rw->present, lanes, t);
    race_share(rw, lanes);
  }
  rw->cur = lanes;
}

/* An instruction that all of these lanes take part in. */
static void sync_lanes(wg_race_t *r, race_warp_t *rw, uint32_t lanes) {
  uint32_t t = race_tick(r);
  meet(rw->strict, &rw->strict_floor, rw->present, lanes, t);
  meet(rw->wide, &rw->wide_floor, rw->present, lanes, t);
  race_share(rw, lanes);
}

/* ---- block barriers ---- */

static void set_know(race_warp_t *rw, know_t *k) {
  for (unsigned l = 0; l < 32u; l++) {
    know_drop(rw->know[l]);
    rw->know[l] = know_ref(k);
  }
  rw->same_know = true;
}

static know_t *know_of_warp(race_warp_t *rw) {
  race_share(rw, rw->alive != 0u ? rw->alive : 1u);
  return rw->know[rw->alive != 0u ? (unsigned)__builtin_ctz(rw->alive) : 0u];
}

/* Barrier `id` is complete. `all`: no warp is left out, exited ones count as arrived. */
static void complete(wg_race_block_t *b, unsigned id, bool all) {
  race_bar_t *bar = &b->bar[id];
  uint32_t t = race_tick(b->race), go = 0u;
  know_t *sum = bar->gave;
  bar->gave = NULL;
  for (uint32_t w = 0; w < b->num_warps; w++) {
    race_warp_t *rw = &b->warp[w];
    uint32_t lane = rw->waiting != 0u ? (uint32_t)__builtin_ctz(rw->waiting) : 0u;
    if (!rw->arrived || rw->bar[lane] != id + 1u) continue;
    go |= 1u << w;
    know_into(&sum, know_of_warp(rw));
  }
  for (uint32_t w = 0; w < b->num_warps; w++) {
    if (all || (go >> w & 1u) == 0u) continue;
    know_t *more = know_add(sum, know_key(b->number, kKnowWarp + w), t);
    know_drop(sum);
    sum = more;
  }
  if (all) {
    know_t *more = know_add(sum, know_key(b->number, kKnowBlock), t);
    know_drop(sum);
    sum = more;
  }
  for (uint32_t m = go; m != 0u; m &= m - 1u) {
    race_warp_t *rw = &b->warp[__builtin_ctz(m)];
    set_know(rw, sum);
    rw->strict_floor = rw->wide_floor = t;
    rw->waiting = 0u;
    rw->arrived = false;
    memset(rw->bar, 0, sizeof rw->bar);
  }
  know_drop(sum);
  bar->warps = bar->threads = 0u;
}

/* Lanes of a warp come to a barrier. The warp has arrived when all have, which st->kind says. */
static void arrive(wg_race_block_t *b, uint32_t warp, const wg_ref_step_t *st) {
  race_warp_t *rw = &b->warp[warp];
  const wg_bar_arrival_t *a = &st->diverge.bar;
  race_bar_t *bar = &b->bar[a->id % (unsigned)kWgBarriers];
  uint32_t lanes = b->its ? st->exec : rw->alive;
  if (!a->arrive_only) {
    rw->waiting |= lanes;
    for (uint32_t m = lanes; m != 0u; m &= m - 1u) rw->bar[__builtin_ctz(m)] = (uint8_t)(a->id + 1u);
  }
  if (st->kind != kWgRefBarrier) return;
  bar->warps |= 1u << warp;
  if (a->arrive_only) {
    know_into(&bar->gave, know_of_warp(rw));
    know_t *more = know_add(bar->gave, know_key(b->number, kKnowWarp + warp), race_tick(b->race));
    know_drop(bar->gave);
    bar->gave = more;
  } else {
    rw->arrived = true;
  }
  if (!a->has_count) return; /* complete when one of them goes on: warps that exit count too */
  bar->threads += 32u;
  if (bar->threads >= a->count) complete(b, a->id, false);
}

/* Lanes that waited at a WARPSYNC or barrier go on: it is complete. */
static void leave(wg_race_block_t *b, race_warp_t *rw, uint32_t lanes) {
  while ((rw->waiting & lanes) != 0u) {
    unsigned l = (unsigned)__builtin_ctz(rw->waiting & lanes);
    if (rw->bar[l] != 0u) {
      rw->arrived = true;
      complete(b, rw->bar[l] - 1u, true);
      continue;
    }
    uint32_t mask = rw->sync[l], met = 0u;
    for (uint32_t m = rw->waiting; m != 0u; m &= m - 1u) {
      unsigned k = (unsigned)__builtin_ctz(m);
      if (rw->bar[k] == 0u && rw->sync[k] == mask) met |= 1u << k;
    }
    for (uint32_t m = met; m != 0u; m &= m - 1u) rw->sync[__builtin_ctz(m)] = 0u;
    rw->waiting &= ~met;
    sync_lanes(b->race, rw, met);
  }
}

/* ---- fences, gifts ---- */

static void fence(wg_race_t *r, race_warp_t *rw, uint32_t lanes, bool gpu) {
  uint32_t t = race_tick(r);
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    rw->fence_cta[l] = t;
    if (gpu) rw->fence_gpu[l] = t;
  }
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

know_t *race_gift(const wg_race_block_t *b, uint32_t warp, unsigned l, uint32_t upto) {
  const race_warp_t *rw = &b->warp[warp];
  if (upto == 0u) return NULL;
  know_t *own = race_alloc(1, sizeof *own + 33u * sizeof own->e[0]);
  own->refs = 1u;
  uint32_t floor = least(rw->wide_floor, upto);
  if (floor >= b->begin) own->e[own->n++] = (know_entry_t){know_key(b->number, kKnowWarp + warp), floor};
  for (unsigned k = 0; k < 32u; k++) {
    bool with = (rw->cur >> k & 1u) != 0u; /* runs with lane l */
    uint32_t t = k == l || with ? upto : least(rw->wide[l][k], upto);
    if (t <= floor || t < b->begin) continue;
    own->e[own->n++] = (know_entry_t){know_key(b->number, kKnowThread + warp * 32u + k), t};
  }
  know_t *sum = know_join(rw->know[l], own);
  know_drop(own);
  return sum;
}

/* ---- an instruction ---- */

void wg_race_issue(wg_race_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st) {
  wg_race_t *r = b->race;
  race_warp_t *rw = &b->warp[w->warp];
  if (r->stopped || b->ignored) return;
  if ((rw->waiting & st->mask) != 0u) leave(b, rw, st->mask);
  if (st->mask != rw->cur) change_split(r, rw, st->mask);
  if (st->exec == 0u) return;
  const wg_insn_t *in = &st->insn->in;
  switch (in->op) {
    case kWgOp_EXIT: rw->alive &= ~st->exec; return;
    case kWgOp_BAR:
    case kWgOp_BARRED: arrive(b, w->warp, st); return;
    case kWgOp_MEMBAR: fence(r, rw, st->exec, WG_MOD_GET(in, MSCOPE) != 0u); return;
    case kWgOp_WARPSYNC:
      for (uint32_t m = st->exec; m != 0u; m &= m - 1u) rw->sync[__builtin_ctz(m)] = st->diverge.value;
      rw->waiting |= st->exec;
      return;
    case kWgOp_SHFL:
    case kWgOp_LDSM: sync_lanes(r, rw, st->exec); break;
    default: break;
  }
  if (st->kind == kWgRefMemory) {
    race_memory(b, w->warp, st);
    return;
  }
  unsigned pipe = wg_insn_info(in->op)->pipe;
  if (pipe == kWgPipeXLANE || pipe == kWgPipeMMA) sync_lanes(r, rw, st->exec);
}
