// SPDX-License-Identifier: Apache-2.0
//
// cycles.tsv: recorded cycle counts, one row a launch, tab-separated. Counts are exact: any
// difference is a change of the hardware, the compiler or the preset, and is either wanted (`make cycles-update`)
// or a defect.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <string.h>

#include "cosim/cli/cli.h"
#include "cosim/session_words.h"
#include "toolchain/obj/wg_files.h"

static const char kHeader[] =
    "program\targs\tlaunch\tpreset\tsched\tblocks\tdivergence\tdependence\tcycles\tbound\tbound_by\n";
enum { kColumns = 11, kKeyColumns = 8 };

typedef struct row {
  char *text; /* with tabs replaced by NULs */
  const char *col[kColumns];
} row_t;

typedef struct table {
  row_t *rows;
  size_t n, cap;
} table_t;

static void table_free(table_t *t) {
  for (size_t i = 0; i < t->n; i++) free(t->rows[i].text);
  free(t->rows);
}

static bool split(row_t *r) {
  size_t n = 0;
  r->text[strcspn(r->text, "\n")] = '\0';
  for (char *p = r->text; n < kColumns; n++) {
    r->col[n] = p;
    p = strchr(p, '\t');
    if (p == NULL) break;
    *p++ = '\0';
  }
  return n == kColumns - 1;
}

static wg_status_t table_add(table_t *t, const char *line, wg_diag_t *diag) {
  row_t *grown = cli_room(t->rows, t->n, &t->cap, sizeof *grown);
  if (grown == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  t->rows = grown;
  row_t r = {.text = strdup(line)};
  if (r.text == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  if (!split(&r)) {
    free(r.text);
    return wg_fail(diag, kWgBadInput, "a row needs %d tab-separated columns", (int)kColumns);
  }
  t->rows[t->n++] = r;
  return kWgOk;
}

/* A missing file is an empty table where one may be begun. */
static wg_status_t table_read(const char *path, bool may_begin, table_t *t, wg_diag_t *diag) {
  memset(t, 0, sizeof *t);
  FILE *f = fopen(path, "r");
  if (f == NULL && errno == ENOENT && may_begin) return kWgOk;
  if (f == NULL) return wg_fail(diag, kWgIo, "cannot open '%s': %s", path, strerror(errno));
  char *line = NULL;
  size_t cap = 0;
  unsigned at = 0;
  wg_status_t st = kWgOk;
  while (st == kWgOk && getline(&line, &cap, f) >= 0) {
    at++;
    if (at == 1 && strcmp(line, kHeader) == 0) continue;
    st = at == 1 ? wg_fail(diag, kWgBadInput, "the first line is not the header of a cycles.tsv")
                 : table_add(t, line, diag);
  }
  if (st == kWgBadInput && diag != NULL) {
    snprintf(diag->file, sizeof diag->file, "%s", path);
    diag->line = at;
  }
  free(line);
  fclose(f);
  if (st != kWgOk) table_free(t);
  return st;
}

/* A launch as a row; `preset` names the number of SMs where it is not the preset's own. */
static void make_row(char *buf, size_t n, const cli_cycles_key_t *key, const cli_record_t *r,
                     const cli_launch_t *l) {
  char rule[24] = "", word[12]; /* behind the scheduler, where it is not the usual one */
  if (r->progress_cycles != kWgSchedWithhold) snprintf(rule, sizeof rule, "+progress:%s", wg_progress_word(r->progress_cycles, word, sizeof word));
  snprintf(buf, n, "%s\t%s\t%u\t%s/%u\t%s%s\t%s\t%s\t%s\t%llu\t%llu\t%s\n", key->program, key->args, l->n, r->preset,
           r->sms, r->sched, rule, r->blocks, r->divergence, r->dependence, (unsigned long long)l->cycles,
           (unsigned long long)l->bound, l->by);
}

/* Same key? `with_launch` false: the run as a whole. */
static bool same_key(const row_t *a, const row_t *b, bool with_launch) {
  for (int c = 0; c < kKeyColumns; c++) {
    if (c == 2 && !with_launch) continue;
    if (strcmp(a->col[c], b->col[c]) != 0) return false;
  }
  return true;
}

static wg_status_t run_table(const cli_cycles_key_t *key, const cli_record_t *r, table_t *t, wg_diag_t *diag) {
  memset(t, 0, sizeof *t);
  for (size_t i = 0; i < r->num_launches; i++) {
    char buf[1024];
    make_row(buf, sizeof buf, key, r, &r->launches[i]);
    wg_status_t st = table_add(t, buf, diag);
    if (st != kWgOk) {
      table_free(t);
      return st;
    }
  }
  return kWgOk;
}

static const row_t *find(const table_t *t, const row_t *want) {
  for (size_t i = 0; i < t->n; i++) {
    if (same_key(&t->rows[i], want, true)) return &t->rows[i];
  }
  return NULL;
}

static wg_status_t compare(const table_t *old, const table_t *now, wg_diag_t *diag) {
  for (size_t i = 0; i < now->n; i++) {
    const row_t *is = &now->rows[i], *was = find(old, is);
    if (was == NULL) return wg_fail(diag, kWgMismatch, "no recorded cycles for launch %s", is->col[2]);
    if (strcmp(was->col[8], is->col[8]) != 0) {
      return wg_fail(diag, kWgMismatch, "launch %s took %s cycles, recorded are %s", is->col[2], is->col[8],
                     was->col[8]);
    }
  }
  for (size_t i = 0; i < old->n && now->n != 0; i++) {
    if (same_key(&old->rows[i], &now->rows[0], false) && find(now, &old->rows[i]) == NULL) {
      return wg_fail(diag, kWgMismatch, "launch %s is recorded, but did not happen", old->rows[i].col[2]);
    }
  }
  return kWgOk;
}

wg_status_t cli_cycles_check(const char *path, const cli_cycles_key_t *key, const cli_record_t *r,
                             wg_diag_t *diag) {
  table_t old, now;
  WG_TRY(table_read(path, false, &old, diag));
  wg_status_t st = run_table(key, r, &now, diag);
  if (st == kWgOk) {
    st = compare(&old, &now, diag);
    table_free(&now);
  }
  table_free(&old);
  return st;
}

static void print_row(FILE *f, const row_t *r) {
  for (int c = 0; c < kColumns; c++) fprintf(f, "%s%c", r->col[c], c + 1 == kColumns ? '\n' : '\t');
}

static void print_moves(FILE *out, const table_t *old, const table_t *now) {
  for (size_t i = 0; i < now->n; i++) {
    const row_t *is = &now->rows[i], *was = find(old, is);
    if (was == NULL) {
      fprintf(out, "new    %s %s launch %s %s %s: %s\n", is->col[0], is->col[1], is->col[2], is->col[3], is->col[4],
              is->col[8]);
    } else if (strcmp(was->col[8], is->col[8]) != 0) {
      double a = strtod(was->col[8], NULL), b = strtod(is->col[8], NULL);
      fprintf(out, "moved  %s %s launch %s %s %s: %s -> %s (%+.2f %%)\n", is->col[0], is->col[1], is->col[2],
              is->col[3], is->col[4], was->col[8], is->col[8], a == 0 ? 0.0 : (b / a - 1) * 100);
    }
  }
}

/* Old rows in their order, the run's rows in place of the first of its key. */
static wg_status_t write_merged(const char *path, const table_t *old, const table_t *now, wg_diag_t *diag) {
  FILE *f = wg_file_create(path);
  if (f == NULL) return wg_fail(diag, kWgIo, "cannot write '%s': %s", path, strerror(errno));
  fputs(kHeader, f);
  bool placed = false;
  for (size_t i = 0; i <= old->n; i++) {
    bool mine = i < old->n && now->n != 0 && same_key(&old->rows[i], &now->rows[0], false);
    if ((mine || i == old->n) && !placed) {
      for (size_t j = 0; j < now->n; j++) print_row(f, &now->rows[j]);
      placed = true;
    }
    if (i < old->n && !mine) print_row(f, &old->rows[i]);
  }
  if (wg_file_close(f, path, true)) return kWgOk;
  return wg_fail(diag, kWgIo, "cannot write '%s': %s", path, strerror(errno));
}

wg_status_t cli_cycles_update(const char *path, const cli_cycles_key_t *key, const cli_record_t *r, FILE *out,
                              wg_diag_t *diag) {
  table_t old, now;
  WG_TRY(table_read(path, true, &old, diag));
  wg_status_t st = run_table(key, r, &now, diag);
  if (st == kWgOk) {
    st = write_merged(path, &old, &now, diag);
    if (st == kWgOk) print_moves(out, &old, &now);
    table_free(&now);
  }
  table_free(&old);
  return st;
}
