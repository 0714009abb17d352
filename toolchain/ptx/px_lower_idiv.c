// SPDX-License-Identifier: Apache-2.0
//
// Lowering of integer division and remainder. By zero all bits of the result are ones, as on silicon.
#include "toolchain/ptx/px_build.h"

/* floor(a / b), a mod b: a reciprocal scaled to 2^32 from below, one Newton step, two corrections. The scale is an integer sum:
   32 into the exponent and two units of the last place less; 1 / 0 becomes a negative number, its result is replaced. */
static void divide32(wg_px_ctx_t *x, int32_t a, int32_t b, int32_t *quot, int32_t *rem) {
  int32_t f = wg_px_op(x, kWgOp_I2F, MOD(FDST, kFmtF32) | MOD(ISZ, 4), b, -1, -1), y = wg_px_mufu(x, kFnRcp, f);
  int32_t scaled = wg_px_addi(x, y, 0x0ffffffe);
  int32_t z0 = wg_px_op(x, kWgOp_F2I, MOD(FSRC, kFmtF32) | MOD(ISZ, 4) | MOD(RND, kRndRz), scaled, -1, -1);
  int32_t nb = wg_px_sub(x, -1, b), err = wg_px_op(x, kWgOp_IMAD, 0, nb, z0, -1);
  int32_t z = wg_px_op(x, kWgOp_IMAD, MOD(IMADK, 1) | MOD(IMADU, 1), z0, err, z0);
  int32_t q = wg_px_op(x, kWgOp_IMAD, MOD(IMADK, 1) | MOD(IMADU, 1), a, z, -1);
  int32_t r = wg_px_op(x, kWgOp_IMAD, 0, q, nb, a);
  for (int i = 0; i < 2; i++) {
    int32_t p = wg_px_cmp(x, kCmpGe, true, r, b), q1 = wg_px_addi(x, q, 1), r1 = wg_px_sub(x, r, b);
    q = wg_px_sel(x, p, q1, q);
    r = wg_px_sel(x, p, r1, r);
  }
  *quot = q;
  *rem = r;
}

static int32_t wide(wg_px_ctx_t *x, int32_t a, int32_t b, int32_t c) {
  return wg_px_op_d(x, kWgOp_IMAD, MOD(IMADK, 2) | MOD(IMADU, 1), a, b, c);
}

/* Upper half of the product of pairs; none of the sums overflows 64 bits. */
static int32_t mulhi64(wg_px_ctx_t *x, int32_t a, int32_t b) {
  int32_t p = wide(x, a, b, -1), t = wide(x, a, b + 1, wg_px_join(x, p + 1, -1));
  int32_t u = wide(x, a + 1, b, wg_px_join(x, t, -1));
  return wg_px_add_d(x, wide(x, a + 1, b + 1, wg_px_join(x, t + 1, -1)), wg_px_join(x, u + 1, -1));
}

static int32_t mullo64(wg_px_ctx_t *x, int32_t a, int32_t b) {
  int32_t t = wide(x, a, b, -1), h = wg_px_op(x, kWgOp_IMAD, 0, a, b + 1, t + 1);
  return wg_px_join(x, t, wg_px_op(x, kWgOp_IMAD, 0, a + 1, b, h));
}

/* An fp64 reciprocal of b rounded up, good to 2^-37, scaled to 2^64 from below: z0 = z - d0 with z = 2^64 / b and d0 <
   z * 2^-37 + 1. One Newton step in integers leaves less than 2 + 2^-9 below z, so the quotient is at most 3 too small:
   three corrections. For b = 1 the scaled value stays below 2^64 by its factor. */
static void divide64(wg_px_ctx_t *x, int32_t a, int32_t b, int32_t *quot, int32_t *rem) {
  int32_t f = wg_px_op_d(x, kWgOp_I2F, MOD(FDST, kFmtF64) | MOD(ISZ, 6) | MOD(RND, kRndRp), b, -1, -1);
  int32_t y0 = wg_px_join(x, -1, wg_px_mufu(x, kFnRcp64h, f + 1)), one = wg_px_const_d(x, 0x3ff0000000000000ull);
  int32_t e = wg_px_op_d(x, kWgOp_DFMA, kWgMark_NA, f, y0, one), y = wg_px_op_d(x, kWgOp_DFMA, 0, y0, e, y0);
  int32_t k = wg_px_const_d(x, 0x43efffffffff8000ull); /* 2^64 * (1 - 2^-38): below, for any error of y */
  int32_t s = wg_px_op_d(x, kWgOp_DMUL, MOD(RND, kRndRz), y, k, -1);
  int32_t z0 = wg_px_op_d(x, kWgOp_F2I, MOD(FSRC, kFmtF64) | MOD(ISZ, 6) | MOD(RND, kRndRz), s, -1, -1);
  int32_t err = wg_px_sub_d(x, -1, mullo64(x, b, z0)), z = wg_px_add_d(x, z0, mulhi64(x, z0, err));
  int32_t q = mulhi64(x, a, z), r = wg_px_sub_d(x, a, mullo64(x, q, b)), unit = wg_px_const_d(x, 1);
  for (int i = 0; i < 3; i++) {
    int32_t p = wg_px_cmp_d(x, kCmpGe, true, r, b), q1 = wg_px_add_d(x, q, unit), r1 = wg_px_sub_d(x, r, b);
    q = wg_px_sel_d(x, p, q1, q);
    r = wg_px_sel_d(x, p, r1, r);
  }
  *quot = q;
  *rem = r;
}

static int32_t magnitude64(wg_px_ctx_t *x, int32_t a) {
  int32_t n = wg_px_sub_d(x, -1, a);
  return wg_px_sel_d(x, wg_px_cmpi(x, kCmpLt, false, a + 1, 0), n, a);
}

static void lower64(wg_px_ctx_t *x, const wg_px_stmt_t *s, bool rem, bool sg) {
  int32_t a = wg_px_src_pair(x, &s->op[1]), b = wg_px_src_pair(x, &s->op[2]), q, r;
  divide64(x, sg ? magnitude64(x, a) : a, sg ? magnitude64(x, b) : b, &q, &r);
  int32_t v = rem ? r : q;
  if (sg) {
    int32_t sign = rem ? a + 1 : wg_px_logic(x, kLutXor, a + 1, b + 1);
    v = wg_px_sel_d(x, wg_px_cmpi(x, kCmpLt, false, sign, 0), wg_px_sub_d(x, -1, v), v);
  }
  int32_t zero = wg_px_cmpi(x, kCmpEq, true, wg_px_logic(x, kLutOr, b, b + 1), 0);
  v = wg_px_sel_d(x, zero, wg_px_const_d(x, UINT64_MAX), v);
  wg_px_mov_d(x, wg_px_dst(x, &s->op[0], 8), v);
}

void wg_px_lower_idiv(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_type_t t = wg_px_last_type(s);
  bool rem = strcmp(s->part[0], "rem") == 0, sg = wg_px_signed(t);
  wg_px_need_ops(x, 3, 3);
  if (s->nparts == 2 && (t == kWgPxU64 || t == kWgPxS64)) {
    lower64(x, s, rem, sg);
    return;
  }
  if (s->nparts != 2 || (t != kWgPxU32 && t != kWgPxS32 && t != kWgPxU16 && t != kWgPxS16)) {
    wg_px_unsupported(x, "division of this type");
  }
  int32_t a = wg_px_src_ext(x, &s->op[1], t), b = wg_px_src_ext(x, &s->op[2], t), q, r,
          d = wg_px_dst(x, &s->op[0], 4);
  divide32(x, sg ? wg_px_magnitude(x, a) : a, sg ? wg_px_magnitude(x, b) : b, &q, &r);
  int32_t v = rem ? r : q;
  if (sg) {
    int32_t sign = rem ? a : wg_px_logic(x, kLutXor, a, b);
    v = wg_px_sel(x, wg_px_cmpi(x, kCmpLt, false, sign, 0), wg_px_sub(x, -1, v), v);
  }
  wg_px_mov(x, d, wg_px_sel(x, wg_px_cmpi(x, kCmpEq, true, b, 0), wg_px_const(x, UINT32_MAX), v));
}
