// SPDX-License-Identifier: Apache-2.0
//
// The calling convention: R1 is the stack pointer, an offset in the thread's local memory, which
// grows down; CALL leaves the return address in R20; arguments and results lie in R4 to R15, then on the stack at the
// caller's R1; R16 to R19 and R22 to R31 are preserved by whoever is called, everything else, predicates and convergence
// barriers too, by the caller. One RET a function, reached by all lanes that come back together.
//
// Registers of the convention are units that have their register from the start. NOPs name them where a call reads or
// writes them: to liveness they are reads and writes, to the scheduler fences; no word comes of them.
#include "toolchain/ptx/px_build.h"

bool wg_px_callee_saved(uint32_t reg) { return (reg >= 16 && reg <= 19) || (reg >= 22 && reg <= 31); }

bool wg_px_is_call(const wg_px_insn_t *in) { return in->op == kWgOp_CALL || in->op == kWgOp_BRX; }

int32_t wg_px_fixed(wg_px_ctx_t *x, uint32_t reg) {
  int32_t u = wg_px_unit_new(x, x->fn, 1);
  x->fn->unit[u].fixed = (uint8_t)(reg + 1);
  return u;
}

/* ---- places of arguments and results ---- */

static uint32_t words_of(const wg_px_sym_t *v) { return v->size == 0 ? 1 : (v->size + 3) / 4; }

uint32_t wg_px_place_args(wg_px_sym_t *const *v, uint32_t n, uint32_t base, wg_px_slot_t *out) {
  uint32_t next = kWgPxAbiArg, at = base;
  bool full = false; /* what follows the first one on the stack goes there too */
  for (uint32_t i = 0; i < n; i++) {
    uint32_t words = words_of(v[i]), align = v[i]->size >= 8 ? 2 : 1;
    next = (next + align - 1) & ~(align - 1);
    full = full || next + words > kWgPxAbiArgEnd;
    if (!full) {
      out[i] = (wg_px_slot_t){next, 0};
      next += words;
    } else {
      at = (at + 4 * align - 1) & ~(4 * align - 1);
      out[i] = (wg_px_slot_t){0, at};
      at += 4 * words;
    }
  }
  return at;
}

/* ---- markers ---- */

static void reads(wg_px_ctx_t *x, const int32_t *unit, uint32_t n) {
  for (uint32_t i = 0; i < n; i += 3) {
    (void)wg_px_emit(x, kWgOp_NOP, 0, -1, unit[i], i + 1 < n ? unit[i + 1] : -1, i + 2 < n ? unit[i + 2] : -1);
  }
}

static int32_t written(wg_px_ctx_t *x, uint32_t reg) {
  int32_t u = wg_px_fixed(x, reg);
  (void)wg_px_emit(x, kWgOp_NOP, 0, u, -1, -1, -1);
  return u;
}

static void frame_word(wg_px_ctx_t *x, bool store, uint32_t at, int32_t unit, bool above) {
  wg_px_insn_t *in = wg_px_emit(x, store ? kWgOp_STL : kWgOp_LDL, MOD(LSIZE, 4), store ? -1 : unit, x->fn->sp, -1,
                                store ? unit : -1);
  in->imm = at;
  in->above_frame = above;
}

/* Copy variables to where the convention has them. @param above the area is the caller's. @return registers used, in `out` */
static uint32_t send(wg_px_ctx_t *x, wg_px_sym_t *const *v, uint32_t n, const wg_px_slot_t *slot, bool above,
                     int32_t *out) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < n; i++) { /* the stack first: fewer registers wait */
    int32_t u = wg_px_arg_unit(x, v[i]);
    for (uint32_t w = 0; slot[i].reg == 0 && w < words_of(v[i]); w++) {
      frame_word(x, true, slot[i].at + 4 * w, u + (int32_t)w, above);
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    int32_t u = wg_px_arg_unit(x, v[i]);
    for (uint32_t w = 0; slot[i].reg != 0 && w < words_of(v[i]); w++) {
      out[used] = wg_px_fixed(x, slot[i].reg + w);
      wg_px_mov(x, out[used++], u + (int32_t)w);
    }
  }
  return used;
}

/* The other way round. */
static void receive(wg_px_ctx_t *x, wg_px_sym_t *const *v, uint32_t n, const wg_px_slot_t *slot, bool above) {
  int32_t in[kWgPxAbiArgEnd];
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t w = 0; slot[i].reg != 0 && w < words_of(v[i]); w++) {
      in[slot[i].reg + w] = written(x, slot[i].reg + w);
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    int32_t u = wg_px_arg_unit(x, v[i]);
    for (uint32_t w = 0; w < words_of(v[i]); w++) {
      if (slot[i].reg != 0) wg_px_mov(x, u + (int32_t)w, in[slot[i].reg + w]);
      else frame_word(x, false, slot[i].at + 4 * w, u + (int32_t)w, above);
    }
  }
}

/* ---- calls ---- */

/* Lanes with different targets go one target after the other: the lowest address among those that wait is called by all
   that have it, then the rest comes round. */
static wg_px_block_t *each_target(wg_px_ctx_t *x, int32_t address, int32_t *to) {
  wg_px_block_t *head = wg_px_block_new(x, x->fn), *body = wg_px_block_new(x, x->fn);
  wg_px_block_t *done = wg_px_block_new(x, x->fn);
  if (x->opt.reconverge) {
    wg_px_insn_t *bssy = wg_px_emit(x, kWgOp_BSSY, 0, -1, -1, -1, -1), *bsync = wg_px_insn_new(x, kWgOp_BSYNC);
    bsync->src = x->stmt;
    bssy->target = done;
    bssy->partner = bsync;
    bsync->partner = bssy;
    wg_px_insert(x, done, 0, bsync);
  }
  wg_px_end_jump(x, head);
  wg_px_start_block(x, head);
  *to = wg_px_tmp(x);
  int32_t all = wg_px_const(x, UINT32_MAX);
  (void)wg_px_emit(x, kWgOp_REDUX, MOD(RDXOP, 1), *to, address, all, -1);
  int32_t mine = wg_px_cmp(x, kCmpEq, true, *to, address);
  wg_px_end_jump(x, body);
  x->cur->term = kWgPxTCond;
  x->cur->succ[1] = head;
  x->cur->pred = mine;
  x->cur->divergent = x->cur->handled = true;
  wg_px_start_block(x, body);
  return done;
}

void wg_px_call_real(wg_px_ctx_t *x, const wg_px_call_t *c, wg_px_kernel_t *f, int32_t to, uint32_t conv) {
  wg_px_slot_t arg[kWgPxMaxArgs], ret[kWgPxMaxArgs];
  int32_t used[kWgPxAbiArgEnd + 1], target = to;
  uint32_t end = wg_px_place_args(c->arg, c->nargs, 0, arg);
  (void)wg_px_place_args(c->ret, c->nrets, (end + 7) & ~7u, ret);
  for (uint32_t i = 0; i < c->nrets; i++) (void)wg_px_arg_unit(x, c->ret[i]);
  wg_px_block_t *done = f == NULL ? each_target(x, to, &target) : NULL;
  uint32_t n = send(x, c->arg, c->nargs, arg, false, used);
  int32_t back = wg_px_fixed(x, kWgPxAbiRet);
  wg_px_insn_t *call;
  if (f != NULL) {
    call = wg_px_emit(x, kWgOp_CALL, 0, back, -1, -1, -1);
    call->func = f;
  } else {
    wg_px_insn_t *mov = wg_px_emit_imm(x, kWgOp_MOV, 0, back, -1, 1, -1);
    mov->return_pc = true;
    call = wg_px_emit(x, kWgOp_BRX, 0, -1, target, -1, -1);
    used[n++] = back;
  }
  call->conv = (uint8_t)conv;
  reads(x, used, n);
  receive(x, c->ret, c->nrets, ret, false);
  if (done == NULL) return;
  wg_px_end_jump(x, done);
  wg_px_start_block(x, done);
}

/* ---- bodies of called functions ---- */

wg_px_fn_t *wg_px_lower_func(wg_px_ctx_t *x, wg_px_kernel_t *k) {
  wg_px_slot_t arg[kWgPxMaxArgs], ret[kWgPxMaxArgs];
  int32_t used[kWgPxAbiArgEnd + 1];
  wg_px_stmt_t *head = wg_px_alloc(x, sizeof *head); /* the place of what belongs to no instruction of the text */
  head->text = k->name;
  head->text_len = (uint32_t)strlen(k->name);
  head->line = k->line;
  head->file = k->body != NULL ? k->body->file : 0;
  head->src_line = k->body != NULL ? k->body->src_line : 0;
  wg_px_start_body(x, k);
  for (uint32_t i = 0; i < k->num_syms; i++) {
    k->syms[i]->unit = -1;
    k->syms[i]->block = NULL;
  }
  x->stmt = head;
  x->inline_depth = 1;
  x->ret_to = wg_px_block_new(x, x->fn);
  uint32_t end = wg_px_place_args(k->arg, k->nargs, 0, arg);
  (void)wg_px_place_args(k->ret, k->nrets, (end + 7) & ~7u, ret);
  int32_t from = written(x, kWgPxAbiRet), back = wg_px_tmp(x);
  receive(x, k->arg, k->nargs, arg, true);
  wg_px_mov(x, back, from);
  k->active = true;
  for (wg_px_stmt_t *s = k->body; s != NULL; s = s->next) wg_px_lower_stmt(x, s);
  k->active = false;
  x->stmt = head;
  wg_px_end_jump(x, x->ret_to);
  wg_px_start_block(x, x->ret_to);
  uint32_t n = send(x, k->ret, k->nrets, ret, true, used);
  used[n] = wg_px_fixed(x, kWgPxAbiRet);
  wg_px_mov(x, used[n], back);
  reads(x, used, n + 1);
  x->cur->term = kWgPxTRet;
  x->cur->src = head;
  x->inline_depth = 0;
  wg_px_end_body(x);
  return x->fn;
}

/* ---- convergence barriers across calls ---- */

/* A called function takes the last numbers that those it calls leave free, so that a call overwrites none of its caller's
   barriers: a lane that leaves one of them meanwhile (BREAK) has left it. On circles of calls, and where the 16 numbers do not
   suffice, all begin at 0 and masks have to be kept. */
static void renumber_barriers(wg_px_fn_t *f) {
  uint32_t own = 0, below = 0;
  for (uint32_t i = 0; i < f->kernel->num_callees; i++) {
    uint32_t n = wg_px_conv_of(f->kernel->callee[i]);
    below = n > below ? n : below;
  }
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      if (b->insn[i]->op == kWgOp_BSSY && b->insn[i]->breg + 1u > own) own = b->insn[i]->breg + 1u;
    }
  }
  bool fits = own + below <= kWgConvBarriers;
  f->kernel->conv_all = fits ? own + below : (uint32_t)kWgConvBarriers;
  for (wg_px_block_t *b = f->entry; fits && f->kernel->is_func && b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      wg_px_insn_t *in = b->insn[i];
      bool barrier = in->op == kWgOp_BSSY || in->op == kWgOp_BSYNC;
      if (barrier) in->breg = (uint8_t)(in->breg + kWgConvBarriers - own - below);
    }
  }
}

/* Each lane keeps the mask that its BSSY gave it, for lanes of several activations may run together in a function. */
void wg_px_save_barriers(wg_px_ctx_t *x, wg_px_fn_t *f) {
  if (f->sp < 0) return;
  renumber_barriers(f);
  wg_px_opened_t *at = wg_px_open_barriers(x, wg_px_cfg(x, f));
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    wg_px_opened_t s = at[b->id];
    for (uint32_t i = 0; i < b->n; i++) {
      wg_px_insn_t *in = b->insn[i];
      wg_px_open_step(&s, in);
      for (unsigned r = kWgConvBarriers - in->conv; wg_px_is_call(in) && r < kWgConvBarriers; r++) {
        if (s.by[r] == NULL) continue;
        if (s.by[r]->op == kWgOp_BSSY) s.by[r]->d = wg_px_unit_new(x, f, 1);
        s.by[r]->op = kWgOp_BSSYR;
        wg_px_insn_t *back = wg_px_insn_new(x, kWgOp_BMOVB);
        back->a = s.by[r]->d;
        back->breg = (uint8_t)r;
        back->src = in->src;
        wg_px_insert(x, b, ++i, back);
      }
    }
  }
}

/* ---- frames ---- */

static int32_t in_reg(wg_px_ctx_t *x, wg_px_fn_t *f, uint32_t reg) {
  int32_t u = wg_px_unit_new(x, f, 1);
  f->unit[u].reg = (uint16_t)reg;
  return u;
}

static wg_px_insn_t *make(wg_px_ctx_t *x, uint8_t op, const wg_px_stmt_t *src) {
  wg_px_insn_t *in = wg_px_insn_new(x, op);
  in->src = src;
  return in;
}

static wg_px_insn_t *move_sp(wg_px_ctx_t *x, int32_t sp, uint32_t by, const wg_px_stmt_t *src) {
  wg_px_insn_t *in = make(x, kWgOp_IADD3, src);
  in->form = kWgFormImm;
  in->d = in->a = sp;
  in->imm = by;
  return in;
}

static wg_px_insn_t *save_reg(wg_px_ctx_t *x, bool store, int32_t sp, int32_t reg, uint32_t at, const wg_px_stmt_t *src) {
  wg_px_insn_t *in = make(x, store ? kWgOp_STL : kWgOp_LDL, src);
  in->mods = MOD(LSIZE, 4);
  in->a = sp;
  in->imm = at;
  if (store) in->c = reg;
  else in->d = reg;
  return in;
}

/* Registers that the function has to give back as they were. */
static uint32_t saved_regs(const wg_px_fn_t *f, uint32_t *reg) {
  bool used[256] = {false};
  uint32_t n = 0;
  for (uint32_t i = 0; i < f->num_units; i++) used[f->unit[i].reg & 255u] = true;
  for (uint32_t r = 0; r < 32; r++) {
    if (f->kernel->is_func && used[r] && wg_px_callee_saved(r)) reg[n++] = r;
  }
  return n;
}

static const wg_px_stmt_t *first_place(const wg_px_block_t *b) { return b->n > 0 ? b->insn[0]->src : b->src; }

void wg_px_frame(wg_px_ctx_t *x, wg_px_fn_t *f) {
  uint32_t reg[32], at = 0;
  if (f->sp < 0) return;
  uint32_t n = saved_regs(f, reg), slots = (f->local_bytes + 3) & ~3u, frame = (slots + 4 * n + 15) & ~15u;
  int32_t sp = in_reg(x, f, kWgPxAbiSp), keep[32];
  const wg_px_stmt_t *src = first_place(f->entry);
  f->kernel->frame = frame;
  for (uint32_t i = 0; i < n; i++) keep[i] = in_reg(x, f, reg[i]);
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      if (b->insn[i]->above_frame) b->insn[i]->imm += frame;
    }
    if (b->term != kWgPxTRet || frame == 0) continue;
    for (uint32_t i = 0; i < n; i++) wg_px_insert(x, b, b->n, save_reg(x, false, sp, keep[i], slots + 4 * i, b->src));
    wg_px_insert(x, b, b->n, move_sp(x, sp, frame, b->src));
  }
  if (!f->kernel->is_func) { /* the stack is the thread's local memory: c[0][0x20] says where it ends */
    wg_px_insn_t *top = make(x, kWgOp_MOV, src);
    top->form = kWgFormConst;
    top->coff = 0x20;
    top->d = sp;
    wg_px_insert(x, f->entry, at++, top);
  }
  if (frame != 0) wg_px_insert(x, f->entry, at++, move_sp(x, sp, 0u - frame, src));
  for (uint32_t i = 0; i < n; i++) wg_px_insert(x, f->entry, at++, save_reg(x, true, sp, keep[i], slots + 4 * i, src));
}
