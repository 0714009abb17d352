// SPDX-License-Identifier: Apache-2.0
#include "cosim/html/html_cmp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void means_plot(html_page_t *p, const html_cmp_t *c) {
  const sweep_cmp_t *x = c->cmp;
  plot_group_bar_t *value = calloc(x->num_cols + 1, sizeof *value);
  char group[64], caption[200];
  const char *label = group;
  if (value == NULL) {
    html_fail(p, "out of memory");
    return;
  }
  snprintf(group, sizeof group, "geometric mean of %zu row%s", x->whole, x->whole == 1 ? "" : "s");
  snprintf(caption, sizeof caption, "Over %zu of %zu rows.", x->whole, x->num_rows);
  const char **col = calloc(x->num_cols + 1, sizeof *col);
  size_t cols = 0; /* those that have a mean */
  for (size_t k = 0; k < x->num_cols && col != NULL; k++) {
    if (!isfinite(x->geomean[k])) continue;
    col[cols] = x->cols[k];
    value[cols++] = (plot_group_bar_t){x->geomean[k], NAN, 0, "none"};
  }
  if (col == NULL) html_fail(p, "out of memory");
  plot_groups_t g = {&label, 1, col, cols, value};
  if (cols != 0)
    plot_grouped(p, "geometric-means", "Geometric means", c->speedup ? "speed-up" : "ratio to the baseline", &g,
                 caption, 64);
  char none[600];
  if (sweep_cmp_no_mean(x, none, sizeof none) != 0)
    html_paragraph(p, "note", "No row has every column. No geometric mean of %s: not in every row.", none);
  free(col);
  free(value);
}

static void rows_plot(html_page_t *p, const html_cmp_t *c) {
  const sweep_cmp_t *x = c->cmp;
  size_t rows = x->num_rows < kHtmlMostGroups ? x->num_rows : kHtmlMostGroups;
  plot_group_bar_t *value = calloc(rows * x->num_cols + 1, sizeof *value);
  if (value == NULL) {
    html_fail(p, "out of memory");
    return;
  }
  for (size_t i = 0; i < rows * x->num_cols; i++) value[i] = bar_of(&x->cells[i], i % x->num_cols == x->base);
  plot_groups_t g = {(const char *const *)x->rows, rows, (const char *const *)x->cols, x->num_cols, value};
  plot_grouped(
      p, "ratios", "Every row", c->speedup ? "speed-up" : "ratio to the baseline", &g,
      "Whiskers: 95 % confidence interval of the mean over seeds (Student's t), where there are two seeds or more.",
      0);
  if (rows < x->num_rows)
    html_paragraph(p, "note", "The plot has the first %zu of %zu rows, the table all.", rows, x->num_rows);
  free(value);
}

static void table(html_page_t *p, const html_cmp_t *c) {
  const sweep_cmp_t *x = c->cmp;
  html_table_t t;
  html_table_begin(&t, x->num_cols + 2);
  html_table_cell(&t, "row");
  html_table_cell(&t, "%s, %s", c->metric, x->cols[x->base]);
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

wg_status_t html_cmp_write(const html_cmp_t *c, const char *path, const char *plots, unsigned *num_plots,
                           wg_diag_t *diag) {
  html_page_t p;
  char title[400];
  snprintf(title, sizeof title, "%s, %s %s", c->metric, c->speedup ? "speed-up over" : "relative to",
           c->cmp->cols[c->cmp->base]);
  html_page_begin(&p, title, plots);
  html_paragraph(&p, "", "Store %s; %s.", c->store,
                 c->launch == 0 ? "totals over the launches of each run" : "one launch of each run");
  if (c->launch != 0) html_paragraph(&p, "", "Launch %u.", c->launch);
  html_paragraph(&p, "formula", "ratio = mean over seeds of %s; interval = t(0.975, n - 1) x s / sqrt(n)",
                 c->speedup ? "(baseline / value)" : "(value / baseline), runs of equal seeds");
  for (const char *at = c->note; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n')
    html_paragraph(&p, "note", "%.*s.", (int)strcspn(at, "\n"), at);
  html_heading(&p, 2, "means", "Geometric means");
  means_plot(&p, c);
  html_heading(&p, 2, "rows", "Rows");
  rows_plot(&p, c);
  table(&p, c);
  bool same = false;
  for (size_t i = 0; i < c->cmp->num_rows * c->cmp->num_cols; i++)
    same = same || (i % c->cmp->num_cols != c->cmp->base && sweep_cell_same(&c->cmp->cells[i]));
  if (same) html_paragraph(&p, "note", "Same for N seeds: %s.", sweep_same_note);
  html_heading(&p, 2, "settings", "Settings and builds");
  settings(&p, c);
  *num_plots = p.num_plots;
  if (html_page_end(&p, path)) return kWgOk;
  return wg_fail(diag, kWgIo, "%s", p.error);
}
