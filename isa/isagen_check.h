// SPDX-License-Identifier: Apache-2.0
//
// Consistency of the instruction table, checked before anything is generated from it.
#ifndef WG_ISA_ISAGEN_CHECK_H
#define WG_ISA_ISAGEN_CHECK_H

#include "isa/wg_isa_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The three tables of isa.def: arrays and their lengths. */
typedef struct wg_isagen_tables {
  const wg_insn_info_t *insns;
  size_t num_insns;
  const wg_mod_info_t *mods;
  size_t num_mods;
  const wg_mark_info_t *marks;
  size_t num_marks;
} wg_isagen_tables_t;

/**
 * Refuse duplicate opcodes, ids and mnemonics; unknown operand letters; operands that share bits of the word;
 * unknown modifier names; modifiers of one instruction that overlap or leave the 16 bits; marks of an operand
 * that is not there; groups with more names than values.
 * @return kWgOk, or kWgBadInput with the entry's id in diag->msg
 */
WG_NODISCARD wg_status_t wg_isagen_check(const wg_isagen_tables_t *t, wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
