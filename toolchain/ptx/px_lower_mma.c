// SPDX-License-Identifier: Apache-2.0
//
// Lowering of matrix instructions: mma.sync, ldmatrix. Fragments of PTX are those of HMMA, IMMA and DMMA: their
// registers are gathered into groups. e4m3 products run as two fp16 ones: the order of k within a product is free.
#include "toolchain/ptx/px_build.h"

/* Registers of an operand {..} (or a single one) as a group; `n` words are expected. A single one is read where it is. */
static int32_t gather(wg_px_ctx_t *x, const wg_px_opnd_t *o, unsigned n, unsigned words) {
  const wg_px_opnd_t *e = o->kind == kWgPxOVec ? o->vec : o;
  unsigned elems = o->kind == kWgPxOVec ? o->nvec : 1;
  if (elems * words != n) wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "wrong number of registers in an operand");
  if (n == 1) return wg_px_src(x, &e[0], 0);
  int32_t g = wg_px_unit_new(x, x->fn, n);
  for (unsigned i = 0; i < elems; i++) {
    for (unsigned h = 0; h < words; h++) wg_px_mov(x, g + (int32_t)(i * words + h), wg_px_src(x, &e[i], h));
  }
  return g;
}

static void scatter(wg_px_ctx_t *x, const wg_px_opnd_t *o, int32_t g, unsigned n, unsigned words) {
  const wg_px_opnd_t *e = o->kind == kWgPxOVec ? o->vec : o;
  unsigned elems = o->kind == kWgPxOVec ? o->nvec : 1;
  if (elems * words != n) wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "wrong number of registers in an operand");
  for (unsigned i = 0; i < elems; i++) {
    if (e[i].kind == kWgPxOSink) continue;
    int32_t d = wg_px_dst(x, &e[i], 4 * words);
    for (unsigned h = 0; h < words; h++) wg_px_mov(x, d + (int32_t)h, g + (int32_t)(i * words + h));
  }
}

/* Shapes: the machine instruction, its modifiers, words of a, b, c and d. Types in PTX order d, a, b, c. */
static const struct {
  const char *shape, *d, *a, *b;
  uint8_t op, na, nb, nc;
  unsigned mods;
} kShapes[] = {
    {"m16n8k8", "f32", "f16", "f16", kWgOp_HMMA, 2, 1, 4, MOD(MSH, 1)},
    {"m16n8k8", "f16", "f16", "f16", kWgOp_HMMA, 2, 1, 2, MOD(MSH, 1) | MOD(MACC, 1)},
    {"m16n8k8", "f32", "bf16", "bf16", kWgOp_HMMA, 2, 1, 4, MOD(MSH, 1) | MOD(MIN, 1)},
    {"m16n8k16", "f32", "f16", "f16", kWgOp_HMMA, 4, 2, 4, MOD(MSH, 2)},
    {"m16n8k16", "f16", "f16", "f16", kWgOp_HMMA, 4, 2, 2, MOD(MSH, 2) | MOD(MACC, 1)},
    {"m16n8k16", "f32", "bf16", "bf16", kWgOp_HMMA, 4, 2, 4, MOD(MSH, 2) | MOD(MIN, 1)},
    {"m16n8k4", "f32", "tf32", "tf32", kWgOp_HMMA, 2, 1, 4, MOD(MSH, 0) | MOD(MIN, 2)},
    {"m16n8k8", "f32", "tf32", "tf32", kWgOp_HMMA, 4, 2, 4, MOD(MSH, 1) | MOD(MIN, 2)},
    {"m8n8k16", "s32", "*8", "*8", kWgOp_IMMA, 1, 1, 2, MOD(IMSH, 0)},
    {"m16n8k16", "s32", "*8", "*8", kWgOp_IMMA, 2, 1, 4, MOD(IMSH, 1)},
    {"m16n8k32", "s32", "*8", "*8", kWgOp_IMMA, 4, 2, 4, MOD(IMSH, 2)},
    {"m8n8k4", "f64", "f64", "f64", kWgOp_DMMA, 2, 2, 4, 0},
    {"m16n8k32", "f32", "e4m3", "e4m3", kWgOp_HMMA, 4, 2, 4, MOD(MSH, 2)},
};

static bool type_is(const char *want, const char *have) {
  return strcmp(want, "*8") == 0 ? strcmp(have, "s8") == 0 || strcmp(have, "u8") == 0 : strcmp(want, have) == 0;
}

/* Two bytes of e4m3 in the lower half of v as two fp16: exponent and fraction moved, times 2^8; above 448: NaN. */
static int32_t widen(wg_px_ctx_t *x, int32_t v) {
  int32_t spread = wg_px_opi(x, kWgOp_PRMT, 0, v, 0x1404, -1); /* each byte the upper one of its half */
  int32_t mag = wg_px_shri(x, wg_px_logici(x, kLutAnd, spread, 0x7f007f00u), 1, false);
  int32_t h = wg_px_opi(x, kWgOp_HMUL2, 0, mag, 0x5c005c00u, -1);
  int32_t p = wg_px_pred_new(x, x->fn, false), q = wg_px_pred_new(x, x->fn, false);
  wg_px_insn_t *in = wg_px_emit_imm(x, kWgOp_HSETP2, MOD(FCMP, kCmpGt) | MOD(HPAIR, 1), -1, h, 0x5f005f00u, -1);
  in->pd0 = p;
  in->pd1 = q;
  int32_t nan = wg_px_opi(x, kWgOp_PRMT, 0, wg_px_flag(x, p, 0x7fff), 0x5410, wg_px_flag(x, q, 0x7fff));
  h = wg_px_logic(x, kLutOr, h, nan);
  return wg_px_opi(x, kWgOp_LOP3, 0xf8, h, 0x80008000u, spread);
}

/* k 0..15 and 16..31 one after the other; a byte's two neighbours make a register, the other two one of the second
 * half. */
static int32_t e4m3(wg_px_ctx_t *x, int32_t a, int32_t b, int32_t c, unsigned mods) {
  for (int half = 0; half < 2; half++) {
    int32_t fa = wg_px_unit_new(x, x->fn, 4), fb = wg_px_pair(x), d = wg_px_unit_new(x, x->fn, 4);
    for (int r = 0; r < 2; r++) { /* rows g and g + 8 */
      int32_t v = a + 2 * half + r;
      wg_px_mov(x, fa + r, widen(x, v));
      wg_px_mov(x, fa + 2 + r, widen(x, wg_px_shri(x, v, 16, false)));
    }
    wg_px_mov(x, fb, widen(x, b + half));
    wg_px_mov(x, fb + 1, widen(x, wg_px_shri(x, b + half, 16, false)));
    (void)wg_px_emit(x, kWgOp_HMMA, mods, d, fa, fb, c);
    c = d;
  }
  return c;
}

/* mma.sync.aligned.shape.row.col{.satfinite}.dtype.atype.btype.ctype d, a, b, c */
void wg_px_lower_mma(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  static const char kHint[] = "use m16n8k8 or m16n8k16, whose fragments are those of newer units";
  uint32_t sat = wg_px_part(s, 6, "satfinite") ? 1 : 0, t = 6 + sat;
  bool form = wg_px_part(s, 1, "sync") && wg_px_part(s, 2, "aligned") && s->nparts == t + 4;
  if (form && wg_px_part(s, 3, "m8n8k4") && wg_px_part(s, t + 1, "f16")) {
    wg_px_fail_stmt(x, kWgUnsupported, s, kHint, "the fp16 products of Volta's shape m8n8k4 are not supported");
  }
  if (!form || !wg_px_part(s, 4, "row") || !wg_px_part(s, 5, "col")) wg_px_unsupported(x, "this form");
  wg_px_need_ops(x, 4, 4);
  size_t i = 0, n = sizeof kShapes / sizeof kShapes[0];
  for (; i < n; i++) {
    if (strcmp(kShapes[i].shape, s->part[3]) == 0 && type_is(kShapes[i].d, s->part[t]) &&
        type_is(kShapes[i].a, s->part[t + 1]) && type_is(kShapes[i].b, s->part[t + 2]) &&
        strcmp(s->part[t], s->part[t + 3]) == 0) {
      break;
    }
  }
  bool integer = i < n && kShapes[i].op == kWgOp_IMMA;
  if (i == n || (sat != 0 && !integer)) wg_px_unsupported(x, "this shape or type");
  unsigned words = kShapes[i].op == kWgOp_DMMA ? 2 : 1, mods = kShapes[i].mods;
  if (integer) mods |= MOD(SAT, sat) | MOD(IMA, s->part[t + 1][0] == 's') | MOD(IMB, s->part[t + 2][0] == 's');
  int32_t a = gather(x, &s->op[1], kShapes[i].na, words), b = gather(x, &s->op[2], kShapes[i].nb, words);
  int32_t c = gather(x, &s->op[3], kShapes[i].nc, words), d;
  if (strcmp(kShapes[i].a, "e4m3") == 0) {
    d = e4m3(x, a, b, c, mods);
  } else {
    d = wg_px_unit_new(x, x->fn, kShapes[i].nc);
    (void)wg_px_emit(x, kShapes[i].op, mods, d, a, b, c);
  }
  scatter(x, &s->op[0], d, kShapes[i].nc, words);
}

/* ldmatrix.sync.aligned.m8n8.{x1,x2,x4}{.trans}.shared.b16 d, [a] */
void wg_px_lower_ldmatrix(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  static const char *const kNum[] = {"x1", "x2", "x4"};
  unsigned num = 0;
  while (num < 3 && !wg_px_part(s, 4, kNum[num])) num++;
  bool trans = wg_px_part(s, 5, "trans");
  const char *space = s->nparts == (trans ? 8u : 7u) ? s->part[trans ? 6 : 5] : "";
  if (num == 3 || !wg_px_part(s, 1, "sync") || !wg_px_part(s, 2, "aligned") || !wg_px_part(s, 3, "m8n8") ||
      wg_px_space_of(space) != (int)kWgPxSpShared || wg_px_last_type(s) != kWgPxB16) {
    wg_px_unsupported(x, "this form");
  }
  wg_px_need_ops(x, 2, 2);
  uint32_t imm;
  int32_t a = wg_px_address(x, &s->op[1], kWgPxSpShared, &imm), d = wg_px_unit_new(x, x->fn, 1u << num);
  wg_px_emit(x, kWgOp_LDSM, MOD(LDSMN, num) | MOD(LDSMT, trans), d, a, -1, -1)->imm = imm;
  scatter(x, &s->op[0], d, 1u << num, 1);
}
