// SPDX-License-Identifier: Apache-2.0
//
// A place in assembly text, and the small parsers on it. Private to toolchain/asm.
#ifndef WG_TOOLCHAIN_ASM_CURSOR_H
#define WG_TOOLCHAIN_ASM_CURSOR_H

#include "isa/wg_isa.h"

/** Label lookup: address of `name` (length `len`) in the code window; false if there is none. */
typedef bool (*wg_asm_label_t)(void *ctx, const char *name, size_t len, uint32_t *pc);

typedef struct wg_asm_cursor {
  const char *line; /* first character of the line */
  const char *p;    /* next character; a line ends at NUL or '\n' */
  const char *file; /* for messages, may be NULL */
  unsigned lineno;
  uint32_t pc; /* of the instruction on this line */
  wg_asm_label_t label;
  void *label_ctx;
  wg_diag_t *diag;
} wg_asm_cursor_t;

/** Fill the diag with the place of `at` and return kWgBadInput. */
wg_status_t wg_asm_error(wg_asm_cursor_t *c, const char *at, const char *hint, const char *fmt, ...)
    WG_PRINTF(4, 5);
void wg_asm_skip_space(wg_asm_cursor_t *c);
/** At the end of the statement (end of line, comment or ';')? Skips space first. */
bool wg_asm_at_end(wg_asm_cursor_t *c);
/** Nothing but a comment may follow. */
wg_status_t wg_asm_expect_end(wg_asm_cursor_t *c);
/** Take `ch` if it is next. */
bool wg_asm_take(wg_asm_cursor_t *c, char ch);
wg_status_t wg_asm_expect(wg_asm_cursor_t *c, char ch);
/** Length of the name (letters, digits, '_', '$', '.') at p; 0 if none. */
size_t wg_asm_name_len(const char *p);
/** Unsigned or negative integer, decimal or 0x; lo <= value <= hi or an error. */
wg_status_t wg_asm_int(wg_asm_cursor_t *c, int64_t lo, int64_t hi, int64_t *out);
/** A 64-bit hexadecimal or decimal number. */
wg_status_t wg_asm_u64(wg_asm_cursor_t *c, uint64_t *out);
/** 32-bit immediate: integer, float (1.0, -2.5e3) or 0f with 8 hex digits. */
wg_status_t wg_asm_imm32(wg_asm_cursor_t *c, uint32_t *out);
/** One instruction up to the end of the statement. */
wg_status_t wg_asm_parse_insn(wg_asm_cursor_t *c, wg_insn_t *out);

#endif
