// SPDX-License-Identifier: Apache-2.0
#include "model/twin/simt_stack.h"

#include "isa/wg_isa.h"

static const uint32_t kPcMask = (1u << kWgPcBits) - 1u;

static uint32_t next_pc(uint32_t pc) { return (pc + (uint32_t)kWgInsnBytes) & kPcMask; }

void wg_simt_reset(wg_simt_stack_t *s, uint32_t pc, uint32_t mask) {
  WG_BUG(mask == 0u);
  s->pc = pc & kPcMask;
  s->mask = mask;
  s->exited = 0u;
  s->depth = 0u;
}

static bool push(wg_simt_stack_t *s, bool sync, uint8_t breg, uint32_t pc, uint32_t mask) {
  if (s->depth == (uint32_t)kWgStackDepth) return false;
  s->entry[s->depth++] = (wg_simt_entry_t){sync, breg, pc & kPcMask, mask};
  return true;
}

static uint8_t step_bra(wg_simt_stack_t *s, const wg_simt_in_t *in) {
  uint32_t taken = in->exec & s->mask;
  if (taken != 0u && in->target % (uint32_t)kWgInsnBytes != 0u) return kWgFaultBadPc;
  if (taken == s->mask) {
    s->pc = in->target & kPcMask;
    return kWgFaultNone;
  }
  if (taken != 0u) {
    if (!push(s, false, 0, in->target, taken)) return kWgFaultStackError;
    s->mask &= ~taken;
  }
  s->pc = next_pc(s->pc);
  return kWgFaultNone;
}

static uint8_t step_bsync(wg_simt_stack_t *s, uint8_t breg) {
  uint32_t depth = s->depth;
  while (depth > 0u) {
    const wg_simt_entry_t *top = &s->entry[depth - 1u];
    uint32_t live = top->mask & ~s->exited;
    if (top->sync && top->breg != breg) return kWgFaultStackError;
    depth--;
    if (top->sync) {
      s->pc = next_pc(s->pc);
      s->mask = live;
      s->depth = depth;
      return kWgFaultNone;
    }
    if (live != 0u) {
      s->pc = top->pc;
      s->mask = live;
      s->depth = depth;
      return kWgFaultNone;
    }
  }
  return kWgFaultStackError;
}

static void step_exit(wg_simt_stack_t *s, uint32_t lanes) {
  s->exited |= lanes;
  s->mask &= ~lanes;
  if (s->mask != 0u || lanes == 0u) {
    s->pc = next_pc(s->pc);
    return;
  }
  while (s->depth > 0u) {
    const wg_simt_entry_t *top = &s->entry[--s->depth];
    uint32_t live = top->mask & ~s->exited;
    if (live == 0u) continue;
    s->mask = live;
    /* a sync entry with lanes left: all of them already wait at its BSYNC */
    s->pc = top->sync ? next_pc(top->pc) : top->pc;
    return;
  }
}

wg_simt_out_t wg_simt_step(wg_simt_stack_t *s, const wg_simt_in_t *in) {
  WG_BUG(s->mask == 0u);
  uint8_t fault = kWgFaultNone;
  bool any = (in->exec & s->mask) != 0u;
  switch (in->op) {
    case kWgOp_BRA: fault = step_bra(s, in); break;
    case kWgOp_EXIT: step_exit(s, in->exec & s->mask); break;
    case kWgOp_BSSY:
      if (any && !push(s, true, in->breg, in->target, s->mask)) fault = kWgFaultStackError;
      if (fault == kWgFaultNone) s->pc = next_pc(s->pc);
      break;
    case kWgOp_BSYNC:
      if (any) fault = step_bsync(s, in->breg);
      else s->pc = next_pc(s->pc);
      break;
    default: s->pc = next_pc(s->pc); break;
  }
  return (wg_simt_out_t){s->pc, s->mask, s->depth, fault};
}
