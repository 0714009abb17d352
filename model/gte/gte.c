// SPDX-License-Identifier: Apache-2.0
#include "model/gte/gte.h"

#include <inttypes.h>
#include <string.h>

#include "model/gte/gte_int.h"

enum { kMaxBlockThreads = 1024 };

static wg_status_t set_policy(wg_gte_t *g, wg_diag_t *diag) {
  const wg_gte_choice_t *c = &g->spec.policy;
  const wg_gte_policy_t *p = wg_gte_policy_find(c->name);
  if (p == NULL || c->num_knobs > p->num_knobs) {
    return wg_fail(diag, kWgBadArg, "no block policy '%.11s' with %u knobs", c->name, c->num_knobs);
  }
  g->policy = p;
  for (uint32_t i = 0; i < kWgGteMaxKnobs; i++) g->knob[i] = i < c->num_knobs ? c->knob[i] : p->knob[i];
  g->policy_bytes = p->state_bytes == NULL ? 1 : p->state_bytes(g->sms);
  g->policy_state = calloc(1, g->policy_bytes);
  return kWgOk;
}

wg_status_t wg_gte_create(const wg_gte_spec_t *spec, const wg_shape_t *shape, const wg_sm_cfg_t *cfg, uint32_t sms,
                          wg_gte_t **out, wg_diag_t *diag) {
  if (spec->queue_grids < 1 || spec->queue_grids > kWgGteMaxQueue || spec->grid_slots < 1 ||
      spec->grid_slots > kWgGteMaxGridSlots || spec->dispatch_cycles < 1 || sms < 1) {
    return wg_fail(diag, kWgBadArg, "a number of the GigaThread engine's spec is out of range");
  }
  wg_gte_t *g = calloc(1, sizeof *g);
  if (g != NULL) {
    g->spec = *spec;
    g->sms = sms;
    g->sm = calloc(sms, sizeof *g->sm);
    g->shares = calloc((size_t)kWgGteMaxGridSlots * sms, sizeof *g->shares);
    wg_status_t st = set_policy(g, diag);
    if (st != kWgOk) {
      wg_gte_destroy(g);
      return st;
    }
  }
  if (g == NULL || g->sm == NULL || g->shares == NULL || g->policy_state == NULL) {
    wg_gte_destroy(g);
    return wg_fail(diag, kWgNoSpace, "no host memory for the GigaThread engine");
  }
  for (uint32_t i = 0; i < kWgGteMaxGridSlots; i++) g->run[i].share = &g->shares[(size_t)i * sms];
  wg_cta_alloc_reset(&g->empty, shape->sub_cores, cfg);
  g->thread_slots = cfg->thread_slots;
  wg_gte_clear(g);
  *out = g;
  return kWgOk;
}

void wg_gte_destroy(wg_gte_t *g) {
  if (g == NULL) return;
  free(g->policy_state);
  free(g->shares);
  free(g->sm);
  free(g);
}

void wg_gte_clear(wg_gte_t *g) {
  for (uint32_t i = 0; i < g->sms; i++) g->sm[i] = (wg_gte_sm_t){.room = g->empty};
  for (uint32_t i = 0; i < kWgGteMaxGridSlots; i++) g->run[i].used = false;
  g->queued = g->to_send = g->resident = 0;
  g->chosen = g->blocked = g->admit = g->bad_pick = false;
  g->next_sample = 0;
  memset(g->policy_state, 0, g->policy_bytes);
  if (g->policy->clear != NULL) g->policy->clear(g->policy_state, g, g->knob);
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
    snprintf(diag->hint, sizeof diag->hint,
             "use smaller blocks, less of that resource, or a preset with a larger SM");
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

wg_status_t wg_gte_check(const wg_gte_t *g, const wg_grid_t *grid, wg_diag_t *diag) {
  WG_TRY(check_fields(grid, diag));
  uint64_t shared = (uint64_t)grid->static_shared_bytes + grid->dyn_shared_bytes;
  return check_fit(g, block_warps(grid), round_regs(grid->regs_per_thread), shared, diag);
}

wg_status_t wg_gte_submit(wg_gte_t *g, const wg_grid_t *grid, wg_diag_t *diag) {
  WG_TRY(wg_gte_check(g, grid, diag));
  uint32_t regs = round_regs(grid->regs_per_thread);
  if (g->queued == g->spec.queue_grids) {
    return wg_fail(diag, kWgNoSpace, "the launch queue is full: %u grids wait", g->queued);
  }
  wg_gte_wait_t *q = &g->queue[g->queued++];
  q->k = *grid;
  q->k.regs_per_thread = regs;
  q->serial = ++g->serial;
  g->admit = true;
  return kWgOk;
}

/* ---- which grids are resident ---- */

/* Must `later`, submitted after `k`, wait for its end? */
static bool ordered(const wg_grid_t *k, const wg_grid_t *later) {
  if (k->stream == later->stream) return true;
  if (k->stream == 0) return !later->nonblocking;
  return later->stream == 0 && !k->nonblocking;
}

static bool may_begin(const wg_gte_t *g, uint32_t at) {
  const wg_grid_t *k = &g->queue[at].k;
  for (uint32_t i = 0; i < at; i++) {
    if (ordered(&g->queue[i].k, k)) return false;
  }
  for (uint32_t i = 0; i < g->spec.grid_slots; i++) {
    if (g->run[i].used && ordered(&g->run[i].k, k)) return false;
  }
  return true;
}

/* Behind all grids of its priority that were submitted earlier. */
static void queue_run(wg_gte_t *g, uint32_t slot) {
  const wg_gte_run_t *r = &g->run[slot];
  uint32_t at = g->to_send++;
  for (; at > 0; at--) {
    const wg_gte_run_t *before = &g->run[g->order[at - 1]];
    if (before->k.priority < r->k.priority || (before->k.priority == r->k.priority && before->serial < r->serial))
      break;
    g->order[at] = g->order[at - 1];
  }
  g->order[at] = (uint8_t)slot;
}

static void begin_run(wg_gte_t *g, uint32_t slot, const wg_gte_wait_t *w) {
  wg_gte_run_t *r = &g->run[slot];
  wg_gte_share_t *share = r->share;
  memset(share, 0, g->sms * sizeof *share);
  *r = (wg_gte_run_t){.used = true, .k = w->k, .serial = w->serial, .warps = block_warps(&w->k), .share = share};
  r->total = (uint64_t)r->k.grid[0] * r->k.grid[1] * r->k.grid[2];
  r->capacity = wg_gte_blocks_per_sm(g, r->warps * kWgWarpThreads, r->k.regs_per_thread,
                                     r->k.static_shared_bytes + r->k.dyn_shared_bytes);
  r->result = (wg_gte_result_t){
      .grid_id = r->k.grid_id, .blocks = r->total, .shortest_block_cycles = UINT64_MAX, .blocks_per_sm = r->capacity,
      .warps = r->warps};
  g->resident++;
  queue_run(g, slot);
  if (g->policy->grid_begin != NULL) g->policy->grid_begin(g->policy_state, g, slot);
}

/* Commands that need not wait any longer become resident, as long as there are grid slots. */
static void admit(wg_gte_t *g) {
  g->admit = false;
  for (uint32_t i = 0; i < g->queued && g->resident < g->spec.grid_slots;) {
    if (!may_begin(g, i)) {
      i++;
      continue;
    }
    wg_gte_wait_t w = g->queue[i];
    memmove(&g->queue[i], &g->queue[i + 1], (--g->queued - i) * sizeof w);
    uint32_t slot = 0;
    while (g->run[slot].used) slot++;
    begin_run(g, slot, &w);
    g->chosen = g->blocked = false; /* it may come first */
  }
}

/* ---- blocks ---- */

/* The place of the next block, of the first grid that gets one. */
static void choose(wg_gte_t *g) {
  for (uint32_t i = 0; i < g->to_send; i++) {
    uint32_t slot = g->order[i], sm = UINT32_MAX; /* a policy that leaves it has named none */
    wg_gte_answer_t a = g->policy->pick(g->policy_state, g, slot, &sm);
    if (a == kWgGteFull) break;
    if (a == kWgGteWithheld) continue;
    g->chosen_grid = slot;
    g->chosen_sm = sm;
    g->bad_pick = a != kWgGtePick || sm >= g->sms || !wg_gte_fits(g, &g->run[slot], &g->sm[sm], &g->place);
    if (g->bad_pick) break;
    g->chosen = true;
    return;
  }
  g->blocked = true;
  g->wake = UINT64_MAX;
  for (uint32_t i = 0; i < g->sms; i++) {
    if (g->sm[i].ready_cycle > g->now && g->sm[i].ready_cycle < g->wake) g->wake = g->sm[i].ready_cycle;
  }
}

bool wg_gte_peek(wg_gte_t *g, uint64_t now, uint32_t *sm) {
  g->now = now;
  if (g->admit) admit(g);
  if (g->blocked && now >= g->wake) g->blocked = false;
  if (g->to_send == 0 || g->blocked || g->bad_pick || now < g->not_before) return false;
  if (!g->chosen) choose(g);
  if (g->chosen) *sm = g->chosen_sm;
  return g->chosen;
}

static void fill_launch(const wg_gte_t *g, const wg_gte_run_t *r, wg_cta_launch_t *l) {
  const wg_grid_t *k = &r->k;
  memset(l, 0, sizeof *l);
  l->grid_id = k->grid_id;
  uint64_t number = wg_gte_order_block(&g->spec.order, r->sent, r->total);
  for (unsigned i = 0; i < 3; i++) {
    l->ctaid[i] = (uint32_t)(number % k->grid[i]);
    number /= k->grid[i];
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
  bool first = r->share[g->chosen_sm].sent == 0;
  l->inval_l1 = first;
  l->inval_const = first && k->inval_const;
  l->inval_insn = first && k->inval_insn;
}

/* All blocks of a grid are sent: the next one is served. */
static void drop_from_order(wg_gte_t *g, uint32_t slot) {
  uint32_t at = 0;
  while (g->order[at] != slot) at++;
  memmove(&g->order[at], &g->order[at + 1], --g->to_send - at);
}

void wg_gte_lose(wg_gte_t *g, wg_sum_fault_t what, uint64_t from) {
  g->lose = what;
  g->lose_from = from;
}

static bool loses(wg_gte_t *g, wg_sum_fault_t what, uint64_t now) {
  if (g->lose != what || now < g->lose_from) return false;
  g->lose = kWgSumNoFault;
  return true;
}

/* The SM's resident warps of the grid change: sum up to the cycle `to`, which is not yet over. */
static void count_warps(const wg_gte_run_t *r, wg_gte_share_t *share, uint64_t to) {
  share->warp_cycles += (uint64_t)share->resident * r->warps * (to - share->until);
  share->until = to;
}

uint8_t wg_gte_dispatch(wg_gte_t *g, uint64_t now, wg_cta_launch_t *launch) {
  WG_BUG(!g->chosen);
  wg_gte_run_t *r = &g->run[g->chosen_grid];
  wg_gte_sm_t *s = &g->sm[g->chosen_sm];
  wg_gte_share_t *share = &r->share[g->chosen_sm];
  fill_launch(g, r, launch);
  wg_cta_alloc_take(&s->room, &g->place);
  s->threads += r->warps * kWgWarpThreads;
  s->blocks++;
  wg_gte_block_t *b = &s->block[g->place.block];
  *b = (wg_gte_block_t){.used = true, .grid = (uint8_t)g->chosen_grid, .grid_id = r->k.grid_id, .sent_cycle = now};
  memcpy(b->ctaid, launch->ctaid, sizeof b->ctaid);
  if (share->until <= now) count_warps(r, share, now);
  else share->warp_cycles += r->warps * (share->until - now); /* a block ended in this cycle, which is counted already */
  if (share->resident++ == 0) share->since = now;
  share->sent++;
  if (r->sent == 0) r->result.start_cycle = now;
  r->result.last_sent_cycle = now;
  if (!loses(g, kWgSumLaunch, now)) r->result.launched++;
  if (++r->sent == r->total) drop_from_order(g, g->chosen_grid);
  if (g->policy->sent != NULL) g->policy->sent(g->policy_state, g, g->chosen_grid, g->chosen_sm);
  g->chosen = false;
  g->not_before = now + g->spec.dispatch_cycles;
  return g->place.block;
}

static wg_status_t end_run(wg_gte_t *g, wg_gte_run_t *r, uint64_t now, wg_diag_t *diag) {
  wg_gte_result_t *out = &r->result;
  out->end_cycle = now;
  out->least_busy_cycles = UINT64_MAX;
  for (uint32_t i = 0; i < g->sms; i++) {
    uint64_t busy = r->share[i].busy_cycles;
    out->sm_busy_cycles += busy;
    out->resident_warp_cycles += r->share[i].warp_cycles;
    if (busy < out->least_busy_cycles) out->least_busy_cycles = busy;
    if (busy > out->most_busy_cycles) out->most_busy_cycles = busy;
  }
  g->result[g->num_results++ % kWgGteResults] = *out;
  r->used = false;
  g->resident--;
  g->admit = true;
  return wg_gte_sums(out, diag);
}

wg_status_t wg_gte_done(wg_gte_t *g, uint32_t sm, const wg_cta_done_t *done, uint64_t issued, uint64_t now,
                        wg_diag_t *diag) {
  wg_gte_sm_t *s = &g->sm[sm];
  wg_gte_block_t *b = done->block_slot < kWgMaxBlockSlots ? &s->block[done->block_slot] : NULL;
  if (b == NULL || !b->used || b->grid_id != done->grid_id || memcmp(b->ctaid, done->ctaid, sizeof b->ctaid) != 0) {
    char there[96] = "no block there";
    if (b != NULL && b->used) {
      snprintf(there, sizeof there, "block (%u,%u,%u) of grid %u there, sent in cycle %" PRIu64, b->ctaid[0],
               b->ctaid[1], b->ctaid[2], b->grid_id, b->sent_cycle);
    }
    return wg_fail(diag, kWgMismatch,
                   "GigaThread checker: SM %u reports the end of block (%u,%u,%u) of grid %u in block slot %u, "
                   "but the allocator's twin has %s",
                   sm, done->ctaid[0], done->ctaid[1], done->ctaid[2], done->grid_id, done->block_slot, there);
  }
  wg_gte_run_t *r = &g->run[b->grid];
  wg_gte_share_t *share = &r->share[sm];
  uint64_t life = now - b->sent_cycle + 1;
  b->used = false;
  s->blocks--;
  if (g->spec.refill_cycles != 0) s->ready_cycle = now + 1 + g->spec.refill_cycles;
  s->threads -= s->room.block[done->block_slot].warps * (uint32_t)kWgWarpThreads;
  wg_cta_alloc_free(&s->room, done->block_slot);
  r->result.block_cycles += life;
  if (life < r->result.shortest_block_cycles) r->result.shortest_block_cycles = life;
  if (life > r->result.longest_block_cycles) r->result.longest_block_cycles = life;
  if (loses(g, kWgSumResident, now)) share->until = now + 1;
  else count_warps(r, share, now + 1);
  if (!loses(g, kWgSumRetire, now)) r->result.retired++;
  if (--share->resident == 0) share->busy_cycles += now - share->since + 1;
  r->ended++;
  if (g->policy->ended != NULL) g->policy->ended(g->policy_state, g, b->grid, sm, issued);
  g->blocked = false;
  g->chosen = false; /* the allocator may now answer differently */
  return r->ended == r->total ? end_run(g, r, now, diag) : kWgOk;
}

/* ---- samples ---- */

bool wg_gte_samples(const wg_gte_t *g) { return g->policy->samples; }

bool wg_gte_sample_due(const wg_gte_t *g, uint64_t now) {
  return g->policy->period_knob >= 0 && g->resident != 0 && now >= g->next_sample;
}

void wg_gte_sample(wg_gte_t *g, uint32_t sm, const wg_sm_activity_t *a) {
  g->sm[sm].issued += a->issued;
  g->sm[sm].idle += a->idle;
  g->sm[sm].memory_wait += a->memory_wait;
}

/* The first call since the engine was cleared only begins the first period: what was counted before it is forgotten.
 */
void wg_gte_sample_end(wg_gte_t *g, uint64_t now) {
  if (g->next_sample != 0) {
    g->policy->sample(g->policy_state, g);
    g->blocked = false; /* a limit may have risen */
  }
  for (uint32_t i = 0; g->next_sample == 0 && i < g->sms; i++)
    g->sm[i].issued = g->sm[i].idle = g->sm[i].memory_wait = 0;
  g->next_sample = now + g->knob[g->policy->period_knob];
}

/* ---- questions ---- */

bool wg_gte_idle(const wg_gte_t *g) { return g->queued == 0 && g->resident == 0; }

uint64_t wg_gte_results(const wg_gte_t *g, wg_gte_result_t *last) {
  if (last != NULL && g->num_results != 0) *last = g->result[(g->num_results - 1) % kWgGteResults];
  return g->num_results;
}

bool wg_gte_result(const wg_gte_t *g, uint32_t grid_id, wg_gte_result_t *out) {
  for (uint64_t i = g->num_results; i > 0 && i + kWgGteResults > g->num_results; i--) {
    const wg_gte_result_t *r = &g->result[(i - 1) % kWgGteResults];
    if (r->grid_id != grid_id) continue;
    *out = *r;
    return true;
  }
  return false;
}

bool wg_gte_take_result(wg_gte_t *g, wg_gte_result_t *out) {
  if (g->num_taken == g->num_results) return false;
  if (g->num_results - g->num_taken > kWgGteResults) g->num_taken = g->num_results - kWgGteResults;
  if (out != NULL) *out = g->result[g->num_taken % kWgGteResults];
  g->num_taken++;
  return true;
}

wg_status_t wg_gte_bad_pick(const wg_gte_t *g, uint64_t now, wg_diag_t *diag) {
  if (!g->bad_pick) return kWgOk;
  const wg_gte_run_t *r = &g->run[g->chosen_grid];
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "a policy asks wg_gte_view_fits before it answers kWgGtePick");
  if (g->chosen_sm == UINT32_MAX)
    return wg_fail(diag, kWgBadInput, "the block policy '%s' sent block %" PRIu64 " of grid %u without naming an SM (*sm)",
                   g->policy->name, r->sent, r->k.grid_id);
  return wg_fail(diag, kWgBadInput,
                 "the block policy '%s' sent block %" PRIu64 " of grid %u to SM %u in cycle %" PRIu64
                 ", %s (%u SMs)",
                 g->policy->name, r->sent, r->k.grid_id, g->chosen_sm, now,
                 g->chosen_sm < g->sms ? "where it does not fit" : "which does not exist", g->sms);
}

uint64_t wg_gte_unsent(const wg_gte_t *g) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < g->to_send; i++) n += g->run[g->order[i]].total - g->run[g->order[i]].sent;
  return n;
}

uint32_t wg_gte_resident(const wg_gte_t *g, uint32_t sm) { return g->sm[sm].blocks; }

const char *wg_gte_oldest(const wg_gte_t *g, uint32_t sm, char *buf, size_t n) {
  const wg_gte_block_t *best = NULL;
  const wg_gte_sm_t *s = &g->sm[sm];
  for (uint32_t i = 0; i < kWgMaxBlockSlots; i++) {
    if (s->block[i].used && (best == NULL || s->block[i].sent_cycle < best->sent_cycle)) best = &s->block[i];
  }
  if (n > 0) buf[0] = '\0';
  if (best == NULL) return buf;
  snprintf(buf, n, "block (%u,%u,%u) of grid %u in block slot %u, sent in cycle %" PRIu64, best->ctaid[0],
           best->ctaid[1], best->ctaid[2], best->grid_id, (unsigned)(best - s->block), best->sent_cycle);
  return buf;
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
