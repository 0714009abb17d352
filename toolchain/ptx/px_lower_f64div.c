// SPDX-License-Identifier: Apache-2.0
//
// Division, reciprocal and square root of fp64 in all roundings, and of fp32 in the directed ones; correctly rounded
// (README.md, "Division of doubles").
//
//   div.rn, rcp.rn   fast path on the magnitudes, slow path out of line for operands outside a safe range
//   other roundings  the slow path alone: significands in [1, 2), quotient and the sign of its remainder; exponent,
//                    rounding, denormal results, overflow in integers; special operands by one product
//   sqrt             straight code: the root of a number in [1, 4) and signs of exact remainders
#include "toolchain/ptx/px_build.h"

#define ONE64 0x3ff0000000000000ull
#define HI_INF 0x7ff00000u
#define HI_ONE 0x3ff00000u
#define HI_NORMAL 0x00100000u

static int32_t dfma(wg_px_ctx_t *x, bool neg_a, int32_t a, int32_t b, int32_t c) {
  return wg_px_op_d(x, kWgOp_DFMA, neg_a ? kWgMark_NA : 0, a, b, c);
}

/* y = RN(1 / b) for b > 0: 20 bits, 40, within an ulp above, rounded (README.md says why above). */
static int32_t reciprocal(wg_px_ctx_t *x, int32_t b, int32_t one) {
  int32_t y0 = wg_px_join(x, -1, wg_px_mufu(x, kFnRcp64h, b + 1));
  int32_t y1 = dfma(x, false, y0, dfma(x, true, b, y0, one), y0), e1 = dfma(x, true, b, y1, one);
  int32_t y2 = wg_px_op_d(x, kWgOp_DFMA, MOD(RND, kRndRp), y1, e1, y1);
  return dfma(x, false, y2, dfma(x, true, b, y2, one), y2);
}

/* RN(a / b) of positive numbers. */
static int32_t quotient(wg_px_ctx_t *x, int32_t a, int32_t b, int32_t one) {
  int32_t y = reciprocal(x, b, one), q0 = wg_px_op_d(x, kWgOp_DMUL, 0, a, y, -1);
  int32_t q1 = dfma(x, false, y, dfma(x, true, b, q0, a), q0);
  return dfma(x, false, y, dfma(x, true, b, q1, a), q1);
}

static int32_t upper_abs(wg_px_ctx_t *x, int32_t v) { return wg_px_logici(x, kLutAnd, v + 1, WG_PX_ABS); }

/* ---- the slow path ---- */

/* |v| as a normal number, *exp its exponent field, less 54 where v is denormal and was scaled by 2^54. */
static int32_t normalise(wg_px_ctx_t *x, int32_t v, int32_t *exp) {
  int32_t hi = upper_abs(x, v), mag = wg_px_join(x, v, hi), p = wg_px_cmpi(x, kCmpLt, true, hi, HI_NORMAL);
  int32_t scaled = wg_px_op_d(x, kWgOp_DMUL, 0, mag, wg_px_const_d(x, 0x4350000000000000ull), -1);
  int32_t n = wg_px_sel_d(x, p, scaled, mag), e = wg_px_shri(x, n + 1, 20, false);
  *exp = wg_px_sel(x, p, wg_px_addi(x, e, (uint32_t)-54), e);
  return n;
}

/* The significand of a normal number as a number with upper exponent bits `hi`. */
static int32_t significand(wg_px_ctx_t *x, int32_t n, int32_t hi) {
  return wg_px_join(x, n, wg_px_opi(x, kWgOp_LOP3, 0xea, n + 1, 0x000fffffu, hi)); /* (n & mask) | hi */
}

/* Is the result rounded away from zero? -1 = always (of .rm, .rp by the sign). */
static int32_t away(wg_px_ctx_t *x, int32_t sign, unsigned rnd) {
  return wg_px_cmpi(x, rnd == kRndRm ? kCmpNe : kCmpEq, true, sign, 0);
}

/* t = 8 * significand + direction of the remainder (-1, 0, 1), exponent field e of the significand, sign 0 or
   0x80000000: the rounded number. n bits of t are cut: 3, or 2 where the leading one is a place lower, and more
   below the normal range. */
static int32_t pack(wg_px_ctx_t *x, int32_t t, int32_t e, int32_t sign, unsigned rnd) {
  int32_t low = wg_px_cmpi(x, kCmpLt, true, t + 1, 1u << 23), up = -1, add, one = wg_px_const_d(x, 1);
  e = wg_px_sel(x, low, wg_px_addi(x, e, UINT32_MAX), e);
  int32_t base = wg_px_seli(x, low, wg_px_const(x, 2), 3), below = wg_px_tmp(x);
  (void)wg_px_emit_imm(x, kWgOp_IADD3, kWgMark_NA, below, e, 1, -1);
  int32_t n = wg_px_clampi(x, wg_px_add(x, base, wg_px_clampi(x, below, 0, false, true)), 60, true, false);
  if (rnd == kRndRn) {
    int32_t odd = wg_px_logici(x, kLutAnd, wg_px_shr_d(x, t, n, false), 1);
    int32_t half = wg_px_shl_d(x, one, wg_px_addi(x, n, UINT32_MAX));
    add = wg_px_add_d(x, wg_px_add_d(x, half, wg_px_const_d(x, UINT64_MAX)), wg_px_join(x, odd, -1));
  } else if (rnd != kRndRz) {
    up = away(x, sign, rnd);
    add = wg_px_sel_d(x, up, wg_px_add_d(x, wg_px_shl_d(x, one, n), wg_px_const_d(x, UINT64_MAX)), -1);
  } else {
    add = -1;
  }
  int32_t sig = wg_px_shr_d(x, add < 0 ? t : wg_px_add_d(x, t, add), n, false);
  int32_t field = wg_px_clampi(x, wg_px_clampi(x, e, 1, false, true), 2047, false, false);
  int32_t hi = wg_px_add(x, sig + 1, wg_px_shli(x, wg_px_addi(x, field, UINT32_MAX), 20)), lo = sig;
  int32_t over = wg_px_cmpi(x, kCmpGe, true, hi, HI_INF);
  if (rnd == kRndRn) {
    hi = wg_px_sel(x, over, wg_px_const(x, HI_INF), hi);
    lo = wg_px_sel(x, over, -1, lo);
  } else {
    int32_t top = wg_px_const(x, HI_INF - 1), ones = wg_px_const(x, UINT32_MAX);
    if (rnd != kRndRz) top = wg_px_sel(x, up, wg_px_const(x, HI_INF), top);
    if (rnd != kRndRz) ones = wg_px_sel(x, up, -1, ones);
    hi = wg_px_sel(x, over, top, hi);
    lo = wg_px_sel(x, over, ones, lo);
  }
  return wg_px_join(x, lo, wg_px_logic(x, kLutOr, hi, sign));
}

/* Is v a zero, an infinity or a NaN? */
static int32_t special(wg_px_ctx_t *x, int32_t v, int32_t *zero, int32_t *huge) {
  int32_t hi = upper_abs(x, v);
  *zero = wg_px_cmpi(x, kCmpEq, true, wg_px_logic(x, kLutOr, hi, v), 0);
  *huge = wg_px_cmpi(x, kCmpGe, true, hi, HI_INF);
  return wg_px_pred_or(x, *zero, *huge);
}

/* a / b where one of them is special: a times what 1 / b is like. The product keeps the NaN of its second factor. */
static int32_t special_quotient(wg_px_ctx_t *x, int32_t a, int32_t b, int32_t bzero, int32_t bhuge) {
  int32_t sign = wg_px_logici(x, kLutAnd, b + 1, WG_PX_SIGN), nan = wg_px_pred_new(x, x->fn, false);
  wg_px_emit(x, kWgOp_DSETP, MOD(FCMP, kCmpNan), -1, b, b, -1)->pd0 = nan;
  int32_t kind = wg_px_seli(x, bhuge, -1, HI_ONE);
  kind = wg_px_logic(x, kLutOr, sign, wg_px_sel(x, bzero, wg_px_const(x, HI_INF), kind));
  int32_t inverse = wg_px_sel_d(x, nan, b, wg_px_join(x, -1, kind));
  return wg_px_op_d(x, kWgOp_DMUL, 0, inverse, a, -1);
}

static int32_t slow_quotient(wg_px_ctx_t *x, int32_t a, int32_t b, unsigned rnd) {
  int32_t ea, eb, na = normalise(x, a, &ea), nb = normalise(x, b, &eb), one_hi = wg_px_const(x, HI_ONE);
  int32_t fa = significand(x, na, one_hi), fb = significand(x, nb, one_hi), one = wg_px_const_d(x, ONE64);
  int32_t q = quotient(x, fa, fb, one), rem = dfma(x, true, fb, q, fa);
  int32_t dir = wg_px_clampi(x, wg_px_clampi(x, rem + 1, 1, false, false), UINT32_MAX, false, true);
  int32_t sig = significand(x, q, wg_px_const(x, HI_NORMAL));
  int32_t t = wg_px_add_d(x, wg_px_shl_d(x, sig, wg_px_const(x, 3)), wg_px_join(x, dir, wg_px_shri(x, dir, 31, true)));
  int32_t e = wg_px_add(x, wg_px_sub(x, ea, eb), wg_px_shri(x, q + 1, 20, false));
  int32_t sign = wg_px_logici(x, kLutAnd, wg_px_logic(x, kLutXor, a + 1, b + 1), WG_PX_SIGN);
  int32_t normal = pack(x, t, e, sign, rnd), az, ah, bz, bh;
  int32_t p = wg_px_pred_or(x, special(x, a, &az, &ah), special(x, b, &bz, &bh));
  return wg_px_sel_d(x, p, special_quotient(x, a, b, bz, bh), normal);
}

/* ---- the fast path ---- */

/* v beyond [0, last] or q: a new predicate. */
static int32_t outside(wg_px_ctx_t *x, int32_t v, uint32_t last, int32_t q) {
  int32_t p = wg_px_pred_new(x, x->fn, false);
  unsigned mods = MOD(ICMP, kCmpGt) | MOD(IU32, 1) | (q >= 0 ? MOD(IBOOL, kBoolOr) : 0);
  wg_px_insn_t *in = wg_px_emit_imm(x, kWgOp_ISETP, mods, -1, v, last, -1);
  in->pd0 = p;
  in->ps0 = q;
  return p;
}

/* Needs 64 <= ea <= 2046, 1 <= eb <= 2043, -1020 <= ea - eb <= 1020: then no step leaves the normal range and the last
   remainder, a multiple of 2^(ea - 1128), is exact. */
static int32_t divide_rn(wg_px_ctx_t *x, int32_t a, int32_t b, bool rcp) {
  int32_t ha = upper_abs(x, a), hb = upper_abs(x, b), ea = wg_px_shri(x, ha, 20, false);
  int32_t eb = wg_px_shri(x, hb, 20, false), p, d = wg_px_pair(x);
  if (rcp) {
    p = outside(x, wg_px_addi(x, eb, (uint32_t)-3), 2040, -1);
  } else {
    p = outside(x, wg_px_addi(x, ea, (uint32_t)-64), 1982, -1);
    p = outside(x, wg_px_addi(x, eb, (uint32_t)-1), 2042, p);
    p = outside(x, wg_px_addi(x, wg_px_sub(x, ea, eb), 1020), 2040, p);
  }
  int32_t one = wg_px_const_d(x, ONE64);
  int32_t q = rcp ? reciprocal(x, wg_px_join(x, b, hb), one)
                  : quotient(x, wg_px_join(x, a, ha), wg_px_join(x, b, hb), one);
  int32_t sign = wg_px_logic(x, kLutXor, a + 1, b + 1);
  wg_px_mov(x, d, q);
  (void)wg_px_emit_imm(x, kWgOp_LOP3, kLutInsert, d + 1, sign, WG_PX_SIGN, q + 1);
  wg_px_block_t *slow = wg_px_block_new(x, x->fn), *join = wg_px_block_new(x, x->fn);
  x->cur->term = kWgPxTCond;
  x->cur->pred = p;
  x->cur->succ[0] = slow;
  x->cur->succ[1] = join;
  x->cur->src = x->stmt;
  wg_px_block_append(x->fn, join);
  slow->cold = true;
  x->cur = slow;
  wg_px_mov_d(x, d, slow_quotient(x, a, b, kRndRn));
  slow->term = kWgPxTJump;
  slow->succ[0] = join;
  slow->src = x->stmt;
  slow->next = x->fn->cold;
  x->fn->cold = slow;
  x->cur = join;
  return d;
}

/* ---- square root ---- */

/* g within half an ulp and a little of sqrt(a), a in [1, 4). */
static int32_t near_root(wg_px_ctx_t *x, int32_t a) {
  int32_t half = wg_px_const_d(x, 0x3fe0000000000000ull);
  int32_t y = wg_px_join(x, -1, wg_px_mufu(x, kFnRsq64h, a + 1)), g = wg_px_op_d(x, kWgOp_DMUL, 0, a, y, -1);
  int32_t h = wg_px_op_d(x, kWgOp_DMUL, 0, y, half, -1);
  for (int i = 0; i < 2; i++) {
    int32_t r = dfma(x, true, g, h, half);
    g = dfma(x, false, g, r, g);
    h = dfma(x, false, h, r, h);
  }
  return dfma(x, false, dfma(x, true, g, g, a), h, g);
}

/* The root cut, then the next number where the exact remainder, or the one against the midpoint, says so: for cut
   root t and next number u, a > t * u exactly if a is above the midpoint's square. */
static int32_t root(wg_px_ctx_t *x, int32_t a, unsigned rnd) {
  int32_t g = near_root(x, a), r = dfma(x, true, g, g, a), minus = wg_px_const_d(x, UINT64_MAX);
  int32_t t = wg_px_sel_d(x, wg_px_cmpi(x, kCmpLt, false, r + 1, 0), wg_px_add_d(x, g, minus), g);
  if (rnd == kRndRz || rnd == kRndRm) return t;
  int32_t u = wg_px_add_d(x, t, wg_px_const_d(x, 1)), d = dfma(x, true, t, rnd == kRndRp ? t : u, a);
  return wg_px_sel_d(x, wg_px_cmpi(x, kCmpGt, false, d + 1, 0), u, t);
}

/* v, or the NaN of an invalid operation if a < 0. */
static int32_t invalid(wg_px_ctx_t *x, int32_t a, int32_t v) {
  int32_t neg = wg_px_pred_new(x, x->fn, false);
  wg_px_emit(x, kWgOp_DSETP, MOD(FCMP, kCmpLt), -1, a, -1, -1)->pd0 = neg;
  return wg_px_sel_d(x, neg, wg_px_const_d(x, 0xfff8000000000000ull), v);
}

static int32_t square_root(wg_px_ctx_t *x, int32_t a, unsigned rnd) {
  int32_t e, n = normalise(x, a, &e), u = wg_px_addi(x, e, (uint32_t)-1023);
  int32_t odd = wg_px_logici(x, kLutAnd, u, 1), k = wg_px_shri(x, u, 1, true);
  int32_t hi = wg_px_addi(x, wg_px_shli(x, odd, 20), HI_ONE), t = root(x, significand(x, n, hi), rnd);
  int32_t value = wg_px_join(x, t, wg_px_add(x, t + 1, wg_px_shli(x, k, 20)));
  int32_t zero, huge, p = special(x, a, &zero, &huge);
  return invalid(x, a, wg_px_sel_d(x, p, wg_px_op_d(x, kWgOp_DADD, 0, a, a, -1), value));
}

/* ---- fp64 statements ---- */

/* rcp.approx.ftz, rsqrt.approx{.ftz}: the seed; without .ftz one Newton step, and denormal operands scaled by 2^54. */
static int32_t approximate(wg_px_ctx_t *x, int32_t a, bool rcp, bool ftz) {
  if (rcp || ftz) return wg_px_join(x, -1, wg_px_mufu(x, rcp ? kFnRcp64h : kFnRsq64h, a + 1));
  int32_t hi = upper_abs(x, a), p = wg_px_cmpi(x, kCmpLt, true, hi, HI_NORMAL), zero, huge;
  int32_t k = wg_px_sel_d(x, p, wg_px_const_d(x, 0x4350000000000000ull), wg_px_const_d(x, ONE64));
  int32_t s = wg_px_op_d(x, kWgOp_DMUL, 0, a, k, -1), y = wg_px_join(x, -1, wg_px_mufu(x, kFnRsq64h, s + 1));
  int32_t half = wg_px_const_d(x, 0x3fe0000000000000ull), h = wg_px_op_d(x, kWgOp_DMUL, 0, s, y, -1), v = y;
  for (int i = 0; i < 2; i++) { /* v + v * (1/2 - s v^2 / 2) */
    int32_t r = dfma(x, true, wg_px_op_d(x, kWgOp_DMUL, 0, h, half, -1), v, half);
    v = dfma(x, false, v, r, v);
    h = wg_px_op_d(x, kWgOp_DMUL, 0, s, v, -1);
  }
  int32_t edge = special(x, a, &zero, &huge), back = wg_px_const_d(x, 0x41a0000000000000ull); /* 2^27 */
  v = wg_px_op_d(x, kWgOp_DMUL, 0, v, wg_px_sel_d(x, p, back, wg_px_const_d(x, ONE64)), -1);
  v = invalid(x, a, wg_px_sel_d(x, edge, y, v));
  int32_t nan = wg_px_pred_new(x, x->fn, false);
  wg_px_emit(x, kWgOp_DSETP, MOD(FCMP, kCmpNan), -1, a, a, -1)->pd0 = nan;
  return wg_px_sel_d(x, nan, wg_px_op_d(x, kWgOp_DADD, 0, a, a, -1), v);
}

void wg_px_lower_f64div(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  const char *op = s->part[0];
  bool div = strcmp(op, "div") == 0, rcp = strcmp(op, "rcp") == 0, rsqrt = strcmp(op, "rsqrt") == 0, integral = false;
  bool approx = wg_px_part(s, 1, "approx"), ftz = wg_px_part(s, 2, "ftz");
  wg_px_need_ops(x, div ? 3 : 2, div ? 3 : 2);
  int rnd = s->nparts >= 2 ? wg_px_rounding(s->part[1], &integral) : -1;
  bool exact = s->nparts == 3 && rnd >= 0 && !integral && !rsqrt;
  bool seed = approx && s->nparts == (ftz ? 4u : 3u) && ((rcp && ftz) || rsqrt);
  if (!exact && !seed) wg_px_unsupported(x, "this rounding");
  int32_t a = wg_px_src_pair(x, &s->op[1]), r;
  if (seed) {
    r = approximate(x, a, rcp, ftz);
  } else if (div || rcp) {
    int32_t b = div ? wg_px_src_pair(x, &s->op[2]) : a;
    if (rcp) a = wg_px_const_d(x, ONE64);
    r = rnd == kRndRn ? divide_rn(x, a, b, rcp) : slow_quotient(x, a, b, (unsigned)rnd);
  } else {
    r = square_root(x, a, (unsigned)rnd);
  }
  wg_px_mov_d(x, wg_px_dst(x, &s->op[0], 8), r);
}

/* ---- fp32 in directed roundings, by fp64 ---- */

static int32_t widen(wg_px_ctx_t *x, int32_t a, bool ftz) {
  return wg_px_op_d(x, kWgOp_F2F, MOD(FDST, kFmtF64) | MOD(FSRC, kFmtF32) | MOD(FTZ, ftz), a, -1, -1);
}

/* 0 < |v| < infinity? */
static int32_t usual(wg_px_ctx_t *x, int32_t v, int32_t with) {
  int32_t m = wg_px_addi(x, wg_px_logici(x, kLutAnd, v, WG_PX_ABS), UINT32_MAX), p = wg_px_pred_new(x, x->fn, false);
  wg_px_insn_t *in = wg_px_emit_imm(x, kWgOp_ISETP, MOD(ICMP, kCmpLt) | MOD(IU32, 1), -1, m, 0x7f7fffffu, -1);
  in->pd0 = p;
  in->ps0 = with;
  return p;
}

/* Quotients and roots of 24-bit numbers are either exact in 53 bits or far from every number of 25 bits: RN to fp64 and
   then the rounding asked for give the right result, below the normal range too. */
void wg_px_lower_f32_directed(wg_px_ctx_t *x, const wg_px_stmt_t *s, unsigned rnd, bool ftz) {
  const char *op = s->part[0];
  bool div = strcmp(op, "div") == 0, root_op = strcmp(op, "sqrt") == 0;
  int32_t a = wg_px_src(x, &s->op[1], 0), d = wg_px_dst(x, &s->op[0], 4), plain, r, p;
  int32_t one = wg_px_const(x, 0x3f800000u);
  if (ftz) a = wg_px_opi(x, kWgOp_FADD, MOD(FTZ, 1), a, WG_PX_SIGN, -1);
  if (root_op) {
    int32_t w = widen(x, a, false), u = wg_px_addi(x, wg_px_shri(x, w + 1, 20, false), (uint32_t)-1023);
    int32_t odd = wg_px_logici(x, kLutAnd, u, 1), k = wg_px_shri(x, u, 1, true);
    int32_t hi = wg_px_addi(x, wg_px_shli(x, odd, 20), HI_ONE), g = near_root(x, significand(x, w, hi));
    r = wg_px_join(x, g, wg_px_add(x, g + 1, wg_px_shli(x, k, 20)));
    /* what is no positive finite number: MUFU.SQRT of its like, denormals apart */
    int32_t like = wg_px_opi(x, kWgOp_LOP3, kLutInsert, a, WG_PX_SIGN, one);
    plain = wg_px_mufu(x, kFnSqrt, wg_px_sel(x, usual(x, a, -1), like, a));
    p = wg_px_cmpi(x, kCmpLt, true, wg_px_addi(x, a, UINT32_MAX), 0x7f7fffffu);
  } else {
    int32_t b = div ? wg_px_src(x, &s->op[2], 0) : a;
    if (!div) a = one;
    else if (ftz) b = wg_px_opi(x, kWgOp_FADD, MOD(FTZ, 1), b, WG_PX_SIGN, -1);
    int32_t wa = widen(x, a, false), wb = widen(x, b, false), one64 = wg_px_const_d(x, ONE64);
    int32_t q = quotient(x, wg_px_join(x, wa, upper_abs(x, wa)), wg_px_join(x, wb, upper_abs(x, wb)), one64);
    int32_t sign = wg_px_logic(x, kLutXor, a, b);
    r = wg_px_join(x, q, wg_px_opi(x, kWgOp_LOP3, kLutInsert, sign, WG_PX_SIGN, q + 1));
    int32_t finite = usual(x, b, -1);
    p = usual(x, a, finite);
    /* else a times what 1 / b is like */
    int32_t like = wg_px_sel(x, finite, wg_px_opi(x, kWgOp_LOP3, kLutInsert, b, WG_PX_SIGN, one), b);
    plain = wg_px_op(x, kWgOp_FMUL, 0, a, wg_px_mufu(x, kFnRcp, like), -1);
  }
  unsigned mods = MOD(FDST, kFmtF32) | MOD(FSRC, kFmtF64) | MOD(RND, rnd) | MOD(FTZ, ftz);
  wg_px_mov(x, d, wg_px_sel(x, p, wg_px_op(x, kWgOp_F2F, mods, r, -1, -1), plain));
}
