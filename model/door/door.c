// SPDX-License-Identifier: Apache-2.0
#include "model/door/door.h"

#include <inttypes.h>

enum { kIds = 256 };

struct wg_door {
  uint32_t sms;
  wg_door_open_t *at; /* [sms * kIds] */
  uint64_t open;      /* sectors */
  wg_door_stats_t stats;
};

static const char *op_name(uint8_t op) {
  switch (op) {
#define WG_MEMOP(ID, VALUE, NAME, DOC) \
  case VALUE: return NAME;
#include "isa/cfg.def"
    default: return "unknown operation";
  }
}

static uint64_t bytes_stored(const wg_mem_req_t *req) {
  bool stores = req->op == kWgMemStore || req->op == kWgMemAtom || req->op == kWgMemRed;
  return stores ? (unsigned)__builtin_popcount(req->byte_mask) : 0u;
}

wg_status_t wg_door_create(uint32_t sms, wg_door_t **out, wg_diag_t *diag) {
  wg_door_t *d = calloc(1, sizeof *d);
  if (d != NULL) d->at = calloc((size_t)sms * kIds, sizeof *d->at);
  if (d == NULL || d->at == NULL) {
    wg_door_destroy(d);
    return wg_fail(diag, kWgNoSpace, "no host memory for the memory system's checker");
  }
  d->sms = sms;
  *out = d;
  return kWgOk;
}

void wg_door_destroy(wg_door_t *d) {
  if (d == NULL) return;
  free(d->at);
  free(d);
}

const char *wg_door_describe(uint16_t sm, uint8_t id, const wg_door_open_t *o, uint64_t now, char *buf, size_t n) {
  snprintf(buf, n, "%s of line 0x%" PRIx64 " (sectors 0x%x of 0x%x open), SM %u, id %u, warp %u, pc 0x%x, age %" PRIu64 " cycles",
           op_name(o->op), o->line, o->pending, o->asked, sm, id, o->warp, o->pc, now - o->cycle);
  return buf;
}

/* The next flit of an open atomic: another sector of the same access. */
static bool next_flit(const wg_door_open_t *o, const wg_mem_req_t *req) {
  return o->op == kWgMemAtom && req->op == kWgMemAtom && o->line == req->line && o->warp == req->warp && o->pc == req->pc &&
         (o->asked & req->sector_mask) == 0;
}

wg_status_t wg_door_req(wg_door_t *d, const wg_mem_req_t *req, uint64_t now, wg_diag_t *diag) {
  WG_BUG(req->sm >= d->sms);
  wg_door_open_t *o = &d->at[(size_t)req->sm * kIds + req->id];
  bool more = o->pending != 0 && next_flit(o, req);
  if (o->pending != 0 && !more) {
    char text[200];
    return wg_fail(diag, kWgMismatch, "memory checker: an id is used again while it is open: %s",
                   wg_door_describe(req->sm, req->id, o, now, text, sizeof text));
  }
  if (!more) *o = (wg_door_open_t){.line = req->line, .cycle = now, .pc = req->pc, .op = req->op, .warp = req->warp};
  o->asked |= req->sector_mask;
  o->pending |= req->sector_mask;
  for (unsigned s = 0; s < 4; s++) {
    if ((req->sector_mask >> s & 1u) != 0) o->from[s] = now;
  }
  uint64_t sectors = (unsigned)__builtin_popcount(req->sector_mask);
  d->open += sectors;
  d->stats.requests++;
  d->stats.asked += sectors;
  d->stats.store_bytes += bytes_stored(req);
  return kWgOk;
}

wg_status_t wg_door_rsp(wg_door_t *d, const wg_mem_rsp_t *rsp, uint64_t now, wg_diag_t *diag) {
  WG_BUG(rsp->sm >= d->sms);
  wg_door_open_t *o = &d->at[(size_t)rsp->sm * kIds + rsp->id];
  if (rsp->sector > 3 || (o->pending >> rsp->sector & 1u) == 0) {
    bool asked = rsp->sector <= 3 && (o->asked >> rsp->sector & 1u) != 0;
    return wg_fail(diag, kWgMismatch,
                   "memory checker: %s: SM %u, id %u, sector %u of line 0x%" PRIx64 " (%s, warp %u, pc 0x%x), %" PRIu64
                   " cycles after the %s of that id",
                   asked ? "duplicated response" : "response that nobody asked for", rsp->sm, rsp->id, rsp->sector, o->line,
                   op_name(o->op), o->warp, o->pc, now - o->cycle, o->pending != 0 ? "request" : "last response");
  }
  o->pending &= (uint8_t)~(1u << rsp->sector);
  uint64_t took = now - o->from[rsp->sector];
  d->open--;
  d->stats.answered++;
  d->stats.latency_cycles += took;
  if (took > d->stats.max_latency_cycles) d->stats.max_latency_cycles = took;
  if (o->pending == 0) o->cycle = now;
  return kWgOk;
}

void wg_door_tick(wg_door_t *d) { d->stats.in_flight_cycles += d->open; }

bool wg_door_oldest(const wg_door_t *d, uint16_t *sm, uint8_t *id, wg_door_open_t *out) {
  const wg_door_open_t *best = NULL;
  if (d->open == 0) return false;
  for (size_t i = 0; i < (size_t)d->sms * kIds; i++) {
    const wg_door_open_t *o = &d->at[i];
    if (o->pending == 0 || (best != NULL && best->cycle <= o->cycle)) continue;
    best = o;
    *sm = (uint16_t)(i / kIds);
    *id = (uint8_t)(i % kIds);
  }
  WG_BUG(best == NULL);
  *out = *best;
  return true;
}

void wg_door_stats(const wg_door_t *d, wg_door_stats_t *out) { *out = d->stats; }
