// SPDX-License-Identifier: Apache-2.0
//
// Assembler and disassembler over the instruction table. Syntax: toolchain/asm/README.md.
#ifndef WG_TOOLCHAIN_ASM_H
#define WG_TOOLCHAIN_ASM_H

#include "toolchain/obj/wg_obj.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Assemble a file's text (kernels, directives, labels). Errors name file, line and column. */
WG_NODISCARD wg_status_t wg_asm_text(const char *text, const char *name, wg_obj_t **out, wg_diag_t *diag);
/** Assemble one instruction without labels. */
WG_NODISCARD wg_status_t wg_asm_insn(const char *text, wg_insn_t *out, wg_diag_t *diag);
/**
 * Write one instruction as text that the assembler reads back to the same word.
 * @param pc byte offset of the word, for branch targets (printed as absolute addresses, `0x..`)
 * @return length written, as snprintf; undefined words become ".word 0x<hi>, 0x<lo>"
 */
int wg_dis_insn(wg_word_t w, uint32_t pc, char *buf, size_t n);
/**
 * Write a whole object as text that wg_asm_text reads back to the same words, resources, parameters, source lines and
 * constant banks. What the assembler has no directive for (names of variables, PTX, .reqntid) is not written.
 */
void wg_dis_plain(const wg_obj_t *o, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
