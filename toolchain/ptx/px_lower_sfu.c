// SPDX-License-Identifier: Apache-2.0
//
// Lowering of sin cos ex2 lg2 rsqrt sqrt tanh (fp32): MUFU, which takes denormals as zero and makes none. The forms
// without .ftz scale such operands first and take the scale out of the result again; the values are those of
// silicon's own sequences. sqrt.rn is correctly rounded (README.md, "Square root").
#include "toolchain/ptx/px_build.h"

/* Values of modifier MUFUF. */
enum { kCos = 0, kSin = 1, kEx2 = 2, kLg2 = 3, kRsq = 5, kSqrt = 6, kTanh = 7 };

enum { kRndZ = 3, kLt = 1, kOne = 0x3f800000, kMinNormal = 0x00800000 };

static const struct {
  const char *op;
  unsigned fn;
} kFunctions[] = {{"cos", kCos}, {"sin", kSin}, {"ex2", kEx2}, {"lg2", kLg2}, {"rsqrt", kRsq}, {"sqrt", kSqrt},
                  {"tanh", kTanh}};

static int32_t op_imm(wg_px_ctx_t *x, uint8_t op, unsigned mods, int32_t a, uint32_t imm) {
  int32_t d = wg_px_tmp(x);
  (void)wg_px_emit_imm(x, op, mods, d, a, imm, -1);
  return d;
}

static int32_t op3(wg_px_ctx_t *x, uint8_t op, unsigned mods, int32_t a, int32_t b, int32_t c) {
  int32_t d = wg_px_tmp(x);
  (void)wg_px_emit(x, op, mods, d, a, b, c);
  return d;
}

/* p ? if_true : if_false, both fp32 bit patterns. */
static int32_t choose(wg_px_ctx_t *x, int32_t p, uint32_t if_true, uint32_t if_false) {
  int32_t t = wg_px_tmp(x), d = wg_px_tmp(x);
  wg_px_mov_imm(x, t, if_true);
  wg_px_insn_t *in = wg_px_emit_imm(x, kWgOp_SEL, 0, d, t, if_false, -1);
  in->ps0 = p;
  return d;
}

/* a, times k where p holds; in a guarded statement, whose guard an instruction has already, times one elsewhere. */
static int32_t scale_where(wg_px_ctx_t *x, int32_t p, int32_t a, uint32_t k) {
  if (x->stmt->guard != NULL) return op3(x, kWgOp_FMUL, 0, a, choose(x, p, k, kOne), -1);
  int32_t t = wg_px_tmp(x);
  x->fn->unit[t].named = true; /* the lanes without p keep the copy */
  wg_px_mov(x, t, a);
  wg_px_emit_imm(x, kWgOp_FMUL, 0, t, t, k, -1)->guard = p;
  return t;
}

/* a < bound as signed integers: for fp32 patterns, a below a positive bound, negative, or a NaN with its sign set. */
static int32_t below(wg_px_ctx_t *x, int32_t a, uint32_t bound) {
  int32_t p = wg_px_pred_new(x, x->fn, false);
  wg_px_emit_imm(x, kWgOp_ISETP, MOD(ICMP, kLt), -1, a, bound, -1)->pd0 = p;
  return p;
}

static int32_t flush(wg_px_ctx_t *x, int32_t a) { return op_imm(x, kWgOp_FADD, MOD(FTZ, 1), a, 0x80000000u); }

/* lg2, rsqrt, sqrt without .ftz: a is multiplied by 2^24 where its magnitude is below the normal range. */
static void scaled(wg_px_ctx_t *x, unsigned fn, int32_t d, int32_t a) {
  int32_t p = below(x, op_imm(x, kWgOp_LOP3, 0xc0, a, 0x7fffffffu), kMinNormal);
  int32_t y = wg_px_mufu(x, fn, scale_where(x, p, a, 0x4b800000u));
  if (fn == kLg2) { /* -24 again; -0 changes nothing */
    (void)wg_px_emit(x, kWgOp_FADD, 0, d, y, choose(x, p, 0xc1c00000u, 0x80000000u), -1);
  } else { /* rsqrt: times 2^12, sqrt: times 2^-12 */
    wg_px_mov(x, d, scale_where(x, p, y, fn == kRsq ? 0x45800000u : 0x39800000u));
  }
}

/* ex2 without .ftz: below -126 it is the square of 2^(a/2). */
static void ex2(wg_px_ctx_t *x, int32_t d, int32_t a) {
  int32_t p = wg_px_pred_new(x, x->fn, false), y2 = wg_px_tmp(x);
  wg_px_emit_imm(x, kWgOp_FSETP, MOD(FCMP, kLt), -1, a, 0xc2fc0000u, -1)->pd0 = p;
  int32_t y = wg_px_mufu(x, kEx2, op3(x, kWgOp_FMUL, 0, a, choose(x, p, 0x3f000000u, kOne), -1));
  (void)wg_px_emit(x, kWgOp_FMUL, 0, y2, y, y, -1);
  wg_px_emit(x, kWgOp_SEL, 0, d, y2, y, -1)->ps0 = p;
}

/* One Newton step on g = a * rsq(a) with an exact remainder. Operands below 2^-100, where the remainder would not be
   exact, are scaled by 2^64 and the result by 2^-32. What is no positive finite number gets MUFU.SQRT's answer. */
static void sqrt_rn(wg_px_ctx_t *x, int32_t d, int32_t a) {
  int32_t p = below(x, a, 27u << 23);
  int32_t s = op3(x, kWgOp_FMUL, 0, a, choose(x, p, 0x5f800000u, kOne), -1);
  int32_t y = wg_px_mufu(x, kRsq, s), special = wg_px_mufu(x, kSqrt, s);
  int32_t g = op3(x, kWgOp_FMUL, 0, s, y, -1), h = op_imm(x, kWgOp_FMUL, 0, y, 0x3f000000u);
  int32_t r = op3(x, kWgOp_FFMA, kWgMark_NA, g, g, s);
  int32_t q = op3(x, kWgOp_FFMA, 0, r, h, g);
  int32_t root = op3(x, kWgOp_FMUL, 0, q, choose(x, p, 0x2f800000u, kOne), -1);
  int32_t before = op_imm(x, kWgOp_IADD3, 0, a, UINT32_MAX), finite = wg_px_pred_new(x, x->fn, false);
  wg_px_emit_imm(x, kWgOp_ISETP, MOD(ICMP, kLt) | MOD(IU32, 1), -1, before, 0x7f7fffffu, -1)->pd0 = finite;
  wg_px_emit(x, kWgOp_SEL, 0, d, root, special, -1)->ps0 = finite;
}

void wg_px_lower_sfu(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  unsigned k = 0;
  while (strcmp(kFunctions[k].op, s->part[0]) != 0) k++; /* the dispatch knows these names alone */
  unsigned fn = kFunctions[k].fn;
  if (wg_px_last_type(s) == kWgPxF64 && (fn == kSqrt || fn == kRsq)) {
    wg_px_lower_f64div(x, s);
    return;
  }
  if (wg_px_last_type(s) != kWgPxF32) wg_px_unsupported(x, "this type");
  bool integral = false;
  int rnd = fn == kSqrt && s->nparts >= 3 ? wg_px_rounding(s->part[1], &integral) : -1;
  if (rnd > kRndRn && !integral && s->nparts == (wg_px_part(s, 2, "ftz") ? 4u : 3u)) {
    wg_px_need_ops(x, 2, 2);
    wg_px_lower_f32_directed(x, s, (unsigned)rnd, wg_px_part(s, 2, "ftz"));
    return;
  }
  bool approx = wg_px_has(s, "approx"), rn = wg_px_has(s, "rn"), ftz = wg_px_has(s, "ftz");
  for (uint32_t i = 1; i + 1 < s->nparts; i++) {
    const char *part = s->part[i];
    if (strcmp(part, "approx") != 0 && strcmp(part, "ftz") != 0 && (fn != kSqrt || strcmp(part, "rn") != 0)) {
      wg_px_unsupported(x, "this rounding");
    }
  }
  if (approx == rn) wg_px_fail_stmt(x, kWgBadInput, s, "", "'%s' needs .approx%s", s->part[0],
                                    fn == kSqrt ? " or a rounding" : "");
  wg_px_need_ops(x, 2, 2);
  int32_t a = wg_px_src(x, &s->op[1], 0), d = wg_px_dst(x, &s->op[0], 4);
  if (rn) {
    sqrt_rn(x, d, ftz ? flush(x, a) : a);
  } else if (fn == kSin || fn == kCos) { /* radians to turns, towards zero as silicon */
    int32_t turns = op_imm(x, kWgOp_FMUL, MOD(RND, kRndZ) | MOD(FTZ, ftz), a, 0x3e22f983u);
    (void)wg_px_emit(x, kWgOp_MUFU, MOD(MUFUF, fn), d, turns, -1, -1);
  } else if (ftz || fn == kTanh) {
    (void)wg_px_emit(x, kWgOp_MUFU, MOD(MUFUF, fn), d, a, -1, -1);
  } else if (fn == kEx2) {
    ex2(x, d, a);
  } else {
    scaled(x, fn, d, a);
  }
}
