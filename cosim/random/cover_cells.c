// SPDX-License-Identifier: Apache-2.0
//
// Cells of the instruction table and their counts.
#include <string.h>

#include "cosim/random/cover.h"
#include "isa/wg_cfg.h"

const char *const wg_cover_mask_names[kWgCoverMasks] = {"full", "partial", "single"};

static const struct {
  uint8_t value;
  const char *name;
} kSregs[] = {
#define WG_SREG(ID, VALUE, NAME, DOC) {VALUE, NAME},
#include "isa/cfg.def"
};
enum { kNumSregs = sizeof kSregs / sizeof kSregs[0] };

struct wg_cover {
  wg_cover_op_t *op;
  size_t num;
  uint16_t at[256]; /* place of an opcode, + 1 */
};

/* ---- dimensions ---- */

/* Bits of a group that mean something: PLOP3 looks at four of its table's. */
static uint32_t group_mask(const wg_cover_dim_t *d, uint8_t op) {
  return op == kWgOp_PLOP3 && strcmp(d->id, "LUT") == 0 ? 15u : (1u << d->group->width) - 1u;
}

uint32_t wg_cover_value(const wg_cover_dim_t *d, const wg_insn_t *in) {
  switch (d->kind) {
    case kWgCoverGroup: return (uint32_t)in->mods >> d->group->lsb & group_mask(d, in->op);
    case kWgCoverMark: return (uint32_t)in->mods >> d->mark->lsb & 1u;
    case kWgCoverForm: return in->form;
    default: break;
  }
  for (uint32_t i = 0; i < (uint32_t)kNumSregs; i++) {
    if (kSregs[i].value == in->imm) return i;
  }
  return kNumSregs; /* a number that is none */
}

void wg_cover_set(const wg_cover_dim_t *d, wg_insn_t *in, uint32_t v) {
  uint32_t lsb = d->kind == kWgCoverGroup ? d->group->lsb : d->kind == kWgCoverMark ? d->mark->lsb : 0u;
  uint32_t mask = d->kind == kWgCoverGroup ? group_mask(d, in->op) : 1u;
  switch (d->kind) {
    case kWgCoverGroup:
    case kWgCoverMark: in->mods = (uint16_t)((in->mods & ~(mask << lsb)) | v << lsb); break;
    case kWgCoverForm: in->form = (uint8_t)v; break;
    default: in->imm = v < (uint32_t)kNumSregs ? kSregs[v].value : 255u; break;
  }
}

bool wg_cover_defined(const wg_insn_t *in) {
  wg_insn_t probe = wg_insn_default(in->op), back;
  probe.form = in->form;
  probe.mods = in->mods;
  return wg_decode(wg_encode(&probe), &back) == kWgOk && wg_insn_built(&probe);
}

static bool value_defined(const wg_cover_dim_t *d, uint32_t v) {
  return d->kind != kWgCoverGroup || wg_mod_defined(d->group, v);
}

/* Is the value part of a defined combination? */
static bool value_used(const wg_cover_op_t *o, uint32_t dim, uint32_t v) {
  if (!value_defined(&o->dim[dim], v)) return false;
  if (!o->cross || dim >= o->cross_dims) return true;
  for (uint32_t k = 0; k < o->combos; k++) {
    wg_insn_t in;
    if (wg_cover_combo(o, k, &in) && wg_cover_value(&o->dim[dim], &in) == v) return true;
  }
  return false;
}

static void add_dim(wg_cover_op_t *o, const char *id, wg_cover_kind_t kind, const wg_mod_info_t *group,
                    const wg_mark_info_t *mark, uint32_t values) {
  WG_BUG(o->dims == (uint32_t)kWgCoverDims);
  wg_cover_dim_t *d = &o->dim[o->dims++];
  *d = (wg_cover_dim_t){id, kind, group, mark, values};
  if (kind == kWgCoverGroup) d->values = group_mask(d, o->op) + 1u;
}

static void init_op(wg_cover_op_t *o, uint8_t opcode) {
  const wg_op_facts_t *f = wg_op_facts(opcode);
  memset(o, 0, sizeof *o);
  o->op = opcode;
  for (unsigned i = 0; i < f->num_mods; i++) add_dim(o, f->mods[i]->id, kWgCoverGroup, f->mods[i], NULL, 0u);
  for (unsigned i = 0; i < f->num_marks; i++) add_dim(o, f->marks[i]->id, kWgCoverMark, NULL, f->marks[i], 2u);
  if (wg_op_has(f, 'R')) add_dim(o, "R", kWgCoverSreg, NULL, NULL, kNumSregs + 1u);
  o->cross_dims = o->dims;
  if (wg_op_max_form(f) != 0u) add_dim(o, "b", kWgCoverForm, NULL, NULL, wg_op_max_form(f) + 1u);
  uint64_t combos = 1;
  uint32_t values = 0;
  for (uint32_t i = 0; i < o->dims; i++) {
    values += o->dim[i].values;
    if (i >= o->cross_dims) continue;
    uint64_t defined = 0;
    for (uint32_t v = 0; v < o->dim[i].values; v++) defined += value_defined(&o->dim[i], v) ? 1u : 0u;
    combos *= defined;
  }
  o->cross = combos <= (uint64_t)kWgCoverCross;
  o->combos = 1u;
  for (uint32_t i = 0; o->cross && i < o->cross_dims; i++) o->combos *= o->dim[i].values;
  for (uint32_t i = 0; i < o->cross_dims; i++) {
    for (uint32_t j = i + 1u; j < o->cross_dims; j++) o->pairs += o->dim[i].values * o->dim[j].values;
  }
  o->value = calloc(values + 1u, sizeof *o->value);
  o->combo = calloc((o->cross ? o->combos : o->pairs) + 1u, sizeof *o->combo);
  WG_BUG(o->value == NULL || o->combo == NULL);
}

wg_cover_t *wg_cover_new(void) {
  wg_cover_t *c = calloc(1, sizeof *c);
  WG_BUG(c == NULL);
  const wg_insn_info_t *t = wg_insn_table(&c->num);
  c->op = calloc(c->num, sizeof *c->op);
  WG_BUG(c->op == NULL);
  for (size_t i = 0; i < c->num; i++) {
    init_op(&c->op[i], t[i].opcode);
    c->at[t[i].opcode] = (uint16_t)(i + 1u);
  }
  return c;
}

void wg_cover_free(wg_cover_t *c) {
  if (c == NULL) return;
  for (size_t i = 0; i < c->num; i++) {
    free(c->op[i].value);
    free(c->op[i].combo);
  }
  free(c->op);
  free(c);
}

const wg_cover_op_t *wg_cover_ops(const wg_cover_t *c, size_t *n) {
  *n = c->num;
  return c->op;
}

/* ---- counting ---- */

wg_cover_mask_t wg_cover_mask_of(uint32_t exec) {
  if (exec == UINT32_MAX) return kWgCoverFull;
  return (exec & (exec - 1u)) == 0u ? kWgCoverSingle : kWgCoverPartial;
}

uint32_t wg_cover_pair(const wg_cover_op_t *o, uint32_t i, uint32_t vi, uint32_t j, uint32_t vj) {
  uint32_t at = 0;
  for (uint32_t a = 0; a <= i; a++) {
    for (uint32_t b = a + 1u; b < (a == i ? j : o->cross_dims); b++) at += o->dim[a].values * o->dim[b].values;
  }
  return at + vi * o->dim[j].values + vj;
}

void wg_cover_retired(void *ctx, const wg_insn_t *in, uint32_t exec) {
  wg_cover_t *c = ctx;
  WG_BUG(c->at[in->op] == 0u || exec == 0u);
  wg_cover_op_t *o = &c->op[c->at[in->op] - 1u];
  wg_cover_mask_t m = wg_cover_mask_of(exec);
  uint32_t v[kWgCoverDims], base = 0, index = 0, radix = 1u;
  o->all[m]++;
  for (uint32_t i = 0; i < o->dims; i++) {
    v[i] = wg_cover_value(&o->dim[i], in);
    o->value[base + v[i]][m]++;
    base += o->dim[i].values;
    if (i < o->cross_dims) {
      index += v[i] * radix;
      radix *= o->dim[i].values;
    }
  }
  if (o->cross) {
    o->combo[index][m]++;
    return;
  }
  for (uint32_t i = 0; i < o->cross_dims; i++) {
    for (uint32_t j = i + 1u; j < o->cross_dims; j++) o->combo[wg_cover_pair(o, i, v[i], j, v[j])][m]++;
  }
}

bool wg_cover_combo(const wg_cover_op_t *o, uint32_t index, wg_insn_t *out) {
  *out = wg_insn_default(o->op);
  for (uint32_t i = 0; i < o->cross_dims; i++) {
    wg_cover_set(&o->dim[i], out, index % o->dim[i].values);
    index /= o->dim[i].values;
  }
  return wg_cover_defined(out);
}

/* ---- names ---- */

/* "RND=.RM", "NA=-a", "R=SR_TID.X", "b=const"; values without a suffix: "RND=(none)". */
static void value_name(const wg_cover_dim_t *d, uint32_t v, char *out, size_t n) {
  static const char *const kForms[] = {"register", "immediate", "constant"};
  size_t len = 0;
  const char *s;
  switch (d->kind) {
    case kWgCoverMark: {
      char at = (char)(d->mark->operand - 'A' + 'a'), mark = d->mark->mark;
      if (v == 0u) snprintf(out, n, "%s=(none)", d->id);
      else snprintf(out, n, mark == '|' ? "%s=%c%c%c" : "%s=%c%c", d->id, mark, at, mark);
      return;
    }
    case kWgCoverForm: snprintf(out, n, "%s=%s", d->id, kForms[v]); return;
    case kWgCoverSreg:
      snprintf(out, n, "%s=%s", d->id, v < (uint32_t)kNumSregs ? kSregs[v].name : "(unlisted)");
      return;
    default: break;
  }
  s = wg_mod_name(d->group, v, &len);
  if (s == NULL || (len == 1u && (s[0] == '#' || s[0] == '*'))) snprintf(out, n, "%s=%u", d->id, v);
  else snprintf(out, n, "%s=%.*s", d->id, len == 0u ? 6 : (int)len, len == 0u ? "(none)" : s);
}

static void line(FILE *out, const wg_cover_op_t *o, const char *kind, const char *cell, const wg_cover_count_t n) {
  fprintf(out, "%s\t%s\t%s\t%llu\t%llu\t%llu\n", wg_insn_info(o->op)->mnemonic, kind, cell,
          (unsigned long long)n[kWgCoverFull], (unsigned long long)n[kWgCoverPartial],
          (unsigned long long)n[kWgCoverSingle]);
}

static void print_combo(FILE *out, const wg_cover_op_t *o, uint32_t index) {
  char cell[256] = "", name[48];
  wg_insn_t in;
  if (!wg_cover_combo(o, index, &in)) return;
  for (uint32_t i = 0, at = index; i < o->cross_dims; at /= o->dim[i].values, i++) {
    value_name(&o->dim[i], at % o->dim[i].values, name, sizeof name);
    if (strstr(name, "(none)") != NULL) continue;
    snprintf(cell + strlen(cell), sizeof cell - strlen(cell), "%s%s", cell[0] != '\0' ? " " : "", name);
  }
  line(out, o, "combination", cell[0] != '\0' ? cell : "(none)", o->combo[index]);
}

static void print_pairs(FILE *out, const wg_cover_op_t *o, uint32_t i, uint32_t j) {
  char a[48], b[48], cell[100];
  for (uint32_t vi = 0; vi < o->dim[i].values; vi++) {
    for (uint32_t vj = 0; vj < o->dim[j].values; vj++) {
      if (!value_defined(&o->dim[i], vi) || !value_defined(&o->dim[j], vj)) continue;
      value_name(&o->dim[i], vi, a, sizeof a);
      value_name(&o->dim[j], vj, b, sizeof b);
      snprintf(cell, sizeof cell, "%s %s", a, b);
      line(out, o, "pair", cell, o->combo[wg_cover_pair(o, i, vi, j, vj)]);
    }
  }
}

void wg_cover_print(FILE *out, const wg_cover_op_t *o) {
  char name[48];
  line(out, o, "op", "", o->all);
  for (uint32_t i = 0, base = 0; i < o->dims; base += o->dim[i].values, i++) {
    for (uint32_t v = 0; v < o->dim[i].values; v++) {
      if (!value_used(o, i, v)) continue;
      value_name(&o->dim[i], v, name, sizeof name);
      line(out, o, "value", name, o->value[base + v]);
    }
  }
  if (o->cross && o->cross_dims > 1u) {
    for (uint32_t k = 0; k < o->combos; k++) print_combo(out, o, k);
  }
  for (uint32_t i = 0; !o->cross && i < o->cross_dims; i++) {
    for (uint32_t j = i + 1u; j < o->cross_dims; j++) print_pairs(out, o, i, j);
  }
}
