// SPDX-License-Identifier: Apache-2.0
//
// Parser of a module: directives, variables, kernels and their bodies. Instructions: px_parse_insn.c.
#include <string.h>

#include "toolchain/ptx/px.h"

static void bad_token(wg_px_ctx_t *x, const char *want) {
  int len = x->tok.len > 60 ? 60 : (int)x->tok.len;
  if (x->tok.kind == kWgPxEof) {
    wg_px_fail(x, kWgBadInput, x->tok.line, x->tok.col, "", "expected %s before the end of the file", want);
  }
  wg_px_fail(x, kWgBadInput, x->tok.line, x->tok.col, "", "expected %s, found '%.*s'", want, len, x->tok.text);
}

static uint64_t take_int(wg_px_ctx_t *x, uint64_t max, const char *what) {
  if (x->tok.kind != kWgPxInt) bad_token(x, what);
  uint64_t v = x->tok.value;
  if (v > max) {
    wg_px_fail(x, kWgBadInput, x->tok.line, x->tok.col, "", "%s %llu is above %llu", what, (unsigned long long)v,
               (unsigned long long)max);
  }
  wg_px_next(x);
  return v;
}

static void skip_to_semicolon(wg_px_ctx_t *x) {
  while (x->tok.kind != kWgPxEof && !wg_px_is(x, ";")) wg_px_next(x);
  wg_px_expect(x, ";");
}

enum { kMaxArgBytes = 4096 };

/* ---- variables ---- */

typedef struct wg_px_decl {
  wg_px_type_t type;
  uint32_t align, vec;
} wg_px_decl_t;

static wg_px_decl_t parse_type(wg_px_ctx_t *x) {
  wg_px_decl_t d = {kWgPxNone, 0, 1};
  for (;;) {
    if (wg_px_accept(x, ".align")) {
      d.align = (uint32_t)take_int(x, 4096, "alignment");
      if (d.align == 0 || (d.align & (d.align - 1)) != 0) {
        wg_px_fail(x, kWgBadInput, x->tok.line, 0, "", "alignment %u is no power of two", d.align);
      }
    } else if (wg_px_accept(x, ".v2")) {
      d.vec = 2;
    } else if (wg_px_accept(x, ".v4")) {
      d.vec = 4;
    } else if (wg_px_accept(x, ".ptr")) {
      while (wg_px_is(x, ".global") || wg_px_is(x, ".shared") || wg_px_is(x, ".const") || wg_px_is(x, ".local")) {
        wg_px_next(x);
      }
      uint32_t keep = d.align;
      if (wg_px_accept(x, ".align")) (void)take_int(x, 1 << 20, "alignment");
      d.align = keep;
    } else if (x->tok.kind == kWgPxWord && x->tok.text[0] == '.' && d.type == kWgPxNone) {
      d.type = wg_px_type_of(x->tok.text + 1, x->tok.len - 1);
      if (d.type == kWgPxNone) bad_token(x, "a type");
      wg_px_next(x);
    } else {
      break;
    }
  }
  if (d.type == kWgPxNone) bad_token(x, "a type");
  return d;
}

static uint8_t *grow_init(wg_px_ctx_t *x, wg_px_sym_t *s, uint32_t size) {
  if (s->init == NULL) s->init = wg_px_alloc(x, size == 0 ? 1 : size);
  return s->init;
}

/* An address: symbol, symbol+n, generic(symbol)+n, or one byte of it, mask(address) with mask 0xff << 8k. */
static void parse_init_address(wg_px_ctx_t *x, wg_px_sym_t *v, uint32_t at, uint32_t elem, uint32_t shift) {
  wg_px_addr_t *a = wg_px_alloc(x, sizeof *a);
  a->at = at, a->size = elem, a->shift = shift, a->line = x->tok.line;
  a->generic = wg_px_is(x, "generic") && wg_px_peek(x)->punct == '(';
  if (a->generic) {
    wg_px_next(x);
    wg_px_next(x);
  }
  wg_px_sym_t *s = x->tok.kind == kWgPxWord ? wg_px_sym_find(x, x->tok.text, x->tok.len) : NULL;
  bool known = s != NULL && (s->space == kWgPxSpGlobal || s->space == kWgPxSpConst || s->space == kWgPxSpFunc);
  if (!known) bad_token(x, "the address of a function or of a global or constant variable");
  if (elem + shift / 8 > 8 || (elem < 8 && shift == 0 && elem != 1)) {
    wg_px_fail(x, kWgUnsupported, x->tok.line, x->tok.col, "give it 64 bits",
               "initial value of '%s' holds an address in %u bits", v->name, 8 * elem);
  }
  a->sym = s;
  wg_px_next(x);
  if (a->generic) wg_px_expect(x, ")");
  if (wg_px_is(x, "+") || wg_px_is(x, "-")) {
    bool minus = wg_px_is(x, "-");
    wg_px_next(x);
    uint64_t n = take_int(x, INT64_MAX, "offset of an address");
    a->add = minus ? -(int64_t)n : (int64_t)n;
  }
  a->next = v->addrs;
  v->addrs = a;
}

/* @return bits that a mask of one byte selects from, or -1 if `v` is none */
static int mask_shift(uint64_t v) {
  for (int k = 0; k < 8; k++) {
    if (v == UINT64_C(0xff) << (8 * k)) return 8 * k;
  }
  return -1;
}

static void parse_init_value(wg_px_ctx_t *x, wg_px_sym_t *s, uint32_t at, uint32_t elem) {
  if (at + elem > s->size) {
    wg_px_fail(x, kWgBadInput, x->tok.line, 0, "", "too many initial values for '%s'", s->name);
  }
  bool neg = wg_px_accept(x, "-");
  if (x->tok.kind == kWgPxWord && !neg) {
    parse_init_address(x, s, at, elem, 0);
    return;
  }
  if (x->tok.kind != kWgPxInt && x->tok.kind != kWgPxFloat32 && x->tok.kind != kWgPxFloat64) {
    bad_token(x, "an initial value");
  }
  uint64_t v = neg ? 0 - x->tok.value : x->tok.value;
  wg_px_next(x);
  if (wg_px_is(x, "(")) {
    int shift = mask_shift(v);
    if (elem != 1 || shift < 0) bad_token(x, "',' or '}'");
    wg_px_next(x);
    parse_init_address(x, s, at, elem, (uint32_t)shift);
    wg_px_expect(x, ")");
    return;
  }
  for (uint32_t i = 0; i < elem && i < 8; i++) s->init[at + i] = (uint8_t)(v >> (8 * i));
}

static void parse_init(wg_px_ctx_t *x, wg_px_sym_t *s, uint32_t elem) {
  uint32_t at = 0, depth = 0;
  (void)grow_init(x, s, s->size);
  do {
    if (wg_px_accept(x, "{")) {
      depth++;
      continue;
    }
    if (wg_px_accept(x, "}")) {
      if (depth == 0) bad_token(x, "an initial value");
      depth--;
      continue;
    }
    if (wg_px_accept(x, ",")) continue;
    parse_init_value(x, s, at, elem);
    at += elem;
  } while (depth != 0);
}

static void place_var(wg_px_ctx_t *x, wg_px_sym_t *s) {
  uint32_t *end = s->space == kWgPxSpConst ? &x->const_size : &x->global_size;
  uint32_t limit = s->space == kWgPxSpConst ? 65536u : 1u << 28;
  uint64_t at = ((uint64_t)*end + s->align - 1) & ~((uint64_t)s->align - 1);
  if (at + s->size > limit) {
    wg_px_fail(x, kWgUnsupported, s->line, 0, "", "variable '%s' does not fit: its space ends at %u bytes", s->name,
               limit);
  }
  s->offset = (uint32_t)at;
  *end = (uint32_t)(at + s->size);
  x->vars = wg_px_grow(x, x->vars, x->num_vars, &x->cap_vars, sizeof *x->vars);
  x->vars[x->num_vars++] = s;
}

/* One declarator after the type; arrays may have several dimensions, of which the first may be empty. */
static wg_px_sym_t *parse_declarator(wg_px_ctx_t *x, wg_px_space_t space, wg_px_decl_t d, bool is_extern) {
  if (x->tok.kind != kWgPxWord || x->tok.text[0] == '.') bad_token(x, "a name");
  wg_px_sym_t *s = wg_px_sym_find(x, x->tok.text, x->tok.len);
  if (s == NULL || s->depth != x->depth || !(s->is_extern || is_extern) || s->space != space) {
    s = wg_px_sym_add(x, x->tok.text, x->tok.len, space, x->tok.line);
  }
  wg_px_next(x);
  uint32_t elem = wg_px_type_size(d.type) * d.vec;
  if (elem == 0) wg_px_fail(x, kWgBadInput, s->line, 0, "", "variable '%s' has no size", s->name);
  uint64_t size = elem;
  bool open = false;
  while (wg_px_accept(x, "[")) {
    if (wg_px_is(x, "]")) {
      open = true;
    } else {
      size *= take_int(x, 1u << 28, "array size");
      if (size > 1u << 28) wg_px_fail(x, kWgBadInput, s->line, 0, "", "variable '%s' is too large", s->name);
    }
    wg_px_expect(x, "]");
  }
  s->type = d.type;
  s->align = d.align > elem ? d.align : d.align != 0 ? d.align : elem;
  s->size = open ? 0 : (uint32_t)size;
  s->is_extern = is_extern && open;
  if (open && !is_extern) {
    wg_px_fail(x, kWgBadInput, s->line, 0, "only .extern arrays may leave the size out", "array '%s' has no size",
               s->name);
  }
  if (space == kWgPxSpShared && s->size > kWgPxMaxShared) {
    wg_px_fail(x, kWgBadInput, s->line, 0, "", "shared variable '%s' needs %u bytes", s->name, s->size);
  }
  if (wg_px_accept(x, "=")) {
    if (space != kWgPxSpConst && space != kWgPxSpGlobal) bad_token(x, "';'");
    parse_init(x, s, wg_px_type_size(d.type));
  }
  if (space == kWgPxSpShared) {
    x->shared = wg_px_grow(x, x->shared, x->num_shared, &x->cap_shared, sizeof *x->shared);
    x->shared[x->num_shared++] = s;
  } else if (space == kWgPxSpLocal) {
    x->locals = wg_px_grow(x, x->locals, x->num_locals, &x->cap_locals, sizeof *x->locals);
    x->locals[x->num_locals++] = s;
  } else if ((space == kWgPxSpConst || space == kWgPxSpGlobal) && !is_extern) {
    place_var(x, s);
  }
  return s;
}

void wg_px_parse_var(wg_px_ctx_t *x, wg_px_space_t space, bool is_extern) {
  while (wg_px_is(x, ".attribute")) {
    wg_px_next(x);
    while (x->tok.kind != kWgPxEof && !wg_px_accept(x, ")")) wg_px_next(x);
  }
  wg_px_decl_t d = parse_type(x);
  do {
    (void)parse_declarator(x, space, d, is_extern);
  } while (wg_px_accept(x, ","));
  wg_px_expect(x, ";");
}

static void parse_reg(wg_px_ctx_t *x) {
  wg_px_decl_t d = parse_type(x);
  do {
    if (x->tok.kind != kWgPxWord || x->tok.text[0] == '.') bad_token(x, "a register name");
    wg_px_sym_t *s = wg_px_sym_add(x, x->tok.text, x->tok.len, kWgPxSpReg, x->tok.line);
    s->type = d.type;
    wg_px_next(x);
    if (wg_px_accept(x, "<")) {
      s->range = (uint32_t)take_int(x, UINT32_MAX, "register count");
      wg_px_expect(x, ">");
      if (s->range == 0) s->range = 1;
    }
  } while (wg_px_accept(x, ","));
  wg_px_expect(x, ";");
}

/* ---- bodies ---- */

static void parse_loc(wg_px_ctx_t *x) {
  uint32_t file = (uint32_t)take_int(x, UINT32_MAX, "file number");
  uint32_t line = (uint32_t)take_int(x, UINT32_MAX, "line");
  (void)take_int(x, UINT32_MAX, "column");
  x->cur_file = file;
  x->cur_line = line;
  /* nvcc adds ", function_name $x, inlined_at f l c": where it was inlined is not kept. */
  while (wg_px_accept(x, ",")) {
    while (x->tok.kind == kWgPxInt || wg_px_is(x, "+") ||
           (x->tok.kind == kWgPxWord &&
            (x->tok.text[0] == '$' || wg_px_is(x, "function_name") || wg_px_is(x, "inlined_at")))) {
      wg_px_next(x);
    }
  }
}

static bool space_word(const wg_px_ctx_t *x, wg_px_space_t *out) {
  static const struct {
    const char *word;
    wg_px_space_t space;
  } table[] = {{".shared", kWgPxSpShared},
               {".global", kWgPxSpGlobal},
               {".const", kWgPxSpConst},
               {".local", kWgPxSpLocal},
               {".param", kWgPxSpParam}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (wg_px_is(x, table[i].word)) {
      *out = table[i].space;
      return true;
    }
  }
  return false;
}

static wg_px_sym_t *label_of(wg_px_ctx_t *x, const wg_px_token_t *t) {
  wg_px_sym_t *s = wg_px_label(x, t->text, t->len, t->line);
  if (s->defined) wg_px_fail(x, kWgBadInput, t->line, t->col, "", "label '%s' is set twice", s->name);
  s->defined = true;
  s->line = t->line;
  return s;
}

static void append(wg_px_ctx_t *x, wg_px_stmt_t ***tail, wg_px_stmt_t *s) {
  if (++x->num_stmts > kWgPxMaxInsns) {
    wg_px_fail(x, kWgUnsupported, s->line, 0, "", "module has more than %d statements", kWgPxMaxInsns);
  }
  s->file = x->cur_file;
  s->src_line = x->cur_line;
  **tail = s;
  *tail = &s->next;
}

/* .param variables of a call sequence. */
static void parse_arg_var(wg_px_ctx_t *x) {
  wg_px_decl_t d = parse_type(x);
  do {
    wg_px_sym_t *s = parse_declarator(x, kWgPxSpParam, d, false);
    s->arg = true;
    if (s->size > kMaxArgBytes) {
      wg_px_fail(x, kWgUnsupported, s->line, 0, "pass a pointer", "argument '%s' has more than %d bytes", s->name,
                 kMaxArgBytes);
    }
  } while (wg_px_accept(x, ","));
  wg_px_expect(x, ";");
}

static void parse_body(wg_px_ctx_t *x, wg_px_stmt_t ***tail) {
  wg_px_expect(x, "{");
  wg_px_scope_open(x);
  wg_px_space_t space;
  while (!wg_px_is(x, "}")) {
    if (x->tok.kind == kWgPxEof) bad_token(x, "'}'");
    if (wg_px_is(x, "{")) {
      parse_body(x, tail);
    } else if (wg_px_accept(x, ".reg")) {
      parse_reg(x);
    } else if (space_word(x, &space)) {
      wg_px_next(x);
      if (space == kWgPxSpParam) {
        parse_arg_var(x);
      } else {
        wg_px_parse_var(x, space, false);
      }
    } else if (wg_px_accept(x, ".loc")) {
      parse_loc(x);
    } else if (wg_px_accept(x, ".pragma")) {
      skip_to_semicolon(x);
    } else if (x->tok.kind == kWgPxWord && x->tok.text[0] != '.' && wg_px_peek(x)->punct == ':') {
      wg_px_token_t name = x->tok;
      wg_px_next(x);
      wg_px_next(x);
      if (wg_px_is(x, ".callprototype") || wg_px_is(x, ".calltargets")) { /* known from arguments and taken addresses */
        skip_to_semicolon(x);
        continue;
      }
      if (wg_px_accept(x, ".branchtargets")) {
        wg_px_parse_targets(x, &name);
        continue;
      }
      wg_px_stmt_t *s = wg_px_alloc(x, sizeof *s);
      s->line = name.line;
      s->label = label_of(x, &name);
      append(x, tail, s);
    } else if (x->tok.kind == kWgPxWord && x->tok.text[0] == '.') {
      wg_px_fail(x, kWgUnsupported, x->tok.line, x->tok.col, "", "directive '%.*s' is not supported in a body",
                 x->tok.len > 60 ? 60 : (int)x->tok.len, x->tok.text);
    } else {
      append(x, tail, wg_px_parse_insn(x));
    }
  }
  wg_px_scope_close(x);
  wg_px_expect(x, "}");
}

/* ---- kernels ---- */

static void parse_params(wg_px_ctx_t *x, wg_px_kernel_t *k) {
  uint32_t cap = 0, end = 0;
  if (!wg_px_accept(x, "(")) return;
  while (!wg_px_is(x, ")")) {
    wg_px_expect(x, ".param");
    wg_px_sym_t *s = parse_declarator(x, kWgPxSpParam, parse_type(x), false);
    uint64_t at = ((uint64_t)end + s->align - 1) & ~((uint64_t)s->align - 1);
    if (at + s->size > 32764) {
      wg_px_fail(x, kWgBadInput, s->line, 0, "", "parameters of '%s' exceed 32764 bytes", k->name);
    }
    s->offset = (uint32_t)at;
    end = (uint32_t)(at + s->size);
    k->params = wg_px_grow(x, k->params, k->num_params, &cap, sizeof *k->params);
    k->params[k->num_params++] = (wg_obj_param_t){s->offset, s->size, s->align};
    if (!wg_px_accept(x, ",")) break;
  }
  wg_px_expect(x, ")");
}

static uint32_t parse_dims(wg_px_ctx_t *x, uint32_t dim[3]) {
  uint64_t product = 1;
  dim[0] = dim[1] = dim[2] = 1;
  for (int i = 0; i < 3; i++) {
    dim[i] = (uint32_t)take_int(x, 1u << 20, "block dimension");
    product *= dim[i];
    if (!wg_px_accept(x, ",")) break;
  }
  return product > 1u << 20 ? 1u << 20 : (uint32_t)product;
}

static void parse_tuning(wg_px_ctx_t *x, wg_px_kernel_t *k) {
  uint32_t dim[3];
  for (;;) {
    if (wg_px_accept(x, ".maxntid")) {
      k->max_threads = parse_dims(x, dim);
    } else if (wg_px_accept(x, ".reqntid")) {
      k->max_threads = parse_dims(x, k->req_ntid);
    } else if (wg_px_accept(x, ".minnctapersm") || wg_px_accept(x, ".maxnctapersm")) {
      (void)take_int(x, UINT32_MAX, "count"); /* hints: the allocator already uses as few registers as it can */
    } else if (wg_px_accept(x, ".maxnreg")) {
      k->max_regs = (uint32_t)take_int(x, UINT32_MAX, "register count");
    } else if (wg_px_accept(x, ".pragma")) {
      skip_to_semicolon(x);
    } else {
      return;
    }
    if (k->max_threads == 0 || k->max_threads > 1024) {
      wg_px_fail(x, kWgBadInput, x->tok.line, 0, "", "kernel '%s' asks for blocks of %u threads", k->name,
                 k->max_threads);
    }
  }
}

static void parse_entry(wg_px_ctx_t *x) {
  if (x->tok.kind != kWgPxWord || x->tok.text[0] == '.') bad_token(x, "a kernel name");
  wg_px_kernel_t *k = wg_px_alloc(x, sizeof *k);
  k->name = wg_px_strndup(x, x->tok.text, x->tok.len);
  k->line = x->tok.line;
  k->max_threads = 1024;
  x->cur_file = x->cur_line = 0;
  for (wg_px_kernel_t *o = x->kernels; o != NULL; o = o->next) {
    if (strcmp(o->name, k->name) == 0) {
      wg_px_fail(x, kWgBadInput, k->line, 0, "", "kernel '%s' is defined twice", k->name);
    }
  }
  wg_px_next(x);
  wg_px_scope_open(x); /* of the parameters */
  parse_params(x, k);
  parse_tuning(x, k);
  if (wg_px_accept(x, ";")) { /* a declaration only */
    wg_px_scope_close(x);
    return;
  }
  wg_px_stmt_t **tail = &k->body;
  uint32_t before = x->num_stmts;
  parse_body(x, &tail);
  k->num_stmts = x->num_stmts - before;
  wg_px_scope_close(x);
  *x->kernel_tail = k;
  x->kernel_tail = &k->next;
}

static uint32_t parse_args(wg_px_ctx_t *x, wg_px_sym_t **list) {
  uint32_t n = 0;
  if (!wg_px_accept(x, "(")) return 0;
  while (!wg_px_is(x, ")")) {
    if (!wg_px_accept(x, ".param")) {
      wg_px_fail(x, kWgUnsupported, x->tok.line, x->tok.col, "",
                 "a function's parameter that is no .param is not supported");
    }
    if (n == kWgPxMaxArgs)
      wg_px_fail(x, kWgUnsupported, x->tok.line, 0, "", "function has more than %d parameters", kWgPxMaxArgs);
    wg_px_sym_t *s = list[n++] = parse_declarator(x, kWgPxSpParam, parse_type(x), false);
    s->arg = true;
    if (s->size > kMaxArgBytes) {
      wg_px_fail(x, kWgUnsupported, s->line, 0, "pass a pointer", "parameter '%s' has more than %d bytes", s->name,
                 kMaxArgBytes);
    }
    if (!wg_px_accept(x, ",")) break;
  }
  wg_px_expect(x, ")");
  return n;
}

/* .func {(results)} name {(parameters)} { body }: kept for px_plan.c. */
static void parse_func(wg_px_ctx_t *x) {
  wg_px_kernel_t *f = wg_px_alloc(x, sizeof *f);
  wg_px_scope_open(x);
  x->body_of = f;
  x->cur_file = x->cur_line = 0;
  f->nrets = parse_args(x, f->ret);
  if (x->tok.kind != kWgPxWord || x->tok.text[0] == '.') bad_token(x, "a function name");
  f->name = wg_px_strndup(x, x->tok.text, x->tok.len);
  f->line = x->tok.line;
  wg_px_sym_t *name = wg_px_sym_find(x, x->tok.text, x->tok.len);
  if (name == NULL) {
    x->depth--;
    name = wg_px_sym_add(x, x->tok.text, x->tok.len, kWgPxSpFunc, x->tok.line);
    x->depth++;
  }
  wg_px_next(x);
  f->nargs = parse_args(x, f->arg);
  f->is_func = true;
  for (; x->tok.kind != kWgPxEof && !wg_px_is(x, "{") && !wg_px_is(x, ";"); wg_px_next(x)) {
    if (wg_px_is(x, ".noinline")) f->no_inline = true;
  }
  if (wg_px_is(x, "{")) {
    if (name->func != NULL) wg_px_fail(x, kWgBadInput, f->line, 0, "", "function '%s' is defined twice", f->name);
    wg_px_stmt_t **tail = &f->body;
    uint32_t before = x->num_stmts;
    parse_body(x, &tail);
    f->num_stmts = x->num_stmts - before + 1;
    name->func = f;
    f->next = x->funcs;
    x->funcs = f;
  } else {
    wg_px_expect(x, ";");
  }
  x->body_of = NULL;
  wg_px_scope_close(x);
}

static void parse_file(wg_px_ctx_t *x) {
  wg_px_file_t *f = wg_px_alloc(x, sizeof *f);
  f->id = (uint32_t)take_int(x, UINT32_MAX, "file number");
  if (x->tok.kind != kWgPxString) bad_token(x, "a file name");
  f->name = wg_px_strndup(x, x->tok.text + 1, x->tok.len - 2);
  wg_px_next(x);
  while (wg_px_accept(x, ",")) (void)take_int(x, UINT64_MAX, "time stamp or size");
  f->next = x->files;
  x->files = f;
}

/* Versions 3.0 to 9.9: NVIDIA's go from 1.0 of 2007 to 9.0 of 2025, minor numbers of one digit. */
static void parse_version(wg_px_ctx_t *x) {
  static const char kHint[] = "the version that the compiler wrote, 3.0 to 9.9: wgcc writes 6.4";
  /* "6.4" is no token of ours: two integers around a dot come as a malformed number, so read the characters. */
  const char *p = x->tok.text;
  size_t major = strspn(p, "0123456789"), n = strcspn(p, " \t\r\n/");
  size_t minor = p[major] == '.' ? strspn(p + major + 1, "0123456789") : 0;
  if (major == 0 || minor == 0 || major + 1 + minor != n)
    wg_px_fail(x, kWgBadInput, x->tok.line, 0, kHint, "'%.*s' is no PTX version", (int)(n < 40 ? n : 40), p);
  if (major != 1 || minor != 1 || *p < '3')
    wg_px_fail(x, kWgUnsupported, x->tok.line, 0, kHint, "PTX version %.*s is %s", (int)(n < 40 ? n : 40), p,
               major == 1 && *p < '3' ? "too old" : "unknown");
}

void wg_px_parse(wg_px_ctx_t *x) {
  wg_px_space_t space;
  while (x->tok.kind != kWgPxEof) {
    bool is_extern = false;
    for (;; wg_px_next(x)) {
      if (wg_px_is(x, ".extern")) {
        is_extern = true;
      } else if (!wg_px_is(x, ".visible") && !wg_px_is(x, ".weak") && !wg_px_is(x, ".common")) {
        break;
      }
    }
    if (wg_px_is(x, ".version")) {
      x->has_ahead = false;
      while (*x->pos == ' ' || *x->pos == '\t') x->pos++;
      x->tok.text = x->pos;
      parse_version(x);
      while ((*x->pos >= '0' && *x->pos <= '9') || *x->pos == '.') x->pos++;
      wg_px_next(x);
    } else if (wg_px_accept(x, ".target")) {
      do {
        if (x->tok.kind != kWgPxWord) bad_token(x, "a target");
        wg_px_next(x);
      } while (wg_px_accept(x, ","));
    } else if (wg_px_accept(x, ".address_size")) {
      if (take_int(x, 64, "address size") != 64) {
        wg_px_fail(x, kWgUnsupported, x->tok.line, 0, "compile for 64-bit addresses", "address size is not 64");
      }
    } else if (wg_px_accept(x, ".file")) {
      parse_file(x);
    } else if (wg_px_accept(x, ".entry")) {
      parse_entry(x);
    } else if (wg_px_accept(x, ".func")) {
      parse_func(x);
    } else if (wg_px_accept(x, ".section")) {
      while (x->tok.kind != kWgPxEof && !wg_px_is(x, "{")) wg_px_next(x);
      wg_px_expect(x, "{");
      for (uint32_t depth = 1; depth != 0; wg_px_next(x)) {
        if (x->tok.kind == kWgPxEof) bad_token(x, "'}'");
        if (wg_px_is(x, "{")) depth++;
        if (wg_px_is(x, "}")) depth--;
      }
    } else if (wg_px_accept(x, ".pragma")) {
      skip_to_semicolon(x);
    } else if (space_word(x, &space) && space != kWgPxSpParam) {
      wg_px_next(x);
      wg_px_parse_var(x, space, is_extern);
    } else if (!wg_px_accept(x, ";")) {
      static const char kHint[] = "PTX text, as wgcc -ptx writes it: .version, .target, .address_size, then functions";
      if (x->tok.kind == kWgPxEof) bad_token(x, "a module directive");
      wg_px_fail(x, kWgBadInput, x->tok.line, x->tok.col, kHint, "expected a module directive, found '%.*s'",
                 x->tok.len > 60 ? 60 : (int)x->tok.len, x->tok.text);
    }
  }
}
