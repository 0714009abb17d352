// SPDX-License-Identifier: Apache-2.0
//
// Lowering of fp64 instructions that machine instructions exist for. Division and roots: px_lower_f64div.c.
#include "toolchain/ptx/px_build.h"

/* -0 as second operand: x + -0 is x, with a NaN made quiet as on silicon. */
static int32_t minus_zero(wg_px_ctx_t *x) { return wg_px_const_d(x, 1ull << 63); }

static void unary(wg_px_ctx_t *x, const wg_px_stmt_t *s, unsigned mark) {
  wg_px_need_ops(x, 2, 2);
  if (s->nparts != 2) wg_px_unsupported(x, "this form");
  int32_t a = wg_px_src_pair(x, &s->op[1]), z = minus_zero(x);
  (void)wg_px_emit(x, kWgOp_DADD, mark, wg_px_dst(x, &s->op[0], 8), a, z, -1);
}

/* copysign d, a, b: sign of a, magnitude of b */
static void copysign64(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 3, 3);
  int32_t a = wg_px_src(x, &s->op[1], 1), lo = wg_px_src(x, &s->op[2], 0), hi = wg_px_src(x, &s->op[2], 1);
  int32_t d = wg_px_dst(x, &s->op[0], 8), t = wg_px_opi(x, kWgOp_LOP3, kLutInsert, a, WG_PX_SIGN, hi);
  wg_px_mov(x, d, lo);
  wg_px_mov(x, d + 1, t);
}

static void minmax(wg_px_ctx_t *x, const wg_px_stmt_t *s, bool max) {
  wg_px_need_ops(x, 3, 3);
  if (s->nparts != 2) wg_px_unsupported(x, "this form");
  int32_t a = wg_px_src_pair(x, &s->op[1]), b = wg_px_src_pair(x, &s->op[2]);
  wg_px_emit(x, kWgOp_DMNMX, 0, wg_px_dst(x, &s->op[0], 8), a, b, -1)->ps0_not = max;
}

static unsigned rounding(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  bool integral = false;
  if (s->nparts == 2) return kRndRn;
  int r = s->nparts == 3 ? wg_px_rounding(s->part[1], &integral) : -1;
  if (r < 0 || integral) wg_px_unsupported(x, "this form");
  return MOD(RND, (unsigned)r);
}

void wg_px_lower_f64(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  const char *op = s->part[0];
  bool fma = strcmp(op, "fma") == 0 || strcmp(op, "mad") == 0;
  if (strcmp(op, "neg") == 0 || strcmp(op, "abs") == 0) {
    unary(x, s, op[0] == 'n' ? kWgMark_NA : kWgMark_AA);
  } else if (strcmp(op, "copysign") == 0) {
    copysign64(x, s);
  } else if (strcmp(op, "min") == 0 || strcmp(op, "max") == 0) {
    minmax(x, s, op[1] == 'a');
  } else {
    unsigned mods = rounding(x, s);
    wg_px_need_ops(x, fma ? 4 : 3, fma ? 4 : 3);
    int32_t a = wg_px_src_pair(x, &s->op[1]), b = wg_px_src_pair(x, &s->op[2]);
    int32_t c = fma ? wg_px_src_pair(x, &s->op[3]) : -1, d = wg_px_dst(x, &s->op[0], 8);
    if (op[0] == 's') mods |= kWgMark_NB;
    (void)wg_px_emit(x, fma ? kWgOp_DFMA : op[0] == 'm' ? kWgOp_DMUL : kWgOp_DADD, mods, d, a, b, c);
  }
}
