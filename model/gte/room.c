// SPDX-License-Identifier: Apache-2.0
#include "model/gte/room.h"

#include <string.h>

void wg_room_init(wg_room_t *r, const wg_shape_t *shape, const wg_sm_cfg_t *cfg) {
  memset(r, 0, sizeof *r);
  r->sub_cores = shape->sub_cores;
  r->warp_slots = cfg->warp_slots;
  r->block_slots = cfg->block_slots;
  r->reg_rows = cfg->regs_per_subcore / kWgWarpThreads;
  r->shared_bytes = cfg->shared_bytes;
  r->shared_unit = cfg->shared_unit;
  r->shared_reserve = cfg->shared_reserve;
  r->thread_slots = cfg->thread_slots;
  r->rotate = cfg->first_rotate;
}

uint32_t wg_room_shared_size(const wg_room_t *r, uint32_t shared_bytes) {
  uint32_t sum = shared_bytes + r->shared_reserve;
  return (sum + r->shared_unit - 1) / r->shared_unit * r->shared_unit;
}

/* First fit: start at 0; while a resident range overlaps, move to the lowest end among the overlapping ones. */
static bool fit_range(const wg_room_t *r, int sub, uint32_t size, uint32_t limit, uint32_t *lo) {
  uint32_t at = 0;
  for (;;) {
    uint32_t next = UINT32_MAX;
    for (uint32_t b = 0; b < r->block_slots; b++) {
      const wg_room_block_t *k = &r->block[b];
      uint32_t klo = sub < 0 ? k->shared_lo : k->reg_lo[sub], khi = sub < 0 ? k->shared_hi : k->reg_hi[sub];
      if (k->used && klo < at + size && at < khi && khi < next) next = khi;
    }
    if (next == UINT32_MAX) break;
    at = next;
  }
  if (at + size > limit) return false;
  *lo = at;
  return true;
}

/* Warp slots and registers with this first sub-core. */
static bool fit_from(const wg_room_t *r, uint32_t first, uint32_t warps, uint32_t regs, wg_room_block_t *p) {
  for (uint32_t s = 0; s < r->sub_cores; s++) {
    uint32_t turn = (s + r->sub_cores - first) % r->sub_cores;
    uint32_t here = warps > turn ? (warps - turn - 1) / r->sub_cores + 1 : 0;
    p->slots[s] = 0;
    p->reg_lo[s] = p->reg_hi[s] = 0;
    for (uint32_t k = 0, left = here; left > 0; k++) {
      if (k == r->warp_slots) return false;
      if ((r->taken[s] >> k & 1u) != 0) continue;
      p->slots[s] = (uint16_t)(p->slots[s] | 1u << k);
      left--;
    }
    if (here == 0) continue;
    if (!fit_range(r, (int)s, here * regs, r->reg_rows, &p->reg_lo[s])) return false;
    p->reg_hi[s] = p->reg_lo[s] + here * regs;
  }
  p->first = (uint8_t)first;
  return true;
}

int wg_room_find(const wg_room_t *r, uint32_t warps, uint32_t regs, uint32_t shared_bytes, wg_room_block_t *place) {
  uint32_t slot = 0;
  while (slot < r->block_slots && r->block[slot].used) slot++;
  if (slot == r->block_slots) return -1;
  if (r->thread_slots != 0 && r->threads + warps * kWgWarpThreads > r->thread_slots) return -1;
  wg_room_block_t p = {.used = true, .warps = (uint8_t)warps};
  uint32_t size = wg_room_shared_size(r, shared_bytes);
  if (size > 0 && !fit_range(r, -1, size, r->shared_bytes, &p.shared_lo)) return -1;
  p.shared_hi = p.shared_lo + size;
  for (uint32_t i = 0; i < (r->rotate ? r->sub_cores : 1); i++) {
    if (!fit_from(r, r->rotate ? (r->next_first + i) % r->sub_cores : 0, warps, regs, &p)) continue;
    *place = p;
    return (int)slot;
  }
  return -1;
}

void wg_room_take(wg_room_t *r, int slot, const wg_room_block_t *place) {
  WG_BUG(slot < 0 || r->block[slot].used);
  r->block[slot] = *place;
  for (uint32_t s = 0; s < r->sub_cores; s++) r->taken[s] |= place->slots[s];
  r->threads += place->warps * (uint32_t)kWgWarpThreads;
  r->next_first = (uint8_t)((place->first + place->warps) % r->sub_cores);
}

void wg_room_free(wg_room_t *r, int slot) {
  wg_room_block_t *b = &r->block[slot];
  WG_BUG(!b->used);
  for (uint32_t s = 0; s < r->sub_cores; s++) r->taken[s] = (uint16_t)(r->taken[s] & ~b->slots[s]);
  r->threads -= b->warps * (uint32_t)kWgWarpThreads;
  b->used = false;
}
