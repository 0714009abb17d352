// SPDX-License-Identifier: Apache-2.0
//
// Lowering: PTX statements to machine instructions over virtual units. This file holds the dispatch, operand access,
// moves and control flow; px_lower_{int,f32,div,mem}.c the rest. Lowering is simple on purpose: immediates and
// constants are moved to units of their own; px_opt.c folds them into operands.
#include <string.h>

#include "toolchain/obj/wg_demangle.h"
#include "toolchain/ptx/px.h"

/* ---- small helpers ---- */

bool wg_px_has(const wg_px_stmt_t *s, const char *part) {
  for (uint32_t i = 1; i < s->nparts; i++) {
    if (strcmp(s->part[i], part) == 0) return true;
  }
  return false;
}

wg_px_type_t wg_px_last_type(const wg_px_stmt_t *s) {
  const char *p = s->part[s->nparts - 1];
  return s->nparts < 2 ? kWgPxNone : wg_px_type_of(p, strlen(p));
}

_Noreturn void wg_px_unsupported(wg_px_ctx_t *x, const char *what) {
  wg_px_fail_stmt(x, kWgUnsupported, x->stmt, "toolchain/ptx/README.md lists what is compiled", "%s is not supported",
                  what);
}

void wg_px_need_ops(wg_px_ctx_t *x, uint32_t lo, uint32_t hi) {
  if (x->stmt->nops < lo || x->stmt->nops > hi) {
    wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "wrong number of operands (%u)", x->stmt->nops);
  }
}

wg_px_insn_t *wg_px_emit(wg_px_ctx_t *x, uint8_t op, unsigned mods, int32_t d, int32_t a, int32_t b, int32_t c) {
  wg_px_insn_t *in = wg_px_insn_new(x, op);
  in->mods = (uint16_t)mods;
  in->d = d;
  in->a = a;
  in->b = b;
  in->c = c;
  in->src = x->stmt;
  if (x->stmt->guard != NULL) {
    in->guard = x->stmt->guard->unit;
    in->guard_not = x->stmt->guard_not;
  }
  wg_px_insert(x, x->cur, x->cur->n, in);
  return in;
}

wg_px_insn_t *wg_px_emit_imm(wg_px_ctx_t *x, uint8_t op, unsigned mods, int32_t d, int32_t a, uint32_t imm,
                             int32_t c) {
  wg_px_insn_t *in = wg_px_emit(x, op, mods, d, a, -1, c);
  in->form = kWgFormImm;
  in->imm = imm;
  return in;
}

int32_t wg_px_tmp(wg_px_ctx_t *x) { return wg_px_unit_new(x, x->fn, 1); }
void wg_px_mov(wg_px_ctx_t *x, int32_t d, int32_t s) { (void)wg_px_emit(x, kWgOp_MOV, 0, d, -1, s, -1); }
void wg_px_mov_imm(wg_px_ctx_t *x, int32_t d, uint32_t imm) { (void)wg_px_emit_imm(x, kWgOp_MOV, 0, d, -1, imm, -1); }

/* ---- operands ---- */

static int32_t unit_of(wg_px_ctx_t *x, wg_px_sym_t *r) {
  if (r->unit < 0) {
    uint32_t size = wg_px_type_size(r->type);
    if (size > 8) wg_px_unsupported(x, "a 128-bit register");
    if (r->type == kWgPxPred) {
      r->unit = wg_px_pred_new(x, x->fn, true);
    } else {
      r->unit = wg_px_unit_new(x, x->fn, size == 8 ? 2 : 1);
      for (uint32_t i = 0; i < (size == 8 ? 2u : 1u); i++) x->fn->unit[r->unit + (int32_t)i].named = true;
    }
  }
  return r->unit;
}

/* Offset of a shared variable in the block's window; static ones are laid out at first use, extern ones behind them.
 */
static uint32_t shared_offset(wg_px_ctx_t *x, wg_px_sym_t *s) {
  if (s->is_extern) x->kernel->uses_extern_shared = true;
  if (!s->placed) wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "shared variable '%s' is not visible here", s->name);
  return s->offset;
}

static const char kParamAddress[] = "the address of a parameter other than in ld.param at a constant offset";

/* Module-scope variables and functions have no address in device code yet: say which, and what to write instead. */
static _Noreturn void refuse_symbol(wg_px_ctx_t *x, const wg_px_sym_t *sym) {
  char name[200];
  wg_demangle(sym->name, name, sizeof name);
  if (sym->space == kWgPxSpGlobal) {
    if (strchr(name, '$') != NULL) { /* the compiler's own: strings, arrays of constants: __const_$_kernel_$_name */
      const char *own = name;
      for (const char *p = name; (p = strstr(p, "_$_")) != NULL; p += 3) own = p + 3;
      wg_px_fail_stmt(x, kWgUnsupported, x->stmt,
                      "make it __constant__ with literal indices, __shared__, or an argument",
                      "constant data '%s' that the compiler placed in global memory is not supported yet", own);
    }
    wg_px_fail_stmt(x, kWgUnsupported, x->stmt,
                    "pass a pointer from cudaMalloc as a kernel argument, or make it __constant__ or __shared__",
                    "device code refers to the __device__ variable '%s', which is not supported yet", name);
  }
  if (sym->space == kWgPxSpConst) {
    wg_px_fail_stmt(x, kWgUnsupported, x->stmt,
                    "index it with literals only (#pragma unroll), or pass a pointer as an argument of the kernel",
                    "device code takes the address of the __constant__ variable '%s' or indexes it with a value that "
                    "the compiler does not know, which is not supported yet", name);
  }
  wg_px_fail_stmt(x, kWgUnsupported, x->stmt, "write the call out, or choose by a switch",
                  "device code takes the address of '%s', which is not supported", name);
}

static uint64_t symbol_value(wg_px_ctx_t *x, const wg_px_opnd_t *o) {
  if (o->sym->space == kWgPxSpShared) return (uint64_t)shared_offset(x, o->sym) + (uint64_t)o->value;
  if (o->sym->space == kWgPxSpLocal) return (uint64_t)o->sym->offset + (uint64_t)o->value;
  if (o->sym->space == kWgPxSpParam) wg_px_unsupported(x, kParamAddress);
  refuse_symbol(x, o->sym);
}

wg_px_sym_t *wg_px_param_of(const wg_px_sym_t *r, int64_t *offset) {
  *offset = 0;
  for (int depth = 0; depth < 64; depth++) {
    const wg_px_stmt_t *s = r->space == kWgPxSpReg && r->defs == 1 ? r->def : NULL;
    if (s == NULL || s->nops < 2) return NULL;
    const wg_px_opnd_t *from = &s->op[1];
    if (strcmp(s->part[0], "mov") == 0 && from->kind == kWgPxOSym && from->sym->space == kWgPxSpParam) {
      *offset += from->value;
      return from->sym;
    }
    bool moved = strcmp(s->part[0], "mov") == 0 && s->nops == 2;
    bool added = strcmp(s->part[0], "add") == 0 && s->nops == 3 && s->op[2].kind == kWgPxOImm && s->op[2].fkind == 0;
    if ((!moved && !added) || from->kind != kWgPxOReg || from->is_not) return NULL;
    if (added) *offset += s->op[2].value;
    r = from->sym;
  }
  return NULL;
}

int32_t wg_px_src(wg_px_ctx_t *x, const wg_px_opnd_t *o, unsigned half) {
  if (o->kind == kWgPxOReg) {
    uint32_t size = wg_px_type_size(o->sym->type);
    if (size == 0 || o->is_not)
      wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "predicate '%s' as a value", o->sym->name);
    if (half >= (size == 8 ? 2u : 1u)) {
      wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "register '%s' is too narrow", o->sym->name);
    }
    if (wg_px_param_of(o->sym, &(int64_t){0}) != NULL) {
      wg_px_unsupported(x, kParamAddress);
    }
    return unit_of(x, o->sym) + (int32_t)half;
  }
  uint64_t v = 0;
  if (o->kind == kWgPxOImm) {
    v = (uint64_t)o->value;
  } else if (o->kind == kWgPxOSym) {
    v = symbol_value(x, o);
  } else if (o->kind == kWgPxOSreg && o->sreg == kWgPxSrWarpSz) {
    v = 32;
  } else {
    wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "operand is no value");
  }
  int32_t t = wg_px_tmp(x);
  wg_px_mov_imm(x, t, (uint32_t)(v >> (32 * half)));
  return t;
}

int32_t wg_px_src_pair(wg_px_ctx_t *x, const wg_px_opnd_t *o) {
  if (o->kind == kWgPxOReg && wg_px_type_size(o->sym->type) == 8 && wg_px_param_of(o->sym, &(int64_t){0}) == NULL) {
    return unit_of(x, o->sym);
  }
  int32_t lo = wg_px_src(x, o, 0), hi = wg_px_src(x, o, 1);
  int32_t pair = wg_px_unit_new(x, x->fn, 2);
  wg_px_mov(x, pair, lo);
  wg_px_mov(x, pair + 1, hi);
  return pair;
}

int32_t wg_px_dst(wg_px_ctx_t *x, const wg_px_opnd_t *o, unsigned bytes) {
  if (o->kind == kWgPxOSink) return wg_px_unit_new(x, x->fn, bytes == 8 ? 2 : 1);
  if (o->kind != kWgPxOReg || o->is_not) wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "destination is no register");
  uint32_t size = wg_px_type_size(o->sym->type);
  if (size == 0 || (bytes == 8) != (size == 8) || bytes > 8) {
    wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "register '%s' does not fit the type", o->sym->name);
  }
  return unit_of(x, o->sym);
}

int32_t wg_px_psrc(wg_px_ctx_t *x, const wg_px_opnd_t *o, bool *is_not) {
  if (o->kind == kWgPxOImm && o->fkind == 0) {
    *is_not = o->value == 0;
    return -1;
  }
  if (o->kind != kWgPxOReg || o->sym->type != kWgPxPred) {
    wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "operand is no predicate");
  }
  *is_not = o->is_not;
  return unit_of(x, o->sym);
}

int32_t wg_px_pdst(wg_px_ctx_t *x, const wg_px_opnd_t *o) {
  if (o->kind == kWgPxOSink) return -1;
  if (o->kind != kWgPxOReg || o->sym->type != kWgPxPred || o->is_not) {
    wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "destination is no predicate");
  }
  return unit_of(x, o->sym);
}

/* ---- mov, cvta ---- */

static void s2r(wg_px_ctx_t *x, int32_t d, unsigned sr) {
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_S2R, 0, d, -1, -1, -1);
  in->imm = sr;
}

static void mov_const(wg_px_ctx_t *x, int32_t d, unsigned bank, uint32_t off) {
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_MOV, 0, d, -1, -1, -1);
  in->form = kWgFormConst;
  in->cbank = (uint8_t)bank;
  in->coff = (uint16_t)off;
}

static void mov_sreg(wg_px_ctx_t *x, const wg_px_opnd_t *dst, unsigned sr, unsigned bytes) {
  int32_t d = wg_px_dst(x, dst, bytes);
  if (sr >= kWgPxSrNtidX && sr <= kWgPxSrNctaidZ) {
    mov_const(x, d, 0, 4 * (sr - kWgPxSrNtidX));
  } else if (sr == kWgPxSrDynSmem) {
    mov_const(x, d, 0, 0x18);
  } else if (sr == kWgPxSrWarpSz) {
    wg_px_mov_imm(x, d, 32);
  } else if (sr == kWgPxSrClock64 || sr == kWgPxSrTimer64) {
    wg_px_unsupported(x, "a 64-bit clock (its two halves cannot be read at once)");
  } else if (sr == kWgPxSrGridId64) {
    mov_const(x, d, 0, 0x38);
    if (bytes == 8) mov_const(x, d + 1, 0, 0x3c);
    return;
  } else {
    s2r(x, d, sr);
  }
  if (bytes == 8) wg_px_mov_imm(x, d + 1, 0);
}

static void mov_vector(wg_px_ctx_t *x, const wg_px_stmt_t *s, unsigned bytes) {
  const wg_px_opnd_t *v = s->op[0].kind == kWgPxOVec ? &s->op[0] : &s->op[1];
  if (bytes != 8 || v->nvec != 2) wg_px_unsupported(x, "packing other than two 32-bit halves");
  if (v == &s->op[1]) { /* {lo, hi} to a 64-bit register */
    int32_t lo = wg_px_src(x, &v->vec[0], 0), hi = wg_px_src(x, &v->vec[1], 0);
    int32_t d = wg_px_dst(x, &s->op[0], 8);
    wg_px_mov(x, d, lo);
    wg_px_mov(x, d + 1, hi);
    return;
  }
  int32_t src[2] = {wg_px_src(x, &s->op[1], 0), wg_px_src(x, &s->op[1], 1)};
  for (unsigned i = 0; i < 2; i++) {
    if (v->vec[i].kind != kWgPxOSink) wg_px_mov(x, wg_px_dst(x, &v->vec[i], 4), src[i]);
  }
}

static void lower_mov(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 2, 2);
  wg_px_type_t t = wg_px_last_type(s);
  unsigned bytes = wg_px_type_size(t);
  if (t == kWgPxPred) {
    bool n;
    int32_t p = wg_px_psrc(x, &s->op[1], &n), d = wg_px_pdst(x, &s->op[0]);
    wg_px_insn_t *in = wg_px_emit(x, kWgOp_PLOP3, 0xc, -1, -1, -1, -1);
    in->ps0 = p;
    in->ps0_not = n;
    in->pd0 = d;
    return;
  }
  if (bytes < 2 || bytes > 8) wg_px_unsupported(x, "this type");
  if (s->op[0].kind == kWgPxOVec || s->op[1].kind == kWgPxOVec) {
    mov_vector(x, s, bytes);
  } else if (s->op[1].kind == kWgPxOSreg) {
    mov_sreg(x, &s->op[0], s->op[1].sreg, bytes);
  } else {
    int32_t lo = wg_px_src(x, &s->op[1], 0), hi = bytes == 8 ? wg_px_src(x, &s->op[1], 1) : -1;
    int32_t d = wg_px_dst(x, &s->op[0], bytes);
    wg_px_mov(x, d, lo);
    if (bytes == 8) wg_px_mov(x, d + 1, hi);
  }
}

/* Global addresses are what they are generically; shared and local ones gain or lose their window in the upper word
   (cvta writes it). */
static void lower_cvta(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 2, 2);
  if (wg_px_type_size(wg_px_last_type(s)) != 8) wg_px_unsupported(x, "a 32-bit address");
  bool to = wg_px_has(s, "to"), shared = wg_px_has(s, "shared"), local = wg_px_has(s, "local");
  if (!shared && !local && !wg_px_has(s, "global")) wg_px_unsupported(x, "this address space");
  int32_t lo = wg_px_src(x, &s->op[1], 0), hi = wg_px_src(x, &s->op[1], 1);
  int32_t d = wg_px_dst(x, &s->op[0], 8);
  wg_px_mov(x, d, lo);
  if (shared || local) {
    wg_px_mov_imm(x, d + 1, to ? 0 : shared ? 1 : 2);
  } else {
    wg_px_mov(x, d + 1, hi);
  }
}

/* ---- control flow ---- */

static void start_block(wg_px_ctx_t *x, wg_px_block_t *b) {
  wg_px_block_append(x->fn, b);
  x->cur = b;
}

static void end_jump(wg_px_ctx_t *x, wg_px_block_t *to) {
  x->cur->term = kWgPxTJump;
  x->cur->succ[0] = to;
  x->cur->src = x->stmt;
}

static void lower_bra(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 1, 1);
  if (s->op[0].kind != kWgPxOSym || s->op[0].sym->space != kWgPxSpLabel) {
    wg_px_fail_stmt(x, kWgBadInput, s, "", "branch target is no label");
  }
  wg_px_sym_t *l = s->op[0].sym;
  if (!l->defined) wg_px_fail_stmt(x, kWgBadInput, s, "", "label '%s' is not set in this kernel", l->name);
  if (l->block == NULL) l->block = wg_px_block_new(x, x->fn);
  wg_px_block_t *next = wg_px_block_new(x, x->fn);
  end_jump(x, l->block);
  if (s->guard != NULL) {
    x->cur->term = kWgPxTCond;
    x->cur->succ[1] = next;
    x->cur->pred = unit_of(x, s->guard);
    x->cur->pred_not = s->guard_not;
    x->cur->uni = wg_px_has(s, "uni");
  }
  start_block(x, next);
}

static void lower_exit(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 0, 0);
  wg_px_block_t *next = wg_px_block_new(x, x->fn);
  end_jump(x, next);
  x->cur->term = kWgPxTExit;
  if (s->guard != NULL) {
    x->cur->term = kWgPxTExitIf;
    x->cur->pred = unit_of(x, s->guard);
    x->cur->pred_not = s->guard_not;
  }
  start_block(x, next);
}

static void lower_trap(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  (void)s;
  wg_px_need_ops(x, 0, 0);
  wg_px_emit(x, kWgOp_TRAP, 0, -1, -1, -1, -1)->imm = 2;
}

/* Functions of CUDA's device run-time library that a text may call, as the programmer wrote them. */
static const struct {
  const char *symbol, *name, *hint;
} kDeviceCalls[] = {
    {"vprintf", "printf", "store the values to a buffer and print it on the host"},
    {"__assertfail", "assert", "compile with -DNDEBUG, or check with an if and store a flag"},
    {"malloc", "malloc", "allocate with cudaMalloc on the host"},
    {"free", "free", "allocate with cudaMalloc on the host"},
};

/* Name of the function that a call statement names: call{.uni} {(result),} name{, (arguments)} */
static void callee(const wg_px_stmt_t *s, char *buf, size_t n) {
  const char *p = s->text, *end = s->text + s->text_len;
  while (p < end && (unsigned char)*p > ' ' && *p != '(') p++;
  while (p < end && (unsigned char)*p <= ' ') p++;
  if (p < end && *p == '(') {
    while (p < end && *p != ')') p++;
    while (p < end && (*p == ')' || *p == ',' || (unsigned char)*p <= ' ')) p++;
  }
  size_t len = 0;
  while (p + len < end && (unsigned char)p[len] > ' ' && p[len] != ',' && p[len] != ';' && p[len] != '(') len++;
  snprintf(buf, n, "%.*s", (int)(len < n ? len : n - 1), p);
}

static void lower_call(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  char symbol[200], name[200];
  callee(s, symbol, sizeof symbol);
  for (size_t i = 0; i < sizeof kDeviceCalls / sizeof kDeviceCalls[0]; i++) {
    if (strcmp(symbol, kDeviceCalls[i].symbol) != 0) continue;
    wg_px_fail_stmt(x, kWgUnsupported, s, kDeviceCalls[i].hint, "%s() in device code is not supported yet",
                    kDeviceCalls[i].name);
  }
  wg_px_fail_stmt(x, kWgUnsupported, s,
                  "let the compiler inline it: no recursion, no function pointers, __forceinline__",
                  "a call of '%s' is not supported", wg_demangle(symbol, name, sizeof name));
}

/* Calls are refused first: the statements in front of one prepare its arguments, with addresses that would be refused
   under names that the programmer never wrote. */
static void refuse_calls(wg_px_ctx_t *x, const wg_px_kernel_t *k) {
  for (wg_px_stmt_t *s = k->body; s != NULL; s = s->next) {
    if (s->label == NULL && strcmp(s->part[0], "call") == 0) lower_call(x, s);
  }
}

/* ---- dispatch ---- */

static const struct {
  const char *op;
  wg_px_lower_fn fn;
  bool no_dest; /* operand 0 is read, not written */
} kOps[] = {
    {"mov", lower_mov, false},
    {"cvta", lower_cvta, false},
    {"bra", lower_bra, true},
    {"ret", lower_exit, true},
    {"exit", lower_exit, true},
    {"trap", lower_trap, true},
    {"call", lower_call, true},
    {"add", wg_px_lower_addsub, false},
    {"sub", wg_px_lower_addsub, false},
    {"mul", wg_px_lower_mul, false},
    {"mad", wg_px_lower_mul, false},
    {"fma", wg_px_lower_f32, false},
    {"and", wg_px_lower_logic, false},
    {"or", wg_px_lower_logic, false},
    {"xor", wg_px_lower_logic, false},
    {"not", wg_px_lower_logic, false},
    {"cnot", wg_px_lower_bits, false},
    {"shl", wg_px_lower_shift, false},
    {"shr", wg_px_lower_shift, false},
    {"min", wg_px_lower_minmax, false},
    {"max", wg_px_lower_minmax, false},
    {"neg", wg_px_lower_negabs, false},
    {"abs", wg_px_lower_negabs, false},
    {"setp", wg_px_lower_setp, false},
    {"selp", wg_px_lower_selp, false},
    {"cvt", wg_px_lower_cvt, false},
    {"bfe", wg_px_lower_bits, false},
    {"prmt", wg_px_lower_bits, false},
    {"shf", wg_px_lower_bits, false},
    {"lop3", wg_px_lower_bits, false},
    {"div", wg_px_lower_div, false},
    {"rcp", wg_px_lower_div, false},
    {"rem", wg_px_lower_idiv, false},
    {"sin", wg_px_lower_sfu, false},
    {"cos", wg_px_lower_sfu, false},
    {"ex2", wg_px_lower_sfu, false},
    {"lg2", wg_px_lower_sfu, false},
    {"rsqrt", wg_px_lower_sfu, false},
    {"sqrt", wg_px_lower_sfu, false},
    {"clz", wg_px_lower_count, false},
    {"popc", wg_px_lower_count, false},
    {"brev", wg_px_lower_count, false},
    {"bfind", wg_px_lower_count, false},
    {"slct", wg_px_lower_slct, false},
    {"bfi", wg_px_lower_field, false},
    {"copysign", wg_px_lower_f32_unary, false},
    {"ld", wg_px_lower_ldst, false},
    {"ldu", wg_px_lower_ldst, false},
    {"st", wg_px_lower_ldst, true},
    {"shfl", wg_px_lower_shfl, false},
    {"bar", wg_px_lower_bar, true},
    {"barrier", wg_px_lower_bar, true},
};

static int find_op(const char *name) {
  for (size_t i = 0; i < sizeof kOps / sizeof kOps[0]; i++) {
    if (strcmp(kOps[i].op, name) == 0) return (int)i;
  }
  return -1;
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

static void lower_stmt(wg_px_ctx_t *x, wg_px_stmt_t *s) {
  x->stmt = s;
  if (s->label != NULL) {
    if (s->label->block == NULL) s->label->block = wg_px_block_new(x, x->fn);
    end_jump(x, s->label->block);
    start_block(x, s->label->block);
    return;
  }
  if (s->guard != NULL) (void)unit_of(x, s->guard);
  int i = find_op(s->part[0]);
  if (i < 0) wg_px_unsupported(x, "this instruction");
  if (!kOps[i].no_dest && s->nops != 0 && s->op[0].kind == kWgPxOReg && wg_px_param_of(s->op[0].sym, &(int64_t){0})) {
    return; /* the address of a parameter: its ld.param follow it themselves */
  }
  if (s->guard == NULL || kOps[i].fn != wg_px_lower_div) {
    kOps[i].fn(x, s);
    return;
  }
  /* A division becomes blocks of its own: its guard becomes a branch around them. */
  wg_px_block_t *body = wg_px_block_new(x, x->fn), *join = wg_px_block_new(x, x->fn);
  end_jump(x, body);
  x->cur->term = kWgPxTCond;
  x->cur->succ[1] = join;
  x->cur->pred = s->guard->unit;
  x->cur->pred_not = s->guard_not;
  start_block(x, body);
  wg_px_stmt_t plain = *s;
  plain.guard = NULL;
  wg_px_stmt_t *kept = wg_px_alloc(x, sizeof *kept);
  *kept = plain;
  x->stmt = kept;
  kOps[i].fn(x, kept);
  end_jump(x, join);
  start_block(x, join);
}

/* Static shared variables of the module and of this body, by falling alignment, then in the order of the text. */
static void place_shared(wg_px_ctx_t *x) {
  uint32_t end = 0, ext_align = 1;
  for (uint32_t i = 0; i < x->num_shared; i++) {
    wg_px_sym_t *s = x->shared[i];
    if (s->is_extern && s->align > ext_align) ext_align = s->align;
  }
  for (uint32_t align = 4096; align != 0; align /= 2) {
    for (uint32_t i = 0; i < x->num_shared; i++) {
      wg_px_sym_t *s = x->shared[i];
      if (s->is_extern || s->align != align || !s->placed) continue;
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

/* Local variables of this body, from offset 0 of the frame by falling alignment. */
static void place_local(wg_px_ctx_t *x) {
  uint32_t end = 0;
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

static void mark_placed(const wg_px_opnd_t *o) {
  if ((o->kind == kWgPxOSym || o->kind == kWgPxOAddr) && o->sym != NULL &&
      (o->sym->space == kWgPxSpShared || o->sym->space == kWgPxSpLocal)) {
    o->sym->placed = true;
  }
}

wg_px_fn_t *wg_px_lower(wg_px_ctx_t *x, wg_px_kernel_t *k) {
  x->kernel = k;
  x->fn = wg_px_fn_new(x, k);
  x->cur = x->fn->entry;
  for (uint32_t i = 0; i < x->num_shared; i++) x->shared[i]->placed = false;
  for (uint32_t i = 0; i < x->num_locals; i++) x->locals[i]->placed = false;
  bool uses_ext = false;
  refuse_calls(x, k);
  for (wg_px_stmt_t *s = k->body; s != NULL; s = s->next) {
    if (s->label != NULL) continue;
    for (uint32_t i = 0; i < s->nops; i++) {
      mark_placed(&s->op[i]);
      if ((s->op[i].kind == kWgPxOSym || s->op[i].kind == kWgPxOAddr) && s->op[i].sym != NULL &&
          s->op[i].sym->is_extern) {
        uses_ext = true;
      }
    }
    int op = find_op(s->part[0]);
    if (op >= 0 && !kOps[op].no_dest && s->nops > 0) count_def(&s->op[0], s);
  }
  place_shared(x);
  place_local(x);
  if (!uses_ext) x->fn->shared_bytes = x->shared_end;
  wg_px_stmt_t *last = NULL;
  for (wg_px_stmt_t *s = k->body; s != NULL; s = s->next) {
    lower_stmt(x, s);
    last = s;
  }
  x->stmt = last;
  x->cur->term = kWgPxTExit; /* falling off the end is a return */
  x->cur->src = last;
  for (wg_px_block_t *b = x->fn->cold; b != NULL;) {
    wg_px_block_t *next = b->next;
    b->next = NULL;
    wg_px_block_append(x->fn, b);
    b = next;
  }
  return x->fn;
}
