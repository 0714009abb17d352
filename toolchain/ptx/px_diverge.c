// SPDX-License-Identifier: Apache-2.0
//
// Divergence analysis: which units, predicates and branches may differ between the lanes of a warp.
//
// A value is uniform if it comes from uniform values alone and, if it is written in several places, none of them lies
// between a divergent branch and its reconvergence. Loads, shuffles and special registers other than CTAID count as
// divergent. What is unproven is divergent: that costs a BSSY, nothing else.
#include <string.h>

#include "toolchain/ptx/px.h"

typedef struct wg_px_div {
  wg_px_fn_t *f;
  bool *unit, *pred, *region; /* region: [blocks] lanes may be apart here */
  uint32_t *defs, *pdefs;
} wg_px_div_t;

static bool source_divergent(const wg_px_div_t *v, const wg_px_insn_t *in, const wg_px_use_t *u) {
  if (in->op == kWgOp_S2R) return in->imm < kWgSrCtaidX || in->imm > kWgSrCtaidZ;
  unsigned pipe = wg_insn_info(in->op)->pipe;
  if (in->op == kWgOp_NOP) return in->d != v->f->sp; /* an argument, a result */
  if (in->op == kWgOp_SHFL || pipe == kWgPipeXLANE || pipe == kWgPipeMMA) return true;
  if (wg_insn_space(in->op) != kWgSpaceNone && wg_insn_space(in->op) != kWgSpaceConst) return true;
  for (int k = 0; k < 3; k++) {
    for (int j = 0; u->src[k] >= 0 && j < u->nsrc[k]; j++) {
      if (v->unit[u->src[k] + j]) return true;
    }
    if (u->psrc[k] >= 0 && v->pred[u->psrc[k]]) return true;
  }
  return false;
}

static bool set(bool *flag) {
  bool changed = !*flag;
  *flag = true;
  return changed;
}

static bool visit(wg_px_div_t *v, const wg_px_block_t *b, const wg_px_insn_t *in) {
  wg_px_use_t u = wg_px_uses(in);
  bool changed = false, div = source_divergent(v, in, &u), apart = v->region[b->id];
  for (int j = 0; u.dst >= 0 && j < u.ndst; j++) {
    if (div || (apart && v->defs[u.dst + j] > 1)) changed |= set(&v->unit[u.dst + j]);
  }
  for (int k = 0; k < 2; k++) {
    if (u.pdst[k] >= 0 && (div || (apart && v->pdefs[u.pdst[k]] > 1))) changed |= set(&v->pred[u.pdst[k]]);
  }
  return changed;
}

static void count_defs(wg_px_div_t *v) {
  for (wg_px_block_t *b = v->f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      wg_px_use_t u = wg_px_uses(b->insn[i]);
      unsigned w = b->insn[i]->guard >= 0 ? 2 : 1;
      for (int j = 0; u.dst >= 0 && j < u.ndst; j++) v->defs[u.dst + j] += w;
      for (int k = 0; k < 2; k++) {
        if (u.pdst[k] >= 0) v->pdefs[u.pdst[k]] += w;
      }
    }
  }
}

void wg_px_diverge(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_cfg_t *g = wg_px_cfg(x, f);
  wg_px_post_dominators(g);
  wg_px_div_t v = {.f = f};
  v.unit = wg_px_alloc(x, f->num_units + 1);
  v.pred = wg_px_alloc(x, f->num_preds + 1);
  v.region = wg_px_alloc(x, g->n);
  v.defs = wg_px_alloc(x, (f->num_units + 1) * sizeof *v.defs);
  v.pdefs = wg_px_alloc(x, (f->num_preds + 1) * sizeof *v.pdefs);
  bool *reach = wg_px_alloc(x, g->n);
  count_defs(&v);
  for (bool changed = true; changed;) {
    changed = false;
    wg_px_charge(g, g->num_rpo);
    for (uint32_t i = 0; i < g->num_rpo; i++) {
      wg_px_block_t *b = g->rpo[i];
      for (uint32_t k = 0; k < b->n; k++) changed |= visit(&v, b, b->insn[k]);
      if (b->term != kWgPxTCond || b->divergent || b->uni || !v.pred[b->pred]) continue;
      b->divergent = changed = true;
      wg_px_reach(g, b, g->ipdom[b->id], false, reach);
      wg_px_charge(g, g->n / 4);
      for (uint32_t k = 0; k < g->n; k++) v.region[k] = v.region[k] || reach[k];
    }
  }
}
