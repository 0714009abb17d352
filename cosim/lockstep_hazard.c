// SPDX-License-Identifier: Apache-2.0
//
// Dependence mode control-bits: hazards that the control fields leave open, and registers used while their write
// is really open.
#include <string.h>

#include "cosim/lockstep_int.h"
#include "toolchain/asm/wg_asm.h"

/* "pc 0x40 (x.cu:12) FADD R4, R2, R3" */
static void describe(wg_lockstep_t *ls, const ls_warp_t *lw, uint32_t pc, char *buf, size_t n) {
  const ls_block_t *b = &ls->block[lw->block];
  const char *file;
  unsigned line;
  char dis[160], place[96] = "";
  wg_dis_insn(wg_ref_code_at(b->code, pc)->word, pc, dis, sizeof dis);
  if (ls->env.line_of != NULL && ls->env.line_of(ls->env.line_ctx, b->cta.code_base, pc, &file, &line))
    snprintf(place, sizeof place, " (%s:%u)", file, line);
  snprintf(buf, n, "pc 0x%x%s %s", pc, place, dis);
}

static void fail(wg_lockstep_t *ls, const ls_warp_t *lw, const wg_hazard_report_t *r, const wg_insn_t *in) {
  static const char *const kLetter[] = {"", "RAW", "WAW", "WAR"};
  char first[320], what[96];
  describe(ls, lw, r->first_pc, first, sizeof first);
  snprintf(what, sizeof what, "%s hazard: %c%u is %s", kLetter[r->kind], r->pred ? 'P' : 'R', r->reg, wg_hazard_name(r->kind));
  const char *act = r->kind == kWgHazardWar ? "read" : "written";
  unsigned long long at = (unsigned long long)r->first_cycle;
  if (r->fixed) {
    ls_fail(ls, lw, &r->pc, what,
            "expected: %u cycles of stall counts behind %s, issued in cycle %llu\ngot: %u, lanes 0x%08x", r->need, first, at,
            r->have, r->lanes);
  } else if (r->counter < kWgCounters) {
    ls_fail(ls, lw, &r->pc, what,
            "expected: to wait for counter %u: %c%u to be %s by %s, issued in cycle %llu\ngot: wait mask 0x%02x, lanes 0x%08x",
            r->counter, r->pred ? 'P' : 'R', r->reg, act, first, at, in->wait_mask, r->lanes);
  } else {
    ls_fail(ls, lw, &r->pc, what,
            "expected: a %s counter on %s, issued in cycle %llu, and a wait for it\ngot: no counter, lanes 0x%08x",
            r->kind == kWgHazardWar ? "read" : "write", first, at, r->lanes);
  }
}

/* What the design still owes in lanes that the instruction uses: a counter that it did not wait for, though the code says so. */
static bool open_operand(wg_lockstep_t *ls, const ls_warp_t *lw, const wg_ref_insn_t *insn, uint32_t mask, uint32_t exec) {
  const uint8_t p[5] = {insn->in.guard, insn->in.ps0, insn->in.ps1, insn->in.pd0, insn->in.pd1};
  for (unsigned o = 0; o < lw->ops; o++) {
    const ls_op_t *op = lw->op[o];
    if (!op->variable) continue;
    for (unsigned i = 0; i < 5u; i++) {
      for (unsigned k = 0; k < insn->regs.count[i]; k++) {
        unsigned r = (unsigned)insn->regs.first[i] + k, row = r - op->insn->in.rd;
        if (row >= op->rows || (op->wb_left[row] & exec) == 0u) continue;
        ls_fail(ls, lw, &lw->w.div.pc, "instruction issued before its counter was 0",
                "expected: to wait for the write of R%u by pc 0x%x\ngot: issue while it is open", r, op->pc);
        return true;
      }
      for (unsigned j = 0; j < 2u; j++) {
        if (p[i] == kWgPT || p[i] != op->pd[j] || (op->p_left[j] & (i == 0u ? mask : exec)) == 0u) continue;
        ls_fail(ls, lw, &lw->w.div.pc, "instruction issued before its counter was 0",
                "expected: to wait for the write of P%u by pc 0x%x\ngot: issue while it is open", p[i], op->pc);
        return true;
      }
    }
  }
  return false;
}

bool ls_hazard(wg_lockstep_t *ls, ls_warp_t *lw, const wg_ref_insn_t *insn, uint32_t mask) {
  wg_hazard_report_t r;
  uint32_t guard = lw->w.pred[insn->in.guard];
  uint32_t exec = mask & (insn->in.guard_not ? ~guard : guard);
  if (!wg_hazard_issue(&lw->hazard, &ls->ctl, &insn->in, lw->w.div.pc, mask, exec, ls->cycle, &r)) {
    fail(ls, lw, &r, &insn->in);
    return false;
  }
  return !open_operand(ls, lw, insn, mask, exec);
}
