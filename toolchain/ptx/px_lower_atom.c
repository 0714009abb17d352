// SPDX-License-Identifier: Apache-2.0
//
// Lowering of atom and red: ATOMG, ATOMS, ATOM, RED. Floating-point additions on shared memory are a loop of
// compare-and-swap, as on silicon; where the address says the space, a test of its upper word chooses.
#include "toolchain/ptx/px_build.h"

enum { kAU32 = 0, kAS32, kAU64, kAS64, kAF32, kAF64, kAF16x2, kABf16x2, kAF16, kABf16, kAU16 };
enum { kOpAdd = 0, kOpMin, kOpMax, kOpInc, kOpDec, kOpAnd, kOpOr, kOpXor, kOpExch, kOpCas };

typedef struct wg_px_atom {
  wg_px_space_t space; /* kWgPxSpNone: generic */
  int op, scope;
  unsigned type;       /* ATYPE */
  wg_px_type_t ptx;
  bool acquire, release, red;
} wg_px_atom_t;

static bool is_fp(const wg_px_atom_t *k) { return k->type >= kAF32 && k->type <= kABf16; }

static int operation(const char *p) {
  static const char *const kOps[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"};
  for (int i = 0; i < 10; i++) {
    if (strcmp(kOps[i], p) == 0) return i;
  }
  return -1;
}

static unsigned atom_type(wg_px_ctx_t *x, wg_px_type_t t, int op) {
  bool bits = op >= kOpAnd; /* and or xor exch cas: by size */
  switch (t) {
    case kWgPxB32: return kAU32;
    case kWgPxB64: return kAU64;
    case kWgPxU32: return kAU32;
    case kWgPxS32: return bits ? kAU32 : kAS32;
    case kWgPxU64: return kAU64;
    case kWgPxS64: return bits ? kAU64 : kAS64;
    case kWgPxF32: return bits ? kAU32 : kAF32;
    case kWgPxF64: return bits ? kAU64 : kAF64;
    case kWgPxF16x2: return kAF16x2;
    case kWgPxBF16x2: return kABf16x2;
    case kWgPxF16: return kAF16;
    case kWgPxBF16: return kABf16;
    case kWgPxB16: return kAU16;
    default: wg_px_unsupported(x, "this type");
  }
}

static wg_px_atom_t parse(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_atom_t k = {.space = kWgPxSpNone, .op = -1, .scope = 1, .ptx = wg_px_last_type(s)};
  k.red = strcmp(s->part[0], "red") == 0;
  for (uint32_t i = 1; i + 1 < s->nparts; i++) {
    const char *p = s->part[i];
    int space = wg_px_space_of(p), scope = wg_px_scope(p), op = operation(p);
    if (space >= 0) k.space = (wg_px_space_t)space;
    else if (scope >= 0) k.scope = scope;
    else if (op >= 0 && k.op < 0) k.op = op;
    else if (strcmp(p, "acquire") == 0) k.acquire = true;
    else if (strcmp(p, "release") == 0) k.release = true;
    else if (strcmp(p, "acq_rel") == 0) k.acquire = k.release = true;
    else if (strcmp(p, "relaxed") != 0 && strcmp(p, "noftz") != 0) wg_px_unsupported(x, "this form");
  }
  bool space_ok = k.space == kWgPxSpNone || k.space == kWgPxSpGlobal || k.space == kWgPxSpShared;
  if (k.op < 0 || !space_ok) wg_px_unsupported(x, "this form");
  k.type = atom_type(x, k.ptx, k.op);
  if (is_fp(&k) ? k.op != kOpAdd : k.type == kAU16 && k.op != kOpCas) wg_px_unsupported(x, "this type");
  if ((k.op == kOpInc || k.op == kOpDec) && k.ptx != kWgPxU32) wg_px_unsupported(x, "this type");
  if (k.red && (k.op == kOpExch || k.op == kOpCas)) wg_px_unsupported(x, "this form");
  return k;
}

/* Register group with the data: the value, for .cas the expected one and the new one behind it. */
static int32_t data_of(wg_px_ctx_t *x, const wg_px_opnd_t *v, const wg_px_opnd_t *second, unsigned words) {
  if (second == NULL) return words == 2 ? wg_px_src_pair(x, v) : wg_px_src(x, v, 0);
  int32_t d = wg_px_unit_new(x, x->fn, 2 * words);
  for (unsigned h = 0; h < words; h++) {
    wg_px_mov(x, d + (int32_t)h, wg_px_src(x, v, h));
    wg_px_mov(x, d + (int32_t)(words + h), wg_px_src(x, second, h));
  }
  return d;
}

/* d = old value; `shared`: of memory that is known to be shared. d below 0: nobody wants it. */
static void plain(wg_px_ctx_t *x, const wg_px_atom_t *k, wg_px_space_t space, int32_t d, int32_t a, uint32_t imm,
                  int32_t data) {
  bool red = d < 0 && space == kWgPxSpGlobal;
  uint8_t op = red                      ? kWgOp_RED
               : space == kWgPxSpGlobal ? kWgOp_ATOMG
               : space == kWgPxSpShared ? kWgOp_ATOMS
                                        : kWgOp_ATOM;
  wg_px_emit(x, op, MOD(ATYPE, k->type) | MOD(AOP, k->op), d, a, -1, data)->imm = imm;
}

static void jump(wg_px_ctx_t *x, wg_px_block_t *to) {
  x->cur->term = kWgPxTJump;
  x->cur->succ[0] = to;
  x->cur->src = x->stmt;
  wg_px_block_append(x->fn, to);
  x->cur = to;
}

static int32_t sum(wg_px_ctx_t *x, const wg_px_atom_t *k, int32_t a, int32_t b) {
  switch (k->type) {
    case kAF64: return wg_px_op_d(x, kWgOp_DADD, 0, b, a, -1); /* of two NaNs memory's, as on silicon */
    case kAF32: return wg_px_op(x, kWgOp_FADD, 0, a, b, -1);
    default: return wg_px_op(x, kWgOp_HADD2, MOD(HBF, k->type == kABf16x2 || k->type == kABf16), a, b, -1);
  }
}

/* Shared memory: swap until the word has not changed in between. `old` gets the value before. */
static void swap_loop(wg_px_ctx_t *x, const wg_px_atom_t *k, int32_t old, int32_t a, uint32_t imm, int32_t v) {
  bool wide = k->type == kAF64, half = k->type == kAF16 || k->type == kABf16;
  wg_px_atom_t cas = {.op = kOpCas, .type = wide ? kAU64 : half ? kAU16 : kAU32};
  int32_t seen = wide ? wg_px_pair(x) : wg_px_tmp(x), got = wide ? wg_px_pair(x) : wg_px_tmp(x);
  int32_t data = wg_px_unit_new(x, x->fn, wide ? 4 : 2), p;
  wg_px_insn_t *first = wg_px_emit(x, kWgOp_LDS, wide ? 5 : half ? 2 : 4, seen, a, -1, -1);
  first->imm = imm;
  first->in_atomic = true;
  wg_px_block_t *loop = wg_px_block_new(x, x->fn), *done = wg_px_block_new(x, x->fn);
  jump(x, loop);
  int32_t now = sum(x, k, seen, v);
  for (int h = 0; h < (wide ? 2 : 1); h++) {
    wg_px_mov(x, data + h, seen + h);
    wg_px_mov(x, data + (wide ? 2 : 1) + h, now + h);
  }
  plain(x, &cas, kWgPxSpShared, got, a, imm, data);
  x->cur->insn[x->cur->n - 1]->in_atomic = true;
  if (wide) {
    p = wg_px_cmp_d(x, kCmpNe, true, got, seen);
    wg_px_mov_d(x, old, seen);
    wg_px_mov_d(x, seen, got);
  } else {
    p = wg_px_cmp(x, kCmpNe, true, got, seen);
    wg_px_mov(x, old, seen);
    wg_px_mov(x, seen, got);
  }
  x->cur->term = kWgPxTCond;
  x->cur->pred = p;
  x->cur->succ[0] = loop;
  x->cur->succ[1] = done;
  x->cur->src = x->stmt;
  wg_px_block_append(x->fn, done);
  x->cur = done;
}

/* A floating-point addition where the address says the space. */
static void generic_sum(wg_px_ctx_t *x, const wg_px_atom_t *k, int32_t old, int32_t a, uint32_t imm, int32_t v) {
  wg_px_block_t *shared = wg_px_block_new(x, x->fn), *global = wg_px_block_new(x, x->fn);
  wg_px_block_t *join = wg_px_block_new(x, x->fn), *from = x->cur;
  int32_t p = wg_px_cmpi(x, kCmpEq, true, a + 1, 1);
  from->term = kWgPxTCond;
  from->pred = p;
  from->succ[0] = shared;
  from->succ[1] = global;
  from->src = x->stmt;
  wg_px_block_append(x->fn, global);
  x->cur = global;
  plain(x, k, kWgPxSpGlobal, old, a, imm, v);
  x->cur->term = kWgPxTJump;
  x->cur->succ[0] = join;
  x->cur->src = x->stmt;
  wg_px_block_append(x->fn, shared);
  x->cur = shared;
  swap_loop(x, k, old, a, imm, v);
  jump(x, join);
}

void wg_px_lower_atom(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_atom_t k = parse(x, s);
  uint32_t first = k.red ? 0 : 1, n = first + (k.op == kOpCas ? 3u : 2u), imm;
  wg_px_need_ops(x, n, n);
  unsigned size = wg_px_type_size(k.ptx), words = size == 8 ? 2 : 1;
  int32_t a = wg_px_address(x, &s->op[first], k.space, &imm);
  bool sink = k.red || s->op[0].kind == kWgPxOSink;
  int32_t data = data_of(x, &s->op[first + 1], k.op == kOpCas ? &s->op[first + 2] : NULL, words);
  int32_t dest = sink ? -1 : wg_px_dst(x, &s->op[0], size == 8 ? 8 : 4);
  int32_t old = words == 2 ? wg_px_pair(x) : wg_px_tmp(x); /* dest may be the address or the data */
  if (k.release) wg_px_fence(x, k.scope, true, false);
  if (is_fp(&k) && k.space == kWgPxSpShared) {
    swap_loop(x, &k, old, a, imm, data);
  } else if (is_fp(&k) && k.space == kWgPxSpNone) {
    generic_sum(x, &k, old, a, imm, data);
  } else {
    plain(x, &k, k.space, sink ? -1 : old, a, imm, data);
  }
  if (k.acquire) wg_px_fence(x, k.scope, false, true);
  if (sink) return;
  if (words == 2) {
    wg_px_mov_d(x, dest, old);
  } else {
    wg_px_mov(x, dest, old);
  }
}
