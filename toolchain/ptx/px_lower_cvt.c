// SPDX-License-Identifier: Apache-2.0
//
// Instructions that have no machine instruction of their own and are built of others: conversions between fp32 and
// integers, rounding to integral values, integer division, bit counting. All results are exact.
#include <string.h>

#include "toolchain/ptx/px.h"

#define MOD(ID, v) ((unsigned)(v) << kWgModLsb_##ID)

enum { kRight = 1u << kWgModLsb_SHDIR | 1u << kWgModLsb_SHHI, kAbs = 0x7fffffff, kSign = 0x80000000 };

static int32_t op_imm(wg_px_ctx_t *x, uint8_t op, unsigned mods, int32_t a, uint32_t imm, int32_t c) {
  int32_t d = wg_px_tmp(x);
  (void)wg_px_emit_imm(x, op, mods, d, a, imm, c);
  return d;
}

static int32_t op_reg(wg_px_ctx_t *x, uint8_t op, unsigned mods, int32_t a, int32_t b, int32_t c) {
  int32_t d = wg_px_tmp(x);
  (void)wg_px_emit(x, op, mods, d, a, b, c);
  return d;
}

static int32_t constant(wg_px_ctx_t *x, uint32_t v) {
  int32_t d = wg_px_tmp(x);
  wg_px_mov_imm(x, d, v);
  return d;
}

static int32_t compare(wg_px_ctx_t *x, unsigned cmp, bool uns, int32_t a, uint32_t imm) {
  int32_t p = wg_px_pred_new(x, x->fn, false);
  wg_px_emit_imm(x, kWgOp_ISETP, MOD(ICMP, cmp) | MOD(IU32, uns), -1, a, imm, -1)->pd0 = p;
  return p;
}

/* p ? a : imm */
static int32_t choose_imm(wg_px_ctx_t *x, int32_t p, bool is_not, int32_t a, uint32_t imm) {
  int32_t d = wg_px_tmp(x);
  wg_px_insn_t *in = wg_px_emit_imm(x, kWgOp_SEL, 0, d, a, imm, -1);
  in->ps0 = p;
  in->ps0_not = is_not;
  return d;
}

static int32_t choose(wg_px_ctx_t *x, int32_t p, int32_t a, int32_t b) {
  int32_t d = wg_px_tmp(x);
  wg_px_emit(x, kWgOp_SEL, 0, d, a, b, -1)->ps0 = p;
  return d;
}

/* ---- integer to float ---- */

/* Halves of 16 bits become floats exactly (as low bits of 2^23, and of 1.5 * 2^23 for a signed one); one FFMA rounds.
 */
static int32_t to_float(wg_px_ctx_t *x, int32_t v, bool is_signed, unsigned rnd) {
  int32_t low = op_imm(x, kWgOp_LOP3, 0xea, v, 0xffff, constant(x, 0x4b000000u));
  int32_t fl = op_imm(x, kWgOp_FADD, 0, low, 0xcb000000u, -1), fh;
  if (is_signed) {
    int32_t hi = op_imm(x, kWgOp_SHF, kRight | MOD(SHTYPE, 1), -1, 16, v);
    fh = op_imm(x, kWgOp_FADD, 0, op_imm(x, kWgOp_IADD3, 0, hi, 0x4b400000u, -1), 0xcb400000u, -1);
  } else {
    int32_t hi = op_imm(x, kWgOp_SHF, kRight, -1, 16, v);
    fh = op_imm(x, kWgOp_FADD, 0, op_imm(x, kWgOp_LOP3, 0xfc, hi, 0x4b000000u, -1), 0xcb000000u, -1);
  }
  return op_imm(x, kWgOp_FFMA, MOD(RND, rnd), fh, 0x47800000u, fl);
}

/* ---- float to integral float, to integer ---- */

/* Adding 2^23 of the same sign leaves no fraction bits; from 2^23 on there are none. */
static int32_t to_integral(wg_px_ctx_t *x, int32_t a, unsigned rnd) {
  int32_t v = op_imm(x, kWgOp_FADD, 0, a, kSign, -1); /* a NaN becomes the canonical one */
  int32_t k = op_imm(x, kWgOp_LOP3, 0xea, v, kSign, constant(x, 0x4b000000u));
  int32_t t = op_reg(x, kWgOp_FADD, MOD(RND, rnd), v, k, -1), u = op_reg(x, kWgOp_FADD, kWgMark_NB, t, k, -1);
  int32_t s = op_imm(x, kWgOp_LOP3, 0xe2, v, kSign, u); /* sign of v, magnitude of u */
  int32_t mag = op_imm(x, kWgOp_LOP3, 0xc0, v, kAbs, -1);
  return choose(x, compare(x, 6, true, mag, 0x4b000000u), v, s);
}

/* The integer part of a float, clamped to the type; a NaN gives 0. */
static int32_t to_int(wg_px_ctx_t *x, int32_t v, bool is_signed) {
  int32_t mag = op_imm(x, kWgOp_LOP3, 0xc0, v, kAbs, -1), e = op_imm(x, kWgOp_SHF, kRight, -1, 23, mag);
  int32_t m = op_imm(x, kWgOp_LOP3, 0xea, v, 0x7fffffu, constant(x, 0x800000u));
  int32_t n = wg_px_tmp(x), l = op_imm(x, kWgOp_IADD3, 0, e, (uint32_t)-150, -1);
  (void)wg_px_emit_imm(x, kWgOp_IADD3, kWgMark_NA, n, e, 150, -1);
  int32_t r = op_reg(x, kWgOp_SHF, kRight, -1, n, m), s = op_reg(x, kWgOp_SHF, 0, m, l, -1);
  int32_t u = op_reg(x, kWgOp_LOP3, 0xfc, r, s, -1), neg = compare(x, 1, false, v, 0); /* wrong shifts give 0 */
  int32_t large = compare(x, 6, true, e, is_signed ? 158 : 159), big, res;
  if (is_signed) {
    int32_t minus = op_reg(x, kWgOp_IADD3, kWgMark_NB, -1, u, -1);
    big = choose_imm(x, neg, false, constant(x, kSign), kAbs);
    res = choose(x, large, big, choose(x, neg, minus, u));
  } else {
    res = choose_imm(x, neg, true, choose(x, large, constant(x, UINT32_MAX), u), 0);
  }
  return choose_imm(x, compare(x, 4, true, mag, 0x7f800000u), true, res, 0);
}

static int rounding_of(const char *p) {
  static const char *const kNames[] = {"rn", "rm", "rp", "rz", "rni", "rmi", "rpi", "rzi"};
  for (int i = 0; i < 8; i++) {
    if (strcmp(kNames[i], p) == 0) return i;
  }
  return -1;
}

static int32_t clamp(wg_px_ctx_t *x, int32_t v, wg_px_type_t t) {
  uint32_t bits = 8 * wg_px_type_size(t);
  if (bits == 32) return v;
  if (!wg_px_signed(t)) return op_imm(x, kWgOp_IMNMX, MOD(MU32, 1), v, (1u << bits) - 1u, -1);
  int32_t d = wg_px_tmp(x), low = op_imm(x, kWgOp_IMNMX, 0, v, (1u << (bits - 1)) - 1u, -1);
  wg_px_emit_imm(x, kWgOp_IMNMX, 0, d, low, 0u - (1u << (bits - 1)), -1)->ps0_not = true;
  return d;
}

bool wg_px_lower_cvt_float(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_type_t dt, wg_px_type_t st) {
  bool from = st == kWgPxF32, to = dt == kWgPxF32, sat = false, ftz = false;
  wg_px_type_t other = from ? dt : st;
  int rnd = -1;
  for (uint32_t i = 1; i + 2 < s->nparts; i++) {
    int r = rounding_of(s->part[i]);
    if (r >= 0) rnd = r;
    else if (strcmp(s->part[i], "sat") == 0) sat = true;
    else if (strcmp(s->part[i], "ftz") == 0) ftz = true;
    else return false;
  }
  if (rnd < 0 || (from && rnd < 4) || (!from && rnd > 3)) return false;
  if (!(from && to) && (other == kWgPxF16 || other == kWgPxNone || other == kWgPxPred || wg_px_type_size(other) > 4))
    return false;
  if (s->op[0].kind != kWgPxOReg || wg_px_type_size(s->op[0].sym->type) > 4) return false;
  if (!from) {
    int32_t v = wg_px_src(x, &s->op[1], 0);
    if (wg_px_type_size(st) < 4) v = wg_px_extend(x, v, st);
    int32_t d = wg_px_dst(x, &s->op[0], 4), f = to_float(x, v, wg_px_signed(st), (unsigned)rnd);
    if (sat) {
      (void)wg_px_emit_imm(x, kWgOp_FADD, MOD(SAT, 1), d, f, kSign, -1);
    } else {
      wg_px_mov(x, d, f);
    }
    return true;
  }
  int32_t v = wg_px_src(x, &s->op[1], 0), d = wg_px_dst(x, &s->op[0], 4);
  if (ftz) v = op_imm(x, kWgOp_FADD, MOD(FTZ, 1), v, kSign, -1);
  if (to) {
    int32_t i = to_integral(x, v, (unsigned)rnd & 3u);
    (void)wg_px_emit_imm(x, kWgOp_FADD, MOD(SAT, sat), d, i, kSign, -1);
    return true;
  }
  if (rnd != 7) v = to_integral(x, v, (unsigned)rnd & 3u);
  wg_px_mov(x, d, clamp(x, to_int(x, v, wg_px_signed(dt)), dt));
  return true;
}

/* ---- integer division ---- */

/* floor(a / b), a mod b: a reciprocal scaled to 2^32 from below, one Newton step, two corrections. */
static void udivide(wg_px_ctx_t *x, int32_t a, int32_t b, int32_t *quot, int32_t *rem) {
  int32_t y = op_reg(x, kWgOp_MUFU, MOD(MUFUF, 4), to_float(x, b, false, 0), -1, -1);
  int32_t z0 = to_int(x, op_imm(x, kWgOp_FMUL, 0, y, 0x4f7ffffeu, -1), false);
  int32_t nb = op_reg(x, kWgOp_IADD3, kWgMark_NB, -1, b, -1), err = op_reg(x, kWgOp_IMAD, 0, nb, z0, -1);
  int32_t z = op_reg(x, kWgOp_IMAD, MOD(IMADK, 1) | MOD(IMADU, 1), z0, err, z0);
  int32_t q = op_reg(x, kWgOp_IMAD, MOD(IMADK, 1) | MOD(IMADU, 1), a, z, -1);
  int32_t r = op_reg(x, kWgOp_IMAD, 0, q, nb, a);
  for (int i = 0; i < 2; i++) {
    int32_t p = wg_px_pred_new(x, x->fn, false);
    wg_px_emit(x, kWgOp_ISETP, MOD(ICMP, 6) | MOD(IU32, 1), -1, r, b, -1)->pd0 = p;
    int32_t q1 = op_imm(x, kWgOp_IADD3, 0, q, 1, -1), r1 = op_reg(x, kWgOp_IADD3, kWgMark_NB, r, b, -1);
    q = choose(x, p, q1, q);
    r = choose(x, p, r1, r);
  }
  *quot = q;
  *rem = r;
}

static int32_t magnitude(wg_px_ctx_t *x, int32_t a) {
  int32_t n = op_reg(x, kWgOp_IADD3, kWgMark_NB, -1, a, -1), d = wg_px_tmp(x);
  wg_px_emit(x, kWgOp_IMNMX, 0, d, a, n, -1)->ps0_not = true;
  return d;
}

void wg_px_lower_idiv(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_type_t t = wg_px_last_type(s);
  bool rem = strcmp(s->part[0], "rem") == 0, sg = wg_px_signed(t);
  wg_px_need_ops(x, 3, 3);
  if (s->nparts != 2 || (t != kWgPxU32 && t != kWgPxS32 && t != kWgPxU16 && t != kWgPxS16)) {
    wg_px_unsupported(x, "division of this type");
  }
  int32_t a = wg_px_src_ext(x, &s->op[1], t), b = wg_px_src_ext(x, &s->op[2], t), q, r,
          d = wg_px_dst(x, &s->op[0], 4);
  udivide(x, sg ? magnitude(x, a) : a, sg ? magnitude(x, b) : b, &q, &r);
  int32_t v = rem ? r : q;
  if (sg) {
    int32_t sign = rem ? a : op_reg(x, kWgOp_LOP3, 0x3c, a, b, -1);
    v = choose(x, compare(x, 1, false, sign, 0), op_reg(x, kWgOp_IADD3, kWgMark_NB, -1, v, -1), v);
  }
  wg_px_mov(x, d, choose_imm(x, compare(x, 2, true, b, 0), true, v, UINT32_MAX)); /* by zero: as silicon */
}

/* ---- upper half of a 64-bit product ---- */

static int32_t wide(wg_px_ctx_t *x, int32_t a, int32_t b, int32_t add) {
  int32_t c = wg_px_unit_new(x, x->fn, 2), d = wg_px_unit_new(x, x->fn, 2);
  wg_px_mov(x, c, add);
  wg_px_mov(x, c + 1, -1);
  (void)wg_px_emit(x, kWgOp_IMAD, MOD(IMADK, 2) | MOD(IMADU, 1), d, a, b, c);
  return d;
}

static void add_pair(wg_px_ctx_t *x, int32_t d[2], int32_t lo, int32_t hi, bool sub) {
  int32_t p = wg_px_pred_new(x, x->fn, false), r[2] = {wg_px_tmp(x), wg_px_tmp(x)};
  unsigned nb = sub ? kWgMark_NB : 0;
  wg_px_emit(x, kWgOp_IADD3, nb, r[0], d[0], lo, -1)->pd0 = p;
  wg_px_emit(x, kWgOp_IADD3, nb | MOD(X, 1), r[1], d[1], hi, -1)->ps0 = p;
  d[0] = r[0];
  d[1] = r[1];
}

/* Four products of halves; none of the sums overflows 64 bits. A signed product is the unsigned one less the other
 * operand where one is negative. */
void wg_px_lower_mulhi64(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  int32_t a[2], b[2], c[2] = {-1, -1};
  bool mad = strcmp(s->part[0], "mad") == 0;
  for (unsigned h = 0; h < 2; h++) {
    a[h] = wg_px_src(x, &s->op[1], h);
    b[h] = wg_px_src(x, &s->op[2], h);
    if (mad) c[h] = wg_px_src(x, &s->op[3], h);
  }
  int32_t p = wide(x, a[0], b[0], -1), t = wide(x, a[0], b[1], p + 1), u = wide(x, a[1], b[0], t);
  int32_t v = wide(x, a[1], b[1], t + 1), d = wg_px_dst(x, &s->op[0], 8), r[2] = {v, v + 1};
  add_pair(x, r, u + 1, -1, false);
  if (wg_px_signed(wg_px_last_type(s))) {
    int32_t pa = compare(x, 1, false, a[1], 0), pb = compare(x, 1, false, b[1], 0);
    add_pair(x, r, choose_imm(x, pa, false, b[0], 0), choose_imm(x, pa, false, b[1], 0), true);
    add_pair(x, r, choose_imm(x, pb, false, a[0], 0), choose_imm(x, pb, false, a[1], 0), true);
  }
  if (mad) add_pair(x, r, c[0], c[1], false);
  wg_px_mov(x, d, r[0]);
  wg_px_mov(x, d + 1, r[1]);
}

/* ---- bits ---- */

/* Zeros above the highest one: the exponent of the value cut to a float tells. 32 for 0. */
static int32_t leading_zeros(wg_px_ctx_t *x, int32_t v) {
  int32_t e = op_imm(x, kWgOp_SHF, kRight, -1, 23, to_float(x, v, false, 3)), n = wg_px_tmp(x), m = wg_px_tmp(x);
  (void)wg_px_emit_imm(x, kWgOp_IADD3, kWgMark_NA, n, e, 158, -1);
  (void)wg_px_emit_imm(x, kWgOp_IMNMX, MOD(MU32, 1), m, n, 32, -1); /* 0 gives 158 */
  return m;
}

static int32_t population(wg_px_ctx_t *x, int32_t v) {
  int32_t h = op_imm(x, kWgOp_LOP3, 0xc0, op_imm(x, kWgOp_SHF, kRight, -1, 1, v), 0x55555555u, -1);
  int32_t a = op_reg(x, kWgOp_IADD3, kWgMark_NB, v, h, -1);
  int32_t b = op_imm(x, kWgOp_LOP3, 0xc0, a, 0x33333333u, -1);
  int32_t c = op_imm(x, kWgOp_LOP3, 0xc0, op_imm(x, kWgOp_SHF, kRight, -1, 2, a), 0x33333333u, -1);
  int32_t d = op_reg(x, kWgOp_IADD3, 0, b, c, -1), e = op_imm(x, kWgOp_SHF, kRight, -1, 4, d);
  int32_t f = op_imm(x, kWgOp_LOP3, 0xc0, op_reg(x, kWgOp_IADD3, 0, d, e, -1), 0x0f0f0f0fu, -1);
  return op_imm(x, kWgOp_SHF, kRight, -1, 24, op_imm(x, kWgOp_IMAD, 0, f, 0x01010101u, -1));
}

static int32_t reversed(wg_px_ctx_t *x, int32_t v) {
  static const uint32_t kMask[3] = {0x55555555u, 0x33333333u, 0x0f0f0f0fu};
  for (unsigned i = 0; i < 3; i++) {
    int32_t down = op_imm(x, kWgOp_LOP3, 0xc0, op_imm(x, kWgOp_SHF, kRight, -1, 1u << i, v), kMask[i], -1);
    int32_t up = op_imm(x, kWgOp_SHF, 0, op_imm(x, kWgOp_LOP3, 0xc0, v, kMask[i], -1), 1u << i, -1);
    v = op_reg(x, kWgOp_LOP3, 0xfc, down, up, -1);
  }
  return op_imm(x, kWgOp_PRMT, 0, v, 0x0123, -1);
}

void wg_px_lower_count(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 2, 2);
  wg_px_type_t t = wg_px_last_type(s);
  bool find = strcmp(s->part[0], "bfind") == 0, amount = wg_px_has(s, "shiftamt");
  if (wg_px_type_size(t) != 4 || t == kWgPxF32 || s->nparts != (amount ? 3u : 2u)) wg_px_unsupported(x, "this type");
  int32_t v = wg_px_src(x, &s->op[1], 0), d = wg_px_dst(x, &s->op[0], 4), r;
  if (find) { /* highest bit that differs from the sign; 0xffffffff if there is none */
    if (wg_px_signed(t))
      v = op_reg(x, kWgOp_LOP3, 0x3c, v, op_imm(x, kWgOp_SHF, kRight | MOD(SHTYPE, 1), -1, 31, v), -1);
    int32_t z = leading_zeros(x, v), none = compare(x, 2, true, z, 32);
    if (!amount) (void)wg_px_emit_imm(x, kWgOp_IADD3, kWgMark_NA, r = wg_px_tmp(x), z, 31, -1);
    else r = z;
    r = choose_imm(x, none, true, r, UINT32_MAX);
  } else if (strcmp(s->part[0], "clz") == 0) {
    r = leading_zeros(x, v);
  } else {
    r = strcmp(s->part[0], "popc") == 0 ? population(x, v) : reversed(x, v);
  }
  wg_px_mov(x, d, r);
}

/* slct d, a, b, c: c >= 0 ? a : b */
void wg_px_lower_slct(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 4, 4);
  wg_px_type_t ct = wg_px_last_type(s);
  const char *dn = s->part[s->nparts - 2];
  bool ftz = wg_px_has(s, "ftz");
  wg_px_type_t t = wg_px_type_of(s->part[ftz ? 2 : 1], strlen(s->part[ftz ? 2 : 1]));
  if (s->nparts != (ftz ? 4u : 3u) || wg_px_type_size(wg_px_type_of(dn, strlen(dn))) != 4 ||
      wg_px_type_size(t) != 4 || (ct != kWgPxS32 && ct != kWgPxF32)) {
    wg_px_unsupported(x, "this form");
  }
  int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0), c = wg_px_src(x, &s->op[3], 0);
  int32_t d = wg_px_dst(x, &s->op[0], 4), p = wg_px_pred_new(x, x->fn, false);
  unsigned mods = ct == kWgPxF32 ? MOD(FCMP, 6) | MOD(SFTZ, ftz) : MOD(ICMP, 6);
  wg_px_emit(x, ct == kWgPxF32 ? kWgOp_FSETP : kWgOp_ISETP, mods, -1, c, -1, -1)->pd0 = p;
  wg_px_mov(x, d, choose(x, p, a, b));
}

/* bfi d, a, b, pos, len; also bfe.u32 with positions in registers: masks from clamping shifts. */
static int32_t field_mask(wg_px_ctx_t *x, int32_t len) {
  return op_imm(x, kWgOp_IADD3, 0, op_reg(x, kWgOp_SHF, 0, constant(x, 1), len, -1), UINT32_MAX, -1);
}

void wg_px_lower_field(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  bool insert = strcmp(s->part[0], "bfi") == 0;
  wg_px_need_ops(x, insert ? 5 : 4, insert ? 5 : 4);
  wg_px_type_t t = wg_px_last_type(s);
  if (s->nparts != 2 || t != (insert ? kWgPxB32 : kWgPxU32)) wg_px_unsupported(x, "this type");
  int32_t a = wg_px_src(x, &s->op[1], 0), b = insert ? wg_px_src(x, &s->op[2], 0) : -1;
  int32_t pos = op_imm(x, kWgOp_LOP3, 0xc0, wg_px_src(x, &s->op[insert ? 3 : 2], 0), 0xff, -1);
  int32_t len = op_imm(x, kWgOp_LOP3, 0xc0, wg_px_src(x, &s->op[insert ? 4 : 3], 0), 0xff, -1);
  int32_t d = wg_px_dst(x, &s->op[0], 4), m = field_mask(x, len);
  if (!insert) {
    (void)wg_px_emit(x, kWgOp_LOP3, 0xc0, d, op_reg(x, kWgOp_SHF, kRight, -1, pos, a), m, -1);
    return;
  }
  int32_t mask = op_reg(x, kWgOp_SHF, 0, m, pos, -1), v = op_reg(x, kWgOp_SHF, 0, a, pos, -1);
  (void)wg_px_emit(x, kWgOp_LOP3, 0xe2, d, v, mask, b); /* (v & mask) | (b & ~mask) */
}
