// SPDX-License-Identifier: Apache-2.0
//
// Machine IR: construction and facts about single instructions.
#include <string.h>

#include "isa/wg_isa_table.h"
#include "toolchain/ptx/px.h"

wg_px_fn_t *wg_px_fn_new(wg_px_ctx_t *x, wg_px_kernel_t *k) {
  wg_px_fn_t *f = wg_px_alloc(x, sizeof *f);
  f->kernel = k;
  f->sp = -1;
  f->entry = f->last = wg_px_block_new(x, f);
  return f;
}

wg_px_block_t *wg_px_block_new(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_block_t *b = wg_px_alloc(x, sizeof *b);
  b->id = f->num_blocks++;
  b->pred = -1;
  b->term = kWgPxTExit;
  return b;
}

void wg_px_block_append(wg_px_fn_t *f, wg_px_block_t *b) {
  f->last->next = b;
  f->last = b;
}

void wg_px_block_insert_after(wg_px_fn_t *f, wg_px_block_t *at, wg_px_block_t *b) {
  b->next = at->next;
  at->next = b;
  if (f->last == at) f->last = b;
}

int32_t wg_px_unit_new(wg_px_ctx_t *x, wg_px_fn_t *f, unsigned width) {
  if (f->num_units + width > kWgPxMaxUnits) {
    wg_px_fail(x, kWgUnsupported, f->kernel->line, 0, "", "kernel '%s' needs more than %d virtual registers",
               f->kernel->name, kWgPxMaxUnits);
  }
  while (f->num_units + width > f->cap_units) {
    f->unit = wg_px_grow(x, f->unit, f->cap_units, &f->cap_units, sizeof *f->unit);
  }
  int32_t base = (int32_t)f->num_units;
  for (unsigned i = 0; i < width; i++) {
    f->unit[f->num_units++] = (wg_px_unit_t){.base = base, .width = (uint8_t)width, .reg = kWgRZ};
  }
  return base;
}

int32_t wg_px_pred_new(wg_px_ctx_t *x, wg_px_fn_t *f, bool named) {
  if (f->num_preds >= kWgPxMaxUnits) wg_px_fail(x, kWgUnsupported, f->kernel->line, 0, "", "too many predicates");
  f->pred_named = wg_px_grow(x, f->pred_named, f->num_preds, &f->cap_preds, sizeof *f->pred_named);
  f->pred_named[f->num_preds] = named;
  return (int32_t)f->num_preds++;
}

bool wg_px_full_def(const wg_px_fn_t *f, const wg_px_insn_t *in, int32_t unit) {
  return in->guard < 0 || !f->unit[unit].named;
}

bool wg_px_full_pdef(const wg_px_fn_t *f, const wg_px_insn_t *in, int32_t pred) {
  return in->guard < 0 || !f->pred_named[pred];
}

wg_px_insn_t *wg_px_insn_new(wg_px_ctx_t *x, uint8_t op) {
  wg_px_insn_t *in = wg_px_alloc(x, sizeof *in);
  in->op = op;
  in->guard = in->d = in->a = in->b = in->c = in->pd0 = in->pd1 = in->ps0 = in->ps1 = -1;
  in->wr_ctr = in->rd_ctr = 7;
  return in;
}

void wg_px_insert(wg_px_ctx_t *x, wg_px_block_t *b, uint32_t at, wg_px_insn_t *in) {
  b->insn = wg_px_grow(x, b->insn, b->n, &b->cap, sizeof *b->insn);
  memmove(b->insn + at + 1, b->insn + at, (b->n - at) * sizeof *b->insn);
  b->insn[at] = in;
  b->n++;
}

unsigned wg_px_mem_units(const wg_px_insn_t *in) {
  unsigned m = in->mods & 7u;
  return m == 6 ? 4 : m == 5 ? 2 : 1;
}

static uint8_t field_units(const wg_op_facts_t *f, const wg_px_insn_t *in, char field, int32_t unit) {
  return unit < 0 ? 1 : (uint8_t)wg_op_field_regs(f, field, in->mods);
}

/* How many registers an operand holds says isa.def. */
wg_px_use_t wg_px_uses(const wg_px_insn_t *in) {
  const wg_op_facts_t *f = wg_op_facts(in->op);
  int32_t b = in->form == kWgFormReg ? in->b : -1;
  return (wg_px_use_t){.src = {in->a, b, in->c, -1},
                       .nsrc = {field_units(f, in, 'A', in->a), field_units(f, in, 'B', b),
                                field_units(f, in, 'C', in->c), 0},
                       .dst = in->d,
                       .ndst = field_units(f, in, 'D', in->d),
                       .psrc = {in->guard, in->ps0, in->ps1},
                       .pdst = {in->pd0, in->pd1}};
}

bool wg_px_side_effect(const wg_px_insn_t *in) {
  if (wg_insn_is_store(in->op) || wg_insn_is_atomic(in->op)) return true;
  switch (in->op) {
    case kWgOp_SHFL: /* a lane's value may be read by another: keep it where the text has it */
    case kWgOp_MEMBAR:
    case kWgOp_CCTL:
      return true;
    default: /* NOP: bar.warp.sync */
      return in->strong || wg_insn_info(in->op)->pipe == kWgPipeCTRL;
  }
}

unsigned wg_px_num_succ(const wg_px_block_t *b) {
  switch (b->term) {
    case kWgPxTCond:
      return 2;
    case kWgPxTExit:
    case kWgPxTRet:
      return 0;
    default:
      return 1;
  }
}
