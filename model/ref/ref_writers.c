// SPDX-License-Identifier: Apache-2.0
#include "model/ref/wg_ref_writers.h"

#include <string.h>

#include "model/ref/wg_ref_atom.h"

enum { kWriters = 1 << 14, kFewLanes = 4 };

struct wg_writers {
  bool any;
  wg_writer_t at[kWriters];
};

wg_writers_t *wg_writers_new(void) {
  wg_writers_t *t = calloc(1, sizeof *t);
  WG_BUG(t == NULL);
  return t;
}

void wg_writers_free(wg_writers_t *t) { free(t); }

void wg_writers_launch(wg_writers_t *t) {
  if (t->any) memset(t, 0, sizeof *t);
}

static uint64_t key_of(const wg_cta_launch_t *cta, bool shared, uint64_t addr) {
  uint64_t block = ((uint64_t)cta->ctaid[2] * cta->nctaid[1] + cta->ctaid[1]) * cta->nctaid[0] + cta->ctaid[0];
  return shared ? UINT64_C(1) << 63 | block << 20 | addr / 4u : addr / 4u;
}

static size_t place_of(uint64_t key) { return (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 50); }

static void put(wg_writers_t *t, const wg_cta_launch_t *cta, uint32_t warp, unsigned lane, uint32_t pc, bool shared, uint64_t addr,
                uint32_t value, bool atomic, bool known) {
  uint64_t key = key_of(cta, shared, addr);
  wg_writer_t *w = &t->at[place_of(key)];
  t->any = true;
  *w = (wg_writer_t){key, cta->grid_id, {cta->ctaid[0], cta->ctaid[1], cta->ctaid[2]}, warp, lane, pc, value, atomic, known};
}

void wg_writers_store(wg_writers_t *t, const wg_cta_launch_t *cta, uint32_t warp, const wg_ref_step_t *st) {
  const wg_insn_t *in = &st->insn->in;
  bool atomic = wg_insn_is_atomic(in->op);
  if (!wg_insn_is_store(in->op) && !(atomic && in->rd == kWgRZ)) return;
  uint32_t lanes = st->lanes & ~st->local;
  bool can_be_strong = in->op == kWgOp_STG || in->op == kWgOp_ST;
  bool strong = can_be_strong && WG_MOD_GET(in, MCACHE) == 2u;
  if (!atomic && !strong && __builtin_popcount(lanes) > (int)kFewLanes) return;
  const uint8_t *order = wg_ref_store_order(st->bytes);
  for (unsigned i = 0; i < 32u; i++) {
    unsigned l = atomic ? i : order[i];
    if ((lanes >> l & 1u) == 0u) continue;
    put(t, cta, warp, l, st->pc, (st->shared >> l & 1u) != 0u, st->addr[l], st->data[0][l], atomic, !atomic);
  }
}

void wg_writers_atomic(wg_writers_t *t, const wg_cta_launch_t *cta, uint32_t warp, const wg_insn_t *in, uint32_t pc, uint32_t lanes,
                       uint32_t shared, const uint64_t addr[32], const uint32_t data[4][32], const uint32_t *const old[2]) {
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    uint64_t before = old[0][l] | (old[1] != NULL ? (uint64_t)old[1][l] << 32 : 0u), after = before;
    bool in_shared = (shared >> l & 1u) != 0u;
    wg_ref_atom_lane(in, data, l, in_shared, (uint8_t *)&after);
    if (after != before) put(t, cta, warp, l, pc, in_shared, addr[l], (uint32_t)after, true, true);
  }
}

const wg_writer_t *wg_writers_of(const wg_writers_t *t, const wg_cta_launch_t *cta, bool shared, uint64_t addr) {
  uint64_t key = key_of(cta, shared, addr);
  const wg_writer_t *w = &t->at[place_of(key)];
  return w->key == key ? w : NULL;
}
