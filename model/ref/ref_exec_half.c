// SPDX-License-Identifier: Apache-2.0
//
// The half pipe: fp16x2, bf16x2.
#include "model/ref/wg_ref.h"
#include "model/ref/wg_ref_half.h"

static bool mark(const wg_insn_t *in, unsigned bit) { return (in->mods & bit) != 0u; }

static uint16_t operand(const wg_insn_t *in, uint32_t x, unsigned half, unsigned abs_bit, unsigned neg_bit) {
  uint16_t v = (uint16_t)(x >> (16u * half));
  if (mark(in, abs_bit)) v &= 0x7fffu;
  if (mark(in, neg_bit)) v ^= 0x8000u;
  return v;
}

static uint16_t arith(const wg_insn_t *in, uint32_t ra, uint32_t rb, uint32_t rc, bool p, unsigned half) {
  bool mnmx = in->op == kWgOp_HMNMX2;
  bool fma = in->op == kWgOp_HFMA2;
  wg_half_mode_t mode = {WG_MOD_GET(in, HBF) != 0u, WG_MOD_GET(in, FTZ) != 0u, !mnmx && WG_MOD_GET(in, SAT) != 0u,
                         !mnmx && WG_MOD_GET(in, RELU) != 0u};
  uint16_t a = operand(in, ra, half, fma ? 0u : kWgMark_AA, kWgMark_NA);
  uint16_t b = operand(in, rb, half, fma ? 0u : kWgMark_AB, kWgMark_NB);
  switch (in->op) {
    case kWgOp_HADD2: return wg_half_add(a, b, mode);
    case kWgOp_HMUL2: return wg_half_mul(a, b, mode);
    case kWgOp_HFMA2: return wg_half_fma(a, b, operand(in, rc, half, 0u, kWgMark_NC), mode);
    default: return wg_half_minmax(a, b, p, WG_MOD_GET(in, HNAN) != 0u, mode);
  }
}

static bool compare(const wg_insn_t *in, uint32_t ra, uint32_t rb, unsigned half) {
  wg_half_mode_t mode = {WG_MOD_GET(in, HSBF) != 0u, WG_MOD_GET(in, SFTZ) != 0u, false, false};
  return wg_half_compare(operand(in, ra, half, kWgMark_SAA, kWgMark_SNA),
                         operand(in, rb, half, kWgMark_SAB, kWgMark_SNB), WG_MOD_GET(in, FCMP), mode);
}

static bool combine(unsigned op, bool t, bool p) {
  switch (op) {
    case 0: return t && p;
    case 1: return t || p;
    default: return t != p;
  }
}

bool wg_ref_exec_half(const wg_insn_t *in, const wg_ref_in_t *src, wg_ref_out_t *out) {
  bool setp = in->op == kWgOp_HSETP2;
  if (in->op < kWgOp_HADD2 || in->op > kWgOp_HSETP2) return false;
  out->wr = !setp;
  out->wr_p0 = out->wr_p1 = setp;
  out->wide = out->quad = false;
  out->p0 = out->p1 = 0u;
  unsigned op = WG_MOD_GET(in, FBOOL);
  for (unsigned l = 0; l < 32u; l++) {
    if ((src->exec >> l & 1u) == 0u) continue;
    uint32_t a = src->a != NULL ? src->a[l] : 0u;
    uint32_t b = src->b != NULL ? src->b[l] : 0u;
    uint32_t c = src->c != NULL ? src->c[l] : 0u;
    bool p = (src->p >> l & 1u) != 0u;
    if (setp) {
      bool t = compare(in, a, b, 0u);
      bool t1 = WG_MOD_GET(in, HPAIR) != 0u ? compare(in, a, b, 1u) : !t;
      out->p0 |= (uint32_t)combine(op, t, p) << l;
      out->p1 |= (uint32_t)combine(op, t1, p) << l;
    } else {
      out->d[l] = arith(in, a, b, c, p, 0u) | (uint32_t)arith(in, a, b, c, p, 1u) << 16;
    }
  }
  return true;
}
