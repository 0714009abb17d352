// SPDX-License-Identifier: Apache-2.0
//
// Lowering of f16, bf16 and their pairs. A single value lies in the lower half of a unit; what the unit's upper half
// computes is never looked at.
#include "toolchain/ptx/px_build.h"

typedef struct wg_px_half {
  bool bf, two; /* bf16; a pair */
  bool ftz, sat, relu, nan, xorsign, approx;
} wg_px_half_t;

static wg_px_half_t parse(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_type_t t = wg_px_last_type(s);
  wg_px_half_t h = {.bf = t == kWgPxBF16 || t == kWgPxBF16x2, .two = t == kWgPxF16x2 || t == kWgPxBF16x2};
  for (uint32_t i = 1; i + 1 < s->nparts; i++) {
    const char *p = s->part[i];
    if (strcmp(p, "ftz") == 0) h.ftz = true;
    else if (strcmp(p, "sat") == 0) h.sat = true;
    else if (strcmp(p, "relu") == 0) h.relu = true;
    else if (strcmp(p, "NaN") == 0) h.nan = true;
    else if (strcmp(p, "xorsign") == 0) h.xorsign = true;
    else if (strcmp(p, "approx") == 0) h.approx = true;
    else if (strcmp(p, "rn") != 0 && !(h.xorsign && strcmp(p, "abs") == 0)) wg_px_unsupported(x, "this form");
  }
  return h;
}

static void arithmetic(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_half_t h) {
  char op = s->part[0][0]; /* add, sub, mul, fma (mad) */
  bool fma = op == 'f' || s->part[0][1] == 'a';
  if (h.nan || h.xorsign || h.approx || (h.sat && h.relu)) wg_px_unsupported(x, "this form");
  wg_px_need_ops(x, fma ? 4 : 3, fma ? 4 : 3);
  unsigned mods = MOD(HBF, h.bf) | MOD(FTZ, h.ftz) | MOD(SAT, h.sat) | MOD(RELU, h.relu);
  int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0);
  int32_t c = fma ? wg_px_src(x, &s->op[3], 0) : -1, d = wg_px_dst(x, &s->op[0], 4);
  if (op == 's') mods |= kWgMark_NB;
  (void)wg_px_emit(x, fma ? kWgOp_HFMA2 : op == 'm' ? kWgOp_HMUL2 : kWgOp_HADD2, mods, d, a, b, c);
}

/* x + -0: a NaN comes out as 0x7fff, as on silicon. */
static void unary(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_half_t h) {
  wg_px_need_ops(x, 2, 2);
  if (h.nan || h.xorsign || h.approx || h.sat || h.relu) wg_px_unsupported(x, "this form");
  unsigned mark = s->part[0][0] == 'n' ? kWgMark_NA : kWgMark_AA;
  int32_t a = wg_px_src(x, &s->op[1], 0), d = wg_px_dst(x, &s->op[0], 4);
  (void)wg_px_emit_imm(x, kWgOp_HADD2, MOD(HBF, h.bf) | MOD(FTZ, h.ftz) | mark, d, a, 0x80008000u, -1);
}

static void minmax(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_half_t h) {
  wg_px_need_ops(x, 3, 3);
  if (h.sat || h.relu || h.approx) wg_px_unsupported(x, "this form");
  int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0), d = wg_px_dst(x, &s->op[0], 4);
  unsigned mods = MOD(HBF, h.bf) | MOD(FTZ, h.ftz) | MOD(HNAN, h.nan);
  if (h.xorsign) mods |= kWgMark_AA | kWgMark_AB;
  int32_t r = h.xorsign ? wg_px_tmp(x) : d;
  wg_px_emit(x, kWgOp_HMNMX2, mods, r, a, b, -1)->ps0_not = s->part[0][1] == 'a';
  if (!h.xorsign) return;
  int32_t sign = wg_px_logic(x, kLutXor, a, b), v = wg_px_opi(x, kWgOp_LOP3, 0xf8, r, 0x80008000u, sign);
  (void)wg_px_emit_imm(x, kWgOp_HADD2, MOD(HBF, h.bf), d, v, 0x80008000u, -1); /* a NaN takes no sign */
}

/* ex2, tanh: through fp32, then cut, as silicon's results are. */
static int32_t function(wg_px_ctx_t *x, int32_t a, unsigned fn, wg_px_half_t h) {
  unsigned fmt = h.bf ? kFmtBf16 : kFmtF16;
  int32_t f = wg_px_op(x, kWgOp_F2F, MOD(FDST, kFmtF32) | MOD(FSRC, fmt) | MOD(FTZ, h.ftz), a, -1, -1);
  if (fn == kFnEx2 && h.bf) { /* results below the normal range of fp32: as the square of a half power */
    int32_t low = wg_px_pred_new(x, x->fn, false);
    wg_px_emit_imm(x, kWgOp_FSETP, MOD(FCMP, kCmpLt), -1, f, 0xc2fc0000u, -1)->pd0 = low;
    int32_t half = wg_px_opi(x, kWgOp_FMUL, 0, f, 0x3f000000u, -1), y = wg_px_mufu(x, fn, wg_px_sel(x, low, half, f));
    f = wg_px_sel(x, low, wg_px_op(x, kWgOp_FMUL, MOD(FTZ, h.ftz), y, y, -1), y);
  } else {
    f = wg_px_mufu(x, fn, f);
  }
  unsigned mods = MOD(FDST, fmt) | MOD(FSRC, kFmtF32) | MOD(FTZ, h.ftz) | MOD(RND, kRndRz);
  int32_t r = wg_px_op(x, kWgOp_F2F, mods, f, -1, -1), large = wg_px_pred_new(x, x->fn, false);
  if (fn != kFnEx2 || h.bf) return r;
  wg_px_emit_imm(x, kWgOp_FSETP, MOD(FCMP, kCmpGe), -1, f, 0x47800000u, -1)->pd0 = large; /* cutting would stop short */
  return wg_px_sel(x, large, wg_px_const(x, 0x7c00), r);
}

static void functions(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_half_t h) {
  wg_px_need_ops(x, 2, 2);
  if (!h.approx || h.nan || h.xorsign || h.sat || h.relu) wg_px_unsupported(x, "this form");
  unsigned fn = s->part[0][0] == 'e' ? kFnEx2 : kFnTanh;
  int32_t a = wg_px_src(x, &s->op[1], 0), d = wg_px_dst(x, &s->op[0], 4), lo = function(x, a, fn, h);
  if (!h.two) {
    wg_px_mov(x, d, lo);
    return;
  }
  int32_t hi = function(x, wg_px_shri(x, a, 16, false), fn, h);
  (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, d, lo, 0x5410, hi);
}

void wg_px_lower_half(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  const char *op = s->part[0];
  wg_px_half_t h = parse(x, s);
  if (strcmp(op, "neg") == 0 || (strcmp(op, "abs") == 0)) {
    unary(x, s, h);
  } else if (strcmp(op, "min") == 0 || strcmp(op, "max") == 0) {
    minmax(x, s, h);
  } else if (strcmp(op, "ex2") == 0 || strcmp(op, "tanh") == 0) {
    functions(x, s, h);
  } else if (strcmp(op, "copysign") == 0) {
    wg_px_unsupported(x, "this type");
  } else {
    arithmetic(x, s, h);
  }
}
