// SPDX-License-Identifier: Apache-2.0
//
// Lowering of wmma.load, wmma.store, wmma.mma, shape m16n16k16 of fp16, with sums in fp32 or fp16. PTX leaves open which lane
// holds what; here a fragment is that of two m16n8k16, side by side in n:
//
//   a   8 words: the four of HMMA's a, twice (PTX wants eight; an element has two holders, as on the first units)
//   b   8 words: two of n 0 to 7, two of n 8 to 15, and all again
//   c   8 words of fp32, four of n 0 to 7 and four of n 8 to 15; or 4 words of fp16 pairs, two and two
//
// so that a product is two HMMA. Loads and stores go by words where the two halves of a pair lie side by side in memory, else by halves.
#include "toolchain/ptx/px_build.h"

/* Where the first element of word i lies: row and column for lane 0; rows (or columns) go with lane / 4, the others with 2 *
   (lane % 4). */
typedef struct wg_px_frag {
  bool row_by_group; /* rows go with lane / 4 */
  bool pair_in_row;  /* the second half of a word is its right neighbour, else the one below; fp32: none */
  bool wide;         /* fp32 */
  unsigned words;    /* that differ */
  uint8_t row[8], col[8];
} wg_px_frag_t;

static const wg_px_frag_t kA = {true, true, false, 4, {0, 8, 0, 8}, {0, 0, 8, 8}};
static const wg_px_frag_t kB = {false, false, false, 4, {0, 8, 0, 8}, {0, 0, 8, 8}};
static const wg_px_frag_t kC32 = {true, true, true, 8, {0, 0, 8, 8, 0, 0, 8, 8}, {0, 1, 0, 1, 8, 9, 8, 9}};
static const wg_px_frag_t kC16 = {true, true, false, 4, {0, 8, 0, 8}, {0, 0, 8, 8}};

/* A matrix in memory. */
typedef struct wg_px_matrix {
  wg_px_space_t space;
  bool row_major;
  unsigned size; /* bytes of an element */
  int32_t base, first, ld; /* address; number of the lane's first element; elements from a line to the next */
  uint32_t imm;
  int32_t line[10]; /* addresses of lines 0 to 9 behind the lane's first one; -1: not needed so far */
} wg_px_matrix_t;

static wg_px_matrix_t matrix(wg_px_ctx_t *x, const wg_px_frag_t *f, const wg_px_opnd_t *at, const wg_px_opnd_t *ld, wg_px_space_t space,
                             bool row_major) {
  wg_px_matrix_t m = {.space = space, .row_major = row_major, .size = f->wide ? 4 : 2};
  m.base = wg_px_address(x, at, space, &m.imm);
  if (ld != NULL) m.ld = wg_px_src(x, ld, 0);
  else m.ld = wg_px_const(x, 16);
  int32_t lane = wg_px_tmp(x);
  wg_px_emit(x, kWgOp_S2R, 0, lane, -1, -1, -1)->imm = kWgSrLaneId;
  int32_t group = wg_px_shri(x, lane, 2, false);
  int32_t twice = wg_px_shli(x, wg_px_logici(x, kLutAnd, lane, 3), 1);
  bool line_by_group = f->row_by_group == row_major;
  m.first = wg_px_op(x, kWgOp_IMAD, 0, line_by_group ? group : twice, m.ld, line_by_group ? twice : group);
  for (unsigned i = 0; i < 10; i++) m.line[i] = -1;
  return m;
}

/* Address of the lane's first element, `n` lines on. */
static int32_t line_of(wg_px_ctx_t *x, wg_px_matrix_t *m, unsigned n) {
  if (m->line[n] >= 0) return m->line[n];
  int32_t e = n == 0 ? m->first : wg_px_opi(x, kWgOp_IMAD, 0, m->ld, n, m->first);
  if (m->space == kWgPxSpShared) {
    m->line[n] = wg_px_opi(x, kWgOp_IMAD, 0, e, m->size, m->base);
  } else {
    m->line[n] = wg_px_pair(x);
    (void)wg_px_emit_imm(x, kWgOp_IMAD, MOD(IMADK, 2) | MOD(IMADU, 1), m->line[n], e, m->size, m->base);
  }
  return m->line[n];
}

static uint8_t op_of(wg_px_space_t space, bool store) {
  if (space == kWgPxSpGlobal) return store ? kWgOp_STG : kWgOp_LDG;
  if (space == kWgPxSpShared) return store ? kWgOp_STS : kWgOp_LDS;
  return store ? kWgOp_ST : kWgOp_LD;
}

/* Load unit d, or store it, at row r and column c from the lane's first element. @param half 16 bits */
static void access(wg_px_ctx_t *x, wg_px_matrix_t *m, unsigned r, unsigned c, bool store, bool half, int32_t d) {
  int32_t a = line_of(x, m, m->row_major ? r : c);
  wg_px_insn_t *in = wg_px_emit(x, op_of(m->space, store), MOD(MSIZE, half ? 2 : 4), store ? -1 : d, a, -1, store ? d : -1);
  in->imm = m->imm + m->size * (m->row_major ? c : r);
}

static void move_words(wg_px_ctx_t *x, const wg_px_frag_t *f, wg_px_matrix_t *m, bool store, int32_t g) {
  bool side_by_side = f->pair_in_row == m->row_major;
  for (unsigned i = 0; i < f->words; i++) {
    unsigned r = f->row[i], c = f->col[i], r1 = f->pair_in_row ? r : r + 1, c1 = f->pair_in_row ? c + 1 : c;
    int32_t w = g + (int32_t)i;
    if (f->wide || side_by_side) {
      access(x, m, r, c, store, false, w);
    } else if (store) {
      access(x, m, r, c, true, true, w);
      access(x, m, r1, c1, true, true, wg_px_shri(x, w, 16, false));
    } else {
      int32_t lo = wg_px_tmp(x), hi = wg_px_tmp(x);
      access(x, m, r, c, false, true, lo);
      access(x, m, r1, c1, false, true, hi);
      (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, w, lo, 0x5410, hi);
    }
  }
}

/* Registers of operand `o`, of which `words` differ, as units. */
static int32_t registers(wg_px_ctx_t *x, const wg_px_opnd_t *o, unsigned count, unsigned words) {
  if (o->kind != kWgPxOVec || o->nvec != count) wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "wrong number of registers in an operand");
  int32_t g = wg_px_unit_new(x, x->fn, 4);
  if (words > 4) (void)wg_px_unit_new(x, x->fn, 4); /* the next four units */
  for (unsigned i = 0; i < words; i++) wg_px_mov(x, g + (int32_t)i, wg_px_src(x, &o->vec[i], 0));
  return g;
}

static void write_registers(wg_px_ctx_t *x, const wg_px_opnd_t *o, unsigned count, unsigned words, int32_t g) {
  if (o->kind != kWgPxOVec || o->nvec != count) wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "wrong number of registers in an operand");
  for (unsigned i = 0; i < count; i++) {
    if (o->vec[i].kind == kWgPxOSink) continue;
    wg_px_mov(x, wg_px_dst(x, &o->vec[i], 4), g + (int32_t)(i % words));
  }
}

static const char kHint[] = "m16n16k16 of f16 with sums in f32 or f16 is supported";

/* wmma.{load.{a,b,c},store.d}.sync{.aligned}.layout.shape{.space}.type */
static void load_store(wg_px_ctx_t *x, const wg_px_stmt_t *s, bool store) {
  uint32_t t = wg_px_part(s, 4, "aligned") ? 5 : 4;
  bool row = wg_px_part(s, t, "row"), c = wg_px_part(s, 2, "c") || wg_px_part(s, 2, "d");
  wg_px_space_t space = wg_px_part(s, t + 2, "global") ? kWgPxSpGlobal : wg_px_part(s, t + 2, "shared") ? kWgPxSpShared : kWgPxSpNone;
  uint32_t type = t + (space == kWgPxSpNone ? 2 : 3);
  bool f32 = wg_px_part(s, type, "f32"), form = wg_px_part(s, 3, "sync") && (row || wg_px_part(s, t, "col")) && s->nparts == type + 1;
  if (!form || !wg_px_part(s, t + 1, "m16n16k16") || (f32 ? !c : !wg_px_part(s, type, "f16")))
    wg_px_fail_stmt(x, kWgUnsupported, s, kHint, "this shape or type of wmma is not supported");
  wg_px_need_ops(x, 2, 3);
  const wg_px_frag_t *f = c ? f32 ? &kC32 : &kC16 : wg_px_part(s, 2, "a") ? &kA : &kB;
  const wg_px_opnd_t *regs = &s->op[store ? 1 : 0], *at = &s->op[store ? 0 : 1];
  unsigned count = c && !f32 ? 4 : 8;
  wg_px_matrix_t m = matrix(x, f, at, s->nops == 3 ? &s->op[2] : NULL, space, row);
  int32_t g;
  if (store) {
    g = registers(x, regs, count, f->words);
    move_words(x, f, &m, true, g);
    return;
  }
  g = wg_px_unit_new(x, x->fn, 4);
  if (f->words > 4) (void)wg_px_unit_new(x, x->fn, 4);
  move_words(x, f, &m, false, g);
  write_registers(x, regs, count, f->words, g);
}

/* wmma.mma.sync{.aligned}.alayout.blayout.m16n16k16.dtype.ctype d, a, b, c: the layouts are in the fragments already */
static void product(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  uint32_t t = wg_px_part(s, 3, "aligned") ? 4 : 3;
  bool f32 = wg_px_part(s, t + 3, "f32");
  bool form = wg_px_part(s, 2, "sync") && wg_px_part(s, t + 2, "m16n16k16") && s->nparts == t + 5 &&
              (f32 || wg_px_part(s, t + 3, "f16")) && strcmp(s->part[t + 3], s->part[t + 4]) == 0;
  if (!form) wg_px_fail_stmt(x, kWgUnsupported, s, kHint, "this shape or type of wmma is not supported");
  wg_px_need_ops(x, 4, 4);
  unsigned count = f32 ? 8 : 4, half = f32 ? 4 : 2;
  int32_t a = registers(x, &s->op[1], 8, 4), b = registers(x, &s->op[2], 8, 4), c = registers(x, &s->op[3], count, count);
  int32_t out[8];
  for (unsigned h = 0; h < 2; h++) {
    int32_t fb = wg_px_unit_new(x, x->fn, 2), fc = wg_px_unit_new(x, x->fn, half), fd = wg_px_unit_new(x, x->fn, half);
    for (unsigned i = 0; i < 2; i++) wg_px_mov(x, fb + (int32_t)i, b + (int32_t)(2 * h + i));
    for (unsigned i = 0; i < half; i++) wg_px_mov(x, fc + (int32_t)i, c + (int32_t)(half * h + i));
    (void)wg_px_emit(x, kWgOp_HMMA, MOD(MSH, 2) | MOD(MACC, f32 ? 0 : 1), fd, a, fb, fc);
    for (unsigned i = 0; i < half; i++) out[half * h + i] = fd + (int32_t)i;
  }
  if (s->op[0].kind != kWgPxOVec || s->op[0].nvec != count)
    wg_px_fail_stmt(x, kWgBadInput, s, "", "wrong number of registers in an operand");
  for (unsigned i = 0; i < count; i++) {
    if (s->op[0].vec[i].kind != kWgPxOSink) wg_px_mov(x, wg_px_dst(x, &s->op[0].vec[i], 4), out[i]);
  }
}

void wg_px_lower_wmma(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  if (wg_px_part(s, 1, "mma")) product(x, s);
  else if (wg_px_part(s, 1, "store")) load_store(x, s, true);
  else if (wg_px_part(s, 1, "load")) load_store(x, s, false);
  else wg_px_unsupported(x, "this form");
}
