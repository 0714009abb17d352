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

wg_barrier_out_t wg_barrier_arrive(wg_barrier_t *b, unsigned warp, unsigned id, bool arrive_only, bool has_count,
                                   uint32_t count) {
  wg_barrier_out_t out = {0u, false, kWgFaultTrap};
  if (id >= (unsigned)kWgBarriers) return out;
  if (has_count && (count == 0u || count % 32u != 0u)) return out;
  wg_barrier_one_t *o = &b->bar[id];
  if (o->arrived != 0u && (o->has_count != has_count || (has_count && o->count != count))) return out;
  out.fault = kWgFaultNone;
  o->has_count = has_count;
  o->count = has_count ? count : 0u;
  o->arrived |= 1u << warp;
  if (!arrive_only) o->waiting |= 1u << warp;
  if (is_complete(b, o)) {
    out.complete = true;
    out.release = o->waiting;
    memset(o, 0, sizeof *o);
  }
  return out;
}

uint32_t wg_barrier_exit(wg_barrier_t *b, unsigned warp, uint32_t release[kWgBarriers]) {
  uint32_t done = 0u;
  b->present &= ~(1u << warp);
  for (unsigned id = 0; id < (unsigned)kWgBarriers; id++) {
    wg_barrier_one_t *o = &b->bar[id];
    if (o->has_count || !is_complete(b, o)) continue;
    done |= 1u << id;
    release[id] = o->waiting;
    memset(o, 0, sizeof *o);
  }
  return done;
}
