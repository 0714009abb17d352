// SPDX-License-Identifier: Apache-2.0
#include "cosim/html/html_cmp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/html/html_run.h"
#include "cosim/html/plot.h"

static const char *gap_of(sweep_cell_kind_t k) {
  return k == kCmpFailed ? "failed" : k == kCmpNoValue ? "no figure" : "no point";
}

static plot_group_bar_t bar_of(const sweep_cell_t *c, bool is_base) {
  bool has = c->kind == kCmpRatio;
  /* the baseline is 1 by definition, without a spread */
  return (plot_group_bar_t){has ? c->ratio : NAN, has && !is_base && c->seeds > 1 ? c->half : NAN, has ? c->seeds : 0,
                            gap_of(c->kind)};
}

static const char *axis_of(const sweep_cmp_t *x, bool inverse, char *buf, size_t n) {
  /* the length of a bar is what a ratio is off 1, which a bar from 0 would hide: the axis says so */
  snprintf(buf, n, "%s %.100s; bars begin at 1, the baseline, not at 0", inverse ? "speed-up over" : "ratio to",
           x->cols[x->base]);
  return buf;
}

/* ---- all figures ---- */

static const char *label_of(const html_cmp_fig_t *f, char *buf, size_t n) {
  snprintf(buf, n, "%s%s%s%s%s", f->name, f->inverse ? ", speed-up" : "", f->unit[0] == '\0' ? "" : " (", f->unit,
           f->unit[0] == '\0' ? "" : ")");
  return buf;
}

static void means_plot(html_page_t *p, const html_cmp_t *c, const html_cmp_fig_t *fig, size_t figs) {
  const sweep_cmp_t *x = c->cmp;
  plot_group_bar_t *value = calloc(figs * x->num_cols + 1, sizeof *value);
  char name[kCmpMostFigs][96], axis[200], none[600];
  const char *group[kCmpMostFigs];
  for (size_t i = 0; i < figs; i++) group[i] = label_of(&fig[i], name[i], sizeof name[0]);
  for (size_t i = 0; i < figs * x->num_cols && value != NULL; i++)
    value[i] = (plot_group_bar_t){fig[i / x->num_cols].cmp->geomean[i % x->num_cols], NAN, 0, "no geometric mean"};
  plot_groups_t g = {group, figs, (const char *const *)x->cols, x->num_cols, value};
  if (value == NULL) html_fail(p, "out of memory");
  else
    plot_grouped(p, "geometric-means", "Geometric means of the ratios",
                 axis_of(x, c->speedup && figs == 1, axis, sizeof axis), &g,
                 "Over the rows that have every column; the table says how many. Whiskers stand in the plots by row.",
                 0);
  if (sweep_cmp_no_mean(x, none, sizeof none) != 0)
    html_paragraph(p, "note", "No row has every column. No geometric mean of %s: not in every row.", none);
  free(value);
}

static void means_table(html_page_t *p, const html_cmp_t *c, const html_cmp_fig_t *fig, size_t figs) {
  const sweep_cmp_t *x = c->cmp;
  html_table_t t;
  html_table_begin(&t, x->num_cols + 3);
  html_table_cell(&t, "figure");
  html_table_cell(&t, "unit");
  html_table_cell(&t, "rows in the mean");
  for (size_t k = 0; k < x->num_cols; k++) html_table_cell(&t, "%s", x->cols[k]);
  for (size_t i = 0; i < figs; i++) {
    html_table_cell(&t, "%s%s", fig[i].name, fig[i].inverse ? ", speed-up" : "");
    html_table_cell(&t, "%s", fig[i].unit[0] == '\0' ? "-" : fig[i].unit);
    html_table_cell(&t, "%zu of %zu", fig[i].cmp->whole, x->num_rows);
    for (size_t k = 0; k < x->num_cols; k++) {
      if (isfinite(fig[i].cmp->geomean[k])) html_table_cell(&t, "%.3f", fig[i].cmp->geomean[k]);
      else html_table_cell(&t, "-");
    }
  }
  html_table_write(p, &t, NULL, 1000);
  html_table_free(&t);
}

/* ---- a figure, row by row ---- */

static const char *rows_id(const html_cmp_fig_t *f, bool first, char *buf, size_t n) {
  snprintf(buf, n, first ? "ratios" : "ratios-%s", f->name);
  for (char *q = buf; *q != '\0'; q++) *q = *q == '_' ? '-' : *q;
  return buf;
}

/* @param mean a last group for the geometric means */
static void rows_plot(html_page_t *p, const html_cmp_fig_t *f, const char *id, const char *title, size_t most,
                      bool mean) {
  const sweep_cmp_t *x = f->cmp;
  size_t rows = x->num_rows < most ? x->num_rows : most, cols = x->num_cols;
  char axis[200];
  plot_group_bar_t *value = calloc((rows + 1) * cols + 1, sizeof *value);
  const char **group = calloc(rows + 1, sizeof *group);
  if (value == NULL || group == NULL) {
    html_fail(p, "out of memory");
  } else {
    for (size_t i = 0; i < rows; i++) group[i] = x->rows[i];
    group[rows] = "geometric mean";
    for (size_t i = 0; i < rows * cols; i++) value[i] = bar_of(&x->cells[i], i % cols == x->base);
    for (size_t k = 0; k < cols; k++) value[rows * cols + k] = (plot_group_bar_t){x->geomean[k], NAN, 0, "-"};
    plot_groups_t g = {group, rows + mean, (const char *const *)x->cols, cols, value};
    plot_grouped(p, id, title, axis_of(x, f->inverse, axis, sizeof axis), &g,
                 "Whiskers: 95 % confidence interval of the mean over seeds (Student's t), where there are two seeds "
                 "or more.",
                 0);
  }
  if (rows < x->num_rows)
    html_paragraph(p, "note", "The plot has the first %zu of %zu rows, the table all.", rows, x->num_rows);
  free(value);
  free(group);
}

static void table(html_page_t *p, const html_cmp_fig_t *f) {
  const sweep_cmp_t *x = f->cmp;
  html_table_t t;
  html_table_begin(&t, x->num_cols + 2);
  html_table_cell(&t, "row");
  html_table_cell(&t, "%s of %s%s%s%s", f->name, x->cols[x->base], f->unit[0] == '\0' ? "" : " (", f->unit,
                  f->unit[0] == '\0' ? "" : ")");
  for (size_t k = 0; k < x->num_cols; k++) html_table_cell(&t, "%s", x->cols[k]);
  for (size_t r = 0; r < x->num_rows; r++) {
    const sweep_cell_t *row = &x->cells[r * x->num_cols];
    html_table_cell(&t, "%s", x->rows[r]);
    html_table_number(&t, row[x->base].kind == kCmpRatio ? row[x->base].mean : NAN);
    for (size_t k = 0; k < x->num_cols; k++) {
      plot_group_bar_t b = bar_of(&row[k], k == x->base);
      if (!isfinite(b.value)) html_table_cell(&t, "%s", b.gap);
      else if (k != x->base && sweep_cell_same(&row[k]))
        html_table_cell(&t, "%.3f (same for %u seeds)", b.value, b.seeds);
      else if (isfinite(b.half)) html_table_cell(&t, "%.3f +-%.3f (%u seeds)", b.value, b.half, b.seeds);
      else html_table_cell(&t, "%.3f", b.value);
    }
  }
  html_table_cell(&t, "geometric mean of %zu", x->whole);
  html_table_cell(&t, "%s", "");
  for (size_t k = 0; k < x->num_cols; k++) {
    if (isfinite(x->geomean[k])) html_table_cell(&t, "%.3f", x->geomean[k]);
    else html_table_cell(&t, "-");
  }
  html_table_write(p, &t, NULL, 100000);
  html_table_free(&t);
}

static void figure(html_page_t *p, const html_cmp_fig_t *f, bool first) {
  char id[96], title[160], name[96];
  snprintf(title, sizeof title, "%s, every row", label_of(f, name, sizeof name));
  html_heading(p, 3, NULL, f->name);
  if (f->doc[0] != '\0') html_paragraph(p, "note", "%s%s%s.", f->doc, f->unit[0] == '\0' ? "" : "; in ", f->unit);
  rows_plot(p, f, rows_id(f, first, id, sizeof id), title, kHtmlMostGroups, false);
  table(p, f);
}

/* ---- what cycles went to ---- */

static const char *const kStackId[kCmpStacks] = {"warp-states", "issue-slots"};

/* Share of each reason in a column: the mean over rows of each row's share, so that a long run weighs as a short one.
   @param row_in [num_rows] which rows @return rows */
static size_t column_stack(const html_cmp_t *c, html_cmp_stack_t which, size_t col, const bool *row_in,
                           double *share) {
  size_t n = 0;
  memset(share, 0, kWgReasonCount * sizeof *share);
  for (size_t r = 0; r < c->cmp->num_rows; r++) {
    double sum[kWgReasonCount], all = html_cmp_cell_stack(c, which, r * c->cmp->num_cols + col, sum);
    if (!row_in[r] || all == 0) continue;
    for (unsigned k = 0; k < kWgReasonCount; k++) share[k] += 100 * sum[k] / all;
    n++;
  }
  for (unsigned k = 0; k < kWgReasonCount && n != 0; k++) share[k] /= (double)n;
  return n;
}

/* Rows of which every column has a stack; all rows, if there is none. @return how many are whole */
static size_t whole_rows(const html_cmp_t *c, html_cmp_stack_t which, bool *row_in) {
  double sum[kWgReasonCount];
  size_t n = 0;
  for (size_t r = 0; r < c->cmp->num_rows; r++) {
    row_in[r] = true;
    for (size_t k = 0; k < c->cmp->num_cols; k++)
      row_in[r] = row_in[r] && html_cmp_cell_stack(c, which, r * c->cmp->num_cols + k, sum) > 0;
    n += row_in[r];
  }
  for (size_t r = 0; r < c->cmp->num_rows && n == 0; r++) row_in[r] = true;
  return n;
}

typedef struct stack_parts {
  const char *part[kWgReasonCount];
  unsigned series[kWgReasonCount];
} stack_parts_t;

static stack_parts_t parts_of(void) {
  stack_parts_t s;
  for (unsigned k = 0; k < kWgReasonCount; k++) {
    s.part[k] = wg_reason_name(k);
    s.series[k] = html_reason_series(k);
  }
  return s;
}

static void columns_plot(html_page_t *p, const html_cmp_t *c, html_cmp_stack_t which) {
  static const char *const kTitle[] = {"Warp cycles by state (stall stack)", "Scheduler slots by owner"};
  static const char *const kAxis[] = {"% of the cycles of all resident warps",
                                      "% of the issue slots of all schedulers"};
  const sweep_cmp_t *x = c->cmp;
  bool *row_in = calloc(x->num_rows + 1, sizeof *row_in);
  double *value = calloc(x->num_cols * kWgReasonCount + 1, sizeof *value);
  const char **label = calloc(x->num_cols + 1, sizeof *label);
  char caption[300];
  if (row_in == NULL || value == NULL || label == NULL) {
    html_fail(p, "out of memory");
  } else {
    size_t cols = 0, whole = whole_rows(c, which, row_in);
    for (size_t k = 0; k < x->num_cols; k++) {
      if (column_stack(c, which, k, row_in, &value[cols * kWgReasonCount]) != 0) label[cols++] = x->cols[k];
    }
    snprintf(caption, sizeof caption, "Mean over %s of each row's share%s.",
             whole != 0 ? "the rows that have every column" : "the rows that each column has, not the same ones",
             which == kCmpWarpStates ? "; what warps do or wait for between two of their instructions"
                                     : "; an instruction, or what kept the nearest warp from issuing");
    stack_parts_t s = parts_of();
    plot_stacks_t stacks = {label, cols, s.part, s.series, kWgReasonCount, value, "%", NULL};
    plot_stack(p, kStackId[which], kTitle[which], kAxis[which], &stacks, 100, caption, 64);
  }
  free(row_in);
  free(value);
  free(label);
}

/* Stacks of every row and column, under a line for each row. */
static void cells_plot(html_page_t *p, const html_cmp_t *c) {
  const sweep_cmp_t *x = c->cmp;
  size_t cells = x->num_rows * x->num_cols, n = 0, left = 0, last = SIZE_MAX;
  double *value = calloc(cells * kWgReasonCount + 1, sizeof *value), sum[kWgReasonCount];
  const char **label = calloc(cells + 1, sizeof *label), **head = calloc(cells + 1, sizeof *head);
  for (size_t i = 0; i < cells && value != NULL && label != NULL && head != NULL; i++) {
    double all = html_cmp_cell_stack(c, kCmpWarpStates, i, sum);
    if (all == 0) continue;
    if (n == kHtmlMostStacks) {
      left++;
      continue;
    }
    for (unsigned k = 0; k < kWgReasonCount; k++) value[n * kWgReasonCount + k] = 100 * sum[k] / all;
    if (i / x->num_cols != last) head[n] = x->rows[i / x->num_cols];
    last = i / x->num_cols;
    label[n++] = x->cols[i % x->num_cols];
  }
  if (value == NULL || label == NULL || head == NULL) {
    html_fail(p, "out of memory");
  } else {
    stack_parts_t s = parts_of();
    plot_stacks_t stacks = {label, n, s.part, s.series, kWgReasonCount, value, "%", head};
    plot_stack(p, "warp-states-rows", "Warp cycles by state, every row", "% of the cycles of all resident warps",
               &stacks, 100, NULL, 0);
    if (left != 0)
      html_paragraph(p, "note", "The plot has the first %d of %zu stacks; stalls.csv of --plots has all.",
                     (int)kHtmlMostStacks, n + left);
  }
  free(value);
  free(label);
  free(head);
}

static void stalls(html_page_t *p, const html_cmp_t *c) {
  unsigned before = p->num_plots;
  html_heading(p, 2, "stalls", "What cycles went to");
  for (unsigned w = 0; w < kCmpStacks; w++) columns_plot(p, c, (html_cmp_stack_t)w);
  cells_plot(p, c);
  if (p->num_plots == before)
    html_paragraph(p, "note", "No run has states of warps or owners of slots: the SMs in RTL count them.");
}

/* ---- files beside the plots ---- */

static void fig_rows(html_table_t *t, const html_cmp_fig_t *f) {
  const sweep_cmp_t *x = f->cmp;
  for (size_t i = 0; i < (x->num_rows + 1) * x->num_cols; i++) {
    size_t r = i / x->num_cols, k = i % x->num_cols;
    bool mean = r == x->num_rows;
    const sweep_cell_t *v = mean ? NULL : &x->cells[i];
    bool has = !mean && v->kind == kCmpRatio;
    html_table_cell(t, "%s", f->name);
    html_table_cell(t, "%s", f->unit);
    html_table_cell(t, "%s", f->inverse ? "baseline/value" : "value/baseline");
    html_table_cell(t, "%s", mean ? "geometric mean" : x->rows[r]);
    html_table_cell(t, "%s", x->cols[k]);
    html_table_cell(t, "%s", mean ? "geomean" : sweep_cell_kind_name(v->kind));
    html_table_number(t, has ? v->mean : NAN);
    html_table_number(t, mean ? x->geomean[k] : has ? v->ratio : NAN);
    html_table_number(t, has ? v->half : NAN);
    html_table_cell(t, "%u", has ? v->seeds : 0);
  }
}

static void figures_file(html_page_t *p, const html_cmp_fig_t *fig, size_t figs) {
  static const char *const kHeads[] = {"figure", "unit", "ratio is", "row",       "column",
                                       "kind",   "mean", "ratio",    "ci95_half", "seeds"};
  html_table_t t;
  html_table_begin(&t, 10);
  for (size_t i = 0; i < 10; i++) html_table_cell(&t, "%s", kHeads[i]);
  for (size_t i = 0; i < figs; i++) fig_rows(&t, &fig[i]);
  plot_file(p, "figures.csv", &t);
  html_table_free(&t);
}

static void stalls_file(html_page_t *p, const html_cmp_t *c) {
  static const char *const kHeads[] = {"stack", "row", "column", "reason", "sum over seeds", "unit", "percent"};
  static const char *const kUnit[kCmpStacks] = {"cycles", "slots"};
  html_table_t t;
  html_table_begin(&t, 7);
  for (size_t i = 0; i < 7; i++) html_table_cell(&t, "%s", kHeads[i]);
  for (size_t i = 0; i < kCmpStacks * c->cmp->num_rows * c->cmp->num_cols; i++) {
    size_t cell = i % (c->cmp->num_rows * c->cmp->num_cols);
    unsigned w = (unsigned)(i / (c->cmp->num_rows * c->cmp->num_cols));
    double sum[kWgReasonCount], all = html_cmp_cell_stack(c, (html_cmp_stack_t)w, cell, sum);
    for (unsigned k = 0; k < kWgReasonCount && all > 0; k++) {
      html_table_cell(&t, "%s", kStackId[w]);
      html_table_cell(&t, "%s", c->cmp->rows[cell / c->cmp->num_cols]);
      html_table_cell(&t, "%s", c->cmp->cols[cell % c->cmp->num_cols]);
      html_table_cell(&t, "%s", wg_reason_name(k));
      html_table_number(&t, sum[k]);
      html_table_cell(&t, "%s", kUnit[w]);
      html_table_number(&t, 100 * sum[k] / all);
    }
  }
  plot_file(p, "stalls.csv", &t);
  html_table_free(&t);
}

/* ---- settings ---- */

/* The different values of a setting, or of a build (col below 0), in the order of the points. */
static void values_cell(html_table_t *t, const html_cmp_t *c, int col, int part) {
  enum { kMost = 12 };
  const char *seen[kMost];
  char text[1200] = "";
  size_t n = 0, more = 0, used = 0;
  for (size_t i = 0; i < c->table->num_rows; i++) {
    const sweep_row_t *r = &c->table->rows[i];
    const char *v = col >= 0 ? r->labels[col] : r->made[part];
    size_t k = 0;
    if (v == NULL || v[0] == '\0') v = "-";
    while (k < n && strcmp(seen[k], v) != 0) k++;
    if (k < n) continue;
    if (n == kMost) {
      more++;
      continue;
    }
    seen[n++] = v;
    if (used < sizeof text) used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", n == 1 ? "" : ", ", v);
  }
  html_table_cell(t, "%s%s", text, more != 0 ? ", ..." : "");
}

/* What the points were run with: every setting of the store, and the builds. */
static void settings(html_page_t *p, const html_cmp_t *c) {
  html_table_t t;
  html_table_begin(&t, 2);
  html_table_cell(&t, "setting");
  html_table_cell(&t, "values of the points compared");
  for (size_t i = 0; i < c->table->num_cols; i++) {
    html_table_cell(&t, "%s", c->table->cols[i]);
    values_cell(&t, c, (int)i, 0);
  }
  for (int k = 0; k < kSweepParts; k++) {
    html_table_cell(&t, "build of %s", sweep_part_name((sweep_part_t)k));
    values_cell(&t, c, -1, k);
  }
  html_table_write(p, &t, NULL, 1000);
  html_table_free(&t);
}

/* ---- the page ---- */

static void links(html_page_t *p) {
  static const char *const kTo[][2] = {
      {"means", "Figures"}, {"stalls", "What cycles went to"}, {"rows", "Row by row"}, {"settings", "Settings"}};
  if (p->f == NULL) return;
  fputs("<nav>", p->f);
  for (size_t i = 0; i < sizeof kTo / sizeof kTo[0]; i++)
    fprintf(p->f, "<a href=\"#%s\">%s</a> ", kTo[i][0], kTo[i][1]);
  fputs("</nav>\n", p->f);
}

static void head(html_page_t *p, const html_cmp_t *c, const char *without) {
  html_paragraph(p, "", "Store %s; %s.", c->store,
                 c->launch == 0 ? "totals over the launches of each run" : "one launch of each run");
  if (c->launch != 0) html_paragraph(p, "", "Launch %u.", c->launch);
  html_paragraph(p, "formula", "ratio = mean over seeds of (value / baseline), runs of equal seeds%s%s; interval = "
                               "t(0.975, n - 1) x s / sqrt(n)",
                 c->speedup ? "; (baseline / value) of " : "", c->speedup ? c->metric : "");
  for (const char *at = c->note; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n')
    html_paragraph(p, "note", "%.*s.", (int)strcspn(at, "\n"), at);
  if (without[0] != '\0')
    html_paragraph(p, "note", "No point has %s, or it is 0 in the baseline: left out.", without);
}

wg_status_t html_cmp_write(const html_cmp_t *c, const char *path, const char *plots, unsigned *num_plots,
                           wg_diag_t *diag) {
  html_page_t p;
  html_cmp_fig_t fig[kCmpMostFigs];
  char title[400], without[400];
  bool same = false;
  size_t figs = html_cmp_figs(c, fig, without, sizeof without);
  snprintf(title, sizeof title, "%s, %s %s", c->metric, c->speedup ? "speed-up over" : "relative to",
           c->cmp->cols[c->cmp->base]);
  html_page_begin(&p, title, plots);
  head(&p, c, without);
  links(&p);
  html_heading(&p, 2, "means", "Figures, geometric means");
  means_plot(&p, c, fig, figs);
  means_table(&p, c, fig, figs);
  stalls(&p, c);
  html_heading(&p, 2, "rows", "Row by row");
  for (size_t i = 0; i < figs; i++) figure(&p, &fig[i], i == 0);
  for (size_t i = 0; i < c->cmp->num_rows * c->cmp->num_cols; i++)
    same = same || (i % c->cmp->num_cols != c->cmp->base && sweep_cell_same(&c->cmp->cells[i]));
  if (same) html_paragraph(&p, "note", "Same for N seeds: %s.", sweep_same_note);
  html_heading(&p, 2, "settings", "Settings and builds");
  settings(&p, c);
  if (plots != NULL) {
    figures_file(&p, fig, figs);
    stalls_file(&p, c);
  }
  html_cmp_figs_free(fig, figs);
  *num_plots = p.num_plots;
  if (html_page_end(&p, path)) return kWgOk;
  return wg_fail(diag, kWgIo, "%s", p.error);
}

wg_status_t html_cmp_svg(const html_cmp_t *c, FILE *out, wg_diag_t *diag) {
  html_page_t p;
  char title[200];
  html_cmp_fig_t f = {.name = c->metric, .unit = "", .doc = "", .inverse = c->speedup, .cmp = c->cmp};
  memset(&p, 0, sizeof p);
  p.svg = out;
  snprintf(title, sizeof title, "%.60s, %s %.100s", c->metric, c->speedup ? "speed-up over" : "relative to",
           c->cmp->cols[c->cmp->base]);
  rows_plot(&p, &f, "ratios", title, SIZE_MAX, true);
  return p.error[0] == '\0' ? kWgOk : wg_fail(diag, kWgNoSpace, "%s", p.error);
}
