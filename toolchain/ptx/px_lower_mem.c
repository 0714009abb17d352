// SPDX-License-Identifier: Apache-2.0
//
// Lowering of loads, stores, shuffles and block barriers.
#include <string.h>

#include "toolchain/ptx/px.h"

#define MOD(ID, v) ((unsigned)(v) << kWgModLsb_##ID)

typedef struct wg_px_access {
  wg_px_space_t space;
  unsigned cache; /* MCACHE */
  unsigned vec;   /* elements */
  wg_px_type_t type;
} wg_px_access_t;

static wg_px_access_t parse_access(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_access_t m = {kWgPxSpNone, 0, 1, wg_px_last_type(s)};
  if (strcmp(s->part[0], "ldu") == 0) m.cache = 3;
  for (uint32_t i = 1; i + 1 < s->nparts; i++) {
    const char *p = s->part[i];
    if (strcmp(p, "global") == 0) m.space = kWgPxSpGlobal;
    else if (strcmp(p, "shared") == 0 || strcmp(p, "shared::cta") == 0) m.space = kWgPxSpShared;
    else if (strcmp(p, "param") == 0) m.space = kWgPxSpParam;
    else if (strcmp(p, "const") == 0) m.space = kWgPxSpConst;
    else if (strcmp(p, "local") == 0) m.space = kWgPxSpLocal;
    else if (strcmp(p, "nc") == 0) m.cache = 3;
    else if (strcmp(p, "cg") == 0) m.cache = 1;
    else if (strcmp(p, "cv") == 0 || strcmp(p, "volatile") == 0) m.cache = 2;
    else if (strcmp(p, "v2") == 0) m.vec = 2;
    else if (strcmp(p, "v4") == 0) m.vec = 4;
    else if (strcmp(p, "weak") != 0 && strcmp(p, "ca") != 0 && strcmp(p, "cs") != 0 && strcmp(p, "lu") != 0 &&
             strcmp(p, "wb") != 0 && strcmp(p, "L1::evict_last") != 0 && strcmp(p, "wt") != 0) {
      wg_px_unsupported(x, "this form of access");
    }
  }
  if (m.space == kWgPxSpNone) wg_px_unsupported(x, "a generic address (no state space)");
  return m;
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
    wg_px_unsupported(x, m.space == kWgPxSpParam ? "a parameter at a computed address"
                                                 : "a constant at a computed address (no LDC in the table)");
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
static int32_t address(wg_px_ctx_t *x, const wg_px_opnd_t *a, wg_px_space_t space, uint32_t *imm) {
  if (a->kind != kWgPxOAddr) wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "operand is no address");
  *imm = (uint32_t)(int32_t)a->value;
  if (a->sym == NULL) return -1;
  wg_px_opnd_t base = {.kind = a->sym->space == kWgPxSpReg ? kWgPxOReg : kWgPxOSym, .sym = a->sym};
  if (base.kind == kWgPxOSym) {
    if (a->sym->space != space)
      wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "'%s' lies in another space", a->sym->name);
    base.value = a->value;
    *imm = 0;
  }
  if (space == kWgPxSpShared || space == kWgPxSpLocal) return wg_px_src(x, &base, 0);
  if (base.kind == kWgPxOReg && wg_px_type_size(a->sym->type) != 8) {
    wg_px_fail_stmt(x, kWgBadInput, x->stmt, "", "global address in a register that is not 64 bits wide");
  }
  return wg_px_src_pair(x, &base);
}

static void check_elem(wg_px_ctx_t *x, const wg_px_opnd_t *o, uint32_t bytes) {
  if (o->kind != kWgPxOReg) return;
  uint32_t reg = wg_px_type_size(o->sym->type);
  if (reg == 0 || (bytes > 4) != (reg > 4) || (bytes == 4 && reg < 4)) {
    /* PTX lets data use wider registers; vectors and stores of 64-bit ones are not done */
    wg_px_fail_stmt(x, bytes < 8 && reg == 8 ? kWgUnsupported : kWgBadInput, x->stmt, "",
                    "register '%s' does not fit", o->sym->name);
  }
}

static void load(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_access_t m) {
  uint32_t bytes = wg_px_type_size(m.type), total = bytes * m.vec, words = (bytes + 3) / 4, imm;
  int32_t a = address(x, &s->op[1], m.space, &imm);
  const wg_px_opnd_t *e = s->op[0].kind == kWgPxOVec ? s->op[0].vec : &s->op[0];
  bool direct = m.vec == 1, widen = direct && bytes < 8 && e->kind == kWgPxOReg && wg_px_type_size(e->sym->type) == 8;
  for (unsigned i = 0; i < m.vec && !widen; i++) check_elem(x, &e[i], bytes);
  int32_t d = direct ? wg_px_dst(x, e, bytes == 8 || widen ? 8 : 4)
                     : wg_px_unit_new(x, x->fn,
                                      total > 8   ? 4
                                      : total > 4 ? 2
                                                  : 1);
  if (m.space == kWgPxSpLocal) { /* words, the upper one first: the lower one may be its own address */
    for (unsigned w = (total + 3) / 4; w-- > 0;) {
      unsigned mods = total < 4 ? size_mod(m.type, total) : 4;
      wg_px_emit(x, kWgOp_LDL, mods, d + (int32_t)w, a, -1, -1)->imm = imm + 4 * w;
    }
  } else {
    bool global = m.space == kWgPxSpGlobal;
    unsigned mods = size_mod(m.type, total) | (global ? MOD(MCACHE, m.cache) : 0);
    wg_px_emit(x, global ? kWgOp_LDG : kWgOp_LDS, mods, d, a, -1, -1)->imm = imm;
  }
  if (widen && wg_px_signed(m.type)) {
    (void)wg_px_emit_imm(x, kWgOp_SHF, MOD(SHDIR, 1) | MOD(SHHI, 1) | MOD(SHTYPE, 1), d + 1, -1, 31, d);
  } else if (widen) {
    wg_px_mov_imm(x, d + 1, 0);
  }
  if (direct) return;
  for (unsigned i = 0; i < m.vec; i++) {
    if (e[i].kind == kWgPxOSink) continue;
    if (bytes < 4) { /* several elements a word */
      unsigned at = i * bytes, b = at & 3u, sel = bytes == 2 ? b | (b + 1) << 4 : b;
      unsigned fill = wg_px_signed(m.type) ? 8u | (b + bytes - 1) : 4u;
      for (unsigned k = bytes; k < 4; k++) sel |= fill << (4 * k);
      (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, wg_px_dst(x, &e[i], 4), d + (int32_t)(at / 4), sel, -1);
      continue;
    }
    int32_t t = wg_px_dst(x, &e[i], bytes);
    for (unsigned h = 0; h < words; h++) wg_px_mov(x, t + (int32_t)h, d + (int32_t)(i * words + h));
  }
}

static void store(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_access_t m) {
  uint32_t bytes = wg_px_type_size(m.type), total = bytes * m.vec, words = (bytes + 3) / 4, imm;
  int32_t a = address(x, &s->op[0], m.space, &imm), d;
  const wg_px_opnd_t *e = s->op[1].kind == kWgPxOVec ? s->op[1].vec : &s->op[1];
  if (m.cache == 3) wg_px_unsupported(x, "this form of access");
  for (unsigned i = 0; i < m.vec; i++) check_elem(x, &e[i], bytes);
  if (m.vec == 1) {
    d = bytes == 8 ? wg_px_src_pair(x, e) : wg_px_src(x, e, 0);
  } else {
    d = wg_px_unit_new(x, x->fn, total > 8 ? 4 : total > 4 ? 2 : 1);
    if (bytes < 4 && total > 4) wg_px_unsupported(x, "more than one word of 8- or 16-bit elements");
    for (unsigned i = 0; i < m.vec && bytes >= 4; i++) {
      for (unsigned h = 0; h < words; h++) wg_px_mov(x, d + (int32_t)(i * words + h), wg_px_src(x, &e[i], h));
    }
    if (bytes == 2) { /* two halves, or four bytes, into one word */
      (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, d, wg_px_src(x, &e[0], 0), 0x5410, wg_px_src(x, &e[1], 0));
    } else if (bytes == 1) {
      int32_t half[2];
      for (unsigned i = 0; i < m.vec; i += 2) {
        half[i / 2] = m.vec == 2 ? d : wg_px_tmp(x);
        (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, half[i / 2], wg_px_src(x, &e[i], 0), 0x0040,
                             wg_px_src(x, &e[i + 1], 0));
      }
      if (m.vec == 4) (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, d, half[0], 0x5410, half[1]);
    }
  }
  if (m.space == kWgPxSpLocal) {
    for (unsigned w = 0; w < (total + 3) / 4; w++) {
      unsigned mods = total < 4 ? size_mod(kWgPxU8, total) : 4;
      wg_px_emit(x, kWgOp_STL, mods, -1, a, -1, d + (int32_t)w)->imm = imm + 4 * w;
    }
    return;
  }
  bool global = m.space == kWgPxSpGlobal;
  unsigned mods = size_mod(bytes * m.vec < 4 ? kWgPxU8 : m.type, total) | (global ? MOD(MCACHE, m.cache) : 0);
  wg_px_emit(x, global ? kWgOp_STG : kWgOp_STS, mods, -1, a, -1, d)->imm = imm;
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
  if (m.space == kWgPxSpParam || m.space == kWgPxSpConst) {
    if (st) wg_px_unsupported(x, m.space == kWgPxSpParam ? "a call (argument of one)" : "a store to this space");
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

/* The member mask is not encoded: lanes that execute together are the members (README.md, "Shuffles"). */
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
  wg_px_emit(x, kWgOp_SHFL, MOD(SHFLM, mode), d, a, lane, clamp)->pd0 = p;
}

void wg_px_lower_bar(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  bool arrive = wg_px_has(s, "arrive");
  wg_px_need_ops(x, 1, 2);
  if (s->nparts == 3 && strcmp(s->part[1], "warp") == 0 && strcmp(s->part[2], "sync") == 0) {
    (void)wg_px_emit(x, kWgOp_NOP, 0, -1, -1, -1, -1); /* keeps order; see README.md, "Shuffles" */
    return;
  }
  for (uint32_t i = 1; i < s->nparts; i++) {
    const char *p = s->part[i];
    if (strcmp(p, "sync") != 0 && strcmp(p, "arrive") != 0 && strcmp(p, "aligned") != 0 && strcmp(p, "cta") != 0) {
      wg_px_unsupported(x, "this barrier");
    }
  }
  if (s->nparts < 2 || (arrive && s->nops != 2))
    wg_px_fail_stmt(x, kWgBadInput, s, "", "barrier needs more operands");
  unsigned mods = MOD(BARM, arrive);
  int32_t id = -1, count = -1;
  uint32_t imm = 0;
  bool id_lit = literal(&s->op[0], 15);
  if (s->op[0].kind == kWgPxOImm && !id_lit) wg_px_fail_stmt(x, kWgBadInput, s, "", "barrier number is above 15");
  if (id_lit) {
    imm = (uint32_t)s->op[0].value;
    if (imm + 1 > x->fn->barriers) x->fn->barriers = imm + 1;
  } else {
    id = wg_px_src(x, &s->op[0], 0);
    x->fn->barriers = kWgBarriers;
  }
  if (s->nops == 2 && literal(&s->op[1], 4095)) {
    mods |= MOD(BARCNT, 1);
    imm |= (uint32_t)s->op[1].value << 16;
  } else if (s->nops == 2) {
    mods |= MOD(BARCNT, 2);
    count = wg_px_src(x, &s->op[1], 0);
  }
  wg_px_insn_t *in = wg_px_emit(x, kWgOp_BAR, mods, -1, -1, id, count);
  in->imm = imm;
  if (id_lit) in->form = kWgFormImm;
}
