// SPDX-License-Identifier: Apache-2.0
#include "isa/isagen_check.h"

#include <string.h>

/* Bits of the word that each operand letter owns, as {half, lsb, width}. L with K, N with X may share [63:32]
   because the parts are disjoint: their exact fields are given. */
typedef struct field {
  char letter;
  uint8_t lsb, width;
} field_t;
static const field_t kFields[] = {
    {'D', 16, 8},  {'A', 24, 8}, {'B', 32, 32}, {'C', 64, 8}, {'P', 72, 3},  {'Q', 76, 3},  {'p', 80, 4},
    {'q', 84, 4},  {'V', 84, 4}, {'T', 32, 32}, {'M', 24, 8}, {'M', 32, 32}, {'W', 64, 8},  {'R', 32, 8},
    {'I', 32, 32}, {'L', 32, 8}, {'K', 40, 16}, {'K', 64, 8}, {'N', 32, 8},  {'X', 48, 12}, {'X', 64, 8}, {'U', 24, 8}, {'U', 32, 21},
};
enum { kNumFields = sizeof kFields / sizeof kFields[0] };

static wg_status_t claim(uint8_t owner[128], unsigned lsb, unsigned width, char who, const wg_insn_info_t *in,
                         wg_diag_t *diag) {
  for (unsigned b = lsb; b < lsb + width; b++) {
    if (owner[b] != 0) {
      return wg_fail(diag, kWgBadInput, "'%s': bit %u of the word belongs to '%c' and to '%c'", in->id, b,
                     owner[b], who);
    }
    owner[b] = (uint8_t)who;
  }
  return kWgOk;
}

static wg_status_t check_operands(const wg_insn_info_t *in, wg_diag_t *diag) {
  uint8_t owner[128] = {0};
  for (const char *p = in->operands; *p != '\0'; p++) {
    bool known = false;
    for (size_t i = 0; i < kNumFields; i++) {
      if (kFields[i].letter != *p) continue;
      known = true;
      WG_TRY(claim(owner, kFields[i].lsb, kFields[i].width, *p, in, diag));
    }
    if (!known) return wg_fail(diag, kWgBadInput, "'%s': unknown operand letter '%c'", in->id, *p);
    if (p[1] == ',') {
      p++;
      if (p[1] != '\0') continue;
    }
    if (p[1] != '\0') return wg_fail(diag, kWgBadInput, "'%s': operands need a comma between them", in->id);
  }
  return kWgOk;
}

static const wg_mod_info_t *find_mod(const wg_isagen_tables_t *t, const char *name, size_t len) {
  for (size_t i = 0; i < t->num_mods; i++) {
    if (strlen(t->mods[i].id) == len && memcmp(t->mods[i].id, name, len) == 0) return &t->mods[i];
  }
  return NULL;
}

static const wg_mark_info_t *find_mark(const wg_isagen_tables_t *t, const char *name, size_t len) {
  for (size_t i = 0; i < t->num_marks; i++) {
    if (strlen(t->marks[i].id) == len && memcmp(t->marks[i].id, name, len) == 0) return &t->marks[i];
  }
  return NULL;
}

static wg_status_t check_mods(const wg_isagen_tables_t *t, const wg_insn_info_t *in, wg_diag_t *diag) {
  uint32_t used = 0;
  for (const char *p = in->mods; *p != '\0';) {
    const char *e = strchr(p, ',');
    size_t len = e != NULL ? (size_t)(e - p) : strlen(p);
    const wg_mod_info_t *m = find_mod(t, p, len);
    const wg_mark_info_t *k = find_mark(t, p, len);
    if (m == NULL && k == NULL) {
      return wg_fail(diag, kWgBadInput, "'%s': unknown modifier '%.*s'", in->id, (int)len, p);
    }
    if (k != NULL && strchr(in->operands, k->operand) == NULL) {
      return wg_fail(diag, kWgBadInput, "'%s': mark '%s' needs operand '%c'", in->id, k->id, k->operand);
    }
    unsigned lsb = m != NULL ? m->lsb : k->lsb, width = m != NULL ? m->width : 1;
    if (lsb + width > 16)
      return wg_fail(diag, kWgBadInput, "'%s': modifier '%.*s' leaves 16 bits", in->id, (int)len, p);
    uint32_t bits = ((1u << width) - 1u) << lsb;
    if ((used & bits) != 0) {
      return wg_fail(diag, kWgBadInput, "'%s': modifier '%.*s' overlaps another one", in->id, (int)len, p);
    }
    used |= bits;
    p += len + (e != NULL ? 1 : 0);
  }
  return kWgOk;
}

static wg_status_t check_groups(const wg_isagen_tables_t *t, wg_diag_t *diag) {
  for (size_t i = 0; i < t->num_mods; i++) {
    const wg_mod_info_t *m = &t->mods[i];
    size_t names = 1;
    for (const char *p = m->names; *p != '\0'; p++) names += *p == '|';
    bool numbers = strcmp(m->names, "#") == 0 || strcmp(m->names, "*") == 0;
    if (!numbers && names != (size_t)1 << m->width) {
      return wg_fail(diag, kWgBadInput, "modifier '%s': %zu names for %u values", m->id, names,
                     1u << m->width);
    }
  }
  return kWgOk;
}

wg_status_t wg_isagen_check(const wg_isagen_tables_t *t, wg_diag_t *diag) {
  WG_TRY(check_groups(t, diag));
  for (size_t i = 0; i < t->num_insns; i++) {
    const wg_insn_info_t *in = &t->insns[i];
    for (size_t j = 0; j < i; j++) {
      if (t->insns[j].opcode == in->opcode) {
        return wg_fail(diag, kWgBadInput, "'%s' and '%s' share opcode 0x%02x", t->insns[j].id, in->id,
                       in->opcode);
      }
      if (strcmp(t->insns[j].id, in->id) == 0 || strcmp(t->insns[j].mnemonic, in->mnemonic) == 0) {
        return wg_fail(diag, kWgBadInput, "'%s' is there twice", in->id);
      }
    }
    WG_TRY(check_operands(in, diag));
    WG_TRY(check_mods(t, in, diag));
  }
  return kWgOk;
}
