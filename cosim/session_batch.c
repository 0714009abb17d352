// SPDX-License-Identifier: Apache-2.0
//
// Grids beside each other: begun at any time, told one by one as they end. A batch is what lies between two
// times at which the SMs are empty; the checkers are asked, counters read and the SMs cleared at its end, as
// behind a single launch.
#include <string.h>

#include "cosim/session_int.h"

static void drop_batch(wg_session_t *s) {
  for (size_t i = 0; i < s->batch.n; i++) wg_session_free_launch_mem(s, &s->batch.grid[i].mem);
  s->batch.n = s->batch.left = 0;
  s->running = NULL;
}

void wg_session_batch_destroy(wg_session_t *s) {
  free(s->batch.grid);
  s->batch.grid = NULL;
}

/* The launch that a failure is about: the faulty grid's, or the first that has not ended. */
static wg_status_t fail_batch(wg_session_t *s, wg_status_t st, wg_diag_t *diag) {
  wg_fault_t f = {0};
  const wg_batch_grid_t *at = &s->batch.grid[0];
  bool fault = st == kWgFault && wg_gpu_fault(s->gpu, &f);
  for (size_t i = s->batch.n; i-- > 0;) {
    const wg_batch_grid_t *g = &s->batch.grid[i];
    if (fault ? g->grid_id == f.grid_id : !g->ended) at = g;
  }
  (void)wg_session_fail_for_good(s, &at->launch, st, diag);
  drop_batch(s);
  return st;
}

wg_status_t wg_session_begin(wg_session_t *s, const wg_launch_t *l, const wg_session_order_t *order, uint32_t *grid_id,
                             wg_diag_t *diag) {
  size_t index = 0;
  wg_grid_t grid;
  wg_launch_mem_t mem = {0, 0};
  WG_TRY(wg_session_check_launch_at(s, l, &index, diag));
  if (wg_session_debug_places(s, diag) != kWgOk) return wg_session_fail_for_good(s, l, kWgBadInput, diag);
  if (s->batch.n == s->batch.cap) {
    size_t cap = s->batch.cap == 0 ? 16 : 2 * s->batch.cap;
    wg_batch_grid_t *grown = realloc(s->batch.grid, cap * sizeof *grown);
    if (grown == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
    s->batch.grid = grown;
    if (s->batch.n != 0) s->running = &grown[s->batch.n - 1].launch;
    s->batch.cap = cap;
  }
  wg_status_t st = wg_session_fill_grid(s, l, index, &grid, &mem, diag);
  grid.stream = order->stream;
  grid.nonblocking = order->nonblocking;
  grid.priority = order->priority;
  if (st == kWgOk) st = wg_gpu_submit(s->gpu, &grid, diag);
  if (st != kWgOk) {
    wg_session_free_launch_mem(s, &mem);
    return st;
  }
  if (s->batch.n == 0) {
    wg_session_counts_of(s, &s->batch.counts);
    wg_gpu_stats(s->gpu, &s->batch.stats);
    if (s->backend->begin != NULL) s->backend->begin(s, l->module, index, &grid, s->launches);
  }
  wg_session_events_launch(s, l, index, &grid);
  s->launches++;
  wg_session_debug_launch(s, l);
  s->code_written = false; /* this grid makes its SMs forget old code */
  s->batch.grid[s->batch.n++] = (wg_batch_grid_t){grid.grid_id, false, index, *l, mem};
  s->batch.left++;
  wg_session_watch_begin(s, &s->batch.grid[s->batch.n - 1].launch);
  *grid_id = grid.grid_id;
  return kWgOk;
}

/* All grids have ended: drain, clear, ask the checkers, read the counters of all of them. */
static wg_status_t end_batch(wg_session_t *s, wg_launch_result_t *res, wg_diag_t *diag) {
  wg_session_counts_t counts;
  wg_gpu_stats_t stats;
  wg_launch_result_t all;
  wg_status_t st = wg_gpu_run(s->gpu, diag);
  if (st == kWgOk && s->backend->verify != NULL) st = s->backend->verify(s, diag);
  if (st != kWgOk) return fail_batch(s, st, diag);
  wg_session_counts_of(s, &counts);
  wg_gpu_stats(s->gpu, &stats);
  wg_session_fill_result(s, &s->batch.counts, &counts, &s->batch.stats, &stats, &all);
  uint64_t cycles = res->cycles, time_ns = res->time_ns, first = UINT64_MAX, last = 0;
  for (size_t i = 0; i < s->batch.n; i++) {
    wg_grid_result_t g;
    if (!wg_gpu_grid(s->gpu, s->batch.grid[i].grid_id, &g))
      continue; /* more than 256: the span is too short, and told so */
    if (g.start_cycle < first) first = g.start_cycle;
    if (g.end_cycle > last) last = g.end_cycle;
  }
  all.cycles = last - first + 1;
  st = wg_session_close_slots(s, &all, diag);
  if (st != kWgOk) return fail_batch(s, st, diag);
  *res = all;
  res->cycles = cycles;
  res->time_ns = time_ns;
  drop_batch(s);
  return kWgOk;
}

wg_status_t wg_session_run_until(wg_session_t *s, uint64_t ns, wg_session_ended_t *ended, wg_launch_result_t *res,
                                 wg_diag_t *diag) {
  wg_grid_result_t g;
  wg_diag_t local;
  bool any = false;
  uint64_t now = wg_gpu_time_ns(s->gpu), until = UINT64_MAX;
  memset(ended, 0, sizeof *ended);
  memset(res, 0, sizeof *res);
  memset(&local, 0, sizeof local);
  if (s->batch.left == 0) return kWgOk;
  if (ns != UINT64_MAX) {
    uint64_t left = ns > now ? (uint64_t)(((unsigned __int128)(ns - now) * s->preset.clock_khz + 999999) / 1000000) : 0;
    until = wg_gpu_cycle(s->gpu) + left;
  }
  s->outside = until != UINT64_MAX;
  wg_status_t st = wg_gpu_run_until(s->gpu, until, &any, &g, &local);
  s->outside = false;
  if (st == kWgOk && any) {
    for (size_t i = 0; i < s->batch.n; i++) s->batch.grid[i].ended |= s->batch.grid[i].grid_id == g.grid_id;
    res->cycles = g.cycles;
    res->time_ns = g.cycles * UINT64_C(1000000) / s->preset.clock_khz;
    *ended = (wg_session_ended_t){g.grid_id, s->batch.n > 1, --s->batch.left == 0, wg_gpu_time_ns(s->gpu)};
    if (ended->last) st = end_batch(s, res, &local);
    if (st == kWgOk) wg_session_add_result(&s->sum, res);
  } else if (st != kWgOk) {
    (void)fail_batch(s, st, &local);
  }
  if (st != kWgOk && diag != NULL) *diag = local;
  return st;
}
