// SPDX-License-Identifier: Apache-2.0
//
// Lowering of loads, stores, shuffles and block barriers.
#include "toolchain/ptx/px_build.h"

typedef struct wg_px_access {
  wg_px_space_t space; /* kWgPxSpNone: generic */
  unsigned cache;      /* MCACHE */
  unsigned vec;        /* elements */
  wg_px_type_t type;
  bool acquire, release;
  int scope;           /* MSCOPE, or -1 */
} wg_px_access_t;

/* Words that change nothing here: hints for caches, and what is the default. */
static bool ignored(const char *p) {
  static const char *const kWords[] = {"weak", "ca", "cs", "lu", "wb", "wt"};
  for (size_t i = 0; i < sizeof kWords / sizeof kWords[0]; i++) {
    if (strcmp(kWords[i], p) == 0) return true;
  }
  return strncmp(p, "L1::", 4) == 0 || strcmp(p, "L2::64B") == 0 || strcmp(p, "L2::128B") == 0 ||
         strcmp(p, "L2::256B") == 0;
}

int wg_px_scope(const char *p) {
  if (strcmp(p, "cta") == 0) return 0;
  if (strcmp(p, "gpu") == 0 || strcmp(p, "gl") == 0 || strcmp(p, "cluster") == 0) return 1;
  return strcmp(p, "sys") == 0 ? 2 : -1;
}

int wg_px_space_of(const char *p) {
  static const struct {
    const char *name;
    wg_px_space_t space;
  } table[] = {{"global", kWgPxSpGlobal}, {"shared", kWgPxSpShared}, {"shared::cta", kWgPxSpShared},
               {"param", kWgPxSpParam}, {"param::entry", kWgPxSpParam}, {"param::func", kWgPxSpParam},
               {"const", kWgPxSpConst}, {"local", kWgPxSpLocal}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (strcmp(table[i].name, p) == 0) return (int)table[i].space;
  }
  return -1;
}

static wg_px_access_t parse_access(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_access_t m = {.space = kWgPxSpNone, .vec = 1, .type = wg_px_last_type(s), .scope = -1};
  if (strcmp(s->part[0], "ldu") == 0) m.cache = 3;
  for (uint32_t i = 1; i + 1 < s->nparts; i++) {
    const char *p = s->part[i];
    int space = wg_px_space_of(p), scope = wg_px_scope(p);
    if (space >= 0) m.space = (wg_px_space_t)space;
    else if (scope >= 0) m.scope = scope;
    else if (strcmp(p, "nc") == 0) m.cache = 3;
    else if (strcmp(p, "cg") == 0) m.cache = 1;
    else if (strcmp(p, "cv") == 0 || strcmp(p, "volatile") == 0 || strcmp(p, "relaxed") == 0 ||
             strcmp(p, "mmio") == 0) m.cache = 2;
    else if (strcmp(p, "acquire") == 0) m.acquire = true;
    else if (strcmp(p, "release") == 0) m.release = true;
    else if (strcmp(p, "v2") == 0) m.vec = 2;
    else if (strcmp(p, "v4") == 0) m.vec = 4;
    else if (!ignored(p)) wg_px_unsupported(x, "this form of access");
  }
  if (m.acquire || m.release) m.cache = 2;
  return m;
}

/* A fence of scope 0 (block), 1 (GPU), 2 (system). The wider ones drop what L1 holds: other SMs may have written it. */
void wg_px_fence(wg_px_ctx_t *x, int scope, bool wait, bool drop) {
  if (wait) (void)wg_px_emit(x, kWgOp_MEMBAR, MOD(MSCOPE, scope < 0 ? 1 : scope), -1, -1, -1, -1);
  if (drop && scope != 0) (void)wg_px_emit(x, kWgOp_CCTL, 0, -1, -1, -1, -1);
}

/* membar.{cta,gl,sys}, fence{.sc,.acq_rel}.{cta,cluster,gpu,sys} */
void wg_px_lower_fence(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 0, 0);
  bool fence = s->part[0][0] == 'f';
  uint32_t last = s->nparts - 1;
  int scope = s->nparts >= 2 ? wg_px_scope(s->part[last]) : -1;
  bool word = !fence || last == 1 || wg_px_part(s, 1, "sc") || wg_px_part(s, 1, "acq_rel") ||
              wg_px_part(s, 1, "acquire") || wg_px_part(s, 1, "release");
  if (scope < 0 || !word || last > (fence ? 2u : 1u)) wg_px_unsupported(x, "this fence");
  wg_px_fence(x, scope, true, true);
}

static unsigned size_mod(wg_px_type_t t, unsigned bytes) {
  switch (bytes) {
    case 1:
      return wg_px_signed(t) ? 1 : 0;
    case 2:
      return wg_px_signed(t) ? 3 : 2;
    case 4:
      return 4;
    case 8:
      return 5;
    default:
      return 6;
  }
}

/* ---- parameters and constants: operands of the constant form ---- */

static void load_word(wg_px_ctx_t *x, int32_t d, unsigned bank, uint32_t off) {
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_MOV, 0, d, -1, -1, -1);
  in->form = kWgFormConst;
  in->cbank = (uint8_t)bank;
  in->coff = (uint16_t)off;
}

static void load_const_elem(wg_px_ctx_t *x, const wg_px_opnd_t *dst, wg_px_type_t t, unsigned bank, uint32_t off) {
  uint32_t bytes = wg_px_type_size(t);
  if (dst->kind != kWgPxOReg) wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "destination is no register");
  uint32_t reg = wg_px_type_size(dst->sym->type);
  int32_t d = wg_px_dst(x, dst, reg);
  if (bytes > reg && !(bytes == 4 && reg == 2))
    wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "register is too narrow");
  if (bytes >= 4) {
    load_word(x, d, bank, off);
    if (bytes == 8) load_word(x, d + 1, bank, off + 4);
  } else { /* words are what the constant form reads: take the bytes out of one */
    int32_t w = wg_px_tmp(x);
    load_word(x, w, bank, off & ~3u);
    unsigned b = off & 3u, sel = bytes == 2 ? b | (b + 1) << 4 : b;
    unsigned fill = wg_px_signed(t) ? 8u | (b + bytes - 1) : 4u; /* c = RZ: byte 4 is 0 */
    for (unsigned i = bytes; i < 4; i++) sel |= fill << (4 * i);
    (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, d, w, sel, -1);
  }
  if (reg == 8 && bytes < 8) {
    if (wg_px_signed(t)) {
      (void)wg_px_emit_imm(x, kWgOp_SHF, MOD(SHDIR, 1) | MOD(SHHI, 1) | MOD(SHTYPE, 1), d + 1, -1, 31, d);
    } else {
      wg_px_mov_imm(x, d + 1, 0);
    }
  }
}

static void take_elements(wg_px_ctx_t *x, const wg_px_opnd_t *e, wg_px_access_t m, int32_t d);
static unsigned size_mod(wg_px_type_t t, unsigned bytes);

/* LDC: an address of .const or .param space is an offset in its bank. */
static void load_indexed(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_access_t m) {
  const wg_px_opnd_t *a = &s->op[1], *e = s->op[0].kind == kWgPxOVec ? s->op[0].vec : &s->op[0];
  uint32_t bytes = wg_px_type_size(m.type), total = bytes * m.vec;
  wg_px_opnd_t base = {.kind = kWgPxOReg, .sym = a->sym};
  if (a->sym == NULL || a->sym->space != kWgPxSpReg) wg_px_unsupported(x, "this address");
  int32_t r = wg_px_src(x, &base, 0);
  if (a->value < 0 || a->value > 0xffff) {
    r = wg_px_addi(x, r, (uint32_t)a->value);
    base.value = 0;
  } else {
    base.value = a->value;
  }
  int32_t d = total > 4 ? wg_px_unit_new(x, x->fn, total > 8 ? 4 : 2) : wg_px_tmp(x);
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_LDC, size_mod(m.type, total), d, r, -1, -1);
  in->cbank = m.space == kWgPxSpParam ? 0 : 3;
  in->coff = (uint16_t)base.value;
  take_elements(x, e, m, d);
}

static void load_const(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_access_t m) {
  const wg_px_opnd_t *a = &s->op[1];
  wg_px_opnd_t through;
  int64_t offset;
  if (m.space == kWgPxSpParam && a->sym != NULL && wg_px_param_of(a->sym, &offset) != NULL) {
    through = *a; /* the way clang passes structures: the address is moved to a register first */
    through.sym = wg_px_param_of(a->sym, &offset);
    through.value += offset;
    a = &through;
  }
  if (a->sym == NULL || a->sym->space != m.space) {
    load_indexed(x, s, m);
    return;
  }
  uint32_t bytes = wg_px_type_size(m.type);
  int64_t end = a->value + (int64_t)bytes * m.vec;
  if (bytes == 0 || bytes > 8) wg_px_unsupported(x, "this type");
  if (a->value < 0 || end > (int64_t)a->sym->size || a->value % bytes != 0) {
    wg_px_fail_stmt(x, kWgBadInput, s, "", "access lies outside '%s' or is misaligned", a->sym->name);
  }
  uint32_t off = a->sym->offset + (uint32_t)a->value + (m.space == kWgPxSpParam ? (uint32_t)kWgParamBase : 0);
  unsigned bank = m.space == kWgPxSpParam ? 0 : 3;
  if (off % bytes != 0) wg_px_fail_stmt(x, kWgBadInput, s, "", "'%s' is aligned too little", a->sym->name);
  const wg_px_opnd_t *d = s->op[0].kind == kWgPxOVec ? s->op[0].vec : &s->op[0];
  unsigned n = s->op[0].kind == kWgPxOVec ? s->op[0].nvec : 1;
  if (n != m.vec) wg_px_fail_stmt(x, kWgBadInput, s, "", "vector size differs");
  for (unsigned i = 0; i < n; i++) {
    if (d[i].kind != kWgPxOSink) load_const_elem(x, &d[i], m.type, bank, off + bytes * i);
  }
}

/* ---- memory ---- */

/* Address into in->a and in->imm. */
int32_t wg_px_address(wg_px_ctx_t *x, const wg_px_opnd_t *a, wg_px_space_t space, uint32_t *imm) {
  if (a->kind != kWgPxOAddr) wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "operand is no address");
  *imm = (uint32_t)(int32_t)a->value;
  if (a->sym == NULL) return -1;
  wg_px_opnd_t base = {.kind = a->sym->space == kWgPxSpReg ? kWgPxOReg : kWgPxOSym, .sym = a->sym};
  if (base.kind == kWgPxOSym) {
    if (space == kWgPxSpNone && a->sym->space != kWgPxSpGlobal) {
      wg_px_unsupported(x, "a generic access to a named variable of another space");
    }
    if (space != kWgPxSpNone && a->sym->space != space)
      wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "'%s' lies in another space", a->sym->name);
    base.value = a->value;
    *imm = 0;
  }
  if (space == kWgPxSpShared || space == kWgPxSpLocal) return wg_px_src(x, &base, 0);
  if (base.kind == kWgPxOReg && wg_px_type_size(a->sym->type) != 8) {
    wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "%s address in a register that is not 64 bits wide",
                    space == kWgPxSpNone ? "generic" : "global");
  }
  return wg_px_src_pair(x, &base);
}

/* Is the register wide enough? PTX lets data use wider registers: loads extend, stores take the low bytes. */
static void check_elem(wg_px_ctx_t *x, const wg_px_opnd_t *o, uint32_t bytes) {
  if (o->kind != kWgPxOReg) return;
  uint32_t reg = wg_px_type_size(o->sym->type);
  if (reg == 0 || reg < (bytes == 1 ? 2 : bytes)) {
    wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "register '%s' does not fit", o->sym->name);
  }
}

/* Units d.. hold the words that were loaded: each element to its register. */
static void take_elements(wg_px_ctx_t *x, const wg_px_opnd_t *e, wg_px_access_t m, int32_t d) {
  uint32_t bytes = wg_px_type_size(m.type), words = (bytes + 3) / 4;
  for (unsigned i = 0; i < m.vec; i++) {
    if (e[i].kind == kWgPxOSink) continue;
    check_elem(x, &e[i], bytes);
    if (e[i].kind != kWgPxOReg) wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "destination is no register");
    uint32_t reg = wg_px_type_size(e[i].sym->type);
    int32_t t = wg_px_dst(x, &e[i], reg == 8 ? 8 : 4);
    if (bytes < 4 && m.vec > 1) { /* several elements a word */
      unsigned at = i * bytes, b = at & 3u, sel = bytes == 2 ? b | (b + 1) << 4 : b;
      unsigned fill = wg_px_signed(m.type) ? 8u | (b + bytes - 1) : 4u;
      for (unsigned k = bytes; k < 4; k++) sel |= fill << (4 * k);
      (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, t, d + (int32_t)(at / 4), sel, -1);
    } else {
      for (unsigned h = 0; h < words; h++) wg_px_mov(x, t + (int32_t)h, d + (int32_t)(i * words + h));
    }
    if (reg != 8 || bytes == 8) continue;
    if (wg_px_signed(m.type)) {
      (void)wg_px_emit_imm(x, kWgOp_SHF, kShrS, t + 1, -1, 31, t);
    } else {
      wg_px_mov_imm(x, t + 1, 0);
    }
  }
}

static uint8_t memory_op(wg_px_space_t space, bool st) {
  switch (space) {
    case kWgPxSpGlobal: return st ? kWgOp_STG : kWgOp_LDG;
    case kWgPxSpShared: return st ? kWgOp_STS : kWgOp_LDS;
    case kWgPxSpLocal: return st ? kWgOp_STL : kWgOp_LDL;
    default: return st ? kWgOp_ST : kWgOp_LD;
  }
}

/* Local memory is accessed by words; so is what may be local. */
static bool by_words(const wg_px_ctx_t *x, wg_px_space_t space) {
  return space == kWgPxSpLocal || (space == kWgPxSpNone && x->local_escapes);
}

static unsigned cache_mod(wg_px_access_t m) {
  return m.space == kWgPxSpGlobal ? MOD(MCACHE, m.cache)
         : m.space == kWgPxSpNone ? MOD(MCACHE, m.cache == 3 ? 0 : m.cache)
                                  : 0;
}

static void load(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_access_t m) {
  uint32_t bytes = wg_px_type_size(m.type), total = bytes * m.vec, imm;
  int32_t a = wg_px_address(x, &s->op[1], m.space, &imm);
  const wg_px_opnd_t *e = s->op[0].kind == kWgPxOVec ? s->op[0].vec : &s->op[0];
  uint32_t reg = e->kind == kWgPxOReg ? wg_px_type_size(e->sym->type) : bytes;
  bool direct = m.vec == 1 && (reg == 8) == (bytes == 8);
  if (direct) check_elem(x, e, bytes);
  int32_t d = direct ? wg_px_dst(x, e, bytes == 8 ? 8 : 4)
                     : wg_px_unit_new(x, x->fn,
                                      total > 8   ? 4
                                      : total > 4 ? 2
                                                  : 1);
  uint8_t op = memory_op(m.space, false);
  if (by_words(x, m.space) && total > 4) { /* the upper word first: the lower one may be its own address */
    int32_t t = d;
    if (m.space == kWgPxSpNone) t = wg_px_unit_new(x, x->fn, total > 8 ? 4 : 2); /* d may be the address */
    for (unsigned w = total / 4; w-- > 0;) {
      wg_px_insn_t *in = wg_px_emit(x, op, 4 | cache_mod(m), t + (int32_t)w, a, -1, -1);
      in->imm = imm + 4 * w;
      in->strong = m.cache == 2;
    }
    for (unsigned w = 0; t != d && w < total / 4; w++) wg_px_mov(x, d + (int32_t)w, t + (int32_t)w);
  } else {
    wg_px_insn_t *in = wg_px_emit(x, op, size_mod(m.type, total) | cache_mod(m), d, a, -1, -1);
    in->imm = imm;
    in->strong = m.cache == 2;
  }
  if (!direct) take_elements(x, e, m, d);
  if (m.acquire) wg_px_fence(x, m.scope, false, true);
}

/* Elements of less than a word, packed: words of bytes or halfwords. */
static void pack(wg_px_ctx_t *x, const wg_px_opnd_t *e, unsigned n, uint32_t bytes, int32_t d) {
  unsigned per = 4 / bytes;
  for (unsigned w = 0; w * per < n; w++) {
    int32_t v = wg_px_src(x, &e[w * per], 0);
    for (unsigned i = 1; i < per && w * per + i < n; i++) {
      unsigned sel = bytes == 2 ? 0x5410 : (0x3210u & ~(15u << (4 * i))) | 4u << (4 * i);
      v = wg_px_opi(x, kWgOp_PRMT, 0, v, sel, wg_px_src(x, &e[w * per + i], 0));
    }
    wg_px_mov(x, d + (int32_t)w, v);
  }
}

static void store(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_access_t m) {
  uint32_t bytes = wg_px_type_size(m.type), total = bytes * m.vec, words = (bytes + 3) / 4, imm;
  int32_t a = wg_px_address(x, &s->op[0], m.space, &imm), d;
  const wg_px_opnd_t *e = s->op[1].kind == kWgPxOVec ? s->op[1].vec : &s->op[1];
  if (m.cache == 3) wg_px_unsupported(x, "this form of access");
  for (unsigned i = 0; i < m.vec; i++) check_elem(x, &e[i], bytes);
  if (m.vec == 1) {
    d = bytes == 8 ? wg_px_src_pair(x, e) : wg_px_src(x, e, 0);
  } else {
    d = wg_px_unit_new(x, x->fn, total > 8 ? 4 : total > 4 ? 2 : 1);
    if (bytes < 4) pack(x, e, m.vec, bytes, d);
    for (unsigned i = 0; i < m.vec && bytes >= 4; i++) {
      for (unsigned h = 0; h < words; h++) wg_px_mov(x, d + (int32_t)(i * words + h), wg_px_src(x, &e[i], h));
    }
  }
  if (m.release) wg_px_fence(x, m.scope, true, false);
  uint8_t op = memory_op(m.space, true);
  if (by_words(x, m.space)) {
    for (unsigned w = 0; w < (total + 3) / 4; w++) {
      unsigned mods = total < 4 ? size_mod(kWgPxU8, total) : 4;
      wg_px_insn_t *in = wg_px_emit(x, op, mods | cache_mod(m), -1, a, -1, d + (int32_t)w);
      in->imm = imm + 4 * w;
      in->strong_store = m.cache == 2;
    }
    return;
  }
  unsigned mods = size_mod(total < 4 ? kWgPxU8 : m.type, total) | cache_mod(m);
  wg_px_insn_t *in = wg_px_emit(x, op, mods, -1, a, -1, d);
  in->imm = imm;
  in->strong_store = m.cache == 2;
}

void wg_px_lower_ldst(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 2, 2);
  bool st = s->part[0][0] == 's';
  wg_px_access_t m = parse_access(x, s);
  uint32_t bytes = wg_px_type_size(m.type);
  const wg_px_opnd_t *v = st ? &s->op[1] : &s->op[0], *a = st ? &s->op[0] : &s->op[1];
  if (bytes == 0 || bytes > 8) wg_px_unsupported(x, "this type");
  if (a->kind != kWgPxOAddr) wg_px_fail_stmt(x, kWgBadInput, s, "", "operand is no address");
  if ((v->kind == kWgPxOVec ? v->nvec : 1u) != m.vec || bytes * m.vec > 16) {
    wg_px_fail_stmt(x, kWgBadInput, s, "", "vector size differs or exceeds 128 bits");
  }
  if (m.space == kWgPxSpParam && a->sym != NULL) {
    int64_t offset = 0;
    wg_px_sym_t *arg = a->sym->space == kWgPxSpReg ? wg_px_param_of(a->sym, &offset) : a->sym;
    if (arg != NULL && arg->arg) {
      wg_px_arg_access(x, s, arg, a->value + offset, m.type, m.vec, st);
      return;
    }
  }
  if (m.space == kWgPxSpParam || m.space == kWgPxSpConst) {
    if (st) wg_px_unsupported(x, "a store to this space");
    load_const(x, s, m);
  } else if (st) {
    store(x, s, m);
  } else {
    load(x, s, m);
  }
}

/* ---- shuffle and barriers ---- */

static bool literal(const wg_px_opnd_t *o, uint32_t max) {
  return o->kind == kWgPxOImm && o->fkind == 0 && o->value >= 0 && o->value <= (int64_t)max;
}

/* The member mask is not encoded: lanes that execute together are the members, gathered where they may be apart. */
void wg_px_lower_shfl(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  static const char *const kMode[] = {"idx", "up", "down", "bfly"};
  wg_px_need_ops(x, 5, 5);
  unsigned mode = 0;
  if (s->nparts != 4 || strcmp(s->part[1], "sync") != 0 || strcmp(s->part[3], "b32") != 0) {
    wg_px_unsupported(x, "this form");
  }
  while (mode < 4 && strcmp(kMode[mode], s->part[2]) != 0) mode++;
  if (mode == 4) wg_px_unsupported(x, "this mode");
  int32_t a = wg_px_src(x, &s->op[1], 0), lane = wg_px_src(x, &s->op[2], 0), clamp = wg_px_src(x, &s->op[3], 0);
  int32_t d = wg_px_dst(x, &s->op[0], 4), p = -1;
  if (s->op[0].pred != NULL) {
    wg_px_opnd_t second = {.kind = kWgPxOReg, .sym = s->op[0].pred};
    p = wg_px_pdst(x, &second);
  }
  wg_px_gather(x, wg_px_src(x, &s->op[4], 0));
  wg_px_emit(x, kWgOp_SHFL, MOD(SHFLM, mode), d, a, lane, clamp)->pd0 = p;
}

/* Barrier number and thread count of a barrier instruction. */
typedef struct wg_px_bar_args {
  int32_t id, count;
  uint32_t imm;
  unsigned mods;
  bool id_lit;
} wg_px_bar_args_t;

static wg_px_bar_args_t bar_args(wg_px_ctx_t *x, const wg_px_opnd_t *id, const wg_px_opnd_t *count) {
  wg_px_bar_args_t b = {.id = -1, .count = -1, .id_lit = literal(id, 15)};
  if (id->kind == kWgPxOImm && !b.id_lit) wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "barrier number is above 15");
  if (b.id_lit) {
    b.imm = (uint32_t)id->value;
    if (b.imm + 1 > x->fn->barriers) x->fn->barriers = b.imm + 1;
  } else {
    b.id = wg_px_src(x, id, 0);
    x->fn->barriers = kWgBarriers;
  }
  if (count != NULL && literal(count, 4095)) {
    b.mods |= MOD(BARCNT, 1);
    b.imm |= (uint32_t)count->value << 16;
  } else if (count != NULL) {
    b.mods |= MOD(BARCNT, 2);
    b.count = wg_px_src(x, count, 0);
  }
  return b;
}

/* bar.red.popc.u32 d, a{, b}, {!}c; bar.red.{and,or}.pred p, a{, b}, {!}c: the result comes from a special register. */
static void bar_red(wg_px_ctx_t *x, const wg_px_stmt_t *s, uint32_t at) {
  static const char *const kOps[] = {"popc", "and", "or"};
  unsigned op = 0;
  if (wg_px_part(s, at, "aligned")) at++;
  while (op < 3 && !wg_px_part(s, at, kOps[op])) op++;
  if (op == 3 || s->nparts != at + 2 || !wg_px_part(s, at + 1, op == 0 ? "u32" : "pred")) {
    wg_px_unsupported(x, "this barrier");
  }
  wg_px_need_ops(x, 3, 4);
  wg_px_bar_args_t b = bar_args(x, &s->op[1], s->nops == 4 ? &s->op[2] : NULL);
  bool is_not;
  int32_t p = wg_px_psrc(x, &s->op[s->nops - 1], &is_not);
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_BARRED, b.mods | MOD(BAROP, op), -1, -1, b.id, b.count);
  in->imm = b.imm;
  in->ps0 = p;
  in->ps0_not = is_not;
  if (b.id_lit) in->form = kWgFormImm;
  int32_t r = wg_px_tmp(x);
  wg_px_emit(x, kWgOp_S2R, 0, r, -1, -1, -1)->imm = kWgSrBarResult;
  if (op == 0) {
    wg_px_mov(x, wg_px_dst(x, &s->op[0], 4), r);
  } else {
    wg_px_emit(x, kWgOp_ISETP, MOD(ICMP, kCmpNe), -1, r, -1, -1)->pd0 = wg_px_pdst(x, &s->op[0]);
  }
}

void wg_px_lower_bar(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  if (s->nparts == 3 && strcmp(s->part[1], "warp") == 0 && strcmp(s->part[2], "sync") == 0) {
    wg_px_need_ops(x, 1, 1);
    (void)wg_px_emit(x, kWgOp_WARPSYNC, 0, -1, -1, wg_px_src(x, &s->op[0], 0), -1);
    return;
  }
  uint32_t at = wg_px_part(s, 1, "cta") ? 2 : 1;
  if (wg_px_part(s, at, "red")) {
    bar_red(x, s, at + 1);
    return;
  }
  bool arrive = wg_px_part(s, at, "arrive");
  if ((!arrive && !wg_px_part(s, at, "sync")) || s->nparts > at + 2 ||
      (s->nparts == at + 2 && !wg_px_part(s, at + 1, "aligned"))) {
    wg_px_unsupported(x, "this barrier");
  }
  wg_px_need_ops(x, 1, 2);
  if (arrive && s->nops != 2) wg_px_fail_stmt(x, kWgBadInput, s, "", "barrier needs more operands");
  wg_px_bar_args_t b = bar_args(x, &s->op[0], s->nops == 2 ? &s->op[1] : NULL);
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_BAR, b.mods | MOD(BARM, arrive), -1, -1, b.id, b.count);
  in->imm = b.imm;
  if (b.id_lit) in->form = kWgFormImm;
}

void wg_px_lower_nanosleep(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 1, 1);
  if (s->nparts != 2 || wg_px_last_type(s) != kWgPxU32) wg_px_unsupported(x, "this form");
  (void)wg_px_emit(x, kWgOp_NANOSLEEP, 0, -1, -1, wg_px_src(x, &s->op[0], 0), -1);
}
