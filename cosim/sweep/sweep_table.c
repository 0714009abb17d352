// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/session_words.h"
#include "cosim/sweep/sweep_db.h"

static char *text_of(sqlite3_stmt *q, int col) {
  const unsigned char *t = sqlite3_column_text(q, col);
  return t == NULL ? NULL : strdup((const char *)t);
}

/* A figure as text: whole numbers exactly, others with 15 digits. */
static char *figure_of(sqlite3_stmt *q, int col) {
  char buf[40];
  if (sqlite3_column_type(q, col) != SQLITE_FLOAT) return text_of(q, col);
  snprintf(buf, sizeof buf, "%.15g", sqlite3_column_double(q, col));
  return strdup(buf);
}

int sweep_value_compare(const char *a, const char *b) {
  char *ea = NULL, *eb = NULL;
  if (a == NULL || b == NULL) return (a != NULL) - (b != NULL);
  double x = strtod(a, &ea), y = strtod(b, &eb);
  bool na = a[0] != '\0' && *ea == '\0', nb = b[0] != '\0' && *eb == '\0';
  if (na != nb) return na ? -1 : 1; /* numbers first: one order for all */
  if (na && x != y) return x < y ? -1 : 1;
  return strcmp(a, b);
}

int sweep_table_col(const sweep_table_t *t, const char *name) {
  for (size_t i = 0; i < t->num_cols; i++) {
    if (strcmp(t->cols[i], name) == 0) return (int)i;
  }
  return -1;
}

/* ---- columns ---- */

static size_t place(const char *name) {
  static const char *const kFirst[] = {"program", "args", "preset", "overrides", NULL};
  size_t i = 0, k = 0;
  while (kFirst[i] != NULL && strcmp(kFirst[i], name) != 0) i++;
  if (kFirst[i] != NULL) return i;
  while (kSweepSettings[k] != NULL && strcmp(kSweepSettings[k], name) != 0) k++;
  return i + k;
}

static int by_place(const void *x, const void *y) {
  const char *a = *(char *const *)x, *b = *(char *const *)y;
  size_t pa = place(a), pb = place(b);
  return pa != pb ? (pa < pb ? -1 : 1) : strcmp(a, b);
}

static wg_status_t read_cols(sweep_store_t *s, sweep_table_t *t, wg_diag_t *diag) {
  sqlite3_stmt *q = NULL;
  WG_TRY(sweep_db_prepare(s, "SELECT DISTINCT name FROM label", &q, diag));
  wg_status_t st = kWgOk;
  int rc;
  while (st == kWgOk && (rc = sqlite3_step(q)) == SQLITE_ROW) {
    char **grown = realloc(t->cols, (t->num_cols + 1) * sizeof *grown);
    if (grown != NULL) t->cols = grown;
    if (grown == NULL || (t->cols[t->num_cols] = text_of(q, 0)) == NULL)
      st = wg_fail(diag, kWgNoSpace, "out of memory");
    else t->num_cols++;
  }
  if (st == kWgOk && rc != SQLITE_DONE) st = sweep_db_fail(s, "read", diag);
  sqlite3_finalize(q);
  if (t->num_cols != 0) qsort(t->cols, t->num_cols, sizeof *t->cols, by_place);
  return st;
}

/* ---- rows, by id until they are sorted ---- */

/* The hash at the end of the line of `inputs` that begins so. */
static void made_of(const char *inputs, const char *line, char out[kSweepShort]) {
  const char *at = strstr(inputs, line),
             *end = at == NULL ? NULL : at + strlen(line) + strcspn(at + strlen(line), "\n");
  const char *word = end;
  while (word != NULL && word[-1] != ' ') word--;
  snprintf(out, kSweepShort, "%.*s", word == NULL ? 0 : (int)(end - word), word == NULL ? "" : word);
}

static void read_made(sweep_row_t *r, const char *inputs) {
  static const char *const kLines[kSweepParts] = {"\nprogram ", "\ngolden ", "\npreset ", "\nbuild plug-in ",
                                                  "\nbuild block-policy ", "\nbuild run-time ",
                                                  "\nbuild sm "};
  for (unsigned k = 0; k < kSweepParts; k++) made_of(inputs == NULL ? "" : inputs, kLines[k], r->made[k]);
}

static wg_status_t read_points(sweep_store_t *s, sweep_table_t *t, wg_diag_t *diag) {
  static const char kSql[] =
      "SELECT id, key, status = 'ok', message, cycles, warp_insts, retire_hash, build, recorded, inputs FROM point "
      "ORDER BY id";
  sqlite3_stmt *q = NULL;
  size_t cap = 0;
  WG_TRY(sweep_db_prepare(s, kSql, &q, diag));
  wg_status_t st = kWgOk;
  int rc;
  while (st == kWgOk && (rc = sqlite3_step(q)) == SQLITE_ROW) {
    if (t->num_rows == cap) {
      cap = cap == 0 ? 256 : 2 * cap;
      sweep_row_t *grown = realloc(t->rows, cap * sizeof *grown);
      if (grown == NULL) {
        st = wg_fail(diag, kWgNoSpace, "out of memory");
        break;
      }
      t->rows = grown;
    }
    sweep_row_t *r = &t->rows[t->num_rows++];
    *r = (sweep_row_t){.id = sqlite3_column_int64(q, 0),
                       .key = text_of(q, 1),
                       .ok = sqlite3_column_int(q, 2) != 0,
                       .message = text_of(q, 3),
                       .cycles = text_of(q, 4),
                       .warp_insts = text_of(q, 5),
                       .retire_hash = text_of(q, 6),
                       .build = text_of(q, 7),
                       .recorded = text_of(q, 8)};
    read_made(r, (const char *)sqlite3_column_text(q, 9));
    r->labels = calloc(t->num_cols + 1, sizeof *r->labels);
    r->stats = calloc(t->num_stats + 1, sizeof *r->stats);
    if (r->key == NULL || r->build == NULL || r->labels == NULL || r->stats == NULL)
      st = wg_fail(diag, kWgNoSpace, "out of memory");
  }
  if (st == kWgOk && rc != SQLITE_DONE) st = sweep_db_fail(s, "read", diag);
  sqlite3_finalize(q);
  return st;
}

static sweep_row_t *row_of(sweep_table_t *t, int64_t id) {
  size_t lo = 0, hi = t->num_rows;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (t->rows[mid].id < id) lo = mid + 1;
    else hi = mid;
  }
  return lo < t->num_rows && t->rows[lo].id == id ? &t->rows[lo] : NULL;
}

static wg_status_t read_labels(sweep_store_t *s, sweep_table_t *t, wg_diag_t *diag) {
  sqlite3_stmt *q = NULL;
  WG_TRY(sweep_db_prepare(s, "SELECT point, name, value FROM label", &q, diag));
  int rc;
  while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
    sweep_row_t *r = row_of(t, sqlite3_column_int64(q, 0));
    int c = sweep_table_col(t, (const char *)sqlite3_column_text(q, 1));
    if (r != NULL && c >= 0 && r->labels[c] == NULL) r->labels[c] = text_of(q, 2);
  }
  wg_status_t st = rc == SQLITE_DONE ? kWgOk : sweep_db_fail(s, "read", diag);
  sqlite3_finalize(q);
  return st;
}

/* ---- figures ---- */

/* NOT INDEXED below: an index has its own copy of the names, which no digest is of. A name that no figure has is in no
 * digest either: whoever had it is gone. */
static const char kNames[] =
    "SELECT name FROM stat_name NOT INDEXED WHERE id IN (SELECT name FROM stat_value) ORDER BY name";

/* Figures of a point itself, not of its launches. */
static char **own_figure(sweep_row_t *r, const char *name) {
  if (strcmp(name, "cycles") == 0) return &r->cycles;
  if (strcmp(name, "warp_insts") == 0) return &r->warp_insts;
  return strcmp(name, "retire_hash") == 0 ? &r->retire_hash : NULL;
}

static wg_status_t check_name(sweep_store_t *s, const char *name, wg_diag_t *diag) {
  enum { kMax = 1000 };
  static char names[kMax][96];
  const char *words[kMax + 1] = {NULL};
  sqlite3_stmt *q = NULL;
  size_t n = 0;
  bool found = false;
  WG_TRY(sweep_db_prepare(s, kNames, &q, diag));
  while (sqlite3_step(q) == SQLITE_ROW && n < kMax) {
    snprintf(names[n], sizeof names[0], "%s", (const char *)sqlite3_column_text(q, 0));
    words[n] = names[n];
    found = found || strcmp(names[n], name) == 0 ||
            (strncmp(names[n], "totals.", 7) == 0 && strcmp(names[n] + 7, name) == 0);
    n++;
  }
  sqlite3_finalize(q);
  if (found) return kWgOk;
  const char *near = wg_word_nearest(name, words);
  if (diag != NULL && near != NULL)
    snprintf(diag->hint, sizeof diag->hint, "did you mean '%.90s'? all: warpglass sweep stats %.100s", near,
             sweep_store_path(s));
  else if (diag != NULL)
    snprintf(diag->hint, sizeof diag->hint, "warpglass sweep stats %.150s names all", sweep_store_path(s));
  return wg_fail(diag, kWgBadInput, "the store '%s' has no figure '%s'", sweep_store_path(s), name);
}

char **sweep_stat_names(sweep_store_t *s, bool sums, size_t *n) {
  static const char kSums[] =
      "SELECT substr(name, 8) AS x FROM stat_name n NOT INDEXED WHERE name LIKE 'totals.%' AND"
      " name <> 'totals.launches' AND n.id IN (SELECT name FROM stat_value) AND"
      " NOT EXISTS (SELECT 1 FROM stat_value v WHERE v.name = n.id AND typeof(v.value) = 'text') ORDER BY x";
  sqlite3_stmt *q = NULL;
  char **list = calloc(1, sizeof *list);
  *n = 0;
  if (list == NULL || sweep_db_prepare(s, sums ? kSums : kNames, &q, NULL) != kWgOk) {
    free(list);
    return NULL;
  }
  while (sqlite3_step(q) == SQLITE_ROW) {
    char **grown = realloc(list, (*n + 2) * sizeof *grown);
    if (grown == NULL) break;
    list = grown;
    list[*n] = text_of(q, 0);
    if (list[*n] != NULL) ++*n;
  }
  sqlite3_finalize(q);
  return list;
}

/* A figure of one point, from where it can come. */
typedef struct sources {
  char *total, *launch, *whole; /* over all launches, as the document says; of a launch; of the run */
  unsigned launches;
} sources_t;

static void take(char **to, sqlite3_stmt *q) {
  free(*to);
  *to = figure_of(q, 3);
}

/* The document has totals of what adds up, so that nothing has to be known here about any figure. */
static char *chosen(sources_t *f, unsigned launch) {
  char **best = launch != 0 || f->launches == 1 ? &f->launch : f->launches == 0 ? &f->whole : NULL;
  if (launch == 0 && f->total != NULL) best = &f->total;
  char *text = best == NULL ? NULL : *best;
  if (best != NULL) *best = NULL;
  free(f->total), free(f->launch), free(f->whole);
  return text;
}

/* Figure `k` of every point. */
static wg_status_t read_stat(sweep_store_t *s, sweep_table_t *t, size_t k, unsigned launch, wg_diag_t *diag) {
  static const char kSql[] =
      "SELECT v.point, v.launch, n.name = ?1, v.value FROM stat_value v JOIN stat_name n NOT INDEXED ON n.id = v.name"
      " WHERE n.name = ?1 OR (n.name = 'totals.' || ?1 AND v.launch = 0)";
  const char *name = t->stat_names[k];
  if (launch == 0 && t->num_rows != 0 && own_figure(&t->rows[0], name) != NULL) {
    for (size_t i = 0; i < t->num_rows; i++) {
      char **own = own_figure(&t->rows[i], name);
      if (*own != NULL && (t->rows[i].stats[k] = strdup(*own)) == NULL)
        return wg_fail(diag, kWgNoSpace, "out of memory");
    }
    return kWgOk;
  }
  WG_TRY(check_name(s, name, diag));
  sqlite3_stmt *q = NULL;
  sources_t *from = calloc(t->num_rows + 1, sizeof *from);
  if (from == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  wg_status_t st = sweep_db_prepare(s, kSql, &q, diag);
  int rc = SQLITE_DONE;
  if (st == kWgOk) sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
  while (st == kWgOk && (rc = sqlite3_step(q)) == SQLITE_ROW) {
    sweep_row_t *r = row_of(t, sqlite3_column_int64(q, 0));
    int64_t n = sqlite3_column_int64(q, 1);
    if (r == NULL) continue;
    sources_t *f = &from[r - t->rows];
    if (sqlite3_column_int(q, 2) == 0) take(&f->total, q);
    else if (n == 0) take(&f->whole, q);
    else if (launch == 0 || n == launch) take(&f->launch, q);
    f->launches += n > 0;
  }
  if (st == kWgOk && rc != SQLITE_DONE) st = sweep_db_fail(s, "read", diag);
  sqlite3_finalize(q);
  for (size_t i = 0; i < t->num_rows; i++) t->rows[i].stats[k] = chosen(&from[i], launch);
  free(from);
  return st;
}

/* ---- the whole ---- */

int sweep_row_compare(const sweep_table_t *t, const sweep_row_t *a, const sweep_row_t *b) {
  for (size_t i = 0; i < t->num_cols; i++) {
    int c = sweep_value_compare(a->labels[i], b->labels[i]);
    if (c != 0) return c;
  }
  return 0;
}

static const sweep_table_t *g_table; /* that is being sorted: qsort has no context */

static int by_labels(const void *x, const void *y) {
  const sweep_row_t *a = x, *b = y;
  int c = sweep_row_compare(g_table, a, b);
  return c != 0 ? c : strcmp(a->key, b->key);
}

wg_status_t sweep_table_read(sweep_store_t *s, const char *const *stats, size_t num_stats, unsigned launch,
                             sweep_table_t *out, wg_diag_t *diag) {
  memset(out, 0, sizeof *out);
  out->stat_names = stats;
  out->num_stats = num_stats;
  wg_status_t st = sweep_db_run(s, "read", "BEGIN", diag); /* one state of the store, also while a sweep writes */
  if (st == kWgOk) st = sweep_store_check(s, diag);
  if (st == kWgOk) st = read_cols(s, out, diag);
  if (st == kWgOk) st = read_points(s, out, diag);
  if (st == kWgOk) st = read_labels(s, out, diag);
  for (size_t k = 0; st == kWgOk && k < num_stats; k++) st = read_stat(s, out, k, launch, diag);
  (void)sqlite3_exec(sweep_store_db(s), "COMMIT", NULL, NULL, NULL);
  if (st != kWgOk) {
    sweep_table_free(out);
    return st;
  }
  if (sweep_store_version(s) < kSweepDigests)
    fprintf(stderr,
            "warpglass: note: the store '%s' is of format %d, without digests: its figures are shown unchecked\n",
            sweep_store_path(s), sweep_store_version(s));
  g_table = out;
  if (out->num_rows != 0) qsort(out->rows, out->num_rows, sizeof *out->rows, by_labels);
  return kWgOk;
}

void sweep_row_free(const sweep_table_t *t, sweep_row_t *r) {
  for (size_t c = 0; r->labels != NULL && c < t->num_cols; c++) free(r->labels[c]);
  for (size_t c = 0; r->stats != NULL && c < t->num_stats; c++) free(r->stats[c]);
  free(r->key), free(r->message), free(r->cycles), free(r->warp_insts), free(r->retire_hash), free(r->build);
  free(r->recorded), free(r->labels), free(r->stats);
}

void sweep_table_free(sweep_table_t *t) {
  for (size_t i = 0; i < t->num_rows; i++) sweep_row_free(t, &t->rows[i]);
  for (size_t c = 0; c < t->num_cols; c++) free(t->cols[c]);
  free(t->cols);
  free(t->rows);
  memset(t, 0, sizeof *t);
}
