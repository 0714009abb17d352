// SPDX-License-Identifier: Apache-2.0
//
// Before a body is lowered: definitions of its registers, places of its shared and local variables, whether it calls.
#include "toolchain/obj/wg_demangle.h"
#include "toolchain/ptx/px_build.h"

/* Static shared variables of the module and of this body, by falling alignment, then in the order of the text. With calls,
   those of called functions come first. */
static void place_shared(wg_px_ctx_t *x, bool calls) {
  uint32_t end = calls ? x->func_shared : 0, ext_align = 1;
  for (uint32_t i = 0; i < x->num_shared; i++) {
    wg_px_sym_t *s = x->shared[i];
    if (s->is_extern && s->align > ext_align) ext_align = s->align;
    if (s->common && calls) s->offset = s->common_at;
  }
  for (uint32_t align = 4096; align != 0; align /= 2) {
    for (uint32_t i = 0; i < x->num_shared; i++) {
      wg_px_sym_t *s = x->shared[i];
      if (s->is_extern || s->align != align || !s->placed || (s->common && calls)) continue;
      end = (end + align - 1) & ~(align - 1);
      s->offset = end;
      end += s->size;
      if (end > kWgPxMaxShared) break; /* no sum may wrap around */
    }
  }
  if (end > kWgPxMaxStaticShared) {
    char name[160];
    /* the first statement has a source line, the kernel's head has none */
    uint32_t line = x->kernel->body != NULL ? x->kernel->body->line : x->kernel->line;
    wg_px_fail(x, kWgUnsupported, line, 0,
               "an extern __shared__ array with cudaFuncSetAttribute(kernel, "
               "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) may be larger",
               "kernel '%s' uses too much shared data: %u bytes, at most %d",
               wg_demangle(x->kernel->name, name, sizeof name), end, kWgPxMaxStaticShared);
  }
  x->shared_end = end;
  uint32_t dyn = (end + ext_align - 1) & ~(ext_align - 1);
  for (uint32_t i = 0; i < x->num_shared; i++) {
    if (x->shared[i]->is_extern && x->shared[i]->placed) x->shared[i]->offset = dyn;
  }
  x->fn->shared_bytes = dyn;
}

/* Local variables of this body by falling alignment, behind what calls pass on the stack. */
static void place_local(wg_px_ctx_t *x) {
  uint32_t end = (x->fn->out_bytes + 15) & ~15u;
  for (uint32_t align = 4096; align != 0; align /= 2) {
    for (uint32_t i = 0; i < x->num_locals; i++) {
      wg_px_sym_t *s = x->locals[i];
      if (s->align != align || !s->placed) continue;
      end = (end + align - 1) & ~(align - 1);
      s->offset = end;
      if (s->size > kWgPxMaxLocal || end + s->size > kWgPxMaxLocal) {
        wg_px_fail(x, kWgUnsupported, s->line, 0, "", "local variables of '%s' exceed %d bytes", x->kernel->name,
                   kWgPxMaxLocal);
      }
      end += s->size;
    }
  }
  x->fn->local_bytes = (end + 3u) & ~3u;
}

static void mark_placed(const wg_px_opnd_t *o, wg_px_space_t space) {
  if ((o->kind == kWgPxOSym || o->kind == kWgPxOAddr) && o->sym != NULL && o->sym->space == space) o->sym->placed = true;
}

static bool takes_dynamic(const wg_px_opnd_t *o) {
  return (o->kind == kWgPxOSym || o->kind == kWgPxOAddr) && o->sym != NULL && o->sym->is_extern;
}

/* Shared variables that a kernel needs: its own and those of all functions that it may come to. */
static void survey_shared(wg_px_ctx_t *x, wg_px_kernel_t *k, bool *dynamic) {
  if (k->stamp == x->stamp) return;
  k->stamp = x->stamp;
  for (wg_px_stmt_t *s = k->body; s != NULL; s = s->next) {
    for (uint32_t i = 0; s->label == NULL && i < s->nops; i++) {
      mark_placed(&s->op[i], kWgPxSpShared);
      *dynamic = *dynamic || takes_dynamic(&s->op[i]);
    }
    if (s->call == NULL) continue;
    if (s->call->callee->func != NULL) survey_shared(x, s->call->callee->func, dynamic);
    for (wg_px_kernel_t *f = x->funcs; s->call->callee->space == kWgPxSpReg && f != NULL; f = f->next) {
      if (f->taken) survey_shared(x, f, dynamic);
    }
  }
}

static void count_def(wg_px_opnd_t *o, wg_px_stmt_t *s) {
  if (o->kind == kWgPxOVec) {
    for (uint32_t i = 0; i < o->nvec; i++) count_def(&o->vec[i], s);
    return;
  }
  if (o->kind == kWgPxOReg) {
    o->sym->defs += s->guard != NULL ? 2 : 1; /* a guarded write leaves the old value in some lanes */
    o->sym->def = s;
  }
  if (o->pred != NULL) {
    o->pred->defs++;
    o->pred->def = s;
  }
}

/* Definitions of registers, local variables, calls by the convention of one body with what is put into it, before anything
   is lowered. */
static void survey(wg_px_ctx_t *x, wg_px_kernel_t *k) {
  if (k->stamp == x->stamp) return;
  k->stamp = x->stamp;
  for (wg_px_stmt_t *s = k->body; s != NULL; s = s->next) {
    if (s->label != NULL) continue;
    for (uint32_t i = 0; i < s->nops; i++) mark_placed(&s->op[i], kWgPxSpLocal);
    if (wg_px_has_result(s) && !k->counted) count_def(&s->op[0], s);
    if (strcmp(s->part[0], "cvta") == 0 && wg_px_part(s, 1, "local")) x->local_escapes = true;
    if (s->call == NULL) continue;
    wg_px_kernel_t *f = s->call->callee->func;
    if (f != NULL && !f->real) {
      survey(x, f);
    } else if (f != NULL || s->call->callee->space == kWgPxSpReg) {
      wg_px_slot_t slot[kWgPxMaxArgs];
      uint32_t end = wg_px_place_args(s->call->arg, s->call->nargs, 0, slot);
      end = wg_px_place_args(s->call->ret, s->call->nrets, (end + 7) & ~7u, slot);
      if (end > x->fn->out_bytes) x->fn->out_bytes = end;
      x->fn->sp = 0; /* wanted */
    }
  }
  k->counted = true;
}

void wg_px_start_body(wg_px_ctx_t *x, wg_px_kernel_t *k) {
  x->kernel = k;
  x->fn = wg_px_fn_new(x, k);
  x->cur = x->fn->entry;
  x->cc_pred = -1;
  x->cc_borrow = false;
  for (uint32_t i = 0; i < x->num_shared; i++) x->shared[i]->placed = false;
  for (uint32_t i = 0; i < x->num_locals; i++) x->locals[i]->placed = false;
  bool dynamic = false;
  x->local_escapes = x->num_real != 0 && x->any_escapes;
  x->inline_depth = 0;
  x->ret_to = NULL;
  x->stamp++;
  survey_shared(x, k, &dynamic);
  x->stamp++;
  survey(x, k);
  bool calls = x->fn->sp >= 0 || k->is_func;
  place_shared(x, calls);
  place_local(x);
  if (!dynamic) x->fn->shared_bytes = x->shared_end;
  if (!calls) return;
  static const wg_px_stmt_t kNowhere = {0};
  x->stmt = &kNowhere;
  x->fn->sp = wg_px_fixed(x, kWgPxAbiSp);
  wg_px_emit(x, kWgOp_NOP, 0, x->fn->sp, -1, -1, -1)->src = NULL;
}

void wg_px_end_body(wg_px_ctx_t *x) {
  for (wg_px_block_t *b = x->fn->cold; b != NULL;) {
    wg_px_block_t *next = b->next;
    b->next = NULL;
    wg_px_block_append(x->fn, b);
    b = next;
  }
}
