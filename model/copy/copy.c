// SPDX-License-Identifier: Apache-2.0
#include "model/copy/copy.h"

#include <stdlib.h>
#include <string.h>

const wg_copy_link_t kWgCopyLinks[] = {
#define WG_COPY_LINK(NAME, LANES, RATE, BITS, OF, PERMILLE, SOURCE) {#NAME, LANES, RATE, BITS, OF, PERMILLE, SOURCE},
#include "model/copy/links.def"
    {NULL, 0, 0, 0, 0, 0, NULL}};

typedef struct engine {
  bool busy; /* a copy that was not popped */
  wg_copy_done_t copy;
  uint64_t free_ns;
} engine_t;

struct wg_copy {
  wg_copy_spec_t spec;
  uint64_t rate[kWgCopyKinds]; /* 10^6 bytes a second */
  engine_t engine[kWgCopyServing];
  wg_copy_stats_t stats[kWgCopyKinds];
};

const wg_copy_link_t *wg_copy_link_find(const char *name) {
  for (const wg_copy_link_t *l = kWgCopyLinks; l->name != NULL; l++) {
    if (strcmp(l->name, name) == 0) return l;
  }
  return NULL;
}

uint32_t wg_copy_link_raw_mbytes_per_s(const wg_copy_link_t *l) {
  return (uint32_t)((uint64_t)l->lanes * l->mega_transfers_per_s * l->code_bits / (8u * l->code_of));
}

uint32_t wg_copy_link_mbytes_per_s(const wg_copy_link_t *l) {
  return (uint32_t)((uint64_t)wg_copy_link_raw_mbytes_per_s(l) * l->permille / 1000);
}

wg_status_t wg_copy_create(const wg_copy_spec_t *spec, uint64_t memory_mbytes_per_s, wg_copy_t **out, wg_diag_t *diag) {
  uint64_t within = memory_mbytes_per_s * spec->memory_copy_permille / 2000;
  uint64_t set = memory_mbytes_per_s * spec->memory_set_permille / 1000;
  if (spec->link == NULL || spec->engines < 1 || spec->engines > kWgCopyMaxEngines || spec->staging_mbytes_per_s == 0 ||
      spec->staging_bytes == 0 || within == 0 || set == 0) {
    return wg_fail(diag, kWgBadArg, "copy engines need a link, 1 to %d engines and rates above 0", kWgCopyMaxEngines);
  }
  wg_copy_t *c = calloc(1, sizeof *c);
  if (c == NULL) return wg_fail(diag, kWgNoSpace, "no host memory for the copy engines");
  c->spec = *spec;
  c->rate[kWgCopyToDevice] = c->rate[kWgCopyToHost] = wg_copy_link_mbytes_per_s(spec->link);
  c->rate[kWgCopyWithin] = within;
  c->rate[kWgCopySet] = set;
  *out = c;
  return kWgOk;
}

void wg_copy_destroy(wg_copy_t *c) { free(c); }

static uint64_t move_ns(uint64_t bytes, uint64_t mbytes_per_s) {
  return (uint64_t)(((unsigned __int128)bytes * 1000 + mbytes_per_s - 1) / mbytes_per_s);
}

uint64_t wg_copy_staging_ns(const wg_copy_t *c, uint64_t bytes) { return move_ns(bytes, c->spec.staging_mbytes_per_s); }

/* Pageable: host and engine work piece by piece, one behind the other, so the slower of the two sets the pace and the last piece
   (to the host) or the first (to the device, staged before the copy is queued) is added. */
uint64_t wg_copy_time_ns(const wg_copy_t *c, const wg_copy_req_t *r) {
  uint64_t link = move_ns(r->bytes, c->rate[r->kind]);
  if (!r->pageable || r->kind > kWgCopyToHost) return c->spec.copy_ns + link;
  uint64_t piece = r->bytes < kWgCopyPieceBytes ? r->bytes : kWgCopyPieceBytes;
  uint64_t host = wg_copy_staging_ns(c, r->bytes - piece);
  if (r->kind == kWgCopyToHost) {
    uint64_t paced = host + move_ns(piece, c->rate[r->kind]);
    return c->spec.copy_ns + (paced > link ? paced : link) + wg_copy_staging_ns(c, piece);
  }
  uint64_t paced = host + move_ns(piece, c->rate[r->kind]);
  return c->spec.copy_ns + (paced > link ? paced : link);
}

uint32_t wg_copy_engine(const wg_copy_t *c, wg_copy_kind_t kind) {
  uint32_t last = (c->spec.engines < kWgCopyServing ? c->spec.engines : kWgCopyServing) - 1;
  uint32_t want = kind == kWgCopyToDevice ? 0 : kind == kWgCopyToHost ? 1 : kWgCopyServing - 1;
  return want < last ? want : last;
}

uint64_t wg_copy_free_ns(const wg_copy_t *c, wg_copy_kind_t kind) { return c->engine[wg_copy_engine(c, kind)].free_ns; }

bool wg_copy_can_accept(const wg_copy_t *c, wg_copy_kind_t kind, uint64_t now) {
  const engine_t *e = &c->engine[wg_copy_engine(c, kind)];
  return !e->busy && e->free_ns <= now;
}

uint64_t wg_copy_push(wg_copy_t *c, const wg_copy_req_t *r, uint64_t now) {
  uint32_t i = wg_copy_engine(c, r->kind);
  engine_t *e = &c->engine[i];
  WG_BUG(!wg_copy_can_accept(c, r->kind, now));
  uint64_t time = wg_copy_time_ns(c, r);
  *e = (engine_t){true, {r->tag, now, now + time, i}, now + time};
  c->stats[r->kind].copies++;
  c->stats[r->kind].bytes += r->bytes;
  c->stats[r->kind].busy_ns += time;
  return now + time;
}

static engine_t *first(const wg_copy_t *c) {
  const engine_t *best = NULL;
  for (uint32_t i = 0; i < kWgCopyServing; i++) {
    const engine_t *e = &c->engine[i];
    if (e->busy && (best == NULL || e->free_ns < best->free_ns)) best = e;
  }
  return (engine_t *)(uintptr_t)best;
}

uint64_t wg_copy_next_ns(const wg_copy_t *c) {
  const engine_t *e = first(c);
  return e == NULL ? UINT64_MAX : e->free_ns;
}

bool wg_copy_pop(wg_copy_t *c, uint64_t now, wg_copy_done_t *done) {
  engine_t *e = first(c);
  if (e == NULL || e->free_ns > now) return false;
  *done = e->copy;
  e->busy = false;
  return true;
}

void wg_copy_clear(wg_copy_t *c) { memset(c->engine, 0, sizeof c->engine); }

void wg_copy_stats(const wg_copy_t *c, wg_copy_kind_t kind, wg_copy_stats_t *out) { *out = c->stats[kind]; }
