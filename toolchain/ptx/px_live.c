// SPDX-License-Identifier: Apache-2.0
//
// Liveness of units and predicates, backward over blocks. Lanes follow ways through the graph one by one and writes
// are masked, so what holds for a single thread holds for each lane.
#include <string.h>

#include "toolchain/ptx/px.h"

typedef struct wg_px_sets {
  uint64_t *use, *def, *puse, *pdef;
} wg_px_sets_t;

static void scan(const wg_px_fn_t *f, const wg_px_block_t *b, wg_px_sets_t *s) {
  for (uint32_t i = 0; i < b->n; i++) {
    const wg_px_insn_t *in = b->insn[i];
    wg_px_use_t u = wg_px_uses(in);
    for (int k = 0; k < 3; k++) {
      for (int j = 0; u.src[k] >= 0 && j < u.nsrc[k]; j++) {
        if (!WG_PX_GET(s->def, u.src[k] + j)) WG_PX_SET(s->use, u.src[k] + j);
      }
      if (u.psrc[k] >= 0 && !WG_PX_GET(s->pdef, u.psrc[k])) WG_PX_SET(s->puse, u.psrc[k]);
    }
    for (int j = 0; u.dst >= 0 && j < u.ndst; j++) {
      int32_t d = u.dst + j;
      if (wg_px_full_def(f, in, d)) {
        WG_PX_SET(s->def, d);
      } else if (!WG_PX_GET(s->def, d)) {
        WG_PX_SET(s->use, d);
      }
    }
    for (int k = 0; k < 2; k++) {
      int32_t d = u.pdst[k];
      if (d < 0) continue;
      if (wg_px_full_pdef(f, in, d)) {
        WG_PX_SET(s->pdef, d);
      } else if (!WG_PX_GET(s->pdef, d)) {
        WG_PX_SET(s->puse, d);
      }
    }
  }
  if (b->pred >= 0 && (b->term == kWgPxTCond || b->term == kWgPxTExitIf) && !WG_PX_GET(s->pdef, b->pred)) {
    WG_PX_SET(s->puse, b->pred);
  }
}

static bool merge(uint64_t *in, uint64_t *out, uint64_t *const *succ_in, const wg_px_block_t *b, const uint64_t *use,
                  const uint64_t *def, uint32_t words) {
  bool changed = false;
  for (uint32_t w = 0; w < words; w++) {
    uint64_t o = 0;
    for (unsigned k = 0; k < wg_px_num_succ(b); k++) o |= succ_in[b->succ[k]->id][w];
    uint64_t i = use[w] | (o & ~def[w]);
    changed = changed || i != in[w] || o != out[w];
    in[w] = i;
    out[w] = o;
  }
  return changed;
}

static uint64_t **sets(wg_px_ctx_t *x, uint32_t n, uint32_t words) {
  uint64_t **p = wg_px_alloc(x, (n + 1) * sizeof *p);
  for (uint32_t i = 0; i < n; i++) p[i] = wg_px_alloc(x, (words + 1) * sizeof **p);
  return p;
}

wg_px_live_t *wg_px_live(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_cfg_t *g = wg_px_cfg(x, f);
  wg_px_live_t *l = wg_px_alloc(x, sizeof *l);
  l->words = (f->num_units + 63) / 64;
  l->pwords = (f->num_preds + 63) / 64;
  l->in = sets(x, g->n, l->words);
  l->out = sets(x, g->n, l->words);
  l->pin = sets(x, g->n, l->pwords);
  l->pout = sets(x, g->n, l->pwords);
  wg_px_sets_t *s = wg_px_alloc(x, g->n * sizeof *s);
  for (uint32_t i = 0; i < g->n; i++) {
    s[i] = (wg_px_sets_t){wg_px_alloc(x, (l->words + 1) * 8), wg_px_alloc(x, (l->words + 1) * 8),
                          wg_px_alloc(x, (l->pwords + 1) * 8), wg_px_alloc(x, (l->pwords + 1) * 8)};
    scan(f, g->block[i], &s[i]);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = g->num_rpo; i-- > 0;) {
      wg_px_block_t *b = g->rpo[i];
      uint32_t id = b->id;
      changed |= merge(l->in[id], l->out[id], l->in, b, s[id].use, s[id].def, l->words);
      changed |= merge(l->pin[id], l->pout[id], l->pin, b, s[id].puse, s[id].pdef, l->pwords);
    }
  }
  return l;
}
