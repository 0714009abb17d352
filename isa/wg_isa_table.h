// SPDX-License-Identifier: Apache-2.0
//
// The instruction table in the form that tools walk: modifier groups, operand marks and, per opcode, which
// fields it uses. For isagen, assembler and disassembler; everyone else needs only wg_isa.h.
#ifndef WG_ISA_ISA_TABLE_H
#define WG_ISA_ISA_TABLE_H

#include "isa/wg_isa.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A modifier group; `names` are dot suffixes by value, separated by '|'. "" prints nothing, "?" is
 * undefined. */
typedef struct wg_mod_info {
  const char *id, *names;
  uint8_t lsb, width;
} wg_mod_info_t;

/** A mark at an operand (-a, |a|): one modifier bit. */
typedef struct wg_mark_info {
  const char *id;
  uint8_t lsb;
  char operand, mark;
} wg_mark_info_t;

/** "D2@MSIZE=5": the field holds `factor` times as many registers where every group has its value. */
typedef struct wg_reg_rule {
  char field; /* 'A' a or address, 'B', 'C' c or store data, 'D' destination */
  uint8_t factor, num_cond;
  struct {
    const wg_mod_info_t *group;
    uint8_t value;
  } cond[2];
} wg_reg_rule_t;

enum { kWgMaxMods = 12, kWgMaxRules = 12 };

/** What the MODS and OPERANDS columns of one entry come to. */
typedef struct wg_op_facts {
  const wg_insn_info_t *info;            /* NULL if the opcode is undefined */
  const wg_mod_info_t *mods[kWgMaxMods]; /* written modifiers in print order */
  const wg_mark_info_t *marks[kWgMaxMods];
  uint8_t num_mods, num_marks;
  uint16_t mod_mask; /* modifier bits that have a meaning */
  uint64_t letters;  /* operand letters: bit c - 'A' */
  wg_reg_rule_t rules[kWgMaxRules];
  uint8_t num_rules;
  bool store, atomic; /* flags ST, ATM */
  wg_space_t space;   /* of a memory instruction; an opcode without entry: kWgSpaceNone */
} wg_op_facts_t;

/** All modifier groups in table order; `*n` = their number. */
const wg_mod_info_t *wg_mod_table(size_t *n);
const wg_mark_info_t *wg_mark_table(size_t *n);
/** Facts of an opcode; never NULL. */
const wg_op_facts_t *wg_op_facts(uint8_t opcode);
/** Does the instruction have operand letter `c` of the table's OPERANDS column? */
static inline bool wg_op_has(const wg_op_facts_t *f, char c) { return (f->letters >> (c - 'A') & 1u) != 0; }
/** Is `word` one of the words (separated by `sep`) of `list`? */
bool wg_list_has(const char *list, const char *word, char sep);
/** The last form (wg_form_t) that source b may have; 0 without b. */
unsigned wg_op_max_form(const wg_op_facts_t *f);
/** Registers that field `field` ('A', 'B', 'C', 'D') holds, if it is a register at all: the product of its rules. */
unsigned wg_op_field_regs(const wg_op_facts_t *f, char field, uint16_t mods);
/**
 * Name of modifier value `v`.
 * @param len length of the name, which is not NUL-terminated
 * @return NULL if the group has fewer names (groups of one name "#" or "*" hold plain numbers)
 */
const char *wg_mod_name(const wg_mod_info_t *m, unsigned v, size_t *len);
/** Is value `v` of the group defined? */
bool wg_mod_defined(const wg_mod_info_t *m, unsigned v);
/** Registers with their nominal counts, RZ included: what the alignment rule is checked on. */
wg_regset_t wg_insn_regs_raw(const wg_insn_t *in);

#ifdef __cplusplus
}
#endif
#endif
