// SPDX-License-Identifier: Apache-2.0
//
// The compiler's door: runs the passes and builds the container.
#include "toolchain/ptx/wg_ptx.h"

#include <string.h>

#include "toolchain/ptx/px.h"

void wg_ptx_default_options(wg_ptx_options_t *o) {
  memset(o, 0, sizeof *o);
  o->schedule = true;
  o->reconverge = true;
  o->keep_ptx = true;
}

static void *need(wg_px_ctx_t *x, void *p) {
  if (p == NULL) wg_px_fail(x, kWgNoSpace, 0, 0, "", "out of memory");
  return p;
}

static char *copy_string(wg_px_ctx_t *x, const char *s) {
  size_t n = strlen(s) + 1;
  return memcpy(need(x, malloc(n)), s, n);
}

/* A lowered body through the passes up to registers and frame. */
static void run_passes(wg_px_ctx_t *x, wg_px_kernel_t *k, wg_px_fn_t *f) {
  wg_px_cfg_clean(x, f);
  wg_px_opt(x, f);
  wg_px_share_tuples(x, f);
  wg_px_sink(x, f);
  wg_px_diverge(x, f);
  wg_px_meet(x, f);
  wg_px_reconverge(x, f);
  wg_px_save_barriers(x, f);
  wg_px_break(x, f);
  wg_px_yield(x, f);
  wg_px_warpsync(x, f);
  wg_px_sweep(x, f);
  wg_px_sums(x, f);
  wg_px_schedule(x, f);
  wg_px_regalloc(x, f);
  wg_px_frame(x, f);
  wg_px_compiled(k, f);
}

static void emit(wg_px_ctx_t *x, wg_px_kernel_t *k) {
  const wg_px_fn_t *f = k->fn;
  wg_obj_kernel_t *kernels = need(x, realloc(x->obj->kernels, (x->obj->num_kernels + 1) * sizeof *kernels));
  x->obj->kernels = kernels;
  k->index = (uint32_t)x->obj->num_kernels;
  wg_obj_kernel_t *out = &kernels[x->obj->num_kernels];
  memset(out, 0, sizeof *out);
  x->obj->num_kernels++;
  out->name = copy_string(x, k->name);
  wg_px_emit_kernel(x, k->fn, out);
  out->is_func = k->is_func;
  out->max_threads = k->is_func ? 1024 : k->max_threads;
  memcpy(out->req_ntid, k->req_ntid, sizeof out->req_ntid);
  out->regs = k->regs;
  out->shared_bytes = f->shared_bytes;
  out->barriers = f->barriers;
  out->local_bytes = f->sp >= 0 ? k->frame : f->local_bytes;
  out->spills = f->pred_spills + f->reg_spills;
  out->uses_dyn_shared = k->uses_extern_shared;
  out->latency_hash = wg_ctl_hash(x->opt.ctl != NULL ? x->opt.ctl : &wg_ctl_any);
  out->num_params = k->num_params;
  out->params = need(x, calloc(k->num_params + 1, sizeof *out->params));
  if (k->num_params != 0) memcpy(out->params, k->params, k->num_params * sizeof *out->params);
  for (uint32_t i = 0; i < k->num_params; i++) out->params[i].offset = k->params[i].offset;
}

/* Its shared variables, for messages; those of called functions too. Placed for this kernel, which was lowered last. */
static void name_shared(wg_px_ctx_t *x, const wg_px_kernel_t *k) {
  wg_obj_t *o = x->obj;
  wg_obj_shared_t *v = need(x, realloc(o->shared, (o->num_shared + x->num_shared + 1) * sizeof *v));
  o->shared = v;
  for (uint32_t i = 0; i < x->num_shared; i++) {
    const wg_px_sym_t *s = x->shared[i];
    if (s->placed) {
      v[o->num_shared].name = copy_string(x, s->name);
      v[o->num_shared].kernel = k->index;
      v[o->num_shared].offset = s->offset;
      v[o->num_shared++].size = s->is_extern ? 0 : s->size;
    }
  }
}

/* Functions are compiled first, so that callers know them, and lie behind the kernels. */
static void compile_all(wg_px_ctx_t *x) {
  wg_px_plan(x);
  for (uint32_t i = 0; i < x->num_real; i++) run_passes(x, x->real[i], wg_px_lower_func(x, x->real[i]));
  for (wg_px_kernel_t *k = x->kernels; k != NULL; k = k->next) {
    run_passes(x, k, wg_px_lower(x, k));
    emit(x, k);
    name_shared(x, k);
  }
  for (uint32_t i = 0; i < x->num_real; i++) emit(x, x->real[i]);
  wg_px_link(x);
}

static void write_vars(wg_px_ctx_t *x) {
  wg_obj_t *o = x->obj;
  o->const3_size = (x->const_size + 3u) & ~(size_t)3u; /* the constant form reads whole words */
  o->global_size = x->global_size;
  if (x->uses_bases) { /* the loader fills it: addresses of the global and the constant variables */
    o->const2_size = kWgObjBases;
    o->const2 = need(x, calloc(1, o->const2_size));
  }
  if (o->const3_size != 0) o->const3 = need(x, calloc(1, o->const3_size));
  if (o->global_size != 0) o->global_init = need(x, calloc(1, o->global_size));
  if (x->num_vars != 0) o->vars = need(x, calloc(x->num_vars, sizeof *o->vars));
  for (uint32_t i = 0; i < x->num_vars; i++) {
    const wg_px_sym_t *s = x->vars[i];
    bool is_const = s->space == kWgPxSpConst;
    wg_obj_var_t *v = &o->vars[o->num_vars];
    v->name = copy_string(x, s->name);
    o->num_vars++;
    v->space = is_const ? 0 : 1;
    v->offset = s->offset;
    v->size = s->size;
    v->align = s->align;
    if (s->init != NULL && s->size != 0)
      memcpy((is_const ? o->const3 : o->global_init) + s->offset, s->init, s->size);
  }
}

wg_status_t wg_ptx_compile(const char *text, const char *name, const wg_ptx_options_t *opt, wg_obj_t **out,
                           wg_diag_t *diag) {
  if (text[strspn(text, " \t\r\n")] == '\0') {
    if (diag != NULL) snprintf(diag->file, sizeof diag->file, "%s", name);
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "PTX text, as wgcc -ptx writes it");
    return wg_fail(diag, kWgBadInput, "the file is empty: PTX begins with .version");
  }
  wg_px_ctx_t *x = calloc(1, sizeof *x);
  if (x == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  x->diag = diag;
  x->name = name;
  x->kernel_tail = &x->kernels;
  if (opt != NULL) {
    x->opt = *opt;
  } else {
    wg_ptx_default_options(&x->opt);
  }
  x->obj = wg_obj_new();
  if (setjmp(x->fail) == 0) {
    if (x->obj == NULL) wg_px_fail(x, kWgNoSpace, 0, 0, "", "out of memory");
    wg_px_lex_start(x, text);
    wg_px_parse(x);
    wg_px_devlib(x);
    compile_all(x);
    write_vars(x);
    if (x->opt.keep_ptx) x->obj->ptx = copy_string(x, text);
    x->status = kWgOk;
  }
  wg_status_t st = x->status;
  if (st == kWgOk) {
    *out = x->obj;
  } else {
    wg_obj_free(x->obj);
  }
  wg_px_arena_free(x);
  free(x);
  return st;
}
