// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cosim/session_words.h"
#include "cosim/sweep/sweep.h"
#include "toolchain/obj/wg_files.h"

enum { kMaxRange = 1000000 };

#define WG_SETTING(NAME, VALUE, WORDS, DOC) NAME,
const char *const kSweepSettings[] = {
#include "cosim/cli/cli_settings.def"
    NULL};

static const char *const kAxes[] = {"program", "args", "preset", "set KEY",
#include "cosim/cli/cli_settings.def"
                                    NULL};
#undef WG_SETTING

static bool is_set(const char *name) { return strncmp(name, "set ", 4) == 0; }

/* Place of an axis in the index; the number of names if there is none such. */
static size_t rank(const char *name) {
  size_t i = 0;
  while (kAxes[i] != NULL && strcmp(kAxes[i], is_set(name) ? "set KEY" : name) != 0) i++;
  return i;
}

static sweep_axis_t *axis_of(sweep_plan_t *p, const char *name) {
  for (size_t i = 0; i < p->num_axes; i++) {
    if (strcmp(p->axes[i].name, name) == 0) return &p->axes[i];
  }
  sweep_axis_t *grown = realloc(p->axes, (p->num_axes + 1) * sizeof *grown);
  if (grown == NULL) return NULL;
  p->axes = grown;
  sweep_axis_t *a = &grown[p->num_axes++];
  memset(a, 0, sizeof *a);
  snprintf(a->name, sizeof a->name, "%s", name);
  return a;
}

static wg_status_t add_value(sweep_axis_t *a, const char *value, size_t len, wg_diag_t *diag) {
  char **grown = realloc(a->values, (a->n + 1) * sizeof *grown);
  if (grown != NULL) a->values = grown;
  char *copy = grown == NULL ? NULL : strndup(value, len);
  if (copy == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  a->values[a->n++] = copy;
  return kWgOk;
}

/* "3..7": every number of it. @return kWgOk with *is = false for what is no range */
static wg_status_t add_range(sweep_axis_t *a, const char *word, size_t len, bool *is, wg_diag_t *diag) {
  char text[64], *end = NULL;
  *is = false;
  if (len >= sizeof text || !isdigit((unsigned char)word[0])) return kWgOk;
  snprintf(text, sizeof text, "%.*s", (int)len, word);
  errno = 0;
  unsigned long long lo = strtoull(text, &end, 10);
  if (strncmp(end, "..", 2) != 0 || !isdigit((unsigned char)end[2])) return kWgOk;
  unsigned long long hi = strtoull(end + 2, &end, 10);
  if (*end != '\0' || errno != 0) return kWgOk;
  *is = true;
  if (hi < lo || hi - lo >= kMaxRange) {
    return wg_fail(diag, kWgBadInput, "axis '%s': the range %s is empty or has more than %d numbers", a->name, text,
                   kMaxRange);
  }
  for (unsigned long long v = lo;; v++) {
    int n = snprintf(text, sizeof text, "%llu", v);
    WG_TRY(add_value(a, text, (size_t)n, diag));
    if (v == hi) return kWgOk;
  }
}

wg_status_t sweep_plan_add(sweep_plan_t *p, const char *name, const char *text, wg_diag_t *diag) {
  if (kAxes[rank(name)] == NULL || (is_set(name) && name[4] == '\0') || strlen(name) >= sizeof p->axes->name) {
    if (diag != NULL) wg_word_hint(name, kAxes, diag->hint, sizeof diag->hint);
    return wg_fail(diag, kWgBadInput, "unknown axis '%.80s'", name);
  }
  sweep_axis_t *a = axis_of(p, name);
  if (a == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  if (strcmp(name, "args") == 0) { /* no arguments are arguments too; blanks around them are none */
    size_t len = strlen(text), lead = strspn(text, " \t");
    while (len > lead && strchr(" \t", text[len - 1]) != NULL) len--;
    return add_value(a, text + lead, len - lead, diag);
  }
  size_t before = a->n;
  for (const char *w = text + strspn(text, " \t"); *w != '\0';) {
    size_t len = strcmp(name, "program") == 0 ? strlen(w) : strcspn(w, " \t");
    bool range = false;
    WG_TRY(add_range(a, w, len, &range, diag));
    if (!range) WG_TRY(add_value(a, w, len, diag));
    w += len;
    w += strspn(w, " \t");
  }
  if (a->n != before) return kWgOk;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "values with blanks between: sched = lrr gto");
  return wg_fail(diag, kWgBadInput, "axis '%s' has no value", name);
}

static char *trim(char *s) {
  s += strspn(s, " \t\r");
  for (size_t n = strlen(s); n > 0 && strchr(" \t\r\n", s[n - 1]) != NULL; n--) s[n - 1] = '\0';
  return s;
}

static wg_status_t plan_line(sweep_plan_t *p, char *line, wg_diag_t *diag) {
  char *hash = line;
  while ((hash = strchr(hash, '#')) != NULL && hash != line && hash[-1] != ' ' && hash[-1] != '\t') hash++;
  if (hash != NULL) *hash = '\0'; /* a comment begins a line or stands behind a blank */
  char *key = trim(line), *eq = strchr(key, '=');
  if (key[0] == '\0') return kWgOk;
  if (eq == NULL) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "axis = values, such as: sched = lrr gto");
    return wg_fail(diag, kWgBadInput, "'%.80s' is no line of a plan", key);
  }
  *eq = '\0';
  key = trim(key);
  if (is_set(key)) { /* any number of blanks before the preset's key */
    char name[96];
    snprintf(name, sizeof name, "set %.90s", trim(key + 4));
    return sweep_plan_add(p, name, trim(eq + 1), diag);
  }
  return sweep_plan_add(p, key, trim(eq + 1), diag);
}

wg_status_t sweep_plan_file(sweep_plan_t *p, const char *path, wg_diag_t *diag) {
  enum { kMaxLine = 4094 };
  char line[kMaxLine + 2];
  static const char kMark[] = "\xef\xbb\xbf"; /* what some editors put before UTF-8 */
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "a text file with lines `axis = values`");
  if (wg_named_pipe(path)) return wg_fail(diag, kWgIo, "the plan '%s' is a pipe, no ordinary file", path);
  FILE *f = fopen(path, "r");
  if (f == NULL) return wg_fail(diag, kWgIo, "cannot read the plan '%s': %s", path, strerror(errno));
  if (diag != NULL) diag->hint[0] = '\0';
  wg_status_t st = kWgOk;
  unsigned n = 0;
  for (int c = 0; st == kWgOk && c != EOF;) { /* by the letter: fgets() does not tell of a NUL */
    size_t used = 0;
    bool nul = false;
    while ((c = fgetc(f)) != EOF && c != '\n' && used <= kMaxLine) {
      nul = nul || c == '\0';
      line[used++] = (char)c;
    }
    line[used] = '\0';
    if (c == EOF && used == 0) break;
    n++;
    if (n == 1 && strncmp(line, kMark, 3) == 0) memmove(line, line + 3, strlen(line + 3) + 1);
    if (nul) st = wg_fail(diag, kWgBadInput, "a line has a NUL byte in it: this is no text");
    else if (used > kMaxLine) st = wg_fail(diag, kWgBadInput, "a line is longer than %d letters", (int)kMaxLine);
    else st = plan_line(p, line, diag);
  }
  if (st == kWgOk && ferror(f)) st = wg_fail(diag, kWgIo, "cannot be read: %s", strerror(errno));
  fclose(f);
  if (st != kWgOk && diag != NULL) {
    snprintf(diag->file, sizeof diag->file, "%s", path);
    diag->line = n;
  }
  return st;
}

static int by_rank(const void *x, const void *y) {
  const sweep_axis_t *a = x, *b = y;
  size_t ra = rank(a->name), rb = rank(b->name);
  return ra != rb ? (ra < rb ? -1 : 1) : strcmp(a->name, b->name);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The same value again would be the same points again. */
static wg_status_t check_twice(const sweep_axis_t *a, wg_diag_t *diag) {
  char **copy = calloc(a->n + 1, sizeof *copy);
  if (copy == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  memcpy(copy, a->values, a->n * sizeof *copy);
  qsort(copy, a->n, sizeof *copy, by_text);
  wg_status_t st = kWgOk;
  for (size_t i = 1; i < a->n && st == kWgOk; i++) {
    if (strcmp(copy[i - 1], copy[i]) == 0)
      st = wg_fail(diag, kWgBadInput, "axis '%s' has the value '%.200s' twice", a->name, copy[i]);
  }
  free(copy);
  return st;
}

wg_status_t sweep_plan_finish(sweep_plan_t *p, wg_diag_t *diag) {
  bool program = false;
  p->num_points = 1;
  if (p->num_axes != 0) qsort(p->axes, p->num_axes, sizeof *p->axes, by_rank);
  for (size_t i = 0; i < p->num_axes; i++) {
    program = program || strcmp(p->axes[i].name, "program") == 0;
    p->num_points *= p->axes[i].n;
    WG_TRY(check_twice(&p->axes[i], diag));
    if (p->num_points > kSweepMaxPoints)
      return wg_fail(diag, kWgBadInput, "the plan has more than %d points", kSweepMaxPoints);
  }
  if (program) return kWgOk;
  if (diag != NULL)
    snprintf(diag->hint, sizeof diag->hint,
             "warpglass sweep ... ./program arguments, or program = ./program in the plan");
  return wg_fail(diag, kWgBadInput, "the plan has no program");
}

/* A relative path holds from here alone. */
static void write_value(FILE *f, const sweep_axis_t *a, const char *value, const char *cwd) {
  bool relative = strcmp(a->name, "program") == 0 && strchr(value, '/') != NULL && value[0] != '/';
  fprintf(f, "%s = %s%s%s\n", a->name, relative ? cwd : "", relative ? "/" : "", value);
}

static bool same_axis(const sweep_axis_t *a, const sweep_axis_t *b, const char *cwd) {
  if (strcmp(a->name, b->name) != 0 || a->n != b->n) return false;
  size_t len = strlen(cwd);
  for (size_t i = 0; i < a->n; i++) {
    const char *v = b->values[i];
    bool moved = strcmp(a->name, "program") == 0 && strncmp(v, cwd, len) == 0 && v[len] == '/' &&
                 strcmp(a->values[i], v + len + 1) == 0;
    if (!moved && strcmp(a->values[i], v) != 0) return false;
  }
  return true;
}

wg_status_t sweep_plan_write(const sweep_plan_t *p, const char *path, wg_diag_t *diag) {
  char cwd[4096];
  sweep_plan_t back;
  memset(&back, 0, sizeof back);
  if (getcwd(cwd, sizeof cwd) == NULL)
    return wg_fail(diag, kWgIo, "the current folder has no name: %s", strerror(errno));
  FILE *f = fopen(path, "w");
  if (f == NULL) return wg_fail(diag, kWgIo, "cannot write '%s': %s", path, strerror(errno));
  for (size_t i = 0; i < p->num_axes; i++) {
    for (size_t k = 0; k < p->axes[i].n; k++) write_value(f, &p->axes[i], p->axes[i].values[k], cwd);
  }
  bool bad = ferror(f) != 0;
  if ((fclose(f) != 0) | bad) return wg_fail(diag, kWgIo, "cannot write '%s': %s", path, strerror(errno));
  /* whatever a line cannot hold (a # behind a blank) shows when it is read */
  wg_status_t st = sweep_plan_file(&back, path, diag);
  if (st == kWgOk) st = sweep_plan_finish(&back, diag);
  for (size_t i = 0; st == kWgOk && i < p->num_axes; i++) {
    if (back.num_axes != p->num_axes || !same_axis(&p->axes[i], &back.axes[i], cwd))
      st = wg_fail(diag, kWgBadInput, "a value of axis '%s' cannot stand in a plan file: a # behind a blank?",
                   p->axes[i].name);
  }
  sweep_plan_free(&back);
  return st;
}

void sweep_plan_free(sweep_plan_t *p) {
  for (size_t i = 0; i < p->num_axes; i++) {
    for (size_t k = 0; k < p->axes[i].n; k++) free(p->axes[i].values[k]);
    free(p->axes[i].values);
  }
  free(p->axes);
  memset(p, 0, sizeof *p);
}
