// SPDX-License-Identifier: Apache-2.0
//
// Lowering of comparisons and selections of all types: setp, set, testp, selp, slct.
#include "toolchain/ptx/px_build.h"

static bool is_half(wg_px_type_t t) {
  return t == kWgPxF16 || t == kWgPxBF16 || t == kWgPxF16x2 || t == kWgPxBF16x2;
}

static bool is_float(wg_px_type_t t) { return t == kWgPxF32 || t == kWgPxF64 || is_half(t); }

static int icmp(const char *name, bool *uns) {
  static const struct {
    const char *name;
    int cmp;
    bool uns;
  } table[] = {{"eq", kCmpEq, false}, {"ne", kCmpNe, false}, {"lt", kCmpLt, false}, {"le", kCmpLe, false},
               {"gt", kCmpGt, false}, {"ge", kCmpGe, false}, {"lo", kCmpLt, true},  {"ls", kCmpLe, true},
               {"hi", kCmpGt, true},  {"hs", kCmpGe, true}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (strcmp(table[i].name, name) != 0) continue;
    *uns = *uns || table[i].uns;
    return table[i].cmp;
  }
  return -1;
}

static wg_px_insn_t *compare_int(wg_px_ctx_t *x, const wg_px_opnd_t *oa, const wg_px_opnd_t *ob, wg_px_type_t t,
                                 unsigned cmp, bool uns) {
  unsigned u = MOD(IU32, uns);
  if (wg_px_type_size(t) != 8) {
    int32_t a = wg_px_src_ext(x, oa, t), b = wg_px_src_ext(x, ob, t);
    return wg_px_emit(x, kWgOp_ISETP, MOD(ICMP, cmp) | u, -1, a, b, -1);
  }
  int32_t a[2] = {wg_px_src(x, oa, 0), wg_px_src(x, oa, 1)}, b[2] = {wg_px_src(x, ob, 0), wg_px_src(x, ob, 1)};
  int32_t low = wg_px_cmp(x, cmp, true, a[0], b[0]);
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_ISETP, MOD(ICMP, cmp) | MOD(IEX, 1) | u, -1, a[1], b[1], -1);
  in->ps1 = low;
  return in;
}

/* What is compared: comparison, combination, .ftz, types; positions of the opcode's parts. */
typedef struct wg_px_relation {
  wg_px_type_t type;
  unsigned cmp, mode;
  bool uns, ftz, combined;
} wg_px_relation_t;

static wg_px_relation_t relation(wg_px_ctx_t *x, const wg_px_stmt_t *s, uint32_t last) {
  wg_px_relation_t r = {.type = wg_px_last_type(s)};
  if (s->nparts < last + 2) wg_px_unsupported(x, "this form");
  bool fp = is_float(r.type);
  uint32_t size = wg_px_type_size(r.type);
  if (!fp && size != 2 && size != 4 && size != 8) wg_px_unsupported(x, "this type");
  r.uns = !wg_px_signed(r.type);
  int cmp = fp ? wg_px_fcmp(s->part[1]) : icmp(s->part[1], &r.uns);
  if (cmp < 0) wg_px_unsupported(x, "this comparison");
  r.cmp = (unsigned)cmp;
  for (uint32_t i = 2; i < s->nparts - last; i++) {
    int mode = wg_px_bool(s->part[i]);
    if (mode >= 0 && !r.combined) {
      r.mode = (unsigned)mode;
      r.combined = true;
    } else if (fp && r.type != kWgPxF64 && wg_px_part(s, i, "ftz")) {
      r.ftz = true;
    } else {
      wg_px_unsupported(x, "this combination");
    }
  }
  wg_px_need_ops(x, r.combined ? 4 : 3, r.combined ? 4 : 3);
  return r;
}

/* The comparison's last instruction, without its destinations. */
static wg_px_insn_t *compare(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_relation_t r) {
  bool is_not = false;
  int32_t p = r.combined ? wg_px_psrc(x, &s->op[3], &is_not) : -1;
  wg_px_insn_t *in;
  if (!is_float(r.type)) {
    in = compare_int(x, &s->op[1], &s->op[2], r.type, r.cmp, r.uns);
    in->mods = (uint16_t)(in->mods | MOD(IBOOL, r.mode));
  } else if (r.type == kWgPxF64) {
    int32_t a = wg_px_src_pair(x, &s->op[1]), b = wg_px_src_pair(x, &s->op[2]);
    in = wg_px_emit(x, kWgOp_DSETP, MOD(FCMP, r.cmp) | MOD(FBOOL, r.mode), -1, a, b, -1);
  } else {
    int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0);
    bool bf = r.type == kWgPxBF16 || r.type == kWgPxBF16x2, two = r.type == kWgPxF16x2 || r.type == kWgPxBF16x2;
    unsigned mods = MOD(FCMP, r.cmp) | MOD(FBOOL, r.mode) | MOD(SFTZ, r.ftz);
    if (r.type != kWgPxF32) mods |= MOD(HSBF, bf) | MOD(HPAIR, two);
    in = wg_px_emit(x, r.type == kWgPxF32 ? kWgOp_FSETP : kWgOp_HSETP2, mods, -1, a, b, -1);
  }
  in->ps0 = p;
  in->ps0_not = is_not;
  return in;
}

void wg_px_lower_setp(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_relation_t r = relation(x, s, 1);
  int32_t d0 = wg_px_pdst(x, &s->op[0]), d1 = wg_px_pdst1(x, s);
  wg_px_insn_t *in = compare(x, s, r);
  in->pd0 = d0;
  in->pd1 = d1;
}

/* set d = all ones, or 1.0 for a floating-point destination, where the comparison holds, else 0. */
void wg_px_lower_set(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_relation_t r = relation(x, s, 2);
  const char *dn = s->part[s->nparts - 2];
  wg_px_type_t t = wg_px_type_of(dn, strlen(dn));
  bool two = r.type == kWgPxF16x2 || r.type == kWgPxBF16x2;
  uint32_t one = UINT32_MAX;
  if (t == kWgPxF32) one = 0x3f800000u;
  else if (t == kWgPxF16 || t == kWgPxF16x2) one = 0x3c003c00u;
  else if (t == kWgPxBF16 || t == kWgPxBF16x2) one = 0x3f803f80u;
  else if (t != kWgPxU32 && t != kWgPxS32 && t != kWgPxU16 && t != kWgPxS16) wg_px_unsupported(x, "this type");
  int32_t d = wg_px_dst(x, &s->op[0], 4), p = wg_px_pred_new(x, x->fn, false);
  wg_px_insn_t *in = compare(x, s, r);
  in->pd0 = p;
  if (!two) {
    wg_px_mov(x, d, wg_px_flag(x, p, one));
    return;
  }
  int32_t q = in->pd1 = wg_px_pred_new(x, x->fn, false);
  (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, d, wg_px_flag(x, p, one), 0x5410, wg_px_flag(x, q, one));
}

/* ---- testp ---- */

static int32_t test(wg_px_ctx_t *x, bool wide, unsigned cmp, int32_t a, uint32_t upper, unsigned mode, int32_t with) {
  int32_t p = wg_px_pred_new(x, x->fn, false);
  int32_t b = wide ? wg_px_const_d(x, (uint64_t)upper << 32) : wg_px_const(x, upper);
  wg_px_insn_t *in = wg_px_emit(x, wide ? kWgOp_DSETP : kWgOp_FSETP,
                                MOD(FCMP, cmp) | MOD(FBOOL, mode) | kWgMark_SAA, -1, a, b, -1);
  in->pd0 = p;
  in->ps0 = with;
  return p;
}

void wg_px_lower_testp(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 2, 2);
  wg_px_type_t t = wg_px_last_type(s);
  bool wide = t == kWgPxF64;
  if (s->nparts != 3 || (t != kWgPxF32 && !wide)) wg_px_unsupported(x, "this form");
  uint32_t inf = wide ? 0x7ff00000u : 0x7f800000u, least = wide ? 0x00100000u : 0x00800000u;
  int32_t a = wide ? wg_px_src_pair(x, &s->op[1]) : wg_px_src(x, &s->op[1], 0), p;
  int32_t d = wg_px_pdst(x, &s->op[0]);
  if (wg_px_part(s, 1, "finite")) {
    p = test(x, wide, kCmpLt, a, inf, kBoolAnd, -1);
  } else if (wg_px_part(s, 1, "infinite")) {
    p = test(x, wide, kCmpEq, a, inf, kBoolAnd, -1);
  } else if (wg_px_part(s, 1, "number")) {
    p = test(x, wide, kCmpNum, a, 0, kBoolAnd, -1);
  } else if (wg_px_part(s, 1, "notanumber")) {
    p = test(x, wide, kCmpNan, a, 0, kBoolAnd, -1);
  } else if (wg_px_part(s, 1, "subnormal")) {
    p = test(x, wide, kCmpGt, a, 0, kBoolAnd, test(x, wide, kCmpLt, a, least, kBoolAnd, -1));
  } else if (wg_px_part(s, 1, "normal")) { /* zeros are */
    p = test(x, wide, kCmpLt, a, inf, kBoolAnd, test(x, wide, kCmpGe, a, least, kBoolAnd, -1));
    p = test(x, wide, kCmpEq, a, 0, kBoolOr, p);
  } else {
    wg_px_unsupported(x, "this test");
  }
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_PLOP3, 0xc, -1, -1, -1, -1);
  in->ps0 = p;
  in->pd0 = d;
}

/* ---- selp, slct ---- */

static void select_halves(wg_px_ctx_t *x, const wg_px_stmt_t *s, uint32_t size, int32_t p, bool is_not) {
  unsigned halves = size == 8 ? 2 : 1;
  int32_t a[2], b[2];
  for (unsigned h = 0; h < halves; h++) {
    a[h] = wg_px_src(x, &s->op[1], h);
    b[h] = wg_px_src(x, &s->op[2], h);
  }
  int32_t d = wg_px_dst(x, &s->op[0], size);
  for (unsigned h = 0; h < halves; h++) {
    wg_px_insn_t *in = wg_px_emit(x, kWgOp_SEL, 0, d + (int32_t)h, a[h], b[h], -1);
    in->ps0 = p;
    in->ps0_not = is_not;
  }
}

void wg_px_lower_selp(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 4, 4);
  uint32_t size = wg_px_type_size(wg_px_last_type(s));
  if (s->nparts != 2 || size < 2 || size > 8) wg_px_unsupported(x, "this type");
  bool is_not;
  int32_t p = wg_px_psrc(x, &s->op[3], &is_not);
  select_halves(x, s, size, p, is_not);
}

/* slct d, a, b, c: c >= 0 ? a : b */
void wg_px_lower_slct(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 4, 4);
  wg_px_type_t ct = wg_px_last_type(s);
  bool ftz = wg_px_part(s, 1, "ftz");
  const char *dn = s->nparts >= 2 ? s->part[s->nparts - 2] : "";
  uint32_t size = wg_px_type_size(wg_px_type_of(dn, strlen(dn)));
  if (s->nparts != (ftz ? 4u : 3u) || size < 2 || size > 8 || (ct != kWgPxS32 && (ct != kWgPxF32))) {
    wg_px_unsupported(x, "this form");
  }
  int32_t c = wg_px_src(x, &s->op[3], 0), p = wg_px_pred_new(x, x->fn, false);
  unsigned mods = ct == kWgPxF32 ? MOD(FCMP, kCmpGe) | MOD(SFTZ, ftz) : MOD(ICMP, kCmpGe);
  wg_px_emit(x, ct == kWgPxF32 ? kWgOp_FSETP : kWgOp_ISETP, mods, -1, c, -1, -1)->pd0 = p;
  select_halves(x, s, size, p, false);
}
