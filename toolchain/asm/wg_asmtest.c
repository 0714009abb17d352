// SPDX-License-Identifier: Apache-2.0
#include "toolchain/asm/wg_asmtest.h"

#include <ctype.h>
#include <string.h>

#include "toolchain/asm/wg_asm_cursor.h"

enum { kMaxBytes = 1 << 20 };

typedef struct header {
  wg_asm_cursor_t c;
  wg_asmtest_t *t;
  bool expects;
} header_t;

static void *must(void *p) {
  WG_BUG(p == NULL);
  return p;
}

/* `#` starts a comment in assembly, so the end of a header value is the end of the line. */
static bool at_eol(header_t *h) {
  wg_asm_skip_space(&h->c);
  return *h->c.p == '\0' || *h->c.p == '\n';
}

static wg_status_t expect_eol(header_t *h) {
  if (at_eol(h)) return kWgOk;
  return wg_asm_error(&h->c, h->c.p, NULL, "unexpected text after the value");
}

static bool take_word(header_t *h, const char *w) {
  wg_asm_skip_space(&h->c);
  size_t n = strlen(w);
  if (strncmp(h->c.p, w, n) != 0 || isalnum((unsigned char)h->c.p[n]) || h->c.p[n] == '_') return false;
  h->c.p += n;
  return true;
}

static void store32(uint8_t *p, uint32_t v) {
  for (unsigned i = 0; i < 4; i++) p[i] = (uint8_t)(v >> 8 * i);
}

static uint32_t load32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* iota [*K] [+C|-C]: word i = i * K + C. */
static wg_status_t rule_iota(header_t *h, uint32_t *w, size_t n) {
  int64_t k = 1, c = 0;
  if (wg_asm_take(&h->c, '*')) WG_TRY(wg_asm_int(&h->c, INT32_MIN, UINT32_MAX, &k));
  wg_asm_skip_space(&h->c);
  if (*h->c.p == '+') h->c.p++;
  if (!at_eol(h)) WG_TRY(wg_asm_int(&h->c, INT32_MIN, UINT32_MAX, &c));
  for (size_t i = 0; i < n; i++) w[i] = (uint32_t)((int64_t)i * k + c);
  return kWgOk;
}

/* V [xN] ...: literal words; `*got` = how many. */
static wg_status_t rule_list(header_t *h, uint32_t *w, size_t n, size_t *got) {
  size_t i = 0;
  while (!at_eol(h)) {
    const char *at = h->c.p;
    uint32_t v;
    int64_t times = 1;
    WG_TRY(wg_asm_imm32(&h->c, &v));
    wg_asm_skip_space(&h->c);
    if (h->c.p[0] == 'x' && isdigit((unsigned char)h->c.p[1])) {
      h->c.p++;
      WG_TRY(wg_asm_int(&h->c, 1, kMaxBytes / 4, &times));
    }
    if ((size_t)times > n - i) return wg_asm_error(&h->c, at, NULL, "more words than the %zu there are", n);
    for (int64_t j = 0; j < times; j++) w[i++] = v;
  }
  *got = i;
  return kWgOk;
}

/* A rule fills w[0..n). `exact`: a plain list must have n words; otherwise the rest stays. */
static wg_status_t rule(header_t *h, uint32_t *w, size_t n, bool exact) {
  const char *at = h->c.p;
  size_t got = 0;
  if (take_word(h, "iota")) return rule_iota(h, w, n);
  if (take_word(h, "fill")) {
    uint32_t v;
    WG_TRY(wg_asm_imm32(&h->c, &v));
    for (size_t i = 0; i < n; i++) w[i] = v;
    return kWgOk;
  }
  bool repeat = take_word(h, "repeat");
  WG_TRY(rule_list(h, w, n, &got));
  if (got == 0) return wg_asm_error(&h->c, at, "iota*K+C, fill V, repeat V.. or words", "expected a rule");
  if (repeat) {
    for (size_t i = got; i < n; i++) w[i] = w[i - got];
  } else if (exact && got != n) {
    return wg_asm_error(&h->c, at, "write 'V xN' for N equal words", "%zu words given for %zu", got, n);
  }
  return kWgOk;
}

static wg_status_t key_dim(header_t *h, uint32_t dim[3]) {
  for (unsigned i = 0; i < 3 && !(i > 0 && at_eol(h)); i++) {
    int64_t v;
    WG_TRY(wg_asm_int(&h->c, 1, 65535, &v));
    dim[i] = (uint32_t)v;
  }
  return kWgOk;
}

static int find_buffer(const wg_asmtest_t *t, const char *name, size_t len) {
  for (size_t i = 0; i < t->num_buffers; i++) {
    if (strlen(t->buffers[i].name) == len && memcmp(t->buffers[i].name, name, len) == 0) return (int)i;
  }
  return -1;
}

/* Place the next parameter at its natural alignment. */
static void add_param(wg_asmtest_t *t, uint32_t size, int buffer, uint64_t value) {
  uint32_t end =
      t->num_params == 0 ? 0 : t->params[t->num_params - 1].offset + t->params[t->num_params - 1].size;
  t->params = must(realloc(t->params, (t->num_params + 1) * sizeof *t->params));
  t->params[t->num_params++] = (wg_asmtest_param_t){(end + size - 1) / size * size, size, buffer, value};
}

/* buffer: NAME BYTES [rule] */
static wg_status_t key_buffer(header_t *h) {
  wg_asmtest_t *t = h->t;
  wg_asm_skip_space(&h->c);
  const char *at = h->c.p;
  size_t n = 0;
  while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
  if (n == 0 || n >= sizeof t->buffers->name)
    return wg_asm_error(&h->c, at, NULL, "expected a buffer name of 1 to 31 letters");
  if (find_buffer(t, at, n) >= 0)
    return wg_asm_error(&h->c, at, NULL, "buffer '%.*s' is there twice", (int)n, at);
  if (t->num_params > t->num_buffers)
    return wg_asm_error(&h->c, at, NULL, "buffers come before 'param' lines");
  h->c.p += n;
  int64_t bytes;
  wg_asm_skip_space(&h->c);
  const char *size_at = h->c.p;
  WG_TRY(wg_asm_int(&h->c, 4, kMaxBytes, &bytes));
  if (bytes % 4 != 0) return wg_asm_error(&h->c, size_at, NULL, "the size is in bytes, a multiple of 4");
  t->buffers = must(realloc(t->buffers, (t->num_buffers + 1) * sizeof *t->buffers));
  wg_asmtest_buffer_t *b = &t->buffers[t->num_buffers];
  memset(b, 0, sizeof *b);
  memcpy(b->name, at, n);
  b->bytes = (uint32_t)bytes;
  b->init = must(calloc((size_t)bytes, 1));
  b->expect = must(calloc((size_t)bytes / 4, sizeof *b->expect));
  b->any = must(calloc((size_t)bytes / 4, 1));
  add_param(t, 8, (int)t->num_buffers++, 0);
  if (!at_eol(h) && !take_word(h, "zero")) WG_TRY(rule(h, b->expect, (size_t)bytes / 4, false));
  for (size_t i = 0; i < (size_t)bytes / 4; i++) store32(b->init + 4 * i, b->expect[i]);
  return kWgOk;
}

/* param: u32 V | u64 V */
static wg_status_t key_param(header_t *h) {
  uint32_t v32;
  uint64_t v64;
  if (take_word(h, "u32")) {
    WG_TRY(wg_asm_imm32(&h->c, &v32));
    add_param(h->t, 4, -1, v32);
    return kWgOk;
  }
  if (!take_word(h, "u64")) return wg_asm_error(&h->c, h->c.p, "u32 or u64", "expected a parameter type");
  WG_TRY(wg_asm_u64(&h->c, &v64));
  add_param(h->t, 8, -1, v64);
  return kWgOk;
}

/* expect: NAME[i..j] = rule; init: the same for the contents before the launch */
static wg_status_t key_words(header_t *h, bool init) {
  wg_asm_cursor_t *c = &h->c;
  wg_asm_skip_space(c);
  const char *at = c->p;
  size_t n = 0;
  while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
  int b = find_buffer(h->t, at, n);
  if (b < 0)
    return wg_asm_error(c, at, "declare it before with '# buffer:'", "unknown buffer '%.*s'", (int)n, at);
  c->p += n;
  wg_asmtest_buffer_t *buf = &h->t->buffers[b];
  int64_t lo = 0, hi = buf->bytes / 4 - 1;
  if (wg_asm_take(c, '[')) {
    WG_TRY(wg_asm_int(c, 0, hi, &lo));
    if (wg_asm_take(c, '.')) {
      WG_TRY(wg_asm_expect(c, '.'));
      WG_TRY(wg_asm_int(c, lo, hi, &hi));
    } else {
      hi = lo;
    }
    WG_TRY(wg_asm_expect(c, ']'));
  }
  WG_TRY(wg_asm_expect(c, '='));
  size_t count = (size_t)(hi - lo + 1);
  if (init) {
    WG_TRY(rule(h, buf->expect + lo, count, true));
    for (int64_t i = lo; i <= hi; i++) store32(buf->init + 4 * i, buf->expect[i]);
    return kWgOk;
  }
  h->expects = true;
  bool any = take_word(h, "any");
  memset(buf->any + lo, any, count);
  return any ? kWgOk : rule(h, buf->expect + lo, count, true);
}

/* expect-fault: CUDA [pc=0x..] */
static wg_status_t key_fault(header_t *h) {
  int64_t v;
  WG_TRY(wg_asm_int(&h->c, 700, 799, &v));
  h->t->outcome = kWgAsmtestFault;
  h->t->fault_cuda = (unsigned)v;
  h->expects = true;
  if (!take_word(h, "pc")) return kWgOk;
  WG_TRY(wg_asm_expect(&h->c, '='));
  WG_TRY(wg_asm_int(&h->c, 0, UINT32_MAX, &v));
  h->t->has_pc = true;
  h->t->fault_pc = (uint32_t)v;
  return kWgOk;
}

/* The rest of the line, as it is. */
static wg_status_t key_text(header_t *h, char *out, size_t room, const char *like, const char *what) {
  const char *p = h->c.p;
  while (*p == ' ') p++;
  size_t n = strcspn(p, "\n");
  if (n == 0u || n >= room) return wg_asm_error(&h->c, p, like, "no %s, or too long", what);
  memcpy(out, p, n);
  h->c.p = p + n;
  return kWgOk;
}

static wg_status_t key(header_t *h, const char *at, size_t n) {
  int64_t v;
#define IS(s) (n == sizeof(s) - 1 && memcmp(at, s, n) == 0)
  if (IS("grid")) return key_dim(h, h->t->grid);
  if (IS("block")) return key_dim(h, h->t->block);
  if (IS("buffer")) return key_buffer(h);
  if (IS("param")) return key_param(h);
  if (IS("init") && h->expects)
    return wg_asm_error(&h->c, at, NULL, "'init' lines come before 'expect' lines");
  if (IS("init") || IS("expect")) return key_words(h, at[0] == 'i');
  if (IS("expect-fault")) return key_fault(h);
  if (IS("expect-message"))
    return key_text(h, h->t->fault_text, sizeof h->t->fault_text, "as 12: trap in kernel 'k', ...", "message");
  if (IS("settings"))
    return key_text(h, h->t->settings, sizeof h->t->settings, "as diverge=its split=h200", "settings");
  if (IS("shared")) {
    WG_TRY(wg_asm_int(&h->c, 0, 262144, &v));
    h->t->dyn_shared = (uint32_t)v;
    return kWgOk;
  }
  if (IS("expect-hang")) {
    h->t->outcome = kWgAsmtestHang;
    h->expects = true;
    return kWgOk;
  }
#undef IS
  return wg_asm_error(&h->c, at, "grid block shared settings buffer init param expect expect-fault expect-message expect-hang",
                      "unknown key '%.*s'", (int)n, at);
}

/* `# key: value` at the start of a line. A key is lower-case letters and '-'; other comments have a space
   before the colon or start with a capital. */
static wg_status_t header_line(header_t *h) {
  const char *p = h->c.line;
  if (p[0] != '#' || p[1] != ' ') return kWgOk;
  const char *at = p + 2;
  size_t n = 0;
  while (islower((unsigned char)at[n]) || at[n] == '-') n++;
  bool bare = n == 11 && memcmp(at, "expect-hang", 11) == 0;
  if (n == 0 || (at[n] != ':' && !bare)) return kWgOk;
  h->c.p = at + n + (at[n] == ':' ? 1 : 0);
  WG_TRY(key(h, at, n));
  return expect_eol(h);
}

wg_status_t wg_asmtest_parse(const char *text, const char *name, wg_asmtest_t **out, wg_diag_t *diag) {
  header_t h = {.t = must(calloc(1, sizeof *h.t))};
  h.c = (wg_asm_cursor_t){.file = name, .diag = diag};
  for (unsigned i = 0; i < 3; i++) h.t->grid[i] = h.t->block[i] = 1;
  wg_status_t st = kWgOk;
  for (const char *line = text; *line != '\0' && st == kWgOk;) {
    h.c.line = h.c.p = line;
    h.c.lineno++;
    st = header_line(&h);
    const char *nl = strchr(line, '\n');
    line = nl != NULL ? nl + 1 : line + strlen(line);
  }
  if (st == kWgOk && !h.expects) {
    h.c.line = h.c.p = text;
    h.c.lineno = 1;
    st = wg_asm_error(&h.c, text, "add '# expect:', '# expect-fault:' or '# expect-hang'",
                      "the program expects nothing");
  }
  if (st != kWgOk) {
    wg_asmtest_free(h.t);
    return st;
  }
  *out = h.t;
  return kWgOk;
}

void wg_asmtest_free(wg_asmtest_t *t) {
  if (t == NULL) return;
  for (size_t i = 0; i < t->num_buffers; i++) {
    free(t->buffers[i].init);
    free(t->buffers[i].expect);
    free(t->buffers[i].any);
  }
  free(t->buffers);
  free(t->params);
  free(t);
}

wg_status_t wg_asmtest_check(const wg_asmtest_t *t, size_t b, const uint8_t *bytes, wg_diag_t *diag) {
  const wg_asmtest_buffer_t *buf = &t->buffers[b];
  for (size_t i = 0; i < buf->bytes / 4; i++) {
    uint32_t got = load32(bytes + 4 * i);
    if (buf->any[i] != 0 || got == buf->expect[i]) continue;
    return wg_fail(diag, kWgMismatch, "%s[%zu] is 0x%08x, expected 0x%08x", buf->name, i, got,
                   buf->expect[i]);
  }
  return kWgOk;
}
