// SPDX-License-Identifier: Apache-2.0
//
// Calls. A small function is put in at each place that calls it: its registers and labels are new ones there, .param
// variables of the call sequence are units, ret is a jump behind the call. Others are called by the convention of
// px_abi.c; px_plan.c chooses.
#include "toolchain/obj/wg_demangle.h"
#include "toolchain/ptx/px_build.h"


/* ---- parsing ---- */

static _Noreturn void bad(wg_px_ctx_t *x, const char *what) {
  int len = x->tok.len > 60 ? 60 : (int)x->tok.len;
  wg_px_fail(x, kWgBadInput, x->tok.line, x->tok.col, "", "%s at '%.*s'", what, len, x->tok.text);
}

static wg_px_sym_t *param_name(wg_px_ctx_t *x) {
  wg_px_sym_t *s = x->tok.kind == kWgPxWord ? wg_px_sym_find(x, x->tok.text, x->tok.len) : NULL;
  if (s == NULL || s->space != kWgPxSpParam) bad(x, "argument is no .param variable");
  wg_px_next(x);
  return s;
}

static uint32_t names(wg_px_ctx_t *x, wg_px_sym_t **list) {
  uint32_t n = 0;
  wg_px_expect(x, "(");
  while (!wg_px_is(x, ")")) {
    if (n == kWgPxMaxArgs) bad(x, "too many arguments");
    list[n++] = param_name(x);
    if (!wg_px_accept(x, ",")) break;
  }
  wg_px_expect(x, ")");
  return n;
}

/* call{.uni} {(results),} callee {, (arguments)} {, prototype or list of targets} */
void wg_px_parse_call(wg_px_ctx_t *x, wg_px_stmt_t *s) {
  wg_px_call_t *c = s->call = wg_px_alloc(x, sizeof *c);
  if (wg_px_is(x, "(")) {
    c->nrets = names(x, c->ret);
    wg_px_expect(x, ",");
  }
  if (x->tok.kind != kWgPxWord) bad(x, "callee is no name");
  c->callee = wg_px_reg_find(x, x->tok.text, x->tok.len);
  if (c->callee == NULL) c->callee = wg_px_sym_find(x, x->tok.text, x->tok.len);
  if (c->callee == NULL) c->callee = wg_px_sym_add(x, x->tok.text, x->tok.len, kWgPxSpFunc, x->tok.line);
  wg_px_next(x);
  while (wg_px_accept(x, ",")) {
    if (wg_px_is(x, "(")) {
      c->nargs = names(x, c->arg);
    } else if (x->tok.kind == kWgPxWord) {
      wg_px_next(x); /* a prototype: types are those of the arguments */
    } else {
      bad(x, "malformed call");
    }
  }
}

void wg_px_parse_targets(wg_px_ctx_t *x, const wg_px_token_t *name) {
  wg_px_sym_t *t = wg_px_label(x, name->text, name->len, name->line);
  uint32_t cap = 0;
  if (t->num_targets != 0) bad(x, "list of targets is set twice");
  do {
    if (x->tok.kind != kWgPxWord) bad(x, "target is no label");
    t->target = wg_px_grow(x, t->target, t->num_targets, &cap, sizeof *t->target);
    t->target[t->num_targets++] = (wg_px_opnd_t){
        .kind = kWgPxOSym, .sym = wg_px_label(x, x->tok.text, x->tok.len, x->tok.line)};
    wg_px_next(x);
  } while (wg_px_accept(x, ","));
  wg_px_expect(x, ";");
}

/* ---- .param variables as units ---- */

int32_t wg_px_arg_unit(wg_px_ctx_t *x, wg_px_sym_t *v) {
  if (v->unit >= 0) return v->unit;
  uint32_t words = (v->size + 3) / 4;
  for (uint32_t i = 0; i < (words == 0 ? 1 : words); i++) {
    int32_t u = wg_px_unit_new(x, x->fn, 1);
    x->fn->unit[u].named = true;
    if (i == 0) v->unit = u;
  }
  return v->unit;
}

/* ld.param, st.param of a call's variable. */
void wg_px_arg_access(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_sym_t *v, int64_t at, wg_px_type_t t, unsigned vec,
                      bool store) {
  uint32_t bytes = wg_px_type_size(t);
  if (at < 0 || at + (int64_t)bytes * vec > (int64_t)((v->size + 3u) & ~3u) || at % bytes != 0) {
    wg_px_fail_stmt(x, kWgBadInput, s, "", "access lies outside '%s' or is misaligned", v->name);
  }
  const wg_px_opnd_t *o = store ? &s->op[1] : &s->op[0], *e = o->kind == kWgPxOVec ? o->vec : o;
  int32_t base = wg_px_arg_unit(x, v);
  for (unsigned i = 0; i < vec; i++) {
    uint32_t pos = (uint32_t)at + i * bytes, b = pos & 3u;
    int32_t u = base + (int32_t)(pos / 4);
    if (!store && e[i].kind == kWgPxOSink) continue;
    if (store && bytes >= 4) {
      for (unsigned h = 0; h < bytes / 4; h++) wg_px_mov(x, u + (int32_t)h, wg_px_src(x, &e[i], h));
    } else if (store) { /* bytes of a word; alone in it they need not be put in */
      unsigned sel = 0x3210;
      for (unsigned k = 0; k < bytes; k++) sel = (sel & ~(15u << (4 * (b + k)))) | (4u + k) << (4 * (b + k));
      int32_t value = wg_px_src(x, &e[i], 0);
      if (v->size <= bytes) wg_px_mov(x, u, value);
      else (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, u, u, sel, value);
    } else {
      if (e[i].kind != kWgPxOReg) wg_px_fail_stmt(x, kWgBadInput, s, "", "destination is no register");
      uint32_t reg = wg_px_type_size(e[i].sym->type);
      int32_t d = wg_px_dst(x, &e[i], reg == 8 ? 8 : 4);
      unsigned sel = 0, fill = wg_px_signed(t) ? 8u | (b + bytes - 1) : 4u;
      for (unsigned k = 0; k < 4; k++) sel |= (k < bytes ? b + k : fill) << (4 * k);
      if (bytes < 4) (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, d, u, sel, -1);
      for (unsigned h = 0; bytes >= 4 && h < bytes / 4; h++) wg_px_mov(x, d + (int32_t)h, u + (int32_t)h);
      if (reg != 8 || bytes == 8) continue;
      if (wg_px_signed(t)) (void)wg_px_emit_imm(x, kWgOp_SHF, kShrS, d + 1, -1, 31, d);
      else wg_px_mov_imm(x, d + 1, 0);
    }
  }
}

/* ---- putting a body in ---- */

static void copy_args(wg_px_ctx_t *x, wg_px_sym_t *const *to, wg_px_sym_t *const *from, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    int32_t d = wg_px_arg_unit(x, to[i]), s = wg_px_arg_unit(x, from[i]);
    for (uint32_t w = 0; w < (to[i]->size + 3) / 4; w++) wg_px_mov(x, d + (int32_t)w, s + (int32_t)w);
  }
}

bool wg_px_call_fits(const wg_px_call_t *c, const wg_px_kernel_t *f) {
  if (c->nargs != f->nargs || c->nrets != f->nrets) return false;
  for (uint32_t i = 0; i < c->nargs; i++) {
    if (c->arg[i]->size != f->arg[i]->size) return false;
  }
  for (uint32_t i = 0; i < c->nrets; i++) {
    if (c->ret[i]->size != f->ret[i]->size) return false;
  }
  return true;
}

static void jump(wg_px_ctx_t *x, wg_px_block_t *to) {
  x->cur->term = kWgPxTJump;
  x->cur->succ[0] = to;
  x->cur->src = x->stmt;
}

/* A statement of the device library, as if it stood at the call: whoever asks for its line means the program's. */
static wg_px_stmt_t *at_call(wg_px_ctx_t *x, const wg_px_stmt_t *s, const wg_px_stmt_t *call) {
  wg_px_stmt_t *copy = wg_px_alloc(x, sizeof *copy);
  *copy = *s;
  copy->line = call->line;
  copy->file = call->file;
  copy->src_line = call->src_line;
  return copy;
}

static void put_in(wg_px_ctx_t *x, const wg_px_call_t *c, wg_px_kernel_t *f) {
  const wg_px_stmt_t *at = x->stmt;
  WG_BUG(f->active || f->real);
  f->active = true;
  x->inline_depth++;
  for (uint32_t i = 0; i < f->num_syms; i++) { /* new registers and labels in this place */
    f->syms[i]->unit = -1;
    f->syms[i]->block = NULL;
  }
  wg_px_block_t *outer = x->ret_to, *join = wg_px_block_new(x, x->fn);
  x->ret_to = join;
  copy_args(x, f->arg, c->arg, c->nargs);
  for (wg_px_stmt_t *s = f->body; s != NULL; s = s->next) wg_px_lower_stmt(x, f->library ? at_call(x, s, at) : s);
  x->stmt = at;
  jump(x, join);
  wg_px_block_append(x->fn, join);
  x->cur = join;
  copy_args(x, c->ret, f->ret, c->nrets);
  x->ret_to = outer;
  x->inline_depth--;
  f->active = false;
}

/* Through a register: to any function of its kind whose address the text takes. */
static void indirect(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  const wg_px_call_t *c = s->call;
  wg_px_opnd_t callee = {.kind = kWgPxOReg, .sym = c->callee};
  bool any = false;
  uint32_t conv = 0;
  for (wg_px_kernel_t *f = x->funcs; f != NULL; f = f->next) {
    if (!f->taken || !wg_px_call_fits(c, f)) continue;
    any = true;
    wg_px_calls(x, f);
    if (wg_px_conv_of(f) > conv) conv = wg_px_conv_of(f);
  }
  if (!any) wg_px_unsupported(x, "a call through a register, with no function of its kind whose address is taken,");
  wg_px_call_real(x, c, NULL, wg_px_src(x, &callee, 0), conv);
}

int32_t wg_px_func_address(wg_px_ctx_t *x, wg_px_kernel_t *f) {
  int32_t u = wg_px_tmp(x);
  wg_px_calls(x, f);
  wg_px_emit_imm(x, kWgOp_MOV, 0, u, -1, 1, -1)->func = f;
  return u;
}

void wg_px_lower_call(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  const wg_px_call_t *c = s->call;
  char name[200];
  if (c->callee->space == kWgPxSpReg) {
    indirect(x, s);
    return;
  }
  const char *symbol = c->callee->name;
  wg_px_kernel_t *f = c->callee->func;
  if (f == NULL && strcmp(symbol, "__wg_lib_trap1") == 0) { /* of an assertion, behind its record */
    wg_px_emit(x, kWgOp_TRAP, 0, -1, -1, -1, -1)->imm = 1;
    return;
  }
  if (f == NULL) {
    wg_px_fail_stmt(x, kWgUnsupported, s, "define it in the same module",
                    "a call of '%s', which has no body, is not supported", wg_demangle(symbol, name, sizeof name));
  }
  if (!wg_px_call_fits(c, f))
    wg_px_fail_stmt(x, kWgBadInput, s, "", "arguments do not fit '%s'", wg_demangle(symbol, name, sizeof name));
  if (f->real) {
    wg_px_calls(x, f);
    wg_px_call_real(x, c, f, -1, wg_px_conv_of(f));
  } else {
    put_in(x, c, f);
  }
}
