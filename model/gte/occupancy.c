// SPDX-License-Identifier: Apache-2.0
#include "model/gte/occupancy.h"

#include <string.h>

#include "model/twin/cta_alloc.h"

enum { kMaxThreads = 1024, kMaxRegs = 255 };

const char *wg_occ_resource_name(wg_occ_resource_t r) {
  static const char *const kNames[] = {"shared memory", "registers", "warp slots", "threads", "block slots"};
  return kNames[r];
}

static uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
static uint32_t regs_of(uint32_t regs) { return ceil_div(regs, kWgRegUnit) * kWgRegUnit; }

/* Blocks whose warps find `slots` places in each sub-core: first warp always in sub-core 0, or wherever the last
 * block stopped, so that only the sum counts. */
static uint32_t by_sub_core(const wg_cta_alloc_t *a, uint32_t warps, uint32_t slots) {
  return a->rotate ? a->sub_cores * slots / warps : slots / ceil_div(warps, a->sub_cores);
}

static uint32_t resident(const wg_cta_alloc_t *empty, uint32_t thread_slots, uint32_t warps, uint32_t regs,
                         uint32_t shared) {
  wg_cta_alloc_t a = *empty;
  wg_cta_place_t place;
  uint32_t n = 0;
  while ((thread_slots == 0 || (n + 1) * warps * kWgWarpThreads <= thread_slots) &&
         wg_cta_alloc_find(&a, warps, regs, shared, &place)) {
    wg_cta_alloc_take(&a, &place);
    n++;
  }
  return n;
}

wg_status_t wg_occ_of(const wg_preset_t *p, const wg_occ_block_t *b, wg_occ_t *out, wg_diag_t *diag) {
  if (b->threads < 1 || b->threads > kMaxThreads) {
    return wg_fail(diag, kWgBadArg, "a block of %u threads, must be 1 to %d", b->threads, kMaxThreads);
  }
  if (b->regs < 1 || b->regs > kMaxRegs)
    return wg_fail(diag, kWgBadArg, "%u registers a thread, must be 1 to %d", b->regs, kMaxRegs);
  if (b->shared_bytes > INT32_MAX)
    return wg_fail(diag, kWgBadArg, "%u bytes of shared memory are too many", b->shared_bytes);
  wg_cta_alloc_t a;
  wg_cta_alloc_reset(&a, p->shape->sub_cores, &p->sm);
  wg_occ_t o = {.warps = ceil_div(b->threads, kWgWarpThreads), .max_warps = a.sub_cores * a.warp_slots};
  uint32_t regs = regs_of(b->regs), shared = wg_cta_alloc_shared(&a, b->shared_bytes), slots = p->sm.thread_slots;
  if (slots != 0 && slots / kWgWarpThreads < o.max_warps) o.max_warps = slots / kWgWarpThreads;
  o.blocks = resident(&a, slots, o.warps, regs, b->shared_bytes);
  const uint32_t needs[kWgOccResources] = {shared, ceil_div(o.warps, a.sub_cores) * regs * kWgWarpThreads, o.warps,
                                           o.warps * kWgWarpThreads, 1};
  const uint32_t has[kWgOccResources] = {a.shared_bytes, a.reg_rows * kWgWarpThreads, a.sub_cores * a.warp_slots,
                                         slots, a.block_slots};
  const uint32_t alone[kWgOccResources] = {
      shared == 0 ? UINT32_MAX : a.shared_bytes / shared, by_sub_core(&a, o.warps, a.reg_rows / regs),
      by_sub_core(&a, o.warps, a.warp_slots), slots == 0 ? UINT32_MAX : slots / needs[kWgOccThreads], a.block_slots};
  memcpy(o.needs, needs, sizeof needs);
  memcpy(o.has, has, sizeof has);
  memcpy(o.alone, alone, sizeof alone);
  for (unsigned r = 1; r < kWgOccResources; r++) {
    if (o.alone[r] < o.alone[o.limiter]) o.limiter = (wg_occ_resource_t)r;
  }
  *out = o;
  return kWgOk;
}

/* The largest value below the present one of registers or shared memory at which more blocks fit; UINT32_MAX = none.
 */
static uint32_t less_of(const wg_preset_t *p, const wg_occ_block_t *b, uint32_t now, bool regs, uint32_t *blocks) {
  wg_occ_block_t t = *b;
  uint32_t *field = regs ? &t.regs : &t.shared_bytes, least = regs ? 1 : 0, step = regs ? 1 : p->sm.shared_unit;
  for (uint32_t v = *field; v > least;) {
    v = v > least + step ? v - (v % step == 0 ? step : v % step) : least;
    *field = v;
    wg_occ_t o;
    if (wg_occ_of(p, &t, &o, NULL) != kWgOk || o.blocks <= now) continue;
    *blocks = o.blocks;
    return v;
  }
  return UINT32_MAX;
}

/* The block size, a multiple of a warp, with the most resident warps; the smallest of at least 128 threads among
 * equals. */
static uint32_t better_size(const wg_preset_t *p, const wg_occ_block_t *b, uint32_t now, uint32_t *warps) {
  uint32_t best = 0;
  *warps = now;
  for (uint32_t t = 128; t <= kMaxThreads && t <= p->max_threads_per_block; t += kWgWarpThreads) {
    wg_occ_block_t other = {t, b->regs, b->shared_bytes};
    wg_occ_t o;
    if (wg_occ_of(p, &other, &o, NULL) != kWgOk || o.blocks * o.warps <= *warps) continue;
    *warps = o.blocks * o.warps;
    best = t;
  }
  return best;
}

const char *wg_occ_remedy(const wg_preset_t *p, const wg_occ_block_t *b, const wg_occ_t *o, char *buf, size_t n) {
  uint32_t blocks = 0, warps = 0, now = o->blocks * o->warps;
  uint32_t size = better_size(p, b, now, &warps);
  if (now == o->max_warps) {
    snprintf(buf, n, "none needed: all %u warp slots are in use", o->max_warps);
    return buf;
  }
  if (o->limiter == kWgOccRegisters || o->limiter == kWgOccShared) {
    bool regs = o->limiter == kWgOccRegisters;
    uint32_t v = less_of(p, b, o->blocks, regs, &blocks);
    if (v != UINT32_MAX && regs) {
      snprintf(buf, n, "at most %u registers a thread, by __launch_bounds__(%u, %u), let an SM hold %u block%s", v,
               b->threads, blocks, blocks, blocks == 1 ? "" : "s");
      return buf;
    }
    if (v != UINT32_MAX) {
      snprintf(buf, n, "at most %u bytes of shared memory a block let an SM hold %u block%s", v, blocks,
               blocks == 1 ? "" : "s");
      return buf;
    }
  }
  if (size != 0) {
    snprintf(buf, n, "blocks of %u threads with the same needs give %u of %u warps instead of %u", size, warps,
             o->max_warps, now);
  } else if (o->blocks == 0) {
    snprintf(buf, n, "a smaller block, less of it, or a preset with a larger SM: such a block never fits");
  } else {
    snprintf(buf, n, "no other block size holds more warps: ask for less %s", wg_occ_resource_name(o->limiter));
  }
  return buf;
}

void wg_occ_waves(uint64_t blocks, uint32_t sms, uint32_t blocks_per_sm, wg_occ_waves_t *out) {
  uint64_t places = (uint64_t)sms * blocks_per_sm;
  out->resident = blocks < places ? blocks : places;
  out->waves = (blocks + places - 1) / places;
  out->last = blocks - (out->waves - 1) * places;
  out->tail = (double)out->last / (double)places;
  out->use = (double)blocks / (double)(out->waves * places);
}
