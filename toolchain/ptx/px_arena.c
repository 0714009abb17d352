// SPDX-License-Identifier: Apache-2.0
//
// Memory and failure of one translation.
#include <string.h>

#include "toolchain/ptx/px.h"

enum { kChunk = 1 << 16 };

void *wg_px_alloc(wg_px_ctx_t *x, size_t n) {
  n = (n + 15u) & ~(size_t)15u;
  wg_px_chunk_t *c = x->arena;
  if (c == NULL || c->size - c->used < n) {
    size_t size = n > kChunk ? n : kChunk;
    c = calloc(1, sizeof *c + 16 + size);
    if (c == NULL) wg_px_fail(x, kWgNoSpace, 0, 0, "", "out of memory");
    c->size = size;
    c->next = x->arena;
    x->arena = c;
  }
  char *base = (char *)c + ((sizeof *c + 15u) & ~(size_t)15u);
  void *p = base + c->used;
  c->used += n;
  return p;
}

char *wg_px_strndup(wg_px_ctx_t *x, const char *s, size_t n) {
  char *p = wg_px_alloc(x, n + 1);
  memcpy(p, s, n);
  return p;
}

void wg_px_arena_free(wg_px_ctx_t *x) {
  while (x->arena != NULL) {
    wg_px_chunk_t *next = x->arena->next;
    free(x->arena);
    x->arena = next;
  }
}

void *wg_px_grow(wg_px_ctx_t *x, void *old, uint32_t n, uint32_t *cap, size_t elem) {
  if (n < *cap) return old;
  uint32_t cap2 = *cap == 0 ? 8 : *cap * 2;
  void *p = wg_px_alloc(x, cap2 * elem);
  if (n != 0) memcpy(p, old, n * elem);
  *cap = cap2;
  return p;
}

static void place(wg_px_ctx_t *x, uint32_t line, uint32_t col, const char *hint) {
  wg_diag_t *d = x->diag;
  if (d == NULL) return;
  snprintf(d->file, sizeof d->file, "%s", x->name);
  snprintf(d->hint, sizeof d->hint, "%s", hint == NULL ? "" : hint);
  d->line = line;
  d->col = col;
}

_Noreturn void wg_px_fail(wg_px_ctx_t *x, wg_status_t st, uint32_t line, uint32_t col, const char *hint,
                          const char *fmt, ...) {
  place(x, line, col, hint);
  if (x->diag != NULL) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(x->diag->msg, sizeof x->diag->msg, fmt, ap);
    va_end(ap);
  }
  x->status = st;
  longjmp(x->fail, 1);
}

_Noreturn void wg_px_fail_stmt(wg_px_ctx_t *x, wg_status_t st, const wg_px_stmt_t *s, const char *hint,
                               const char *fmt, ...) {
  place(x, s == NULL ? 0 : s->line, 0, hint);
  if (x->diag != NULL) {
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(x->diag->msg, sizeof x->diag->msg, fmt, ap);
    va_end(ap);
    size_t at = n < 0 ? 0 : (size_t)n;
    if (s != NULL && at < sizeof x->diag->msg - 8) {
      int len = s->text_len > 200 ? 200 : (int)s->text_len;
      char text[201];
      for (int i = 0; i < len; i++) text[i] = (unsigned char)s->text[i] < ' ' ? ' ' : s->text[i];
      text[len] = '\0';
      snprintf(x->diag->msg + at, sizeof x->diag->msg - at, " in '%s'", text);
    }
  }
  x->status = st;
  longjmp(x->fail, 1);
}
