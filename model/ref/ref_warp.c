// SPDX-License-Identifier: Apache-2.0
//
// A warp's architectural state and what one issued instruction does to it.
#include <string.h>

#include "isa/wg_isa_table.h"
#include "model/ref/ref_int.h"

static const uint32_t kZeroRow[32] = {0};

void wg_ref_warp_init(wg_ref_warp_t *w, uint32_t entry_pc, uint32_t present) {
  wg_diverge_cfg_t stack = {0};
  wg_diverge_reset(&w->div, &stack, entry_pc, present);
  w->bar_result = 0u;
  memset(w->pred, 0, sizeof w->pred);
  w->pred[kWgPT] = UINT32_MAX;
  w->present = present;
}

void wg_ref_warp_diverge(wg_ref_warp_t *w, const wg_diverge_cfg_t *cfg) {
  wg_diverge_reset(&w->div, cfg, w->div.pc, w->div.mask);
}

uint32_t wg_ref_present(const wg_cta_launch_t *cta, uint32_t warp) {
  uint64_t threads = (uint64_t)cta->ntid[0] * cta->ntid[1] * cta->ntid[2];
  uint64_t first = (uint64_t)warp * 32u;
  if (first >= threads) return 0u;
  return threads - first >= 32u ? UINT32_MAX : (1u << (threads - first)) - 1u;
}

static uint32_t pred_of(const wg_ref_warp_t *w, unsigned p, bool inverted) {
  return inverted ? ~w->pred[p] : w->pred[p];
}

static const uint32_t *row_of(const wg_ref_warp_t *w, unsigned r) { return r == kWgRZ ? kZeroRow : w->reg[r]; }

const uint32_t *wg_ref_row_b(const wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st, uint32_t *scratch) {
  uint32_t v;
  if (in->form == kWgFormReg) return row_of(w, in->rb);
  if (in->form == kWgFormImm) {
    v = in->imm;
  } else {
    const wg_ref_banks_t *k = w->banks;
    if (in->coff % 4u != 0u || in->cbank > 3u || k->data[in->cbank] == NULL ||
        (uint32_t)in->coff + 4u > k->size[in->cbank]) {
      wg_ref_set_fault(st, kWgFaultAddrSpace, st->exec, in->coff);
      return NULL;
    }
    memcpy(&v, k->data[in->cbank] + in->coff, sizeof v);
  }
  for (unsigned l = 0; l < 32u; l++) scratch[l] = v;
  return scratch;
}

static void write_row(uint32_t *dst, const uint32_t *src, uint32_t lanes) {
  if (lanes == UINT32_MAX) {
    memcpy(dst, src, 32u * sizeof *dst);
    return;
  }
  for (; lanes != 0u; lanes &= lanes - 1u) {
    unsigned l = (unsigned)__builtin_ctz(lanes);
    dst[l] = src[l];
  }
}

static void write_pred(wg_ref_warp_t *w, unsigned p, uint32_t bits, uint32_t lanes) {
  if (p != kWgPT) w->pred[p] = (w->pred[p] & ~lanes) | (bits & lanes);
}

void wg_ref_commit(wg_ref_warp_t *w, const wg_insn_t *in, const wg_ref_out_t *o, uint32_t lanes) {
  if (o->wr && in->rd != kWgRZ) {
    write_row(w->reg[in->rd], o->d, lanes);
    if (o->wide) write_row(w->reg[in->rd + 1u], o->d1, lanes);
    if (o->quad) {
      write_row(w->reg[in->rd + 2u], o->d2, lanes);
      write_row(w->reg[in->rd + 3u], o->d3, lanes);
    }
  }
  if (o->wr_p1) write_pred(w, in->pd1, o->p1, lanes);
  if (o->wr_p0) write_pred(w, in->pd0, o->p0, lanes);
}

bool wg_ref_sreg(const wg_ref_warp_t *w, unsigned sr, uint32_t row[32]) {
  const wg_cta_launch_t *c = w->cta;
  for (unsigned l = 0; l < 32u; l++) {
    uint32_t t = w->warp * 32u + l;
    uint32_t v;
    switch (sr) {
      case kWgSrTidX: v = t % c->ntid[0]; break;
      case kWgSrTidY: v = t / c->ntid[0] % c->ntid[1]; break;
      case kWgSrTidZ: v = t / c->ntid[0] / c->ntid[1]; break;
      case kWgSrCtaidX: v = c->ctaid[0]; break;
      case kWgSrCtaidY: v = c->ctaid[1]; break;
      case kWgSrCtaidZ: v = c->ctaid[2]; break;
      case kWgSrLaneId: v = l; break;
      case kWgSrGridIdLo: v = c->grid_id; break;
      case kWgSrLaneMaskEq: v = 1u << l; break;
      case kWgSrLaneMaskLt: v = (1u << l) - 1u; break;
      case kWgSrLaneMaskLe: v = (2u << l) - 1u; break;
      case kWgSrLaneMaskGt: v = ~((2u << l) - 1u); break;
      case kWgSrLaneMaskGe: v = ~((1u << l) - 1u); break;
      default:
        if (sr <= (unsigned)kWgSrBarResult) return false;
        v = 0u; /* numbers that cfg.def does not list read 0 */
        break;
    }
    row[l] = v;
  }
  return true;
}

static bool regs_in_range(const wg_ref_warp_t *w, const wg_regset_t *r) {
  for (unsigned i = 0; i < 5u; i++) {
    if (r->count[i] != 0u && (uint32_t)r->first[i] + r->count[i] > w->num_regs) return false;
  }
  return true;
}

static void issue_sreg(wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st) {
  st->out.wide = st->out.quad = st->out.wr_p0 = st->out.wr_p1 = false;
  st->out.wr = true;
  if (!wg_ref_sreg(w, in->imm, st->out.d)) {
    st->kind = kWgRefSreg;
    return;
  }
  wg_ref_commit(w, in, &st->out, st->exec);
}

/* Row `k` behind register `reg` of an operand that is `count` registers long; zeros where there is none. */
static const uint32_t *row_behind(const wg_ref_warp_t *w, uint8_t reg, unsigned count, unsigned k) {
  return reg != kWgRZ && k < count ? w->reg[reg + k] : kZeroRow;
}

static void issue_alu(wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st) {
  uint32_t b_row[32], c_row[32];
  const wg_op_facts_t *f = wg_op_facts(in->op);
  unsigned na = wg_op_field_regs(f, 'A', in->mods), nb = wg_op_field_regs(f, 'B', in->mods),
           nc = wg_op_field_regs(f, 'C', in->mods);
  wg_ref_in_t src = {.a = row_of(w, in->ra),
                     .b = wg_ref_row_b(w, in, st, b_row),
                     .c = row_of(w, in->rc),
                     .a1 = row_behind(w, in->ra, na, 1u),
                     .a2 = row_behind(w, in->ra, na, 2u),
                     .a3 = row_behind(w, in->ra, na, 3u),
                     .b1 = row_behind(w, in->rb, nb, 1u),
                     .c1 = row_behind(w, in->rc, nc, 1u),
                     .c2 = row_behind(w, in->rc, nc, 2u),
                     .c3 = row_behind(w, in->rc, nc, 3u),
                     .p = pred_of(w, in->ps0, in->ps0_not),
                     .q = pred_of(w, in->ps1, in->ps1_not),
                     .exec = st->exec};
  if (nb == 2u && in->form == kWgFormImm) { /* an immediate is the upper word of a pair */
    src.b1 = src.b;
    src.b = kZeroRow;
  }
  if (src.b == NULL) return;
  if (in->op == kWgOp_SHFL) {
    bool imm_lane = in->form == kWgFormImm, imm_clamp = WG_MOD_GET(in, CIMM) != 0u;
    for (unsigned l = 0; l < 32u; l++) {
      if (imm_lane) b_row[l] = in->imm & 0xffu;
      if (imm_clamp) c_row[l] = in->imm >> 8 & 0xffffu;
    }
    if (imm_clamp) src.c = c_row;
  }
  if (wg_ref_exec(in, &src, &st->out)) wg_ref_commit(w, in, &st->out, st->exec);
}

void wg_ref_issue(wg_ref_warp_t *w, const wg_ref_insn_t *insn, wg_ref_step_t *st) {
  const wg_insn_t *in = &insn->in;
  st->insn = insn;
  st->pc = w->div.pc;
  st->mask = w->div.mask;
  st->exec = st->mask & pred_of(w, in->guard, in->guard_not);
  st->kind = kWgRefDone;
  st->out.wr = st->out.wide = st->out.quad = st->out.wr_p0 = st->out.wr_p1 = false;
  wg_ref_set_fault(st, kWgFaultNone, 0u, 0u);
  if (insn->state != kWgFaultNone) {
    wg_ref_set_fault(st, insn->state, st->mask, st->pc);
    return;
  }
  if (!regs_in_range(w, &insn->regs)) {
    wg_ref_set_fault(st, kWgFaultIllegalInsn, st->mask, 0u);
    return;
  }
  const wg_insn_info_t *info = wg_insn_info(in->op);
  if (info->pipe == kWgPipeCTRL) {
    wg_ref_issue_ctrl(w, in, st);
    return;
  }
  if (st->exec != 0u) {
    if (in->op == kWgOp_S2R)
      issue_sreg(w, in, st);
    else if (info->pipe == kWgPipeLSU && in->op != kWgOp_SHFL)
      wg_ref_issue_memory(w, in, st);
    else
      issue_alu(w, in, st);
  }
  if (st->fault != kWgFaultNone) return;
  wg_diverge_in_t di = {.op = in->op, .exec = st->exec};
  wg_diverge_run(&w->div, &di);
}
