// SPDX-License-Identifier: Apache-2.0
//
// Building blocks of lowering; contracts in px_build.h.
#include "toolchain/ptx/px_build.h"

int32_t wg_px_op(wg_px_ctx_t *x, uint8_t op, unsigned mods, int32_t a, int32_t b, int32_t c) {
  int32_t d = wg_px_tmp(x);
  (void)wg_px_emit(x, op, mods, d, a, b, c);
  return d;
}

int32_t wg_px_pair(wg_px_ctx_t *x) { return wg_px_unit_new(x, x->fn, 2); }

int32_t wg_px_op_d(wg_px_ctx_t *x, uint8_t op, unsigned mods, int32_t a, int32_t b, int32_t c) {
  int32_t d = wg_px_pair(x);
  (void)wg_px_emit(x, op, mods, d, a, b, c);
  return d;
}

int32_t wg_px_opi(wg_px_ctx_t *x, uint8_t op, unsigned mods, int32_t a, uint32_t imm, int32_t c) {
  int32_t d = wg_px_tmp(x);
  (void)wg_px_emit_imm(x, op, mods, d, a, imm, c);
  return d;
}

int32_t wg_px_const(wg_px_ctx_t *x, uint32_t v) {
  int32_t d = wg_px_tmp(x);
  wg_px_mov_imm(x, d, v);
  return d;
}

int32_t wg_px_const_d(wg_px_ctx_t *x, uint64_t v) {
  int32_t d = wg_px_pair(x);
  wg_px_mov_imm(x, d, (uint32_t)v);
  wg_px_mov_imm(x, d + 1, (uint32_t)(v >> 32));
  return d;
}

int32_t wg_px_join(wg_px_ctx_t *x, int32_t lo, int32_t hi) {
  int32_t d = wg_px_pair(x);
  wg_px_mov(x, d, lo);
  wg_px_mov(x, d + 1, hi);
  return d;
}

void wg_px_mov_d(wg_px_ctx_t *x, int32_t d, int32_t s) {
  wg_px_mov(x, d, s);
  wg_px_mov(x, d + 1, s < 0 ? -1 : s + 1);
}

int32_t wg_px_logic(wg_px_ctx_t *x, unsigned lut, int32_t a, int32_t b) {
  return wg_px_op(x, kWgOp_LOP3, lut, a, b, -1);
}
int32_t wg_px_logici(wg_px_ctx_t *x, unsigned lut, int32_t a, uint32_t imm) {
  return wg_px_opi(x, kWgOp_LOP3, lut, a, imm, -1);
}
int32_t wg_px_add(wg_px_ctx_t *x, int32_t a, int32_t b) { return wg_px_op(x, kWgOp_IADD3, 0, a, b, -1); }
int32_t wg_px_addi(wg_px_ctx_t *x, int32_t a, uint32_t imm) { return wg_px_opi(x, kWgOp_IADD3, 0, a, imm, -1); }
int32_t wg_px_sub(wg_px_ctx_t *x, int32_t a, int32_t b) {
  return wg_px_op(x, kWgOp_IADD3, kWgMark_NB, a, b, -1);
}

int32_t wg_px_shri(wg_px_ctx_t *x, int32_t a, unsigned n, bool sign) {
  return wg_px_opi(x, kWgOp_SHF, sign ? kShrS : kShr, -1, n, a);
}
int32_t wg_px_shli(wg_px_ctx_t *x, int32_t a, unsigned n) { return wg_px_opi(x, kWgOp_SHF, 0, a, n, -1); }

int32_t wg_px_cmp(wg_px_ctx_t *x, unsigned cmp, bool uns, int32_t a, int32_t b) {
  int32_t p = wg_px_pred_new(x, x->fn, false);
  wg_px_emit(x, kWgOp_ISETP, MOD(ICMP, cmp) | MOD(IU32, uns), -1, a, b, -1)->pd0 = p;
  return p;
}

int32_t wg_px_cmpi(wg_px_ctx_t *x, unsigned cmp, bool uns, int32_t a, uint32_t imm) {
  int32_t p = wg_px_pred_new(x, x->fn, false);
  wg_px_emit_imm(x, kWgOp_ISETP, MOD(ICMP, cmp) | MOD(IU32, uns), -1, a, imm, -1)->pd0 = p;
  return p;
}

int32_t wg_px_cmp_d(wg_px_ctx_t *x, unsigned cmp, bool uns, int32_t a, int32_t b) {
  int32_t low = wg_px_cmp(x, cmp, true, a, b), p = wg_px_pred_new(x, x->fn, false);
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_ISETP, MOD(ICMP, cmp) | MOD(IEX, 1) | MOD(IU32, uns), -1,
                                a < 0 ? -1 : a + 1, b < 0 ? -1 : b + 1, -1);
  in->ps1 = low;
  in->pd0 = p;
  return p;
}

int32_t wg_px_pred_or(wg_px_ctx_t *x, int32_t p, int32_t q) {
  int32_t d = wg_px_pred_new(x, x->fn, false);
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_PLOP3, 0xe, -1, -1, -1, -1);
  in->pd0 = d;
  in->ps0 = p;
  in->ps1 = q;
  return d;
}

int32_t wg_px_sel(wg_px_ctx_t *x, int32_t p, int32_t a, int32_t b) {
  int32_t d = wg_px_tmp(x);
  wg_px_emit(x, kWgOp_SEL, 0, d, a, b, -1)->ps0 = p;
  return d;
}

int32_t wg_px_seli(wg_px_ctx_t *x, int32_t p, int32_t a, uint32_t imm) {
  int32_t d = wg_px_tmp(x);
  wg_px_emit_imm(x, kWgOp_SEL, 0, d, a, imm, -1)->ps0 = p;
  return d;
}

int32_t wg_px_sel_d(wg_px_ctx_t *x, int32_t p, int32_t a, int32_t b) {
  int32_t d = wg_px_pair(x);
  for (int h = 0; h < 2; h++) {
    wg_px_emit(x, kWgOp_SEL, 0, d + h, a < 0 ? -1 : a + h, b < 0 ? -1 : b + h, -1)->ps0 = p;
  }
  return d;
}

int32_t wg_px_clampi(wg_px_ctx_t *x, int32_t a, uint32_t imm, bool uns, bool max) {
  int32_t d = wg_px_tmp(x);
  wg_px_emit_imm(x, kWgOp_IMNMX, MOD(MU32, uns), d, a, imm, -1)->ps0_not = max;
  return d;
}

int32_t wg_px_magnitude(wg_px_ctx_t *x, int32_t a) {
  int32_t n = wg_px_sub(x, -1, a), d = wg_px_tmp(x);
  wg_px_emit(x, kWgOp_IMNMX, 0, d, a, n, -1)->ps0_not = true;
  return d;
}

static int32_t sum_d(wg_px_ctx_t *x, int32_t a, int32_t b, unsigned nb) {
  int32_t d = wg_px_pair(x), carry = wg_px_pred_new(x, x->fn, false);
  wg_px_emit(x, kWgOp_IADD3, nb, d, a, b, -1)->pd0 = carry;
  wg_px_emit(x, kWgOp_IADD3, nb | MOD(X, 1), d + 1, a < 0 ? -1 : a + 1, b < 0 ? -1 : b + 1, -1)->ps0 = carry;
  return d;
}

int32_t wg_px_add_d(wg_px_ctx_t *x, int32_t a, int32_t b) { return sum_d(x, a, b, 0); }
int32_t wg_px_sub_d(wg_px_ctx_t *x, int32_t a, int32_t b) { return sum_d(x, a, b, kWgMark_NB); }

int32_t wg_px_shl_d(wg_px_ctx_t *x, int32_t a, int32_t n) {
  int32_t d = wg_px_pair(x);
  (void)wg_px_emit(x, kWgOp_SHF, MOD(SHHI, 1) | MOD(SHTYPE, 2), d + 1, a, n, a + 1);
  (void)wg_px_emit(x, kWgOp_SHF, 0, d, a, n, -1);
  return d;
}

int32_t wg_px_shr_d(wg_px_ctx_t *x, int32_t a, int32_t n, bool sign) {
  int32_t d = wg_px_pair(x);
  (void)wg_px_emit(x, kWgOp_SHF, MOD(SHDIR, 1) | MOD(SHTYPE, sign ? 3 : 2), d, a, n, a + 1);
  (void)wg_px_emit(x, kWgOp_SHF, sign ? kShrS : kShr, d + 1, -1, n, a + 1);
  return d;
}

int32_t wg_px_mufu(wg_px_ctx_t *x, unsigned fn, int32_t a) {
  return wg_px_op(x, kWgOp_MUFU, MOD(MUFUF, fn), a, -1, -1);
}

int wg_px_rounding(const char *part, bool *integral) {
  static const char *const kNames[] = {"rn", "rm", "rp", "rz", "rni", "rmi", "rpi", "rzi"};
  for (int i = 0; i < 8; i++) {
    if (strcmp(kNames[i], part) != 0) continue;
    *integral = i >= 4;
    return i & 3;
  }
  return -1;
}

int wg_px_fcmp(const char *name) {
  static const char *const kCmp[] = {"",    "lt",  "eq",  "le",  "gt",  "ne",  "ge", "num",
                                     "nan", "ltu", "equ", "leu", "gtu", "neu", "geu"};
  for (int i = 1; i < 15; i++) {
    if (strcmp(kCmp[i], name) == 0) return i;
  }
  return -1;
}

int wg_px_bool(const char *name) {
  static const char *const kBool[] = {"and", "or", "xor"};
  for (int i = 0; i < 3; i++) {
    if (strcmp(kBool[i], name) == 0) return i;
  }
  return -1;
}

int32_t wg_px_pdst1(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  if (s->op[0].pred == NULL) return -1;
  wg_px_opnd_t second = {.kind = kWgPxOReg, .sym = s->op[0].pred};
  return wg_px_pdst(x, &second);
}

int32_t wg_px_flag(wg_px_ctx_t *x, int32_t p, uint32_t one) {
  int32_t d = wg_px_tmp(x);
  wg_px_insn_t *in = wg_px_emit_imm(x, kWgOp_SEL, 0, d, -1, one, -1);
  in->ps0 = p;
  in->ps0_not = true;
  return d;
}
