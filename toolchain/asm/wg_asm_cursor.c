// SPDX-License-Identifier: Apache-2.0
#include "toolchain/asm/wg_asm_cursor.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

wg_status_t wg_asm_error(wg_asm_cursor_t *c, const char *at, const char *hint, const char *fmt, ...) {
  wg_diag_t *d = c->diag;
  if (d == NULL) return kWgBadInput;
  snprintf(d->file, sizeof d->file, "%s", c->file != NULL ? c->file : "");
  d->line = c->lineno;
  d->col = (unsigned)(at - c->line) + 1;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(d->msg, sizeof d->msg, fmt, ap);
  va_end(ap);
  snprintf(d->hint, sizeof d->hint, "%s", hint != NULL ? hint : "");
  return kWgBadInput;
}

void wg_asm_skip_space(wg_asm_cursor_t *c) {
  while (*c->p == ' ' || *c->p == '\t' || *c->p == '\r') c->p++;
}

bool wg_asm_at_end(wg_asm_cursor_t *c) {
  wg_asm_skip_space(c);
  char ch = *c->p;
  return ch == '\0' || ch == '\n' || ch == '#' || ch == ';' || (ch == '/' && c->p[1] == '/');
}

wg_status_t wg_asm_expect_end(wg_asm_cursor_t *c) {
  if (wg_asm_at_end(c)) {
    if (*c->p == ';') c->p++;
    if (*c->p == ';' || !wg_asm_at_end(c))
      return wg_asm_error(c, c->p, "one statement a line", "text after ';'");
    return kWgOk;
  }
  return wg_asm_error(c, c->p, "the operands end here", "unexpected text after the last operand");
}

bool wg_asm_take(wg_asm_cursor_t *c, char ch) {
  wg_asm_skip_space(c);
  if (*c->p != ch) return false;
  c->p++;
  return true;
}

wg_status_t wg_asm_expect(wg_asm_cursor_t *c, char ch) {
  if (wg_asm_take(c, ch)) return kWgOk;
  return wg_asm_error(c, c->p, NULL, "expected '%c'", ch);
}

size_t wg_asm_name_len(const char *p) {
  if (!isalpha((unsigned char)*p) && *p != '_' && *p != '$' && *p != '.') return 0;
  size_t n = 0;
  while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '$' || p[n] == '.') n++;
  return n;
}

wg_status_t wg_asm_u64(wg_asm_cursor_t *c, uint64_t *out) {
  wg_asm_skip_space(c);
  if (!isdigit((unsigned char)*c->p)) return wg_asm_error(c, c->p, NULL, "expected a number");
  bool hex = c->p[0] == '0' && (c->p[1] == 'x' || c->p[1] == 'X');
  if (hex && !isxdigit((unsigned char)c->p[2]))
    return wg_asm_error(c, c->p, NULL, "expected hexadecimal digits after 0x");
  char *end;
  errno = 0;
  unsigned long long v = strtoull(c->p, &end, hex ? 16 : 10);
  if (errno != 0) return wg_asm_error(c, c->p, NULL, "number exceeds 64 bits");
  if (isalnum((unsigned char)*end) || *end == '_')
    return wg_asm_error(c, end, NULL, "bad character '%c' in a number", *end);
  c->p = end;
  *out = v;
  return kWgOk;
}

wg_status_t wg_asm_int(wg_asm_cursor_t *c, int64_t lo, int64_t hi, int64_t *out) {
  wg_asm_skip_space(c);
  const char *at = c->p;
  bool neg = wg_asm_take(c, '-');
  uint64_t v;
  WG_TRY(wg_asm_u64(c, &v));
  if (v > INT64_MAX || (neg ? -(int64_t)v : (int64_t)v) < lo || (neg ? -(int64_t)v : (int64_t)v) > hi) {
    return wg_asm_error(c, at, NULL, "number must be between %lld and %lld", (long long)lo, (long long)hi);
  }
  *out = neg ? -(int64_t)v : (int64_t)v;
  return kWgOk;
}

/* Does the number at p contain a '.' or a decimal exponent? */
static bool looks_float(const char *p) {
  if (*p == '-') p++;
  if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) return false;
  size_t n = 0;
  while (isdigit((unsigned char)p[n])) n++;
  return n > 0 && (p[n] == '.' || p[n] == 'e' || p[n] == 'E');
}

wg_status_t wg_asm_imm32(wg_asm_cursor_t *c, uint32_t *out) {
  wg_asm_skip_space(c);
  if (c->p[0] == '0' && (c->p[1] == 'f' || c->p[1] == 'F')) {
    uint32_t v = 0;
    for (int i = 2; i < 10; i++) {
      int ch = tolower((unsigned char)c->p[i]);
      if (!isxdigit(ch)) return wg_asm_error(c, c->p, "as in 0f3F800000", "0f needs 8 hexadecimal digits");
      v = v << 4 | (uint32_t)(isdigit(ch) ? ch - '0' : ch - 'a' + 10);
    }
    if (isalnum((unsigned char)c->p[10]))
      return wg_asm_error(c, c->p, "as in 0f3F800000", "0f needs 8 hexadecimal digits");
    c->p += 10;
    *out = v;
    return kWgOk;
  }
  if (looks_float(c->p)) {
    char *end;
    float f = strtof(c->p, &end);
    if (isalnum((unsigned char)*end) || *end == '_')
      return wg_asm_error(c, end, NULL, "bad character '%c' in a number", *end);
    memcpy(out, &f, 4);
    c->p = end;
    return kWgOk;
  }
  int64_t v;
  WG_TRY(wg_asm_int(c, INT32_MIN, UINT32_MAX, &v));
  *out = (uint32_t)v;
  return kWgOk;
}
