// SPDX-License-Identifier: Apache-2.0
//
// The fp64 pipe: DADD, DMUL, DFMA, DSETP, DMNMX on rows of register pairs.
#include "model/ref/wg_ref.h"
#include "model/ref/wg_ref_fp64.h"

static bool marked(const wg_insn_t *in, unsigned bit) { return (in->mods & bit) != 0u; }

/* Lane `l` of a pair of rows; a missing row counts as zeros. */
static uint64_t pair(const uint32_t *lo, const uint32_t *hi, unsigned l) {
  return (uint64_t)(hi != NULL ? hi[l] : 0u) << 32 | (lo != NULL ? lo[l] : 0u);
}

static bool combine(unsigned op, bool t, bool p) {
  switch (op) {
    case 0: return t && p;
    case 1: return t || p;
    default: return t != p;
  }
}

/* DADD, DMUL, DFMA, DMNMX; p chooses the smaller one of DMNMX. */
static uint64_t number(const wg_insn_t *in, uint64_t a, uint64_t b, uint64_t c, bool p) {
  wg_round_t round = (wg_round_t)WG_MOD_GET(in, RND);
  bool fma = in->op == kWgOp_DFMA; /* has no absolute values */
  a = wg_fp64_mark(a, !fma && marked(in, kWgMark_AA), marked(in, kWgMark_NA));
  b = wg_fp64_mark(b, !fma && marked(in, kWgMark_AB), marked(in, kWgMark_NB));
  switch (in->op) {
    case kWgOp_DADD: return wg_fp64_add(a, b, round);
    case kWgOp_DMUL: return wg_fp64_mul(a, b, round);
    case kWgOp_DFMA: return wg_fp64_fma(a, b, wg_fp64_mark(c, false, marked(in, kWgMark_NC)), round);
    default: return wg_fp64_minmax(a, b, p);
  }
}

static bool compare(const wg_insn_t *in, uint64_t a, uint64_t b) {
  a = wg_fp64_mark(a, marked(in, kWgMark_SAA), marked(in, kWgMark_SNA));
  b = wg_fp64_mark(b, marked(in, kWgMark_SAB), marked(in, kWgMark_SNB));
  return wg_fp64_compare(a, b, WG_MOD_GET(in, FCMP));
}

bool wg_ref_exec_fp64(const wg_insn_t *in, const wg_ref_in_t *src, wg_ref_out_t *out) {
  bool setp = in->op == kWgOp_DSETP;
  if (!setp && in->op != kWgOp_DADD && in->op != kWgOp_DMUL && in->op != kWgOp_DFMA && in->op != kWgOp_DMNMX)
    return false;
  out->p0 = out->p1 = 0u;
  out->wr = out->wide = !setp;
  out->quad = false;
  out->wr_p0 = out->wr_p1 = setp;
  for (unsigned l = 0; l < 32u; l++) {
    if ((src->exec >> l & 1u) == 0u) continue;
    uint64_t a = pair(src->a, src->a1, l), b = pair(src->b, src->b1, l);
    bool p = (src->p >> l & 1u) != 0u;
    if (setp) {
      bool t = compare(in, a, b);
      unsigned op = WG_MOD_GET(in, FBOOL);
      if (combine(op, t, p)) out->p0 |= 1u << l;
      if (combine(op, !t, p)) out->p1 |= 1u << l;
      continue;
    }
    uint64_t d = number(in, a, b, pair(src->c, src->c1, l), p);
    out->d[l] = (uint32_t)d;
    out->d1[l] = (uint32_t)(d >> 32);
  }
  return true;
}
