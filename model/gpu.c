// SPDX-License-Identifier: Apache-2.0
#include "model/gpu.h"

#include <inttypes.h>
#include <string.h>

#include "model/gte/gte.h"

enum { kQuietCycles = 8, kDrainCycles = 1000000, kLookCycles = 10000 };

struct wg_gpu {
  wg_preset_t preset;
  wg_sm_t **sm;
  uint32_t num_sms, policy;
  wg_store_t *store;
  wg_gpu_hooks_t hooks;
  uint64_t watchdog_cycles, hang_cycles;
  wg_gte_t *gte;
  wg_mem_t *mem;
  uint64_t cycle, extra_ns;
  bool kill, faulted, dead;
  wg_fault_t fault;
  wg_status_t stop; /* kWgOk = none asked for */
  wg_diag_t stop_diag;
  wg_gpu_stats_t stats;
  uint64_t last_request; /* cycle */
  uint64_t seen_messages, idle_cycles;
};

static uint64_t now_ns(const wg_gpu_t *g) {
  return g->extra_ns + (uint64_t)((unsigned __int128)g->cycle * 1000000 / g->preset.clock_khz);
}

static wg_status_t reset_sms(wg_gpu_t *g, wg_diag_t *diag) {
  for (uint32_t i = 0; i < g->num_sms; i++) {
    wg_sm_cfg_t cfg;
    wg_preset_to_sm_cfg(&g->preset, i, &cfg);
    if (g->policy != UINT32_MAX) cfg.policy = g->policy;
    WG_TRY(g->sm[i]->ops->reset(g->sm[i], &cfg, diag));
  }
  wg_gte_clear(g->gte);
  return kWgOk;
}

static void on_serve(void *ctx, uint64_t cycle, const wg_mem_req_t *req, const uint8_t *data, uint8_t status) {
  wg_gpu_t *g = ctx;
  g->hooks.serve(g->hooks.ctx, cycle, req, data, status);
}

static wg_status_t build(wg_gpu_t *g, wg_diag_t *diag) {
  const wg_preset_t *p = &g->preset;
  wg_sm_cfg_t cfg;
  wg_preset_to_sm_cfg(p, 0, &cfg);
  WG_TRY(wg_gte_create(&p->gte, p->shape, &cfg, g->num_sms, &g->gte, diag));
  WG_TRY(wg_mem_create(p, g->store, g->hooks.serve == NULL ? NULL : on_serve, g, &g->mem, diag));
  return reset_sms(g, diag);
}

wg_status_t wg_gpu_create(const wg_gpu_cfg_t *cfg, wg_gpu_t **out, wg_diag_t *diag) {
  if (cfg->preset == NULL || cfg->sms == NULL || cfg->store == NULL || cfg->preset->num_sms < 1 ||
      cfg->preset->num_sms > kWgXbarMaxSms) {
    return wg_fail(diag, kWgBadArg, "a GPU needs a preset, 1 to %d SMs and a device memory", kWgXbarMaxSms);
  }
  wg_gpu_t *g = calloc(1, sizeof *g);
  if (g != NULL) g->sm = calloc(cfg->preset->num_sms, sizeof(wg_sm_t *));
  if (g == NULL || g->sm == NULL) {
    free(g);
    return wg_fail(diag, kWgNoSpace, "no host memory for the GPU");
  }
  g->preset = *cfg->preset;
  g->num_sms = cfg->preset->num_sms;
  memcpy(g->sm, cfg->sms, g->num_sms * sizeof(wg_sm_t *));
  g->policy = cfg->policy;
  g->store = cfg->store;
  g->hooks = cfg->hooks;
  g->watchdog_cycles = cfg->watchdog_cycles == 0 ? 10000 : cfg->watchdog_cycles;
  g->hang_cycles = cfg->hang_cycles == 0 ? 1000000 : cfg->hang_cycles;
  wg_status_t st = build(g, diag);
  if (st != kWgOk) {
    wg_gpu_destroy(g);
    return st;
  }
  *out = g;
  return kWgOk;
}

void wg_gpu_destroy(wg_gpu_t *g) {
  if (g == NULL) return;
  wg_mem_destroy(g->mem);
  wg_gte_destroy(g->gte);
  free(g->sm);
  free(g);
}

void wg_gpu_stop(wg_gpu_t *g, wg_status_t st, const wg_diag_t *why) {
  if (g->stop != kWgOk || st == kWgOk) return;
  g->stop = st;
  if (why != NULL) g->stop_diag = *why;
}

wg_status_t wg_gpu_submit(wg_gpu_t *g, const wg_grid_t *grid, wg_diag_t *diag) {
  if (g->dead) return wg_fail(diag, kWgFault, "the GPU did not drain after an earlier failure: no more launches");
  return wg_gte_submit(g->gte, grid, diag);
}

static void give_responses(wg_gpu_t *g, uint64_t now) {
  wg_mem_rsp_t rsp;
  for (uint32_t i = 0; i < g->num_sms; i++) {
    while (wg_mem_rsp(g->mem, i, now, &rsp)) g->sm[i]->ops->push_rsp(g->sm[i], &rsp);
  }
}

static void dispatch(wg_gpu_t *g, uint64_t now) {
  uint32_t i = 0;
  if (g->kill || !wg_gte_peek(g->gte, now, &i) || !g->sm[i]->ops->can_launch(g->sm[i])) return;
  wg_cta_launch_t launch;
  uint8_t slot = wg_gte_dispatch(g->gte, now, &launch);
  g->sm[i]->ops->launch(g->sm[i], &launch);
  g->stats.blocks_started++;
  if (g->hooks.block_start != NULL) g->hooks.block_start(g->hooks.ctx, now, (uint16_t)i, slot, &launch);
}

static void take_requests(wg_gpu_t *g, uint32_t i, uint64_t now) {
  wg_sm_t *sm = g->sm[i];
  wg_mem_req_t req;
  while (wg_mem_can_req(g->mem, i) && sm->ops->pop_req(sm, &req)) {
    req.sm = (uint16_t)i;
    wg_mem_req(g->mem, &req, now);
    g->last_request = now;
  }
}

static void take_events(wg_gpu_t *g, uint32_t i, uint64_t now) {
  wg_sm_t *sm = g->sm[i];
  wg_cta_done_t done;
  while (sm->ops->pop_done(sm, &done)) {
    wg_diag_t why = {0};
    wg_status_t st = wg_gte_done(g->gte, i, &done, now, &why);
    if (st != kWgOk && !g->kill) wg_gpu_stop(g, st, &why);
    g->stats.blocks_done++;
    if (g->hooks.block_done != NULL) g->hooks.block_done(g->hooks.ctx, now, (uint16_t)i, &done);
  }
  wg_fault_t fault;
  if (sm->ops->pop_fault(sm, &fault) && !g->faulted) {
    g->faulted = g->kill = true; /* SMs are asked in order, so the first by (cycle, SM) stays */
    g->fault = fault;
    g->fault.sm = (uint16_t)i;
    g->fault.cycle = now;
  }
}

void wg_gpu_tick(wg_gpu_t *g) {
  uint64_t now = g->cycle, ns = now_ns(g);
  give_responses(g, now);
  dispatch(g, now);
  for (uint32_t i = 0; i < g->num_sms; i++) g->sm[i]->ops->tick(g->sm[i], ns, g->kill);
  for (uint32_t i = 0; i < g->num_sms; i++) {
    take_requests(g, i, now);
    take_events(g, i, now);
  }
  wg_mem_tick(g->mem, now);
  g->cycle++;
}

/* @return false if the run should be given up as hung */
static bool watch(wg_gpu_t *g) {
  wg_gpu_progress_t p = {.cycle = g->cycle};
  for (uint32_t i = 0; i < g->num_sms; i++) p.issued += g->sm[i]->ops->activity(g->sm[i]).issued;
  wg_mem_counts_t m;
  wg_mem_counts(g->mem, &m);
  uint64_t messages = m.requests + m.responses + g->stats.blocks_started + g->stats.blocks_done;
  p.messages = messages - g->seen_messages;
  g->seen_messages = messages;
  g->idle_cycles = p.issued + p.messages != 0 ? 0 : g->idle_cycles + g->watchdog_cycles;
  p.idle_cycles = g->idle_cycles;
  if (g->hooks.watchdog != NULL) return g->hooks.watchdog(g->hooks.ctx, &p);
  return p.idle_cycles < g->hang_cycles;
}

/* What the checker of the memory system says in this cycle. */
static wg_status_t ask_checker(wg_gpu_t *g, wg_diag_t *diag) {
  if (g->cycle % kLookCycles == 0) return wg_mem_look(g->mem, g->cycle, diag);
  return wg_mem_status(g->mem, diag);
}

/* Until every response is delivered and the SMs have fallen silent; then the counters must add up.
   @return kWgOk; kWgMismatch of the checker; kWgHang if the traffic does not end */
static wg_status_t drain(wg_gpu_t *g, wg_diag_t *diag) {
  uint64_t begin = g->cycle;
  WG_TRY(wg_mem_status(g->mem, diag));
  while (wg_mem_owed(g->mem) != 0 || g->cycle - (g->last_request > begin ? g->last_request : begin) < kQuietCycles) {
    if (g->cycle - begin > kDrainCycles) {
      return wg_fail(diag, kWgHang, "the memory system does not drain after the last block has ended");
    }
    wg_gpu_tick(g);
    WG_TRY(ask_checker(g, diag));
  }
  wg_mem_counts_t c;
  wg_mem_counts(g->mem, &c);
  return wg_mem_sums(&c, diag);
}

static wg_status_t describe_fault(const wg_gpu_t *g, wg_diag_t *diag) {
  const wg_fault_t *f = &g->fault;
  return wg_fail(diag, kWgFault,
                 "%s on SM %u: grid %u, block (%u,%u,%u), warp %u, lanes 0x%08x, pc 0x%x, address 0x%" PRIx64,
                 wg_fault_name(f->code), f->sm, f->grid_id, f->ctaid[0], f->ctaid[1], f->ctaid[2],
                 f->warp_in_block, f->lanes, f->pc, f->addr);
}

static wg_status_t describe_hang(const wg_gpu_t *g, wg_diag_t *diag) {
  return wg_fail(diag, kWgHang, "no progress up to cycle %" PRIu64 ": %" PRIu64 " blocks resident, %" PRIu64
                 " memory responses outstanding", g->cycle, g->stats.blocks_started - g->stats.blocks_done, wg_mem_owed(g->mem));
}

wg_status_t wg_gpu_run(wg_gpu_t *g, wg_diag_t *diag) {
  wg_status_t st = kWgOk;
  g->faulted = g->kill = false;
  g->stop = kWgOk;
  g->idle_cycles = 0;
  uint64_t next_watch = g->cycle + g->watchdog_cycles;
  while (st == kWgOk && !wg_gte_idle(g->gte)) {
    wg_gpu_tick(g);
    if (g->stop != kWgOk) {
      st = g->stop;
      if (diag != NULL) *diag = g->stop_diag;
    } else if (g->faulted) {
      st = describe_fault(g, diag);
    } else {
      st = ask_checker(g, diag);
    }
    if (st == kWgOk && g->cycle == next_watch) {
      next_watch += g->watchdog_cycles;
      if (!watch(g)) st = describe_hang(g, diag);
    }
  }
  g->kill = st != kWgOk;
  wg_diag_t why = {0};
  wg_status_t drained = drain(g, &why);
  if (st == kWgOk && g->stop != kWgOk) {
    st = g->stop;
    if (diag != NULL) *diag = g->stop_diag;
  }
  if (st == kWgOk && g->faulted) st = describe_fault(g, diag);
  if (drained != kWgOk) {
    g->dead = true;
    if (st == kWgOk && diag != NULL) *diag = why;
    return st == kWgOk ? drained : st;
  }
  g->kill = false;
  WG_TRY(reset_sms(g, st == kWgOk ? diag : NULL));
  return st;
}

bool wg_gpu_idle(const wg_gpu_t *g) { return wg_gte_idle(g->gte); }

bool wg_gpu_last_grid(const wg_gpu_t *g, wg_grid_result_t *out) {
  wg_gte_result_t r;
  if (wg_gte_results(g->gte, &r) == 0) return false;
  *out = (wg_grid_result_t){r.start_cycle, r.end_cycle, r.end_cycle - r.start_cycle + 1, r.blocks};
  return true;
}

bool wg_gpu_fault(const wg_gpu_t *g, wg_fault_t *out) {
  if (g->faulted && out != NULL) *out = g->fault;
  return g->faulted;
}

void wg_gpu_stats(const wg_gpu_t *g, wg_gpu_stats_t *out) {
  wg_gpu_stats_t s = g->stats;
  s.cycles = g->cycle;
  s.grids_done = wg_gte_results(g->gte, NULL);
  wg_mem_counts_t c;
  wg_mem_counts(g->mem, &c);
#define WG_MEMCOUNT(FIELD, KEY, TABLE, DOC) s.FIELD = c.FIELD;
#include "model/mem/mem_counts.def"
  *out = s;
}

void wg_gpu_inject(wg_gpu_t *g, wg_mem_fault_t fault, uint64_t from) { wg_mem_inject(g->mem, fault, from); }

uint64_t wg_gpu_cycle(const wg_gpu_t *g) { return g->cycle; }
uint64_t wg_gpu_time_ns(const wg_gpu_t *g) { return now_ns(g); }
void wg_gpu_advance_ns(wg_gpu_t *g, uint64_t ns) { g->extra_ns += ns; }

uint64_t wg_gpu_local_stride(const wg_gpu_t *g, uint32_t local_bytes) {
  uint64_t warps = (uint64_t)g->preset.shape->sub_cores * g->preset.shape->warp_slots;
  return warps * kWgWarpThreads * local_bytes;
}

uint32_t wg_gpu_blocks_per_sm(const wg_gpu_t *g, uint32_t threads, uint32_t regs_per_thread, uint32_t shared_bytes) {
  return wg_gte_blocks_per_sm(g->gte, threads, regs_per_thread, shared_bytes);
}
