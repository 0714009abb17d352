// SPDX-License-Identifier: Apache-2.0
//
// Level units: the events of the divergence unit, the schedulers and the barrier unit against their twins.
#include <string.h>

#include "cosim/lockstep_int.h"

/* An operation that is no instruction: may the unit do it, and what it leads to. @return false after a report */
static bool unit_moves(wg_lockstep_t *ls, ls_warp_t *lw, const wg_ev_stack_t *e) {
  wg_diverge_t *d = &lw->unit;
  bool due = e->op == kWgDivSwitch ? d->switch_due : (e->op == kWgDivRelease ? d->bar_sent : d->asleep != 0u);
  if (!due) {
    ls_fail(ls, lw, &e->pc, "divergence unit moved without a reason",
            "expected: no %s\ngot: one, ready lanes 0x%08x",
            e->op == kWgDivSwitch ? "switch of splits" : (e->op == kWgDivRelease ? "release" : "wake-up"), d->ready);
    return false;
  }
  if (e->op == kWgDivSwitch)
    wg_diverge_switch(d);
  else if (e->op == kWgDivRelease)
    wg_diverge_release(d);
  else
    wg_diverge_wake(d);
  return true;
}

/* A control instruction: the one that issued, and what it leads to. @return false after a report */
static bool unit_resolves(wg_lockstep_t *ls, ls_warp_t *lw, const wg_ev_stack_t *e) {
  const wg_ev_stack_t *w = &lw->stack;
  if (!lw->stack_due) {
    ls_fail(ls, lw, &e->pc, "stack event without a branch", "expected: nothing\ngot: opcode 0x%02x at pc 0x%x", e->op,
            e->pc);
    return false;
  }
  lw->stack_due = false;
  bool target = e->op == kWgOp_BRA || e->op == kWgOp_BSSY || e->op == kWgOp_CALL;
  bool breg = e->op == kWgOp_BSSY || e->op == kWgOp_BSYNC || e->op == kWgOp_BREAK || e->op == kWgOp_BMOVB;
  if (e->op != w->op || e->pc != w->pc || e->mask != w->mask || e->exec != w->exec ||
      (target && e->target != w->target) || (breg && e->breg != w->breg)) {
    ls_fail(ls, lw, &w->pc, "stack unit resolved another branch",
            "expected: opcode 0x%02x B%u pc 0x%x target 0x%x lanes 0x%08x of 0x%08x\ngot: 0x%02x B%u pc 0x%x target "
            "0x%x lanes 0x%08x of 0x%08x",
            w->op, w->breg, w->pc, w->target, w->exec, w->mask, e->op, e->breg, e->pc, e->target, e->exec, e->mask);
    return false;
  }
  if (lw->unit.mask != 0u) wg_diverge_step(&lw->unit, &lw->div_in);
  return true;
}

void ls_stack(wg_lockstep_t *ls, const wg_ev_stack_t *e) {
  ls_warp_t *lw = ls_warp_at(ls, e->sub, e->slot, "stack event of an empty slot");
  if (lw == NULL || lw->faulted) return;
  const wg_diverge_t *d = &lw->unit;
  bool moves = e->op >= kWgDivSwitch, beside = moves && d->mask != 0u && e->op != kWgDivSwitch;
  if (moves ? !unit_moves(ls, lw, e) : !unit_resolves(ls, lw, e)) return;
  /* beside a running split, and after the end of a warp, its pc means nothing */
  bool pc = d->mask != 0u && !beside;
  if (e->fault != kWgFaultNone || e->next_mask != d->mask || (pc && e->next_pc != d->pc) ||
      (!d->cfg.its && e->depth != d->depth)) {
    ls_fail(ls, lw, moves ? &e->pc : &lw->stack.pc, d->cfg.its ? "thread scheduling" : "SIMT stack",
            "expected: pc 0x%x lanes 0x%08x depth %u\ngot: pc 0x%x lanes 0x%08x depth %u fault %u", d->pc, d->mask,
            d->depth, e->next_pc, e->next_mask, e->depth, e->fault);
  } else if (!moves && lw->stack_insn != NULL) {
    ls_retired(ls, lw->stack_insn, lw->stack.exec);
  }
}

/* The warp in a slot, for reports; NULL if there is none. */
static const ls_warp_t *shown(const wg_lockstep_t *ls, unsigned sub, int slot) {
  if (slot < 0 || (unsigned)slot >= ls->shape.warp_slots || !ls->warp[sub][slot].active) return NULL;
  return &ls->warp[sub][slot];
}

/* The same by block slot and number in the block. */
static const ls_warp_t *shown_in(const wg_lockstep_t *ls, const ls_block_t *b, unsigned warp) {
  if (!b->active || warp >= b->inited) return NULL;
  return shown(ls, wg_cta_place_sub(&ls->alloc, &b->place, warp), b->place.slot[warp]);
}

/* The warp that the design picked, or, if there is none, the one that should have been. */
static const ls_warp_t *shown_pick(const wg_lockstep_t *ls, const wg_ev_pick_t *e, int want) {
  const ls_warp_t *lw = shown(ls, e->sub, e->issued ? (int)e->warp : -1);
  return lw != NULL ? lw : shown(ls, e->sub, want);
}

void ls_pick(wg_lockstep_t *ls, const wg_ev_pick_t *e) {
  if (e->sub >= ls->shape.sub_cores) {
    ls_fail(ls, NULL, NULL, "pick of a sub-core that is not there", "expected: below %u\ngot: %u", ls->shape.sub_cores,
            e->sub);
    return;
  }
  int issued = ls->issued[e->sub];
  ls->issued[e->sub] = -1;
  bool agree = issued == (e->issued ? (int)e->warp : -1) || (issued == -1 && ls_picked_fault(ls, e->sub, e->warp));
  if (!agree) {
    ls_fail(ls, shown_pick(ls, e, issued), NULL, "scheduler and issue disagree",
            "expected: sub-core %u picks slot %d, which issued\ngot: pick of slot %d", e->sub, issued,
            e->issued ? (int)e->warp : -1);
    return;
  }
  if ((e->eligible & ~e->valid) != 0u) {
    ls_fail(ls, NULL, NULL, "eligible warp in an empty slot", "expected: within 0x%x\ngot: 0x%x", e->valid,
            e->eligible);
    return;
  }
  if (!ls->has_sched) return;
  wg_sched_in_t in = {.valid = e->valid, .eligible = e->eligible};
  wg_sched_unpack(&in, e->event);
  wg_sched_out_t o = wg_sched_step(&ls->sched[e->sub], &in);
  if (e->policy != ls->cfg.policy || o.issue != e->issued || (o.issue && o.warp != e->warp) ||
      o.withheld != e->withheld) {
    ls_fail(ls, shown_pick(ls, e, o.issue ? (int)o.warp : -1), NULL, "scheduler",
            "expected: sub-core %u, policy %s: slot %d of eligible 0x%x, withheld 0x%x\n"
            "got: policy %u, slot %d, withheld 0x%x",
            e->sub, wg_policy_name(ls->cfg.policy), o.issue ? (int)o.warp : -1, e->eligible, o.withheld, e->policy,
            e->issued ? (int)e->warp : -1, e->withheld);
  }
}

static ls_block_t *bar_block(wg_lockstep_t *ls, const wg_ev_bar_t *e) {
  if (e->block < kWgMaxBlockSlots && e->warp < 32u && e->id < kWgBarriers) return &ls->block[e->block];
  ls_fail(ls, NULL, NULL, "barrier event out of range",
          "expected: block, warp, barrier of the machine\ngot: %u, %u, %u", e->block, e->warp, e->id);
  return NULL;
}

static void owe(ls_block_t *b, unsigned id, uint32_t warps) {
  b->bar_due[id] = warps;
  b->bar_owed |= (uint16_t)(1u << id);
}

static void bar_arrive(wg_lockstep_t *ls, ls_block_t *b, const wg_ev_bar_t *e) {
  if ((b->bar_owed >> e->id & 1u) != 0u) {
    ls_fail(ls, shown_in(ls, b, e->warp), NULL, "barrier release missing",
            "expected: block %u barrier %u to release 0x%08x first\ngot: arrival of warp %u", e->block, e->id,
            b->bar_due[e->id], e->warp);
    return;
  }
  /* the unit sees how many lanes hold the predicate, not which */
  uint32_t preds = e->value >= 32u ? UINT32_MAX : (1u << e->value) - 1u;
  wg_bar_arrival_t a = {.id = e->id,
                        .arrive_only = e->arrive_only,
                        .has_count = e->has_count,
                        .red = e->red,
                        .count = e->count,
                        .lanes = e->some_false ? UINT32_MAX : preds,
                        .preds = preds};
  wg_barrier_out_t o = wg_barrier_take(&b->bar_units, e->warp, &a);
  if (o.fault != kWgFaultNone) {
    ls_fail(ls, shown_in(ls, b, e->warp), NULL, "barrier took a bad arrival",
            "expected: a fault (block %u barrier %u)\ngot: arrival with count %u", e->block, e->id, e->count);
    return;
  }
  if (o.complete) owe(b, e->id, o.release);
}

void ls_bar(wg_lockstep_t *ls, const wg_ev_bar_t *e) {
  ls_block_t *b = bar_block(ls, e);
  if (b == NULL) return;
  uint32_t rel[kWgBarriers];
  switch (e->kind) {
    case 0: bar_arrive(ls, b, e); break;
    case 1:
      if ((b->bar_owed >> e->id & 1u) == 0u || b->bar_due[e->id] != e->warps) {
        bool due = (b->bar_owed >> e->id & 1u) != 0u;
        uint32_t one = e->warps != 0u ? e->warps : due ? b->bar_due[e->id] : 1u; /* any of the warps concerned */
        ls_fail(ls, shown_in(ls, b, (unsigned)__builtin_ctz(one)), NULL, "barrier release",
                "expected: block %u barrier %u releases 0x%08x%s\ngot: 0x%08x", e->block, e->id,
                due ? b->bar_due[e->id] : 0u, due ? "" : " (not complete)", e->warps);
        break;
      }
      if (e->red != b->bar_units.bar[e->id].done_red ||
          (e->red != kWgBarRedNone && e->value != b->bar_units.bar[e->id].result)) {
        ls_fail(ls, NULL, NULL, "barrier reduction", "expected: block %u barrier %u gives %u\ngot: %u", e->block, e->id,
                b->bar_units.bar[e->id].result, e->value);
        break;
      }
      b->bar_owed &= (uint16_t) ~(1u << e->id);
      break;
    case 2: {
      uint32_t done = wg_barrier_exit(&b->bar_units, e->warp, rel);
      for (; done != 0u; done &= done - 1u) owe(b, (unsigned)__builtin_ctz(done), rel[__builtin_ctz(done)]);
      break;
    }
    default:
      wg_barrier_reset(&b->bar_units, e->warps);
      b->bar_owed = 0u;
      break;
  }
}
