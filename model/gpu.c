// SPDX-License-Identifier: Apache-2.0
#include "model/gpu.h"

#include <inttypes.h>
#include <string.h>

#include "model/gte/gte.h"
#include "model/ref/wg_ref_atom.h"
#include "model/sm/sm_pool.h"

enum { kQuietCycles = 8, kDrainCycles = 1000000, kLookCycles = 10000 };

struct wg_gpu {
  wg_preset_t preset;
  wg_sm_t **sm;
  uint32_t num_sms, policy;
  wg_store_t *store;
  wg_gpu_hooks_t hooks;
  uint64_t watchdog_cycles, hang_cycles;
  void (*make_cycle)(void *ctx, wg_gpu_t *g);
  void *cycle_ctx;
  wg_sm_pool_t *pool; /* NULL: one thread */
  wg_gte_t *gte;
  wg_mem_t *mem;
  uint64_t cycle, extra_ns;
  bool kill, faulted, dead;
  wg_fault_t fault;
  wg_status_t stop; /* kWgOk = none asked for */
  wg_diag_t stop_diag;
  wg_gpu_stats_t stats;
  uint64_t last_request; /* cycle */
  struct {
    uint64_t requests, asked, answered; /* messages; response flits */
  } foreign; /* wg_gpu_note_traffic */
  uint64_t seen_messages, idle_cycles;
  uint64_t issued;     /* issue slots used since the watchdog's last look */
  uint64_t next_watch; /* cycle; 0 = no run is under way */
  uint64_t drain_cycles; /* of the last run */
  wg_gte_fault_t gte_fault; /* to be injected */
  uint64_t gte_fault_from;
  char suspect[160];   /* a block whose end seemed lost at the watchdog's last look */
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
  g->make_cycle = cfg->cycle;
  g->cycle_ctx = cfg->cycle_ctx;
  g->watchdog_cycles = cfg->watchdog_cycles == 0 ? 10000 : cfg->watchdog_cycles;
  g->hang_cycles = cfg->hang_cycles == 0 ? 1000000 : cfg->hang_cycles;
  wg_status_t st = build(g, diag);
  if (st == kWgOk && cfg->jobs > 1 && g->num_sms > 1) st = wg_sm_pool_create(g->sm, g->num_sms, cfg->jobs, &g->pool, diag);
  if (st != kWgOk) {
    wg_gpu_destroy(g);
    return st;
  }
  *out = g;
  return kWgOk;
}

void wg_gpu_destroy(wg_gpu_t *g) {
  if (g == NULL) return;
  wg_sm_pool_destroy(g->pool);
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

wg_status_t wg_gpu_check(const wg_gpu_t *g, const wg_grid_t *grid, wg_diag_t *diag) {
  return wg_gte_check(g->gte, grid, diag);
}

static void give_responses(wg_gpu_t *g, uint64_t now) {
  wg_mem_rsp_t rsp;
  for (uint32_t i = 0; i < g->num_sms; i++) {
    while (wg_mem_rsp(g->mem, i, now, &rsp)) g->sm[i]->ops->push_rsp(g->sm[i], &rsp);
  }
}

/* An SM counts its slots since it was last asked: whoever asks hands on to all who want to know. */
static void take_activity(wg_gpu_t *g, uint32_t i) {
  wg_sm_activity_t a = g->sm[i]->ops->activity(g->sm[i]);
  g->issued += a.issued;
  if (wg_gte_samples(g->gte)) wg_gte_sample(g->gte, i, &a);
}

static void sample(wg_gpu_t *g, uint64_t now) {
  if (!wg_gte_sample_due(g->gte, now)) return;
  for (uint32_t i = 0; i < g->num_sms; i++) take_activity(g, i);
  wg_gte_sample_end(g->gte, now);
}

static void dispatch(wg_gpu_t *g, uint64_t now) {
  uint32_t i = 0;
  if (g->kill) return;
  if (!wg_gte_peek(g->gte, now, &i)) {
    wg_diag_t why = {.hint = ""};
    wg_status_t st = wg_gte_bad_pick(g->gte, now, &why);
    if (st != kWgOk) wg_gpu_stop(g, st, &why);
    return;
  }
  if (!g->sm[i]->ops->can_launch(g->sm[i])) return;
  wg_cta_launch_t launch;
  if (wg_gte_samples(g->gte)) take_activity(g, i);
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

wg_gte_fault_t wg_gte_fault_find(const char *word) {
#define WG_GTE_FAULT(ID, WORD, DOC) \
  if (strcmp(word, WORD) == 0) return kWgGte##ID;
#include "model/gte/gte_faults.def"
  return kWgGteNoFault;
}

void wg_gpu_disturb(wg_gpu_t *g, wg_gte_fault_t fault, uint64_t from) {
  g->gte_fault = fault;
  g->gte_fault_from = from;
}

/* True once, if a block's end is to be lost. */
static bool loses_end(wg_gpu_t *g, uint64_t now) {
  if (g->gte_fault != kWgGteLostEnd || now < g->gte_fault_from) return false;
  g->gte_fault = kWgGteNoFault;
  return true;
}

static void take_events(wg_gpu_t *g, uint32_t i, uint64_t now) {
  wg_sm_t *sm = g->sm[i];
  wg_cta_done_t done;
  while (sm->ops->pop_done(sm, &done)) {
    if (loses_end(g, now)) continue;
    wg_diag_t why = {0};
    uint64_t issued = 0;
    if (wg_gte_samples(g->gte)) {
      take_activity(g, i);
      if (sm->ops->block_issued != NULL && done.block_slot < kWgMaxBlockSlots) issued = sm->ops->block_issued(sm, done.block_slot);
    }
    wg_status_t st = wg_gte_done(g->gte, i, &done, issued, now, &why);
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

void wg_gpu_begin_cycle(wg_gpu_t *g, uint64_t *time_ns, bool *kill) {
  give_responses(g, g->cycle);
  sample(g, g->cycle);
  dispatch(g, g->cycle);
  *time_ns = now_ns(g);
  *kill = g->kill;
}

void wg_gpu_end_cycle(wg_gpu_t *g) {
  uint64_t now = g->cycle;
  for (uint32_t i = 0; i < g->num_sms; i++) {
    take_requests(g, i, now);
    take_events(g, i, now);
  }
  wg_mem_tick(g->mem, now);
  g->cycle++;
}

void wg_gpu_tick(wg_gpu_t *g) {
  uint64_t ns;
  bool kill;
  wg_gpu_begin_cycle(g, &ns, &kill);
  if (g->pool != NULL) wg_sm_pool_tick(g->pool, ns, kill);
  else for (uint32_t i = 0; i < g->num_sms; i++) g->sm[i]->ops->tick(g->sm[i], ns, kill);
  wg_gpu_end_cycle(g);
}

/* A cycle of a run: the one place that knows who clocks the SMs. */
static void make_cycle(wg_gpu_t *g) {
  if (g->make_cycle != NULL) g->make_cycle(g->cycle_ctx, g);
  else wg_gpu_tick(g);
}

uint32_t wg_gpu_req_room(const wg_gpu_t *g, uint32_t sm) { return wg_mem_req_room(g->mem, sm); }

uint8_t wg_gpu_perform(wg_gpu_t *g, const wg_mem_req_t *req, uint8_t data[128]) {
  memset(data, 0, 128);
  uint8_t status = wg_store_check(g->store, req->line, 128);
  if (status == kWgFaultNone) {
    uint32_t at = 32u * (uint32_t)__builtin_ctz(req->sector_mask);
    if (req->op == kWgMemStore) wg_store_poke_sector(g->store, req->line + at, req->data, req->byte_mask);
    wg_store_peek(g->store, req->line, data, 128);
    if (req->op == kWgMemAtom || req->op == kWgMemRed) {
      uint8_t sector[32];
      memcpy(sector, data + at, sizeof sector);
      wg_ref_atom_sector(req->atom >> 4, req->atom & 15u, req->byte_mask, req->data, req->cmp, sector);
      wg_store_poke_sector(g->store, req->line + at, sector, req->byte_mask);
    }
  }
  if (g->hooks.serve != NULL) g->hooks.serve(g->hooks.ctx, g->cycle, req, data, status);
  return status;
}

void wg_gpu_note_traffic(wg_gpu_t *g, const wg_mem_req_t *req, uint32_t responses) {
  g->foreign.answered += responses;
  if (req == NULL) return;
  g->foreign.requests++;
  g->foreign.asked += (unsigned)__builtin_popcount(req->sector_mask);
  g->last_request = g->cycle;
}

static uint64_t owed(const wg_gpu_t *g) { return wg_mem_owed(g->mem) + g->foreign.asked - g->foreign.answered; }

/* @return false if the run should be given up as hung */
static bool watch(wg_gpu_t *g) {
  wg_gpu_progress_t p = {.cycle = g->cycle};
  for (uint32_t i = 0; i < g->num_sms; i++) take_activity(g, i);
  p.issued = g->issued;
  g->issued = 0;
  wg_mem_counts_t m;
  wg_mem_counts(g->mem, &m);
  uint64_t messages = m.requests + m.responses + g->foreign.requests + g->foreign.answered + g->stats.blocks_started +
                      g->stats.blocks_done;
  p.messages = messages - g->seen_messages;
  g->seen_messages = messages;
  g->idle_cycles = p.issued + p.messages != 0 ? 0 : g->idle_cycles + g->watchdog_cycles;
  p.idle_cycles = g->idle_cycles;
  p.patience_cycles = wg_mem_patience_cycles(g->mem);
  if (g->hooks.watchdog != NULL) return g->hooks.watchdog(g->hooks.ctx, &p);
  return p.idle_cycles < g->hang_cycles || p.idle_cycles < p.patience_cycles;
}

/* What the checker of the memory system says in this cycle. */
static wg_status_t ask_checker(wg_gpu_t *g, wg_diag_t *diag) {
  if (g->cycle % kLookCycles == 0) return wg_mem_look(g->mem, g->cycle, diag);
  return wg_mem_status(g->mem, diag);
}

/* An SM that no longer holds a block whose end it has not told has lost it. Seen twice, for a message may be under way. */
static bool lost_end(wg_gpu_t *g, wg_diag_t *diag) {
  for (uint32_t i = 0; i < g->num_sms; i++) {
    const wg_sm_ops_t *ops = g->sm[i]->ops;
    uint32_t sent = wg_gte_resident(g->gte, i), has = ops->resident == NULL ? UINT32_MAX : ops->resident(g->sm[i]);
    if (has >= sent) continue;
    char block[128], text[sizeof g->suspect];
    snprintf(text, sizeof text, "on SM %u: %s", i, wg_gte_oldest(g->gte, i, block, sizeof block));
    bool again = strcmp(text, g->suspect) == 0;
    memcpy(g->suspect, text, sizeof text);
    if (!again) return false;
    (void)wg_fail(diag, kWgMismatch, "GigaThread checker: a block's end was lost %s; the SM holds %u of %u blocks and did not report it", text, has,
                  sent);
    return true;
  }
  g->suspect[0] = '\0';
  return false;
}

/* Until every response is delivered and the SMs have fallen silent; then the counters must add up.
   @return kWgOk; kWgMismatch of the checker; kWgHang if the traffic does not end */
static wg_status_t drain(wg_gpu_t *g, wg_diag_t *diag) {
  uint64_t begin = g->cycle, moved = begin, left = owed(g), patience = wg_mem_patience_cycles(g->mem);
  WG_TRY(wg_mem_status(g->mem, diag));
  while (owed(g) != 0 || g->cycle - (g->last_request > begin ? g->last_request : begin) < kQuietCycles) {
    if (owed(g) != left) moved = g->cycle, left = owed(g);
    if (g->cycle - begin > kDrainCycles && g->cycle - moved > patience) {
      return wg_fail(diag, kWgHang, "the memory system does not drain after the last block has ended");
    }
    make_cycle(g);
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
  char block[128] = "", where[160] = "";
  for (uint32_t i = 0; i < g->num_sms && where[0] == '\0'; i++) {
    if (wg_gte_oldest(g->gte, i, block, sizeof block)[0] == '\0') continue;
    snprintf(where, sizeof where, "; on SM %u %s", i, block);
  }
  return wg_fail(diag, kWgHang, "no progress up to cycle %" PRIu64 ": %" PRIu64 " blocks resident, %" PRIu64
                 " memory responses outstanding%s", g->cycle, g->stats.blocks_started - g->stats.blocks_done,
                 owed(g), where);
}

static void begin_run(wg_gpu_t *g) {
  g->faulted = g->kill = false;
  g->stop = kWgOk;
  g->idle_cycles = 0;
  g->suspect[0] = '\0';
  g->next_watch = g->cycle + g->watchdog_cycles;
}

static wg_status_t stopped(const wg_gpu_t *g, wg_diag_t *diag) {
  if (diag != NULL) *diag = g->stop_diag;
  return g->stop;
}

/* One cycle and what it may have brought up. */
static wg_status_t step(wg_gpu_t *g, wg_diag_t *diag) {
  make_cycle(g);
  if (g->stop != kWgOk) return stopped(g, diag);
  if (g->faulted) return describe_fault(g, diag);
  WG_TRY(ask_checker(g, diag));
  if (g->cycle != g->next_watch) return kWgOk;
  g->next_watch += g->watchdog_cycles;
  if (lost_end(g, diag)) return kWgMismatch;
  return watch(g) ? kWgOk : describe_hang(g, diag);
}

/* The run is over, well or with `st`: traffic drains, the SMs are cleared. */
static wg_status_t end_run(wg_gpu_t *g, wg_status_t st, wg_diag_t *diag) {
  g->next_watch = 0;
  g->kill = st != kWgOk;
  wg_diag_t why = {0};
  uint64_t begin = g->cycle;
  wg_status_t drained = drain(g, &why);
  g->drain_cycles = g->cycle - begin;
  if (st == kWgOk && g->stop != kWgOk) st = stopped(g, diag);
  if (st == kWgOk && g->faulted) st = describe_fault(g, diag);
  if (drained != kWgOk) {
    g->dead = true;
    if (st == kWgOk && diag != NULL) *diag = why;
    return st == kWgOk ? drained : st;
  }
  g->kill = false;
  while (wg_gte_take_result(g->gte, NULL)) continue; /* wg_gpu_run_until tells of what ends from now on */
  WG_TRY(reset_sms(g, st == kWgOk ? diag : NULL));
  return st;
}

wg_status_t wg_gpu_run(wg_gpu_t *g, wg_diag_t *diag) {
  wg_status_t st = kWgOk;
  if (g->next_watch == 0) begin_run(g);
  while (st == kWgOk && !wg_gte_idle(g->gte)) st = step(g, diag);
  return end_run(g, st, diag);
}

static void to_result(const wg_gte_result_t *r, wg_grid_result_t *out) {
  *out = (wg_grid_result_t){.grid_id = r->grid_id,
                            .start_cycle = r->start_cycle,
                            .end_cycle = r->end_cycle,
                            .cycles = r->end_cycle - r->start_cycle + 1,
                            .blocks = r->blocks,
                            .last_sent_cycle = r->last_sent_cycle,
                            .block_cycles = r->block_cycles,
                            .shortest_block_cycles = r->shortest_block_cycles,
                            .longest_block_cycles = r->longest_block_cycles,
                            .sm_busy_cycles = r->sm_busy_cycles,
                            .least_busy_cycles = r->least_busy_cycles,
                            .most_busy_cycles = r->most_busy_cycles,
                            .launched = r->launched,
                            .retired = r->retired,
                            .resident_warp_cycles = r->resident_warp_cycles,
                            .blocks_per_sm = r->blocks_per_sm};
}

wg_status_t wg_gpu_run_until(wg_gpu_t *g, uint64_t cycle, bool *grid_ended, wg_grid_result_t *out, wg_diag_t *diag) {
  wg_gte_result_t r;
  if (g->next_watch == 0) begin_run(g);
  while (!(*grid_ended = wg_gte_take_result(g->gte, &r)) && g->cycle < cycle) {
    if (wg_gte_idle(g->gte) && cycle == UINT64_MAX) break; /* nothing will ever end */
    wg_status_t st = step(g, diag);
    if (st != kWgOk) return end_run(g, st, diag);
  }
  if (*grid_ended && out != NULL) to_result(&r, out);
  return kWgOk;
}

bool wg_gpu_idle(const wg_gpu_t *g) { return wg_gte_idle(g->gte); }

bool wg_gpu_last_grid(const wg_gpu_t *g, wg_grid_result_t *out) {
  wg_gte_result_t r;
  if (wg_gte_results(g->gte, &r) == 0) return false;
  to_result(&r, out);
  return true;
}

uint64_t wg_gpu_drain_cycles(const wg_gpu_t *g) { return g->drain_cycles; }

uint64_t wg_gpu_unsent(const wg_gpu_t *g) { return wg_gte_unsent(g->gte); }

bool wg_gpu_grid(const wg_gpu_t *g, uint32_t grid_id, wg_grid_result_t *out) {
  wg_gte_result_t r;
  if (!wg_gte_result(g->gte, grid_id, &r)) return false;
  to_result(&r, out);
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

void wg_gpu_lose(wg_gpu_t *g, wg_sum_fault_t what, uint64_t from) { wg_gte_lose(g->gte, what, from); }

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
