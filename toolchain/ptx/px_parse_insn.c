// SPDX-License-Identifier: Apache-2.0
//
// Parser of one instruction: guard, opcode, operands.
#include <string.h>

#include "toolchain/ptx/px.h"

static _Noreturn void bad(wg_px_ctx_t *x, const char *what) {
  int len = x->tok.len > 60 ? 60 : (int)x->tok.len;
  wg_px_fail(x, kWgBadInput, x->tok.line, x->tok.col, "", "%s at '%.*s'", what, len, x->tok.text);
}

static wg_px_sym_t *need_reg(wg_px_ctx_t *x) {
  wg_px_sym_t *r = x->tok.kind == kWgPxWord ? wg_px_reg_find(x, x->tok.text, x->tok.len) : NULL;
  if (r == NULL) bad(x, "register is not declared");
  wg_px_next(x);
  return r;
}

static bool parse_number(wg_px_ctx_t *x, wg_px_opnd_t *o) {
  bool neg = false;
  while (wg_px_is(x, "-") || wg_px_is(x, "+")) {
    if (wg_px_is(x, "-")) neg = !neg;
    wg_px_next(x);
  }
  if (x->tok.kind != kWgPxInt && x->tok.kind != kWgPxFloat32 && x->tok.kind != kWgPxFloat64) return false;
  o->kind = kWgPxOImm;
  o->fkind = x->tok.kind == kWgPxFloat32 ? 1 : x->tok.kind == kWgPxFloat64 ? 2 : 0;
  uint64_t v = x->tok.value;
  if (neg && o->fkind == 0) v = 0 - v;
  if (neg && o->fkind == 1) v ^= 0x80000000u;
  if (neg && o->fkind == 2) v ^= 1ull << 63;
  o->value = (int64_t)v;
  wg_px_next(x);
  return true;
}

/* [reg], [reg+imm], [reg+-imm], [symbol], [symbol+imm], [imm] */
static void parse_addr(wg_px_ctx_t *x, wg_px_opnd_t *o) {
  wg_px_expect(x, "[");
  o->kind = kWgPxOAddr;
  if (x->tok.kind == kWgPxWord) {
    o->sym = wg_px_reg_find(x, x->tok.text, x->tok.len);
    if (o->sym == NULL) o->sym = wg_px_sym_find(x, x->tok.text, x->tok.len);
    if (o->sym == NULL || o->sym->space == kWgPxSpLabel || (o->sym->space == kWgPxSpReg && o->sym->range != 0)) {
      bad(x, "address base is not declared");
    }
    wg_px_next(x);
    if (wg_px_is(x, "+") || wg_px_is(x, "-")) {
      wg_px_opnd_t off = {.kind = kWgPxOImm};
      if (!parse_number(x, &off) || off.fkind != 0) bad(x, "address offset is no integer");
      o->value = off.value;
    }
  } else {
    wg_px_opnd_t off = {.kind = kWgPxOImm};
    if (!parse_number(x, &off) || off.fkind != 0) bad(x, "malformed address");
    o->value = off.value;
  }
  if (o->value > INT32_MAX || o->value < INT32_MIN) bad(x, "address offset does not fit in 32 bits");
  wg_px_expect(x, "]");
}

static void parse_operand(wg_px_ctx_t *x, wg_px_opnd_t *o, bool label_ok, unsigned depth);

static void parse_vector(wg_px_ctx_t *x, wg_px_opnd_t *o) {
  wg_px_expect(x, "{");
  o->kind = kWgPxOVec;
  o->vec = wg_px_alloc(x, kWgPxMaxVec * sizeof *o->vec);
  do {
    if (o->nvec == kWgPxMaxVec) bad(x, "vector has more than eight elements");
    parse_operand(x, &o->vec[o->nvec++], false, 1);
  } while (wg_px_accept(x, ","));
  wg_px_expect(x, "}");
}

static void parse_word(wg_px_ctx_t *x, wg_px_opnd_t *o, bool label_ok) {
  int sr = wg_px_sreg_find(x->tok.text, x->tok.len);
  o->sym = wg_px_reg_find(x, x->tok.text, x->tok.len);
  if (o->sym != NULL) {
    o->kind = kWgPxOReg;
    wg_px_next(x);
    if (wg_px_accept(x, "|")) {
      if (wg_px_accept(x, "_")) return;
      o->pred = need_reg(x);
      if (o->pred->type != kWgPxPred) bad(x, "register after '|' is no predicate");
    }
    return;
  }
  if (sr >= 0) {
    o->kind = kWgPxOSreg;
    o->sreg = (uint8_t)sr;
    wg_px_next(x);
    return;
  }
  if (wg_px_accept(x, "_")) {
    o->kind = kWgPxOSink;
    if (wg_px_accept(x, "|")) o->pred = need_reg(x);
    return;
  }
  o->kind = kWgPxOSym;
  o->sym = wg_px_sym_find(x, x->tok.text, x->tok.len);
  bool is_reg_range = o->sym != NULL && o->sym->space == kWgPxSpReg;
  if ((o->sym == NULL || is_reg_range) && label_ok && !is_reg_range) {
    o->sym = wg_px_label(x, x->tok.text, x->tok.len, x->tok.line); /* forward branch */
  } else if (o->sym == NULL || is_reg_range) {
    bad(x, x->tok.text[0] == '%' ? "register is unknown" : "name is not declared");
  }
  wg_px_next(x);
  if (o->sym->space != kWgPxSpLabel && (wg_px_is(x, "+") || wg_px_is(x, "-"))) {
    wg_px_opnd_t off = {.kind = kWgPxOImm};
    if (!parse_number(x, &off) || off.fkind != 0) bad(x, "offset is no integer");
    o->value = off.value;
  }
}

static void parse_operand(wg_px_ctx_t *x, wg_px_opnd_t *o, bool label_ok, unsigned depth) {
  if (wg_px_accept(x, "!")) {
    o->kind = kWgPxOReg;
    o->is_not = true;
    o->sym = need_reg(x);
    if (o->sym->type != kWgPxPred) bad(x, "'!' in front of a register that is no predicate");
  } else if (wg_px_is(x, "[")) {
    parse_addr(x, o);
  } else if (wg_px_is(x, "{") && depth == 0) {
    parse_vector(x, o);
  } else if (x->tok.kind == kWgPxWord) {
    parse_word(x, o, label_ok);
  } else if (!parse_number(x, o)) {
    bad(x, "malformed operand");
  }
}

static void split_opcode(wg_px_ctx_t *x, wg_px_stmt_t *s) {
  const char *p = x->tok.text, *end = p + x->tok.len;
  while (p < end) {
    const char *dot = memchr(p, '.', (size_t)(end - p));
    size_t n = (size_t)((dot == NULL ? end : dot) - p);
    if (n == 0 || s->nparts == kWgPxMaxParts) bad(x, "malformed opcode");
    s->part[s->nparts++] = wg_px_strndup(x, p, n);
    p += n + (dot == NULL ? 0 : 1);
  }
}

wg_px_stmt_t *wg_px_parse_insn(wg_px_ctx_t *x) {
  wg_px_stmt_t *s = wg_px_alloc(x, sizeof *s);
  s->text = x->tok.text;
  s->line = x->tok.line;
  if (wg_px_accept(x, "@")) {
    s->guard_not = wg_px_accept(x, "!");
    s->guard = need_reg(x);
    if (s->guard->type != kWgPxPred) bad(x, "guard is no predicate");
  }
  if (x->tok.kind != kWgPxWord || x->tok.text[0] == '%') bad(x, "expected an instruction");
  split_opcode(x, s);
  wg_px_next(x);
  bool branch = strcmp(s->part[0], "bra") == 0 || strcmp(s->part[0], "brx") == 0;
  if (strcmp(s->part[0], "call") == 0) {
    wg_px_parse_call(x, s);
  } else if (!wg_px_is(x, ";")) {
    do {
      if (s->nops == kWgPxMaxOperands) bad(x, "too many operands");
      parse_operand(x, &s->op[s->nops++], branch, 0);
    } while (wg_px_accept(x, ","));
  }
  s->text_len = (uint32_t)(x->tok.text - s->text);
  wg_px_expect(x, ";");
  return s;
}
