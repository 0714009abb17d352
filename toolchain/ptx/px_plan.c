// SPDX-License-Identifier: Apache-2.0
//
// Functions of a module as a whole: which are put in where they are called and which are called, what the called ones have
// in common, and, when all are compiled, the resources of kernels and the addresses of code.
//
// Called are: functions that reach themselves, those whose address is a value, those with .noinline, and those that are
// long and called from several places or nested deeply.
#include <string.h>

#include "isa/wg_isa.h"
#include "toolchain/ptx/px.h"

enum { kMaxPutIn = 64 /* statements, if there are several places */, kMaxHeight = 20, kMaxWalk = 1000 };

/* ---- the choice ---- */

static void take(wg_px_kernel_t *f) {
  f->taken = true;
  f->real = true;
}

static void take_operand(const wg_px_opnd_t *o) {
  if (o->kind == kWgPxOSym && o->sym->space == kWgPxSpFunc && o->sym->func != NULL) take(o->sym->func);
  for (uint32_t i = 0; o->kind == kWgPxOVec && i < o->nvec; i++) take_operand(&o->vec[i]);
}

/* Addresses in texts and in initial values, numbers of calls. */
static void count_uses(wg_px_ctx_t *x, wg_px_kernel_t *k) {
  for (wg_px_stmt_t *s = k->body; s != NULL; s = s->next) {
    if (s->label != NULL) continue;
    for (uint32_t i = 0; i < s->nops; i++) take_operand(&s->op[i]);
    if (s->call != NULL && s->call->callee->func != NULL) s->call->callee->func->sites++;
    if (strcmp(s->part[0], "cvta") == 0 && s->nparts > 1 && strcmp(s->part[1], "local") == 0) x->any_escapes = true;
  }
}

/* What a function that is always put in calls is called from all its places. */
static void count_again(wg_px_kernel_t *f) {
  for (wg_px_stmt_t *s = f->body; s != NULL; s = s->next) {
    if (s->call != NULL && s->call->callee->func != NULL) s->call->callee->func->sites += f->sites;
  }
}

static void list(wg_px_ctx_t *x, wg_px_kernel_t *f) {
  if (f->listed) return;
  f->listed = true;
  x->real = wg_px_grow(x, x->real, x->num_real, &x->cap_real, sizeof *x->real);
  x->real[x->num_real++] = f;
}

static void walk(wg_px_ctx_t *x, wg_px_kernel_t *k, uint32_t depth);

static void walk_to(wg_px_ctx_t *x, wg_px_kernel_t *k, wg_px_kernel_t *f, uint32_t line, uint32_t depth) {
  if (f->active) f->real = true; /* every circle of calls has one that is called */
  if (depth > kMaxWalk) {
    wg_px_fail(x, kWgUnsupported, line, 0, "call less deeply", "calls nested more than %d deep are not supported",
               kMaxWalk);
  }
  if (!f->seen) walk(x, f, depth + 1);
  if (f->active || f->real) return;
  k->size += f->size;
  if (f->height + 1 > k->height) k->height = f->height + 1;
}

/* Callees first. Sets size and height of what would be put in, and from them `real`. */
static void walk(wg_px_ctx_t *x, wg_px_kernel_t *k, uint32_t depth) {
  k->seen = k->active = true;
  k->size = k->num_stmts;
  for (wg_px_stmt_t *s = k->body; s != NULL; s = s->next) {
    for (uint32_t i = 0; s->label == NULL && i < s->nops; i++) {
      const wg_px_opnd_t *o = &s->op[i];
      bool func = o->kind == kWgPxOSym && o->sym->space == kWgPxSpFunc && o->sym->func != NULL;
      if (func) walk_to(x, k, o->sym->func, s->line, depth);
    }
    if (s->call == NULL) continue;
    if (s->call->callee->func != NULL) walk_to(x, k, s->call->callee->func, s->line, depth);
    for (wg_px_kernel_t *f = x->funcs; s->call->callee->space == kWgPxSpReg && f != NULL; f = f->next) {
      if (f->taken && wg_px_call_fits(s->call, f)) walk_to(x, k, f, s->line, depth);
    }
  }
  k->active = false;
  if (!k->is_func) return;
  bool large = k->height >= kMaxHeight || (k->size > kMaxPutIn && k->sites > 1);
  k->real = k->real || k->no_inline || (large && !k->keeps_line);
  if (k->real) list(x, k);
}

/* Shared variables that called functions use, with what is put into them: one place for all kernels. */
static void place_common(wg_px_ctx_t *x, wg_px_kernel_t *k) {
  if (k->stamp == x->stamp) return;
  k->stamp = x->stamp;
  for (wg_px_stmt_t *s = k->body; s != NULL; s = s->next) {
    for (uint32_t i = 0; s->label == NULL && i < s->nops; i++) {
      wg_px_sym_t *v = s->op[i].kind == kWgPxOSym || s->op[i].kind == kWgPxOAddr ? s->op[i].sym : NULL;
      if (v == NULL || v->space != kWgPxSpShared || v->is_extern || v->common) continue;
      v->common = true;
      v->common_at = (x->func_shared + v->align - 1) & ~(v->align - 1);
      if (v->common_at + (uint64_t)v->size > kWgPxMaxShared) {
        wg_px_fail(x, kWgUnsupported, v->line, 0, "", "shared variables of functions need more than %d bytes",
                   kWgPxMaxShared);
      }
      x->func_shared = v->common_at + v->size;
    }
    if (s->call != NULL && s->call->callee->func != NULL) place_common(x, s->call->callee->func);
  }
}

void wg_px_plan(wg_px_ctx_t *x) {
  for (wg_px_kernel_t *k = x->kernels; k != NULL; k = k->next) count_uses(x, k);
  for (wg_px_kernel_t *f = x->funcs; f != NULL; f = f->next) count_uses(x, f);
  for (wg_px_kernel_t *f = x->funcs; f != NULL; f = f->next) {
    if (f->keeps_line && f->sites > 1) count_again(f);
  }
  for (uint32_t i = 0; i < x->num_vars; i++) {
    for (wg_px_addr_t *a = x->vars[i]->addrs; a != NULL; a = a->next) {
      if (a->sym->space == kWgPxSpFunc && a->sym->func != NULL) take(a->sym->func);
    }
  }
  for (wg_px_kernel_t *k = x->kernels; k != NULL; k = k->next) walk(x, k, 0);
  for (uint32_t i = 0; i < x->num_vars; i++) {
    for (wg_px_addr_t *a = x->vars[i]->addrs; a != NULL; a = a->next) {
      if (a->sym->space == kWgPxSpFunc && a->sym->func != NULL && !a->sym->func->seen) walk(x, a->sym->func, 0);
    }
  }
  x->stamp++;
  for (uint32_t i = 0; i < x->num_real; i++) place_common(x, x->real[i]);
  for (wg_px_kernel_t *k = x->kernels; k != NULL; k = k->next) { /* .maxnreg holds for what the kernel calls */
    for (uint32_t i = 0; k->max_regs != 0 && i < x->num_real; i++) {
      wg_px_kernel_t *f = x->real[i];
      if (f->max_regs == 0 || f->max_regs > k->max_regs) f->max_regs = k->max_regs;
    }
  }
}

void wg_px_calls(wg_px_ctx_t *x, wg_px_kernel_t *f) {
  wg_px_kernel_t *k = x->kernel;
  for (uint32_t i = 0; i < k->num_callees; i++) {
    if (k->callee[i] == f) return;
  }
  k->callee = wg_px_grow(x, k->callee, k->num_callees, &k->cap_callees, sizeof *k->callee);
  k->callee[k->num_callees++] = f;
}

/* ---- what comes of all of them ---- */

void wg_px_compiled(wg_px_kernel_t *k, wg_px_fn_t *f) {
  k->fn = f;
  k->regs = f->regs == 0 ? 1 : f->regs;
  k->barriers = f->barriers;
}

/* Callees are compiled first; one that is not yet is on a circle of calls. */
uint32_t wg_px_conv_of(const wg_px_kernel_t *f) {
  return f->fn == NULL ? (uint32_t)kWgConvBarriers : f->conv_all;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Maxima over `k` and what it calls, bytes of stack from k's frame down. Circles end at a function on the way. */
static void sum(wg_px_ctx_t *x, wg_px_kernel_t *k) {
  k->stamp = x->stamp;
  k->active = true;
  k->sum_regs = k->regs, k->sum_barriers = k->barriers, k->sum_depth = 0, k->sum_endless = false;
  for (uint32_t i = 0; i < k->num_callees; i++) {
    wg_px_kernel_t *f = k->callee[i];
    if (f->active) {
      k->sum_endless = true;
      continue;
    }
    if (f->stamp != x->stamp) sum(x, f);
    k->sum_regs = larger(k->sum_regs, f->sum_regs);
    k->sum_barriers = larger(k->sum_barriers, f->sum_barriers);
    k->sum_depth = larger(k->sum_depth, f->sum_depth);
    k->sum_endless = k->sum_endless || f->sum_endless;
  }
  k->sum_depth += k->frame;
  k->active = false;
}

static uint32_t func_pc(const wg_px_ctx_t *x, const wg_px_kernel_t *f) { return wg_obj_kernel_pc(x->obj, f->index); }

static void patch_code(wg_px_ctx_t *x) {
  for (uint32_t i = 0; i < x->num_fixups; i++) {
    const wg_px_fixup_t *p = &x->fixups[i];
    wg_word_t *w = &x->obj->kernels[p->owner].code[p->insn];
    uint32_t behind = wg_obj_kernel_pc(x->obj, p->owner) + (p->insn + 1) * (uint32_t)kWgInsnBytes;
    wg_insn_t in;
    WG_BUG(wg_decode(*w, &in) != kWgOk);
    in.imm = func_pc(x, p->func) - (in.op == kWgOp_CALL ? behind : 0);
    *w = wg_encode(&in);
  }
}

/* Addresses among initial values: those of functions are numbers now, those of variables the loader adds (wg_obj.h). */
static void patch_values(wg_px_ctx_t *x) {
  for (uint32_t i = 0; i < x->num_vars; i++) {
    wg_px_sym_t *v = x->vars[i];
    for (wg_px_addr_t *a = v->addrs; a != NULL; a = a->next) {
      const wg_px_sym_t *s = a->sym;
      uint64_t value = (uint64_t)a->add + (s->space == kWgPxSpFunc ? func_pc(x, s->func) : s->offset);
      bool loads = s->space == kWgPxSpGlobal || (s->space == kWgPxSpConst && a->generic);
      for (uint32_t k = 0; k < a->size; k++) v->init[a->at + k] = (uint8_t)((value >> a->shift) >> (8 * k));
      if (!loads) continue;
      wg_obj_reloc_t *r = realloc(x->obj->relocs, (x->obj->num_relocs + 1) * sizeof *r);
      if (r == NULL) wg_px_fail(x, kWgNoSpace, 0, 0, "", "out of memory");
      x->obj->relocs = r;
      r[x->obj->num_relocs++] = (wg_obj_reloc_t){.space = v->space == kWgPxSpConst ? 0 : 1,
                                                 .base = s->space == kWgPxSpConst ? 0 : 1,
                                                 .size = (uint8_t)a->size,
                                                 .shift = (uint8_t)a->shift,
                                                 .offset = v->offset + a->at,
                                                 .addend = value};
    }
  }
}

void wg_px_link(wg_px_ctx_t *x) {
  for (wg_px_kernel_t *k = x->kernels; k != NULL; k = k->next) {
    wg_obj_kernel_t *out = &x->obj->kernels[k->index];
    if (k->num_callees == 0) continue;
    x->stamp++;
    sum(x, k);
    out->regs = k->sum_regs;
    out->barriers = k->sum_barriers;
    out->local_bytes = k->sum_depth;
    out->uses_stack = k->sum_endless;
    if (out->local_bytes > kWgPxMaxLocal) {
      wg_px_fail(x, kWgUnsupported, k->line, 0, "", "calls of kernel '%s' need more than %d bytes of stack", k->name,
                 kWgPxMaxLocal);
    }
  }
  patch_code(x);
  patch_values(x);
}
