// SPDX-License-Identifier: Apache-2.0
//
// Places of breakpoints: where a line or a kernel is in the code of the modules, and whether a place exists at all.
#include <string.h>

#include "cosim/debug/debug_int.h"
#include "cosim/session_words.h"
#include "toolchain/obj/wg_demangle.h"

enum { kNames = 64, kNameLen = 96 };

static void add_place(dbg_break_t *b, uint64_t code, uint32_t pc) {
  if (b->places == (unsigned)kDbgPlaces) return;
  b->at[b->places].code = code;
  b->at[b->places++].pc = pc;
}

/* "convolve_v1" is "_Z11convolve_v1iPKfPf" and "convolve_v1(int, float const*, float*)". */
static bool names(const char *mangled, const char *name) {
  char plain[160];
  if (strcmp(mangled, name) == 0) return true;
  wg_demangle(mangled, plain, sizeof plain);
  const char *at = strncmp(plain, "void ", 5) == 0 ? plain + 5 : plain; /* templates say what they return */
  size_t n = strlen(name);
  return strncmp(at, name, n) == 0 && (at[n] == '\0' || at[n] == '(' || at[n] == '<');
}

/* "x.cu" is ".../x.cu", and "a/x.cu" is ".../a/x.cu". */
static bool is_file(const char *path, const char *name) {
  size_t p = strlen(path), n = strlen(name);
  return n <= p && strcmp(path + p - n, name) == 0 && (n == p || path[p - n - 1] == '/' || n == 0);
}

/* The lowest pc of the line in each kernel: one stop each time that a warp passes. */
static void resolve_line(dbg_break_t *b, const wg_obj_t *o, uint64_t code) {
  for (size_t k = 0; k < o->num_kernels; k++) {
    uint32_t from = wg_obj_kernel_pc(o, k), to = from + o->kernels[k].num_insns * (uint32_t)kWgInsnBytes;
    for (size_t i = 0; i < o->num_lines; i++) {
      const wg_obj_line_t *l = &o->lines[i];
      if (l->pc < from || l->pc >= to || l->line != b->value || l->file >= o->num_files ||
          !is_file(o->files[l->file], b->name)) continue;
      add_place(b, code, l->pc);
      break;
    }
  }
}

void dbg_place_find(const wg_debug_t *d, dbg_break_t *b) {
  uint64_t code = 0;
  if (b->kind != kDbgLine && b->kind != kDbgKernel) return;
  b->places = 0;
  for (size_t i = 0;; i++) {
    const wg_obj_t *o = d->t.module(d->t.ctx, i, &code);
    if (o == NULL) return;
    if (b->kind == kDbgLine) resolve_line(b, o, code);
    for (size_t k = 0; b->kind == kDbgKernel && k < o->num_kernels; k++) {
      if (names(o->kernels[k].name, b->name)) add_place(b, code, wg_obj_kernel_pc(o, k));
    }
  }
}

/* ---- does it exist? ---- */

/* "convolve_v1" of its mangled name. */
static void plain(const char *mangled, char *buf, size_t n) {
  char text[160];
  wg_demangle(mangled, text, sizeof text);
  const char *at = strncmp(text, "void ", 5) == 0 ? text + 5 : text;
  snprintf(buf, n, "%.*s", (int)strcspn(at, "("), at);
}

/* Lines with code around `line` in files of that name. @return is there such a file? */
static bool around(const wg_debug_t *d, const char *name, uint64_t line, uint32_t *below, uint32_t *above) {
  uint64_t code = 0;
  bool any = false;
  *below = *above = 0;
  for (size_t m = 0;; m++) {
    const wg_obj_t *o = d->t.module(d->t.ctx, m, &code);
    if (o == NULL) return any;
    for (size_t i = 0; i < o->num_lines; i++) {
      const wg_obj_line_t *l = &o->lines[i];
      if (l->file >= o->num_files || l->line == 0 || !is_file(o->files[l->file], name)) continue;
      any = true;
      if (l->line < line && l->line > *below) *below = l->line;
      if (l->line > line && (*above == 0 || l->line < *above)) *above = l->line;
    }
  }
}

/* "a, b": another word of a list. */
static void add_word(char *buf, size_t n, const char *word) {
  size_t used = strlen(buf);
  if (used + strlen(word) + 8 < n) snprintf(buf + used, n - used, "%s%s", used == 0 ? "" : ", ", word);
}

static void files_of(const wg_debug_t *d, char *buf, size_t n) {
  uint64_t code = 0;
  const wg_obj_t *o = NULL;
  for (size_t m = 0; (o = d->t.module(d->t.ctx, m, &code)) != NULL; m++) {
    for (size_t f = 0; f < o->num_files; f++) {
      bool has = false;
      for (size_t i = 0; i < o->num_lines; i++) has = has || o->lines[i].file == f;
      if (has) add_word(buf, n, dbg_base_name(o->files[f]));
    }
  }
}

static wg_status_t no_line(const wg_debug_t *d, const dbg_break_t *b, wg_diag_t *diag) {
  uint32_t below = 0, above = 0;
  char files[200] = "", hint[256];
  files_of(d, files, sizeof files);
  bool file = around(d, b->name, b->value, &below, &above);
  if (files[0] == '\0')
    snprintf(hint, sizeof hint, "the program has no line numbers: compile with -lineinfo, or stop at a pc or kernel:NAME");
  else if (!file) snprintf(hint, sizeof hint, "files with code: %.190s", files);
  else if (below != 0 && above != 0) snprintf(hint, sizeof hint, "the nearest lines with code: %u and %u", below,
                                              above);
  else snprintf(hint, sizeof hint, "the nearest line with code: %u", below != 0 ? below : above);
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "%s", hint);
  if (files[0] != '\0' && !file)
    return wg_fail(diag, kWgBadInput, "no place to stop at: '%s': no kernel has code of a file '%s'", b->text, b->name);
  return wg_fail(diag, kWgBadInput, "no place to stop at: '%s': there is no code in line %llu", b->text,
                 (unsigned long long)b->value);
}

static wg_status_t no_kernel(const wg_debug_t *d, const dbg_break_t *b, wg_diag_t *diag) {
  static char name[kNames][kNameLen];
  const char *known[kNames + 1];
  const wg_obj_t *o = NULL;
  uint64_t code = 0;
  size_t n = 0;
  for (size_t m = 0; (o = d->t.module(d->t.ctx, m, &code)) != NULL; m++) {
    for (size_t k = 0; k < o->num_kernels && n < (size_t)kNames; k++) {
      plain(o->kernels[k].name, name[n], sizeof name[n]);
      known[n] = name[n];
      n++;
    }
  }
  known[n] = NULL;
  if (diag != NULL) wg_word_hint(b->name, known, diag->hint, sizeof diag->hint);
  return wg_fail(diag, kWgBadInput, "no place to stop at: '%s': the program has no kernel '%s'", b->text, b->name);
}

/* Is there an instruction at `pc` in a module, in the one at `code` unless that is UINT64_MAX? @param out its kernels,
   for people */
static bool has_pc(const wg_debug_t *d, uint64_t code, uint32_t pc, char *out, size_t n) {
  const wg_obj_t *o = NULL;
  uint64_t base = 0;
  out[0] = '\0';
  for (size_t m = 0; (o = d->t.module(d->t.ctx, m, &base)) != NULL; m++) {
    for (size_t k = 0; (code == UINT64_MAX || code == base) && k < o->num_kernels; k++) {
      char name[kNameLen], text[kNameLen + 40];
      uint32_t from = wg_obj_kernel_pc(o, k), to = from + o->kernels[k].num_insns * (uint32_t)kWgInsnBytes;
      if (pc >= from && pc < to) return true;
      plain(o->kernels[k].name, name, sizeof name);
      if (to > from) snprintf(text, sizeof text, "%s 0x%x to 0x%x", name, from, to - (uint32_t)kWgInsnBytes);
      if (to > from) add_word(out, n, text);
    }
  }
  return false;
}

wg_status_t dbg_place_check_sm(const dbg_break_t *b, uint32_t num_sms, wg_diag_t *diag) {
  if (b->when.sm < (int64_t)num_sms) return kWgOk;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, num_sms == 1 ? "it has SM %u" : "it has SMs 0 to %u",
                             num_sms - 1);
  return wg_fail(diag, kWgBadInput, "no place to stop at: '%s': the device has no SM %lld", b->text,
                 (long long)b->when.sm);
}

wg_status_t dbg_place_check(const wg_debug_t *d, const dbg_break_t *b, wg_diag_t *diag) {
  char kernels[220];
  uint64_t code = 0;
  WG_TRY(dbg_place_check_sm(b, d->t.num_sms, diag));
  bool all = d->t.complete == NULL || d->t.complete(d->t.ctx);
  if (!all || d->t.module(d->t.ctx, 0, &code) == NULL) return kWgOk; /* it may be in what is loaded later */
  if (b->kind == kDbgLine && b->places == 0) return no_line(d, b, diag);
  if (b->kind == kDbgKernel && b->places == 0) return no_kernel(d, b, diag);
  if (b->kind != kDbgEvent || b->when.kind != kWgWhenPc) return kWgOk;
  if (has_pc(d, b->at[0].code, b->at[0].pc, kernels, sizeof kernels)) return kWgOk;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "instructions: %s", kernels);
  return wg_fail(diag, kWgBadInput, "no place to stop at: '%s': no kernel has an instruction there", b->text);
}

/* ---- without a run ---- */

typedef struct modules {
  wg_obj_t *const *o;
  size_t n;
} modules_t;

static const wg_obj_t *nth_module(void *ctx, size_t i, uint64_t *code_base) {
  const modules_t *m = ctx;
  *code_base = 0;
  return i < m->n ? m->o[i] : NULL;
}

wg_status_t wg_debug_check_code(const char *text, wg_obj_t *const *modules, size_t n, wg_diag_t *diag) {
  modules_t m = {modules, n};
  wg_debug_t *d = calloc(1, sizeof *d);
  if (d == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  d->t = (wg_debug_target_t){.ctx = &m, .num_sms = UINT32_MAX, .module = nth_module};
  wg_status_t st = kWgOk;
  for (const char *p = text; st == kWgOk; p++) {
    dbg_break_t b;
    char word[sizeof b.text];
    size_t len = strcspn(p, ";");
    snprintf(word, sizeof word, "%.*s", (int)len, p);
    st = dbg_break_parse(word, &b, diag);
    if (st == kWgOk) dbg_place_find(d, &b);
    if (st == kWgOk) st = dbg_place_check(d, &b, diag);
    p += len;
    if (*p == '\0') break;
  }
  free(d);
  return st;
}
