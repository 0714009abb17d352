// SPDX-License-Identifier: Apache-2.0
#include "model/twin/diverge.h"

#include <stdio.h>
#include <string.h>

#include "isa/wg_isa.h"

static const uint32_t kPcMask = (1u << kWgPcBits) - 1u;

static uint32_t next_pc(uint32_t pc) { return (pc + (uint32_t)kWgInsnBytes) & kPcMask; }
static bool odd_pc(uint32_t pc) { return (pc & ~kPcMask) != 0u || pc % (uint32_t)kWgInsnBytes != 0u; }
static unsigned lowest(uint32_t lanes) { return (unsigned)__builtin_ctz(lanes); }

static uint16_t next_random(uint16_t v) {
  unsigned bit = v & 1u;
  return (uint16_t)((unsigned)v >> 1 ^ (bit != 0u ? 0xb400u : 0u));
}

void wg_diverge_reset(wg_diverge_t *d, const wg_diverge_cfg_t *cfg, uint32_t pc, uint32_t mask) {
  memset(d, 0, sizeof *d);
  d->cfg = *cfg;
  d->pc = pc & kPcMask;
  d->mask = mask;
  d->gone = ~mask;
  d->random = (uint16_t)cfg->seed != 0u ? (uint16_t)cfg->seed : 1u;
  wg_simt_reset(&d->stack, pc, mask);
}

bool wg_diverge_resolves(const wg_diverge_t *d, uint8_t op) {
  if (op == kWgOp_BAR || op == kWgOp_BARRED) return d->cfg.its;
  return op != kWgOp_NOP && op != kWgOp_TRAP && wg_insn_info(op)->pipe == kWgPipeCTRL;
}

uint32_t wg_diverge_breg(const wg_diverge_t *d, unsigned breg, unsigned lane) {
  return d->cfg.its ? d->breg[breg][lane] : 0u;
}

/* ---- its: choice ---- */

static void count_depth(wg_diverge_t *d) {
  unsigned n = (unsigned)__builtin_popcount(~d->gone & ~d->mask);
  d->depth = n > 31u ? 31u : n;
}

static void suspend(wg_diverge_t *d, uint32_t lanes, uint32_t pc) {
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) d->lane_pc[lowest(m)] = pc;
  d->mask &= ~lanes;
}

/* Choose the split of the next ready lane behind the last choice, preferably among `pool`. */
static void choose(wg_diverge_t *d, uint32_t pool) {
  pool &= d->ready;
  if (pool == 0u) pool = d->ready;
  if (pool == 0u) return;
  unsigned from = d->cfg.order == kWgSplitRandom ? d->random >> 2 & 31u : (d->last + 1u) & 31u;
  uint32_t above = pool & (UINT32_MAX << from);
  unsigned lead = lowest(above != 0u ? above : pool);
  uint32_t lanes = 0u;
  for (uint32_t m = d->ready; m != 0u; m &= m - 1u) {
    if (d->lane_pc[lowest(m)] == d->lane_pc[lead]) lanes |= m & ~(m - 1u);
  }
  d->pc = d->lane_pc[lead];
  d->mask = lanes;
  d->ready &= ~lanes;
  d->last = (uint8_t)lead;
  d->run = 0u;
}

static bool rule_says_switch(const wg_diverge_t *d) {
  if (d->ready == 0u) return false;
  if (d->cfg.order == kWgSplitAlternate) return true;
  if (d->cfg.order == kWgSplitRandom && (d->random & 3u) == 0u) return true;
  return d->run >= (uint16_t)kWgSplitRun;
}

void wg_diverge_switch(wg_diverge_t *d) {
  uint32_t old = d->mask;
  d->switch_due = false;
  suspend(d, old, d->pc);
  d->ready |= old;
  choose(d, d->ready & ~old);
  count_depth(d);
}

bool wg_diverge_issued(wg_diverge_t *d, bool resolved) {
  if (!d->cfg.its) {
    if (!resolved) d->pc = d->stack.pc = next_pc(d->pc);
    return false;
  }
  if (d->ready != 0u) d->run++;
  d->random = next_random(d->random);
  if (!resolved) {
    d->pc = next_pc(d->pc);
    d->switch_due = rule_says_switch(d);
  }
  return d->switch_due;
}

/* ---- its: control instructions. Each leaves the running split at its next pc, and lanes that go elsewhere or wait out
   of `mask`; `pool` are the lanes to choose from if no running lane is left. ---- */

static void branch(wg_diverge_t *d, uint32_t taken, uint32_t target) {
  if (taken == d->mask) {
    d->pc = target & kPcMask;
    return;
  }
  suspend(d, taken, target & kPcMask);
  d->ready |= taken;
  d->pc = next_pc(d->pc);
}

static void indirect(wg_diverge_t *d, uint32_t lanes, const uint32_t *target, uint32_t *pool) {
  bool same = true;
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) same = same && target[lowest(m)] == target[lowest(lanes)];
  if (same && lanes == d->mask) {
    d->pc = target[lowest(lanes)];
    return;
  }
  uint32_t behind = next_pc(d->pc);
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) suspend(d, m & ~(m - 1u), target[lowest(m)]);
  d->ready |= lanes;
  d->pc = behind;
  *pool = lanes;
}

/* Of `lanes`, those with the same mask at group g as the lowest one. */
static uint32_t alike(const wg_diverge_t *d, unsigned g, uint32_t lanes) {
  uint32_t mask = d->breg[g][lowest(lanes)], same = 0u;
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
    if (d->breg[g][lowest(m)] == mask) same |= m & ~(m - 1u);
  }
  return same;
}

/* Lanes wait at group g: let those go whose mask is complete. */
static void leave(wg_diverge_t *d, unsigned g) {
  for (uint32_t rest = d->group_here[g]; rest != 0u;) {
    uint32_t same = alike(d, g, rest);
    if ((d->breg[g][lowest(rest)] & ~d->gone & ~same) == 0u) {
      d->ready |= same;
      d->group_here[g] &= ~same;
    }
    rest &= ~same;
  }
}

/* BSYNC and WARPSYNC: `lanes`, all with one mask, come to group g. @return all of the running split go on at once */
static bool meet_alike(wg_diverge_t *d, unsigned g, uint32_t lanes, uint32_t behind, uint32_t *pool) {
  uint32_t here = d->group_here[g] | lanes, mask = d->breg[g][lowest(lanes)], go = lanes;
  for (uint32_t m = d->group_here[g]; m != 0u; m &= m - 1u) {
    if (d->breg[g][lowest(m)] == mask) go |= m & ~(m - 1u);
  }
  bool all = (mask & ~d->gone & ~go) == 0u;
  if (all && go == d->mask) return true;
  suspend(d, lanes, behind);
  d->group_here[g] = here;
  if (!all) return false;
  *pool |= go;
  d->ready |= go;
  d->group_here[g] &= ~go;
  return false;
}

static void meet(wg_diverge_t *d, unsigned g, uint32_t lanes, uint32_t *pool) {
  uint32_t behind = next_pc(d->pc);
  while (lanes != 0u) {
    uint32_t same = alike(d, g, lanes);
    if (meet_alike(d, g, same, behind, pool)) break;
    lanes &= ~same;
  }
  d->pc = behind;
}

/* Group g's mask of `lanes` becomes `mask`. */
static void set_breg(wg_diverge_t *d, unsigned g, uint32_t lanes, uint32_t mask) {
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) d->breg[g][lowest(m)] = mask;
}

static bool same_barrier(const wg_bar_arrival_t *a, const wg_bar_arrival_t *b) {
  return a->id == b->id && a->arrive_only == b->arrive_only && a->has_count == b->has_count && a->count == b->count &&
         a->red == b->red;
}

/* All lanes of the warp are gathered: it arrives. */
static void arrive(wg_diverge_t *d, wg_diverge_out_t *o) {
  if (d->bar_lanes == 0u || d->bar_sent || (d->bar_lanes | d->gone) != UINT32_MAX) return;
  o->arrives = true;
  o->bar = d->bar;
  o->bar.lanes = d->bar_lanes;
  d->bar_sent = !d->bar.arrive_only;
  if (d->bar_sent) return;
  d->ready |= d->bar_lanes;
  d->bar_lanes = 0u;
}

static void block_barrier(wg_diverge_t *d, const wg_diverge_in_t *in, wg_diverge_out_t *o, uint32_t *pool) {
  uint32_t lanes = in->exec, behind = next_pc(d->pc);
  if (lanes == d->mask && (lanes | d->gone) == UINT32_MAX) { /* all of them: nobody need be suspended */
    o->arrives = true;
    o->bar = in->bar;
    o->bar.lanes = lanes;
    d->pc = behind;
    return;
  }
  bool other = d->bar_lanes != 0u && !same_barrier(&d->bar, &in->bar);
  if (!other) {
    uint32_t preds = d->bar_lanes != 0u ? d->bar.preds : 0u;
    d->bar = in->bar;
    d->bar.preds = preds | (in->bar.preds & lanes);
    d->bar_lanes |= lanes;
  } /* else these lanes wait for ever: the gathered ones wait for them */
  *pool = d->bar_lanes;
  suspend(d, lanes, behind);
  d->pc = behind;
  arrive(d, o);
}

static void break_out(wg_diverge_t *d, unsigned b, uint32_t lanes) {
  for (unsigned l = 0; l < 32u; l++) d->breg[b][l] &= ~lanes;
  set_breg(d, b, lanes, 0u); /* who leaves waits for nobody at the BSYNC */
  leave(d, b);
}

static void end_lanes(wg_diverge_t *d, uint32_t lanes, wg_diverge_out_t *o) {
  d->gone |= lanes;
  d->mask &= ~lanes;
  for (unsigned g = 0; g < (unsigned)kWgDivGroups; g++) leave(d, g);
  arrive(d, o);
  d->pc = next_pc(d->pc);
}

static uint8_t its_fault(const wg_diverge_in_t *in) {
  if (in->op == kWgOp_BRA || in->op == kWgOp_CALL) return odd_pc(in->target & kPcMask) ? kWgFaultBadPc : kWgFaultNone;
  if (in->op != kWgOp_RET && in->op != kWgOp_BRX) return kWgFaultNone;
  for (uint32_t m = in->exec; m != 0u; m &= m - 1u) {
    if (odd_pc(in->lane_target[lowest(m)])) return kWgFaultBadPc;
  }
  return kWgFaultNone;
}

static void its_effect(wg_diverge_t *d, const wg_diverge_in_t *in, wg_diverge_out_t *o, uint32_t *pool, bool *yield) {
  switch (in->op) {
    case kWgOp_BRA:
    case kWgOp_CALL: branch(d, in->exec, in->target); return;
    case kWgOp_RET:
    case kWgOp_BRX: indirect(d, in->exec, in->lane_target, pool); return;
    case kWgOp_BSYNC: meet(d, in->breg, d->mask, pool); return;
    case kWgOp_WARPSYNC:
      set_breg(d, kWgDivSync, in->exec, in->value);
      meet(d, kWgDivSync, in->exec, pool);
      return;
    case kWgOp_EXIT: end_lanes(d, in->exec, o); return;
    case kWgOp_BAR:
    case kWgOp_BARRED: block_barrier(d, in, o, pool); return;
    case kWgOp_BSSY: set_breg(d, in->breg, d->mask, d->mask); break;
    case kWgOp_BREAK: break_out(d, in->breg, in->exec); break;
    case kWgOp_BMOVB:
      for (uint32_t m = in->exec; m != 0u; m &= m - 1u) d->breg[in->breg][lowest(m)] = in->lane_target[lowest(m)];
      break;
    case kWgOp_NANOSLEEP:
      suspend(d, in->exec, next_pc(d->pc));
      d->asleep |= in->exec;
      break;
    case kWgOp_YIELD: *yield = true; break;
    default: break;
  }
  d->pc = next_pc(d->pc);
}

static void its_step(wg_diverge_t *d, const wg_diverge_in_t *in, wg_diverge_out_t *o) {
  o->fault = its_fault(in);
  if (o->fault != kWgFaultNone) return;
  uint32_t pool = 0u;
  bool yield = false;
  uint32_t mask = d->mask;
  its_effect(d, in, o, &pool, &yield);
  bool jump = in->op == kWgOp_BRA || in->op == kWgOp_CALL || in->op == kWgOp_RET || in->op == kWgOp_BRX;
  bool fresh = jump && d->mask != mask; /* a new split: its fall-through side goes first */
  if (d->mask == 0u)
    choose(d, pool);
  else if ((rule_says_switch(d) && !fresh) || (yield && d->ready != 0u))
    wg_diverge_switch(d);
  count_depth(d);
}

/* ---- stack ---- */

static uint8_t stack_fault(const wg_diverge_t *d, const wg_diverge_in_t *in, uint32_t *target) {
  if (in->op == kWgOp_WARPSYNC) return (in->value & ~d->gone & ~in->exec) != 0u ? kWgFaultStackError : kWgFaultNone;
  if (in->op != kWgOp_RET && in->op != kWgOp_BRX) return kWgFaultNone;
  *target = in->lane_target[lowest(in->exec)];
  for (uint32_t m = in->exec; m != 0u; m &= m - 1u) {
    if (in->lane_target[lowest(m)] != *target) return kWgFaultBadPc;
  }
  return odd_pc(*target) ? kWgFaultBadPc : kWgFaultNone;
}

static void stack_step(wg_diverge_t *d, const wg_diverge_in_t *in, wg_diverge_out_t *o) {
  wg_simt_in_t si = {in->op, in->breg, in->target, in->exec};
  o->fault = stack_fault(d, in, &si.target);
  if (o->fault != kWgFaultNone) return;
  if (in->op == kWgOp_CALL || in->op == kWgOp_RET || in->op == kWgOp_BRX) si.op = kWgOp_BRA;
  if (in->op == kWgOp_BAR || in->op == kWgOp_BARRED) {
    o->arrives = true;
    o->bar = in->bar;
  }
  wg_simt_out_t so = wg_simt_step(&d->stack, &si);
  o->fault = so.fault;
  if (o->fault != kWgFaultNone) return;
  if (in->op == kWgOp_EXIT) d->gone |= in->exec & d->mask;
  d->pc = so.pc;
  d->mask = so.mask;
  d->depth = so.depth;
}

/* ---- both ---- */

wg_diverge_out_t wg_diverge_step(wg_diverge_t *d, const wg_diverge_in_t *in) {
  WG_BUG(d->mask == 0u);
  wg_diverge_out_t o = {.fault = kWgFaultNone};
  if (d->cfg.its)
    its_step(d, in, &o);
  else
    stack_step(d, in, &o);
  o.pc = d->pc;
  o.mask = d->mask;
  o.depth = d->depth;
  return o;
}

void wg_diverge_release(wg_diverge_t *d) {
  if (d->bar_sent) {
    d->ready |= d->bar_lanes;
    d->bar_lanes = 0u;
  }
  d->bar_sent = false;
  if (d->mask == 0u) choose(d, d->ready);
  count_depth(d);
}

void wg_diverge_wake(wg_diverge_t *d) {
  if (d->asleep == 0u) return;
  d->ready |= d->asleep;
  d->asleep = 0u;
  if (d->mask == 0u) choose(d, d->ready);
  count_depth(d);
}

wg_diverge_out_t wg_diverge_run(wg_diverge_t *d, const wg_diverge_in_t *in) {
  bool resolved = in->exec != 0u && wg_diverge_resolves(d, in->op);
  if (wg_diverge_issued(d, resolved)) wg_diverge_switch(d);
  wg_diverge_out_t o = {.pc = d->pc, .mask = d->mask, .depth = d->depth, .fault = kWgFaultNone};
  if (!resolved) {
    bool bar = in->exec != 0u && (in->op == kWgOp_BAR || in->op == kWgOp_BARRED);
    o.arrives = bar; /* mode stack: at once, for the whole warp */
    if (bar) o.bar = in->bar;
    return o;
  }
  o = wg_diverge_step(d, in);
  if (o.fault != kWgFaultNone) return o;
  wg_diverge_wake(d);
  o.pc = d->pc;
  o.mask = d->mask;
  o.depth = d->depth;
  return o;
}

uint32_t wg_diverge_at(const wg_diverge_t *d, uint32_t pc) {
  uint32_t lanes = d->pc == pc ? d->mask : 0u;
  for (uint32_t m = d->ready | d->asleep; m != 0u; m &= m - 1u) {
    if (d->lane_pc[lowest(m)] == pc) lanes |= m & ~(m - 1u);
  }
  return lanes;
}

bool wg_diverge_follow(wg_diverge_t *d, uint32_t pc, uint32_t mask) {
  uint32_t idle = mask & ~d->mask;
  if ((idle & ~(d->ready | d->asleep)) != 0u || ((mask & d->mask) != 0u && d->pc != pc)) return false;
  for (uint32_t m = idle; m != 0u; m &= m - 1u) {
    if (d->lane_pc[lowest(m)] != pc) return false;
  }
  uint32_t out = d->mask & ~mask;
  suspend(d, out, d->pc);
  d->ready = (d->ready | out) & ~mask;
  d->asleep &= ~mask;
  d->pc = pc;
  d->mask = mask;
  d->switch_due = false;
  count_depth(d);
  return true;
}

const char *wg_diverge_waits(const wg_diverge_t *d, char *buf, size_t n) {
  for (unsigned g = 0; g < (unsigned)kWgDivGroups; g++) {
    uint32_t here = d->group_here[g];
    if (here == 0u) continue;
    here = alike(d, g, here);
    uint32_t miss = d->breg[g][lowest(here)] & ~d->gone & ~here;
    uint32_t pc = d->lane_pc[lowest(here)] - (uint32_t)kWgInsnBytes;
    int len = g < (unsigned)kWgConvBarriers
                  ? snprintf(buf, n, "lanes 0x%08x at BSYNC B%u (pc 0x%x) wait for 0x%08x", here, g, pc, miss)
                  : snprintf(buf, n, "lanes 0x%08x at WARPSYNC (pc 0x%x) wait for 0x%08x", here, pc, miss);
    if (d->bar_lanes != 0u && len > 0 && (size_t)len < n) {
      snprintf(buf + len, n - (size_t)len, ", lanes 0x%08x at barrier %u (pc 0x%x)", d->bar_lanes, d->bar.id, d->bar.pc);
    }
    return buf;
  }
  if (d->bar_lanes != 0u)
    snprintf(buf, n, "lanes 0x%08x at barrier %u wait for 0x%08x of their warp", d->bar_lanes, d->bar.id,
             ~d->gone & ~d->bar_lanes);
  else
    snprintf(buf, n, "lanes 0x%08x cannot run", ~d->gone);
  return buf;
}
