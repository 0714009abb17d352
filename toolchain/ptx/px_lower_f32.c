// SPDX-License-Identifier: Apache-2.0
//
// Lowering of fp32 instructions other than division.
#include "toolchain/ptx/px_build.h"

/* Rounding, .ftz and .sat of the opcode's parts from `first` on, without the type; anything else is refused. */
static unsigned float_mods(wg_px_ctx_t *x, const wg_px_stmt_t *s, uint32_t first, bool rounding_ok) {
  static const char *const kRound[] = {"rn", "rm", "rp", "rz"};
  unsigned mods = 0;
  for (uint32_t i = first; i + 1 < s->nparts; i++) {
    unsigned r = 0;
    while (r < 4 && strcmp(kRound[r], s->part[i]) != 0) r++;
    if (r < 4 && rounding_ok) {
      mods |= MOD(RND, r);
    } else if (strcmp(s->part[i], "ftz") == 0) {
      mods |= MOD(FTZ, 1);
    } else if (strcmp(s->part[i], "sat") == 0 && rounding_ok) {
      mods |= MOD(SAT, 1);
    } else {
      wg_px_unsupported(x, "this form");
    }
  }
  return mods;
}

void wg_px_lower_f32(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  if (wg_px_last_type(s) != kWgPxF32) wg_px_unsupported(x, "this type");
  char op = s->part[0][0] == 'm' && s->part[0][1] == 'a' ? 'f' : s->part[0][0]; /* mad is fma: add, sub, mul, fma */
  unsigned mods = float_mods(x, s, 1, true);
  wg_px_need_ops(x, op == 'f' ? 4 : 3, op == 'f' ? 4 : 3);
  int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0);
  int32_t c = op == 'f' ? wg_px_src(x, &s->op[3], 0) : -1, d = wg_px_dst(x, &s->op[0], 4);
  if (op == 'f') {
    (void)wg_px_emit(x, kWgOp_FFMA, mods, d, a, b, c);
  } else if (op == 'm') {
    (void)wg_px_emit(x, kWgOp_FMUL, mods, d, a, b, -1);
  } else {
    (void)wg_px_emit(x, kWgOp_FADD, mods | (op == 's' ? kWgMark_NB : 0u), d, a, b, -1);
  }
}

/* neg and abs are additions of -0: a NaN comes out as 0x7fffffff, as on silicon. */
void wg_px_lower_f32_unary(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  if (wg_px_last_type(s) != kWgPxF32) wg_px_unsupported(x, "this type");
  if (s->part[0][0] == 'c' && s->part[0][1] == 'o') { /* copysign d, a, b: sign of a, magnitude of b */
    wg_px_need_ops(x, 3, 3);
    int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0);
    (void)wg_px_emit_imm(x, kWgOp_LOP3, 0xe2, wg_px_dst(x, &s->op[0], 4), a, 0x80000000u, b);
    return;
  }
  wg_px_need_ops(x, 2, 2);
  unsigned mods = float_mods(x, s, 1, false);
  bool neg = strcmp(s->part[0], "neg") == 0, abs = strcmp(s->part[0], "abs") == 0;
  int32_t a = wg_px_src(x, &s->op[1], 0), d = wg_px_dst(x, &s->op[0], 4);
  mods |= (neg ? kWgMark_NA : 0u) | (abs ? kWgMark_AA : 0u);
  (void)wg_px_emit_imm(x, kWgOp_FADD, mods, d, a, 0x80000000u, -1);
}

/* min, max: the operand that is no NaN wins; with .NaN a NaN does. .xorsign.abs: of the magnitudes, with the product's
   sign, which a NaN does not take (+ -0 makes it canonical again). */
void wg_px_lower_f32_minmax(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  bool ftz = false, nan = false, xorsign = false;
  for (uint32_t i = 1; i + 1 < s->nparts; i++) {
    if (wg_px_part(s, i, "ftz")) ftz = true;
    else if (wg_px_part(s, i, "NaN")) nan = true;
    else if (wg_px_part(s, i, "xorsign") && wg_px_part(s, i + 1, "abs")) xorsign = true;
    else if (!(xorsign && wg_px_part(s, i, "abs"))) wg_px_unsupported(x, "this form");
  }
  wg_px_need_ops(x, 3, 3);
  int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0), r = wg_px_tmp(x), p = -1;
  unsigned mods = MOD(FTZ, ftz) | (xorsign ? (unsigned)kWgMark_AA | (unsigned)kWgMark_AB : 0u);
  wg_px_emit(x, kWgOp_FMNMX, mods, r, a, b, -1)->ps0_not = s->part[0][1] == 'a';
  if (xorsign) {
    r = wg_px_opi(x, kWgOp_LOP3, 0xf8, r, WG_PX_SIGN, wg_px_logic(x, kLutXor, a, b));
    r = wg_px_opi(x, kWgOp_FADD, 0, r, WG_PX_SIGN, -1);
  }
  if (nan) {
    wg_px_emit(x, kWgOp_FSETP, MOD(FCMP, kCmpNum), -1, a, b, -1)->pd0 = p = wg_px_pred_new(x, x->fn, false);
    r = wg_px_seli(x, p, r, WG_PX_ABS);
  }
  wg_px_mov(x, wg_px_dst(x, &s->op[0], 4), r);
}
