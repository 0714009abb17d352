// SPDX-License-Identifier: Apache-2.0
//
// A file of assembly text: kernels, directives, labels. Two passes over the lines: the first counts words and
// finds the labels, the second assembles.
#include "toolchain/asm/wg_asm.h"

#include <ctype.h>
#include <string.h>

#include "isa/wg_cfg.h"
#include "isa/wg_isa_table.h"
#include "toolchain/asm/wg_asm_cursor.h"

typedef struct label {
  const char *name; /* in the text */
  size_t len, kernel;
  uint32_t pc; /* from the kernel's start */
} label_t;

typedef struct assembler {
  wg_asm_cursor_t c;
  wg_obj_t *o;
  label_t *labels;
  size_t num_labels;
  int bank;      /* 2, 3: data directives go there; 0: code */
  bool emit;     /* second pass */
  size_t kernel; /* current, valid if in_kernel */
  bool in_kernel;
  uint32_t pc;                 /* from the kernel's start */
  uint32_t base;               /* of the kernel in the code window */
  uint32_t cur_file, cur_line; /* from .line; cur_line 0: the assembly's own lines */
  bool regs_given, barriers_given;
} assembler_t;

/* Room for one more element; capacities are powers of two. */
static void *grow(void *p, size_t n, size_t size) {
  if ((n & (n - 1)) != 0) return p;
  void *q = realloc(p, (n == 0 ? 1 : 2 * n) * size);
  WG_BUG(q == NULL);
  return q;
}

static char *copy_name(const char *p, size_t n) {
  char *s = malloc(n + 1);
  WG_BUG(s == NULL);
  memcpy(s, p, n);
  s[n] = '\0';
  return s;
}

static bool find_label(void *ctx, const char *name, size_t len, uint32_t *pc) {
  assembler_t *a = ctx;
  for (size_t i = 0; i < a->num_labels; i++) {
    label_t *l = &a->labels[i];
    if (l->kernel != a->kernel || l->len != len || memcmp(l->name, name, len) != 0) continue;
    *pc = a->base + l->pc;
    return true;
  }
  return false;
}

static wg_status_t add_label(assembler_t *a, const char *name, size_t len) {
  uint32_t pc;
  if (!a->in_kernel) return wg_asm_error(&a->c, name, "start one with .kernel", "label outside a kernel");
  if (a->emit) return kWgOk;
  if (find_label(a, name, len, &pc))
    return wg_asm_error(&a->c, name, NULL, "label '%.*s' is there twice", (int)len, name);
  a->labels = grow(a->labels, a->num_labels, sizeof *a->labels);
  a->labels[a->num_labels++] = (label_t){name, len, a->kernel, a->pc};
  return kWgOk;
}

static wg_obj_kernel_t *kernel_of(assembler_t *a) { return &a->o->kernels[a->kernel]; }

static wg_status_t start_kernel(assembler_t *a) {
  wg_asm_skip_space(&a->c);
  const char *at = a->c.p;
  size_t n = wg_asm_name_len(at);
  if (n == 0) return wg_asm_error(&a->c, at, NULL, "expected a kernel name");
  a->c.p += n;
  a->kernel = a->in_kernel || a->kernel != 0 ? a->kernel + 1 : 0;
  a->in_kernel = true;
  a->bank = 0;
  a->pc = 0;
  a->regs_given = a->barriers_given = false;
  if (!a->emit) {
    char *name = copy_name(at, n);
    if (wg_obj_find(a->o, name, NULL) != NULL) {
      free(name);
      return wg_asm_error(&a->c, at, NULL, "kernel '%.*s' is there twice", (int)n, at);
    }
    a->o->kernels = grow(a->o->kernels, a->o->num_kernels, sizeof *a->o->kernels);
    a->o->kernels[a->o->num_kernels++] = (wg_obj_kernel_t){.name = name, .max_threads = 1024};
  }
  a->base = wg_obj_kernel_pc(a->o, a->kernel);
  return kWgOk;
}

/* ---- directives ---- */

static wg_status_t dir_number(assembler_t *a, int64_t lo, int64_t hi, uint32_t *to) {
  int64_t v;
  WG_TRY(wg_asm_int(&a->c, lo, hi, &v));
  if (!a->emit) *to = (uint32_t)v;
  return kWgOk;
}

static wg_status_t dir_param(assembler_t *a) {
  int64_t size, align;
  const char *at = a->c.p;
  WG_TRY(wg_asm_int(&a->c, 1, 32764, &size));
  align = size;
  if (wg_asm_take(&a->c, ',')) WG_TRY(wg_asm_int(&a->c, 1, 16, &align));
  if (align > 16 || (align & (align - 1)) != 0) {
    return wg_asm_error(&a->c, at, ".param size, align", "alignment must be 1, 2, 4, 8 or 16");
  }
  if (a->emit) return kWgOk;
  wg_obj_kernel_t *k = kernel_of(a);
  uint32_t end =
      k->num_params == 0 ? 0 : k->params[k->num_params - 1].offset + k->params[k->num_params - 1].size;
  uint32_t off = (end + (uint32_t)align - 1) / (uint32_t)align * (uint32_t)align;
  if (off + (uint32_t)size > 32764) return wg_asm_error(&a->c, at, NULL, "parameters exceed 32764 bytes");
  k->params = grow(k->params, k->num_params, sizeof *k->params);
  k->params[k->num_params++] = (wg_obj_param_t){off, (uint32_t)size, (uint32_t)align};
  return kWgOk;
}

static wg_status_t data_byte(assembler_t *a, const char *at, uint8_t v) {
  uint8_t **p = a->bank == 2 ? &a->o->const2 : &a->o->const3;
  size_t *n = a->bank == 2 ? &a->o->const2_size : &a->o->const3_size;
  if (a->emit) return kWgOk;
  if (*n == 65536) return wg_asm_error(&a->c, at, NULL, "constant bank %d exceeds 64 KiB", a->bank);
  *p = grow(*p, *n, 1);
  (*p)[(*n)++] = v;
  return kWgOk;
}

static wg_status_t dir_data(assembler_t *a, unsigned bytes) {
  do {
    wg_asm_skip_space(&a->c);
    const char *at = a->c.p;
    uint32_t v;
    WG_TRY(wg_asm_imm32(&a->c, &v));
    if (bytes == 1 && v > 255 && v < 0xffffff80)
      return wg_asm_error(&a->c, at, NULL, "number does not fit a byte");
    for (unsigned i = 0; i < bytes; i++) WG_TRY(data_byte(a, at, (uint8_t)(v >> 8 * i)));
  } while (wg_asm_take(&a->c, ','));
  return kWgOk;
}

static uint32_t file_index(assembler_t *a, const char *name, size_t n) {
  for (size_t i = 0; i < a->o->num_files; i++) {
    if (strlen(a->o->files[i]) == n && memcmp(a->o->files[i], name, n) == 0) return (uint32_t)i;
  }
  a->o->files = grow(a->o->files, a->o->num_files, sizeof *a->o->files);
  a->o->files[a->o->num_files] = copy_name(name, n);
  return (uint32_t)a->o->num_files++;
}

/* .line "file" number: source place of the words that follow. */
static wg_status_t dir_line(assembler_t *a) {
  bool quoted = wg_asm_take(&a->c, '"');
  wg_asm_skip_space(&a->c);
  const char *at = a->c.p;
  size_t n = 0;
  while (at[n] != '\0' && at[n] != '\n' && at[n] != '"' && (quoted || !isspace((unsigned char)at[n]))) n++;
  if (n == 0) return wg_asm_error(&a->c, at, ".line \"a.cu\" 12", "expected a file name");
  a->c.p += n;
  if (quoted) WG_TRY(wg_asm_expect(&a->c, '"'));
  int64_t line;
  WG_TRY(wg_asm_int(&a->c, 1, UINT32_MAX, &line));
  a->cur_file = file_index(a, at, n);
  a->cur_line = (uint32_t)line;
  return kWgOk;
}

static void add_line(assembler_t *a) {
  wg_obj_t *o = a->o;
  uint32_t file = a->cur_line != 0 ? a->cur_file : 0, line = a->cur_line != 0 ? a->cur_line : a->c.lineno;
  if (o->num_lines != 0) {
    wg_obj_line_t *l = &o->lines[o->num_lines - 1];
    if (l->file == file && l->line == line) return;
  }
  o->lines = grow(o->lines, o->num_lines, sizeof *o->lines);
  o->lines[o->num_lines++] = (wg_obj_line_t){a->base + a->pc, file, line};
}

static void add_word(assembler_t *a, wg_word_t w) {
  wg_obj_kernel_t *k = kernel_of(a);
  if (a->emit) {
    add_line(a);
    k->code[a->pc / kWgInsnBytes] = w;
  } else {
    k->num_insns++;
  }
  a->pc += kWgInsnBytes;
}

static wg_status_t dir_word(assembler_t *a) {
  if (a->bank != 0) return dir_data(a, 4);
  wg_word_t w;
  WG_TRY(wg_asm_u64(&a->c, &w.hi));
  WG_TRY(wg_asm_expect(&a->c, ','));
  WG_TRY(wg_asm_u64(&a->c, &w.lo));
  add_word(a, w);
  return kWgOk;
}

static wg_status_t kernel_directive(assembler_t *a, const char *at, size_t n, bool *known) {
  static const struct {
    const char *name;
    int64_t lo, hi;
    size_t offset;
  } kNumbers[] = {{".regs", 1, 255, offsetof(wg_obj_kernel_t, regs)},
                  {".shared", 0, (1 << 19) - 1, offsetof(wg_obj_kernel_t, shared_bytes)},
                  {".local", 0, (1 << 18) - 1, offsetof(wg_obj_kernel_t, local_bytes)},
                  {".barriers", 0, 16, offsetof(wg_obj_kernel_t, barriers)},
                  {".maxthreads", 1, 1024, offsetof(wg_obj_kernel_t, max_threads)}};
  for (size_t i = 0; i < sizeof kNumbers / sizeof kNumbers[0]; i++) {
    if (strlen(kNumbers[i].name) != n || memcmp(kNumbers[i].name, at, n) != 0) continue;
    *known = true;
    if (!a->in_kernel)
      return wg_asm_error(&a->c, at, "start one with .kernel", "'%.*s' outside a kernel", (int)n, at);
    if (i == 0) a->regs_given = true;
    if (i == 3) a->barriers_given = true;
    return dir_number(a, kNumbers[i].lo, kNumbers[i].hi,
                      (uint32_t *)((char *)kernel_of(a) + kNumbers[i].offset));
  }
  *known = n == 6 && memcmp(at, ".param", n) == 0;
  if (!*known) return kWgOk;
  if (!a->in_kernel) return wg_asm_error(&a->c, at, "start one with .kernel", "'.param' outside a kernel");
  return dir_param(a);
}

static wg_status_t directive(assembler_t *a) {
  const char *at = a->c.p;
  size_t n = wg_asm_name_len(at);
  a->c.p += n;
#define IS(s) (n == sizeof(s) - 1 && memcmp(at, s, n) == 0)
  bool known = false;
  WG_TRY(kernel_directive(a, at, n, &known));
  if (known) return kWgOk;
  if (IS(".kernel")) return start_kernel(a);
  if (IS(".line")) return dir_line(a);
  if (IS(".const2") || IS(".const3")) {
    a->bank = at[6] - '0';
    return kWgOk;
  }
  if (IS(".text")) {
    a->bank = 0;
    return kWgOk;
  }
  if (IS(".byte") && a->bank != 0) return dir_data(a, 1);
  if (IS(".word") && (a->bank != 0 || a->in_kernel)) return dir_word(a);
  if (IS(".byte") || IS(".word"))
    return wg_asm_error(&a->c, at, "start with .const3 or .kernel", "data outside a bank");
#undef IS
  return wg_asm_error(
      &a->c, at,
      ".kernel .regs .shared .local .barriers .maxthreads .param .const2 .const3 .byte .word .text .line",
      "unknown directive '%.*s'", (int)(n < 40 ? n : 40), at);
}

/* Registers and barriers that the words use, where no directive says more. */
static void note_use(assembler_t *a, const wg_insn_t *in) {
  wg_obj_kernel_t *k = kernel_of(a);
  wg_regset_t r = wg_insn_regs(in);
  for (unsigned i = 0; i < 5 && !a->regs_given; i++) {
    uint32_t end = (uint32_t)r.first[i] + r.count[i];
    if (r.count[i] != 0 && end > k->regs) k->regs = end;
  }
  if (in->op == kWgOp_BAR && !a->barriers_given) {
    uint32_t b = in->form == kWgFormReg ? kWgBarriers : (in->imm & 15) + 1;
    if (b > k->barriers) k->barriers = b;
  }
}

static wg_status_t statement(assembler_t *a) {
  wg_asm_cursor_t *c = &a->c;
  for (;;) {
    if (wg_asm_at_end(c)) return kWgOk;
    size_t n = wg_asm_name_len(c->p);
    if (n == 0 || c->p[n] != ':') break;
    WG_TRY(add_label(a, c->p, n));
    c->p += n + 1;
  }
  if (*c->p == '.') {
    WG_TRY(directive(a));
    return wg_asm_expect_end(c);
  }
  if (!a->in_kernel)
    return wg_asm_error(c, c->p, "start one with .kernel NAME", "instruction outside a kernel");
  if (a->bank != 0)
    return wg_asm_error(c, c->p, "go back to code with .text", "instruction in constant bank %d", a->bank);
  if (!a->emit) {
    add_word(a, (wg_word_t){0, 0});
    return kWgOk;
  }
  c->pc = a->base + a->pc;
  wg_insn_t in;
  WG_TRY(wg_asm_parse_insn(c, &in));
  note_use(a, &in);
  add_word(a, wg_encode(&in));
  return kWgOk;
}

static wg_status_t pass(assembler_t *a, const char *text) {
  a->kernel = 0;
  a->in_kernel = false;
  a->bank = 0;
  a->cur_line = 0;
  a->c.lineno = 0;
  for (const char *line = text; *line != '\0';) {
    a->c.line = a->c.p = line;
    a->c.lineno++;
    WG_TRY(statement(a));
    const char *nl = strchr(line, '\n');
    line = nl != NULL ? nl + 1 : line + strlen(line);
  }
  return kWgOk;
}

static wg_status_t prepare_code(assembler_t *a) {
  if (a->o->num_kernels == 0) {
    a->c.line = a->c.p = "";
    a->c.lineno = 0;
    return wg_asm_error(&a->c, a->c.p, "start one with .kernel NAME", "no kernel in the file");
  }
  for (size_t i = 0; i < a->o->num_kernels; i++) {
    wg_obj_kernel_t *k = &a->o->kernels[i];
    if (k->num_insns == 0) {
      return wg_asm_error(&a->c, a->c.p, NULL, "kernel '%s' has no instructions", k->name);
    }
    k->code = calloc(k->num_insns, sizeof *k->code);
    WG_BUG(k->code == NULL);
  }
  return kWgOk;
}

/* What ends a kernel's text must not fall through to whatever lies behind it. */
static wg_status_t check_ends(const assembler_t *a, wg_diag_t *diag) {
  for (size_t i = 0; i < a->o->num_kernels; i++) {
    const wg_obj_kernel_t *k = &a->o->kernels[i];
    wg_insn_t in;
    if (wg_decode(k->code[k->num_insns - 1], &in) != kWgOk) continue; /* a .word says what it likes */
    bool always = in.guard == kWgPT && !in.guard_not;
    if (always && (in.op == kWgOp_EXIT || in.op == kWgOp_BRA || in.op == kWgOp_TRAP || in.op == kWgOp_RET || in.op == kWgOp_BRX)) continue;
    const char *file = NULL;
    unsigned line = 0;
    memset(diag, 0, sizeof *diag);
    if (wg_obj_line_of(a->o, wg_obj_kernel_pc(a->o, i) + (k->num_insns - 1) * (uint32_t)kWgInsnBytes, &file, &line)) {
      snprintf(diag->file, sizeof diag->file, "%s", file);
      diag->line = line;
      diag->col = 1;
    }
    snprintf(diag->hint, sizeof diag->hint, "end it with EXIT, or with a BRA or TRAP without a guard");
    return wg_fail(diag, kWgBadInput, "kernel '%s': control runs off the end", k->name);
  }
  return kWgOk;
}

wg_status_t wg_asm_text(const char *text, const char *name, wg_obj_t **out, wg_diag_t *diag) {
  assembler_t a = {.o = wg_obj_new()};
  a.c = (wg_asm_cursor_t){.file = name, .label = find_label, .label_ctx = &a, .diag = diag};
  file_index(&a, name, strlen(name));
  wg_status_t st = pass(&a, text);
  if (st == kWgOk) st = prepare_code(&a);
  a.emit = true;
  if (st == kWgOk) st = pass(&a, text);
  wg_diag_t scratch;
  if (st == kWgOk) st = check_ends(&a, diag != NULL ? diag : &scratch);
  free(a.labels);
  if (st != kWgOk) {
    wg_obj_free(a.o);
    return st;
  }
  for (size_t i = 0; i < a.o->num_kernels; i++) {
    if (a.o->kernels[i].regs == 0) a.o->kernels[i].regs = 1;
  }
  *out = a.o;
  return kWgOk;
}
