// SPDX-License-Identifier: Apache-2.0
#include "model/twin/cta_alloc.h"

#include <string.h>

void wg_cta_alloc_reset(wg_cta_alloc_t *a, uint32_t sub_cores, const wg_sm_cfg_t *cfg) {
  memset(a, 0, sizeof *a);
  a->sub_cores = sub_cores;
  a->warp_slots = cfg->warp_slots;
  a->block_slots = cfg->block_slots;
  a->reg_rows = cfg->regs_per_subcore / (uint32_t)kWgWarpThreads;
  a->shared_bytes = cfg->shared_bytes;
  a->shared_unit = cfg->shared_unit != 0u ? cfg->shared_unit : 1u;
  a->shared_reserve = cfg->shared_reserve;
  a->rotate = cfg->first_rotate;
}

uint32_t wg_cta_alloc_shared(const wg_cta_alloc_t *a, uint32_t shared_bytes) {
  if (shared_bytes == 0u && a->shared_reserve == 0u) return 0u;
  uint32_t n = shared_bytes + a->shared_reserve;
  return (n + a->shared_unit - 1u) / a->shared_unit * a->shared_unit;
}

uint32_t wg_cta_place_sub(const wg_cta_alloc_t *a, const wg_cta_place_t *p, uint32_t k) {
  return (p->first + k) % a->sub_cores;
}

uint32_t wg_cta_place_row(const wg_cta_alloc_t *a, const wg_cta_place_t *p, uint32_t k) {
  /* warps of one sub-core are k, k + sub_cores, ..: warp k is number k / sub_cores there */
  return p->rows[wg_cta_place_sub(a, p, k)].base + k / a->sub_cores * p->regs;
}

/* Range of a resident block in a resource: sub-core index, or sub_cores for shared memory. */
static wg_range_t range_of(const wg_cta_alloc_t *a, const wg_cta_place_t *p, uint32_t resource) {
  return resource == a->sub_cores ? p->shared : p->rows[resource];
}

/* First fit: from 0, jumping to the lowest end among the ranges in the way. */
static bool first_fit(const wg_cta_alloc_t *a, uint32_t resource, uint32_t limit, uint32_t len, uint32_t *base) {
  uint32_t start = 0u;
  *base = 0u;
  if (len == 0u) return true;
  for (;;) {
    if (start > limit || len > limit - start) return false;
    uint32_t next = UINT32_MAX;
    for (uint32_t b = 0; b < a->block_slots; b++) {
      if (!a->block[b].used) continue;
      wg_range_t r = range_of(a, &a->block[b], resource);
      if (r.len == 0u || r.base >= start + len || start >= r.base + r.len) continue;
      if (r.base + r.len < next) next = r.base + r.len;
    }
    if (next == UINT32_MAX) {
      *base = start;
      return true;
    }
    start = next;
  }
}

static uint32_t lowest_free(uint16_t taken) {
  uint32_t i = 0u;
  while ((taken >> i & 1u) != 0u) i++;
  return i;
}

static bool place_warps(const wg_cta_alloc_t *a, wg_cta_place_t *p) {
  uint16_t taken[kWgMaxSubCores];
  memcpy(taken, a->taken, sizeof taken);
  memset(p->rows, 0, sizeof p->rows);
  for (uint32_t k = 0; k < p->warps; k++) {
    uint32_t s = wg_cta_place_sub(a, p, k);
    uint32_t slot = lowest_free(taken[s]);
    if (slot >= a->warp_slots) return false;
    taken[s] |= (uint16_t)(1u << slot);
    p->slot[k] = (uint8_t)slot;
    p->rows[s].len += p->regs;
  }
  for (uint32_t s = 0; s < a->sub_cores; s++) {
    if (!first_fit(a, s, a->reg_rows, p->rows[s].len, &p->rows[s].base)) return false;
  }
  return true;
}

bool wg_cta_alloc_find(const wg_cta_alloc_t *a, uint32_t warps, uint32_t regs, uint32_t shared_bytes,
                       wg_cta_place_t *place) {
  wg_cta_place_t p;
  memset(&p, 0, sizeof p);
  p.warps = (uint8_t)warps;
  p.regs = regs;
  uint32_t block = 0u;
  while (block < a->block_slots && a->block[block].used) block++;
  if (block == a->block_slots) return false;
  p.block = (uint8_t)block;
  p.shared.len = wg_cta_alloc_shared(a, shared_bytes);
  if (!first_fit(a, a->sub_cores, a->shared_bytes, p.shared.len, &p.shared.base)) return false;
  uint32_t tries = a->rotate ? a->sub_cores : 1u;
  for (uint32_t t = 0; t < tries; t++) {
    p.first = (uint8_t)(a->rotate ? (a->next_first + t) % a->sub_cores : 0u);
    if (!place_warps(a, &p)) continue;
    *place = p;
    return true;
  }
  return false;
}

void wg_cta_alloc_take(wg_cta_alloc_t *a, const wg_cta_place_t *place) {
  WG_BUG(place->block >= a->block_slots || a->block[place->block].used);
  a->block[place->block] = *place;
  a->block[place->block].used = true;
  for (uint32_t k = 0; k < place->warps; k++) {
    a->taken[wg_cta_place_sub(a, place, k)] |= (uint16_t)(1u << place->slot[k]);
  }
  a->next_first = (uint8_t)((place->first + place->warps) % a->sub_cores);
}

void wg_cta_alloc_free(wg_cta_alloc_t *a, unsigned block) {
  WG_BUG(block >= (unsigned)kWgMaxBlockSlots || !a->block[block].used);
  wg_cta_place_t *p = &a->block[block];
  for (uint32_t k = 0; k < p->warps; k++) {
    a->taken[wg_cta_place_sub(a, p, k)] &= (uint16_t)~(1u << p->slot[k]);
  }
  p->used = false;
}
