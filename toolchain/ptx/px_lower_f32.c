// SPDX-License-Identifier: Apache-2.0
//
// Lowering of fp32 instructions other than division.
#include <string.h>

#include "toolchain/ptx/px.h"

#define MOD(ID, v) ((unsigned)(v) << kWgModLsb_##ID)

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

/* neg, abs and cvt are additions of -0: a NaN comes out as 0x7fffffff, as on silicon. */
void wg_px_lower_f32_unary(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  if (wg_px_last_type(s) != kWgPxF32) wg_px_unsupported(x, "this type");
  if (s->part[0][0] == 'c' && s->part[0][1] == 'o') { /* copysign d, a, b: sign of a, magnitude of b */
    wg_px_need_ops(x, 3, 3);
    int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0);
    (void)wg_px_emit_imm(x, kWgOp_LOP3, 0xe2, wg_px_dst(x, &s->op[0], 4), a, 0x80000000u, b);
    return;
  }
  wg_px_need_ops(x, 2, 2);
  bool cvt = s->part[0][0] == 'c';
  unsigned mods = 0;
  if (cvt) { /* cvt{.rn}{.ftz}{.sat}.f32.f32: only forms that round nothing */
    for (uint32_t i = 1; i + 2 < s->nparts; i++) {
      if (strcmp(s->part[i], "ftz") == 0) {
        mods |= MOD(FTZ, 1);
      } else if (strcmp(s->part[i], "sat") == 0) {
        mods |= MOD(SAT, 1);
      } else if (strcmp(s->part[i], "rn") != 0) {
        wg_px_unsupported(x, "rounding to an integral value");
      }
    }
  } else {
    mods = float_mods(x, s, 1, false);
  }
  bool neg = strcmp(s->part[0], "neg") == 0, abs = strcmp(s->part[0], "abs") == 0;
  int32_t a = wg_px_src(x, &s->op[1], 0), d = wg_px_dst(x, &s->op[0], 4);
  mods |= (neg ? kWgMark_NA : 0u) | (abs ? kWgMark_AA : 0u);
  (void)wg_px_emit_imm(x, kWgOp_FADD, mods, d, a, 0x80000000u, -1);
}

void wg_px_lower_f32_minmax(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  unsigned mods = float_mods(x, s, 1, false); /* refuses .NaN and .xorsign.abs */
  wg_px_need_ops(x, 3, 3);
  int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0);
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_FMNMX, mods, wg_px_dst(x, &s->op[0], 4), a, b, -1);
  in->ps0_not = s->part[0][1] == 'a';
}

void wg_px_lower_fsetp(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  static const char *const kCmp[] = {"",    "lt",  "eq",  "le",  "gt",  "ne",  "ge", "num",
                                     "nan", "ltu", "equ", "leu", "gtu", "neu", "geu"};
  if (s->nparts < 3) wg_px_unsupported(x, "this form");
  unsigned cmp = 1, mode = 0, mods = 0;
  while (cmp < 15 && strcmp(kCmp[cmp], s->part[1]) != 0) cmp++;
  if (cmp == 15) wg_px_unsupported(x, "this comparison");
  bool boolop = false, is_not = false;
  for (uint32_t i = 2; i + 1 < s->nparts; i++) {
    if (strcmp(s->part[i], "ftz") == 0) {
      mods |= MOD(SFTZ, 1);
    } else {
      boolop = true;
      if (strcmp(s->part[i], "or") == 0) mode = 1;
      else if (strcmp(s->part[i], "xor") == 0) mode = 2;
      else if (strcmp(s->part[i], "and") != 0) wg_px_unsupported(x, "this combination");
    }
  }
  wg_px_need_ops(x, boolop ? 4 : 3, boolop ? 4 : 3);
  int32_t p = boolop ? wg_px_psrc(x, &s->op[3], &is_not) : -1;
  int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0), d1 = -1;
  if (s->op[0].pred != NULL) {
    wg_px_opnd_t second = {.kind = kWgPxOReg, .sym = s->op[0].pred};
    d1 = wg_px_pdst(x, &second);
  }
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_FSETP, mods | MOD(FCMP, cmp) | MOD(FBOOL, mode), -1, a, b, -1);
  in->pd0 = wg_px_pdst(x, &s->op[0]);
  in->pd1 = d1;
  in->ps0 = p;
  in->ps0_not = is_not;
}
