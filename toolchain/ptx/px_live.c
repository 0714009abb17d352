// SPDX-License-Identifier: Apache-2.0
//
// Liveness of units and predicates, backward over blocks. Lanes follow ways through the graph one by one and writes
// are masked, so what holds for a single thread holds for each lane.
#include <string.h>

#include "toolchain/ptx/px.h"

/* One class of values, units or predicates, while blocks are scanned. */
typedef struct wg_px_class {
  uint32_t *written; /* value -> number of the last block with a full write, + 1 */
  int32_t *place, *value;
  uint32_t num;
  uint64_t *use, *def; /* of the block, by place; NULL while places are given out */
} wg_px_class_t;

static void read_value(wg_px_class_t *c, int32_t v, uint32_t block) {
  if (v < 0 || c->written[v] == block + 1) return;
  if (c->place[v] < 0) {
    c->value[c->num] = v;
    c->place[v] = (int32_t)c->num++;
  }
  if (c->use != NULL) WG_PX_SET(c->use, c->place[v]);
}

static void write_value(wg_px_class_t *c, int32_t v, uint32_t block, bool full) {
  if (!full) {
    read_value(c, v, block);
    return;
  }
  c->written[v] = block + 1;
  if (c->def != NULL && c->place[v] >= 0) WG_PX_SET(c->def, c->place[v]);
}

static void scan(const wg_px_fn_t *f, const wg_px_block_t *b, uint32_t id, wg_px_class_t *c, wg_px_class_t *p) {
  for (uint32_t i = 0; i < b->n; i++) {
    const wg_px_insn_t *in = b->insn[i];
    wg_px_use_t u = wg_px_uses(in);
    for (int k = 0; k < 3; k++) {
      for (int j = 0; u.src[k] >= 0 && j < u.nsrc[k]; j++) read_value(c, u.src[k] + j, id);
      read_value(p, u.psrc[k], id);
    }
    for (int j = 0; u.dst >= 0 && j < u.ndst; j++) {
      write_value(c, u.dst + j, id, wg_px_full_def(f, in, u.dst + j));
    }
    for (int k = 0; k < 2; k++) {
      if (u.pdst[k] >= 0) write_value(p, u.pdst[k], id, wg_px_full_pdef(f, in, u.pdst[k]));
    }
  }
  if (b->term == kWgPxTCond || b->term == kWgPxTExitIf) read_value(p, b->pred, id);
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
  uint64_t **p = wg_px_alloc(x, (n + 1) * sizeof *p), *set = wg_px_alloc(x, ((size_t)n * words + 1) * sizeof *set);
  for (uint32_t i = 0; i < n; i++) p[i] = set + (size_t)i * words;
  return p;
}

static wg_px_class_t new_class(wg_px_ctx_t *x, uint32_t n) {
  wg_px_class_t c = {.written = wg_px_alloc(x, (n + 1) * 4), .place = wg_px_alloc(x, (n + 1) * 4)};
  c.value = wg_px_alloc(x, (n + 1) * 4);
  memset(c.place, 0xff, (n + 1) * 4);
  return c;
}

bool wg_px_live_has(const wg_px_live_t *l, const uint64_t *set, int32_t u) {
  return l->place[u] >= 0 && WG_PX_GET(set, l->place[u]);
}

wg_px_live_t *wg_px_live(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_cfg_t *g = wg_px_cfg(x, f);
  wg_px_live_t *l = wg_px_alloc(x, sizeof *l);
  wg_px_class_t c = new_class(x, f->num_units), p = new_class(x, f->num_preds);
  for (uint32_t i = 0; i < g->n; i++) scan(f, g->block[i], i, &c, &p); /* gives out the places */
  l->num = c.num;
  l->pnum = p.num;
  l->unit = c.value;
  l->pred = p.value;
  l->place = c.place;
  l->pplace = p.place;
  l->words = (l->num + 63) / 64;
  l->pwords = (l->pnum + 63) / 64;
  l->in = sets(x, g->n, l->words);
  l->out = sets(x, g->n, l->words);
  l->pin = sets(x, g->n, l->pwords);
  l->pout = sets(x, g->n, l->pwords);
  uint64_t **use = sets(x, g->n, l->words), **def = sets(x, g->n, l->words);
  uint64_t **puse = sets(x, g->n, l->pwords), **pdef = sets(x, g->n, l->pwords);
  for (uint32_t i = 0; i < g->n; i++) {
    c.use = use[i], c.def = def[i], p.use = puse[i], p.def = pdef[i];
    scan(f, g->block[i], g->n + i, &c, &p);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = g->num_rpo; i-- > 0;) {
      wg_px_block_t *b = g->rpo[i];
      uint32_t id = b->id;
      changed |= merge(l->in[id], l->out[id], l->in, b, use[id], def[id], l->words);
      changed |= merge(l->pin[id], l->pout[id], l->pin, b, puse[id], pdef[id], l->pwords);
    }
  }
  return l;
}
