// SPDX-License-Identifier: Apache-2.0
//
// Lowering of rarer integer arithmetic: carry chains, 24-bit products, sums of differences, dot products, and video
// instructions on the bytes and halfwords of a word.
#include "toolchain/ptx/px_build.h"

/* ---- carry chains: add.cc addc sub.cc subc mad.cc madc ---- */

/* CC.CF is one predicate of the kernel. PTX lets sub.cc leave a borrow; the predicate then holds its complement, the
   carry of a + ~b + 1. Which of both it holds is known from the text: chains are straight code. */
static int32_t carry_flag(wg_px_ctx_t *x) {
  if (x->cc_pred < 0) x->cc_pred = wg_px_pred_new(x, x->fn, true);
  return x->cc_pred;
}

/* The carry in as IADD3.X takes it. */
static void carry_in(wg_px_ctx_t *x, wg_px_insn_t *in, bool borrow) {
  in->mods = (uint16_t)(in->mods | MOD(X, 1));
  in->ps0 = carry_flag(x);
  in->ps0_not = x->cc_borrow != borrow;
}

typedef struct wg_px_chain {
  bool sub, in, out;
} wg_px_chain_t;

/* d = a + b or a - b with carry in and out. */
static void chain_add(wg_px_ctx_t *x, wg_px_chain_t k, int32_t d, int32_t a, int32_t b) {
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_IADD3, k.sub ? kWgMark_NB : 0, d, a, b, -1);
  if (k.in) carry_in(x, in, k.sub);
  if (!k.out) return;
  in->pd0 = carry_flag(x);
  x->cc_borrow = k.sub;
}

static void chain_wide(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_chain_t k) {
  int32_t a = wg_px_src_pair(x, &s->op[1]), b = wg_px_src_pair(x, &s->op[2]), d = wg_px_dst(x, &s->op[0], 8);
  int32_t r = wg_px_pair(x);
  chain_add(x, (wg_px_chain_t){k.sub, k.in, true}, r, a, b);
  chain_add(x, (wg_px_chain_t){k.sub, true, k.out}, r + 1, a + 1, b + 1);
  wg_px_mov_d(x, d, r);
}

void wg_px_lower_carry(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  const char *op = s->part[0];
  bool mul = op[0] == 'm', hi = mul && wg_px_part(s, 1, "hi");
  wg_px_chain_t k = {.sub = op[0] == 's', .in = op[3] == 'c', .out = wg_px_part(s, mul ? 2 : 1, "cc")};
  wg_px_type_t t = wg_px_last_type(s);
  wg_px_need_ops(x, mul ? 4 : 3, mul ? 4 : 3);
  if (s->nparts != 2u + mul + k.out || (t != kWgPxU32 && t != kWgPxS32 && t != kWgPxU64 && t != kWgPxS64) ||
      (mul && !hi && !wg_px_part(s, 1, "lo")) || (mul && wg_px_type_size(t) != 4)) {
    wg_px_unsupported(x, "this form");
  }
  if (wg_px_type_size(t) == 8) {
    chain_wide(x, s, k);
    return;
  }
  int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0);
  if (mul) {
    a = wg_px_op(x, kWgOp_IMAD, hi ? MOD(IMADK, 1) | MOD(IMADU, !wg_px_signed(t)) : 0, a, b, -1);
    b = wg_px_src(x, &s->op[3], 0);
  }
  chain_add(x, k, wg_px_dst(x, &s->op[0], 4), a, b);
}

/* ---- mul24, mad24, sad ---- */

void wg_px_lower_mul24(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_type_t t = wg_px_last_type(s);
  bool mad = s->part[0][1] == 'a', hi = wg_px_part(s, 1, "hi"), sat = wg_px_part(s, 2, "sat"), sg = t == kWgPxS32;
  wg_px_need_ops(x, mad ? 4 : 3, mad ? 4 : 3);
  if (s->nparts != (sat ? 4u : 3u) || (!hi && !wg_px_part(s, 1, "lo")) || (!sg && t != kWgPxU32) ||
      (sat && (!mad || !hi || !sg))) {
    wg_px_unsupported(x, "this form");
  }
  int32_t v[2];
  for (unsigned i = 0; i < 2; i++) {
    int32_t a = wg_px_src(x, &s->op[1 + i], 0);
    v[i] = sg ? wg_px_shri(x, wg_px_shli(x, a, 8), 8, true) : wg_px_logici(x, kLutAnd, a, 0xffffff);
  }
  int32_t c = mad ? wg_px_src(x, &s->op[3], 0) : -1, d = wg_px_dst(x, &s->op[0], 4);
  if (!hi) {
    (void)wg_px_emit(x, kWgOp_IMAD, 0, d, v[0], v[1], c);
    return;
  }
  int32_t p = wg_px_op_d(x, kWgOp_IMAD, MOD(IMADK, 2) | MOD(IMADU, !sg), v[0], v[1], -1);
  int32_t r = wg_px_opi(x, kWgOp_SHF, MOD(SHDIR, 1), p, 16, p + 1); /* bits 47..16 */
  if (mad) r = sat ? wg_px_add_sat(x, r, c, false) : wg_px_add(x, r, c);
  wg_px_mov(x, d, r);
}

/* sad d, a, b, c: c + |a - b| */
void wg_px_lower_sad(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_type_t t = wg_px_last_type(s);
  wg_px_need_ops(x, 4, 4);
  if (s->nparts != 2 || (t != kWgPxU16 && t != kWgPxS16 && t != kWgPxU32 && t != kWgPxS32 && t != kWgPxU64 &&
                         t != kWgPxS64)) {
    wg_px_unsupported(x, "this type");
  }
  bool uns = !wg_px_signed(t);
  if (wg_px_type_size(t) == 8) {
    int32_t a = wg_px_src_pair(x, &s->op[1]), b = wg_px_src_pair(x, &s->op[2]), c = wg_px_src_pair(x, &s->op[3]);
    int32_t p = wg_px_cmp_d(x, kCmpLt, uns, a, b);
    int32_t v = wg_px_sel_d(x, p, wg_px_sub_d(x, b, a), wg_px_sub_d(x, a, b));
    wg_px_mov_d(x, wg_px_dst(x, &s->op[0], 8), wg_px_add_d(x, c, v));
    return;
  }
  int32_t a = wg_px_src_ext(x, &s->op[1], t), b = wg_px_src_ext(x, &s->op[2], t), c = wg_px_src(x, &s->op[3], 0);
  int32_t p = wg_px_cmp(x, kCmpLt, uns, a, b), v = wg_px_sel(x, p, wg_px_sub(x, b, a), wg_px_sub(x, a, b));
  (void)wg_px_emit(x, kWgOp_IADD3, 0, wg_px_dst(x, &s->op[0], 4), c, v, -1);
}

/* ---- dp4a, dp2a ---- */

static int dot_sign(const wg_px_stmt_t *s, uint32_t part) {
  return wg_px_part(s, part, "s32") ? 1 : wg_px_part(s, part, "u32") ? 0 : -1;
}

void wg_px_lower_dot(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  bool two = s->part[0][2] == '2', hi = two && wg_px_part(s, 1, "hi");
  uint32_t first = two ? 2 : 1;
  int sa = dot_sign(s, first), sb = dot_sign(s, first + 1);
  wg_px_need_ops(x, 4, 4);
  if (s->nparts != first + 2 || sa < 0 || sb < 0 || (two && !hi && !wg_px_part(s, 1, "lo"))) {
    wg_px_unsupported(x, "this form");
  }
  int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0), c = wg_px_src(x, &s->op[3], 0);
  unsigned mods = MOD(IDPK, !two ? 0 : hi ? 2 : 1) | MOD(IDPT, sa + 2 * sb);
  (void)wg_px_emit(x, kWgOp_IDP, mods, wg_px_dst(x, &s->op[0], 4), a, b, c);
}

/* ---- vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4, and the same with 2 ---- */

typedef struct wg_px_video {
  unsigned lanes, bits;
  bool sd, sa, sb; /* signed destination, sources */
  bool sat, sum;   /* .sat; .add: c + the sum of the lanes */
} wg_px_video_t;

static int32_t video_lane(wg_px_ctx_t *x, int32_t v, wg_px_video_t k, unsigned i, bool sg) {
  unsigned b = i * k.bits / 8, bytes = k.bits / 8, sel = 0;
  for (unsigned j = 0; j < 4; j++) sel |= (j < bytes ? b + j : sg ? 8u | (b + bytes - 1) : 4u) << (4 * j);
  return wg_px_opi(x, kWgOp_PRMT, 0, v, sel, -1); /* byte 4 is RZ's */
}

static int32_t video_minmax(wg_px_ctx_t *x, int32_t a, int32_t b, bool max) {
  int32_t d = wg_px_tmp(x);
  wg_px_emit(x, kWgOp_IMNMX, 0, d, a, b, -1)->ps0_not = max;
  return d;
}

/* One lane's result; the operands are small, so signed 32-bit arithmetic is exact. */
static int32_t video_op(wg_px_ctx_t *x, const char *op, wg_px_video_t k, int32_t a, int32_t b) {
  int32_t r;
  if (strncmp(op, "vadd", 4) == 0) r = wg_px_add(x, a, b);
  else if (strncmp(op, "vsub", 4) == 0) r = wg_px_sub(x, a, b);
  else if (strncmp(op, "vabsdiff", 8) == 0) r = wg_px_magnitude(x, wg_px_sub(x, a, b));
  else if (strncmp(op, "vmin", 4) == 0) r = video_minmax(x, a, b, false);
  else if (strncmp(op, "vmax", 4) == 0) r = video_minmax(x, a, b, true);
  else r = wg_px_shri(x, wg_px_opi(x, kWgOp_IADD3, 0, a, 1, b), 1, true); /* vavrg: rounded up */
  if (!k.sat) return r;
  int32_t top = (int32_t)(1u << (k.sd ? k.bits - 1 : k.bits)) - 1;
  r = wg_px_clampi(x, r, k.sd ? (uint32_t)(-top - 1) : 0, false, true);
  return wg_px_clampi(x, r, (uint32_t)top, false, false);
}

void wg_px_lower_video(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  const char *op = s->part[0];
  wg_px_video_t k = {.lanes = (unsigned)(op[strlen(op) - 1] - '0')};
  k.bits = 32 / k.lanes;
  wg_px_need_ops(x, 4, 4);
  int sg[3] = {dot_sign(s, 1), dot_sign(s, 2), dot_sign(s, 3)};
  if (s->nparts < 4 || s->nparts > 5 || sg[0] < 0 || sg[1] < 0 || sg[2] < 0) wg_px_unsupported(x, "this form");
  k.sd = sg[0] == 1;
  k.sa = sg[1] == 1;
  k.sb = sg[2] == 1;
  k.sat = wg_px_part(s, 4, "sat");
  k.sum = wg_px_part(s, 4, "add");
  if (s->nparts == 5 && !k.sat && !k.sum) wg_px_unsupported(x, "this form");
  int32_t a = wg_px_src(x, &s->op[1], 0), b = wg_px_src(x, &s->op[2], 0), c = wg_px_src(x, &s->op[3], 0), r = c;
  for (unsigned i = 0; i < k.lanes; i++) { /* without a mask all lanes are replaced */
    int32_t v = video_op(x, op, k, video_lane(x, a, k, i, k.sa), video_lane(x, b, k, i, k.sb));
    if (k.sum) {
      r = wg_px_add(x, r, k.sd ? video_lane(x, v, k, 0, true) : video_lane(x, v, k, 0, false));
      continue;
    }
    unsigned first = i * k.bits / 8, sel = 0x3210;
    for (unsigned j = 0; j < k.bits / 8; j++) sel = (sel & ~(15u << (4 * (first + j)))) | (4u + j) << (4 * (first + j));
    r = wg_px_opi(x, kWgOp_PRMT, 0, r, sel, v);
  }
  wg_px_mov(x, wg_px_dst(x, &s->op[0], 4), r);
}
