// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "model/ref/wg_ref_stats.h"

static uint64_t mix(uint64_t h, uint32_t word) { return (h ^ word) * UINT64_C(0x100000001b3); }

void wg_ref_hash_init(wg_ref_hash_t *h, const wg_cta_launch_t *cta, uint32_t warp) {
  uint64_t block = UINT64_C(0xcbf29ce484222325);
  block = mix(block, cta->grid_id);
  for (unsigned i = 0; i < 3u; i++) block = mix(block, cta->ctaid[i]);
  for (unsigned l = 0; l < 32u; l++) h->seed[l] = mix(block, warp * 32u + l);
  memset(h->count, 0, sizeof h->count);
}

void wg_ref_hash_begin(wg_ref_hash_t *h, uint32_t exec, uint32_t place[32]) {
  for (unsigned l = 0; l < 32u; l++) {
    place[l] = h->count[l];
    h->count[l] += exec >> l & 1u;
  }
}

uint64_t wg_ref_hash_terms(const wg_ref_hash_t *h, uint32_t exec, uint32_t unknown, const uint32_t place[32],
                           uint32_t pc, const wg_ref_written_t *w) {
  uint64_t t[32];
  for (unsigned l = 0; l < 32u; l++) t[l] = mix(mix(h->seed[l], place[l]), pc);
  for (unsigned k = 0; k < w->rows; k++) {
    for (unsigned l = 0; l < 32u; l++) t[l] = mix(t[l], (unknown >> l & 1u) != 0u ? 0u : w->row[k][l]);
  }
  if (w->preds) {
    uint32_t p0 = w->p0 & ~unknown, p1 = w->p1 & ~unknown;
    for (unsigned l = 0; l < 32u; l++) t[l] = mix(t[l], (p0 >> l & 1u) | (p1 >> l & 1u) << 1);
  }
  uint64_t sum = 0u;
  for (unsigned l = 0; l < 32u; l++) sum += (exec >> l & 1u) != 0u ? t[l] : 0u;
  return sum;
}

wg_ref_written_t wg_ref_written_of(const wg_ref_step_t *st) {
  wg_ref_written_t w = {{st->out.d, st->out.d1, st->out.d2, st->out.d3}, 0u, false, 0u, 0u};
  const wg_insn_t *in = &st->insn->in;
  if (st->out.wr && in->rd != kWgRZ) w.rows = st->out.quad ? 4u : st->out.wide ? 2u : 1u;
  w.preds = (st->out.wr_p0 && in->pd0 != kWgPT) || (st->out.wr_p1 && in->pd1 != kWgPT);
  if (w.preds) {
    w.p0 = st->out.wr_p0 ? st->out.p0 : 0u;
    w.p1 = st->out.wr_p1 ? st->out.p1 : 0u;
  }
  return w;
}
