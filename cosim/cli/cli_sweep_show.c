// SPDX-License-Identifier: Apache-2.0
//
// warpglass sweep show, export, stats: what a store holds. A failed point has no figure in any of them.
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/cli/cli_opts.h"
#include "cosim/cli/cli_sweep.h"
#include "toolchain/obj/wg_files.h"

enum { kMaxStats = 2000 };

typedef struct show_args {
  const char *store, *csv, *build;
  const char *stats[kMaxStats];
  size_t num_stats;
  unsigned launch;
  bool failed, json, all;
} show_args_t;

FILE *cli_out_open(const char *path) {
  FILE *f = strcmp(path, "-") == 0 ? stdout : wg_file_create(path);
  if (f == NULL)
    (void)cli_usage("a file in a folder that is there and writable", "cannot write '%s': %s", path, strerror(errno));
  return f;
}

int cli_out_close(FILE *f, const char *path) {
  bool to_stdout = f == stdout;
  if (to_stdout ? fflush(f) == 0 && ferror(f) == 0 : wg_file_close(f, path, true)) return kCliPass;
  (void)cli_usage(NULL, "cannot write '%s': %s", to_stdout ? "stdout" : path, strerror(errno));
  return kCliFail;
}

void cli_csv_field(FILE *f, const char *text) {
  if (text == NULL) return;
  if (strpbrk(text, ",\"\r\n") == NULL) {
    fputs(text, f);
    return;
  }
  fputc('"', f);
  for (; *text != '\0'; text++) fprintf(f, "%s%c", *text == '"' ? "\"" : "", *text);
  fputc('"', f);
}

static int take(void *ctx, const cli_opt_t *opt, const char *value) {
  show_args_t *a = ctx;
  uint64_t n = 0;
  if (opt == NULL) {
    if (a->store != NULL) return cli_usage(NULL, "more than one store: '%s'", value);
    a->store = value;
    return kCliPass;
  }
  if (strcmp(opt->name, "--json") == 0) a->json = true;
  else if (strcmp(opt->name, "--failed") == 0) a->failed = true;
  else if (strcmp(opt->name, "--all") == 0) a->all = true;
  else if (strcmp(opt->name, "--csv") == 0) a->csv = value;
  else if (strcmp(opt->name, "--build") == 0) a->build = value;
  else if (strcmp(opt->name, "--launch") == 0) {
    int rc = cli_opts_number("--launch", value, 1, 1000000, &n);
    a->launch = (unsigned)n;
    return rc;
  } else if (a->num_stats < kMaxStats) {
    a->stats[a->num_stats++] = value;
  }
  return kCliPass;
}

/* Read the words and the store. @return kCliPass with a table, which the caller frees */
static int open_table(const cli_command_t *c, int argc, char **argv, show_args_t *a, sweep_table_t *t) {
  sweep_store_t *s = NULL;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  int rc = cli_opts_read(c, argc, argv, take, a, NULL);
  if (rc == kCliPass && a->store == NULL)
    rc = cli_usage("the file that `warpglass sweep run --store FILE` made", "no store to look at");
  if (rc != kCliPass) return rc;
  if (sweep_store_open(a->store, kSweepRead, &s, &d) != kWgOk) return cli_diag(&d);
  if (a->all) {
    size_t n = 0;
    char **names = sweep_stat_names(s, true, &n);
    for (size_t i = 0; i < n && a->num_stats < kMaxStats; i++) a->stats[a->num_stats++] = names[i];
    free(names); /* the names themselves live as long as the process */
  }
  wg_status_t st = sweep_table_read(s, a->stats, a->num_stats, a->launch, t, &d);
  sweep_store_close(s);
  char note[2000] = "";
  bool read = st == kWgOk;
  if (read && a->build != NULL) st = sweep_table_pick(t, a->build, note, sizeof note, &d);
  if (read && st != kWgOk) sweep_table_free(t);
  cli_sweep_note(note);
  return st == kWgOk ? kCliPass : cli_diag(&d);
}

void cli_sweep_note(const char *note) {
  for (const char *p = note; *p != '\0'; p += strcspn(p, "\n"), p += *p == '\n')
    fprintf(stderr, "warpglass: note: %.*s\n", (int)strcspn(p, "\n"), p);
}

/* ---- CSV ---- */

static void csv_row(FILE *f, const sweep_table_t *t, const sweep_row_t *r) {
  for (size_t c = 0; c < t->num_cols; c++) {
    cli_csv_field(f, r->labels[c]);
    fputc(',', f);
  }
  fprintf(f, "%s,%s,%s,%s,%s,", r->build, r->ok ? "ok" : "failed", r->cycles == NULL ? "" : r->cycles,
          r->warp_insts == NULL ? "" : r->warp_insts, r->retire_hash == NULL ? "" : r->retire_hash);
  for (size_t k = 0; k < t->num_stats; k++) {
    cli_csv_field(f, r->ok ? r->stats[k] : NULL);
    fputc(',', f);
  }
  cli_csv_field(f, r->message);
  fprintf(f, ",%s\n", r->key);
}

int cli_sweep_export(int argc, char **argv) {
  show_args_t a = {.csv = "-"};
  sweep_table_t t;
  int rc = open_table(&kCliSweepExport, argc, argv, &a, &t);
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  FILE *f = cli_out_open(a.csv);
  if (f != NULL) {
    for (size_t c = 0; c < t.num_cols; c++) fprintf(f, "%s,", t.cols[c]);
    fputs("build,status,cycles,warp_insts,retire_hash,", f);
    for (size_t k = 0; k < t.num_stats; k++) {
      cli_csv_field(f, t.stat_names[k]);
      fputc(',', f);
    }
    fputs("message,key\n", f);
    for (size_t i = 0; i < t.num_rows; i++) csv_row(f, &t, &t.rows[i]);
    rc = cli_out_close(f, a.csv);
  }
  sweep_table_free(&t);
  return f == NULL ? kCliUsage : rc;
}

/* ---- for people ---- */

static bool varies(const sweep_table_t *t, size_t col) {
  for (size_t i = 1; i < t->num_rows; i++) {
    const char *a = t->rows[0].labels[col], *b = t->rows[i].labels[col];
    if ((a == NULL) != (b == NULL) || (a != NULL && strcmp(a, b) != 0)) return true;
  }
  return false;
}

static const char *cell(const sweep_row_t *r, const char *text) { return r->ok && text != NULL ? text : "-"; }

typedef struct column {
  const char *head;
  int label, stat; /* index, -1: it is neither */
  int width;
} column_t;

/* Of rows with the same values: the hashes of what they differ in, as the notes and --build have them. */
static const char *build_text(const sweep_table_t *t, const sweep_row_t *r) {
  static char out[kSweepParts * kSweepShort];
  static const sweep_table_t *of;
  static bool differ[kSweepParts]; /* in table `of` */
  size_t used = 0;
  for (size_t i = 1; i < t->num_rows && of != t; i++) {
    const sweep_row_t *x = &t->rows[i - 1], *y = &t->rows[i];
    bool twice = sweep_row_compare(t, x, y) == 0;
    for (unsigned k = 0; twice && k < kSweepParts; k++) differ[k] |= strcmp(x->made[k], y->made[k]) != 0;
  }
  of = t;
  for (unsigned k = 0; k < kSweepParts; k++) {
    if (differ[k]) used += (size_t)snprintf(out + used, sizeof out - used, "%s%s", used == 0 ? "" : "+", r->made[k]);
  }
  return used == 0 ? r->build : out;
}

static const char *text_of(const sweep_table_t *t, const column_t *c, const sweep_row_t *r) {
  if (c->label >= 0) return r->labels[c->label] == NULL || r->labels[c->label][0] == '\0' ? "-" : r->labels[c->label];
  if (c->stat >= 0) return cell(r, r->stats[c->stat]);
  if (strcmp(c->head, "build") == 0) return build_text(t, r);
  if (strcmp(c->head, "status") == 0) return r->ok ? "ok" : "failed";
  return cell(r, strcmp(c->head, "cycles") == 0 ? r->cycles : r->warp_insts);
}

static size_t choose(const sweep_table_t *t, column_t *cols) {
  size_t n = 0;
  bool builds = false; /* the same values twice: their builds differ */
  for (size_t i = 1; i < t->num_rows; i++) builds = builds || sweep_row_compare(t, &t->rows[i - 1], &t->rows[i]) == 0;
  for (size_t c = 0; c < t->num_cols; c++) {
    if (strcmp(t->cols[c], "program") == 0 || varies(t, c)) cols[n++] = (column_t){t->cols[c], (int)c, -1, 0};
  }
  if (builds) cols[n++] = (column_t){"build", -1, -1, 0};
  cols[n++] = (column_t){"status", -1, -1, 0};
  cols[n++] = (column_t){"cycles", -1, -1, 0};
  cols[n++] = (column_t){"warp_insts", -1, -1, 0};
  for (size_t k = 0; k < t->num_stats; k++) cols[n++] = (column_t){t->stat_names[k], -1, (int)k, 0};
  for (size_t c = 0; c < n; c++) {
    cols[c].width = (int)strlen(cols[c].head);
    for (size_t i = 0; i < t->num_rows; i++) {
      int w = (int)strlen(text_of(t, &cols[c], &t->rows[i]));
      if (w > cols[c].width) cols[c].width = w;
    }
  }
  return n;
}

static void print_common(const sweep_table_t *t) {
  printf("everywhere:");
  for (size_t c = 0; c < t->num_cols; c++) {
    const char *v =
        t->num_rows == 0 || strcmp(t->cols[c], "program") == 0 || varies(t, c) ? NULL : t->rows[0].labels[c];
    if (v != NULL && v[0] != '\0') printf(" %s=%s", t->cols[c], v);
  }
  printf("\n");
}

static void print_table(const sweep_table_t *t, const show_args_t *a) {
  column_t *cols = calloc(t->num_cols + t->num_stats + 4, sizeof *cols);
  size_t failed = 0, n = cols == NULL ? 0 : choose(t, cols);
  for (size_t i = 0; i < t->num_rows; i++) failed += !t->rows[i].ok;
  printf("%s: %zu points, %zu failed\n", a->store, t->num_rows, failed);
  print_common(t);
  for (size_t c = 0; c < n; c++)
    printf("%s%*s", c == 0 ? "" : "  ", cols[c].label >= 0 ? -cols[c].width : cols[c].width, cols[c].head);
  printf("\n");
  for (size_t i = 0; i < t->num_rows; i++) {
    const sweep_row_t *r = &t->rows[i];
    if (a->failed && r->ok) continue;
    for (size_t c = 0; c < n; c++)
      printf("%s%*s", c == 0 ? "" : "  ", cols[c].label >= 0 ? -cols[c].width : cols[c].width, text_of(t, &cols[c], r));
    printf("%s%s\n", r->ok ? "" : "  ", r->ok ? "" : r->message);
  }
  free(cols);
}

static void put(json_t *o, const char *key, const char *text) {
  if (text != NULL) json_object_set_new(o, key, json_string(text));
}

static void put_number(json_t *o, const char *key, const char *text) {
  char *end = NULL;
  if (text == NULL) return;
  long long v = strtoll(text, &end, 10);
  if (*end == '\0') json_object_set_new(o, key, json_integer(v));
  else json_object_set_new(o, key, json_real(strtod(text, NULL)));
}

static int print_json(const sweep_table_t *t, const show_args_t *a) {
  json_t *doc = json_object(), *points = json_array();
  for (size_t i = 0; i < t->num_rows; i++) {
    const sweep_row_t *r = &t->rows[i];
    if (a->failed && r->ok) continue;
    json_t *o = json_object(), *labels = json_object(), *stats = json_object();
    put(o, "key", r->key);
    put(o, "build", r->build);
    put(o, "status", r->ok ? "ok" : "failed");
    put(o, "message", r->message);
    put_number(o, "cycles", r->cycles);
    put_number(o, "warp_insts", r->warp_insts);
    put(o, "retire_hash", r->retire_hash);
    for (size_t c = 0; c < t->num_cols; c++) put(labels, t->cols[c], r->labels[c]);
    for (size_t k = 0; k < t->num_stats && r->ok; k++) put_number(stats, t->stat_names[k], r->stats[k]);
    json_object_set_new(o, "point", labels);
    if (t->num_stats != 0) json_object_set_new(o, "stats", stats);
    else json_decref(stats);
    json_array_append_new(points, o);
  }
  put(doc, "schema", "warpglass-sweep-1");
  json_object_set_new(doc, "points", points);
  int bad = json_dumpf(doc, stdout, JSON_INDENT(1));
  json_decref(doc);
  printf("\n");
  return bad == 0 ? kCliPass : cli_unwritten("the JSON document");
}

int cli_sweep_show(int argc, char **argv) {
  show_args_t a = {.csv = NULL};
  sweep_table_t t;
  int rc = open_table(&kCliSweepShow, argc, argv, &a, &t);
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  if (a.json) rc = print_json(&t, &a);
  else print_table(&t, &a);
  sweep_table_free(&t);
  return rc != kCliPass ? rc : cli_out_close(stdout, "-");
}

int cli_sweep_stats(int argc, char **argv) {
  show_args_t a = {.csv = NULL};
  sweep_store_t *s = NULL;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  int rc = cli_opts_read(&kCliSweepStats, argc, argv, take, &a, NULL);
  if (rc == kCliPass && a.store == NULL)
    rc = cli_usage("the file that `warpglass sweep run --store FILE` made", "no store to look at");
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  if (sweep_store_open(a.store, kSweepRead, &s, &d) != kWgOk) return cli_diag(&d);
  if (sweep_store_check(s, &d) != kWgOk) {
    sweep_store_close(s);
    return cli_diag(&d);
  }
  size_t n = 0;
  char **names = sweep_stat_names(s, false, &n);
  for (size_t i = 0; i < n; i++) {
    printf("%s\n", names[i]);
    free(names[i]);
  }
  free(names);
  sweep_store_close(s);
  return cli_out_close(stdout, "-");
}
