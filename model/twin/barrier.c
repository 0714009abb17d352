// SPDX-License-Identifier: Apache-2.0
#include "model/twin/barrier.h"

#include <string.h>

void wg_barrier_reset(wg_barrier_t *b, uint32_t present) {
  memset(b, 0, sizeof *b);
  b->present = present;
}

static bool is_complete(const wg_barrier_t *b, const wg_barrier_one_t *o) {
  if (o->arrived == 0u) return false;
  if (o->has_count) return 32u * (uint32_t)__builtin_popcount(o->arrived) == o->count;
  return (b->present & ~o->arrived) == 0u;
}

enum { kTrapBits = 11, kTrapMost = (1 << kTrapBits) - 1 };

uint64_t wg_bar_trap_pack(const wg_bar_trap_t *t) {
  uint64_t id = t->id < (unsigned)kWgBarriers ? t->id : (uint64_t)kWgBarriers;
  uint64_t asks = t->asks < (uint32_t)kTrapMost ? t->asks : (uint64_t)kTrapMost;
  uint64_t expects = t->expects < (uint32_t)kTrapMost ? t->expects : (uint64_t)kTrapMost;
  return UINT64_C(1) << 63 | id << (32 + 2 * kTrapBits) | asks << (32 + kTrapBits) | expects << 32 | t->arrived;
}

bool wg_bar_trap_unpack(uint64_t addr, wg_bar_trap_t *out) {
  if (addr >> 63 == 0u) return false;
  out->id = (uint8_t)(addr >> (32 + 2 * kTrapBits) & 31u);
  out->asks = (uint32_t)(addr >> (32 + kTrapBits)) & (uint32_t)kTrapMost;
  out->expects = (uint32_t)(addr >> 32) & (uint32_t)kTrapMost;
  out->arrived = (uint32_t)addr;
  return true;
}

/* The generation is over: keep what BAR.RED gives. */
static void finish(wg_barrier_one_t *o) {
  uint32_t value = o->red == kWgBarRedPopc ? o->sum : (o->red == kWgBarRedAnd ? !o->some_false : o->sum != 0u);
  wg_barrier_one_t done = {.done_red = o->red, .result = o->red != kWgBarRedNone ? value : 0u};
  *o = done;
}

wg_barrier_out_t wg_barrier_take(wg_barrier_t *b, unsigned warp, const wg_bar_arrival_t *a) {
  wg_barrier_out_t out = {0u, false, kWgFaultTrap};
  if (a->id >= (unsigned)kWgBarriers) return out;
  if (a->has_count && (a->count == 0u || a->count % 32u != 0u)) return out;
  wg_barrier_one_t *o = &b->bar[a->id];
  if (o->arrived != 0u && (o->has_count != a->has_count || (a->has_count && o->count != a->count))) return out;
  out.fault = kWgFaultNone;
  o->has_count = a->has_count;
  o->count = a->has_count ? a->count : 0u;
  o->arrived |= 1u << warp;
  if (!a->arrive_only) o->waiting |= 1u << warp;
  o->red = a->red;
  if (a->red != kWgBarRedNone) {
    o->sum += (uint32_t)__builtin_popcount(a->preds & a->lanes);
    o->some_false = o->some_false || (a->lanes & ~a->preds) != 0u;
  }
  if (is_complete(b, o)) {
    out.complete = true;
    out.release = o->waiting;
    finish(o);
  }
  return out;
}

wg_barrier_out_t wg_barrier_arrive(wg_barrier_t *b, unsigned warp, unsigned id, bool arrive_only, bool has_count,
                                   uint32_t count) {
  wg_bar_arrival_t a = {.id = id > 255u ? 255u : (uint8_t)id,
                        .arrive_only = arrive_only,
                        .has_count = has_count,
                        .red = kWgBarRedNone,
                        .count = count};
  return wg_barrier_take(b, warp, &a);
}

uint32_t wg_barrier_exit(wg_barrier_t *b, unsigned warp, uint32_t release[kWgBarriers]) {
  uint32_t done = 0u;
  b->present &= ~(1u << warp);
  for (unsigned id = 0; id < (unsigned)kWgBarriers; id++) {
    wg_barrier_one_t *o = &b->bar[id];
    if (o->has_count || !is_complete(b, o)) continue;
    done |= 1u << id;
    release[id] = o->waiting;
    finish(o);
  }
  return done;
}
