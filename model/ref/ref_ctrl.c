// SPDX-License-Identifier: Apache-2.0
//
// Control instructions of a warp: operands for the divergence twin, faults, the registers that CALL, BMOV.RD and BSSY.RD write.
#include "isa/wg_isa_table.h"
#include "model/ref/ref_int.h"

static const uint32_t kPcMask = (1u << kWgPcBits) - 1u;
static const uint32_t kZeroRow[32] = {0};

static const uint32_t *row_of(const wg_ref_warp_t *w, unsigned r) { return r == kWgRZ ? kZeroRow : w->reg[r]; }

/* Warp-wide operands come from the lowest executing lane. */
static uint32_t uniform(const uint32_t *row, uint32_t exec) { return row[__builtin_ctz(exec)]; }

static wg_bar_arrival_t arrival_of(const wg_ref_warp_t *w, const wg_insn_t *in, const wg_ref_step_t *st) {
  bool red = in->op == kWgOp_BARRED;
  unsigned cnt = WG_MOD_GET(in, BARCNT);
  uint32_t id = in->form == kWgFormReg ? uniform(row_of(w, in->rb), st->exec) : in->imm;
  uint32_t count = cnt == 1u ? in->imm >> 16 & 0xfffu : (cnt == 2u ? uniform(row_of(w, in->rc), st->exec) : 0u);
  if (in->form != kWgFormReg) id &= 0xffffu; /* above it stands the count */
  wg_bar_arrival_t a = {.id = id > 255u ? 255u : (uint8_t)id, /* 16 and above fault */
                        .pc = st->pc,
                        .arrive_only = !red && WG_MOD_GET(in, BARM) == 1u,
                        .has_count = cnt != 0u,
                        .red = red ? (uint8_t)(WG_MOD_GET(in, BAROP) + 1u) : (uint8_t)kWgBarRedNone,
                        .count = count > 0xfffu ? 0xfffu : count, /* no multiple of 32: faults */
                        .lanes = st->exec};
  if (red) a.preds = (in->ps0_not ? ~w->pred[in->ps0] : w->pred[in->ps0]) & st->exec;
  return a;
}

/* Operands of an instruction with executing lanes. @return false after a fault */
static bool fill_in(const wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st, wg_diverge_in_t *di) {
  switch (in->op) {
    case kWgOp_RET:
    case kWgOp_BRX:
    case kWgOp_BMOVB: di->lane_target = row_of(w, in->ra); break;
    case kWgOp_BAR:
    case kWgOp_BARRED: di->bar = arrival_of(w, in, st); break;
    case kWgOp_WARPSYNC:
    case kWgOp_NANOSLEEP: {
      uint32_t scratch[32];
      const uint32_t *b = wg_ref_row_b(w, in, st, scratch);
      if (b == NULL) return false;
      di->value = uniform(b, st->exec);
      break;
    }
    default: break;
  }
  return true;
}

/* The row that CALL, BMOV.RD and BSSY.RD write. */
static void write_result(wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st, uint32_t breg_mask) {
  uint32_t v = in->op == kWgOp_CALL ? (st->pc + (uint32_t)kWgInsnBytes) & kPcMask
               : in->op == kWgOp_BSSYR ? st->mask
                                       : breg_mask;
  st->out.wr = true;
  for (unsigned l = 0; l < 32u; l++) st->out.d[l] = v;
  wg_ref_commit(w, in, &st->out, st->exec);
}

/* No such barrier, or a number of threads that warps cannot make: judged when it is executed, before the warp has gathered. */
static bool bad_barrier(const wg_bar_arrival_t *a) {
  return a->id >= (unsigned)kWgBarriers || (a->has_count && (a->count == 0u || a->count % 32u != 0u));
}

void wg_ref_issue_ctrl(wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st) {
  if (st->exec != 0u && in->op == kWgOp_TRAP) {
    wg_ref_set_fault(st, in->imm == 1u ? kWgFaultAssert : kWgFaultTrap, st->exec, 0u);
    return;
  }
  wg_diverge_in_t di = {.op = in->op == kWgOp_BSSYR ? (uint8_t)kWgOp_BSSY : in->op,
                        .breg = in->breg,
                        .target = (st->pc + (uint32_t)kWgInsnBytes + in->imm) & kPcMask,
                        .exec = st->exec};
  if (st->exec != 0u && !fill_in(w, in, st, &di)) return;
  if (st->exec != 0u && (in->op == kWgOp_BAR || in->op == kWgOp_BARRED) && bad_barrier(&di.bar)) {
    const wg_bar_trap_t why = {di.bar.id, di.bar.has_count ? di.bar.count : 0u, 0u, 0u};
    wg_ref_set_fault(st, kWgFaultTrap, st->exec, wg_bar_trap_pack(&why));
    return;
  }
  uint32_t breg_mask = wg_diverge_breg(&w->div, in->breg, (unsigned)__builtin_ctz(st->mask));
  wg_diverge_out_t o = wg_diverge_run(&w->div, &di);
  if (o.fault != kWgFaultNone) {
    wg_ref_set_fault(st, o.fault, st->exec, 0u);
    return;
  }
  if (o.arrives) {
    st->kind = kWgRefBarrier;
    st->bar = o.bar;
  }
  st->diverge = di;
  bool writes = in->op == kWgOp_CALL || in->op == kWgOp_BMOVR || in->op == kWgOp_BSSYR;
  if (st->exec != 0u && writes) write_result(w, in, st, breg_mask);
}
