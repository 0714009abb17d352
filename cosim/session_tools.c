// SPDX-License-Identifier: Apache-2.0
//
// tools=...: what the checks of a program (model/ref/wg_ref_tools.h) met, in words and as JSON; one door for races too.
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <string.h>

#include "cosim/session_int.h"
#include "toolchain/obj/wg_demangle.h"

enum { kShownLines = 20, kShownAdvice = 10 }; /* of a run */
enum { kToolGap = 16384 };                     /* bytes, behind each allocation */

/** Findings of one kind at one source line. */
typedef struct wg_told {
  size_t index; /* of the first finding */
  char kernel[160];
  unsigned launch;
  char file[128];
  unsigned line;
  char what[400]; /* in words, without the place */
} wg_told_t;

wg_status_t wg_session_tools_start(wg_session_t *s, wg_diag_t *diag) {
  bool lockstep = s->backend->lockstep && s->cfg.check != kWgCheckOff;
  if (!lockstep && s->backend != &wg_session_backend_func) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "check=retire, or backend=func, or tools=off");
    return wg_fail(diag, kWgBadInput, "programs are checked by the golden model: tools does not go with %s",
                   s->backend->lockstep ? "check=off" : "this back end");
  }
  s->tools.checker = wg_tools_new(s->cfg.tools);
  return kWgOk;
}

static bool legal(void *ctx, uint64_t addr, uint64_t bytes) { return wg_store_check_lane(ctx, addr, bytes) == kWgFaultNone; }

void wg_session_tools_memory(wg_session_t *s) {
  wg_tools_driver(s->tools.checker, legal, s->store);
  /* an index a little behind one array must not meet the next one */
  if ((s->cfg.tools & (unsigned)kWgToolMem) != 0u) wg_store_set_gap(s->store, (uint64_t)kToolGap);
}

void wg_session_tools_stop(wg_session_t *s) {
  wg_tools_free(s->tools.checker);
  free(s->tools.told);
  free(s->tools.text);
  memset(&s->tools, 0, sizeof s->tools);
}

void wg_session_tools_module(wg_session_t *s, const wg_module_t *m) {
  if (s->tools.checker == NULL || m->globals == 0) return;
  wg_tools_variables(s->tools.checker, m->globals, (m->obj->global_size + WG_DEV_ALIGN - 1) / WG_DEV_ALIGN * WG_DEV_ALIGN);
  for (size_t i = 0; i < m->obj->num_vars; i++) {
    const wg_obj_var_t *v = &m->obj->vars[i];
    if (v->space == 1 && v->size != 0) wg_tools_alloc(s->tools.checker, m->globals + v->offset, v->size, true);
  }
}

/* ---- words ---- */

static const wg_module_t *module_at(const wg_session_t *s, uint64_t code_base) {
  const wg_module_t *m = s->modules;
  while (m != NULL && m->code != code_base) m = m->next;
  return m;
}

static const char *space_name(uint8_t space) {
  switch (space) {
    case kWgSpaceShared: return "shared";
    case kWgSpaceLocal: return "local";
    case kWgSpaceConst: return "constant";
    default: return "global";
  }
}

static void allocation(const wg_session_t *s, const wg_module_t *m, const wg_finding_t *f, char *buf, size_t n) {
  unsigned long long base = f->base, size = f->size;
  if (f->kind == kWgFindUninitGlobal) {
    snprintf(buf, n, ": + %llu in an allocation of %llu bytes", (unsigned long long)f->addr - base, size);
  } else if (f->size == 0) {
    snprintf(buf, n, "%s", f->kind == kWgFindOobGlobal ? ": there is no allocation" : "");
  } else if (f->kind == kWgFindFreed) {
    snprintf(buf, n, ": + %llu in an allocation of %llu bytes that was freed", (unsigned long long)f->addr - base, size);
  } else if (f->addr >= f->base) {
    uint64_t over = f->addr + f->bytes - base - f->size; /* the last byte */
    snprintf(buf, n, ": up to byte %llu behind the end of an allocation of %llu bytes at 0x%llx", (unsigned long long)over, size, base);
  } else {
    snprintf(buf, n, ": %llu bytes before an allocation of %llu bytes at 0x%llx", base - (unsigned long long)f->addr, size, base);
  }
  (void)s, (void)m;
}

static void access_words(const wg_session_t *s, const wg_module_t *m, size_t kernel, const wg_finding_t *f, char *buf, size_t n) {
  char where[320] = "";
  if (f->space == kWgSpaceShared) {
    wg_session_where_shared(m, kernel, f->addr, where, sizeof where);
    size_t k = strlen(where);
    if (f->kind == kWgFindOobShared) snprintf(where + k, sizeof where - k, ", the block has %llu bytes", (unsigned long long)f->size);
  } else if (f->space == kWgSpaceLocal) {
    snprintf(where, sizeof where, "local 0x%llx", (unsigned long long)f->addr);
    size_t k = strlen(where);
    if (f->kind == kWgFindOobLocal) snprintf(where + k, sizeof where - k, ", the frame has %llu bytes", (unsigned long long)f->size);
  } else {
    char of[200] = "";
    if (f->kind != kWgFindMisaligned) allocation(s, m, f, of, sizeof of);
    snprintf(where, sizeof where, "%s 0x%llx%s", space_name(f->space), (unsigned long long)f->addr, of);
  }
  snprintf(buf, n, "%s %u bytes at %s", f->is_atomic ? "updates" : f->is_write ? "writes" : "reads", f->bytes, where);
}

static void sync_words(const wg_module_t *m, const wg_finding_t *f, char *buf, size_t n) {
  char other[160] = "";
  if (f->other_pc != UINT32_MAX) wg_session_place(m, f->other_pc, other, sizeof other);
  switch (f->kind) {
    case kWgFindBarDivergent:
      snprintf(buf, n, "lanes 0x%08x of 0x%08x are there%s%s", f->value, f->want, other[0] != '\0' ? ", others at " : "", other);
      break;
    case kWgFindBarApart: snprintf(buf, n, "warps 0x%x are there, warps 0x%x at %s", f->value, f->want, other); break;
    case kWgFindBarCount:
      snprintf(buf, n, "barrier %u: %u threads here (0: all), %u at %s", f->barrier, f->value, f->want, other);
      break;
    case kWgFindBarNever:
      if (f->lanes != 0u) snprintf(buf, n, "barrier %u: %u threads are asked for, warps 0x%x have come, no other is left that could", f->barrier, f->lanes, f->value);
      else snprintf(buf, n, "barrier %u: arrived warps 0x%x, expected 0x%x", f->barrier, f->value, f->want);
      break;
    case kWgFindShuffleSource:
      snprintf(buf, n, "lanes 0x%08x execute it, 0x%08x of them read others (exited, never there, or elsewhere)", f->want, f->value);
      break;
    case kWgFindMaskSelf: snprintf(buf, n, "mask 0x%08x, calling lanes 0x%08x", f->value, f->want); break;
    case kWgFindMaskApart: snprintf(buf, n, "mask 0x%08x, of it lanes 0x%08x do not come", f->value, f->want); break;
    case kWgFindMaskDiffers: snprintf(buf, n, "mask 0x%08x here, 0x%08x in another lane", f->value, f->want); break;
    default: snprintf(buf, n, "executes it"); break;
  }
}

static void WG_PRINTF(2, 3) add(wg_session_t *s, const char *fmt, ...) {
  char piece[1400];
  va_list ap;
  if (s->tools.fetched) {
    free(s->tools.text);
    s->tools.text = NULL;
    s->tools.fetched = false;
  }
  va_start(ap, fmt);
  (void)vsnprintf(piece, sizeof piece, fmt, ap);
  va_end(ap);
  size_t old = s->tools.text == NULL ? 0 : strlen(s->tools.text), more = strlen(piece);
  char *grown = realloc(s->tools.text, old + more + 1);
  WG_BUG(grown == NULL);
  memcpy(grown + old, piece, more + 1);
  s->tools.text = grown;
}

/* The entry of a kind and place; a new one if `is_new` is set then. */
static wg_told_t *told_of(wg_session_t *s, wg_finding_kind_t kind, const char *file, unsigned line, uint32_t pc, bool *is_new) {
  const wg_finding_t *all;
  (void)wg_tools_findings(s->tools.checker, &all);
  *is_new = false;
  for (size_t i = 0; i < s->tools.num_told; i++) {
    wg_told_t *t = &s->tools.told[i];
    const wg_finding_t *f = &all[t->index];
    if (f->kind == kind && t->line == line && strcmp(t->file, file) == 0 && (line != 0 || f->pc == pc)) return t;
  }
  if (s->tools.num_told == s->tools.cap_told) {
    s->tools.cap_told = s->tools.cap_told == 0 ? 16 : 2 * s->tools.cap_told;
    s->tools.told = realloc(s->tools.told, s->tools.cap_told * sizeof *s->tools.told);
    WG_BUG(s->tools.told == NULL);
  }
  wg_told_t *t = &s->tools.told[s->tools.num_told++];
  memset(t, 0, sizeof *t);
  snprintf(t->file, sizeof t->file, "%s", file);
  t->line = line;
  *is_new = true;
  return t;
}

static void head(wg_session_t *s, const wg_told_t *t, const wg_find_facts_t *k) {
  const char *level = k->error ? "error" : "note";
  if (s->tools.num_told > (size_t)kShownLines) return;
  if (t->line != 0) add(s, "warpglass: %s:%u: %s: %s: %s\n", t->file, t->line, level, k->tool_word, k->text);
  else add(s, "warpglass: %s: %s: %s\n", level, k->tool_word, k->text);
}

/* The first error of a run is its verdict. */
static void remember(wg_session_t *s, const wg_told_t *t, const wg_find_facts_t *k) {
  if (!k->error || s->tools.first.msg[0] != '\0') return;
  snprintf(s->tools.first.file, sizeof s->tools.first.file, "%s", t->file);
  s->tools.first.line = t->line;
  snprintf(s->tools.first.msg, sizeof s->tools.first.msg, "%s: %s%s%.150s", k->tool_word, k->text, t->kernel[0] != '\0' ? " in " : "",
           t->kernel);
  snprintf(s->tools.first.hint, sizeof s->tools.first.hint, "%s", k->remedy);
}

static void tell(wg_session_t *s, const wg_launch_t *l, size_t kernel, size_t index) {
  const wg_finding_t *all;
  (void)wg_tools_findings(s->tools.checker, &all);
  const wg_finding_t *f = &all[index];
  const wg_find_facts_t *k = wg_find_facts(f->kind);
  const char *file = "";
  unsigned line = 0;
  bool is_new;
  if (!wg_obj_line_of(l->module->obj, f->pc, &file, &line)) file = "";
  wg_told_t *t = told_of(s, f->kind, wg_session_base_name(file), line, f->pc, &is_new);
  if (!is_new) return;
  t->index = index;
  t->launch = s->launches;
  wg_demangle(l->kernel, t->kernel, sizeof t->kernel);
  if (k->tool == (unsigned)kWgToolSync) sync_words(l->module, f, t->what, sizeof t->what);
  else access_words(s, l->module, kernel, f, t->what, sizeof t->what);
  head(s, t, k);
  remember(s, t, k);
  if (s->tools.num_told > (size_t)kShownLines) return;
  add(s, "  kernel '%s', launch %u, block (%u,%u,%u) warp %u lane %u, pc 0x%x\n", t->kernel, t->launch, f->ctaid[0], f->ctaid[1], f->ctaid[2],
      f->warp, f->lane, f->pc);
  add(s, "  %s\n  remedy: %s\n", t->what, k->remedy);
}

void wg_session_tools_end(wg_session_t *s, const wg_launch_t *l, size_t kernel) {
  const wg_finding_t *all;
  if (s->tools.checker == NULL) return;
  size_t n = wg_tools_findings(s->tools.checker, &all);
  for (; s->tools.seen < n; s->tools.seen++) tell(s, l, kernel, s->tools.seen);
}

/* ---- the host's calls ---- */

bool wg_session_host_checked(const wg_session_t *s) { return (s->cfg.tools & (unsigned)kWgToolMem) != 0u; }

bool wg_session_was_freed(const wg_session_t *s, uint64_t addr) {
  return s->tools.checker != NULL && wg_tools_was_freed(s->tools.checker, addr);
}

void wg_session_host_finding(wg_session_t *s, wg_finding_kind_t kind, const char *file, unsigned line, const char *what) {
  const wg_find_facts_t *k = wg_find_facts(kind);
  bool is_new;
  if (!wg_session_host_checked(s)) return;
  wg_told_t *t = told_of(s, kind, file == NULL ? "" : wg_session_base_name(file), line, UINT32_MAX, &is_new);
  const wg_finding_t *all, f = {.kind = kind, .pc = UINT32_MAX, .count = 1};
  size_t n = wg_tools_findings(s->tools.checker, &all);
  wg_tools_add(s->tools.checker, &f);
  s->tools.seen++;
  if (!is_new) return;
  t->index = wg_tools_findings(s->tools.checker, &all) > n ? n : n - 1;
  snprintf(t->what, sizeof t->what, "%s", what);
  head(s, t, k);
  remember(s, t, k);
  if (s->tools.num_told <= (size_t)kShownLines) add(s, "  %s\n  remedy: %s\n", what, k->remedy);
}

const char *wg_session_findings(wg_session_t *s, const wg_diag_t **first) {
  if (first != NULL) *first = s->tools.first.msg[0] != '\0' ? &s->tools.first : NULL;
  if (s->tools.text == NULL || s->tools.fetched) return "";
  s->tools.fetched = true;
  return s->tools.text;
}

/* Times that the findings of an entry were met: those of its kind at its line. */
static uint64_t count_of(const wg_session_t *s, const wg_told_t *t) {
  const wg_finding_t *all;
  size_t n = wg_tools_findings(s->tools.checker, &all);
  wg_finding_kind_t kind = all[t->index].kind;
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++) {
    const char *file = "";
    unsigned line = 0;
    if (all[i].kind != kind) continue;
    const wg_module_t *m = module_at(s, all[i].code_base);
    bool host = all[i].pc == UINT32_MAX;
    if (host ? i == t->index : m != NULL && wg_obj_line_of(m->obj, all[i].pc, &file, &line)
                 ? line == t->line && strcmp(wg_session_base_name(file), t->file) == 0 : i == t->index) sum += all[i].count;
  }
  return sum;
}

void wg_session_finding_summary(const wg_session_t *s, char *buf, size_t n) {
  const wg_finding_t *all;
  uint64_t lines[2] = {0, 0}, times = 0;
  buf[0] = '\0';
  if (s->tools.checker == NULL || s->tools.num_told == 0) return;
  (void)wg_tools_findings(s->tools.checker, &all);
  for (size_t i = 0; i < s->tools.num_told; i++) {
    bool error = wg_find_facts(all[s->tools.told[i].index].kind)->error;
    lines[error ? 0 : 1]++;
    times += error ? count_of(s, &s->tools.told[i]) : 0u;
  }
  int at = lines[0] == 0 ? snprintf(buf, n, "checks: no error")
                         : snprintf(buf, n, "checks: %llu error%s by source line, met %llu time%s", (unsigned long long)lines[0],
                                    lines[0] == 1 ? "" : "s", (unsigned long long)times, times == 1 ? "" : "s");
  if (lines[1] != 0) at += snprintf(buf + at, n - (size_t)at, ", %llu note%s", (unsigned long long)lines[1], lines[1] == 1 ? "" : "s");
  if (s->tools.num_told > (size_t)kShownLines) snprintf(buf + at, n - (size_t)at, "; the first %d are shown", (int)kShownLines);
}

/* ---- JSON ---- */

static void json_text(FILE *f, const char *key, const char *text) {
  fprintf(f, "\"%s\":\"", key);
  for (const char *p = text; *p != '\0'; p++) {
    if (*p == '"' || *p == '\\') fprintf(f, "\\%c", *p);
    else if ((unsigned char)*p < 0x20u) fprintf(f, "\\u%04x", (unsigned)*p);
    else fputc(*p, f);
  }
  fputc('"', f);
}

static void json_head(FILE *f, const char *tool, const char *kind, bool error, const char *file, unsigned line) {
  fputc('{', f);
  json_text(f, "tool", tool);
  fputc(',', f);
  json_text(f, "kind", kind);
  fprintf(f, ",\"level\":\"%s\",", error ? "error" : "note");
  json_text(f, "file", file);
  fprintf(f, ",\"line\":%u", line);
}

static void json_finding(FILE *f, const wg_session_t *s, const wg_told_t *t) {
  const wg_finding_t *all;
  (void)wg_tools_findings(s->tools.checker, &all);
  const wg_finding_t *x = &all[t->index];
  const wg_find_facts_t *k = wg_find_facts(x->kind);
  json_head(f, k->tool_word, k->word, k->error, t->file, t->line);
  if (x->pc != UINT32_MAX) {
    fputc(',', f);
    json_text(f, "kernel", t->kernel);
    fprintf(f, ",\"launch\":%u,\"block\":[%u,%u,%u],\"warp\":%u,\"lane\":%u,\"lanes\":%u,\"pc\":%u", t->launch, x->ctaid[0], x->ctaid[1],
            x->ctaid[2], x->warp, x->lane, x->lanes, x->pc);
    if (k->tool != (unsigned)kWgToolSync) {
      fprintf(f, ",\"space\":\"%s\",\"address\":%llu,\"bytes\":%u,\"access\":\"%s\"", space_name(x->space), (unsigned long long)x->addr,
              x->bytes, x->is_atomic ? "atomic" : x->is_write ? "store" : "load");
    }
  }
  fputc(',', f);
  json_text(f, "message", k->text);
  fputc(',', f);
  json_text(f, "detail", t->what);
  fputc(',', f);
  json_text(f, "remedy", k->remedy);
  fprintf(f, ",\"count\":%llu}\n", (unsigned long long)count_of(s, t));
}

static void json_race_side(FILE *f, const wg_module_t *m, const char *key, const wg_race_side_t *a) {
  const char *file = "";
  unsigned line = 0;
  if (m == NULL || !wg_obj_line_of(m->obj, a->pc, &file, &line)) file = "";
  fprintf(f, ",\"%s\":{\"block\":[%u,%u,%u],\"warp\":%u,\"lane\":%u,\"pc\":%u,\"write\":%s,\"atomic\":%s,", key, a->ctaid[0], a->ctaid[1],
          a->ctaid[2], a->warp, a->lane, a->pc, a->write ? "true" : "false", a->atomic ? "true" : "false");
  json_text(f, "file", wg_session_base_name(file));
  fprintf(f, ",\"line\":%u}", line);
}

static void json_race(FILE *f, const wg_session_t *s, const wg_race_pair_t *p) {
  static const char *const kKinds[] = {"RAW", "WAR", "WAW"};
  static const char *const kBy[] = {"apart", "same", "block", "grid", "hidden", "equal"};
  const wg_module_t *m = module_at(s, p->code_base);
  const char *file = "";
  unsigned line = 0;
  if (m == NULL || !wg_obj_line_of(m->obj, p->second.pc, &file, &line)) file = "";
  json_head(f, "race", kKinds[p->kind], !wg_race_is_note(p->cls), wg_session_base_name(file), line);
  fprintf(f, ",\"by\":\"%s\",\"launch\":%u,\"space\":\"%s\",\"address\":%llu,\"bytes\":%u", kBy[p->cls], p->grid_id,
          p->shared ? "shared" : "global", (unsigned long long)p->addr, p->bytes);
  json_race_side(f, m, "first", &p->first);
  json_race_side(f, m, "second", &p->second);
  fprintf(f, ",\"count\":%llu}\n", (unsigned long long)p->count);
}

/* ---- advice ---- */

/** An access pattern at one source line. */
typedef struct advised {
  wg_advice_t sum;
  char file[128];
  unsigned line;
} advised_t;

static uint64_t beyond(const advised_t *a) { return a->sum.units - a->sum.ideal; }

static int by_cost(const void *a, const void *b) {
  const advised_t *x = a, *y = b;
  if (beyond(x) != beyond(y)) return beyond(x) > beyond(y) ? -1 : 1;
  return x->sum.pc < y->sum.pc ? -1 : x->sum.pc > y->sum.pc ? 1 : 0;
}

/* Instructions that moved more than their bytes need, by line, dearest first. @return their number; *out is the caller's */
static size_t advised(const wg_session_t *s, advised_t **out) {
  const wg_advice_t *all;
  size_t n = wg_tools_advice(s->tools.checker, &all), num = 0;
  advised_t *a = calloc(n == 0 ? 1 : n, sizeof *a);
  WG_BUG(a == NULL);
  for (size_t i = 0; i < n; i++) {
    const wg_module_t *m = module_at(s, all[i].code_base);
    const char *file = "";
    unsigned line = 0;
    if (all[i].units == all[i].ideal) continue;
    if (m == NULL || !wg_obj_line_of(m->obj, all[i].pc, &file, &line)) file = "";
    file = wg_session_base_name(file);
    size_t k = 0;
    while (k < num && (a[k].line != line || line == 0 || strcmp(a[k].file, file) != 0 || a[k].sum.space != all[i].space ||
                       a[k].sum.is_store != all[i].is_store)) k++;
    if (k == num) {
      a[num].sum = all[i];
      snprintf(a[num].file, sizeof a[num].file, "%s", file);
      a[num++].line = line;
      continue;
    }
    a[k].sum.requests += all[i].requests;
    a[k].sum.lanes += all[i].lanes;
    a[k].sum.units += all[i].units;
    a[k].sum.ideal += all[i].ideal;
  }
  qsort(a, num, sizeof *a, by_cost);
  *out = a;
  return num;
}

static const char *hint_of(const wg_advice_t *a) {
  if (a->space == kWgSpaceShared && a->is_atomic)
    return "atomics of lanes on one bank follow each other: spread them over more words, or reduce in the warp first";
  if (a->space == kWgSpaceShared)
    return "lanes meet in one of 32 banks: pad the rows by one word ([32][33]), or let neighbouring lanes take neighbouring words";
  if (a->space == kWgSpaceLocal) return "an array indexed at run time, or spilled registers: constant indices, fewer live values";
  if (a->is_atomic) return "atomics on one word follow each other: reduce in the block first, then one atomic";
  return "let neighbouring lanes take neighbouring words: swap indices, a structure of arrays, or a tile in shared memory";
}

static void advice_text(FILE *f, const advised_t *a, size_t n) {
  uint64_t all = 0;
  for (size_t i = 0; i < n; i++) all += beyond(&a[i]);
  if (n == 0) {
    fprintf(f, "warpglass: advice: no bank conflict, every sector is used\n");
    return;
  }
  for (size_t i = 0; i < n && i < (size_t)kShownAdvice; i++) {
    const wg_advice_t *x = &a[i].sum;
    bool shared = x->space == kWgSpaceShared;
    if (a[i].line != 0) fprintf(f, "warpglass: %s:%u: advice: ", a[i].file, a[i].line);
    else fprintf(f, "warpglass: advice: pc 0x%x: ", x->pc);
    fprintf(f, "%s %s: %llu %s beyond the ideal %llu, in %llu requests of %u bytes a lane\n  hint: %s\n", space_name(x->space),
            x->is_atomic ? "atomics" : x->is_store ? "stores" : "loads", (unsigned long long)beyond(&a[i]),
            shared ? "wavefronts" : "sectors", (unsigned long long)x->ideal, (unsigned long long)x->requests, x->bytes, hint_of(x));
  }
  if (n > (size_t)kShownAdvice)
    fprintf(f, "warpglass: advice: %zu more lines, %llu beyond the ideal in all\n", n - (size_t)kShownAdvice, (unsigned long long)all);
}

static void advice_json(FILE *f, const advised_t *a, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const wg_advice_t *x = &a[i].sum;
    bool shared = x->space == kWgSpaceShared;
    json_head(f, "advice", shared ? "bank-conflict" : "uncoalesced", false, a[i].file, a[i].line);
    fprintf(f, ",\"pc\":%u,\"space\":\"%s\",\"access\":\"%s\",\"unit\":\"%s\",\"requests\":%llu,\"lanes\":%llu,\"units\":%llu,\"ideal\":%llu,",
            x->pc, space_name(x->space), x->is_atomic ? "atomic" : x->is_store ? "store" : "load", shared ? "wavefront" : "sector",
            (unsigned long long)x->requests, (unsigned long long)x->lanes, (unsigned long long)x->units, (unsigned long long)x->ideal);
    json_text(f, "remedy", hint_of(x));
    fprintf(f, "}\n");
  }
}

bool wg_session_findings_end(wg_session_t *s, char **advice, char **json) {
  size_t size = 0;
  *advice = *json = NULL;
  if (s->tools.checker == NULL && s->race.checker == NULL) return true;
  FILE *f = open_memstream(json, &size);
  WG_BUG(f == NULL);
  for (size_t i = 0; i < s->tools.num_told; i++) json_finding(f, s, &s->tools.told[i]);
  const wg_race_pair_t *pair;
  size_t n = s->race.checker == NULL ? 0 : wg_race_pairs(s->race.checker, &pair);
  for (size_t i = 0; i < n; i++) {
    if (s->cfg.race == kWgSessionRaceNote || !wg_race_is_note(pair[i].cls)) json_race(f, s, &pair[i]);
  }
  if ((s->cfg.tools & (unsigned)kWgToolAdvice) != 0u) {
    advised_t *a = NULL;
    size_t num = advised(s, &a);
    FILE *text = open_memstream(advice, &size);
    WG_BUG(text == NULL);
    advice_text(text, a, num);
    fclose(text);
    advice_json(f, a, num);
    free(a);
  }
  fclose(f);
  return s->tools.checker == NULL || wg_tools_complete(s->tools.checker);
}
