// SPDX-License-Identifier: Apache-2.0
//
// warpglass compare: one figure of a store's points relative to a baseline, as a table, CSV, JSON and bars.
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "cosim/cli/cli_opts.h"
#include "cosim/cli/cli_sweep.h"
#include "cosim/html/html_cmp.h"
#include "cosim/sweep/sweep_cmp.h"

static const cli_opt_t kOpts[] = {
    {"--baseline", "AXIS=VALUE", "", "what is 1.000; again for a baseline of several axes"},
    {"--metric", "NAME", "", "figure: cycles (the default), warp_insts or one of `warpglass sweep stats`"},
    {"--launch", "N", "", "of launch N alone; without it the total over launches"},
    {"--build", "newest|HASH", "",
     "which version of a plug-in, program, preset, SM or run-time library, where the store has points of several "
     "(newest)"},
    {"--speedup", NULL, NULL, "baseline over value in place of value over baseline"},
    {"--csv", "FILE", "@out", "write the cells as CSV; - is stdout, in place of the table"},
    {"--svg", "FILE", "@out", "draw bars, the plot of the page: they begin at 1, the baseline, and the axis says so"},
    {"--html", "FILE", "@out",
     "write a page with plots in place of the table: the figure, the main figures beside it (IPC, hit rates, sectors a "
     "request, DRAM bytes), what cycles went to; it needs no other file and no network; - is stdout"},
    {"--plots", "DIR", "@file", "with --html: each plot also as SVG, and its data as CSV, into this folder, with all numbers of the page "
     "in figures.csv and stalls.csv"},
    {"--json", NULL, NULL, "print a JSON document in place of the table"},
    {NULL, NULL, NULL, NULL}};

const cli_command_t kCliCompare = {
    "compare",
    "[options] STORE",
    "a figure of every point relative to a baseline, with geometric means and the spread over seeds",
    kOpts,
    "@file",
    "A row is what points share but the baseline's axes and the seed; a cell is the mean of the ratios of runs with "
    "equal seeds, +- half of\n"
    "its 95 % confidence interval where there are two seeds or more. The geometric mean is over the rows that have "
    "every column,\nor, if there is none, of the columns that are in every row.\n"
    "Points of two builds are never in one comparison: after a policy or a program was changed and run again, those "
    "of the "
    "newest build are\ncompared, and what is left out is said.\n"
    "Examples:\n"
    "  warpglass compare s.db --baseline sched=lrr\n"
    "  warpglass compare s.db --baseline sched=lrr --baseline blocks=breadth --metric l1_ld_miss_sectors --csv "
    "misses.csv --svg misses.svg\n"
    "  warpglass compare s.db --baseline sched=lrr --html s.html --plots plots\n"
    "Exit codes: 0 done, 2 wrong use\n",
    false,
    cli_compare};

typedef struct args {
  const char *store, *metric, *csv, *svg, *html, *plots, *build;
  char note[2000]; /* what was left out, a sentence a line */
  char axis[kCmpMaxAxes][32];
  const char *axes[kCmpMaxAxes], *values[kCmpMaxAxes];
  size_t n;
  unsigned launch;
  bool speedup, json;
} args_t;

static int take_baseline(args_t *a, const char *text) {
  const char *eq = strchr(text, '=');
  size_t len = eq == NULL ? 0 : (size_t)(eq - text);
  if (len == 0 || len >= sizeof a->axis[0]) {
    return cli_usage("--baseline AXIS=VALUE, such as --baseline sched=lrr",
                     "option '--baseline': '%s' is no axis with a value", text);
  }
  if (a->n == kCmpMaxAxes) return cli_usage(NULL, "more than %d axes in a baseline", kCmpMaxAxes);
  snprintf(a->axis[a->n], sizeof a->axis[0], "%.*s", (int)len, text);
  for (size_t i = 0; i < a->n; i++) {
    if (strcmp(a->axis[i], a->axis[a->n]) == 0)
      return cli_usage("one --baseline an axis", "axis '%s' is twice in the baseline", a->axis[i]);
  }
  a->axes[a->n] = a->axis[a->n];
  a->values[a->n++] = eq + 1;
  return kCliPass;
}

static int take(void *ctx, const cli_opt_t *opt, const char *value) {
  args_t *a = ctx;
  uint64_t n = 0;
  if (opt == NULL) {
    if (a->store != NULL) return cli_usage(NULL, "more than one store: '%s'", value);
    a->store = value;
    return kCliPass;
  }
  if (strcmp(opt->name, "--baseline") == 0) return take_baseline(a, value);
  if (strcmp(opt->name, "--launch") == 0) {
    int rc = cli_opts_number("--launch", value, 1, 1000000, &n);
    a->launch = (unsigned)n;
    return rc;
  }
  if (strcmp(opt->name, "--metric") == 0) a->metric = value;
  else if (strcmp(opt->name, "--csv") == 0) a->csv = value;
  else if (strcmp(opt->name, "--svg") == 0) a->svg = value;
  else if (strcmp(opt->name, "--html") == 0) a->html = value;
  else if (strcmp(opt->name, "--plots") == 0) a->plots = value;
  else if (strcmp(opt->name, "--build") == 0) a->build = value;
  else if (strcmp(opt->name, "--json") == 0) a->json = true;
  else a->speedup = true;
  return kCliPass;
}

/* ---- a table ---- */

/* The baseline is 1 by definition, without a spread. */
static void cell_text(const sweep_cmp_t *o, size_t row, size_t col, char *out, size_t n) {
  const sweep_cell_t *c = &o->cells[row * o->num_cols + col];
  if (c->kind == kCmpFailed) snprintf(out, n, "failed");
  else if (c->kind != kCmpRatio) snprintf(out, n, "-");
  else if (c->seeds > 1 && col != o->base && sweep_cell_same(c))
    snprintf(out, n, "%.3f same for %u seeds", c->ratio, c->seeds);
  else if (c->seeds > 1 && col != o->base) snprintf(out, n, "%.3f +-%.3f", c->ratio, c->half);
  else snprintf(out, n, "%.3f", c->ratio);
}

static int width_of(const sweep_cmp_t *c, size_t col) {
  char text[64];
  int w = (int)strlen(c->cols[col]);
  for (size_t r = 0; r < c->num_rows; r++) {
    cell_text(c, r, col, text, sizeof text);
    if ((int)strlen(text) > w) w = (int)strlen(text);
  }
  return w;
}

static void print_table(const args_t *a, const sweep_cmp_t *c) {
  char text[64], mean[64], none[600];
  int first = snprintf(mean, sizeof mean, "geometric mean of %zu row%s", c->whole, CLI_S(c->whole)), figure = (int)strlen(a->metric);
  bool seeds = false, same = false, gaps = false;
  for (size_t r = 0; r < c->num_rows; r++) {
    if ((int)strlen(c->rows[r]) > first) first = (int)strlen(c->rows[r]);
  }
  if (figure < 12) figure = 12;
  printf("%s of %s, %s %s\n%-*s  %*s", a->metric, a->store, a->speedup ? "speed-up over" : "relative to",
         c->cols[c->base], first, "", figure, a->metric);
  for (size_t k = 0; k < c->num_cols; k++) printf("  %*s", width_of(c, k), c->cols[k]);
  printf("\n");
  for (size_t r = 0; r < c->num_rows; r++) {
    const sweep_cell_t *row = &c->cells[r * c->num_cols];
    if (row[c->base].kind == kCmpRatio) snprintf(text, sizeof text, "%.15g", row[c->base].mean);
    else snprintf(text, sizeof text, "%s", row[c->base].kind == kCmpFailed ? "failed" : "-");
    printf("%-*s  %*s", first, c->rows[r], figure, text);
    for (size_t k = 0; k < c->num_cols; k++) {
      cell_text(c, r, k, text, sizeof text);
      printf("  %*s", width_of(c, k), text);
      bool some = row[k].kind == kCmpRatio && row[k].seeds > 1 && k != c->base;
      seeds = seeds || (some && !sweep_cell_same(&row[k]));
      same = same || (some && sweep_cell_same(&row[k]));
      gaps = gaps || row[k].kind != kCmpRatio;
    }
    printf("\n");
  }
  printf("%-*s  %*s", first, mean, figure, "");
  for (size_t k = 0; k < c->num_cols; k++) {
    if (!isfinite(c->geomean[k])) printf("  %*s", width_of(c, k), "-");
    else printf("  %*.3f", width_of(c, k), c->geomean[k]);
  }
  printf("\n");
  if (seeds) printf("+-: half of the 95 %% confidence interval of the mean over seeds (Student's t)\n");
  if (sweep_cmp_no_mean(c, none, sizeof none) != 0) printf("no geometric mean of %s: not in every row\n", none);
  if (same) printf("same for N seeds: %s\n", sweep_same_note);
  if (gaps)
    printf("- no point or no figure, failed: its run or the baseline's; such rows are not in the geometric mean\n");
  if (a->note[0] != '\0') printf("%s\n", a->note);
}

/* ---- CSV, JSON ---- */

static void put_double(FILE *f, double v) {
  if (isfinite(v)) fprintf(f, "%.15g", v);
}

static int write_csv(const args_t *a, const sweep_cmp_t *c) {
  FILE *f = cli_out_open(a->csv);
  if (f == NULL) return kCliUsage;
  fputs("row,column,kind,mean,ratio,ci95_half,seeds\n", f);
  for (size_t r = 0; r < c->num_rows; r++) {
    for (size_t k = 0; k < c->num_cols; k++) {
      const sweep_cell_t *x = &c->cells[r * c->num_cols + k];
      cli_csv_field(f, c->rows[r]);
      fputc(',', f);
      cli_csv_field(f, c->cols[k]);
      fprintf(f, ",%s,", sweep_cell_kind_name(x->kind));
      if (x->kind == kCmpRatio) put_double(f, x->mean);
      fputc(',', f);
      if (x->kind == kCmpRatio) put_double(f, x->ratio);
      fputc(',', f);
      put_double(f, x->half);
      fprintf(f, ",%u\n", x->seeds);
    }
  }
  for (size_t k = 0; k < c->num_cols; k++) {
    fputs("geometric mean,", f);
    cli_csv_field(f, c->cols[k]);
    fputs(",geomean,,", f);
    put_double(f, c->geomean[k]);
    fputs(",,\n", f);
  }
  return cli_out_close(f, a->csv);
}

static void put_real(json_t *o, const char *key, double v) {
  if (isfinite(v)) json_object_set_new(o, key, json_real(v));
}

static int print_json(const args_t *a, const sweep_cmp_t *c) {
  json_t *doc = json_object(), *cells = json_array(), *means = json_object();
  for (size_t i = 0; i < c->num_rows * c->num_cols; i++) {
    const sweep_cell_t *x = &c->cells[i];
    json_t *o = json_object();
    json_object_set_new(o, "row", json_string(c->rows[i / c->num_cols]));
    json_object_set_new(o, "column", json_string(c->cols[i % c->num_cols]));
    json_object_set_new(o, "kind", json_string(sweep_cell_kind_name(x->kind)));
    if (x->kind == kCmpRatio) {
      put_real(o, "mean", x->mean);
      put_real(o, "ratio", x->ratio);
      put_real(o, "ci95_half", x->half);
      json_object_set_new(o, "seeds", json_integer(x->seeds));
    }
    json_array_append_new(cells, o);
  }
  for (size_t k = 0; k < c->num_cols; k++) put_real(means, c->cols[k], c->geomean[k]);
  json_object_set_new(doc, "schema", json_string("warpglass-compare-1"));
  json_object_set_new(doc, "metric", json_string(a->metric));
  json_object_set_new(doc, "baseline", json_string(c->cols[c->base]));
  json_object_set_new(doc, "cells", cells);
  json_object_set_new(doc, "geometric_mean", means);
  json_object_set_new(doc, "geometric_mean_rows", json_integer((json_int_t)c->whole));
  if (a->note[0] != '\0') json_object_set_new(doc, "note", json_string(a->note));
  int bad = json_dumpf(doc, stdout, JSON_INDENT(1));
  json_decref(doc);
  printf("\n");
  return bad == 0 ? kCliPass : cli_unwritten("the JSON document");
}

/* ---- bars ---- */

static html_cmp_t page_of(const args_t *a, const sweep_cmp_t *c, const sweep_table_t *t) {
  return (html_cmp_t){c, t, a->store, a->metric, a->launch, a->speedup, a->note, a->axes, a->values, a->n};
}

static int write_svg(const args_t *a, const sweep_cmp_t *c, const sweep_table_t *t) {
  FILE *f = cli_out_open(a->svg);
  if (f == NULL) return kCliUsage;
  html_cmp_t page = page_of(a, c, t);
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  wg_status_t st = html_cmp_svg(&page, f, &d);
  int rc = cli_out_close(f, a->svg);
  return st != kWgOk ? cli_diag(&d) : rc;
}

/* ---- a page ---- */

static int write_html(const args_t *a, const sweep_cmp_t *c, const sweep_table_t *t) {
  html_cmp_t page = page_of(a, c, t);
  unsigned plots = 0;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  if (html_cmp_write(&page, a->html, a->plots, &plots, &d) != kWgOk) return cli_diag(&d);
  if (strcmp(a->html, "-") != 0) printf("%s: %u plots\n", a->html, plots);
  return kCliPass;
}

/* ---- the command ---- */

static bool of_baseline(const args_t *a, const sweep_table_t *t, const sweep_row_t *r) {
  for (size_t i = 0; i < a->n; i++) {
    int col = sweep_table_col(t, a->axes[i]);
    const char *v = col < 0 || r->labels[col] == NULL ? "" : r->labels[col];
    if (strcmp(v, a->values[i]) != 0) return false;
  }
  return true;
}

/* No cell has a ratio: why. */
static int nothing(const args_t *a, const sweep_cmp_t *c, const sweep_table_t *t) {
  size_t ran = 0, base = 0, base_ran = 0, figures = 0, base_figures = 0, func = 0;
  int backend = sweep_table_col(t, "backend");
  for (size_t i = 0; i < t->num_rows; i++) {
    const sweep_row_t *r = &t->rows[i];
    bool in_base = of_baseline(a, t, r), has = r->ok && r->stats[0] != NULL;
    base += in_base;
    ran += r->ok;
    base_ran += r->ok && in_base;
    figures += has;
    base_figures += has && in_base;
    func += r->ok && backend >= 0 && r->labels[backend] != NULL && strcmp(r->labels[backend], "func") == 0;
  }
  if (base_ran == 0 && base != 0)
    return cli_usage("`warpglass sweep show STORE --failed` says why; another baseline, or sweep run --retry",
                     "every run of the baseline %s has failed", c->cols[c->base]);
  if (ran == base_ran)
    return cli_usage("`warpglass sweep show STORE --failed` says why", "every run beside the baseline %s has failed",
                     c->cols[c->base]);
  if (figures == 0 && func == ran)
    return cli_usage("the back end func has no cycles: --metric warp_insts, or one of warpglass sweep stats",
                     "no point of the store can be compared by '%s' with %s", a->metric, c->cols[c->base]);
  if (figures == 0 && a->launch != 0)
    return cli_usage("a launch that the runs have, or none: the whole run", "no run of the store has '%s' of launch %u",
                     a->metric, a->launch);
  if (figures == 0)
    return cli_usage("--launch N: which launch's", "'%s' does not add up over launches, and the runs have several",
                     a->metric);
  return cli_usage("warpglass sweep show STORE --stat NAME shows what there is",
                   base_figures == 0 ? "no run of the baseline has a '%s' to compare by: %s"
                                     : "no run has the same other values as one with a '%s' of the baseline %s",
                   a->metric, c->cols[c->base]);
}

static int answer(const args_t *a, const sweep_cmp_t *c, const sweep_table_t *t) {
  bool some = false;
  for (size_t i = 0; i < c->num_rows * c->num_cols; i++) some = some || c->cells[i].kind == kCmpRatio;
  if (!some) return nothing(a, c, t);
  bool table =
      !(a->csv != NULL && strcmp(a->csv, "-") == 0) && a->html == NULL && !a->json; /* it has the note itself */
  if (!table) cli_sweep_note(a->note);
  int rc = a->svg != NULL ? write_svg(a, c, t) : kCliPass;
  if (rc == kCliPass && a->csv != NULL) rc = write_csv(a, c);
  if (rc != kCliPass || (a->csv != NULL && strcmp(a->csv, "-") == 0)) return rc;
  if (a->html != NULL) rc = write_html(a, c, t);
  else if (a->json) rc = print_json(a, c);
  else print_table(a, c);
  return rc != kCliPass ? rc : cli_out_close(stdout, "-");
}

int cli_compare(int argc, char **argv) {
  args_t a = {.metric = "cycles", .build = "newest"};
  sweep_store_t *s = NULL;
  sweep_table_t t;
  sweep_cmp_t c;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  int rc = cli_opts_read(&kCliCompare, argc, argv, take, &a, NULL);
  if (rc == kCliPass && a.store == NULL)
    rc = cli_usage("the file that `warpglass sweep run --store FILE` made", "no store to look at");
  if (rc == kCliPass && a.n == 0)
    rc = cli_usage("--baseline sched=lrr, or another axis of the sweep", "no baseline to compare with");
  if (rc == kCliPass && a.plots != NULL && a.html == NULL)
    rc = cli_usage("--html FILE as well", "option '--plots' goes with a page");
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  if (sweep_store_open(a.store, kSweepRead, &s, &d) != kWgOk) return cli_diag(&d);
  const char *names[kCmpMostNames] = {a.metric};
  size_t num = a.html != NULL ? html_cmp_names(s, a.metric, names) : 1;
  wg_status_t st = sweep_table_read(s, names, num, a.launch, &t, &d);
  sweep_store_close(s);
  if (st != kWgOk) return cli_diag(&d);
  if (sweep_table_pick(&t, a.build, a.note, sizeof a.note, &d) != kWgOk ||
      sweep_compare(&t, NULL, a.axes, a.values, a.n, a.speedup, &c, &d) != kWgOk) {
    rc = cli_diag(&d);
  } else {
    rc = answer(&a, &c, &t);
    sweep_cmp_free(&c);
  }
  sweep_table_free(&t);
  return rc;
}
