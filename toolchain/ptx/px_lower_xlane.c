// SPDX-License-Identifier: Apache-2.0
//
// Lowering of instructions across the lanes of a warp: vote, match, redux, activemask, elect. Their member mask is an
// operand; its lanes are gathered where they may be apart (px_break.c).
#include "toolchain/ptx/px_build.h"

static int one_of(const char *name, const char *const *table, int n) {
  for (int i = 0; i < n; i++) {
    if (strcmp(table[i], name) == 0) return i;
  }
  return -1;
}

/* vote.sync.{all,any,uni}.pred p, q, mask; vote.sync.ballot.b32 d, q, mask */
void wg_px_lower_vote(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  static const char *const kModes[] = {"all", "any", "uni", "ballot"};
  int mode = s->nparts == 4 && wg_px_part(s, 1, "sync") ? one_of(s->part[2], kModes, 4) : -1;
  if (mode < 0 || !wg_px_part(s, 3, mode == 3 ? "b32" : "pred")) wg_px_unsupported(x, "this form");
  wg_px_need_ops(x, 3, 3);
  bool is_not;
  int32_t p = wg_px_psrc(x, &s->op[1], &is_not), mask = wg_px_src(x, &s->op[2], 0);
  int32_t d = mode == 3 ? wg_px_dst(x, &s->op[0], 4) : -1, pd = mode == 3 ? -1 : wg_px_pdst(x, &s->op[0]);
  wg_px_gather(x, mask);
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_VOTE, MOD(VOTEM, mode == 3 ? 1 : mode), d, -1, mask, -1);
  in->pd0 = pd;
  in->ps0 = p;
  in->ps0_not = is_not;
}

void wg_px_lower_activemask(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 1, 1);
  if (s->nparts != 2 || wg_px_last_type(s) != kWgPxB32) wg_px_unsupported(x, "this form");
  (void)wg_px_emit_imm(x, kWgOp_VOTE, MOD(VOTEM, 1), wg_px_dst(x, &s->op[0], 4), -1, UINT32_MAX, -1);
}

/* match.any.sync.type d, a, mask; match.all.sync.type d|p, a, mask */
void wg_px_lower_match(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  bool all = wg_px_part(s, 1, "all"), wide = wg_px_type_size(wg_px_last_type(s)) == 8;
  wg_px_type_t t = wg_px_last_type(s);
  wg_px_need_ops(x, 3, 3);
  if (s->nparts != 4 || (!all && !wg_px_part(s, 1, "any")) || !wg_px_part(s, 2, "sync") ||
      (t != kWgPxB32 && t != kWgPxB64)) {
    wg_px_unsupported(x, "this form");
  }
  int32_t a = wide ? wg_px_src_pair(x, &s->op[1]) : wg_px_src(x, &s->op[1], 0), mask = wg_px_src(x, &s->op[2], 0);
  int32_t d = wg_px_dst(x, &s->op[0], 4), p = wg_px_pdst1(x, s);
  wg_px_gather(x, mask);
  wg_px_emit(x, kWgOp_MATCH, MOD(MATCHM, all) | MOD(B64, wide), d, a, mask, -1)->pd0 = p;
}

void wg_px_lower_redux(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  static const char *const kOps[] = {"add", "min", "max", "and", "or", "xor"};
  int op = s->nparts == 4 && wg_px_part(s, 1, "sync") ? one_of(s->part[2], kOps, 6) : -1;
  wg_px_type_t t = wg_px_last_type(s);
  wg_px_need_ops(x, 3, 3);
  bool type_ok = op >= 3 ? t == kWgPxB32 : t == kWgPxU32 || t == kWgPxS32;
  if (op < 0 || !type_ok) wg_px_unsupported(x, "this form");
  int32_t a = wg_px_src(x, &s->op[1], 0), mask = wg_px_src(x, &s->op[2], 0);
  wg_px_gather(x, mask);
  (void)wg_px_emit(x, kWgOp_REDUX, MOD(RDXOP, op) | MOD(RDXS, t == kWgPxS32), wg_px_dst(x, &s->op[0], 4), a, mask, -1);
}

/* elect.sync d|p, mask: the mask's lowest lane leads; d is its number, p holds in it alone. */
void wg_px_lower_elect(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 2, 2);
  if (s->nparts != 2 || !wg_px_part(s, 1, "sync")) wg_px_unsupported(x, "this form");
  int32_t mask = wg_px_src(x, &s->op[1], 0), d = wg_px_dst(x, &s->op[0], 4), p = wg_px_pdst1(x, s);
  int32_t members = wg_px_tmp(x); /* of those that are here */
  wg_px_gather(x, mask);
  (void)wg_px_emit(x, kWgOp_VOTE, MOD(VOTEM, 1), members, -1, mask, -1);
  int32_t leader = wg_px_op(x, kWgOp_FLO, MOD(FLOSH, 1), wg_px_op(x, kWgOp_BREV, 0, members, -1, -1), -1, -1);
  int32_t lane = wg_px_tmp(x);
  wg_px_emit(x, kWgOp_S2R, 0, lane, -1, -1, -1)->imm = kWgSrLaneId;
  wg_px_emit(x, kWgOp_ISETP, MOD(ICMP, kCmpEq), -1, lane, leader, -1)->pd0 = p;
  wg_px_mov(x, d, leader);
}
