// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "cosim/sweep/sweep_cmp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/session_words.h"

double sweep_t95(unsigned df) {
  static const double kT[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                              2.201, 2.179,  2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080,
                              2.074, 2.069,  2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  static const struct {
    double df, t;
  } kFar[] = {{30, 2.042}, {40, 2.021}, {60, 2.000}, {120, 1.980}, {HUGE_VAL, 1.960}};
  WG_BUG(df == 0);
  if (df < sizeof kT / sizeof kT[0]) return kT[df];
  size_t i = 1;
  while (df > kFar[i].df) i++;
  double a = 1 / kFar[i - 1].df, b = 1 / kFar[i].df, x = 1.0 / df;
  return kFar[i].t + (kFar[i - 1].t - kFar[i].t) * (x - b) / (a - b);
}

/* ---- groups of points ---- */

/* A list of different texts. @return its index; SIZE_MAX: out of memory */
static size_t intern(char ***list, size_t *n, const char *text) {
  for (size_t i = 0; i < *n; i++) {
    if (strcmp((*list)[i], text) == 0) return i;
  }
  char **grown = realloc(*list, (*n + 1) * sizeof *grown);
  if (grown == NULL) return SIZE_MAX;
  *list = grown;
  if ((grown[*n] = strdup(text)) == NULL) return SIZE_MAX;
  return (*n)++;
}

typedef struct part {
  const sweep_table_t *t;
  int axis[kCmpMaxAxes]; /* columns of the baseline's axes */
  size_t n;
  int seed, program, args; /* columns, -1: none */
  bool *shown;             /* [num_cols]: its values differ */
} part_t;

static bool is_axis(const part_t *p, size_t col) {
  for (size_t i = 0; i < p->n; i++) {
    if ((size_t)p->axis[i] == col) return true;
  }
  return false;
}

static const char *label(const sweep_row_t *r, size_t col) { return r->labels[col] == NULL ? "" : r->labels[col]; }

/* What a row of the comparison is: all labels that differ, but the baseline's axes and the seed. */
static void row_text(const part_t *p, const sweep_row_t *r, char *out, size_t n) {
  size_t used = 0;
  out[0] = '\0';
  for (size_t c = 0; c < p->t->num_cols && used < n; c++) {
    bool bare = (int)c == p->program || (int)c == p->args || strcmp(p->t->cols[c], "overrides") == 0;
    if (is_axis(p, c) || (int)c == p->seed || (!p->shown[c] && (int)c != p->program) || label(r, c)[0] == '\0')
      continue;
    int w = snprintf(out + used, n - used, "%s%s%s%s", used == 0 ? "" : " ", bare ? "" : p->t->cols[c],
                     bare ? "" : "=", label(r, c));
    used += w < 0 ? 0 : (size_t)w;
  }
}

static void col_text(const part_t *p, const char *const *values, const sweep_row_t *r, char *out, size_t n) {
  size_t used = 0;
  out[0] = '\0';
  for (size_t i = 0; i < p->n && used < n; i++) {
    const char *v = values != NULL ? values[i] : label(r, (size_t)p->axis[i]);
    int w =
        snprintf(out + used, n - used, "%s%s=%s", i == 0 ? "" : " ", p->t->cols[p->axis[i]], v[0] == '\0' ? "-" : v);
    used += w < 0 ? 0 : (size_t)w;
  }
}

static wg_status_t find_axis(part_t *p, const char *name, const char *value, wg_diag_t *diag) {
  int c = sweep_table_col(p->t, name);
  const char *words[258] = {NULL};
  if (c < 0) {
    for (size_t i = 0; i < p->t->num_cols && i < 256; i++) words[i] = p->t->cols[i];
    if (diag != NULL) wg_word_hint(name, words, diag->hint, sizeof diag->hint);
    return wg_fail(diag, kWgBadInput, "the store has no axis '%s'", name);
  }
  char **seen = NULL;
  size_t n = 0;
  bool found = false;
  for (size_t i = 0; i < p->t->num_rows; i++) {
    found = found || strcmp(label(&p->t->rows[i], (size_t)c), value) == 0;
    if (n < 256) (void)intern(&seen, &n, label(&p->t->rows[i], (size_t)c));
  }
  for (size_t i = 0; i < n; i++) words[i] = seen[i];
  if (!found && diag != NULL) wg_word_hint(value, words, diag->hint, sizeof diag->hint);
  for (size_t i = 0; i < n; i++) free(seen[i]);
  free(seen);
  if (!found) return wg_fail(diag, kWgBadInput, "no point of the store has %s=%s", name, value);
  p->axis[p->n++] = c;
  return kWgOk;
}

/* ---- cells ---- */

typedef struct slot {
  const sweep_row_t *r;
  double value; /* NAN: it has no such figure */
  size_t row, col;
} slot_t;

/* Points of a cell by seed; the table is sorted, so are they. */
static const slot_t *with_seed(const slot_t *s, size_t n, size_t row, size_t col, const char *seed, int seed_col) {
  for (size_t i = 0; i < n; i++) {
    if (s[i].row == row && s[i].col == col && (seed_col < 0 || strcmp(label(s[i].r, (size_t)seed_col), seed) == 0))
      return &s[i];
  }
  return NULL;
}

static double figure(const sweep_row_t *r) {
  char *end = NULL;
  if (r->stats[0] == NULL) return NAN;
  double v = strtod(r->stats[0], &end);
  return *end == '\0' && isfinite(v) ? v : NAN;
}

/* One cell: seeds are paired, each with the baseline's run of the same seed. */
static sweep_cell_t cell(const slot_t *s, size_t n, size_t row, size_t col, size_t base, int seed_col, bool inverse) {
  sweep_cell_t c = {.kind = kCmpMissing, .half = NAN};
  double sum = 0, squares = 0, values = 0, least = INFINITY, most = -INFINITY;
  for (size_t i = 0; i < n; i++) {
    if (s[i].row != row || s[i].col != col) continue;
    const slot_t *b = with_seed(s, n, row, base, seed_col < 0 ? "" : label(s[i].r, (size_t)seed_col), seed_col);
    if (b == NULL) continue;
    if (!s[i].r->ok || !b->r->ok) return (sweep_cell_t){.kind = kCmpFailed, .half = NAN};
    double v = s[i].value, w = b->value;
    if (!isfinite(v) || !isfinite(w) || w == 0 || (inverse && v == 0))
      return (sweep_cell_t){.kind = kCmpNoValue, .half = NAN};
    double ratio = inverse ? w / v : v / w;
    c.kind = kCmpRatio;
    c.seeds++;
    values += v;
    sum += ratio;
    squares += ratio * ratio;
    least = fmin(least, ratio), most = fmax(most, ratio);
  }
  if (c.kind != kCmpRatio) return c;
  c.mean = values / c.seeds;
  c.ratio = sum / c.seeds;
  if (c.seeds > 1) {
    double var = (squares - sum * sum / c.seeds) / (c.seeds - 1.0);
    c.half = least == most ? 0 : sweep_t95(c.seeds - 1) * sqrt((var < 0 ? 0 : var) / c.seeds);
  }
  return c;
}

const char *sweep_cell_kind_name(sweep_cell_kind_t kind) {
  static const char *const kNames[] = {"missing", "failed", "no value", "ratio"};
  return kNames[kind];
}

const char sweep_same_note[] =
    "seeds change the values before reset alone (and split=random), so this tells nothing of a spread; other inputs do";

bool sweep_cell_same(const sweep_cell_t *c) {
  return c->kind == kCmpRatio && c->seeds > 1 && c->half == 0; /* not what rounding leaves: cell() */
}

static bool has_ratio(const sweep_cmp_t *o, size_t row, size_t col) {
  const sweep_cell_t *x = &o->cells[row * o->num_cols + col];
  return x->kind == kCmpRatio && x->ratio > 0;
}

/* Over the rows that have every column; if there is none, of the columns that every row of the baseline has. */
static void means(sweep_cmp_t *o) {
  for (int part = 0; part < 2 && o->whole == 0; part++) {
    for (size_t c = 0; c < o->num_cols; c++) {
      bool in = true;
      for (size_t r = 0; r < o->num_rows && part == 1; r++)
        in = in && (has_ratio(o, r, c) || !has_ratio(o, r, o->base));
      o->geomean[c] = in ? 0 : NAN;
    }
    for (size_t r = 0; r < o->num_rows; r++) {
      bool all = true;
      for (size_t c = 0; c < o->num_cols; c++) all = all && (has_ratio(o, r, c) || isnan(o->geomean[c]));
      if (!all) continue;
      o->whole++;
      for (size_t c = 0; c < o->num_cols; c++) {
        if (!isnan(o->geomean[c])) o->geomean[c] += log(o->cells[r * o->num_cols + c].ratio);
      }
    }
  }
  for (size_t c = 0; c < o->num_cols; c++) o->geomean[c] = o->whole == 0 ? NAN : exp(o->geomean[c] / (double)o->whole);
}

size_t sweep_cmp_no_mean(const sweep_cmp_t *o, char *out, size_t n) {
  size_t some = 0, used = 0;
  out[0] = '\0';
  for (size_t c = 0; c < o->num_cols; c++) {
    if (isfinite(o->geomean[c])) continue;
    if (used < n) used += (size_t)snprintf(out + used, n - used, "%s%s", some == 0 ? "" : ", ", o->cols[c]);
    some++;
  }
  return some;
}

static wg_status_t fill(part_t *p, const double *value, const char *const *values, slot_t *s, bool inverse,
                        sweep_cmp_t *o, wg_diag_t *diag) {
  const sweep_table_t *t = p->t;
  char text[1024];
  col_text(p, values, NULL, text, sizeof text);
  o->base = intern(&o->cols, &o->num_cols, text); /* the baseline stands first */
  for (size_t i = 0; i < t->num_rows; i++) {
    s[i].r = &t->rows[i];
    s[i].value = value != NULL ? value[i] : figure(s[i].r);
    row_text(p, s[i].r, text, sizeof text);
    s[i].row = intern(&o->rows, &o->num_rows, text);
    col_text(p, NULL, s[i].r, text, sizeof text);
    s[i].col = intern(&o->cols, &o->num_cols, text);
    if (s[i].row == SIZE_MAX || s[i].col == SIZE_MAX) return wg_fail(diag, kWgNoSpace, "out of memory");
  }
  for (size_t i = 1; i < t->num_rows; i++) { /* sorted: the same values stand beside each other */
    if (sweep_row_compare(t, &t->rows[i - 1], &t->rows[i]) != 0) continue;
    return wg_fail(diag, kWgBadInput,
                   "the store holds the same point of two builds, %s and %s: a comparison needs one",
                   t->rows[i - 1].build, t->rows[i].build); /* who calls has chosen: sweep_table_pick */
  }
  if (o->num_cols < 2)
    return wg_fail(diag, kWgBadInput, "every point of the store is the baseline: there is nothing to compare");
  o->cells = calloc(o->num_rows * o->num_cols, sizeof *o->cells);
  o->geomean = calloc(o->num_cols, sizeof *o->geomean);
  o->cell_of = calloc(t->num_rows, sizeof *o->cell_of);
  if (o->cells == NULL || o->geomean == NULL || o->cell_of == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  for (size_t i = 0; i < t->num_rows; i++) o->cell_of[i] = s[i].row * o->num_cols + s[i].col;
  for (size_t r = 0; r < o->num_rows; r++) {
    for (size_t c = 0; c < o->num_cols; c++)
      o->cells[r * o->num_cols + c] = cell(s, t->num_rows, r, c, o->base, p->seed, inverse);
  }
  means(o);
  return kWgOk;
}

wg_status_t sweep_compare(const sweep_table_t *t, const double *value, const char *const *axes,
                          const char *const *values, size_t n, bool inverse, sweep_cmp_t *out, wg_diag_t *diag) {
  part_t p = {.t = t,
              .seed = sweep_table_col(t, "seed"),
              .program = sweep_table_col(t, "program"),
              .args = sweep_table_col(t, "args")};
  memset(out, 0, sizeof *out);
  if (t->num_rows == 0) return wg_fail(diag, kWgBadInput, "the store has no points");
  for (size_t i = 0; i < n; i++) WG_TRY(find_axis(&p, axes[i], values[i], diag));
  if (is_axis(&p, (size_t)p.seed)) p.seed = -1;
  p.shown = calloc(t->num_cols + 1, sizeof *p.shown);
  slot_t *s = calloc(t->num_rows, sizeof *s);
  wg_status_t st = p.shown == NULL || s == NULL ? wg_fail(diag, kWgNoSpace, "out of memory") : kWgOk;
  for (size_t c = 0; st == kWgOk && c < t->num_cols; c++) {
    for (size_t i = 1; i < t->num_rows; i++)
      p.shown[c] = p.shown[c] || strcmp(label(&t->rows[0], c), label(&t->rows[i], c)) != 0;
  }
  if (st == kWgOk) st = fill(&p, value, values, s, inverse, out, diag);
  free(p.shown);
  free(s);
  if (st != kWgOk) sweep_cmp_free(out);
  return st;
}

void sweep_cmp_free(sweep_cmp_t *c) {
  for (size_t i = 0; i < c->num_rows; i++) free(c->rows[i]);
  for (size_t i = 0; i < c->num_cols; i++) free(c->cols[i]);
  free(c->rows), free(c->cols), free(c->cells), free(c->geomean), free(c->cell_of);
  memset(c, 0, sizeof *c);
}
