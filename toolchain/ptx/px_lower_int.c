// SPDX-License-Identifier: Apache-2.0
//
// Lowering of integer and predicate instructions. 8- and 16-bit values live in 32-bit units whose upper bits mean
// nothing: whoever depends on them extends first (wg_px_src_ext).
#include <string.h>

#include "toolchain/ptx/px.h"

#define MOD(ID, v) ((unsigned)(v) << kWgModLsb_##ID)

bool wg_px_signed(wg_px_type_t t) { return t == kWgPxS8 || t == kWgPxS16 || t == kWgPxS32 || t == kWgPxS64; }

static bool is_int(wg_px_type_t t, bool wide_ok) {
  if (t == kWgPxF16 || t == kWgPxF32 || t == kWgPxF64) return false;
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
  wg_px_need_ops(x, 3, 3);
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
  wg_px_need_ops(x, mad ? 4 : 3, mad ? 4 : 3);
  bool wide = wg_px_has(s, "wide"), hi = wg_px_has(s, "hi");
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
    if (mad) wg_px_unsupported(x, "this form");
    int32_t product = wg_px_tmp(x);
    (void)wg_px_emit(x, kWgOp_IMAD, 0, product, a, b, -1);
    (void)wg_px_emit_imm(x, kWgOp_SHF, MOD(SHDIR, 1) | MOD(SHHI, 1), wg_px_dst(x, &s->op[0], 4), -1, 16, product);
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

/* Integer compare of operands 1 and 2 of the statement; the last instruction of it. */
static wg_px_insn_t *compare(wg_px_ctx_t *x, const wg_px_opnd_t *oa, const wg_px_opnd_t *ob, wg_px_type_t t,
                             unsigned cmp, bool uns) {
  unsigned u = MOD(IU32, uns);
  if (wg_px_type_size(t) != 8) {
    int32_t a = wg_px_src_ext(x, oa, t), b = wg_px_src_ext(x, ob, t);
    return wg_px_emit(x, kWgOp_ISETP, MOD(ICMP, cmp) | u, -1, a, b, -1);
  }
  int32_t a[2] = {wg_px_src(x, oa, 0), wg_px_src(x, oa, 1)}, b[2] = {wg_px_src(x, ob, 0), wg_px_src(x, ob, 1)};
  int32_t low = wg_px_pred_new(x, x->fn, false);
  wg_px_emit(x, kWgOp_ISETP, MOD(ICMP, cmp) | MOD(IU32, 1), -1, a[0], b[0], -1)->pd0 = low;
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_ISETP, MOD(ICMP, cmp) | MOD(IEX, 1) | u, -1, a[1], b[1], -1);
  in->ps1 = low;
  return in;
}

static int find_cmp(const char *name, bool *uns) {
  static const struct {
    const char *name;
    int cmp;
    bool uns;
  } table[] = {{"eq", 2, false}, {"ne", 5, false}, {"lt", 1, false}, {"le", 3, false}, {"gt", 4, false},
               {"ge", 6, false}, {"lo", 1, true},  {"ls", 3, true},  {"hi", 4, true},  {"hs", 6, true}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (strcmp(table[i].name, name) == 0) {
      *uns = *uns || table[i].uns;
      return table[i].cmp;
    }
  }
  return -1;
}

void wg_px_lower_setp(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_type_t t = wg_px_last_type(s);
  if (t == kWgPxF32) {
    wg_px_lower_fsetp(x, s);
    return;
  }
  if (!is_int(t, true) || s->nparts < 3) wg_px_unsupported(x, "this form");
  bool boolop = s->nparts == 4, uns = !wg_px_signed(t), is_not = false;
  wg_px_need_ops(x, boolop ? 4 : 3, boolop ? 4 : 3);
  int cmp = find_cmp(s->part[1], &uns);
  if (cmp < 0 || s->nparts > 4) wg_px_unsupported(x, "this comparison");
  int32_t p = boolop ? wg_px_psrc(x, &s->op[3], &is_not) : -1;
  unsigned mode = 0;
  if (boolop) {
    if (strcmp(s->part[2], "or") == 0) mode = 1;
    else if (strcmp(s->part[2], "xor") == 0) mode = 2;
    else if (strcmp(s->part[2], "and") != 0) wg_px_unsupported(x, "this combination");
  }
  int32_t d0 = wg_px_pdst(x, &s->op[0]), d1 = -1;
  if (s->op[0].pred != NULL) {
    wg_px_opnd_t second = {.kind = kWgPxOReg, .sym = s->op[0].pred};
    d1 = wg_px_pdst(x, &second);
  }
  wg_px_insn_t *in = compare(x, &s->op[1], &s->op[2], t, (unsigned)cmp, uns);
  in->mods = (uint16_t)(in->mods | MOD(IBOOL, mode));
  in->pd0 = d0;
  in->pd1 = d1;
  in->ps0 = p;
  in->ps0_not = is_not;
}

static void select32(wg_px_ctx_t *x, int32_t d, int32_t a, int32_t b, int32_t p, bool is_not) {
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_SEL, 0, d, a, b, -1);
  in->ps0 = p;
  in->ps0_not = is_not;
}

void wg_px_lower_selp(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 4, 4);
  uint32_t size = wg_px_type_size(wg_px_last_type(s)), halves = size == 8 ? 2 : 1;
  if (s->nparts != 2 || size < 2 || size > 8) wg_px_unsupported(x, "this type");
  bool is_not;
  int32_t p = wg_px_psrc(x, &s->op[3], &is_not), a[2], b[2];
  for (unsigned h = 0; h < halves; h++) {
    a[h] = wg_px_src(x, &s->op[1], h);
    b[h] = wg_px_src(x, &s->op[2], h);
  }
  int32_t d = wg_px_dst(x, &s->op[0], size);
  for (unsigned h = 0; h < halves; h++) select32(x, d + (int32_t)h, a[h], b[h], p, is_not);
}

void wg_px_lower_minmax(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_type_t t = wg_px_last_type(s);
  bool max = strcmp(s->part[0], "max") == 0;
  if (t == kWgPxF32) {
    wg_px_lower_f32_minmax(x, s);
    return;
  }
  wg_px_need_ops(x, 3, 3);
  if (s->nparts != 2 || !is_int(t, true)) wg_px_unsupported(x, "this form");
  if (wg_px_type_size(t) != 8) {
    int32_t a = wg_px_src_ext(x, &s->op[1], t), b = wg_px_src_ext(x, &s->op[2], t);
    wg_px_insn_t *in = wg_px_emit(x, kWgOp_IMNMX, MOD(MU32, !wg_px_signed(t)), wg_px_dst(x, &s->op[0], 4), a, b, -1);
    in->ps0_not = max;
    return;
  }
  wg_px_insn_t *in = compare(x, &s->op[1], &s->op[2], t, max ? 4 : 1, !wg_px_signed(t));
  int32_t p = in->pd0 = wg_px_pred_new(x, x->fn, false), a[2], b[2];
  for (unsigned h = 0; h < 2; h++) {
    a[h] = wg_px_src(x, &s->op[1], h);
    b[h] = wg_px_src(x, &s->op[2], h);
  }
  int32_t d = wg_px_dst(x, &s->op[0], 8);
  for (unsigned h = 0; h < 2; h++) select32(x, d + (int32_t)h, a[h], b[h], p, false);
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
  int32_t n = wg_px_unit_new(x, x->fn, 2), p = wg_px_pred_new(x, x->fn, false);
  add64(x, n, zero, a, true);
  wg_px_emit(x, kWgOp_ISETP, MOD(ICMP, 1), -1, a[1], -1, -1)->pd0 = p;
  for (int h = 0; h < 2; h++) select32(x, d + h, n + h, a[h], p, false);
}

/* Integer to integer here; f32 to f32 is an addition of -0. */
void wg_px_lower_cvt(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 2, 2);
  if (s->nparts < 3) wg_px_unsupported(x, "this form");
  const char *dn = s->part[s->nparts - 2];
  wg_px_type_t st = wg_px_last_type(s), dt = wg_px_type_of(dn, strlen(dn));
  if ((st == kWgPxF32 || dt == kWgPxF32) && wg_px_lower_cvt_float(x, s, dt, st)) return;
  if (st == kWgPxF32 && dt == kWgPxF32) {
    wg_px_lower_f32_unary(x, s);
    return;
  }
  uint32_t ss = wg_px_type_size(st), ds = wg_px_type_size(dt);
  bool ok =
      ss >= 1 && ds >= 1 && ss <= 8 && ds <= 8 && (is_int(st, true) || ss == 1) && (is_int(dt, true) || ds == 1);
  if (s->nparts != 3 || !ok) wg_px_unsupported(x, "this conversion");
  if (s->op[0].kind != kWgPxOReg) wg_px_fail_stmt(x, kWgBadInput, s, "", "destination is no register");
  int32_t lo = wg_px_src(x, &s->op[1], 0), hi = ss == 8 && ds == 8 ? wg_px_src(x, &s->op[1], 1) : -1;
  uint32_t ds_reg = wg_px_type_size(s->op[0].sym->type);
  int32_t d = wg_px_dst(x, &s->op[0], ds_reg), low = d;
  wg_px_type_t narrow = ss < ds ? st : dt; /* the narrower type decides how the upper bits are filled */
  if (wg_px_type_size(narrow) < 4) {
    extend(x, low, lo, narrow);
  } else {
    wg_px_mov(x, low, lo);
  }
  if (ss < ds && ds < 4 && wg_px_signed(st) && !wg_px_signed(dt)) extend(x, low, low, dt); /* negative to u16 */
  if (ds_reg != 8) return;
  if (ss == 8 && ds == 8) {
    wg_px_mov(x, d + 1, hi);
  } else if (wg_px_signed(ss < ds ? st : dt)) {
    (void)wg_px_emit_imm(x, kWgOp_SHF, MOD(SHDIR, 1) | MOD(SHHI, 1) | MOD(SHTYPE, 1), d + 1, -1, 31, low);
  } else {
    wg_px_mov_imm(x, d + 1, 0);
  }
}

static uint32_t imm_op(wg_px_ctx_t *x, const wg_px_opnd_t *o) {
  if (o->kind != kWgPxOImm || o->fkind != 0) wg_px_unsupported(x, "a position or length that is no literal");
  return (uint32_t)o->value & 0xff;
}

static void lower_bfe(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_type_t t = wg_px_last_type(s);
  wg_px_need_ops(x, 4, 4);
  if (t == kWgPxU32 && (s->op[2].kind != kWgPxOImm || s->op[3].kind != kWgPxOImm)) {
    wg_px_lower_field(x, s);
    return;
  }
  if (t != kWgPxU32 && t != kWgPxS32) wg_px_unsupported(x, "this type");
  uint32_t pos = imm_op(x, &s->op[2]), len = imm_op(x, &s->op[3]);
  int32_t a = wg_px_src(x, &s->op[1], 0), d = wg_px_dst(x, &s->op[0], 4), m = wg_px_tmp(x);
  unsigned right = MOD(SHDIR, 1) | MOD(SHHI, 1) | MOD(SHTYPE, t == kWgPxS32 ? 1 : 0);
  if (len == 0) {
    wg_px_mov_imm(x, d, 0);
  } else if (t == kWgPxU32) {
    (void)wg_px_emit_imm(x, kWgOp_SHF, right, m, -1, pos, a);
    (void)wg_px_emit_imm(x, kWgOp_LOP3, 0xc0, d, m, len >= 32 ? UINT32_MAX : (1u << len) - 1u, -1);
  } else if (pos + len >= 32) { /* bits beyond bit 31 are copies of it */
    (void)wg_px_emit_imm(x, kWgOp_SHF, right, d, -1, pos > 31 ? 31 : pos, a);
  } else {
    (void)wg_px_emit_imm(x, kWgOp_SHF, 0, m, a, 32 - pos - len, -1);
    (void)wg_px_emit_imm(x, kWgOp_SHF, right, d, -1, 32 - len, m);
  }
}

static void lower_three(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  bool lop = strcmp(s->part[0], "lop3") == 0, shf = strcmp(s->part[0], "shf") == 0;
  wg_px_need_ops(x, lop ? 5 : 4, lop ? 5 : 4);
  if (wg_px_last_type(s) != kWgPxB32 || s->nparts != (shf ? 4u : 2u)) wg_px_unsupported(x, "this form");
  int32_t v[3];
  for (unsigned i = 0; i < 3; i++) v[i] = wg_px_src(x, &s->op[1 + i], 0);
  int32_t d = wg_px_dst(x, &s->op[0], 4);
  if (lop) {
    (void)wg_px_emit(x, kWgOp_LOP3, imm_op(x, &s->op[4]), d, v[0], v[1], v[2]);
  } else if (shf) {
    bool right = wg_px_has(s, "r");
    unsigned mods = MOD(SHDIR, right) | MOD(SHHI, !right) | MOD(SHWRAP, wg_px_has(s, "wrap"));
    (void)wg_px_emit(x, kWgOp_SHF, mods, d, v[0], v[2], v[1]);
  } else {
    (void)wg_px_emit(x, kWgOp_PRMT, 0, d, v[0], v[2], v[1]);
  }
}

void wg_px_lower_bits(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  if (strcmp(s->part[0], "bfe") == 0) {
    lower_bfe(x, s);
  } else if (strcmp(s->part[0], "cnot") == 0) {
    wg_px_need_ops(x, 2, 2);
    if (wg_px_last_type(s) != kWgPxB32) wg_px_unsupported(x, "this type");
    int32_t a = wg_px_src(x, &s->op[1], 0), d = wg_px_dst(x, &s->op[0], 4), p = wg_px_pred_new(x, x->fn, false);
    wg_px_emit(x, kWgOp_ISETP, MOD(ICMP, 5), -1, a, -1, -1)->pd0 = p;
    wg_px_insn_t *in = wg_px_emit_imm(x, kWgOp_SEL, 0, d, -1, 1, -1);
    in->ps0 = p;
  } else {
    lower_three(x, s);
  }
}
