// SPDX-License-Identifier: Apache-2.0
#include "model/gte/gte.h"

#include <inttypes.h>
#include <string.h>

#include "model/twin/cta_alloc.h"

enum { kMaxQueue = 64, kMaxBlockThreads = 1024 };

/** A block on an SM. */
typedef struct resident {
  bool used;
  uint32_t grid_id, ctaid[3];
} resident_t;

typedef struct sm_state {
  wg_cta_alloc_t room;
  uint32_t threads;   /* resident, in whole warps */
  resident_t block[kWgMaxBlockSlots];
  uint32_t grid_seen; /* serial number of the grid whose first block this SM has had */
} sm_state_t;

struct wg_gte {
  wg_gte_spec_t spec;
  wg_cta_alloc_t empty;  /* an empty SM */
  uint32_t thread_slots; /* of an SM; 0 = the warp slots alone decide */
  uint32_t sms;
  sm_state_t *sm;
  wg_grid_t queue[kMaxQueue];
  uint32_t head, count;
  /* the grid at the head */
  uint32_t serial;
  uint32_t warps;       /* of a block */
  uint64_t total, sent, ended;
  uint32_t next_id[3];
  uint64_t start_cycle;
  /* placement */
  uint32_t turn;        /* SM that is asked first */
  bool chosen, blocked; /* a place is found; or no SM has one until a block ends */
  uint32_t chosen_sm;
  wg_cta_place_t place;
  uint64_t not_before;
  wg_gte_result_t last;
  uint64_t num_results;
};

wg_status_t wg_gte_create(const wg_gte_spec_t *spec, const wg_shape_t *shape, const wg_sm_cfg_t *cfg, uint32_t sms,
                          wg_gte_t **out, wg_diag_t *diag) {
  if (spec->queue_grids < 1 || spec->queue_grids > kMaxQueue || spec->dispatch_cycles < 1 || sms < 1) {
    return wg_fail(diag, kWgBadArg, "a number of the GigaThread engine's spec is out of range");
  }
  wg_gte_t *g = calloc(1, sizeof *g);
  if (g != NULL) g->sm = calloc(sms, sizeof *g->sm);
  if (g == NULL || g->sm == NULL) {
    wg_gte_destroy(g);
    return wg_fail(diag, kWgNoSpace, "no host memory for the GigaThread engine");
  }
  g->spec = *spec;
  g->sms = sms;
  wg_cta_alloc_reset(&g->empty, shape->sub_cores, cfg);
  g->thread_slots = cfg->thread_slots;
  wg_gte_clear(g);
  *out = g;
  return kWgOk;
}

void wg_gte_destroy(wg_gte_t *g) {
  if (g == NULL) return;
  free(g->sm);
  free(g);
}

void wg_gte_clear(wg_gte_t *g) {
  for (uint32_t i = 0; i < g->sms; i++) g->sm[i] = (sm_state_t){.room = g->empty};
  g->head = g->count = 0;
  g->chosen = g->blocked = false;
  g->turn = 0;
  g->total = g->sent = g->ended = 0;
  g->serial++;
}

static uint32_t round_regs(uint32_t regs) { return (regs + kWgRegUnit - 1) / kWgRegUnit * kWgRegUnit; }

static wg_status_t check_fields(const wg_grid_t *k, wg_diag_t *diag) {
  const uint32_t max_grid[3] = {INT32_MAX, 65535, 65535}, max_block[3] = {1024, 1024, 64};
  for (unsigned i = 0; i < 3; i++) {
    if (k->grid[i] < 1 || k->grid[i] > max_grid[i]) {
      return wg_fail(diag, kWgBadArg, "invalid grid: %u blocks in %c, must be 1 to %u", k->grid[i], "xyz"[i],
                     max_grid[i]);
    }
    if (k->block[i] < 1 || k->block[i] > max_block[i]) {
      return wg_fail(diag, kWgBadArg, "invalid block: %u threads in %c, must be 1 to %u", k->block[i], "xyz"[i],
                     max_block[i]);
    }
  }
  uint32_t threads = k->block[0] * k->block[1] * k->block[2];
  if (threads > kMaxBlockThreads) {
    return wg_fail(diag, kWgBadArg, "invalid block: %u threads, at most %d are allowed", threads, kMaxBlockThreads);
  }
  if (k->regs_per_thread < 1 || k->regs_per_thread > 255 || k->barriers > kWgBarriers || k->local_bytes % 4 != 0 ||
      k->local_arena % kWgLineBytes != 0) {
    return wg_fail(diag, kWgBadArg, "invalid kernel: %u registers, %u barriers, %u bytes of local memory a thread",
                   k->regs_per_thread, k->barriers, k->local_bytes);
  }
  return kWgOk;
}

static wg_status_t never(wg_diag_t *diag, const char *what, uint64_t needs, uint64_t has) {
  if (diag != NULL) {
    snprintf(diag->hint, sizeof diag->hint, "use smaller blocks, less of that resource, or a preset with a larger SM");
  }
  return wg_fail(diag, kWgNoSpace, "a block never fits on an SM: it needs %" PRIu64 " %s, an SM has %" PRIu64, needs,
                 what, has);
}

/* Can an empty SM hold one block? The diag names the first resource that says no. */
static wg_status_t check_fit(const wg_gte_t *g, uint32_t warps, uint32_t regs, uint64_t shared, wg_diag_t *diag) {
  const wg_cta_alloc_t *r = &g->empty;
  uint32_t threads = warps * kWgWarpThreads, per_sub = (warps + r->sub_cores - 1) / r->sub_cores;
  if (g->thread_slots != 0 && threads > g->thread_slots) return never(diag, "threads", threads, g->thread_slots);
  if (per_sub > r->warp_slots) return never(diag, "warp slots", warps, (uint64_t)r->warp_slots * r->sub_cores);
  if (per_sub * regs > r->reg_rows) {
    return never(diag, "registers in a sub-core", (uint64_t)per_sub * regs * kWgWarpThreads,
                 (uint64_t)r->reg_rows * kWgWarpThreads);
  }
  uint64_t size = shared > UINT32_MAX / 2 ? shared : wg_cta_alloc_shared(r, (uint32_t)shared);
  if (size > r->shared_bytes) return never(diag, "bytes of shared memory", size, r->shared_bytes);
  if (r->block_slots < 1) return never(diag, "block slots", 1, r->block_slots);
  wg_cta_place_t place;
  WG_BUG(!wg_cta_alloc_find(r, warps, regs, (uint32_t)shared, &place));
  return kWgOk;
}

static uint32_t block_warps(const wg_grid_t *k) {
  return (k->block[0] * k->block[1] * k->block[2] + kWgWarpThreads - 1) / kWgWarpThreads;
}

static void start_grid(wg_gte_t *g) {
  const wg_grid_t *k = &g->queue[g->head];
  g->serial++;
  g->warps = block_warps(k);
  g->total = (uint64_t)k->grid[0] * k->grid[1] * k->grid[2];
  g->sent = g->ended = 0;
  memset(g->next_id, 0, sizeof g->next_id);
  g->chosen = g->blocked = false;
  g->turn = 0;
}

wg_status_t wg_gte_submit(wg_gte_t *g, const wg_grid_t *grid, wg_diag_t *diag) {
  WG_TRY(check_fields(grid, diag));
  uint32_t regs = round_regs(grid->regs_per_thread);
  uint64_t shared = (uint64_t)grid->static_shared_bytes + grid->dyn_shared_bytes;
  WG_TRY(check_fit(g, block_warps(grid), regs, shared, diag));
  if (g->count == g->spec.queue_grids) {
    return wg_fail(diag, kWgNoSpace, "the launch queue is full: %u grids wait", g->count);
  }
  wg_grid_t *q = &g->queue[(g->head + g->count++) % kMaxQueue];
  *q = *grid;
  q->regs_per_thread = regs;
  if (g->count == 1) start_grid(g);
  return kWgOk;
}

/* The next SM in turn on which the block fits. */
static void choose(wg_gte_t *g) {
  const wg_grid_t *k = &g->queue[g->head];
  uint32_t shared = k->static_shared_bytes + k->dyn_shared_bytes;
  for (uint32_t i = 0; i < g->sms; i++) {
    uint32_t sm = (g->turn + i) % g->sms;
    const sm_state_t *s = &g->sm[sm];
    if (g->thread_slots != 0 && s->threads + g->warps * kWgWarpThreads > g->thread_slots) continue;
    if (!wg_cta_alloc_find(&s->room, g->warps, k->regs_per_thread, shared, &g->place)) continue;
    g->chosen = true;
    g->chosen_sm = sm;
    return;
  }
  g->blocked = true;
}

bool wg_gte_peek(wg_gte_t *g, uint64_t now, uint32_t *sm) {
  if (g->count == 0 || g->sent == g->total || g->blocked || now < g->not_before) return false;
  if (!g->chosen) choose(g);
  if (g->chosen) *sm = g->chosen_sm;
  return g->chosen;
}

static void fill_launch(const wg_gte_t *g, const wg_grid_t *k, bool first, wg_cta_launch_t *l) {
  memset(l, 0, sizeof *l);
  l->grid_id = k->grid_id;
  for (unsigned i = 0; i < 3; i++) {
    l->ctaid[i] = g->next_id[i];
    l->ntid[i] = k->block[i];
    l->nctaid[i] = k->grid[i];
  }
  l->entry_pc = k->entry_pc;
  l->regs_per_thread = k->regs_per_thread;
  l->shared_bytes = k->static_shared_bytes + k->dyn_shared_bytes;
  l->local_bytes = k->local_bytes;
  l->barriers = k->barriers;
  l->code_base = k->code_base;
  memcpy(l->const_base, k->const_base, sizeof l->const_base);
  memcpy(l->const_size, k->const_size, sizeof l->const_size);
  l->local_arena = k->local_arena + g->chosen_sm * k->local_stride;
  l->inval_l1 = first;
  l->inval_const = first && k->inval_const;
  l->inval_insn = first && k->inval_insn;
}

uint8_t wg_gte_dispatch(wg_gte_t *g, uint64_t now, wg_cta_launch_t *launch) {
  WG_BUG(!g->chosen);
  const wg_grid_t *k = &g->queue[g->head];
  sm_state_t *s = &g->sm[g->chosen_sm];
  fill_launch(g, k, s->grid_seen != g->serial, launch);
  s->grid_seen = g->serial;
  wg_cta_alloc_take(&s->room, &g->place);
  s->threads += g->warps * kWgWarpThreads;
  resident_t *b = &s->block[g->place.block];
  b->used = true;
  b->grid_id = k->grid_id;
  memcpy(b->ctaid, g->next_id, sizeof b->ctaid);
  if (g->sent == 0) g->start_cycle = now;
  g->sent++;
  for (unsigned i = 0; i < 3; i++) {
    if (++g->next_id[i] < k->grid[i]) break;
    g->next_id[i] = 0;
  }
  g->turn = (g->chosen_sm + 1) % g->sms;
  g->chosen = false;
  g->not_before = now + g->spec.dispatch_cycles;
  return g->place.block;
}

wg_status_t wg_gte_done(wg_gte_t *g, uint32_t sm, const wg_cta_done_t *done, uint64_t now, wg_diag_t *diag) {
  resident_t *b = done->block_slot < kWgMaxBlockSlots ? &g->sm[sm].block[done->block_slot] : NULL;
  if (b == NULL || !b->used || b->grid_id != done->grid_id || memcmp(b->ctaid, done->ctaid, sizeof b->ctaid) != 0) {
    return wg_fail(diag, kWgMismatch,
                   "SM %u reports the end of block (%u,%u,%u) of grid %u in block slot %u, "
                   "but the allocator's twin has %s",
                   sm, done->ctaid[0], done->ctaid[1], done->ctaid[2], done->grid_id, done->block_slot,
                   b == NULL || !b->used ? "no block there" : "another block there");
  }
  b->used = false;
  wg_cta_alloc_t *room = &g->sm[sm].room;
  g->sm[sm].threads -= room->block[done->block_slot].warps * (uint32_t)kWgWarpThreads;
  wg_cta_alloc_free(room, done->block_slot);
  g->blocked = false;
  g->chosen = false; /* the allocator may now answer differently */
  if (++g->ended < g->total) return kWgOk;
  g->last = (wg_gte_result_t){done->grid_id, g->start_cycle, now, g->total};
  g->num_results++;
  g->head = (g->head + 1) % kMaxQueue;
  g->count--;
  if (g->count > 0) start_grid(g);
  return kWgOk;
}

bool wg_gte_idle(const wg_gte_t *g) { return g->count == 0; }

uint64_t wg_gte_results(const wg_gte_t *g, wg_gte_result_t *last) {
  if (last != NULL) *last = g->last;
  return g->num_results;
}

uint32_t wg_gte_blocks_per_sm(const wg_gte_t *g, uint32_t threads, uint32_t regs_per_thread, uint32_t shared_bytes) {
  uint32_t warps = (threads + kWgWarpThreads - 1) / kWgWarpThreads, regs = round_regs(regs_per_thread), n = 0;
  if (warps == 0 || warps > kMaxBlockThreads / kWgWarpThreads || regs == 0 || shared_bytes > INT32_MAX) return 0;
  wg_cta_alloc_t r = g->empty;
  wg_cta_place_t place;
  while (g->thread_slots == 0 || (n + 1) * warps * kWgWarpThreads <= g->thread_slots) {
    if (!wg_cta_alloc_find(&r, warps, regs, shared_bytes, &place)) break;
    wg_cta_alloc_take(&r, &place);
    n++;
  }
  return n;
}
