// SPDX-License-Identifier: Apache-2.0
#include "model/l2/l2.h"

#include <string.h>

#include "model/ref/wg_ref_atom.h"

enum { kNone = 0xffff };

/** A line's tag. Bytes are valid, or on their way, or neither; the contents themselves are in the store. */
typedef struct line {
  uint64_t addr;      /* of the line; only if used */
  uint64_t stamp;     /* last use */
  uint32_t valid[4];  /* bytes of each sector that the L2 holds */
  uint8_t dirty;      /* sectors */
  uint8_t pending;    /* sectors on their way from memory */
  uint16_t mshr;      /* while pending */
  bool used;
} line_t;

/** A response sector that waits for memory; its bytes were taken when the request was served. */
typedef struct waiter {
  wg_mem_rsp_t rsp;
  uint16_t next;
} waiter_t;

typedef struct mshr {
  uint32_t line;          /* index into lines */
  uint16_t head[4], tail[4]; /* waiters of each sector, in order */
} mshr_t;

typedef struct timed_rsp {
  wg_mem_rsp_t rsp;
  uint64_t due;
} timed_rsp_t;

typedef struct rsp_ring {
  timed_rsp_t *buf;
  uint32_t cap, head, count;
} rsp_ring_t;

struct wg_l2_slice {
  wg_l2_spec_t spec;
  wg_store_t *store;
  wg_l2_serve_fn serve;
  void *ctx;
  uint32_t sets;
  line_t *lines; /* [sets * ways] */
  mshr_t *mshrs;
  uint16_t *free_mshrs;
  uint32_t num_free_mshrs;
  waiter_t *waiters;
  uint16_t free_waiter; /* list */
  uint32_t num_free_waiters;
  wg_l2_mem_t *mem; /* ring towards the memory channel */
  uint32_t mem_cap, mem_head, mem_count;
  uint32_t mem_writes; /* of them write-backs */
  rsp_ring_t hit, fill;
  rsp_ring_t *peeked; /* ring whose head the last peek returned */
  uint64_t stamp;
  wg_l2_stats_t stats;
};

uint32_t wg_l2_slice_of(const wg_l2_spec_t *spec, uint64_t addr) {
  uint64_t blk = (addr - WG_DEV_BASE) / spec->interleave_bytes;
  uint64_t turn = spec->slice_hash ? (blk / spec->slices * UINT64_C(0x9e3779b97f4a7c15)) >> 40 : 0;
  return (uint32_t)((blk + turn) % spec->slices);
}

/* Byte address among the bytes of its own slice. */
static uint64_t slice_local(const wg_l2_spec_t *spec, uint64_t addr) {
  uint64_t off = addr - WG_DEV_BASE;
  return off / spec->interleave_bytes / spec->slices * spec->interleave_bytes + off % spec->interleave_bytes;
}

uint32_t wg_l2_channel_of(const wg_l2_spec_t *spec, uint32_t channels, uint64_t addr) {
  uint32_t s = wg_l2_slice_of(spec, addr);
  if (channels <= spec->slices) return s % channels;
  uint64_t blk = (addr - WG_DEV_BASE) / spec->interleave_bytes / spec->slices;
  return s + spec->slices * (uint32_t)(blk % (channels / spec->slices));
}

uint64_t wg_l2_channel_addr(const wg_l2_spec_t *spec, uint32_t channels, uint64_t addr) {
  uint64_t off = addr - WG_DEV_BASE;
  uint64_t blk = off / spec->interleave_bytes / spec->slices, mine = 0;
  if (channels <= spec->slices) {
    mine = blk * (spec->slices / channels) + wg_l2_slice_of(spec, addr) / channels;
  } else {
    mine = blk / (channels / spec->slices);
  }
  return mine * spec->interleave_bytes + off % spec->interleave_bytes;
}

static wg_status_t check_spec(const wg_l2_spec_t *s, wg_diag_t *diag) {
  struct {
    const char *name;
    uint32_t value, lo, hi;
  } r[] = {
      {"slices", s->slices, 1, kWgL2MaxSlices},      {"ways", s->ways, 1, kWgL2MaxWays},
      {"slice bytes", s->slice_bytes, 128, 1u << 26}, {"MSHRs", s->mshrs, 1, kWgL2MaxMshrs},
      {"waiters", s->waiters, 4, 4096},              {"write-backs", s->writebacks, 4, 4096},
      {"hit cycles", s->hit_cycles, 1, 4096},        {"fill cycles", s->fill_cycles, 1, 4096},
      {"interleave bytes", s->interleave_bytes, 128, 1u << 20},
      {"clock ratio's numerator", s->clock_num, 1, 1000},
      {"clock ratio's denominator", s->clock_den, 1, 1000},
  };
  for (size_t i = 0; i < sizeof r / sizeof r[0]; i++) {
    if (r[i].value < r[i].lo || r[i].value > r[i].hi) {
      return wg_fail(diag, kWgBadArg, "L2 %s is %u, must be %u to %u", r[i].name, r[i].value, r[i].lo, r[i].hi);
    }
  }
  if (s->slice_bytes % (128 * s->ways) != 0) {
    return wg_fail(diag, kWgBadArg, "an L2 slice of %u bytes does not divide into %u ways of 128-byte lines",
                   s->slice_bytes, s->ways);
  }
  if ((s->interleave_bytes & (s->interleave_bytes - 1)) != 0) {
    return wg_fail(diag, kWgBadArg, "L2 interleave of %u bytes is no power of two", s->interleave_bytes);
  }
  return kWgOk;
}

static void free_lists_init(wg_l2_slice_t *s) {
  for (uint32_t i = 0; i < s->spec.mshrs; i++) s->free_mshrs[i] = (uint16_t)(s->spec.mshrs - 1 - i);
  s->num_free_mshrs = s->spec.mshrs;
  for (uint32_t i = 0; i < s->spec.waiters; i++) {
    s->waiters[i].next = i + 1 == s->spec.waiters ? kNone : (uint16_t)(i + 1);
  }
  s->num_free_waiters = s->spec.waiters;
}

wg_status_t wg_l2_slice_create(const wg_l2_spec_t *spec, wg_store_t *store, wg_l2_serve_fn serve, void *ctx,
                               wg_l2_slice_t **out, wg_diag_t *diag) {
  WG_TRY(check_spec(spec, diag));
  wg_l2_slice_t *s = calloc(1, sizeof *s);
  if (s == NULL) return wg_fail(diag, kWgNoSpace, "no host memory for an L2 slice");
  s->spec = *spec;
  s->store = store;
  s->serve = serve;
  s->ctx = ctx;
  s->sets = spec->slice_bytes / (128 * spec->ways);
  s->mem_cap = spec->writebacks + 4 * spec->mshrs;
  s->hit.cap = spec->hit_cycles + 16; /* one flit a cycle leaves: enough for full rate */
  s->fill.cap = spec->waiters;
  s->lines = calloc((size_t)s->sets * spec->ways, sizeof *s->lines);
  s->mshrs = calloc(spec->mshrs, sizeof *s->mshrs);
  s->free_mshrs = calloc(spec->mshrs, sizeof *s->free_mshrs);
  s->waiters = calloc(spec->waiters, sizeof *s->waiters);
  s->mem = calloc(s->mem_cap, sizeof *s->mem);
  s->hit.buf = calloc(s->hit.cap, sizeof *s->hit.buf);
  s->fill.buf = calloc(s->fill.cap, sizeof *s->fill.buf);
  if (s->lines == NULL || s->mshrs == NULL || s->free_mshrs == NULL || s->waiters == NULL || s->mem == NULL ||
      s->hit.buf == NULL || s->fill.buf == NULL) {
    wg_l2_slice_destroy(s);
    return wg_fail(diag, kWgNoSpace, "no host memory for an L2 slice of %u bytes", spec->slice_bytes);
  }
  free_lists_init(s);
  *out = s;
  return kWgOk;
}

void wg_l2_slice_destroy(wg_l2_slice_t *s) {
  if (s == NULL) return;
  free(s->lines);
  free(s->mshrs);
  free(s->free_mshrs);
  free(s->waiters);
  free(s->mem);
  free(s->hit.buf);
  free(s->fill.buf);
  free(s);
}

static void rsp_push(rsp_ring_t *r, const wg_mem_rsp_t *rsp, uint64_t due) {
  WG_BUG(r->count == r->cap);
  uint32_t at = r->head + r->count++;
  timed_rsp_t *t = &r->buf[at >= r->cap ? at - r->cap : at];
  t->rsp = *rsp;
  t->due = due;
}

static void mem_push(wg_l2_slice_t *s, uint64_t addr, uint32_t tag, bool write) {
  WG_BUG(s->mem_count == s->mem_cap);
  s->mem[(s->mem_head + s->mem_count++) % s->mem_cap] = (wg_l2_mem_t){addr, tag, write};
  s->mem_writes += write ? 1u : 0u;
}

/** What a request finds: its line, or the line that has to make room for it. */
typedef struct place {
  line_t *line;
  bool found;
} place_t;

/* The line, else the least recently used one without open fills; line is NULL if every way is waiting. */
static place_t lookup(wg_l2_slice_t *s, uint64_t addr) {
  uint64_t n = slice_local(&s->spec, addr) / 128;
  n ^= n >> 7 ^ n >> 15 ^ n >> 23; /* power-of-two strides spread over the sets */
  line_t *set = &s->lines[n % s->sets * s->spec.ways];
  line_t *victim = NULL;
  for (uint32_t w = 0; w < s->spec.ways; w++) {
    line_t *l = &set[w];
    if (l->used && l->addr == addr) return (place_t){l, true};
    if (l->pending != 0) continue;
    if (victim == NULL || (victim->used && (!l->used || l->stamp < victim->stamp))) victim = l;
  }
  return (place_t){victim, false};
}

/* Empty a line for a new address; its dirty sectors go to memory. */
static void take_over(wg_l2_slice_t *s, line_t *l, uint64_t addr) {
  for (unsigned k = 0; l->used && k < 4; k++) {
    if ((l->dirty >> k & 1u) == 0) continue;
    mem_push(s, l->addr + 32 * k, 0, true);
    s->stats.writeback_sectors++;
  }
  *l = (line_t){.addr = addr, .used = true, .mshr = kNone};
}

/* Room for the victim's dirty sectors, without eating the places that reads of open MSHRs rely on. */
static bool mem_room(const wg_l2_slice_t *s, const place_t *p, unsigned reads) {
  unsigned writes = p->found || !p->line->used ? 0 : (unsigned)__builtin_popcount(p->line->dirty);
  return s->mem_count + writes + reads <= s->mem_cap;
}

/* The request waits. */
static bool lacks(wg_l2_slice_t *s, wg_l2_lack_t what) {
  s->stats.lack_cycles[what]++;
  s->stats.stall_cycles++;
  return false;
}

static wg_mem_rsp_t make_rsp(const wg_mem_req_t *req, unsigned sector, uint8_t status) {
  wg_mem_rsp_t r = {.id = req->id, .sector = (uint8_t)sector, .status = status, .sm = req->sm};
  return r;
}

static void add_waiter(wg_l2_slice_t *s, mshr_t *m, unsigned sector, const wg_mem_rsp_t *rsp) {
  uint16_t w = s->free_waiter;
  s->free_waiter = s->waiters[w].next;
  s->num_free_waiters--;
  s->waiters[w] = (waiter_t){*rsp, kNone};
  if (m->head[sector] == kNone) {
    m->head[sector] = w;
  } else {
    s->waiters[m->tail[sector]].next = w;
  }
  m->tail[sector] = w;
}

static uint16_t take_mshr(wg_l2_slice_t *s, const line_t *l) {
  uint16_t i = s->free_mshrs[--s->num_free_mshrs];
  s->mshrs[i].line = (uint32_t)(l - s->lines);
  for (unsigned k = 0; k < 4; k++) s->mshrs[i].head[k] = s->mshrs[i].tail[k] = kNone;
  return i;
}

static bool serve_load(wg_l2_slice_t *s, const wg_mem_req_t *req, uint64_t now, const uint8_t *data) {
  place_t p = lookup(s, req->line);
  if (p.line == NULL) return lacks(s, kWgL2NoWay);
  uint8_t hits = 0, merged = 0;
  for (unsigned k = 0; p.found && k < 4; k++) {
    if (p.line->valid[k] == UINT32_MAX) hits |= (uint8_t)(1u << k);
  }
  hits &= req->sector_mask;
  uint8_t misses = req->sector_mask & (uint8_t)~hits;
  if (p.found) merged = misses & p.line->pending;
  uint8_t reads = misses & (uint8_t)~merged;
  unsigned num_hits = (unsigned)__builtin_popcount(hits), num_misses = (unsigned)__builtin_popcount(misses);
  if (s->hit.count + num_hits > s->hit.cap) return lacks(s, kWgL2NoAnswer);
  if (num_misses > s->num_free_waiters) return lacks(s, kWgL2NoWaiter);
  bool need_mshr = misses != 0 && (!p.found || p.line->pending == 0);
  if (need_mshr && s->num_free_mshrs == 0) return lacks(s, kWgL2NoMshr);
  if (!mem_room(s, &p, (unsigned)__builtin_popcount(reads))) return lacks(s, kWgL2NoAsk);

  if (!p.found) take_over(s, p.line, req->line);
  p.line->stamp = ++s->stamp;
  if (need_mshr) p.line->mshr = take_mshr(s, p.line);
  p.line->pending |= misses;
  for (unsigned k = 0; k < 4; k++) {
    if ((req->sector_mask >> k & 1u) == 0) continue;
    wg_mem_rsp_t r = make_rsp(req, k, kWgFaultNone);
    memcpy(r.data, data + 32 * k, 32);
    if ((hits >> k & 1u) != 0) {
      rsp_push(&s->hit, &r, now + s->spec.hit_cycles);
    } else {
      add_waiter(s, &s->mshrs[p.line->mshr], k, &r);
      if ((reads >> k & 1u) != 0) mem_push(s, req->line + 32 * k, p.line->mshr * 4u + k, false);
    }
  }
  s->stats.load_sector_hits += num_hits;
  s->stats.load_sector_misses += num_misses;
  s->stats.merged_sectors += (unsigned)__builtin_popcount(merged);
  return true;
}

static bool serve_store(wg_l2_slice_t *s, const wg_mem_req_t *req, uint64_t now) {
  place_t p = lookup(s, req->line);
  if (p.line == NULL) return lacks(s, kWgL2NoWay);
  if (s->hit.count == s->hit.cap) return lacks(s, kWgL2NoAnswer);
  if (!mem_room(s, &p, 0)) return lacks(s, kWgL2NoAsk);
  unsigned k = (unsigned)__builtin_ctz(req->sector_mask);
  if (!p.found) take_over(s, p.line, req->line);
  if (p.line->valid[k] != 0 || (p.line->pending >> k & 1u) != 0) {
    s->stats.store_sector_hits++;
  } else {
    s->stats.store_sector_misses++;
  }
  p.line->stamp = ++s->stamp;
  p.line->valid[k] |= req->byte_mask;
  p.line->dirty |= (uint8_t)(1u << k);
  s->stats.store_bytes += (unsigned)__builtin_popcount(req->byte_mask);
  wg_mem_rsp_t r = make_rsp(req, k, kWgFaultNone);
  rsp_push(&s->hit, &r, now + s->spec.hit_cycles);
  return true;
}

/* The response carries the sector as it was: `data`. */
static bool serve_atomic(wg_l2_slice_t *s, const wg_mem_req_t *req, uint64_t now, const uint8_t *data) {
  if (!serve_load(s, req, now, data)) return false;
  unsigned k = (unsigned)__builtin_ctz(req->sector_mask);
  uint8_t sector[32];
  memcpy(sector, data + 32 * k, sizeof sector);
  wg_ref_atom_sector(req->atom >> 4, req->atom & 15u, req->byte_mask, req->data, req->cmp, sector);
  wg_store_poke_sector(s->store, req->line + 32 * k, sector, req->byte_mask);
  lookup(s, req->line).line->dirty |= (uint8_t)(1u << k);
  s->stats.atomics++;
  s->stats.store_bytes += (unsigned)__builtin_popcount(req->byte_mask);
  return true;
}

static bool serve_fault(wg_l2_slice_t *s, const wg_mem_req_t *req, uint64_t now) {
  if (s->hit.count + (unsigned)__builtin_popcount(req->sector_mask) > s->hit.cap) return lacks(s, kWgL2NoAnswer);
  for (unsigned k = 0; k < 4; k++) {
    if ((req->sector_mask >> k & 1u) == 0) continue;
    wg_mem_rsp_t r = make_rsp(req, k, kWgFaultIllegalAddr);
    rsp_push(&s->hit, &r, now + s->spec.hit_cycles);
  }
  s->stats.faults++;
  s->stats.fault_sectors += (unsigned)__builtin_popcount(req->sector_mask);
  if (req->op == kWgMemStore || req->op == kWgMemAtom || req->op == kWgMemRed)
    s->stats.store_bytes += (unsigned)__builtin_popcount(req->byte_mask);
  return true;
}

bool wg_l2_try_serve(wg_l2_slice_t *s, const wg_mem_req_t *req, uint64_t now) {
  bool store = req->op == kWgMemStore, atomic = req->op == kWgMemAtom || req->op == kWgMemRed;
  WG_BUG(req->op > kWgMemRed || req->sector_mask == 0 || req->sector_mask > 15 || req->line % 128 != 0);
  WG_BUG((store || atomic) && (req->sector_mask & (req->sector_mask - 1)) != 0);
  uint8_t data[128] = {0};
  uint8_t status = wg_store_check(s->store, req->line, 128);
  bool ok;
  if (status != kWgFaultNone) {
    ok = serve_fault(s, req, now);
  } else if (store) {
    ok = serve_store(s, req, now);
    if (ok) {
      uint64_t sector = req->line + 32 * (uint64_t)__builtin_ctz(req->sector_mask);
      wg_store_poke_sector(s->store, sector, req->data, req->byte_mask);
      if (s->serve != NULL) wg_store_peek(s->store, req->line, data, 128);
    }
  } else {
    wg_store_peek(s->store, req->line, data, 128);
    ok = atomic ? serve_atomic(s, req, now, data) : serve_load(s, req, now, data);
    if (ok && atomic && s->serve != NULL) wg_store_peek(s->store, req->line, data, 128);
  }
  if (!ok) return false;
  s->stats.requests++;
  if (s->serve != NULL) s->serve(s->ctx, now, req, data, status);
  return true;
}

const wg_l2_mem_t *wg_l2_peek_mem(const wg_l2_slice_t *s) { return s->mem_count == 0 ? NULL : &s->mem[s->mem_head]; }

void wg_l2_pop_mem(wg_l2_slice_t *s) {
  WG_BUG(s->mem_count == 0);
  s->mem_writes -= s->mem[s->mem_head].write ? 1u : 0u;
  s->mem_head = (s->mem_head + 1) % s->mem_cap;
  s->mem_count--;
}

void wg_l2_fill(wg_l2_slice_t *s, uint32_t tag, uint64_t now) {
  WG_BUG(tag / 4 >= s->spec.mshrs);
  mshr_t *m = &s->mshrs[tag / 4];
  unsigned k = tag % 4;
  line_t *l = &s->lines[m->line];
  WG_BUG((l->pending >> k & 1u) == 0 || l->mshr != tag / 4);
  l->valid[k] = UINT32_MAX;
  l->pending &= (uint8_t)~(1u << k);
  s->stats.fills++;
  for (uint16_t w = m->head[k]; w != kNone;) {
    uint16_t next = s->waiters[w].next;
    rsp_push(&s->fill, &s->waiters[w].rsp, now + s->spec.fill_cycles);
    s->waiters[w].next = s->free_waiter;
    s->free_waiter = w;
    w = next;
  }
  m->head[k] = kNone;
  if (l->pending == 0) {
    l->mshr = kNone;
    s->free_mshrs[s->num_free_mshrs++] = (uint16_t)(tag / 4);
  }
}

const wg_mem_rsp_t *wg_l2_peek_rsp(wg_l2_slice_t *s, uint64_t now) {
  const timed_rsp_t *h = s->hit.count == 0 ? NULL : &s->hit.buf[s->hit.head];
  const timed_rsp_t *f = s->fill.count == 0 ? NULL : &s->fill.buf[s->fill.head];
  bool fill = f != NULL && f->due <= now && (h == NULL || f->due <= h->due);
  if (!fill && (h == NULL || h->due > now)) return NULL;
  s->peeked = fill ? &s->fill : &s->hit;
  return fill ? &f->rsp : &h->rsp;
}

void wg_l2_pop_rsp(wg_l2_slice_t *s) {
  rsp_ring_t *r = s->peeked;
  WG_BUG(r == NULL || r->count == 0);
  r->head = r->head + 1 == r->cap ? 0 : r->head + 1;
  r->count--;
  /* A waiter's place in the fill ring is its own until the response has left. */
  if (r == &s->fill) s->num_free_waiters++;
  s->peeked = NULL;
  s->stats.responses++;
}

uint64_t wg_l2_open(const wg_l2_slice_t *s) {
  return s->hit.count + (s->spec.waiters - s->num_free_waiters);
}

static bool in_ring(const rsp_ring_t *r, uint16_t sm, uint8_t id, uint8_t sector) {
  for (uint32_t i = 0; i < r->count; i++) {
    const wg_mem_rsp_t *p = &r->buf[(r->head + i) % r->cap].rsp;
    if (p->sm == sm && p->id == id && p->sector == sector) return true;
  }
  return false;
}

/* MSHR whose list for this sector holds the answer; kNone if none does. */
static uint16_t waiting_in(const wg_l2_slice_t *s, uint16_t sm, uint8_t id, uint8_t sector) {
  for (size_t i = 0; i < (size_t)s->sets * s->spec.ways; i++) {
    const line_t *l = &s->lines[i];
    if (!l->used || (l->pending >> sector & 1u) == 0) continue;
    for (uint16_t w = s->mshrs[l->mshr].head[sector]; w != kNone; w = s->waiters[w].next) {
      if (s->waiters[w].rsp.sm == sm && s->waiters[w].rsp.id == id) return l->mshr;
    }
  }
  return kNone;
}

wg_l2_where_t wg_l2_find(const wg_l2_slice_t *s, uint16_t sm, uint8_t id, uint8_t sector, uint32_t *tag) {
  if (in_ring(&s->hit, sm, id, sector) || in_ring(&s->fill, sm, id, sector)) return kWgL2Leaving;
  uint16_t m = waiting_in(s, sm, id, sector);
  if (m == kNone) return kWgL2Nowhere;
  *tag = m * 4u + sector;
  for (uint32_t i = 0; i < s->mem_count; i++) {
    const wg_l2_mem_t *q = &s->mem[(s->mem_head + i) % s->mem_cap];
    if (!q->write && q->tag == *tag) return kWgL2Asking;
  }
  return kWgL2Reading;
}

void wg_l2_stats_add(const wg_l2_slice_t *s, wg_l2_stats_t *sum) {
  const wg_l2_stats_t *a = &s->stats;
  sum->requests += a->requests;
  sum->responses += a->responses;
  sum->load_sector_hits += a->load_sector_hits;
  sum->load_sector_misses += a->load_sector_misses;
  sum->store_sector_hits += a->store_sector_hits;
  sum->store_sector_misses += a->store_sector_misses;
  sum->merged_sectors += a->merged_sectors;
  sum->fills += a->fills;
  sum->writeback_sectors += a->writeback_sectors;
  sum->writebacks_waiting += s->mem_writes;
  for (unsigned i = 0; i < kWgL2Lacks; i++) sum->lack_cycles[i] += a->lack_cycles[i];
  sum->stall_cycles += a->stall_cycles;
  sum->fault_sectors += a->fault_sectors;
  sum->atomics += a->atomics;
  sum->store_bytes += a->store_bytes;
  sum->faults += a->faults;
}
