// SPDX-License-Identifier: Apache-2.0
//
// A warp's architectural state and what one issued instruction does to it.
#include <string.h>

#include "model/ref/wg_ref.h"

static const uint32_t kZeroRow[32] = {0};
static const uint32_t kPcMask = (1u << kWgPcBits) - 1u;

void wg_ref_warp_init(wg_ref_warp_t *w, uint32_t entry_pc, uint32_t present) {
  wg_simt_reset(&w->stack, entry_pc, present);
  memset(w->pred, 0, sizeof w->pred);
  w->pred[kWgPT] = UINT32_MAX;
  w->present = present;
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

static void set_fault(wg_ref_step_t *st, uint8_t code, uint32_t lanes, uint64_t addr) {
  st->fault = code;
  st->fault_lanes = lanes;
  st->fault_addr = addr;
}

/* Source b as a row; immediates and constants are spread into `scratch`. NULL after a fault. */
static const uint32_t *row_b(const wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st, uint32_t scratch[32]) {
  uint32_t v;
  if (in->form == kWgFormReg) return row_of(w, in->rb);
  if (in->form == kWgFormImm) {
    v = in->imm;
  } else {
    const wg_ref_banks_t *k = w->banks;
    if (in->coff % 4u != 0u || in->cbank > 3u || k->data[in->cbank] == NULL ||
        (uint32_t)in->coff + 4u > k->size[in->cbank]) {
      set_fault(st, kWgFaultAddrSpace, st->exec, in->coff);
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

static void commit(wg_ref_warp_t *w, const wg_insn_t *in, const wg_ref_out_t *o, uint32_t lanes) {
  if (o->wr && in->rd != kWgRZ) {
    write_row(w->reg[in->rd], o->d, lanes);
    if (o->wide) write_row(w->reg[in->rd + 1u], o->d1, lanes);
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
        if (sr <= (unsigned)kWgSrGlobalTimerHi) return false;
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

/* Warp-wide operands (barrier id and count) come from the lowest executing lane. */
static uint32_t uniform(const wg_ref_warp_t *w, unsigned reg, uint32_t exec) {
  return row_of(w, reg)[__builtin_ctz(exec)];
}

static void issue_bar(const wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st) {
  st->kind = kWgRefBarrier;
  uint32_t id = in->form == kWgFormReg ? uniform(w, in->rb, st->exec) : in->imm & 15u;
  unsigned cnt = WG_MOD_GET(in, BARCNT);
  st->bar_arrive_only = WG_MOD_GET(in, BARM) == 1u;
  st->bar_has_count = cnt != 0u;
  st->bar_count = cnt == 1u ? in->imm >> 16 & 0xfffu : (cnt == 2u ? uniform(w, in->rc, st->exec) : 0u);
  st->bar_id = (uint8_t)(id & 15u);
  st->bar_count &= 0xfffu;
  if (st->bar_has_count && (st->bar_count == 0u || st->bar_count % 32u != 0u))
    set_fault(st, kWgFaultTrap, st->exec, 0u);
}

static void issue_ctrl(wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st) {
  if (st->exec != 0u && in->op == kWgOp_TRAP) {
    set_fault(st, in->imm == 1u ? kWgFaultAssert : kWgFaultTrap, st->exec, 0u);
    return;
  }
  if (st->exec != 0u && in->op == kWgOp_BAR) issue_bar(w, in, st);
  if (st->fault != kWgFaultNone) return;
  wg_simt_in_t si = {in->op, in->breg, (st->pc + (uint32_t)kWgInsnBytes + in->imm) & kPcMask, st->exec};
  wg_simt_out_t so = wg_simt_step(&w->stack, &si);
  if (so.fault != kWgFaultNone) set_fault(st, so.fault, st->exec, 0u);
}

static bool is_shared(const wg_insn_t *in) { return wg_insn_space(in->op) == kWgSpaceShared; }
static bool is_store(const wg_insn_t *in) { return wg_insn_is_store(in->op); }

/* Device address of byte `offset` of lane l's local frame: isa/README.md, LDL. */
static uint64_t local_addr(const wg_ref_warp_t *w, uint32_t offset, unsigned l) {
  uint64_t word = (uint64_t)w->warp_slot * (w->cta->local_bytes / 4u) + offset / 4u;
  return w->cta->local_arena + (word * 32u + l) * 4u + offset % 4u;
}

static void issue_memory(const wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st) {
  st->bytes = wg_insn_bytes(in);
  st->kind = kWgRefMemory;
  const uint32_t *lo = row_of(w, in->ra);
  wg_space_t space = wg_insn_space(in->op);
  bool narrow = space != kWgSpaceGlobal; /* offsets of 32 bits within a range */
  uint32_t size = space == kWgSpaceShared ? w->shared_size : w->cta->local_bytes;
  const uint32_t *hi = narrow || in->ra == kWgRZ ? kZeroRow : w->reg[in->ra + 1u];
  uint32_t misaligned = 0u, outside = 0u; /* outside: the range, or the device's address bits */
  for (uint32_t rest = st->exec; rest != 0u; rest &= rest - 1u) {
    unsigned l = (unsigned)__builtin_ctz(rest);
    uint64_t a = (uint64_t)hi[l] << 32 | lo[l];
    a += (uint64_t)(int64_t)(int32_t)in->imm;
    if (narrow) a &= UINT32_MAX;
    st->addr[l] = a;
    if (a % st->bytes != 0u) misaligned |= 1u << l;
    if (narrow ? a + st->bytes > size : a >> kWgAddrBits != 0u) outside |= 1u << l;
  }
  uint32_t bad = misaligned != 0u ? misaligned : outside;
  if (bad != 0u) {
    uint8_t range = narrow ? kWgFaultAddrSpace : kWgFaultIllegalAddr;
    set_fault(st, misaligned != 0u ? kWgFaultMisaligned : range, bad, st->addr[__builtin_ctz(bad)]);
    return;
  }
  if (space == kWgSpaceLocal) {
    for (uint32_t rest = st->exec; rest != 0u; rest &= rest - 1u) {
      unsigned l = (unsigned)__builtin_ctz(rest);
      st->addr[l] = local_addr(w, (uint32_t)st->addr[l], l);
    }
  }
  if (!is_store(in)) return;
  unsigned words = st->bytes > 4u ? st->bytes / 4u : 1u;
  for (unsigned k = 0; k < words; k++) {
    memcpy(st->data[k], in->rc == kWgRZ ? kZeroRow : w->reg[in->rc + k], sizeof st->data[k]);
  }
}

static void issue_sreg(wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st) {
  st->out.wide = st->out.wr_p0 = st->out.wr_p1 = false;
  st->out.wr = true;
  if (!wg_ref_sreg(w, in->imm, st->out.d)) {
    st->kind = kWgRefSreg;
    return;
  }
  commit(w, in, &st->out, st->exec);
}

static void issue_alu(wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st) {
  uint32_t b_row[32], c_row[32];
  const uint32_t *c1 =
      in->op == kWgOp_IMAD && WG_MOD_GET(in, IMADK) == 2u && in->rc != kWgRZ ? w->reg[in->rc + 1u] : kZeroRow;
  wg_ref_in_t src = {row_of(w, in->ra),
                     row_b(w, in, st, b_row),
                     row_of(w, in->rc),
                     c1,
                     pred_of(w, in->ps0, in->ps0_not),
                     pred_of(w, in->ps1, in->ps1_not),
                     st->exec};
  if (src.b == NULL) return;
  if (in->op == kWgOp_SHFL) {
    bool imm_lane = in->form == kWgFormImm, imm_clamp = WG_MOD_GET(in, CIMM) != 0u;
    for (unsigned l = 0; l < 32u; l++) {
      if (imm_lane) b_row[l] = in->imm & 0xffu;
      if (imm_clamp) c_row[l] = in->imm >> 8 & 0xffffu;
    }
    if (imm_clamp) src.c = c_row;
  }
  if (wg_ref_exec(in, &src, &st->out)) commit(w, in, &st->out, st->exec);
}

void wg_ref_issue(wg_ref_warp_t *w, const wg_ref_insn_t *insn, wg_ref_step_t *st) {
  const wg_insn_t *in = &insn->in;
  st->insn = insn;
  st->pc = w->stack.pc;
  st->mask = w->stack.mask;
  st->exec = st->mask & pred_of(w, in->guard, in->guard_not);
  st->kind = kWgRefDone;
  st->out.wr = st->out.wide = st->out.wr_p0 = st->out.wr_p1 = false;
  set_fault(st, kWgFaultNone, 0u, 0u);
  if (insn->state != kWgFaultNone) {
    set_fault(st, insn->state, st->mask, st->pc);
    return;
  }
  if (!regs_in_range(w, &insn->regs)) {
    set_fault(st, kWgFaultIllegalInsn, st->mask, 0u);
    return;
  }
  const wg_insn_info_t *info = wg_insn_info(in->op);
  if (info->pipe == kWgPipeCTRL) {
    issue_ctrl(w, in, st);
    return;
  }
  if (st->exec != 0u) {
    if (in->op == kWgOp_S2R)
      issue_sreg(w, in, st);
    else if (info->pipe == kWgPipeLSU && in->op != kWgOp_SHFL)
      issue_memory(w, in, st);
    else
      issue_alu(w, in, st);
  }
  if (st->fault != kWgFaultNone) return;
  wg_simt_in_t si = {in->op, 0u, 0u, st->exec};
  wg_simt_step(&w->stack, &si);
}

void wg_ref_extend(const wg_insn_t *in, const uint8_t *raw, uint32_t word[4]) {
  unsigned n = wg_insn_bytes(in);
  if (n >= 4u) {
    memcpy(word, raw, n);
    return;
  }
  uint32_t v = raw[0];
  if (n == 2u) v |= (uint32_t)raw[1] << 8;
  unsigned top = 8u * n - 1u;
  bool is_signed = (WG_MOD_GET(in, MSIZE) & 1u) != 0u;
  if (is_signed && (v >> top & 1u) != 0u) v |= UINT32_MAX << top;
  word[0] = v;
}

const uint8_t *wg_ref_store_order(unsigned bytes) {
  /* groups of lanes ascending (1, 2 or 4 of them), in a group the lowest lane last: silicon/warp/samestore.csv */
  static const uint8_t k1[32] = {31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
                                 15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0};
  static const uint8_t k2[32] = {15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0,
                                 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16};
  static const uint8_t k4[32] = {7,  6,  5,  4,  3,  2,  1,  0,  15, 14, 13, 12, 11, 10, 9,  8,
                                 23, 22, 21, 20, 19, 18, 17, 16, 31, 30, 29, 28, 27, 26, 25, 24};
  return bytes == 16u ? k4 : (bytes == 8u ? k2 : k1);
}

static bool access_lane(wg_ref_warp_t *w, wg_ref_step_t *st, unsigned l, uint8_t *shared, const wg_ref_mem_t *mem) {
  const wg_insn_t *in = &st->insn->in;
  uint64_t a = st->addr[l];
  uint32_t word[4] = {0};
  uint8_t raw[16];
  if (is_store(in)) {
    for (unsigned k = 0; k < 4u; k++) word[k] = st->data[k][l];
    memcpy(raw, word, st->bytes); /* little endian hosts only, as everything here */
    if (is_shared(in)) memcpy(shared + a, raw, st->bytes);
    return is_shared(in) || mem->write(mem->ctx, a, raw, st->bytes);
  }
  if (is_shared(in))
    memcpy(raw, shared + a, st->bytes);
  else if (!mem->read(mem->ctx, a, raw, st->bytes))
    return false;
  wg_ref_extend(in, raw, word);
  if (in->rd == kWgRZ) return true;
  for (unsigned k = 0; k < (st->bytes > 4u ? st->bytes / 4u : 1u); k++) w->reg[in->rd + k][l] = word[k];
  return true;
}

uint8_t wg_ref_memory(wg_ref_warp_t *w, wg_ref_step_t *st, uint32_t lanes, uint8_t *shared, const wg_ref_mem_t *mem) {
  const uint8_t *order = wg_ref_store_order(st->bytes);
  uint32_t bad = 0u;
  for (unsigned i = 0; i < 32u; i++) {
    unsigned l = order[i];
    if ((lanes >> l & 1u) == 0u) continue;
    if (!access_lane(w, st, l, shared, mem)) bad |= 1u << l;
  }
  if (bad == 0u) return kWgFaultNone;
  set_fault(st, kWgFaultIllegalAddr, bad, st->addr[__builtin_ctz(bad)]);
  return kWgFaultIllegalAddr;
}
