// SPDX-License-Identifier: Apache-2.0
//
// VOTE, MATCH, REDUX: instructions across the lanes of a warp.
//
// The group of a lane = the lanes that execute and are in the lane's own mask operand b. PTX wants the lane itself in
// it and one mask for all; here every mask has a meaning:
//   a lane outside its own mask still gets an answer about its group;
//   an empty group: VOTE.ALL, .EQ, MATCH.ALL hold, .ANY does not; REDUX gives the operation's neutral element.
// MATCH writes the same predicate in both modes: every lane of the group has this lane's value.
// Sources: PTX ISA (vote.sync, match.sync, redux.sync); silicon/warp/{vote,match,redux}.csv.
#include "model/ref/wg_ref.h"

typedef enum redux_op { kAdd, kMin, kMax, kAnd, kOr, kXor } redux_op_t;

static uint32_t neutral(redux_op_t op, uint32_t flip) {
  switch (op) {
    case kMin: return ~flip;
    case kMax: return flip;
    case kAnd: return UINT32_MAX;
    default: return 0u;
  }
}

/* `flip`: 0x80000000 turns the unsigned comparison into the signed one. */
static uint32_t combine(redux_op_t op, uint32_t flip, uint32_t x, uint32_t y) {
  switch (op) {
    case kAdd: return x + y;
    case kMin: return (x ^ flip) < (y ^ flip) ? x : y;
    case kMax: return (x ^ flip) > (y ^ flip) ? x : y;
    case kAnd: return x & y;
    case kOr: return x | y;
    case kXor: return x ^ y;
  }
  return 0u;
}

static void vote(const wg_insn_t *in, uint32_t group, uint32_t p, unsigned l, wg_ref_out_t *out) {
  uint32_t yes = group & p;
  bool all = yes == group, any = yes != 0u, result = all;
  if (WG_MOD_GET(in, VOTEM) == 1u) result = any;
  if (WG_MOD_GET(in, VOTEM) == 2u) result = all || !any;
  out->d[l] = yes;
  out->p0 |= (uint32_t)result << l;
}

static void match(const wg_insn_t *in, const wg_ref_in_t *src, uint32_t group, unsigned l, wg_ref_out_t *out) {
  bool b64 = WG_MOD_GET(in, B64) != 0u, mode_all = WG_MOD_GET(in, MATCHM) != 0u;
  uint32_t same = 0u;
  for (uint32_t m = group; m != 0u; m &= m - 1u) {
    unsigned j = (unsigned)__builtin_ctz(m);
    bool eq = src->a[j] == src->a[l] && (!b64 || src->a1[j] == src->a1[l]);
    same |= (uint32_t)eq << j;
  }
  bool all = same == group;
  out->d[l] = mode_all && !all ? 0u : same;
  out->p0 |= (uint32_t)all << l;
}

static uint32_t redux(const wg_insn_t *in, const uint32_t *a, uint32_t group) {
  redux_op_t op = (redux_op_t)WG_MOD_GET(in, RDXOP);
  uint32_t flip = WG_MOD_GET(in, RDXS) != 0u ? 0x80000000u : 0u;
  uint32_t r = neutral(op, flip);
  for (; group != 0u; group &= group - 1u) r = combine(op, flip, r, a[__builtin_ctz(group)]);
  return r;
}

bool wg_ref_exec_xlane(const wg_insn_t *in, const wg_ref_in_t *src, wg_ref_out_t *out) {
  if (in->op != kWgOp_VOTE && in->op != kWgOp_MATCH && in->op != kWgOp_REDUX) return false;
  out->wr = true;
  out->wide = out->quad = false;
  out->wr_p0 = in->op != kWgOp_REDUX;
  out->wr_p1 = false;
  out->p0 = out->p1 = 0u;
  for (uint32_t m = src->exec; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    uint32_t group = src->exec & src->b[l];
    switch (in->op) {
      case kWgOp_VOTE: vote(in, group, src->p, l, out); break;
      case kWgOp_MATCH: match(in, src, group, l, out); break;
      default: out->d[l] = redux(in, src->a, group); break;
    }
  }
  return true;
}
