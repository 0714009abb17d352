// SPDX-License-Identifier: Apache-2.0
//
// Division and reciprocal, correctly rounded (README.md, "Division", has the argument and the rule of FCHK).
//
//   fast path, whole warp:   y = 1/b twice refined, q = a*y twice corrected      (where FCHK says that this is exact)
//   slow path, out of line:  the same on the significands alone, which lie in [1, 2); exponent, sign, denormal
//   results
//                            and special operands in integer instructions
#include "toolchain/ptx/px_build.h"

enum { kOne = 0x3f800000, kInf = 0x7f800000, kAbs = 0x7fffffff, kMant = 0x007fffff, kNan = 0x7fffffff };

static int32_t ffma(wg_px_ctx_t *x, int32_t a, bool neg_a, int32_t b, int32_t c) {
  int32_t d = wg_px_tmp(x);
  (void)wg_px_emit(x, kWgOp_FFMA, neg_a ? kWgMark_NA : 0, d, a, b, c);
  return d;
}

static int32_t op_imm(wg_px_ctx_t *x, uint8_t op, unsigned mods, int32_t a, uint32_t imm, int32_t c) {
  int32_t d = wg_px_tmp(x);
  (void)wg_px_emit_imm(x, op, mods, d, a, imm, c);
  return d;
}

/* Markstein's sequence: y0 within 1 ulp of 1/b -> RN(a/b), last remainder into *rem if wanted. d may not be a or b.
 */
static void quotient(wg_px_ctx_t *x, int32_t d, int32_t a, int32_t b, int32_t one, int32_t *rem) {
  int32_t y0 = wg_px_tmp(x), q0 = wg_px_tmp(x);
  (void)wg_px_emit(x, kWgOp_MUFU, MOD(MUFUF, 4), y0, b, -1, -1);
  /* Rounded up first: from below, a divisor whose significand is all ones would keep its y0 one unit too small. */
  int32_t e0 = ffma(x, b, true, y0, one), y1 = wg_px_tmp(x);
  (void)wg_px_emit(x, kWgOp_FFMA, MOD(RND, 2), y1, y0, e0, y0);
  int32_t e1 = ffma(x, b, true, y1, one);
  int32_t y = ffma(x, y1, false, e1, y1);
  (void)wg_px_emit(x, kWgOp_FMUL, 0, q0, a, y, -1);
  int32_t r0 = ffma(x, b, true, q0, a);
  int32_t q1 = ffma(x, y, false, r0, q0);
  int32_t r1 = ffma(x, b, true, q1, a);
  (void)wg_px_emit(x, kWgOp_FFMA, 0, d, y, r1, q1);
  if (rem != NULL) *rem = ffma(x, b, true, d, a);
}

static int32_t setp(wg_px_ctx_t *x, unsigned cmp, int32_t a, uint32_t imm, unsigned mode, int32_t with) {
  int32_t p = wg_px_pred_new(x, x->fn, false);
  wg_px_insn_t *in = wg_px_emit_imm(x, kWgOp_ISETP, MOD(ICMP, cmp) | MOD(IU32, 1) | MOD(IBOOL, mode), -1, a, imm, -1);
  in->pd0 = p;
  in->ps0 = with;
  return p;
}

static void select_imm(wg_px_ctx_t *x, int32_t d, int32_t a, uint32_t imm, int32_t p, bool is_not) {
  wg_px_insn_t *in = wg_px_emit_imm(x, kWgOp_SEL, 0, d, a, imm, -1);
  in->ps0 = p;
  in->ps0_not = is_not;
}

/* |v| with its exponent field; a denormal is scaled by 2^32 first. *adjust = the exponent field's correction. */
static int32_t normalise(wg_px_ctx_t *x, int32_t mag, uint32_t correction, int32_t *adjust) {
  int32_t p = setp(x, 1, mag, 0x00800000u, 0, -1);
  int32_t scaled = op_imm(x, kWgOp_FMUL, 0, mag, 0x4f800000u, -1), n = wg_px_tmp(x);
  wg_px_emit(x, kWgOp_SEL, 0, n, scaled, mag, -1)->ps0 = p;
  *adjust = wg_px_tmp(x);
  select_imm(x, *adjust, -1, correction, p, true);
  return n;
}

/* Quotient of magnitudes below the normal range: 4 * significand + direction of the remainder, shifted and rounded to
 * nearest even. `e1` = 1 - exponent field of the result (at least 1 where this is used). */
static int32_t denormal(wg_px_ctx_t *x, int32_t q, int32_t rem, int32_t e1) {
  unsigned right = MOD(SHDIR, 1) | MOD(SHHI, 1);
  int32_t hidden = wg_px_tmp(x), sig = wg_px_tmp(x), up = wg_px_tmp(x), dir = wg_px_tmp(x), t = wg_px_tmp(x);
  wg_px_mov_imm(x, hidden, 0x00800000u);
  (void)wg_px_emit_imm(x, kWgOp_LOP3, 0xea, sig, q, kMant, hidden);
  (void)wg_px_emit_imm(x, kWgOp_IMNMX, 0, up, rem, 1, -1); /* the remainder's sign: its bits, clamped to -1..1 */
  wg_px_emit_imm(x, kWgOp_IMNMX, 0, dir, up, UINT32_MAX, -1)->ps0_not = true;
  (void)wg_px_emit_imm(x, kWgOp_IMAD, 0, t, sig, 4, dir);
  int32_t n = op_imm(x, kWgOp_IADD3, 0, e1, 2, -1), m = wg_px_tmp(x);
  (void)wg_px_emit_imm(x, kWgOp_IMNMX, MOD(MU32, 1), m, n, 28, -1);
  int32_t cut = wg_px_tmp(x), one = wg_px_tmp(x), half = wg_px_tmp(x), sum = wg_px_tmp(x), den = wg_px_tmp(x);
  (void)wg_px_emit(x, kWgOp_SHF, right, cut, -1, m, t);
  int32_t odd = op_imm(x, kWgOp_LOP3, 0xc0, cut, 1, -1), m1 = op_imm(x, kWgOp_IADD3, 0, m, UINT32_MAX, -1);
  wg_px_mov_imm(x, one, 1);
  (void)wg_px_emit(x, kWgOp_SHF, 0, half, one, m1, -1);
  (void)wg_px_emit(x, kWgOp_IADD3, 0, sum, t, half, odd);
  int32_t rounded = op_imm(x, kWgOp_IADD3, 0, sum, UINT32_MAX, -1);
  (void)wg_px_emit(x, kWgOp_SHF, right, den, -1, m, rounded);
  return den;
}

static void slow_path(wg_px_ctx_t *x, int32_t d, int32_t a, int32_t b, bool ftz) {
  unsigned right = MOD(SHDIR, 1) | MOD(SHHI, 1);
  int32_t one = wg_px_tmp(x), xa, xb;
  wg_px_mov_imm(x, one, kOne);
  int32_t ua = op_imm(x, kWgOp_LOP3, 0xc0, a, kAbs, -1), ub = op_imm(x, kWgOp_LOP3, 0xc0, b, kAbs, -1);
  int32_t na = normalise(x, ua, (uint32_t)-32, &xa), nb = normalise(x, ub, 32, &xb);
  int32_t ea = op_imm(x, kWgOp_SHF, right, -1, 23, na), eb = op_imm(x, kWgOp_SHF, right, -1, 23, nb);
  int32_t e0 = wg_px_tmp(x), e = wg_px_tmp(x), q = wg_px_tmp(x), rem;
  (void)wg_px_emit(x, kWgOp_IADD3, kWgMark_NB, e0, ea, eb, xa);
  (void)wg_px_emit(x, kWgOp_IADD3, 0, e, e0, xb, -1);
  int32_t fa = op_imm(x, kWgOp_LOP3, 0xea, na, kMant, one), fb = op_imm(x, kWgOp_LOP3, 0xea, nb, kMant, one);
  quotient(x, q, fa, fb, one, &rem);
  int32_t normal = op_imm(x, kWgOp_IMAD, 0, e, 0x00800000u, q), eq = op_imm(x, kWgOp_SHF, right, -1, 23, q);
  int32_t field = wg_px_tmp(x), e1 = wg_px_tmp(x), r0 = wg_px_tmp(x), r1 = wg_px_tmp(x), r2 = wg_px_tmp(x);
  (void)wg_px_emit(x, kWgOp_IADD3, 0, field, e, eq, -1);
  wg_px_insn_t *sub = wg_px_emit_imm(x, kWgOp_IADD3, kWgMark_NA, e1, field, 1, -1);
  (void)sub;
  int32_t den = ftz ? -1 : denormal(x, q, rem, e1); /* .ftz: tiny before rounding is zero */
  int32_t small = wg_px_pred_new(x, x->fn, false), large = wg_px_pred_new(x, x->fn, false);
  wg_px_emit_imm(x, kWgOp_ISETP, MOD(ICMP, 1), -1, field, 1, -1)->pd0 = small;
  wg_px_emit_imm(x, kWgOp_ISETP, MOD(ICMP, 4), -1, field, 254, -1)->pd0 = large;
  wg_px_emit(x, kWgOp_SEL, 0, r0, den, normal, -1)->ps0 = small;
  select_imm(x, r1, r0, kInf, large, true);
  /* special operands: infinite or zero quotients, then NaN where both rules apply or an operand is a NaN */
  int32_t inf = setp(x, 2, ua, kInf, 1, setp(x, 2, ub, 0, 0, -1));
  int32_t zero = setp(x, 2, ub, kInf, 1, setp(x, 2, ua, 0, 0, -1));
  int32_t both = wg_px_pred_new(x, x->fn, false);
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_PLOP3, 0x8, -1, -1, -1, -1);
  in->pd0 = both;
  in->ps0 = inf;
  in->ps1 = zero;
  int32_t nan = setp(x, 4, ub, kInf, 1, setp(x, 4, ua, kInf, 1, both));
  select_imm(x, r2, r1, kInf, inf, true);
  int32_t r3 = wg_px_tmp(x), r4 = wg_px_tmp(x), sb = wg_px_tmp(x);
  select_imm(x, r3, r2, 0, zero, true);
  (void)wg_px_emit(x, kWgOp_LOP3, 0x3c, sb, a, b, -1);
  int32_t sign = op_imm(x, kWgOp_LOP3, 0xc0, sb, 0x80000000u, -1);
  (void)wg_px_emit(x, kWgOp_LOP3, 0xfc, r4, r3, sign, -1);
  select_imm(x, d, r4, kNan, nan, true);
}

static int32_t flush(wg_px_ctx_t *x, int32_t a) { return op_imm(x, kWgOp_FADD, MOD(FTZ, 1), a, 0x80000000u, -1); }

static void divide(wg_px_ctx_t *x, int32_t d, int32_t a, int32_t b, bool ftz) {
  wg_px_block_t *slow = wg_px_block_new(x, x->fn), *join = wg_px_block_new(x, x->fn);
  int32_t p = wg_px_pred_new(x, x->fn, false), one = wg_px_tmp(x);
  wg_px_emit(x, kWgOp_FCHK, 0, -1, a, b, -1)->pd0 = p;
  wg_px_mov_imm(x, one, kOne);
  quotient(x, d, a, b, one, NULL);
  x->cur->term = kWgPxTCond;
  x->cur->pred = p;
  x->cur->succ[0] = slow;
  x->cur->succ[1] = join;
  x->cur->src = x->stmt;
  wg_px_block_append(x->fn, join);
  slow->cold = true;
  x->cur = slow;
  slow_path(x, d, a, b, ftz);
  slow->term = kWgPxTJump;
  slow->succ[0] = join;
  slow->src = x->stmt;
  slow->next = x->fn->cold;
  x->fn->cold = slow;
  x->cur = join;
}

/* div.approx without .ftz: as a times MUFU.RCP, both operands scaled by 2^32 where the divisor is denormal. */
static void approximate(wg_px_ctx_t *x, int32_t d, int32_t a, int32_t b) {
  int32_t mag = op_imm(x, kWgOp_LOP3, 0xc0, b, kAbs, -1), p = setp(x, 1, mag, 0x00800000u, 0, -1);
  int32_t one = wg_px_tmp(x), s = wg_px_tmp(x), sa = wg_px_tmp(x), sb = wg_px_tmp(x), y = wg_px_tmp(x);
  wg_px_mov_imm(x, one, kOne);
  select_imm(x, s, one, 0x4f800000u, p, true);
  (void)wg_px_emit(x, kWgOp_FMUL, 0, sa, a, s, -1);
  (void)wg_px_emit(x, kWgOp_FMUL, 0, sb, b, s, -1);
  (void)wg_px_emit(x, kWgOp_MUFU, MOD(MUFUF, 4), y, sb, -1, -1);
  (void)wg_px_emit(x, kWgOp_FMUL, 0, d, sa, y, -1);
}

void wg_px_lower_div(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  bool rcp = strcmp(s->part[0], "rcp") == 0, approx = wg_px_has(s, "approx"), ftz = wg_px_has(s, "ftz");
  bool integral = false;
  if (wg_px_last_type(s) == kWgPxF64) {
    wg_px_lower_f64div(x, s);
    return;
  }
  if (!rcp && wg_px_last_type(s) != kWgPxF32) {
    wg_px_lower_idiv(x, s);
    return;
  }
  wg_px_need_ops(x, rcp ? 2 : 3, rcp ? 2 : 3);
  if (wg_px_last_type(s) != kWgPxF32) wg_px_unsupported(x, "this type");
  int rnd = s->nparts >= 3 ? wg_px_rounding(s->part[1], &integral) : -1;
  if (rnd > kRndRn && !integral && s->nparts == (ftz ? 4u : 3u)) {
    wg_px_lower_f32_directed(x, s, (unsigned)rnd, ftz);
    return;
  }
  for (uint32_t i = 1; i + 1 < s->nparts; i++) {
    if (strcmp(s->part[i], "rn") != 0 && strcmp(s->part[i], "approx") != 0 && strcmp(s->part[i], "full") != 0 &&
        strcmp(s->part[i], "ftz") != 0) {
      wg_px_unsupported(x, "this rounding");
    }
  }
  int32_t b = wg_px_src(x, &s->op[rcp ? 1 : 2], 0), a = -1;
  if (rcp) {
    wg_px_mov_imm(x, a = wg_px_tmp(x), kOne);
  } else {
    a = wg_px_src(x, &s->op[1], 0);
  }
  int32_t d = wg_px_dst(x, &s->op[0], 4);
  if (approx && ftz) { /* PTX allows 1 or 2 ulp, and a zero where 1/b is denormal: just that */
    int32_t y = rcp ? d : wg_px_tmp(x);
    (void)wg_px_emit(x, kWgOp_MUFU, MOD(MUFUF, 4), y, b, -1, -1);
    if (!rcp) (void)wg_px_emit(x, kWgOp_FMUL, MOD(FTZ, 1), d, a, y, -1);
    return;
  }
  if (approx && !rcp) {
    approximate(x, d, a, b);
    return;
  }
  if (ftz) {
    a = flush(x, a);
    b = flush(x, b);
  }
  int32_t q = wg_px_unit_new(x, x->fn, 1); /* d may be an operand, and the slow path reads both again */
  divide(x, q, a, b, ftz);
  wg_px_mov(x, d, q);
}
