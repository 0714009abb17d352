// SPDX-License-Identifier: Apache-2.0
//
// Instructions: golden execution at ISSUE, comparison of registers at WB and of predicates at PRED.
#include <string.h>

#include "cosim/lockstep_int.h"

ls_warp_t *ls_warp_at(wg_lockstep_t *ls, unsigned sub, unsigned slot, const char *event) {
  if (sub >= ls->shape.sub_cores || slot >= ls->shape.warp_slots) {
    ls_fail(ls, NULL, NULL, event, "expected: a warp slot\ngot: sub-core %u, slot %u", sub, slot);
    return NULL;
  }
  ls_warp_t *lw = &ls->warp[sub][slot];
  if (!lw->active) {
    ls_fail(ls, NULL, NULL, event, "expected: nothing, the slot holds no warp\ngot: an event of sub-core %u, slot %u",
            sub, slot);
    return NULL;
  }
  return lw;
}

/* ---- operands nobody has written, operands not there yet ---- */

/* Lanes in which every source register of the ranges [from, to] and the predicate sources are known. */
static uint32_t known_lanes(const wg_lockstep_t *ls, const ls_warp_t *lw, const wg_ref_insn_t *insn, unsigned from,
                            unsigned to) {
  uint32_t known = lw->pred_known[insn->in.ps0] & lw->pred_known[insn->in.ps1];
  for (unsigned i = from; i <= to; i++) {
    for (unsigned k = 0; k < insn->regs.count[i]; k++) {
      known &= ls->reg_known[lw->sub][lw->reg_base + insn->regs.first[i] + k];
    }
  }
  return known;
}

static bool early_operand(wg_lockstep_t *ls, const ls_warp_t *lw, const wg_ref_insn_t *insn) {
  for (unsigned i = 0; i < 5u; i++) {
    for (unsigned k = 0; k < insn->regs.count[i]; k++) {
      unsigned r = (unsigned)insn->regs.first[i] + k;
      if (lw->open_v[r] == 0u) continue;
      ls_fail(ls, lw, &lw->w.div.pc, "instruction issued too early",
              "expected: to wait for the write of R%u\ngot: issue while it is open", r);
      return true;
    }
  }
  const uint8_t p[5] = {insn->in.guard, insn->in.ps0, insn->in.ps1, insn->in.pd0, insn->in.pd1};
  for (unsigned i = 0; i < 5u; i++) {
    if (lw->open_vp[p[i]] == 0u) continue;
    ls_fail(ls, lw, &lw->w.div.pc, "instruction issued too early",
            "expected: to wait for the write of P%u\ngot: issue while it is open", p[i]);
    return true;
  }
  return false;
}

/* ---- ops ---- */

static ls_op_t *new_op(wg_lockstep_t *ls, ls_warp_t *lw, const wg_ref_step_t *st) {
  if (lw->ops == (unsigned)kLsMaxOps) {
    ls_fail(ls, lw, &st->pc, "too many instructions in flight", "expected: at most %d of a warp\ngot: one more",
            (int)kLsMaxOps);
    return NULL;
  }
  ls_op_t *op = ls->free_ops;
  if (op != NULL) {
    ls->free_ops = op->next_free;
  } else {
    op = malloc(sizeof *op);
    WG_BUG(op == NULL);
  }
  memset(op, 0, offsetof(ls_op_t, word));
  op->p_left[0] = op->p_left[1] = op->p_bits[0] = op->p_bits[1] = 0u;
  op->mem_left = op->waiting = op->rows_of = op->in_shared = op->in_local = 0u;
  op->passes.num = op->pass = op->steps = op->step = 0u;
  op->seq = 0u;
  op->insn = st->insn;
  op->pc = st->pc;
  op->exec = st->exec;
  op->cycle = ls->cycle;
  lw->op[lw->ops++] = op;
  return op;
}

void ls_retire(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op) {
  if ((op->wb_left[0] | op->wb_left[1] | op->wb_left[2] | op->wb_left[3]) != 0u) return;
  if ((op->p_left[0] | op->p_left[1] | op->mem_left | op->waiting) != 0u || op->lsu) return;
  if (op->unknown == 0u) ls_retired(ls, op->insn, op->exec);
  unsigned i = 0;
  while (lw->op[i] != op) i++;
  lw->ops--;
  memmove(&lw->op[i], &lw->op[i + 1u], (lw->ops - i) * sizeof lw->op[0]);
  op->next_free = ls->free_ops;
  ls->free_ops = op;
}

static void set_known(wg_lockstep_t *ls, const ls_warp_t *lw, unsigned r, uint32_t lanes, uint32_t unknown) {
  uint32_t *k = &ls->reg_known[lw->sub][lw->reg_base + r];
  *k = (*k | lanes) & ~(lanes & unknown);
}

/* Write-backs that the op owes, and what is known of its destinations. */
static void open_registers(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op, unsigned rows) {
  const wg_insn_t *in = &op->insn->in;
  op->rows = in->rd == kWgRZ ? 0u : (uint8_t)rows;
  for (unsigned k = 0; k < op->rows; k++) {
    op->wb_left[k] = op->exec;
    if (op->variable) lw->open_v[in->rd + k]++;
    if ((op->ready & op->exec) == op->exec) set_known(ls, lw, in->rd + k, op->exec, op->unknown);
  }
}

static void open_predicates(ls_warp_t *lw, ls_op_t *op, const wg_ref_out_t *o) {
  const wg_insn_t *in = &op->insn->in;
  op->pd[0] = in->pd0;
  op->pd[1] = in->pd1;
  op->p_bits[0] = o->p0;
  op->p_bits[1] = o->p1;
  const bool wr[2] = {o->wr_p0, o->wr_p1};
  for (unsigned j = 0; j < 2u; j++) {
    unsigned p = op->pd[j];
    if (!wr[j] || p == kWgPT) continue;
    op->p_left[j] = op->exec;
    if (op->variable) lw->open_vp[p]++;
    lw->pred_known[p] = (lw->pred_known[p] | op->exec) & ~(op->exec & op->unknown);
  }
}

static void hash_op(wg_lockstep_t *ls, const ls_warp_t *lw, const ls_op_t *op) {
  wg_ref_written_t w = {{op->word[0], op->word[1], op->word[2], op->word[3]}, op->rows, false, 0u, 0u};
  const wg_insn_t *in = &op->insn->in;
  if (in->op == kWgOp_BSSYR) w.rows = 0u; /* which lanes run together depends on the mode */
  w.preds = in->pd0 != kWgPT || in->pd1 != kWgPT;
  w.p0 = op->p_bits[0];
  w.p1 = op->p_bits[1];
  ls->counts.retire_hash += wg_ref_hash_terms(&lw->hash, op->exec, op->unknown, op->place, op->pc, &w);
}

void ls_loaded(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op, uint32_t lanes) {
  const wg_insn_t *in = &op->insn->in;
  for (unsigned k = 0; k < op->rows; k++) {
    for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
      unsigned l = (unsigned)__builtin_ctz(m);
      lw->w.reg[in->rd + k][l] = op->word[k][l];
    }
    set_known(ls, lw, in->rd + k, lanes, op->unknown);
  }
  wg_race_block_t *race = ls->block[lw->block].race;
  if (race != NULL && wg_insn_space(in->op) != kWgSpaceNone)
    wg_race_loaded(race, lw->w.warp, in, op->pc, lanes & ~op->in_local, op->in_shared, op->addr);
  wg_span_block_t *span = ls->block[lw->block].span;
  if (span != NULL)
    wg_span_loaded(span, lw->w.warp, in, lanes, op->in_shared, op->addr, (const uint32_t(*)[32])op->word,
                   (const uint32_t(*)[32])op->data);
  if (op->atomic && op->rows != 0u && ls->env.writers != NULL) {
    const uint32_t *const old[2] = {op->word[0], op->rows > 1u ? op->word[1] : NULL};
    wg_writers_atomic(ls->env.writers, lw->w.cta, lw->w.warp, in, op->pc, lanes & ~op->in_local & ~op->unknown, op->in_shared, op->addr,
                      (const uint32_t(*)[32])op->data, old);
  }
  op->ready |= lanes;
  if (op->ready == op->exec) hash_op(ls, lw, op);
}

/* ---- ISSUE ---- */

static bool place_sreg(const wg_lockstep_t *ls, const ls_warp_t *lw, unsigned sr, uint32_t *v) {
  switch (sr) {
    case kWgSrWarpId: *v = lw->sub + ls->shape.sub_cores * lw->slot; return true;
    case kWgSrNWarpId: *v = ls->cfg.warp_slots * ls->shape.sub_cores; return true;
    case kWgSrSmId: *v = ls->cfg.smid; return true;
    case kWgSrNSmId: *v = ls->cfg.nsmid; return true;
    case kWgSrBarResult: *v = lw->w.bar_result; return lw->bar_result_known;
    default: return false;
  }
}

static void start_sreg(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op) {
  uint32_t v;
  op->variable = true;
  if (place_sreg(ls, lw, op->insn->in.imm, &v)) {
    for (unsigned l = 0; l < 32u; l++) op->word[0][l] = v;
    open_registers(ls, lw, op, 1u);
    ls_loaded(ls, lw, op, op->exec);
    return;
  }
  op->adopt = true;
  open_registers(ls, lw, op, 1u);
  if (op->rows == 0u) hash_op(ls, lw, op);
}

/* Wavefronts of the lanes on shared memory, and what they count. */
static void split_shared(wg_lockstep_t *ls, const ls_warp_t *lw, ls_op_t *op) {
  uint32_t bank[32] = {0};
  op->passes.num = op->pass = 0u;
  if (op->in_shared == 0u) return;
  /* allocation units below 16 bytes: the array holds blocks at doubled addresses (rtl/mem/sm_lsu.sv) */
  uint32_t base = ls->block[lw->block].shared_base * (ls->cfg.shared_unit < 16u ? 2u : 1u);
  for (uint32_t m = op->in_shared; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    bank[l] = base + (uint32_t)op->addr[l];
  }
  if (op->atomic) wg_smem_split_atom(bank, op->bytes, op->in_shared, &op->passes);
  else wg_smem_split(bank, op->bytes, op->in_shared, op->store || op->insn->in.op == kWgOp_LDSM, &op->passes);
  wg_count_shared(&ls->counts, wg_access_of(&op->insn->in), op->addr, op->bytes, op->in_shared, &op->passes);
}

/* Line transactions of the other lanes, and what they count. */
static void split_device(wg_lockstep_t *ls, ls_op_t *op, uint32_t lanes) {
  wg_lockstep_counts_t *c = &ls->counts;
  op->steps = 0u;
  if (lanes == 0u) return;
  if (op->in_const) {
    op->steps = wg_coalesce_const(op->addr, op->bytes, lanes, op->line);
    c->const_requests++;
    return;
  }
  if (op->in_local != 0u) *(op->store ? &c->local_store_requests : &c->local_load_requests) += 1u;
  uint32_t global = lanes & ~op->in_local;
  op->steps = wg_coalesce(op->addr, op->bytes, global, op->line);
  if (global != 0u) wg_count_global(c, wg_access_of(&op->insn->in), op->addr, op->bytes, global, op->line, op->steps);
  if (op->atomic) op->steps = wg_coalesce_atom(op->addr, op->bytes, lanes, op->line);
  else if (global != lanes) op->steps = wg_coalesce(op->addr, op->bytes, lanes, op->line);
}

/* Lanes whose addresses are not the program's: the design learns of them late and without lanes, or, under oob=exact,
   never. Whole chunks of an allocation are remembered: the next access mostly lies in the same one. */
static void note_illegal(wg_lockstep_t *ls, ls_warp_t *lw, const ls_op_t *op, uint32_t lanes) {
  enum { kChunk = 256 };
  if (ls->env.legal == NULL || lw->bad_lanes != 0u) return;
  uint32_t bad = 0u;
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    uint64_t chunk = op->addr[l] / kChunk;
    if (chunk + 1u == ls->legal_chunk) continue;
    if (ls->env.legal(ls->env.legal_ctx, chunk * kChunk, kChunk)) ls->legal_chunk = chunk + 1u;
    else if (!ls->env.legal(ls->env.legal_ctx, op->addr[l], op->bytes)) bad |= 1u << l;
  }
  if (bad == 0u) return;
  lw->bad_lanes = bad;
  lw->bad_pc = op->pc;
  lw->bad_addr = op->addr[__builtin_ctz(bad)];
  if (ls->has_illegal) return;
  const ls_block_t *b = &ls->block[lw->block];
  ls->has_illegal = true;
  ls->illegal = (wg_fault_t){.code = kWgFaultIllegalAddr, .grid_id = b->cta.grid_id, .lanes = bad, .pc = op->pc};
  memcpy(ls->illegal.ctaid, b->cta.ctaid, sizeof ls->illegal.ctaid);
  ls->illegal.warp = (uint8_t)(lw->sub + ls->shape.sub_cores * lw->slot);
  ls->illegal.warp_in_block = (uint8_t)lw->w.warp;
  ls->illegal.addr = lw->bad_addr;
  ls->illegal.sm = (uint16_t)ls->cfg.smid;
  ls->illegal.cycle = ls->cycle;
}

static void start_memory(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op, const wg_ref_step_t *st) {
  const wg_insn_t *in = &op->insn->in;
  op->variable = op->lsu = true;
  op->store = wg_insn_is_store(in->op);
  op->atomic = wg_insn_is_atomic(in->op);
  op->in_const = wg_insn_space(in->op) == kWgSpaceConst;
  op->in_shared = st->shared;
  op->in_local = st->local;
  op->mem_left = op->rows_of = st->lanes;
  op->bytes = st->bytes;
  memcpy(op->addr, st->addr, sizeof op->addr);
  if (op->store || op->atomic) memcpy(op->data, st->data, sizeof op->data);
  if (!op->store) open_registers(ls, lw, op, wg_ref_result_words(in));
  split_shared(ls, lw, op);
  split_device(ls, op, st->lanes & ~st->shared);
  if (st->lanes != 0u) ls->counts.replay_passes--; /* each of its passes adds one */
  if (!op->in_const) note_illegal(ls, lw, op, st->lanes & ~st->shared & ~op->in_local);
  if (op->store) hash_op(ls, lw, op);
  if (ls->env.writers != NULL) wg_writers_store(ls->env.writers, lw->w.cta, lw->w.warp, st);
}

/* MEMBAR, CCTL: what the warp waits for is compared with what it finds done when it goes on. */
static void start_fence(wg_lockstep_t *ls, ls_warp_t *lw, const wg_ref_step_t *st) {
  const wg_insn_t *in = &st->insn->in;
  lw->in_fence = true;
  lw->fence_inval = in->op == kWgOp_CCTL;
  lw->fence_gpu = in->op == kWgOp_MEMBAR && WG_MOD_GET(in, MSCOPE) != 0u;
  lw->fence_seq = ls->store_seq;
  lw->fence_invals = ls->invals;
  lw->fence_insn = st->insn;
  lw->fence_exec = st->exec;
}

static void start_alu(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op, const wg_ref_step_t *st) {
  const wg_insn_t *in = &op->insn->in;
  unsigned pipe = wg_insn_info(in->op)->pipe;
  op->variable = pipe != kWgPipeINT && pipe != kWgPipeFP32 && pipe != kWgPipeHALF && pipe != kWgPipeFP64;
  op->ready = op->exec;
  /* an unknown lane may be anyone's source */
  if ((pipe == kWgPipeXLANE || pipe == kWgPipeMMA) && op->unknown != 0u) op->unknown = op->exec;
  if (in->op == kWgOp_SHFL) {
    op->lsu = true;
    op->mem_left = op->exec;
    op->in_shared = op->exec;
    if (op->unknown != 0u) op->unknown = op->exec; /* an unknown lane may be anyone's source */
  }
  if (st->out.wr) {
    memcpy(op->word[0], st->out.d, sizeof op->word[0]);
    if (st->out.wide) memcpy(op->word[1], st->out.d1, sizeof op->word[1]);
    if (st->out.quad) {
      memcpy(op->word[2], st->out.d2, sizeof op->word[2]);
      memcpy(op->word[3], st->out.d3, sizeof op->word[3]);
    }
    open_registers(ls, lw, op, st->out.quad ? 4u : st->out.wide ? 2u : 1u);
  }
  open_predicates(lw, op, &st->out);
  hash_op(ls, lw, op);
}

static void record_fault(wg_lockstep_t *ls, ls_warp_t *lw, const wg_ref_step_t *st) {
  const ls_block_t *b = &ls->block[lw->block];
  lw->faulted = true;
  ls->faults++;
  lw->fault = (wg_fault_t){.code = st->fault,
                           .lanes = st->fault_lanes,
                           .pc = st->pc,
                           .addr = st->fault_addr,
                           .cycle = ls->cycle,
                           .grid_id = b->cta.grid_id};
  memcpy(lw->fault.ctaid, b->cta.ctaid, sizeof lw->fault.ctaid);
  lw->fault.warp = (uint8_t)(lw->sub + ls->shape.sub_cores * lw->slot);
  lw->fault.warp_in_block = (uint8_t)lw->w.warp;
}

/* Level units: what the divergence unit's next event must say. @return false if there will be none */
static bool expect_unit(ls_warp_t *lw, const wg_ref_step_t *st) {
  const wg_insn_t *in = &st->insn->in;
  bool resolved = st->exec != 0u && wg_diverge_resolves(&lw->unit, in->op);
  wg_diverge_issued(&lw->unit, resolved);
  if (!resolved) return false;
  lw->stack_due = true;
  lw->stack_insn = st->out.wr ? NULL : st->insn; /* CALL, BMOV.RD: a write-back follows */
  lw->div_in = st->diverge;
  lw->stack = (wg_ev_stack_t){.op = in->op == kWgOp_BSSYR ? (uint8_t)kWgOp_BSSY : in->op,
                              .breg = in->breg,
                              .pc = st->pc,
                              .target = st->diverge.target,
                              .mask = st->mask,
                              .exec = st->exec};
  return true;
}

static void control(wg_lockstep_t *ls, ls_warp_t *lw, const wg_ref_step_t *st) {
  if (st->kind == kWgRefBarrier) ls_barrier(ls, lw, st);
  if (wg_diverge_ended(&lw->w.div)) ls_exit(ls, lw);
}

/* CALL, BMOV.RD and BSSY.RD write their register through the int pipe. */
static void start_control_write(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op, const wg_ref_step_t *st) {
  op->variable = false;
  op->ready = op->exec;
  memcpy(op->word[0], st->out.d, sizeof op->word[0]);
  open_registers(ls, lw, op, 1u);
  hash_op(ls, lw, op);
}

/* Addresses, barrier numbers and guards must not depend on values nobody has written. @return false after a report */
static bool check_unknown(wg_lockstep_t *ls, ls_warp_t *lw, const wg_ref_insn_t *insn, uint32_t mask,
                          uint32_t *unknown) {
  *unknown = 0u;
  if (insn->state != kWgFaultNone) return true;
  uint32_t bad = mask & ~lw->pred_known[insn->in.guard];
  if (bad == 0u) {
    for (unsigned i = 0; i < 5u; i++) {
      if (insn->regs.count[i] != 0u && (uint32_t)insn->regs.first[i] + insn->regs.count[i] > lw->w.num_regs)
        return true;
    }
    uint32_t exec = mask & (insn->in.guard_not ? ~lw->w.pred[insn->in.guard] : lw->w.pred[insn->in.guard]);
    *unknown = exec & ~known_lanes(ls, lw, insn, 0u, 3u);
    if (*unknown == 0u) return true;
    unsigned op = insn->in.op;
    if (wg_insn_info((uint8_t)op)->pipe == kWgPipeCTRL)
      bad = *unknown;
    else if (wg_insn_space((uint8_t)op) != kWgSpaceNone)
      bad = exec & wg_ref_row_lanes(&insn->in) & ~known_lanes(ls, lw, insn, 0u, 0u);
  }
  if (bad == 0u) return true;
  ls_fail(ls, lw, &lw->w.div.pc, "guard, address or barrier from a value that nothing has written",
          "expected: registers and predicates written before they decide where the program goes\ngot: unknown in lanes "
          "0x%08x",
          bad);
  return false;
}

bool ls_follow(ls_warp_t *lw, uint32_t pc, uint32_t mask) {
  wg_diverge_t *d = &lw->w.div;
  if (!d->cfg.its) return d->mask != 0u && d->pc == pc && (mask == 0u || d->mask == mask);
  if (mask == 0u) mask = wg_diverge_at(d, pc);
  return mask != 0u && wg_diverge_follow(d, pc, mask);
}

/* Which lanes issue, and where: the golden warp allows it; at level units, the twin says the same. */
static bool check_split(wg_lockstep_t *ls, ls_warp_t *lw, const wg_ev_issue_t *e) {
  uint32_t pc = e->pc;
  if (wg_diverge_ended(&lw->w.div)) {
    ls_fail(ls, lw, &pc, "issue after the warp's end", "expected: nothing, all lanes have exited\ngot: pc 0x%x", pc);
    return false;
  }
  const wg_diverge_t *d = ls->level == kWgLockstepUnits ? &lw->unit : &lw->w.div;
  bool units_agree = ls->level != kWgLockstepUnits || lw->stack_due || (d->pc == e->pc && d->mask == e->mask);
  if (!units_agree || (lw->at_bar ? false : !ls_follow(lw, e->pc, e->mask))) {
    ls_fail(ls, lw, &pc, "wrong instruction or lanes at issue",
            "expected: pc 0x%x, lanes 0x%08x\ngot: pc 0x%x, lanes 0x%08x", d->pc, d->mask, e->pc, e->mask);
    return false;
  }
  if (lw->at_bar) {
    ls_fail(ls, lw, &pc, "warp left a barrier early",
            "expected: to wait at barrier %u, arrived 0x%x of 0x%x\ngot: an issue", lw->bar_id,
            ls->block[lw->block].bar.bar[lw->bar_id].arrived, ls->block[lw->block].bar.present);
    return false;
  }
  if (lw->stack_due || lw->unit.switch_due) {
    ls_fail(ls, lw, &pc, "branch or switch of splits: issue before the last one took effect",
            "expected: an event for pc 0x%x first\ngot: pc 0x%x", lw->stack_due ? lw->stack.pc : lw->unit.pc, pc);
    return false;
  }
  return true;
}

void ls_issue(wg_lockstep_t *ls, const wg_ev_issue_t *e) {
  ls_warp_t *lw = ls_warp_at(ls, e->sub, e->slot, "issue from an empty slot");
  if (lw == NULL) return;
  ls->issued[e->sub] = e->slot;
  if (lw->faulted || !check_split(ls, lw, e)) return;
  uint32_t pc = e->pc, mask = e->mask;
  const wg_ref_insn_t *insn = wg_ref_code_at(ls->block[lw->block].code, lw->w.div.pc);
  if (lw->in_fence && !ls_fence_passed(ls, lw)) return;
  uint32_t unknown;
  if (!check_unknown(ls, lw, insn, mask, &unknown)) return;
  if (insn->state == kWgFaultNone && (ls->has_ctl ? !ls_hazard(ls, lw, insn, mask) : early_operand(ls, lw, insn))) return;
  wg_ref_step_t *st = &ls->step;
  bool watched = ls->spin_on && !ls->spin_broken;
  if (watched) ls_spin_before(lw);
  wg_ref_issue(&lw->w, insn, st);
  if (watched) wg_spin_after(&lw->spin, &lw->w, st);
  if (insn->state == kWgFaultNone && st->exec != e->exec) {
    ls_fail(ls, lw, &pc, "wrong guard lanes at issue", "expected: 0x%08x\ngot: 0x%08x", st->exec, e->exec);
    return;
  }
  if (ls->block[lw->block].tools != NULL) wg_tools_issue(ls->block[lw->block].tools, &lw->w, st);
  if (st->fault != kWgFaultNone) {
    record_fault(ls, lw, st);
    return;
  }
  wg_race_block_t *race = ls->block[lw->block].race;
  if (race != NULL) wg_race_issue(race, &lw->w, st);
  if (ls->block[lw->block].span != NULL) wg_span_issue(ls->block[lw->block].span, &lw->w, st);
  lw->last_issue = ls->last_issue = ls->cycle;
  lw->count_bar = 0u;
  if (!ls->pc_any || pc < ls->pc_lo) ls->pc_lo = pc;
  if (!ls->pc_any || pc > ls->pc_hi) ls->pc_hi = pc;
  ls->pc_any = true;
  wg_count_insn(&ls->counts, &insn->in, &insn->regs, st->mask, st->exec);
  bool unit_event = ls->level == kWgLockstepUnits && expect_unit(lw, st);
  if (st->exec == 0u) return;
  unsigned pipe = wg_insn_info(insn->in.op)->pipe;
  if (pipe == kWgPipeCTRL) control(ls, lw, st);
  if (pipe == kWgPipeCTRL && !st->out.wr) {
    uint32_t place[32];
    wg_ref_written_t none = {{NULL, NULL, NULL, NULL}, 0u, false, 0u, 0u};
    wg_ref_hash_begin(&lw->hash, st->exec, place);
    ls->counts.retire_hash += wg_ref_hash_terms(&lw->hash, st->exec, 0u, place, pc, &none);
    if (!unit_event) ls_retired(ls, insn, st->exec);
    return;
  }
  if (insn->in.op == kWgOp_MEMBAR || insn->in.op == kWgOp_CCTL) {
    uint32_t place[32];
    wg_ref_written_t none = {{NULL, NULL, NULL, NULL}, 0u, false, 0u, 0u};
    wg_ref_hash_begin(&lw->hash, st->exec, place);
    ls->counts.retire_hash += wg_ref_hash_terms(&lw->hash, st->exec, 0u, place, pc, &none);
    start_fence(ls, lw, st);
    return;
  }
  ls_op_t *op = new_op(ls, lw, st);
  if (op == NULL) return;
  op->unknown = unknown;
  wg_ref_hash_begin(&lw->hash, st->exec, op->place);
  if (pipe == kWgPipeCTRL)
    start_control_write(ls, lw, op, st);
  else if (st->kind == kWgRefSreg)
    start_sreg(ls, lw, op);
  else if (st->kind == kWgRefMemory)
    start_memory(ls, lw, op, st);
  else
    start_alu(ls, lw, op, st);
  ls_retire(ls, lw, op); /* results to RZ and PT only: nothing will come */
}

bool ls_picked_fault(wg_lockstep_t *ls, unsigned sub, unsigned slot) {
  if (sub >= ls->shape.sub_cores || slot >= ls->shape.warp_slots) return false;
  ls_warp_t *lw = &ls->warp[sub][slot];
  if (!lw->active || wg_diverge_ended(&lw->w.div)) return false;
  if (lw->faulted) return true;
  if (!ls_follow(lw, lw->unit.pc, lw->unit.mask)) return false;
  wg_ref_issue(&lw->w, wg_ref_code_at(ls->block[lw->block].code, lw->w.div.pc), &ls->step);
  if (ls->step.fault == kWgFaultNone) return false; /* a mismatch: the state does not matter any more */
  if (ls->block[lw->block].tools != NULL) wg_tools_issue(ls->block[lw->block].tools, &lw->w, &ls->step);
  record_fault(ls, lw, &ls->step);
  return true;
}

/* ---- WB ---- */

static bool younger_writes(const ls_warp_t *lw, const ls_op_t *op, unsigned r) {
  unsigned i = 0;
  while (lw->op[i] != op) i++;
  for (i++; i < lw->ops; i++) {
    const ls_op_t *o = lw->op[i];
    unsigned rd = o->insn->in.rd;
    if (o->rows != 0u && r >= rd && r < rd + o->rows) return true;
  }
  return false;
}

/* Values nobody can predict become what the design says. */
static void take_over(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op, unsigned k, uint32_t lanes, const uint32_t *got) {
  unsigned r = op->insn->in.rd + k;
  bool last = !younger_writes(lw, op, r);
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    op->word[k][l] = got[l];
    if (last) lw->w.reg[r][l] = got[l];
  }
  if (last) set_known(ls, lw, r, lanes, 0u);
}

static bool compare_row(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op, unsigned k, uint32_t mask, const uint32_t *got) {
  unsigned r = op->insn->in.rd + k;
  if ((mask & ~op->wb_left[k]) != 0u || mask == 0u) {
    ls_fail(ls, lw, &op->pc, "wrong lanes written", "expected: R%u in lanes within 0x%08x\ngot: lanes 0x%08x", r,
            op->wb_left[k], mask);
    return false;
  }
  if (!op->adopt && (mask & ~op->ready) != 0u) {
    ls_fail(ls, lw, &op->pc, "load written back before its data was there",
            "expected: R%u in lanes within 0x%08x\ngot: lanes 0x%08x", r, op->ready, mask);
    return false;
  }
  uint32_t judged = op->adopt ? 0u : mask & ~op->unknown;
  for (uint32_t m = judged; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    if (got[l] == op->word[k][l]) continue;
    ls_fail(ls, lw, &op->pc, "wrong register value", "expected: R%u lane %u = 0x%08x\ngot: 0x%08x", r, l,
            op->word[k][l], got[l]);
    return false;
  }
  if (op->adopt) {
    uint32_t one = got[__builtin_ctz(mask)];
    for (uint32_t m = mask; m != 0u; m &= m - 1u) {
      if (got[__builtin_ctz(m)] == one) continue;
      ls_fail(ls, lw, &op->pc, "clock differs between lanes",
              "expected: R%u = 0x%08x in all lanes\ngot: 0x%08x in lane %u", r, one, got[__builtin_ctz(m)],
              (unsigned)__builtin_ctz(m));
      return false;
    }
  }
  uint32_t adopt = op->adopt ? mask : mask & op->unknown;
  if (adopt != 0u) take_over(ls, lw, op, k, adopt, got);
  op->wb_left[k] &= ~mask;
  if (op->wb_left[k] == 0u && op->variable) lw->open_v[r]--;
  return true;
}

/* The instruction that a row of R`rd` belongs to: the oldest that still owes it lanes of the mask. Splits of one warp
   write disjoint lanes of a register in any order; where nobody owes these lanes, the oldest that owes the register. */
static ls_op_t *writer_of(const ls_warp_t *lw, unsigned rd, uint32_t mask) {
  ls_op_t *first = NULL;
  for (unsigned i = 0; i < lw->ops; i++) {
    ls_op_t *op = lw->op[i];
    unsigned k = rd - op->insn->in.rd;
    if (rd < op->insn->in.rd || k >= op->rows || op->wb_left[k] == 0u) continue;
    if ((op->wb_left[k] & mask) != 0u) return op;
    if (first == NULL) first = op;
  }
  return first;
}

void ls_wb(wg_lockstep_t *ls, const wg_ev_wb_t *e) {
  ls_warp_t *lw = ls_warp_at(ls, e->sub, e->slot, "write-back to an empty slot");
  if (lw == NULL || lw->faulted || e->rd == kWgRZ) return;
  ls_op_t *op = writer_of(lw, e->rd, e->mask);
  if (op == NULL) {
    ls_fail(ls, lw, NULL, "write-back that no instruction owes", "expected: no write of R%u\ngot: lanes 0x%08x", e->rd,
            e->mask);
    return;
  }
  unsigned k = e->rd - op->insn->in.rd;
  if (e->variable != op->variable || (e->wide && k + 1u >= op->rows)) {
    ls_fail(ls, lw, &op->pc, "write-back of the wrong kind", "expected: R%u of %u words by bus %s\ngot: %s, bus %s",
            op->insn->in.rd, op->rows, op->variable ? "V" : "F", e->wide ? "two words" : "one word",
            e->variable ? "V" : "F");
    return;
  }
  if (!compare_row(ls, lw, op, k, e->mask, e->lo)) return;
  if (e->wide && !compare_row(ls, lw, op, k + 1u, e->mask, e->hi)) return;
  if (op->adopt && op->wb_left[0] == 0u) {
    op->ready = op->exec;
    hash_op(ls, lw, op);
  }
  ls_retire(ls, lw, op);
}

/* ---- PRED ---- */

static void finish_pred(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op, unsigned j, const wg_ev_pred_t *e) {
  uint32_t judged = e->mask & ~op->unknown;
  if (((e->bits ^ op->p_bits[j]) & judged) != 0u) {
    ls_fail(ls, lw, &op->pc, "wrong predicate", "expected: P%u = 0x%08x in lanes 0x%08x\ngot: 0x%08x", e->pd,
            op->p_bits[j] & judged, judged, e->bits & judged);
    return;
  }
  uint32_t adopt = e->mask & op->unknown & ~lw->pred_known[e->pd];
  lw->w.pred[e->pd] = (lw->w.pred[e->pd] & ~adopt) | (e->bits & adopt);
  lw->pred_known[e->pd] |= adopt;
  op->p_left[j] &= ~e->mask;
  if (op->p_left[j] == 0u && op->variable) lw->open_vp[e->pd]--;
  ls_retire(ls, lw, op);
}

void ls_pred(wg_lockstep_t *ls, const wg_ev_pred_t *e) {
  ls_warp_t *lw = ls_warp_at(ls, e->sub, e->slot, "predicate write to an empty slot");
  if (lw == NULL || lw->faulted || e->pd == kWgPT || e->mask == 0u) return;
  for (unsigned i = 0; i < lw->ops; i++) {
    ls_op_t *op = lw->op[i];
    for (unsigned j = 0; j < 2u; j++) {
      if (op->pd[j] != e->pd || (op->p_left[j] & e->mask) == 0u) continue;
      if ((e->mask & ~op->p_left[j]) != 0u) {
        ls_fail(ls, lw, &op->pc, "wrong predicate lanes written",
                "expected: P%u in lanes within 0x%08x\ngot: lanes 0x%08x", e->pd, op->p_left[j], e->mask);
        return;
      }
      finish_pred(ls, lw, op, j, e);
      return;
    }
  }
  ls_fail(ls, lw, NULL, "predicate write that no instruction owes", "expected: no write of P%u\ngot: lanes 0x%08x",
          e->pd, e->mask);
}
