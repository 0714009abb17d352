// SPDX-License-Identifier: Apache-2.0
//
// Lowering: PTX statements to machine instructions over virtual units. This file holds the dispatch, operand access,
// moves and control flow; px_lower_{int,f32,div,mem}.c the rest. Lowering is simple on purpose: immediates and
// constants are moved to units of their own; px_opt.c folds them into operands.
#include "toolchain/obj/wg_demangle.h"
#include "toolchain/devlib/wg_fifo.h"
#include "toolchain/ptx/px_build.h"

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

/* Address of a __device__ variable: the module's base, which the loader writes to c[2][0], and the offset in it. */
static int32_t global_address(wg_px_ctx_t *x, const wg_px_opnd_t *o) {
  int32_t base = wg_px_pair(x);
  x->uses_bases = true;
  for (int h = 0; h < 2; h++) {
    wg_px_insn_t *in = wg_px_emit(x, kWgOp_MOV, 0, base + h, -1, -1, -1);
    in->form = kWgFormConst;
    in->cbank = 2;
    in->coff = (uint16_t)(4 * h);
  }
  uint64_t offset = o->sym->offset + (uint64_t)o->value;
  return offset == 0 ? base : wg_px_add_d(x, base, wg_px_const_d(x, offset));
}

static uint64_t symbol_value(wg_px_ctx_t *x, const wg_px_opnd_t *o) {
  uint64_t add = (uint64_t)o->value;
  switch (o->sym->space) {
    case kWgPxSpShared: return shared_offset(x, o->sym) + add;
    case kWgPxSpLocal: return o->sym->offset + add;
    case kWgPxSpConst: return o->sym->offset + add; /* in bank 3 */
    case kWgPxSpParam:
      if (o->sym->arg) break;
      return kWgParamBase + o->sym->offset + add; /* in bank 0 */
    default: break;
  }
  if (o->sym->space == kWgPxSpParam) return 0; /* followed by ld.param (wg_px_param_of); a value it is not */
  wg_px_fail_stmt(x, kWgUnsupported, x->stmt, "define it in the same module",
                  "the address of '%s', which has no body, is not supported", o->sym->name);
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

/* In a function that is called the dynamic array begins where the kernel's static variables end: c[0][0x1c]. */
static int32_t dynamic_shared(wg_px_ctx_t *x, const wg_px_opnd_t *o, unsigned half) {
  int32_t base = wg_px_tmp(x);
  if (half == 1) {
    wg_px_mov_imm(x, base, 0);
    return base;
  }
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_MOV, 0, base, -1, -1, -1);
  in->form = kWgFormConst;
  in->coff = 0x1c;
  return o->value == 0 ? base : wg_px_addi(x, base, (uint32_t)o->value);
}

int32_t wg_px_src(wg_px_ctx_t *x, const wg_px_opnd_t *o, unsigned half) {
  if (o->kind == kWgPxOReg) {
    uint32_t size = wg_px_type_size(o->sym->type);
    if (size == 0 || o->is_not)
      wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "predicate '%s' as a value", o->sym->name);
    if (half >= (size == 8 ? 2u : 1u)) {
      wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "register '%s' is too narrow", o->sym->name);
    }
    return unit_of(x, o->sym) + (int32_t)half;
  }
  uint64_t v = 0;
  if (o->kind == kWgPxOSym && o->sym->space == kWgPxSpFunc && o->sym->func != NULL && half == 0) {
    return wg_px_func_address(x, o->sym->func);
  }
  if (o->kind == kWgPxOSym && o->sym->space == kWgPxSpLocal && x->fn->sp >= 0 && half == 0) {
    return wg_px_addi(x, x->fn->sp, o->sym->offset + (uint32_t)o->value);
  }
  if (o->kind == kWgPxOImm) {
    v = (uint64_t)o->value;
  } else if (o->kind == kWgPxOSym && o->sym->space == kWgPxSpGlobal) {
    return global_address(x, o) + (int32_t)half;
  } else if (o->kind == kWgPxOSym && o->sym->space == kWgPxSpShared && o->sym->is_extern && x->kernel->is_func) {
    return dynamic_shared(x, o, half);
  } else if (o->kind == kWgPxOSym && half == 1 && (o->sym->space == kWgPxSpLocal || o->sym->func != NULL)) {
    v = 0;
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
  if (o->kind == kWgPxOReg && wg_px_type_size(o->sym->type) == 8) {
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

/* Two halves that cannot be read at once: read upper, lower, upper, lower; where the upper one has moved on between its
   readings the second pair belongs together, else the first. */
static void clock64(wg_px_ctx_t *x, int32_t d, unsigned lo, unsigned bytes) {
  int32_t r[4];
  if (bytes != 8) wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "a 64-bit register is wanted");
  for (unsigned i = 0; i < 4; i++) s2r(x, r[i] = wg_px_tmp(x), i % 2 == 0 ? lo + 1 : lo); /* in order: px_sched.c */
  int32_t same = wg_px_cmp(x, kCmpEq, true, r[0], r[2]);
  wg_px_mov(x, d, wg_px_sel(x, same, r[1], r[3]));
  wg_px_mov(x, d + 1, r[2]);
}

static void mov_sreg(wg_px_ctx_t *x, const wg_px_opnd_t *dst, unsigned sr, unsigned bytes) {
  int32_t d = wg_px_dst(x, dst, bytes);
  if (sr >= kWgPxSrNtidX && sr <= kWgPxSrNctaidZ) {
    mov_const(x, d, 0, 4 * (sr - kWgPxSrNtidX));
  } else if (sr == kWgPxSrDynSmem) {
    mov_const(x, d, 0, 0x18);
  } else if (sr == kWgPxSrWarpSz) {
    wg_px_mov_imm(x, d, 32);
  } else if (sr == kWgPxSrZero || sr == kWgPxSrOne) {
    wg_px_mov_imm(x, d, sr - kWgPxSrZero);
  } else if (sr == kWgPxSrTotalSmem) { /* static and dynamic */
    int32_t part[2] = {wg_px_tmp(x), wg_px_tmp(x)};
    for (unsigned i = 0; i < 2; i++) mov_const(x, part[i], 0, 0x18 + 4 * i);
    wg_px_mov(x, d, wg_px_add(x, part[0], part[1]));
  } else if (sr == kWgPxSrClock64 || sr == kWgPxSrTimer64) {
    clock64(x, d, sr == kWgPxSrClock64 ? kWgSrClockLo : kWgSrGlobalTimerLo, bytes);
    return;
  } else if (sr == kWgPxSrGridId64 || sr == kWgPxSrFifo || sr == kWgPxSrHeap) {
    unsigned at = sr == kWgPxSrGridId64 ? 0x38u : sr == kWgPxSrFifo ? kWgBank0Fifo : kWgBank0Heap;
    mov_const(x, d, 0, at);
    if (bytes == 8) mov_const(x, d + 1, 0, at + 4);
    return;
  } else {
    s2r(x, d, sr);
  }
  if (bytes == 8) wg_px_mov_imm(x, d + 1, 0);
}

/* Two 16-bit registers and a 32-bit one. */
static void mov_halves(wg_px_ctx_t *x, const wg_px_stmt_t *s, const wg_px_opnd_t *v) {
  for (unsigned i = 0; i < 2; i++) {
    if (v->vec[i].kind == kWgPxOReg && wg_px_type_size(v->vec[i].sym->type) != 2) wg_px_unsupported(x, "this packing");
  }
  if (v == &s->op[1]) {
    int32_t lo = wg_px_src(x, &v->vec[0], 0), hi = wg_px_src(x, &v->vec[1], 0);
    (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, wg_px_dst(x, &s->op[0], 4), lo, 0x5410, hi);
    return;
  }
  int32_t src = wg_px_src(x, &s->op[1], 0), half[2] = {src, wg_px_shri(x, src, 16, false)};
  for (unsigned i = 0; i < 2; i++) {
    if (v->vec[i].kind != kWgPxOSink) wg_px_mov(x, wg_px_dst(x, &v->vec[i], 4), half[i]);
  }
}

static void mov_vector(wg_px_ctx_t *x, const wg_px_stmt_t *s, unsigned bytes) {
  const wg_px_opnd_t *v = s->op[0].kind == kWgPxOVec ? &s->op[0] : &s->op[1];
  if (bytes == 4 && v->nvec == 2) {
    mov_halves(x, s, v);
    return;
  }
  if (bytes != 8 || v->nvec != 2) wg_px_unsupported(x, "packing other than two halves");
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

/* __constant__ variables lie in device memory, at the base that the loader writes to c[2][8]. */
static void cvta_const(wg_px_ctx_t *x, const wg_px_stmt_t *s, bool to) {
  int32_t base = wg_px_pair(x), a = wg_px_src_pair(x, &s->op[1]);
  x->uses_bases = true;
  for (int h = 0; h < 2; h++) mov_const(x, base + h, 2, (uint32_t)(8 + 4 * h));
  wg_px_mov_d(x, wg_px_dst(x, &s->op[0], 8), to ? wg_px_sub_d(x, a, base) : wg_px_add_d(x, a, base));
}

/* Global addresses are what they are generically; shared and local ones gain or lose their window in the upper word
   (cvta writes it). */
static void lower_cvta(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 2, 2);
  if (wg_px_type_size(wg_px_last_type(s)) != 8) wg_px_unsupported(x, "a 32-bit address");
  bool to = wg_px_has(s, "to"), local = wg_px_has(s, "local");
  bool shared = wg_px_has(s, "shared") || wg_px_has(s, "shared::cta");
  if (wg_px_has(s, "const")) {
    cvta_const(x, s, to);
    return;
  }
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

/* isspacep.space p, a: by the upper word of the address; .const by the module's 64 KiB. */
static void lower_isspacep(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 2, 2);
  int space = s->nparts == 2 ? wg_px_space_of(s->part[1]) : -1;
  int32_t hi = wg_px_src(x, &s->op[1], 1), d = wg_px_pdst(x, &s->op[0]);
  wg_px_insn_t *in;
  if (space == kWgPxSpShared || space == kWgPxSpLocal) {
    in = wg_px_emit_imm(x, kWgOp_ISETP, MOD(ICMP, kCmpEq), -1, hi, space == kWgPxSpShared ? 1 : 2, -1);
  } else if (space == kWgPxSpGlobal) {
    in = wg_px_emit_imm(x, kWgOp_ISETP, MOD(ICMP, kCmpGt) | MOD(IU32, 1), -1, hi, 2, -1);
  } else if (space == kWgPxSpConst) {
    int32_t base = wg_px_pair(x), off;
    x->uses_bases = true;
    for (int h = 0; h < 2; h++) mov_const(x, base + h, 2, (uint32_t)(8 + 4 * h));
    off = wg_px_sub_d(x, wg_px_src_pair(x, &s->op[1]), base);
    int32_t low = wg_px_cmpi(x, kCmpLt, true, off, 65536);
    in = wg_px_emit_imm(x, kWgOp_ISETP, MOD(ICMP, kCmpEq), -1, off + 1, 0, -1);
    in->ps0 = low;
  } else {
    wg_px_unsupported(x, "this address space");
  }
  in->pd0 = d;
}

/* ---- control flow ---- */

void wg_px_start_block(wg_px_ctx_t *x, wg_px_block_t *b) {
  wg_px_block_append(x->fn, b);
  x->cur = b;
}

void wg_px_end_jump(wg_px_ctx_t *x, wg_px_block_t *to) {
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
  wg_px_end_jump(x, l->block);
  if (s->guard != NULL) {
    x->cur->term = kWgPxTCond;
    x->cur->succ[1] = next;
    x->cur->pred = unit_of(x, s->guard);
    x->cur->pred_not = s->guard_not;
    x->cur->uni = wg_px_has(s, "uni");
  }
  wg_px_start_block(x, next);
}

/* brx.idx index, list: a comparison with each place of the list; beyond it a fault. */
static void lower_brx(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 2, 2);
  wg_px_sym_t *list = s->op[1].kind == kWgPxOSym ? s->op[1].sym : NULL;
  if (!wg_px_part(s, 1, "idx") || list == NULL || list->num_targets == 0) {
    wg_px_fail_stmt(x, kWgBadInput, s, "", "a branch by index needs a list of targets");
  }
  int32_t v = wg_px_src(x, &s->op[0], 0);
  for (uint32_t i = 0; i < list->num_targets; i++) {
    wg_px_sym_t *l = list->target[i].sym;
    if (!l->defined) wg_px_fail_stmt(x, kWgBadInput, s, "", "label '%s' is not set in this kernel", l->name);
    if (l->block == NULL) l->block = wg_px_block_new(x, x->fn);
    wg_px_block_t *next = wg_px_block_new(x, x->fn);
    int32_t p = wg_px_cmpi(x, kCmpEq, true, v, i);
    wg_px_end_jump(x, l->block);
    x->cur->term = kWgPxTCond;
    x->cur->succ[1] = next;
    x->cur->pred = p;
    wg_px_start_block(x, next);
  }
  wg_px_emit(x, kWgOp_TRAP, 0, -1, -1, -1, -1)->imm = 2;
  wg_px_block_t *after = wg_px_block_new(x, x->fn);
  wg_px_end_jump(x, after);
  x->cur->term = kWgPxTExit;
  wg_px_start_block(x, after);
}

static void lower_exit(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 0, 0);
  wg_px_block_t *next = wg_px_block_new(x, x->fn);
  if (x->inline_depth != 0 && strcmp(s->part[0], "ret") == 0) { /* of a function: behind its call */
    wg_px_end_jump(x, x->ret_to);
    if (s->guard != NULL) {
      x->cur->term = kWgPxTCond;
      x->cur->succ[1] = next;
      x->cur->pred = unit_of(x, s->guard);
      x->cur->pred_not = s->guard_not;
      x->cur->uni = wg_px_has(s, "uni");
    }
    wg_px_start_block(x, next);
    return;
  }
  wg_px_end_jump(x, next);
  x->cur->term = kWgPxTExit;
  if (s->guard != NULL) {
    x->cur->term = kWgPxTExitIf;
    x->cur->pred = unit_of(x, s->guard);
    x->cur->pred_not = s->guard_not;
  }
  wg_px_start_block(x, next);
}

static void lower_trap(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  (void)s;
  wg_px_need_ops(x, 0, 0);
  wg_px_emit(x, kWgOp_TRAP, 0, -1, -1, -1, -1)->imm = 2;
}

/* ---- dispatch ---- */

static const struct {
  const char *op;
  wg_px_lower_fn fn;
  enum {
    kPlain,
    kNoDest /* operand 0 is read, not written */,
    kByType /* f64, f16, bf16 have handlers of their own */
  } kind;
} kOps[] = {
    {"mov", lower_mov, kPlain},
    {"cvta", lower_cvta, kPlain},
    {"isspacep", lower_isspacep, kPlain},
    {"bra", lower_bra, kNoDest},
    {"brx", lower_brx, kNoDest},
    {"ret", lower_exit, kNoDest},
    {"exit", lower_exit, kNoDest},
    {"trap", lower_trap, kNoDest},
    {"call", wg_px_lower_call, kNoDest},
    {"add", wg_px_lower_addsub, kByType},
    {"sub", wg_px_lower_addsub, kByType},
    {"mul", wg_px_lower_mul, kByType},
    {"mad", wg_px_lower_mul, kByType},
    {"fma", wg_px_lower_f32, kByType},
    {"and", wg_px_lower_logic, kPlain},
    {"or", wg_px_lower_logic, kPlain},
    {"xor", wg_px_lower_logic, kPlain},
    {"not", wg_px_lower_logic, kPlain},
    {"cnot", wg_px_lower_bits, kPlain},
    {"shl", wg_px_lower_shift, kPlain},
    {"shr", wg_px_lower_shift, kPlain},
    {"min", wg_px_lower_minmax, kByType},
    {"max", wg_px_lower_minmax, kByType},
    {"neg", wg_px_lower_negabs, kByType},
    {"abs", wg_px_lower_negabs, kByType},
    {"setp", wg_px_lower_setp, kPlain},
    {"selp", wg_px_lower_selp, kPlain},
    {"cvt", wg_px_lower_cvt, kPlain},
    {"set", wg_px_lower_set, kPlain},
    {"testp", wg_px_lower_testp, kPlain},
    {"addc", wg_px_lower_carry, kPlain},
    {"subc", wg_px_lower_carry, kPlain},
    {"madc", wg_px_lower_carry, kPlain},
    {"mul24", wg_px_lower_mul24, kPlain},
    {"mad24", wg_px_lower_mul24, kPlain},
    {"sad", wg_px_lower_sad, kPlain},
    {"dp4a", wg_px_lower_dot, kPlain},
    {"dp2a", wg_px_lower_dot, kPlain},
    {"vote", wg_px_lower_vote, kPlain},
    {"match", wg_px_lower_match, kPlain},
    {"redux", wg_px_lower_redux, kPlain},
    {"activemask", wg_px_lower_activemask, kPlain},
    {"elect", wg_px_lower_elect, kPlain},
    {"bmsk", wg_px_lower_bits, kPlain},
    {"szext", wg_px_lower_bits, kPlain},
    {"fns", wg_px_lower_bits, kPlain},
    {"tanh", wg_px_lower_sfu, kByType},
    {"vadd2", wg_px_lower_video, kPlain},
    {"vadd4", wg_px_lower_video, kPlain},
    {"vsub2", wg_px_lower_video, kPlain},
    {"vsub4", wg_px_lower_video, kPlain},
    {"vavrg2", wg_px_lower_video, kPlain},
    {"vavrg4", wg_px_lower_video, kPlain},
    {"vabsdiff2", wg_px_lower_video, kPlain},
    {"vabsdiff4", wg_px_lower_video, kPlain},
    {"vmin2", wg_px_lower_video, kPlain},
    {"vmin4", wg_px_lower_video, kPlain},
    {"vmax2", wg_px_lower_video, kPlain},
    {"vmax4", wg_px_lower_video, kPlain},
    {"bfe", wg_px_lower_field, kPlain},
    {"prmt", wg_px_lower_bits, kPlain},
    {"shf", wg_px_lower_bits, kPlain},
    {"lop3", wg_px_lower_bits, kPlain},
    {"div", wg_px_lower_div, kPlain},
    {"rcp", wg_px_lower_div, kPlain},
    {"rem", wg_px_lower_idiv, kPlain},
    {"sin", wg_px_lower_sfu, kPlain},
    {"cos", wg_px_lower_sfu, kPlain},
    {"ex2", wg_px_lower_sfu, kByType},
    {"lg2", wg_px_lower_sfu, kPlain},
    {"rsqrt", wg_px_lower_sfu, kPlain},
    {"sqrt", wg_px_lower_sfu, kPlain},
    {"clz", wg_px_lower_count, kPlain},
    {"popc", wg_px_lower_count, kPlain},
    {"brev", wg_px_lower_count, kPlain},
    {"bfind", wg_px_lower_count, kPlain},
    {"slct", wg_px_lower_slct, kPlain},
    {"bfi", wg_px_lower_field, kPlain},
    {"copysign", wg_px_lower_f32_unary, kByType},
    {"ld", wg_px_lower_ldst, kPlain},
    {"ldu", wg_px_lower_ldst, kPlain},
    {"st", wg_px_lower_ldst, kNoDest},
    {"atom", wg_px_lower_atom, kPlain},
    {"red", wg_px_lower_atom, kNoDest},
    {"membar", wg_px_lower_fence, kNoDest},
    {"fence", wg_px_lower_fence, kNoDest},
    {"mma", wg_px_lower_mma, kPlain},
    {"wmma", wg_px_lower_wmma, kPlain},
    {"ldmatrix", wg_px_lower_ldmatrix, kPlain},
    {"nanosleep", wg_px_lower_nanosleep, kNoDest},
    {"shfl", wg_px_lower_shfl, kPlain},
    {"bar", wg_px_lower_bar, kNoDest},
    {"barrier", wg_px_lower_bar, kNoDest},
};

static int find_op(const char *name) {
  for (size_t i = 0; i < sizeof kOps / sizeof kOps[0]; i++) {
    if (strcmp(kOps[i].op, name) == 0) return (int)i;
  }
  return -1;
}

static wg_px_lower_fn handler(unsigned i, const wg_px_stmt_t *s) {
  if (kOps[i].kind != kByType) return kOps[i].fn;
  switch (wg_px_last_type(s)) {
    case kWgPxF64: return wg_px_lower_f64;
    case kWgPxF16:
    case kWgPxBF16:
    case kWgPxF16x2:
    case kWgPxBF16x2: return wg_px_lower_half;
    default: return kOps[i].fn;
  }
}

bool wg_px_has_result(const wg_px_stmt_t *s) {
  int op = find_op(s->part[0]);
  if (s->nparts > 1 && strcmp(s->part[0], "wmma") == 0 && strcmp(s->part[1], "store") == 0) return false;
  return s->nops > 0 && op >= 0 && (kOps[op].kind != kNoDest || wg_px_has(s, "red")); /* bar.red has one */
}

void wg_px_lower_stmt(wg_px_ctx_t *x, wg_px_stmt_t *s) {
  x->stmt = s;
  if (s->label != NULL) {
    if (s->label->block == NULL) s->label->block = wg_px_block_new(x, x->fn);
    wg_px_end_jump(x, s->label->block);
    wg_px_start_block(x, s->label->block);
    return;
  }
  if (s->guard != NULL) (void)unit_of(x, s->guard);
  int i = find_op(s->part[0]);
  if (i < 0) wg_px_unsupported(x, "this instruction");
  wg_px_lower_fn fn = handler((unsigned)i, s);
  if (s->guard == NULL || (fn != wg_px_lower_div && fn != wg_px_lower_atom && fn != wg_px_lower_call &&
                           fn != lower_brx)) {
    fn(x, s);
    return;
  }
  /* What becomes blocks of its own: its guard becomes a branch around them. */
  wg_px_block_t *body = wg_px_block_new(x, x->fn), *join = wg_px_block_new(x, x->fn);
  wg_px_end_jump(x, body);
  x->cur->term = kWgPxTCond;
  x->cur->succ[1] = join;
  x->cur->pred = s->guard->unit;
  x->cur->pred_not = s->guard_not;
  wg_px_start_block(x, body);
  wg_px_stmt_t plain = *s;
  plain.guard = NULL;
  wg_px_stmt_t *kept = wg_px_alloc(x, sizeof *kept);
  *kept = plain;
  x->stmt = kept;
  fn(x, kept);
  wg_px_end_jump(x, join);
  wg_px_start_block(x, join);
}

wg_px_fn_t *wg_px_lower(wg_px_ctx_t *x, wg_px_kernel_t *k) {
  wg_px_start_body(x, k);
  wg_px_stmt_t *last = NULL;
  for (wg_px_stmt_t *s = k->body; s != NULL; s = s->next) {
    wg_px_lower_stmt(x, s);
    last = s;
  }
  x->stmt = last;
  x->cur->term = kWgPxTExit; /* falling off the end is a return */
  x->cur->src = last;
  wg_px_end_body(x);
  return x->fn;
}
