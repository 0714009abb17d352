// SPDX-License-Identifier: Apache-2.0
//
// Lowering of integer and predicate instructions. 8- and 16-bit values live in 32-bit units whose upper bits mean
// nothing: whoever depends on them extends first (wg_px_src_ext).
#include "toolchain/ptx/px_build.h"

bool wg_px_signed(wg_px_type_t t) { return t == kWgPxS8 || t == kWgPxS16 || t == kWgPxS32 || t == kWgPxS64; }

static bool is_int(wg_px_type_t t, bool wide_ok) {
  if ((t >= kWgPxF16 && t <= kWgPxE5M2x2) || (t >= kWgPxF32 && t <= kWgPxTF32) || t == kWgPxF64) return false;
  uint32_t size = wg_px_type_size(t);
  return size == 2 || size == 4 || (wide_ok && size == 8);
}

static void extend(wg_px_ctx_t *x, int32_t d, int32_t s, wg_px_type_t t) {
  if (wg_px_type_size(t) == 1) {
    if (wg_px_signed(t)) {
      (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, d, s, 0x8880, -1);
    } else {
      (void)wg_px_emit_imm(x, kWgOp_LOP3, 0xc0, d, s, 0xff, -1);
    }
  } else if (wg_px_signed(t)) {
    (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, d, s, 0x9910, -1);
  } else {
    (void)wg_px_emit_imm(x, kWgOp_LOP3, 0xc0, d, s, 0xffff, -1);
  }
}

int32_t wg_px_extend(wg_px_ctx_t *x, int32_t s, wg_px_type_t t) {
  int32_t d = wg_px_tmp(x);
  extend(x, d, s, t);
  return d;
}

int32_t wg_px_src_ext(wg_px_ctx_t *x, const wg_px_opnd_t *o, wg_px_type_t t) {
  int32_t s = wg_px_src(x, o, 0);
  return wg_px_type_size(t) >= 4 ? s : wg_px_extend(x, s, t);
}

/* The only writer of a register, if it is `mul.wide` of two registers that are themselves written once. */
static const wg_px_stmt_t *mul_wide_of(const wg_px_opnd_t *o) {
  if (o->kind != kWgPxOReg || o->sym->defs != 1 || o->sym->def == NULL) return NULL;
  const wg_px_stmt_t *s = o->sym->def;
  if (strcmp(s->part[0], "mul") != 0 || !wg_px_has(s, "wide") || s->nops != 3 || s->guard != NULL) return NULL;
  if (wg_px_type_size(wg_px_last_type(s)) != 4) return NULL;
  for (int i = 1; i < 3; i++) {
    const wg_px_opnd_t *v = &s->op[i];
    if (v->kind == kWgPxOReg ? v->sym->defs != 1 : v->kind != kWgPxOImm) return NULL;
  }
  return s;
}

/* A value whose pair would have to be built from constants first. */
static bool is_constant(const wg_px_opnd_t *o) {
  if (o->kind != kWgPxOReg) return true;
  const wg_px_stmt_t *s = o->sym->defs == 1 ? o->sym->def : NULL;
  return s != NULL && strcmp(s->part[0], "mov") == 0 && s->nops == 2 &&
         (s->op[1].kind == kWgPxOSym || s->op[1].kind == kWgPxOImm);
}

/* a + b * c in one IMAD.WIDE where the product is a mul.wide; it stays for its other readers. */
static bool fuse_mul(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  for (int i = 1; i < 3; i++) {
    const wg_px_stmt_t *m = mul_wide_of(&s->op[i]);
    const wg_px_opnd_t *other = &s->op[3 - i];
    if (m == NULL || is_constant(other)) continue;
    int32_t a = wg_px_src(x, &m->op[1], 0), b = wg_px_src(x, &m->op[2], 0), c = wg_px_src_pair(x, other);
    unsigned mods = MOD(IMADK, 2) | MOD(IMADU, !wg_px_signed(wg_px_last_type(m)));
    (void)wg_px_emit(x, kWgOp_IMAD, mods, wg_px_dst(x, &s->op[0], 8), a, b, c);
    return true;
  }
  return false;
}

/* d = a + b or a - b over pairs. */
static void add64(wg_px_ctx_t *x, int32_t d, const int32_t a[2], const int32_t b[2], bool sub) {
  int32_t carry = wg_px_pred_new(x, x->fn, false);
  unsigned nb = sub ? kWgMark_NB : 0;
  wg_px_emit(x, kWgOp_IADD3, nb, d, a[0], b[0], -1)->pd0 = carry;
  wg_px_emit(x, kWgOp_IADD3, nb | MOD(X, 1), d + 1, a[1], b[1], -1)->ps0 = carry;
}

void wg_px_lower_addsub(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_type_t t = wg_px_last_type(s);
  bool sub = strcmp(s->part[0], "sub") == 0;
  if (t == kWgPxF32) {
    wg_px_lower_f32(x, s);
    return;
  }
  if (wg_px_part(s, 1, "cc")) {
    wg_px_lower_carry(x, s);
    return;
  }
  wg_px_need_ops(x, 3, 3);
  if (t == kWgPxS32 && s->nparts == 3 && wg_px_part(s, 1, "sat")) {
    int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0);
    wg_px_mov(x, wg_px_dst(x, &s->op[0], 4), wg_px_add_sat(x, a, b, sub));
    return;
  }
  if (s->nparts != 2 || !is_int(t, true)) wg_px_unsupported(x, "this form");
  if (wg_px_type_size(t) != 8) {
    int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0);
    (void)wg_px_emit(x, kWgOp_IADD3, sub ? kWgMark_NB : 0, wg_px_dst(x, &s->op[0], 4), a, b, -1);
    return;
  }
  if (!sub && fuse_mul(x, s)) return;
  wg_px_opnd_t b = s->op[2];
  if (sub && b.kind == kWgPxOImm) { /* a constant is negated here: a marked immediate would hide it from folding */
    b.value = (int64_t)(0 - (uint64_t)b.value);
    sub = false;
  }
  int32_t av[2] = {wg_px_src(x, &s->op[1], 0), wg_px_src(x, &s->op[1], 1)};
  int32_t bv[2] = {wg_px_src(x, &b, 0), wg_px_src(x, &b, 1)};
  int32_t d = wg_px_dst(x, &s->op[0], 8);
  add64(x, d, av, bv, sub);
}

/* a + b or a - b, clamped as signed numbers: the sum overflows if its sign differs from both addends'. */
int32_t wg_px_add_sat(wg_px_ctx_t *x, int32_t a, int32_t b, bool sub) {
  int32_t r = sub ? wg_px_sub(x, a, b) : wg_px_add(x, a, b);
  int32_t over = wg_px_op(x, kWgOp_LOP3, sub ? 0x18 : 0x42, a, b, r);
  int32_t edge = wg_px_logici(x, kLutXor, wg_px_shri(x, a, 31, true), WG_PX_ABS);
  return wg_px_sel(x, wg_px_cmpi(x, kCmpLt, false, over, 0), edge, r);
}

static void mul64(wg_px_ctx_t *x, const wg_px_stmt_t *s, bool mad) {
  int32_t a[2] = {wg_px_src(x, &s->op[1], 0), wg_px_src(x, &s->op[1], 1)};
  int32_t b[2] = {wg_px_src(x, &s->op[2], 0), wg_px_src(x, &s->op[2], 1)};
  int32_t c = mad ? wg_px_src_pair(x, &s->op[3]) : -1;
  int32_t t = wg_px_unit_new(x, x->fn, 2), h = wg_px_tmp(x), d = wg_px_dst(x, &s->op[0], 8);
  (void)wg_px_emit(x, kWgOp_IMAD, MOD(IMADK, 2) | MOD(IMADU, 1), t, a[0], b[0], c);
  (void)wg_px_emit(x, kWgOp_IMAD, 0, h, a[0], b[1], t + 1);
  (void)wg_px_emit(x, kWgOp_IMAD, 0, d + 1, a[1], b[0], h);
  wg_px_mov(x, d, t);
}

void wg_px_lower_mul(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_type_t t = wg_px_last_type(s);
  bool mad = strcmp(s->part[0], "mad") == 0;
  if (t == kWgPxF32) {
    wg_px_lower_f32(x, s);
    return;
  }
  if (mad && wg_px_part(s, 2, "cc")) {
    wg_px_lower_carry(x, s);
    return;
  }
  wg_px_need_ops(x, mad ? 4 : 3, mad ? 4 : 3);
  bool wide = wg_px_has(s, "wide"), hi = wg_px_has(s, "hi");
  if (mad && hi && t == kWgPxS32 && s->nparts == 4 && wg_px_part(s, 2, "sat")) {
    int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0), c = wg_px_src(x, &s->op[3], 0);
    int32_t v = wg_px_add_sat(x, wg_px_op(x, kWgOp_IMAD, MOD(IMADK, 1), a, b, -1), c, false);
    wg_px_mov(x, wg_px_dst(x, &s->op[0], 4), v);
    return;
  }
  if (s->nparts != 3 || !is_int(t, true) || (!wide && !hi && !wg_px_has(s, "lo"))) wg_px_unsupported(x, "this form");
  uint32_t size = wg_px_type_size(t);
  if (size == 8) {
    if (wide) wg_px_unsupported(x, "a 128-bit product");
    if (hi) {
      wg_px_lower_mulhi64(x, s);
    } else {
      mul64(x, s, mad);
    }
    return;
  }
  int32_t a = wg_px_src_ext(x, &s->op[1], t), b = wg_px_src_ext(x, &s->op[2], t);
  unsigned mods = MOD(IMADU, !wg_px_signed(t) && (wide || hi));
  if (wide && size == 4) {
    int32_t c = mad ? wg_px_src_pair(x, &s->op[3]) : -1;
    (void)wg_px_emit(x, kWgOp_IMAD, mods | MOD(IMADK, 2), wg_px_dst(x, &s->op[0], 8), a, b, c);
    return;
  }
  int32_t c = mad ? wg_px_src(x, &s->op[3], 0) : -1;
  if (size == 2 && hi) { /* the extended operands' product has the upper half in bits 31..16 */
    int32_t upper = wg_px_shri(x, wg_px_op(x, kWgOp_IMAD, 0, a, b, -1), 16, false);
    (void)wg_px_emit(x, kWgOp_IADD3, 0, wg_px_dst(x, &s->op[0], 4), upper, c, -1);
    return;
  }
  if (size == 2) mods = 0;
  (void)wg_px_emit(x, kWgOp_IMAD, mods | MOD(IMADK, hi), wg_px_dst(x, &s->op[0], 4), a, b, c);
}

static void logic_pred(wg_px_ctx_t *x, const wg_px_stmt_t *s, unsigned table, bool one) {
  bool n0, n1 = false;
  int32_t p = wg_px_psrc(x, &s->op[1], &n0), q = one ? -1 : wg_px_psrc(x, &s->op[2], &n1);
  int32_t d = wg_px_pdst(x, &s->op[0]);
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_PLOP3, table, -1, -1, -1, -1);
  in->ps0 = p;
  in->ps0_not = n0;
  in->ps1 = q;
  in->ps1_not = n1;
  in->pd0 = d;
}

void wg_px_lower_logic(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  static const struct {
    const char *op;
    uint8_t lut, plut;
  } table[] = {{"and", 0xc0, 0x8}, {"or", 0xfc, 0xe}, {"xor", 0x3c, 0x6}, {"not", 0x0f, 0x3}};
  unsigned i = 0;
  while (strcmp(table[i].op, s->part[0]) != 0) i++;
  bool one = i == 3;
  wg_px_need_ops(x, one ? 2 : 3, one ? 2 : 3);
  wg_px_type_t t = wg_px_last_type(s);
  if (s->nparts != 2) wg_px_unsupported(x, "this form");
  if (t == kWgPxPred) {
    logic_pred(x, s, table[i].plut, one);
    return;
  }
  uint32_t size = wg_px_type_size(t);
  if (size < 2 || size > 8) wg_px_unsupported(x, "this type");
  int32_t a[2], b[2] = {-1, -1};
  for (unsigned h = 0; h < (size == 8 ? 2u : 1u); h++) {
    a[h] = wg_px_src(x, &s->op[1], h);
    if (!one) b[h] = wg_px_src(x, &s->op[2], h);
  }
  int32_t d = wg_px_dst(x, &s->op[0], size);
  for (unsigned h = 0; h < (size == 8 ? 2u : 1u); h++) {
    (void)wg_px_emit(x, kWgOp_LOP3, table[i].lut, d + (int32_t)h, a[h], b[h], -1);
  }
}

void wg_px_lower_shift(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 3, 3);
  wg_px_type_t t = wg_px_last_type(s);
  bool right = strcmp(s->part[0], "shr") == 0, sg = wg_px_signed(t);
  if (s->nparts != 2 || !is_int(t, true)) wg_px_unsupported(x, "this type");
  uint32_t size = wg_px_type_size(t);
  int32_t n = wg_px_src(x, &s->op[2], 0);
  int32_t lo = right ? wg_px_src_ext(x, &s->op[1], t) : wg_px_src(x, &s->op[1], 0);
  int32_t hi = size == 8 ? wg_px_src(x, &s->op[1], 1) : -1, d = wg_px_dst(x, &s->op[0], size);
  unsigned right32 = MOD(SHDIR, 1) | MOD(SHHI, 1) | MOD(SHTYPE, sg ? 1 : 0);
  if (size != 8) {
    if (right) {
      (void)wg_px_emit(x, kWgOp_SHF, right32, d, -1, n, lo);
    } else {
      (void)wg_px_emit(x, kWgOp_SHF, 0, d, lo, n, -1);
    }
  } else if (right) {
    (void)wg_px_emit(x, kWgOp_SHF, MOD(SHDIR, 1) | MOD(SHTYPE, sg ? 3 : 2), d, lo, n, hi);
    (void)wg_px_emit(x, kWgOp_SHF, right32, d + 1, -1, n, hi);
  } else {
    (void)wg_px_emit(x, kWgOp_SHF, MOD(SHHI, 1) | MOD(SHTYPE, 2), d + 1, lo, n, hi);
    (void)wg_px_emit(x, kWgOp_SHF, 0, d, lo, n, -1);
  }
}

void wg_px_lower_minmax(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_type_t t = wg_px_last_type(s);
  bool max = strcmp(s->part[0], "max") == 0;
  if (t == kWgPxF32) {
    wg_px_lower_f32_minmax(x, s);
    return;
  }
  wg_px_need_ops(x, 3, 3);
  bool relu = t == kWgPxS32 && s->nparts == 3 && wg_px_part(s, 1, "relu");
  if ((s->nparts != 2 && !relu) || !is_int(t, true)) wg_px_unsupported(x, "this form");
  if (wg_px_type_size(t) != 8) {
    int32_t a = wg_px_src_ext(x, &s->op[1], t), b = wg_px_src_ext(x, &s->op[2], t);
    int32_t d = wg_px_dst(x, &s->op[0], 4), r = relu ? wg_px_tmp(x) : d;
    wg_px_emit(x, kWgOp_IMNMX, MOD(MU32, !wg_px_signed(t)), r, a, b, -1)->ps0_not = max;
    if (relu) wg_px_emit(x, kWgOp_IMNMX, 0, d, r, -1, -1)->ps0_not = true;
    return;
  }
  int32_t a = wg_px_src_pair(x, &s->op[1]), b = wg_px_src_pair(x, &s->op[2]);
  int32_t p = wg_px_cmp_d(x, max ? kCmpGt : kCmpLt, !wg_px_signed(t), a, b);
  wg_px_mov_d(x, wg_px_dst(x, &s->op[0], 8), wg_px_sel_d(x, p, a, b));
}

void wg_px_lower_negabs(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_type_t t = wg_px_last_type(s);
  bool abs = strcmp(s->part[0], "abs") == 0;
  if (t == kWgPxF32) {
    wg_px_lower_f32_unary(x, s);
    return;
  }
  wg_px_need_ops(x, 2, 2);
  if (s->nparts != 2 || !is_int(t, true)) wg_px_unsupported(x, "this form");
  if (wg_px_type_size(t) != 8) {
    int32_t a = wg_px_src_ext(x, &s->op[1], t), d = wg_px_dst(x, &s->op[0], 4), n = abs ? wg_px_tmp(x) : d;
    (void)wg_px_emit(x, kWgOp_IADD3, kWgMark_NB, n, -1, a, -1);
    if (abs) wg_px_emit(x, kWgOp_IMNMX, 0, d, a, n, -1)->ps0_not = true;
    return;
  }
  int32_t a[2] = {wg_px_src(x, &s->op[1], 0), wg_px_src(x, &s->op[1], 1)}, zero[2] = {-1, -1};
  int32_t d = wg_px_dst(x, &s->op[0], 8);
  if (!abs) {
    add64(x, d, zero, a, true);
    return;
  }
  int32_t n = wg_px_pair(x), p = wg_px_cmpi(x, kCmpLt, false, a[1], 0);
  add64(x, n, zero, a, true);
  for (int h = 0; h < 2; h++) wg_px_emit(x, kWgOp_SEL, 0, d + h, n + h, a[h], -1)->ps0 = p;
}

/* ---- upper half of a 64-bit product ---- */

static int32_t wide_mul(wg_px_ctx_t *x, int32_t a, int32_t b, int32_t add) {
  return wg_px_op_d(x, kWgOp_IMAD, MOD(IMADK, 2) | MOD(IMADU, 1), a, b, wg_px_join(x, add, -1));
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
  int32_t p = wide_mul(x, a[0], b[0], -1), t = wide_mul(x, a[0], b[1], p + 1), u = wide_mul(x, a[1], b[0], t);
  int32_t v = wide_mul(x, a[1], b[1], t + 1), d = wg_px_dst(x, &s->op[0], 8), r[2] = {v, v + 1};
  add_pair(x, r, u + 1, -1, false);
  if (wg_px_signed(wg_px_last_type(s))) {
    int32_t pa = wg_px_cmpi(x, kCmpLt, false, a[1], 0), pb = wg_px_cmpi(x, kCmpLt, false, b[1], 0);
    add_pair(x, r, wg_px_seli(x, pa, b[0], 0), wg_px_seli(x, pa, b[1], 0), true);
    add_pair(x, r, wg_px_seli(x, pb, a[0], 0), wg_px_seli(x, pb, a[1], 0), true);
  }
  if (mad) add_pair(x, r, c[0], c[1], false);
  wg_px_mov(x, d, r[0]);
  wg_px_mov(x, d + 1, r[1]);
}
