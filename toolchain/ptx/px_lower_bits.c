// SPDX-License-Identifier: Apache-2.0
//
// Lowering of instructions on bits: counting, fields, permutes, funnel shifts, masks.
#include "toolchain/ptx/px_build.h"

static void store(wg_px_ctx_t *x, const wg_px_stmt_t *s, int32_t v) { wg_px_mov(x, wg_px_dst(x, &s->op[0], 4), v); }

/* clz, popc, brev, bfind */
void wg_px_lower_count(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 2, 2);
  wg_px_type_t t = wg_px_last_type(s);
  const char *op = s->part[0];
  bool find = strcmp(op, "bfind") == 0, amount = find && wg_px_part(s, 1, "shiftamt"), wide = wg_px_type_size(t) == 8;
  bool type_ok =
      find ? t == kWgPxU32 || t == kWgPxS32 || t == kWgPxU64 || t == kWgPxS64 : t == kWgPxB32 || t == kWgPxB64;
  if (!type_ok || s->nparts != (amount ? 3u : 2u)) wg_px_unsupported(x, "this type");
  int32_t v = wide ? wg_px_src_pair(x, &s->op[1]) : wg_px_src(x, &s->op[1], 0);
  unsigned b64 = MOD(B64, wide);
  if (strcmp(op, "brev") == 0) {
    int32_t d = wg_px_dst(x, &s->op[0], wide ? 8 : 4);
    (void)wg_px_emit(x, kWgOp_BREV, b64, d, v, -1, -1);
  } else if (find) {
    int32_t d = wg_px_dst(x, &s->op[0], 4);
    (void)wg_px_emit(x, kWgOp_FLO, b64 | MOD(FLOS, wg_px_signed(t)) | MOD(FLOSH, amount), d, v, -1, -1);
  } else if (strcmp(op, "popc") == 0) {
    int32_t d = wg_px_dst(x, &s->op[0], 4);
    (void)wg_px_emit(x, kWgOp_POPC, b64, d, v, -1, -1);
  } else { /* nothing found: all ones, which the minimum makes the width */
    int32_t n = wg_px_op(x, kWgOp_FLO, b64 | MOD(FLOSH, 1), v, -1, -1);
    store(x, s, wg_px_clampi(x, n, wide ? 64 : 32, true, false));
  }
}

/* ---- fields ---- */

/* Position or length: the low 8 bits; 64-bit forms take the whole word. */
static int32_t place(wg_px_ctx_t *x, const wg_px_opnd_t *o, bool wide) {
  int32_t v = wg_px_src(x, o, 0);
  return wide ? v : wg_px_logici(x, kLutAnd, v, 0xff);
}

/* bfe d, a, pos, len: left until the field's top is the word's, then right. A field that ends beyond the word needs no
   shift left, and the shift right by its position fills with copies of the top bit, or zeros. */
static void bfe(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_type_t t = wg_px_last_type(s);
  bool sg = wg_px_signed(t), wide = wg_px_type_size(t) == 8;
  wg_px_need_ops(x, 4, 4);
  if (s->nparts != 2 || (t != kWgPxU32 && t != kWgPxS32 && t != kWgPxU64 && t != kWgPxS64)) {
    wg_px_unsupported(x, "this type");
  }
  uint32_t width = wide ? 64 : 32;
  int32_t a = wide ? wg_px_src_pair(x, &s->op[1]) : wg_px_src(x, &s->op[1], 0);
  int32_t pos = place(x, &s->op[2], wide), len = place(x, &s->op[3], wide);
  int32_t end = wg_px_clampi(x, wg_px_add(x, pos, len), width, true, false), left = wg_px_tmp(x);
  (void)wg_px_emit_imm(x, kWgOp_IADD3, kWgMark_NA, left, end, width, -1);
  int32_t right = wg_px_add(x, left, pos), none = sg ? wg_px_cmpi(x, kCmpEq, true, len, 0) : -1;
  if (wide) {
    int32_t v = wg_px_shr_d(x, wg_px_shl_d(x, a, left), right, sg);
    if (sg) v = wg_px_sel_d(x, none, -1, v);
    wg_px_mov_d(x, wg_px_dst(x, &s->op[0], 8), v);
    return;
  }
  int32_t up = wg_px_op(x, kWgOp_SHF, 0, a, left, -1), v = wg_px_op(x, kWgOp_SHF, sg ? kShrS : kShr, -1, right, up);
  store(x, s, sg ? wg_px_sel(x, none, -1, v) : v);
}

/* The common case: position and length are literals inside the word. */
static bool bfe_literal(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_type_t t = wg_px_last_type(s);
  bool sg = t == kWgPxS32;
  if ((t != kWgPxU32 && !sg) || s->nops != 4) return false;
  for (int i = 2; i < 4; i++) {
    if (s->op[i].kind != kWgPxOImm || s->op[i].fkind != 0) return false;
  }
  uint32_t pos = (uint32_t)s->op[2].value & 0xffu, len = (uint32_t)s->op[3].value & 0xffu;
  if (len == 0 || pos + len > 32) return false;
  int32_t a = wg_px_src(x, &s->op[1], 0), d = wg_px_dst(x, &s->op[0], 4);
  if (pos + len == 32) {
    (void)wg_px_emit_imm(x, kWgOp_SHF, sg ? kShrS : kShr, d, -1, pos, a);
  } else if (!sg) {
    (void)wg_px_emit_imm(x, kWgOp_LOP3, kLutAnd, d, wg_px_shri(x, a, pos, false), (1u << len) - 1u, -1);
  } else {
    (void)wg_px_emit_imm(x, kWgOp_SHF, kShrS, d, -1, 32 - len, wg_px_shli(x, a, 32 - pos - len));
  }
  return true;
}

/* bfi d, a, b, pos, len: a's low bits into b. (1 << len) - 1 is all ones from the width on. */
static void bfi(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_type_t t = wg_px_last_type(s);
  wg_px_need_ops(x, 5, 5);
  if (s->nparts != 2 || (t != kWgPxB32 && t != kWgPxB64)) wg_px_unsupported(x, "this type");
  bool wide = t == kWgPxB64;
  int32_t pos = place(x, &s->op[3], wide), len = place(x, &s->op[4], wide);
  if (!wide) {
    int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0);
    int32_t ones = wg_px_addi(x, wg_px_op(x, kWgOp_SHF, 0, wg_px_const(x, 1), len, -1), UINT32_MAX);
    int32_t mask = wg_px_op(x, kWgOp_SHF, 0, ones, pos, -1), v = wg_px_op(x, kWgOp_SHF, 0, a, pos, -1);
    store(x, s, wg_px_op(x, kWgOp_LOP3, kLutInsert, v, mask, b));
    return;
  }
  int32_t a = wg_px_src_pair(x, &s->op[1]), b = wg_px_src_pair(x, &s->op[2]);
  int32_t ones = wg_px_add_d(x, wg_px_shl_d(x, wg_px_const_d(x, 1), len), wg_px_const_d(x, UINT64_MAX));
  int32_t mask = wg_px_shl_d(x, ones, pos), v = wg_px_shl_d(x, a, pos), r = wg_px_pair(x);
  for (int h = 0; h < 2; h++) (void)wg_px_emit(x, kWgOp_LOP3, kLutInsert, r + h, v + h, mask + h, b + h);
  wg_px_mov_d(x, wg_px_dst(x, &s->op[0], 8), r);
}

void wg_px_lower_field(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  if (strcmp(s->part[0], "bfi") == 0) {
    bfi(x, s);
  } else if (!bfe_literal(x, s)) {
    bfe(x, s);
  }
}

/* bmsk d, pos, len: len ones from pos; .clamp beyond the width, .wrap modulo 32. */
static void bmsk(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  bool wrap = wg_px_part(s, 1, "wrap");
  wg_px_need_ops(x, 3, 3);
  if (s->nparts != 3 || (!wrap && !wg_px_part(s, 1, "clamp")) || wg_px_last_type(s) != kWgPxB32) {
    wg_px_unsupported(x, "this form");
  }
  int32_t pos = wg_px_src(x, &s->op[1], 0), len = wg_px_src(x, &s->op[2], 0);
  unsigned w = MOD(SHWRAP, wrap);
  int32_t ones = wg_px_addi(x, wg_px_op(x, kWgOp_SHF, w, wg_px_const(x, 1), len, -1), UINT32_MAX);
  store(x, s, wg_px_op(x, kWgOp_SHF, w, ones, pos, -1));
}

/* szext d, a, len: the low len bits, extended. .clamp: all of a from 32 on; .wrap: len modulo 32. */
static void szext(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  bool wrap = wg_px_part(s, 1, "wrap"), sg = wg_px_last_type(s) == kWgPxS32;
  wg_px_need_ops(x, 3, 3);
  if (s->nparts != 3 || (!wrap && !wg_px_part(s, 1, "clamp")) || (!sg && wg_px_last_type(s) != kWgPxU32)) {
    wg_px_unsupported(x, "this form");
  }
  int32_t a = wg_px_src(x, &s->op[1], 0), n = wg_px_src(x, &s->op[2], 0), left = wg_px_tmp(x);
  n = wrap ? wg_px_logici(x, kLutAnd, n, 31) : wg_px_clampi(x, n, 32, true, false);
  (void)wg_px_emit_imm(x, kWgOp_IADD3, kWgMark_NA, left, n, 32, -1);
  int32_t v = wg_px_op(x, kWgOp_SHF, sg ? kShrS : kShr, -1, left, wg_px_op(x, kWgOp_SHF, 0, a, left, -1));
  store(x, s, v);
}

/* ---- permutes, funnel shifts, truth tables ---- */

/* Selectors of prmt's modes by the low two bits of c, a halfword each. */
static const struct {
  const char *mode;
  uint64_t selectors;
} kPermutes[] = {{"f4e", 0x6543543243213210ull}, {"b4e", 0x0123701267015670ull}, {"rc8", 0x3333222211110000ull},
                 {"ecl", 0x3333322232113210ull}, {"ecr", 0x3210221011100000ull}, {"rc16", 0x3232101032321010ull}};

static void prmt(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 4, 4);
  int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0), c = wg_px_src(x, &s->op[3], 0);
  if (s->nparts == 3) {
    unsigned m = 0;
    while (m < 6 && !wg_px_part(s, 2, kPermutes[m].mode)) m++;
    if (m == 6) wg_px_unsupported(x, "this mode");
    int32_t n = wg_px_opi(x, kWgOp_LOP3, kLutAnd, wg_px_shli(x, c, 4), 0x30, -1);
    c = wg_px_shr_d(x, wg_px_const_d(x, kPermutes[m].selectors), n, false);
  }
  (void)wg_px_emit(x, kWgOp_PRMT, 0, wg_px_dst(x, &s->op[0], 4), a, c, b);
}

static void shf(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  bool right = wg_px_part(s, 1, "r"), wrap = wg_px_part(s, 2, "wrap");
  wg_px_need_ops(x, 4, 4);
  if ((!right && !wg_px_part(s, 1, "l")) || (!wrap && !wg_px_part(s, 2, "clamp"))) wg_px_unsupported(x, "this form");
  int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0), c = wg_px_src(x, &s->op[3], 0);
  unsigned mods = MOD(SHDIR, right) | MOD(SHHI, !right) | MOD(SHWRAP, wrap);
  (void)wg_px_emit(x, kWgOp_SHF, mods, wg_px_dst(x, &s->op[0], 4), a, c, b);
}

static void lop3(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 5, 5);
  const wg_px_opnd_t *lut = &s->op[4];
  if (lut->kind != kWgPxOImm || lut->fkind != 0 || lut->value < 0 || lut->value > 255) {
    wg_px_fail_stmt(x, kWgBadInput, s, "", "the table of lop3 is a number from 0 to 255");
  }
  int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0), c = wg_px_src(x, &s->op[3], 0);
  (void)wg_px_emit(x, kWgOp_LOP3, (unsigned)lut->value, wg_px_dst(x, &s->op[0], 4), a, b, c);
}

static void cnot(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 2, 2);
  wg_px_type_t t = wg_px_last_type(s);
  if (s->nparts != 2 || (t != kWgPxB16 && t != kWgPxB32 && t != kWgPxB64)) wg_px_unsupported(x, "this type");
  int32_t a = t == kWgPxB64 ? wg_px_logic(x, kLutOr, wg_px_src(x, &s->op[1], 0), wg_px_src(x, &s->op[1], 1))
                            : wg_px_src_ext(x, &s->op[1], t);
  int32_t v = wg_px_flag(x, wg_px_cmpi(x, kCmpEq, true, a, 0), 1), d = wg_px_dst(x, &s->op[0], wg_px_type_size(t));
  wg_px_mov(x, d, v);
  if (t == kWgPxB64) wg_px_mov_imm(x, d + 1, 0);
}

/* fns d, mask, base, offset: the offset-th set bit of mask counted from base on (offset > 0 upward, < 0 downward;
   0: base itself if it is set); none: all ones. Binary search by popc over the bits at and beyond base. */
static void fns(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 4, 4);
  if (s->nparts != 2 || wg_px_last_type(s) != kWgPxB32) wg_px_unsupported(x, "this form");
  int32_t mask = wg_px_src(x, &s->op[1], 0), base = wg_px_src(x, &s->op[2], 0), off = wg_px_src(x, &s->op[3], 0);
  int32_t down = wg_px_cmpi(x, kCmpLt, false, off, 0), same = wg_px_cmpi(x, kCmpEq, false, off, 0);
  int32_t rev = wg_px_op(x, kWgOp_BREV, 0, mask, -1, -1), from = wg_px_tmp(x);
  (void)wg_px_emit_imm(x, kWgOp_IADD3, kWgMark_NA, from, base, 31, -1); /* downward: upward in the reversed word */
  int32_t m = wg_px_sel(x, down, rev, mask), start = wg_px_sel(x, down, from, base);
  int32_t keep = wg_px_op(x, kWgOp_SHF, 0, wg_px_const(x, UINT32_MAX), start, -1);
  int32_t bit = wg_px_op(x, kWgOp_SHF, 0, wg_px_const(x, 1), base, -1);
  m = wg_px_sel(x, same, wg_px_logic(x, kLutAnd, mask, bit), wg_px_logic(x, kLutAnd, m, keep));
  int32_t k = wg_px_clampi(x, wg_px_magnitude(x, off), 1, true, true); /* wanted: the k-th one */
  int32_t total = wg_px_op(x, kWgOp_POPC, 0, m, -1, -1), none = wg_px_cmp(x, kCmpGt, true, k, total), at = -1;
  for (unsigned w = 16; w != 0; w /= 2) { /* `at` bits are passed already */
    int32_t part = wg_px_logici(x, kLutAnd, wg_px_op(x, kWgOp_SHF, kShr, -1, at, m), (1u << w) - 1u);
    int32_t n = wg_px_op(x, kWgOp_POPC, 0, part, -1, -1), beyond = wg_px_cmp(x, kCmpGt, true, k, n);
    k = wg_px_sel(x, beyond, wg_px_sub(x, k, n), k);
    at = wg_px_sel(x, beyond, wg_px_addi(x, at, w), at);
  }
  int32_t turned = wg_px_tmp(x);
  (void)wg_px_emit_imm(x, kWgOp_IADD3, kWgMark_NA, turned, at, 31, -1);
  at = wg_px_sel(x, down, turned, at);
  store(x, s, wg_px_sel(x, none, wg_px_const(x, UINT32_MAX), at));
}

void wg_px_lower_bits(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  static const struct {
    const char *op;
    void (*fn)(wg_px_ctx_t *, const wg_px_stmt_t *);
    uint32_t parts_min, parts_max;
    bool b32;
  } table[] = {{"prmt", prmt, 2, 3, false}, {"shf", shf, 4, 4, true},   {"lop3", lop3, 2, 2, true},
               {"cnot", cnot, 2, 2, false}, {"bmsk", bmsk, 3, 3, true}, {"szext", szext, 3, 3, false},
               {"fns", fns, 2, 2, true}};
  unsigned i = 0;
  while (strcmp(table[i].op, s->part[0]) != 0) i++; /* the dispatch knows these names alone */
  if (s->nparts < table[i].parts_min || s->nparts > table[i].parts_max ||
      (table[i].b32 && wg_px_last_type(s) != kWgPxB32) || (i == 0 && !wg_px_part(s, 1, "b32"))) {
    wg_px_unsupported(x, "this form");
  }
  table[i].fn(x, s);
}
