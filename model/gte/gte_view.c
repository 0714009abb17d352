// SPDX-License-Identifier: Apache-2.0
//
// What policies see of the engine.
#include "model/gte/gte_int.h"

static uint32_t shared_of(const wg_gte_run_t *r) { return r->k.static_shared_bytes + r->k.dyn_shared_bytes; }

bool wg_gte_fits(const wg_gte_t *g, const wg_gte_run_t *r, const wg_gte_sm_t *s, wg_cta_place_t *place) {
  wg_cta_place_t scratch;
  if (g->now < s->ready_cycle) return false;
  if (g->thread_slots != 0 && s->threads + r->warps * kWgWarpThreads > g->thread_slots) return false;
  return wg_cta_alloc_find(&s->room, r->warps, r->k.regs_per_thread, shared_of(r), place == NULL ? &scratch : place);
}

uint32_t wg_gte_view_sms(const wg_gte_view_t *v) { return v->sms; }
uint32_t wg_gte_view_sub_cores(const wg_gte_view_t *v) { return v->empty.sub_cores; }

bool wg_gte_view_fits(const wg_gte_view_t *v, uint32_t grid, uint32_t sm) {
  return wg_gte_fits(v, &v->run[grid], &v->sm[sm], NULL);
}

uint32_t wg_gte_view_room(const wg_gte_view_t *v, uint32_t grid, uint32_t sm, uint32_t most) {
  const wg_gte_run_t *r = &v->run[grid];
  wg_gte_sm_t s = v->sm[sm];
  wg_cta_place_t place;
  uint32_t n = 0;
  while (n < most && wg_gte_fits(v, r, &s, &place)) {
    wg_cta_alloc_take(&s.room, &place);
    s.threads += r->warps * kWgWarpThreads;
    n++;
  }
  return n;
}

uint32_t wg_gte_view_capacity(const wg_gte_view_t *v, uint32_t grid) { return v->run[grid].capacity; }
uint64_t wg_gte_view_total(const wg_gte_view_t *v, uint32_t grid) {
  return v->run[grid].used ? v->run[grid].total : 0;
}
uint64_t wg_gte_view_left(const wg_gte_view_t *v, uint32_t grid) { return v->run[grid].total - v->run[grid].sent; }
uint32_t wg_gte_view_grids(const wg_gte_view_t *v) { return v->resident; }

void wg_gte_view_sm(const wg_gte_view_t *v, uint32_t grid, uint32_t sm, wg_gte_sm_view_t *out) {
  const wg_gte_sm_t *s = &v->sm[sm];
  const wg_cta_alloc_t *a = &s->room;
  uint32_t warps = 0, rows = 0, shared = 0;
  for (uint32_t b = 0; b < a->block_slots; b++) {
    if (!a->block[b].used) continue;
    warps += a->block[b].warps;
    for (uint32_t c = 0; c < a->sub_cores; c++) rows += a->block[b].rows[c].len;
    shared += a->block[b].shared.len;
  }
  const wg_gte_share_t *share = v->run[grid].share;
  *out = (wg_gte_sm_view_t){
      .free_blocks = a->block_slots - s->blocks,
      .free_warps = a->sub_cores * a->warp_slots - warps,
      .free_registers = (a->sub_cores * a->reg_rows - rows) * (uint32_t)kWgWarpThreads,
      .free_shared_bytes = a->shared_bytes - shared,
      .blocks = s->blocks,
      .grid_blocks = share[sm].resident,
      .grid_sent = share[sm].sent,
      .issued = s->issued,
      .idle = s->idle,
      .memory_wait = s->memory_wait,
  };
}
