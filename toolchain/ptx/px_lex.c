// SPDX-License-Identifier: Apache-2.0
//
// Lexer. Words keep their dots ("ld.global.nc.f32", "%tid.x", ".visible"); the parser splits them.
#include <ctype.h>
#include <string.h>

#include "toolchain/ptx/px.h"

void wg_px_lex_start(wg_px_ctx_t *x, const char *text) {
  x->src = x->pos = x->line_start = text;
  x->line = 1;
  x->has_ahead = false;
  wg_px_next(x);
}

static uint32_t column(const wg_px_ctx_t *x) {
  size_t c = (size_t)(x->pos - x->line_start) + 1;
  return c > 100000 ? 100000 : (uint32_t)c;
}

static void newline(wg_px_ctx_t *x) {
  x->line++;
  x->line_start = x->pos + 1;
}

static void skip_blank(wg_px_ctx_t *x) {
  for (;;) {
    char c = *x->pos;
    if (c == '\n') {
      newline(x);
      x->pos++;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      x->pos++;
    } else if (c == '/' && x->pos[1] == '/') {
      while (*x->pos != '\0' && *x->pos != '\n') x->pos++;
    } else if (c == '/' && x->pos[1] == '*') {
      uint32_t line = x->line, col = column(x);
      x->pos += 2;
      while (*x->pos != '\0' && !(*x->pos == '*' && x->pos[1] == '/')) {
        if (*x->pos == '\n') newline(x);
        x->pos++;
      }
      if (*x->pos == '\0') wg_px_fail(x, kWgBadInput, line, col, "close it with */", "comment has no end");
      x->pos += 2;
    } else {
      return;
    }
  }
}

static bool word_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.'; }

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* 0f and 0d literals: exactly 8 or 16 hexadecimal digits. */
static bool lex_hex_float(wg_px_ctx_t *x, wg_px_token_t *t) {
  char k = x->pos[1];
  if (x->pos[0] != '0' || (k != 'f' && k != 'F' && k != 'd' && k != 'D')) return false;
  int want = k == 'f' || k == 'F' ? 8 : 16;
  uint64_t v = 0;
  for (int i = 0; i < want; i++) {
    int h = hex_digit(x->pos[2 + i]);
    if (h < 0) wg_px_fail(x, kWgBadInput, t->line, t->col, "", "float literal needs %d hexadecimal digits", want);
    v = v << 4 | (uint64_t)h;
  }
  t->kind = want == 8 ? kWgPxFloat32 : kWgPxFloat64;
  t->value = v;
  x->pos += 2 + want;
  return true;
}

static void lex_number(wg_px_ctx_t *x, wg_px_token_t *t) {
  if (lex_hex_float(x, t)) return;
  unsigned base = 10;
  const char *p = x->pos;
  if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
    base = 16;
    p += 2;
  } else if (p[0] == '0' && (p[1] == 'b' || p[1] == 'B')) {
    base = 2;
    p += 2;
  } else if (p[0] == '0' && isdigit((unsigned char)p[1])) {
    base = 8;
    p++;
  }
  uint64_t v = 0;
  unsigned digits = 0;
  for (; hex_digit(*p) >= 0 && (unsigned)hex_digit(*p) < base; p++, digits++) {
    uint64_t d = (uint64_t)hex_digit(*p);
    if (v > (UINT64_MAX - d) / base)
      wg_px_fail(x, kWgBadInput, t->line, t->col, "", "integer literal exceeds 64 bits");
    v = v * base + d;
  }
  if (*p == 'U') p++;
  if (digits == 0 || word_char(*p)) {
    wg_px_fail(x, kWgBadInput, t->line, t->col, "write floats as 0f or 0d with hexadecimal digits",
               "malformed number");
  }
  t->kind = kWgPxInt;
  t->value = v;
  x->pos = p;
}

static void lex_one(wg_px_ctx_t *x, wg_px_token_t *t) {
  skip_blank(x);
  memset(t, 0, sizeof *t);
  t->line = x->line;
  t->col = column(x);
  t->text = x->pos;
  char c = *x->pos;
  if (c == '\0') {
    t->kind = kWgPxEof;
  } else if (isdigit((unsigned char)c)) {
    lex_number(x, t);
  } else if (word_char(c)) {
    t->kind = kWgPxWord;
    while (word_char(*x->pos)) x->pos++;
  } else if (c == '"') {
    t->kind = kWgPxString;
    x->pos++;
    while (*x->pos != '"') {
      if (*x->pos == '\0' || *x->pos == '\n') wg_px_fail(x, kWgBadInput, t->line, t->col, "", "string has no end");
      if (*x->pos == '\\' && x->pos[1] != '\0' && x->pos[1] != '\n') x->pos++;
      x->pos++;
    }
    x->pos++;
  } else if (strchr("{}()[]<>,;:@!|+-=&*~^/?", c) != NULL) {
    t->kind = kWgPxPunct;
    t->punct = c;
    x->pos++;
  } else {
    wg_px_fail(x, kWgBadInput, t->line, t->col, "", "unexpected character 0x%02x", (unsigned char)c);
  }
  size_t len = (size_t)(x->pos - t->text);
  if (len > 4096) wg_px_fail(x, kWgBadInput, t->line, t->col, "", "token is longer than 4096 characters");
  t->len = (uint32_t)len;
}

void wg_px_next(wg_px_ctx_t *x) {
  if (x->has_ahead) {
    x->tok = x->ahead;
    x->has_ahead = false;
  } else {
    lex_one(x, &x->tok);
  }
}

const wg_px_token_t *wg_px_peek(wg_px_ctx_t *x) {
  if (!x->has_ahead) {
    lex_one(x, &x->ahead);
    x->has_ahead = true;
  }
  return &x->ahead;
}

bool wg_px_is(const wg_px_ctx_t *x, const char *word) {
  const wg_px_token_t *t = &x->tok;
  if (t->kind == kWgPxPunct) return word[0] == t->punct && word[1] == '\0';
  return t->kind == kWgPxWord && strlen(word) == t->len && memcmp(word, t->text, t->len) == 0;
}

bool wg_px_accept(wg_px_ctx_t *x, const char *word) {
  if (!wg_px_is(x, word)) return false;
  wg_px_next(x);
  return true;
}

void wg_px_expect(wg_px_ctx_t *x, const char *word) {
  if (wg_px_accept(x, word)) return;
  int len = x->tok.len > 40 ? 40 : (int)x->tok.len;
  if (x->tok.kind == kWgPxEof) {
    wg_px_fail(x, kWgBadInput, x->tok.line, x->tok.col, "", "expected '%s' before the end of the file", word);
  }
  wg_px_fail(x, kWgBadInput, x->tok.line, x->tok.col, "", "expected '%s' before '%.*s'", word, len, x->tok.text);
}
