// SPDX-License-Identifier: Apache-2.0
//
// One instruction of assembly text, driven by the table: the OPERANDS column says what to read next.
#include <ctype.h>
#include <string.h>

#include "isa/wg_cfg.h"
#include "isa/wg_isa_table.h"
#include "toolchain/asm/wg_asm.h"
#include "toolchain/asm/wg_asm_cursor.h"

typedef struct parser {
  wg_asm_cursor_t *c;
  const wg_op_facts_t *f;
  wg_insn_t *in;
  const char *mnemonic; /* where it starts */
  bool first;           /* no operand yet */
} parser_t;

/* Edit distance, small strings only. */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb) {
  unsigned row[32];
  if (nb >= 32) nb = 31;
  for (size_t j = 0; j <= nb; j++) row[j] = (unsigned)j;
  for (size_t i = 1; i <= na; i++) {
    unsigned diag = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= nb; j++) {
      unsigned sub = diag + (toupper((unsigned char)a[i - 1]) != b[j - 1]);
      diag = row[j];
      unsigned best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
      row[j] = sub < best ? sub : best;
    }
  }
  return row[nb];
}

static wg_status_t unknown_mnemonic(wg_asm_cursor_t *c, size_t len) {
  size_t n, base = 0;
  while (base < len && c->p[base] != '.') base++;
  const wg_insn_info_t *t = wg_insn_table(&n), *best = &t[0];
  unsigned best_d = UINT32_MAX;
  for (size_t i = 0; i < n; i++) {
    unsigned d = distance(c->p, base, t[i].mnemonic, strcspn(t[i].mnemonic, "."));
    if (d < best_d) best_d = d, best = &t[i];
  }
  char hint[64];
  snprintf(hint, sizeof hint, "did you mean '%s'?", best->mnemonic);
  return wg_asm_error(c, c->p, hint, "unknown instruction '%.*s'", (int)(len < 40 ? len : 40), c->p);
}

/* The table's mnemonic that the text starts with; the longest wins ("LDG.E"). */
static const wg_op_facts_t *find_mnemonic(const char *p, size_t len, size_t *used) {
  size_t n;
  const wg_op_facts_t *best = NULL;
  const wg_insn_info_t *t = wg_insn_table(&n);
  *used = 0;
  for (size_t i = 0; i < n; i++) {
    size_t m = strlen(t[i].mnemonic);
    if (m > len || m <= *used || memcmp(p, t[i].mnemonic, m) != 0 || (m < len && p[m] != '.')) continue;
    *used = m;
    best = wg_op_facts(t[i].opcode);
  }
  return best;
}

static void set_mod(wg_insn_t *in, const wg_mod_info_t *m, unsigned v) {
  unsigned mask = ((1u << m->width) - 1u) << m->lsb;
  in->mods = (uint16_t)((in->mods & ~mask) | v << m->lsb);
}

static bool written(const wg_mod_info_t *m) { return m->names[0] != '*' && m->names[0] != '#'; }

static wg_status_t unknown_suffix(parser_t *p, const char *s, size_t len) {
  char hint[256] = "known:";
  size_t at = strlen(hint);
  for (unsigned i = 0; i < p->f->num_mods; i++) {
    if (!written(p->f->mods[i])) continue;
    for (unsigned v = 0; v < 1u << p->f->mods[i]->width; v++) {
      size_t n = 0;
      const char *name = wg_mod_name(p->f->mods[i], v, &n);
      if (name == NULL || n < 2 || at + n + 2 > sizeof hint) continue;
      at += (size_t)snprintf(hint + at, sizeof hint - at, " %.*s", (int)n, name);
    }
  }
  return wg_asm_error(p->c, s, at > 6 ? hint : "the instruction has no suffixes",
                      "unknown suffix '%.*s' of '%s'", (int)len, s, p->f->info->mnemonic);
}

/* Suffixes in any order; a group at most once. A name that two groups share fills them in the order in which they print. */
static wg_status_t parse_suffixes(parser_t *p, const char *s, const char *end) {
  uint32_t seen = 0;
  while (s < end) {
    size_t len = 1;
    while (s + len < end && s[len] != '.') len++;
    bool found = false, again = false;
    for (unsigned i = 0; i < p->f->num_mods && !found; i++) {
      const wg_mod_info_t *m = p->f->mods[i];
      if (!written(m)) continue;
      for (unsigned v = 0; v < 1u << m->width && !found; v++) {
        size_t n = 0;
        const char *name = wg_mod_name(m, v, &n);
        if (name == NULL || n != len || n < 2 || memcmp(name, s, n) != 0) continue;
        again = (seen >> i & 1u) != 0;
        if (again) break;
        seen |= 1u << i;
        set_mod(p->in, m, v);
        found = true;
      }
    }
    if (!found && again) {
      return wg_asm_error(p->c, s, NULL, "suffix '%.*s' contradicts an earlier one", (int)len, s);
    }
    if (!found) return unknown_suffix(p, s, len);
    s += len;
  }
  for (unsigned i = 0; i < p->f->num_mods; i++) {
    /* .AND and .U32 are what one expects when nothing is written; a comparison or a direction has no such
     * default. */
    const wg_mod_info_t *m = p->f->mods[i];
    if ((seen >> i & 1u) != 0 || !written(m) || m->names[0] == '|') continue;
    if (strncmp(m->names, ".AND|", 5) == 0 || strncmp(m->names, ".U32|", 5) == 0) continue;
    if (strcmp(m->id, "MSIZE") == 0 || strcmp(m->id, "LSIZE") == 0) {
      set_mod(p->in, m, 4);
      continue;
    }
    return wg_asm_error(p->c, p->mnemonic, m->names, "'%s' needs a suffix", p->f->info->mnemonic);
  }
  return kWgOk;
}

/* ---- operands ---- */

static bool is_pred(const char *p) {
  return p[0] == 'P' && ((p[1] >= '0' && p[1] <= '6') || p[1] == 'T') && !isalnum((unsigned char)p[2]);
}

static bool is_reg(const char *p) { return p[0] == 'R' && (isdigit((unsigned char)p[1]) || p[1] == 'Z'); }

static wg_status_t parse_reg(parser_t *p, uint8_t *out) {
  wg_asm_cursor_t *c = p->c;
  wg_asm_skip_space(c);
  const char *at = c->p;
  if (!is_reg(at)) return wg_asm_error(c, at, "R0..R254 or RZ", "expected a register");
  c->p++;
  if (*c->p == 'Z') {
    c->p++;
    *out = kWgRZ;
  } else {
    unsigned v = 0;
    while (isdigit((unsigned char)*c->p) && v < 1000) v = v * 10 + (unsigned)(*c->p++ - '0');
    if (v > 254) return wg_asm_error(c, at, "R0..R254 or RZ", "no such register");
    *out = (uint8_t)v;
  }
  if (isalnum((unsigned char)*c->p) || *c->p == '_')
    return wg_asm_error(c, at, "R0..R254 or RZ", "no such register");
  return kWgOk;
}

static wg_status_t parse_pred(parser_t *p, uint8_t *out, bool *neg) {
  wg_asm_cursor_t *c = p->c;
  wg_asm_skip_space(c);
  if (neg != NULL) *neg = wg_asm_take(c, '!');
  if (!is_pred(c->p)) return wg_asm_error(c, c->p, "P0..P6 or PT", "expected a predicate");
  *out = c->p[1] == 'T' ? kWgPT : (uint8_t)(c->p[1] - '0');
  c->p += 2;
  return kWgOk;
}

/* Marks that may stand at operand `letter`; they become modifier bits. */
static wg_status_t apply_mark(parser_t *p, char letter, char mark, const char *at) {
  for (unsigned i = 0; i < p->f->num_marks; i++) {
    const wg_mark_info_t *k = p->f->marks[i];
    if (k->operand != letter || k->mark != mark) continue;
    p->in->mods = (uint16_t)(p->in->mods | 1u << k->lsb);
    return kWgOk;
  }
  return wg_asm_error(p->c, at, NULL, "'%s' takes no %s here", p->f->info->mnemonic,
                      mark == '-' ? "negation" : "absolute value");
}

static wg_status_t parse_const(parser_t *p) {
  wg_asm_cursor_t *c = p->c;
  int64_t bank, off;
  c->p++; /* c */
  WG_TRY(wg_asm_expect(c, '['));
  WG_TRY(wg_asm_int(c, 0, 31, &bank));
  WG_TRY(wg_asm_expect(c, ']'));
  WG_TRY(wg_asm_expect(c, '['));
  WG_TRY(wg_asm_int(c, 0, 65535, &off));
  WG_TRY(wg_asm_expect(c, ']'));
  p->in->form = kWgFormConst;
  p->in->cbank = (uint8_t)bank;
  p->in->coff = (uint16_t)off;
  return kWgOk;
}

/* c[bank][Ra+offset], c[bank][offset] */
static wg_status_t parse_indexed_const(parser_t *p) {
  wg_asm_cursor_t *c = p->c;
  int64_t bank, off = 0;
  wg_asm_skip_space(c);
  if (c->p[0] != 'c' || c->p[1] != '[') {
    return wg_asm_error(c, c->p, "c[bank][Ra+offset]", "expected a constant operand");
  }
  c->p++;
  WG_TRY(wg_asm_expect(c, '['));
  WG_TRY(wg_asm_int(c, 0, 31, &bank));
  WG_TRY(wg_asm_expect(c, ']'));
  WG_TRY(wg_asm_expect(c, '['));
  wg_asm_skip_space(c);
  bool has_reg = is_reg(c->p);
  if (has_reg) WG_TRY(parse_reg(p, &p->in->ra));
  if (!has_reg || wg_asm_take(c, '+')) WG_TRY(wg_asm_int(c, 0, 65535, &off));
  p->in->cbank = (uint8_t)bank;
  p->in->coff = (uint16_t)off;
  return wg_asm_expect(c, ']');
}

/* A register, or for b also a constant or an immediate. */
static wg_status_t parse_source_core(parser_t *p, char letter, uint8_t *reg) {
  wg_asm_cursor_t *c = p->c;
  wg_asm_skip_space(c);
  if (letter != 'B' || is_reg(c->p)) return parse_reg(p, reg);
  if (c->p[0] == 'c' && c->p[1] == '[') return parse_const(p);
  if (*c->p != '-' && !isdigit((unsigned char)*c->p)) {
    return wg_asm_error(c, c->p, "R0..R254, RZ, c[bank][offset] or a number", "expected a source operand");
  }
  p->in->form = kWgFormImm;
  return wg_asm_imm32(c, &p->in->imm);
}

/* -x, |x|, -|x|. A minus before a number belongs to the number; -(5) is the mark on an immediate. */
static wg_status_t parse_source(parser_t *p, char letter, uint8_t *reg) {
  wg_asm_cursor_t *c = p->c;
  wg_asm_skip_space(c);
  const char *at = c->p;
  bool paren = false;
  if (at[0] == '-' && !(letter == 'B' && isdigit((unsigned char)at[1]))) {
    WG_TRY(apply_mark(p, letter, '-', at));
    c->p++;
    paren = wg_asm_take(c, '(');
  }
  wg_asm_skip_space(c);
  bool bars = *c->p == '|';
  if (bars) {
    WG_TRY(apply_mark(p, letter, '|', c->p));
    c->p++;
  }
  WG_TRY(parse_source_core(p, letter, reg));
  if (bars) WG_TRY(wg_asm_expect(c, '|'));
  if (paren) WG_TRY(wg_asm_expect(c, ')'));
  return kWgOk;
}

static wg_status_t parse_target(parser_t *p) {
  wg_asm_cursor_t *c = p->c;
  wg_asm_skip_space(c);
  const char *at = c->p;
  int64_t v = 0;
  uint32_t pc;
  size_t n = wg_asm_name_len(at);
  if (isdigit((unsigned char)*at)) {
    WG_TRY(wg_asm_int(c, 0, UINT32_MAX, &v));
  } else if (at[0] == '.' && (at[1] == '+' || at[1] == '-')) {
    c->p++;
    if (*c->p == '+') c->p++;
    WG_TRY(wg_asm_int(c, INT32_MIN, INT32_MAX, &v));
    v += c->pc;
  } else if (n != 0 && c->label != NULL && c->label(c->label_ctx, at, n, &pc)) {
    c->p += n;
    v = pc;
  } else if (n != 0) {
    return wg_asm_error(c, at, "define it in this kernel as 'name:'", "unknown label '%.*s'", (int)n, at);
  } else {
    return wg_asm_error(c, at, "a label, an address or .+offset", "expected a target");
  }
  p->in->imm = (uint32_t)(v - c->pc - kWgInsnBytes);
  return kWgOk;
}

/* [Ra], [Ra+imm], [Ra-imm], [imm] */
static wg_status_t parse_mem(parser_t *p) {
  wg_asm_cursor_t *c = p->c;
  WG_TRY(wg_asm_expect(c, '['));
  wg_asm_skip_space(c);
  int64_t v = 0;
  bool has_reg = is_reg(c->p);
  if (has_reg) WG_TRY(parse_reg(p, &p->in->ra));
  wg_asm_skip_space(c);
  if (has_reg ? wg_asm_take(c, '+') || *c->p == '-' : true) {
    /* With a register the offset is signed; alone it is an address. */
    WG_TRY(wg_asm_int(c, INT32_MIN, has_reg ? INT32_MAX : (int64_t)UINT32_MAX, &v));
  }
  p->in->imm = (uint32_t)v;
  return wg_asm_expect(c, ']');
}

static wg_status_t parse_sreg(parser_t *p) {
  wg_asm_cursor_t *c = p->c;
  wg_asm_skip_space(c);
  size_t n = wg_asm_name_len(c->p);
  for (unsigned v = 0; v < 256; v++) {
    const char *name = wg_sreg_name(v);
    if (strlen(name) != n || memcmp(name, c->p, n) != 0) continue;
    c->p += n;
    p->in->imm = v;
    return kWgOk;
  }
  if (n > 2 && memcmp(c->p, "SR", 2) == 0 && isdigit((unsigned char)c->p[2])) {
    int64_t v;
    c->p += 2;
    WG_TRY(wg_asm_int(c, 0, 255, &v));
    p->in->imm = (uint32_t)v;
    return kWgOk;
  }
  return wg_asm_error(c, c->p, "as SR_TID.X; the list is in isa/cfg.def", "unknown special register '%.*s'",
                      (int)n, c->p);
}

/* Register b or an immediate of `max`, at the bottom of imm32. */
static wg_status_t parse_reg_or_low_imm(parser_t *p, int64_t max) {
  wg_asm_skip_space(p->c);
  if (is_reg(p->c->p)) return parse_reg(p, &p->in->rb);
  int64_t v;
  WG_TRY(wg_asm_int(p->c, 0, max, &v));
  p->in->form = kWgFormImm;
  p->in->imm |= (uint32_t)v;
  return kWgOk;
}

/* Register c or an immediate in the upper part of imm32; `m` says which. */
static wg_status_t parse_reg_or_high_imm(parser_t *p, int64_t max, unsigned shift, unsigned mod_imm,
                                         unsigned mod_reg) {
  wg_asm_skip_space(p->c);
  if (is_reg(p->c->p)) {
    p->in->mods = (uint16_t)(p->in->mods | mod_reg);
    return parse_reg(p, &p->in->rc);
  }
  int64_t v;
  WG_TRY(wg_asm_int(p->c, 0, max, &v));
  p->in->mods = (uint16_t)(p->in->mods | mod_imm);
  p->in->imm |= (uint32_t)v << shift;
  return kWgOk;
}

static wg_status_t parse_breg(parser_t *p) {
  wg_asm_cursor_t *c = p->c;
  wg_asm_skip_space(c);
  const char *at = c->p;
  int64_t v;
  if (at[0] != 'B' || !isdigit((unsigned char)at[1]))
    return wg_asm_error(c, at, "B0..B15", "expected a convergence barrier");
  c->p++;
  WG_TRY(wg_asm_int(c, 0, 15, &v));
  p->in->breg = (uint8_t)v;
  return kWgOk;
}

static wg_status_t parse_operand(parser_t *p, char letter) {
  wg_insn_t *in = p->in;
  int64_t v;
  switch (letter) {
    case 'D': return parse_reg(p, &in->rd);
    case 'A': return parse_source(p, 'A', &in->ra);
    case 'B': return parse_source(p, 'B', &in->rb);
    case 'C': return parse_source(p, 'C', &in->rc);
    case 'W': return parse_reg(p, &in->rc);
    case 'P': return parse_pred(p, &in->pd0, NULL);
    case 'Q': return parse_pred(p, &in->pd1, NULL);
    case 'p': return parse_pred(p, &in->ps0, &in->ps0_not);
    case 'q': return parse_pred(p, &in->ps1, &in->ps1_not);
    case 'V': return parse_breg(p);
    case 'T': return parse_target(p);
    case 'M': return parse_mem(p);
    case 'U': return parse_indexed_const(p);
    case 'R': return parse_sreg(p);
    case 'L': return parse_reg_or_low_imm(p, 255);
    case 'N': return parse_reg_or_low_imm(p, 15);
    case 'K': return parse_reg_or_high_imm(p, 65535, 8, 1u << kWgModLsb_CIMM, 0);
    case 'X': return parse_reg_or_high_imm(p, 4095, 16, 1u << kWgModLsb_BARCNT, 2u << kWgModLsb_BARCNT);
    case 'I':
      WG_TRY(wg_asm_int(p->c, 0, UINT32_MAX, &v));
      in->imm = (uint32_t)v;
      return kWgOk;
    default: break;
  }
  WG_BUG("operand letter that isagen should have refused" != NULL);
  return kWgBadInput;
}

/* Is this operand left out? Looks at what comes next; nothing is consumed. */
static bool left_out(parser_t *p, char letter) {
  wg_asm_cursor_t probe = *p->c;
  bool more = p->first ? !wg_asm_at_end(&probe) && *probe.p != '{' : wg_asm_take(&probe, ',');
  wg_asm_skip_space(&probe);
  bool pred = more && is_pred(probe.p);
  uint8_t op = p->f->info->opcode;
  if (op == kWgOp_PLOP3) return false;
  switch (letter) {
    case 'P': return !pred && wg_list_has(p->f->info->flags, "OPT_P", ' ');
    case 'Q': return !pred;
    case 'X': return !more || pred || *probe.p == '!';
    case 'p':
      if (op == kWgOp_SEL || op == kWgOp_IMNMX || op == kWgOp_FMNMX) return false;
      if (op == kWgOp_IADD3) return !more && WG_MOD_GET(p->in, X) == 0;
      return !more;
    case 'q': return !more;
    default: return false;
  }
}

static wg_status_t separator(parser_t *p) {
  if (p->first) {
    p->first = false;
    return kWgOk;
  }
  if (wg_asm_take(p->c, ',')) return kWgOk;
  char hint[64];
  snprintf(hint, sizeof hint, "operands of %s: %s", p->f->info->mnemonic, p->f->info->operands);
  return wg_asm_error(p->c, p->c->p, hint, "expected ',' and another operand");
}

static wg_status_t parse_operands(parser_t *p) {
  for (const char *o = p->f->info->operands; *o != '\0'; o++) {
    if (*o == ',' || left_out(p, *o)) continue;
    WG_TRY(separator(p));
    WG_TRY(parse_operand(p, *o));
  }
  if (wg_list_has(p->f->info->mods, "LUT", ',')) {
    int64_t v;
    WG_TRY(separator(p));
    WG_TRY(wg_asm_int(p->c, 0, 255, &v));
    p->in->mods = (uint16_t)(p->in->mods | (unsigned)v << kWgModLsb_LUT);
  }
  return kWgOk;
}

/* Control field: {stall=3 yield=1 wr=0 rd=1 wait=0x3} */
static wg_status_t parse_control(parser_t *p) {
  wg_asm_cursor_t *c = p->c;
  static const struct {
    const char *name;
    int64_t max;
  } kKeys[] = {{"stall", 15}, {"yield", 15}, {"wr", 15}, {"rd", 15}, {"wait", 255}};
  if (!wg_asm_take(c, '{')) return kWgOk;
  uint8_t *const to[] = {&p->in->stall, &p->in->yield, &p->in->wr_ctr, &p->in->rd_ctr, &p->in->wait_mask};
  while (!wg_asm_take(c, '}')) {
    wg_asm_skip_space(c);
    size_t n = wg_asm_name_len(c->p), k = 0;
    while (k < 5 && !(strlen(kKeys[k].name) == n && memcmp(kKeys[k].name, c->p, n) == 0)) k++;
    if (k == 5) return wg_asm_error(c, c->p, "stall, yield, wr, rd, wait", "unknown control key");
    c->p += n;
    WG_TRY(wg_asm_expect(c, '='));
    int64_t v;
    WG_TRY(wg_asm_int(c, 0, kKeys[k].max, &v));
    *to[k] = (uint8_t)v;
  }
  return kWgOk;
}

/* Pairs and quads: the hardware would call the word undefined, so name the rule here. */
static wg_status_t check_word(parser_t *p) {
  wg_insn_t back;
  if (wg_decode(wg_encode(p->in), &back) == kWgOk) return kWgOk;
  wg_regset_t r = wg_insn_regs_raw(p->in);
  for (unsigned i = 0; i < 5; i++) {
    if (r.count[i] < 2 || r.first[i] == kWgRZ) continue;
    if (r.first[i] % r.count[i] == 0 && r.first[i] + r.count[i] <= kWgRZ) continue;
    return wg_asm_error(p->c, p->mnemonic,
                        "64 bits: an even register; 128 bits: a multiple of 4; R254 is the last",
                        "R%u cannot start a group of %u registers", r.first[i], r.count[i]);
  }
  return wg_asm_error(p->c, p->mnemonic, NULL, "this combination of suffixes is undefined");
}

wg_status_t wg_asm_parse_insn(wg_asm_cursor_t *c, wg_insn_t *out) {
  uint8_t guard = kWgPT;
  bool guard_not = false;
  wg_insn_t in = {0};
  parser_t p = {.c = c, .in = &in, .first = true};
  if (wg_asm_take(c, '@')) WG_TRY(parse_pred(&p, &guard, &guard_not));
  wg_asm_skip_space(c);
  p.mnemonic = c->p;
  size_t len = wg_asm_name_len(c->p), used;
  if (len == 0) return wg_asm_error(c, c->p, NULL, "expected an instruction");
  p.f = find_mnemonic(c->p, len, &used);
  if (p.f == NULL) return unknown_mnemonic(c, len);
  in = wg_insn_default(p.f->info->opcode);
  in.guard = guard;
  in.guard_not = guard_not;
  WG_TRY(parse_suffixes(&p, c->p + used, c->p + len));
  c->p += len;
  WG_TRY(parse_operands(&p));
  WG_TRY(parse_control(&p));
  WG_TRY(wg_asm_expect_end(c));
  WG_TRY(check_word(&p));
  *out = in;
  return kWgOk;
}

wg_status_t wg_asm_insn(const char *text, wg_insn_t *out, wg_diag_t *diag) {
  wg_asm_cursor_t c = {.line = text, .p = text, .lineno = 1, .diag = diag};
  return wg_asm_parse_insn(&c, out);
}
