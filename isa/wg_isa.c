// SPDX-License-Identifier: Apache-2.0
//
// Encode, decode and describe instruction words (isa/README.md draws them). Everything follows from the table
// in isa.def; the per-opcode facts are worked out once, on first use.
#include "isa/wg_isa.h"

#include <string.h>
#include <threads.h>

#include "isa/wg_isa_table.h"

static const wg_insn_info_t kTable[] = {
#define WG_INSN(ID, MNEMONIC, OPCODE, PIPE, OPERANDS, MODS, FLAGS, DOC) \
  {#ID, MNEMONIC, OPERANDS, MODS, FLAGS, DOC, OPCODE, kWgPipe##PIPE, true},
#include "isa/isa.def"
};
static const wg_mod_info_t kMods[] = {
#define WG_MOD(ID, LSB, WIDTH, NAMES) {#ID, NAMES, LSB, WIDTH},
#include "isa/isa.def"
};
static const wg_mark_info_t kMarks[] = {
#define WG_MARK(ID, LSB, OPERAND, MARK) {#ID, LSB, (#OPERAND)[0], MARK},
#include "isa/isa.def"
};
enum {
  kTableLen = sizeof kTable / sizeof kTable[0],
  kModsLen = sizeof kMods / sizeof kMods[0],
  kMarksLen = sizeof kMarks / sizeof kMarks[0],
};
static const wg_insn_info_t kUndefined = {"?", "?", "", "", "", "undefined opcode", 0, kWgPipeCTRL, false};

static wg_op_facts_t facts[256];
static once_flag facts_once = ONCE_FLAG_INIT;

bool wg_list_has(const char *list, const char *word, char sep) {
  size_t n = strlen(word);
  for (const char *p = list; *p != '\0';) {
    const char *e = strchr(p, sep);
    size_t len = e != NULL ? (size_t)(e - p) : strlen(p);
    if (len == n && memcmp(p, word, n) == 0) return true;
    p += len + (e != NULL ? 1 : 0);
  }
  return false;
}

static void add_mod(wg_op_facts_t *f, const char *name, size_t len) {
  for (size_t i = 0; i < kModsLen; i++) {
    if (strlen(kMods[i].id) != len || memcmp(kMods[i].id, name, len) != 0) continue;
    WG_BUG(f->num_mods == kWgMaxMods);
    f->mods[f->num_mods++] = &kMods[i];
    f->mod_mask |= (uint16_t)(((1u << kMods[i].width) - 1u) << kMods[i].lsb);
    return;
  }
  for (size_t i = 0; i < kMarksLen; i++) {
    if (strlen(kMarks[i].id) != len || memcmp(kMarks[i].id, name, len) != 0) continue;
    WG_BUG(f->num_marks == kWgMaxMods);
    f->marks[f->num_marks++] = &kMarks[i];
    f->mod_mask |= (uint16_t)(1u << kMarks[i].lsb);
    return;
  }
  WG_BUG("unknown modifier in isa.def; run isagen for its name" != NULL);
}

static bool has_b(const wg_op_facts_t *f) {
  return wg_op_has(f, 'B') || wg_op_has(f, 'L') || wg_op_has(f, 'N');
}

static const wg_mod_info_t *find_group(const char *name, size_t len) {
  for (size_t i = 0; i < kModsLen; i++) {
    if (strlen(kMods[i].id) == len && memcmp(kMods[i].id, name, len) == 0) return &kMods[i];
  }
  return NULL;
}

/* One flag; words that are no rule ("WR", "LD") have no digit in second place. */
static void add_rule(wg_op_facts_t *f, const char *p, size_t len) {
  if (len < 2 || strchr("ABCD", p[0]) == NULL || p[1] < '1' || p[1] > '9') return;
  WG_BUG(f->num_rules == kWgMaxRules);
  wg_reg_rule_t *r = &f->rules[f->num_rules++];
  r->field = p[0];
  r->factor = (uint8_t)(p[1] - '0');
  const char *end = p + len;
  for (const char *c = p + 2; c < end;) {
    const char *eq = memchr(c, '=', (size_t)(end - c));
    WG_BUG(eq == NULL || r->num_cond == 2); /* "@GROUP=value" */
    const wg_mod_info_t *g = find_group(c + 1, (size_t)(eq - c - 1));
    WG_BUG(g == NULL);
    unsigned v = 0;
    for (c = eq + 1; c < end && *c >= '0' && *c <= '9'; c++) v = v * 10u + (unsigned)(*c - '0');
    r->cond[r->num_cond].group = g;
    r->cond[r->num_cond++].value = (uint8_t)v;
  }
}

unsigned wg_op_max_form(const wg_op_facts_t *f) {
  if (!has_b(f) || f->info->pipe == kWgPipeMMA) return kWgFormReg;
  if (!wg_op_has(f, 'B')) return kWgFormImm;
  for (unsigned i = 0; i < f->num_rules; i++) {
    if (f->rules[i].field == 'B') return kWgFormImm; /* no constant pairs */
  }
  return kWgFormConst;
}

unsigned wg_op_field_regs(const wg_op_facts_t *f, char field, uint16_t mods) {
  unsigned n = 1;
  for (unsigned i = 0; i < f->num_rules; i++) {
    const wg_reg_rule_t *r = &f->rules[i];
    bool on = r->field == field;
    for (unsigned k = 0; k < r->num_cond; k++) {
      const wg_mod_info_t *g = r->cond[k].group;
      on = on && ((unsigned)mods >> g->lsb & ((1u << g->width) - 1u)) == r->cond[k].value;
    }
    if (on) n *= r->factor;
  }
  return n;
}

/* Where a memory instruction goes, by its flags: read for every one that is executed. */
static void add_memory(wg_op_facts_t *f) {
  const char *flags = f->info->flags;
  f->store = wg_list_has(flags, "ST", ' ');
  f->atomic = wg_list_has(flags, "ATM", ' ');
  f->space = kWgSpaceGlobal;
  if (wg_list_has(flags, "GENERIC", ' ')) f->space = kWgSpaceGeneric;
  if (wg_list_has(flags, "CMEM", ' ')) f->space = kWgSpaceConst;
  if (wg_list_has(flags, "LMEM", ' ')) f->space = kWgSpaceLocal;
  if (wg_list_has(flags, "SMEM", ' ')) f->space = kWgSpaceShared;
  if (!f->store && !wg_list_has(flags, "LD", ' ')) f->space = kWgSpaceNone;
}

static void init_facts(void) {
  for (size_t i = 0; i < kTableLen; i++) {
    wg_op_facts_t *f = &facts[kTable[i].opcode];
    f->info = &kTable[i];
    add_memory(f);
    for (const char *p = kTable[i].operands; *p != '\0'; p++) {
      if (*p != ',') f->letters |= UINT64_C(1) << (*p - 'A');
    }
    for (const char *p = kTable[i].mods; *p != '\0';) {
      const char *e = strchr(p, ',');
      size_t len = e != NULL ? (size_t)(e - p) : strlen(p);
      add_mod(f, p, len);
      p += len + (e != NULL ? 1 : 0);
    }
    for (const char *p = kTable[i].flags; *p != '\0';) {
      size_t len = strcspn(p, " ");
      add_rule(f, p, len);
      p += len + (p[len] != '\0' ? 1 : 0);
    }
  }
}

const wg_op_facts_t *wg_op_facts(uint8_t opcode) {
  call_once(&facts_once, init_facts);
  return &facts[opcode];
}

const wg_mod_info_t *wg_mod_table(size_t *n) {
  *n = kModsLen;
  return kMods;
}

const wg_mark_info_t *wg_mark_table(size_t *n) {
  *n = kMarksLen;
  return kMarks;
}

const wg_insn_info_t *wg_insn_info(uint8_t opcode) {
  const wg_op_facts_t *f = wg_op_facts(opcode);
  return f->info != NULL ? f->info : &kUndefined;
}

const wg_insn_info_t *wg_insn_table(size_t *n) {
  *n = kTableLen;
  return kTable;
}

const char *wg_mod_name(const wg_mod_info_t *m, unsigned v, size_t *len) {
  const char *p = m->names;
  for (; v > 0; v--) {
    p = strchr(p, '|');
    if (p == NULL) return NULL;
    p++;
  }
  const char *e = strchr(p, '|');
  *len = e != NULL ? (size_t)(e - p) : strlen(p);
  return p;
}

bool wg_mod_defined(const wg_mod_info_t *m, unsigned v) {
  if (strcmp(m->names, "#") == 0 || strcmp(m->names, "*") == 0) return true;
  size_t len;
  const char *n = wg_mod_name(m, v, &len);
  return n != NULL && !(len == 1 && *n == '?');
}

wg_insn_t wg_insn_default(uint8_t op) {
  wg_insn_t in = {0};
  in.op = op;
  in.guard = in.pd0 = in.pd1 = in.ps0 = in.ps1 = kWgPT;
  in.rd = in.ra = in.rc = kWgRZ;
  in.rb = kWgRZ;
  in.wr_ctr = in.rd_ctr = 7;
  return in;
}

/* Which part of [63:32] is the instruction's immediate; the rest of the word half is b or unused. */
static uint32_t imm_mask(const wg_op_facts_t *f, unsigned form, unsigned mods) {
  wg_insn_t in = {.mods = (uint16_t)mods};
  uint32_t m = 0;
  if (wg_op_has(f, 'M') || wg_op_has(f, 'T') || wg_op_has(f, 'I')) m = UINT32_MAX;
  if (wg_op_has(f, 'U')) m = 0x1fffff;
  if (wg_op_has(f, 'R')) m = 0xff;
  if (wg_op_has(f, 'B') && form == kWgFormImm) m = UINT32_MAX;
  if (wg_op_has(f, 'L') && form == kWgFormImm) m |= 0xff;
  if (wg_op_has(f, 'K') && WG_MOD_GET(&in, CIMM) != 0) m |= 0xffff00;
  if (wg_op_has(f, 'N') && form == kWgFormImm) m |= 0xf;
  if (wg_op_has(f, 'X') && WG_MOD_GET(&in, BARCNT) == 1) m |= 0x0fff0000;
  return m;
}

static bool has_a(const wg_op_facts_t *f) {
  return wg_op_has(f, 'A') || wg_op_has(f, 'M') || wg_op_has(f, 'U');
}

/* Register c is read where the list has C or W, or where the clamp or count is a register. */
static bool uses_rc(const wg_op_facts_t *f, const wg_insn_t *in) {
  return wg_op_has(f, 'C') || wg_op_has(f, 'W') || (wg_op_has(f, 'K') && WG_MOD_GET(in, CIMM) == 0) ||
         (wg_op_has(f, 'X') && WG_MOD_GET(in, BARCNT) == 2);
}

static void check_ranges(const wg_insn_t *in) {
  WG_BUG(in->guard > 7 || in->form > 15 || in->cbank > 31);
  WG_BUG(in->pd0 > 7 || in->pd1 > 7 || in->ps0 > 7 || in->ps1 > 7 || in->breg > 15);
  WG_BUG(in->stall > 15 || in->yield > 15 || in->wr_ctr > 15 || in->rd_ctr > 15);
}

wg_word_t wg_encode(const wg_insn_t *in) {
  const wg_op_facts_t *f = wg_op_facts(in->op);
  WG_BUG(f->info == NULL);
  check_ranges(in);
  uint32_t b = in->imm & imm_mask(f, in->form, in->mods);
  if (has_b(f) && in->form == kWgFormReg) b |= in->rb;
  if (wg_op_has(f, 'U') || (wg_op_has(f, 'B') && in->form == kWgFormConst)) {
    b = (uint32_t)in->cbank << 16 | in->coff;
  }
  uint64_t rd = wg_op_has(f, 'D') ? in->rd : kWgRZ;
  uint64_t ra = has_a(f) ? in->ra : kWgRZ;
  uint64_t rc = uses_rc(f, in) ? in->rc : kWgRZ;
  uint64_t pd0 = wg_op_has(f, 'P') ? in->pd0 : kWgPT, pd1 = wg_op_has(f, 'Q') ? in->pd1 : kWgPT;
  uint64_t ps0 = wg_op_has(f, 'p') ? (uint64_t)(in->ps0 | in->ps0_not << 3) : kWgPT;
  uint64_t ps1 = wg_op_has(f, 'q') ? (uint64_t)(in->ps1 | in->ps1_not << 3) : kWgPT;
  if (wg_op_has(f, 'V')) ps1 = in->breg;
  wg_word_t w;
  w.lo = in->op | (uint64_t)(in->guard | in->guard_not << 3) << 8 | (uint64_t)in->form << 12 | rd << 16 |
         ra << 24 | (uint64_t)b << 32;
  w.hi = rc | pd0 << 8 | pd1 << 12 | ps0 << 16 | ps1 << 20 | (uint64_t)in->mods << 24 |
         (uint64_t)in->stall << 40 | (uint64_t)in->yield << 44 | (uint64_t)in->wr_ctr << 48 |
         (uint64_t)in->rd_ctr << 52 | (uint64_t)in->wait_mask << 56;
  return w;
}

/* Undefined forms and modifier values; bits that no group of the instruction has must be zero. */
static wg_status_t check_form_mods(const wg_op_facts_t *f, const wg_insn_t *in) {
  if (in->form > wg_op_max_form(f)) return kWgBadInput;
  if ((in->mods & ~f->mod_mask) != 0) return kWgBadInput;
  for (unsigned i = 0; i < f->num_mods; i++) {
    const wg_mod_info_t *m = f->mods[i];
    if (!wg_mod_defined(m, (unsigned)in->mods >> m->lsb & ((1u << m->width) - 1u))) return kWgBadInput;
  }
  return kWgOk;
}

/* Pairs and quads start at a multiple of their size and end below RZ; RZ itself stands for a pair or quad of
 * zeros. */
static wg_status_t check_regs(const wg_insn_t *in) {
  wg_regset_t r = wg_insn_regs_raw(in);
  for (unsigned i = 0; i < 5; i++) {
    if (r.count[i] < 2 || r.first[i] == kWgRZ) continue;
    if (r.first[i] % r.count[i] != 0 || r.first[i] + r.count[i] > kWgRZ) return kWgBadInput;
  }
  return kWgOk;
}

static void unpack_operands(const wg_op_facts_t *f, wg_word_t w, wg_insn_t *out) {
  uint32_t b = (uint32_t)(w.lo >> 32);
  out->imm = b & imm_mask(f, out->form, out->mods);
  if (has_b(f) && out->form == kWgFormReg) out->rb = (uint8_t)b;
  if (wg_op_has(f, 'U') || (wg_op_has(f, 'B') && out->form == kWgFormConst)) {
    out->coff = (uint16_t)b;
    out->cbank = (uint8_t)(b >> 16 & 31);
  }
  if (wg_op_has(f, 'D')) out->rd = (uint8_t)(w.lo >> 16);
  if (has_a(f)) out->ra = (uint8_t)(w.lo >> 24);
  if (uses_rc(f, out)) out->rc = (uint8_t)w.hi;
  if (wg_op_has(f, 'P')) out->pd0 = w.hi >> 8 & 7;
  if (wg_op_has(f, 'Q')) out->pd1 = w.hi >> 12 & 7;
  if (wg_op_has(f, 'p')) {
    out->ps0 = w.hi >> 16 & 7;
    out->ps0_not = (w.hi >> 19 & 1) != 0;
  }
  if (wg_op_has(f, 'q')) {
    out->ps1 = w.hi >> 20 & 7;
    out->ps1_not = (w.hi >> 23 & 1) != 0;
  }
  if (wg_op_has(f, 'V')) out->breg = w.hi >> 20 & 15;
}

wg_status_t wg_decode(wg_word_t w, wg_insn_t *out) {
  const wg_op_facts_t *f = wg_op_facts((uint8_t)w.lo);
  *out = wg_insn_default((uint8_t)w.lo);
  out->guard = w.lo >> 8 & 7;
  out->guard_not = (w.lo >> 11 & 1) != 0;
  out->form = w.lo >> 12 & 15;
  out->mods = (uint16_t)(w.hi >> 24);
  out->stall = w.hi >> 40 & 15;
  out->yield = w.hi >> 44 & 15;
  out->wr_ctr = w.hi >> 48 & 15;
  out->rd_ctr = w.hi >> 52 & 15;
  out->wait_mask = (uint8_t)(w.hi >> 56);
  if (f->info == NULL) return kWgBadInput;
  WG_TRY(check_form_mods(f, out));
  unpack_operands(f, w, out);
  return check_regs(out);
}

unsigned wg_insn_bytes(const wg_insn_t *in) {
  static const uint8_t kBytes[8] = {1, 1, 2, 2, 4, 8, 16, 0};
  static const uint8_t kAtomBytes[16] = {4, 4, 8, 8, 4, 8, 4, 4, 2, 2, 2, 0, 0, 0, 0, 0};
  const wg_op_facts_t *f = wg_op_facts(in->op);
  if (in->op == kWgOp_LDSM) return 16;
  if (wg_op_has(f, 'U')) return kBytes[WG_MOD_GET(in, MSIZE)];
  if (!wg_op_has(f, 'M')) return 0;
  return wg_insn_is_atomic(in->op) ? kAtomBytes[WG_MOD_GET(in, ATYPE)] : kBytes[WG_MOD_GET(in, MSIZE)];
}

wg_space_t wg_insn_space(uint8_t op) { return wg_op_facts(op)->space; }
bool wg_insn_is_store(uint8_t op) { return wg_op_facts(op)->store; }
bool wg_insn_is_atomic(uint8_t op) { return wg_op_facts(op)->atomic; }

bool wg_insn_atom_defined(const wg_insn_t *in) {
  enum { kU32 = 0, kS64 = 3, kU16 = 10, kAdd = 0, kInc = 3, kDec = 4, kCas = 9 }; /* values of ATYPE, AOP */
  unsigned type = WG_MOD_GET(in, ATYPE), op = WG_MOD_GET(in, AOP);
  if (type <= (unsigned)kS64) return (op != (unsigned)kInc && op != (unsigned)kDec) || type == (unsigned)kU32;
  if (type == (unsigned)kU16) return op == (unsigned)kCas;
  return op == (unsigned)kAdd && in->op != kWgOp_ATOMS;
}

bool wg_insn_mma_defined(const wg_insn_t *in) {
  unsigned shape = WG_MOD_GET(in, MSH), type = WG_MOD_GET(in, MIN), acc16 = WG_MOD_GET(in, MACC);
  if (in->op != kWgOp_HMMA) return in->op == kWgOp_IMMA || in->op == kWgOp_DMMA;
  if (shape > 2u || type > 2u || (acc16 != 0u && type != 0u)) return false;
  return type == 2u ? shape != 2u : shape != 0u;
}

bool wg_insn_built(const wg_insn_t *in) {
  switch (wg_insn_info(in->op)->pipe) {
    case kWgPipeMMA: return wg_insn_mma_defined(in);
    case kWgPipeLSU: return !wg_insn_is_atomic(in->op) || wg_insn_atom_defined(in);
    default: return true;
  }
}

wg_regset_t wg_insn_regs_raw(const wg_insn_t *in) {
  const wg_op_facts_t *f = wg_op_facts(in->op);
  wg_regset_t r = {{0}, {0}};
  if (f->info == NULL) return r;
  r.first[0] = in->ra;
  if (has_a(f)) r.count[0] = (uint8_t)wg_op_field_regs(f, 'A', in->mods);
  r.first[1] = in->rb;
  if (has_b(f) && in->form == kWgFormReg) r.count[1] = (uint8_t)wg_op_field_regs(f, 'B', in->mods);
  r.first[2] = r.first[3] = in->rc;
  if (uses_rc(f, in)) r.count[wg_op_has(f, 'W') ? 3 : 2] = (uint8_t)wg_op_field_regs(f, 'C', in->mods);
  r.first[4] = in->rd;
  if (wg_op_has(f, 'D')) r.count[4] = (uint8_t)wg_op_field_regs(f, 'D', in->mods);
  return r;
}

wg_regset_t wg_insn_regs(const wg_insn_t *in) {
  wg_regset_t r = wg_insn_regs_raw(in);
  for (unsigned i = 0; i < 5; i++) {
    if (r.count[i] == 0 || r.first[i] == kWgRZ) r.first[i] = r.count[i] = 0;
  }
  return r;
}
