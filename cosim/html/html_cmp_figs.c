// SPDX-License-Identifier: Apache-2.0
//
// Which figures the page of a comparison has, and how they follow from what a store holds. A store has totals over the
// launches of what adds up; rates do not, so they are made here from their sums, as cosim/cli/stats.def makes them of
// one launch.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/html/html_cmp.h"

enum { kTerms = 4 };

/* scale x (sum of `over`) / (sum of `under`); no `under`: the sum itself. */
static const struct rule {
  const char *name, *unit, *doc;
  double scale;
  const char *over[kTerms], *under[kTerms];
} kRules[] = {
    {"cycles", "cycles", "from the first block sent to the last block's end", 1, {"cycles"}, {NULL}},
    {"insts_per_cycle", "insts/cycle", "IPC: warp instructions of all SMs, warp_insts / cycles", 1, {"warp_insts"},
     {"cycles"}},
    {"l1_ld_hit_percent", "%", "sectors of loads that the L1 had", 100, {"l1_ld_hit_sectors"},
     {"l1_ld_hit_sectors", "l1_ld_miss_sectors"}},
    {"l2_ld_hit_percent", "%", "sectors of loads and atomics that the L2 had", 100, {"l2_ld_hit_sectors"},
     {"l2_ld_hit_sectors", "l2_ld_miss_sectors"}},
    {"sectors_per_request", "sectors/request", "sectors of a load or store of device memory: 4 is coalesced, of words",
     1, {"load_sectors", "store_sectors"}, {"load_requests", "store_requests"}},
    {"dram_bytes", "bytes", "dram_read_bytes + dram_write_bytes, at the memory's pins", 1,
     {"dram_read_bytes", "dram_write_bytes"}, {NULL}},
    {"shared_conflict_percent", "%", "wavefronts of shared memory that bank conflicts added", 100,
     {"shared_conflict_wavefronts"}, {"shared_wavefronts"}},
};
enum { kRulesN = sizeof kRules / sizeof kRules[0] };

static const char *const kStackKeys[kCmpStacks][2] = {{"warp_states", "cycles"}, {"issue_slots", "slots"}};

/* "warp_states.barrier_cycles" */
static const char *stack_name(html_cmp_stack_t which, unsigned reason) {
  static char name[kCmpStacks][kWgReasonCount][64];
  char *out = name[which][reason];
  if (out[0] != '\0') return out;
  snprintf(out, sizeof name[0][0], "%s.%s_%s", kStackKeys[which][0], wg_reason_name(reason), kStackKeys[which][1]);
  for (char *p = out; *p != '\0'; p++) *p = *p == ' ' ? '_' : *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
  return out;
}

/* ---- names ---- */

static void want(const char *word, char *const *held, size_t n, const char **name, size_t *used) {
  bool there = strcmp(word, "cycles") == 0 || strcmp(word, "warp_insts") == 0; /* of every point */
  for (size_t i = 0; i < n && !there; i++)
    there = strcmp(held[i], word) == 0 || (strncmp(held[i], "totals.", 7) == 0 && strcmp(held[i] + 7, word) == 0);
  for (size_t i = 0; i < *used; i++) there = there && strcmp(name[i], word) != 0;
  if (there && *used < kCmpMostNames) name[(*used)++] = word;
}

size_t html_cmp_names(sweep_store_t *s, const char *metric, const char **name) {
  size_t n = 0, used = 1;
  name[0] = metric;
  char **held = sweep_stat_names(s, false, &n);
  if (held == NULL) return used; /* the page has the metric alone, and reading it tells what is wrong */
  for (size_t i = 0; i < kRulesN; i++) {
    for (size_t k = 0; k < kTerms && kRules[i].over[k] != NULL; k++) want(kRules[i].over[k], held, n, name, &used);
    for (size_t k = 0; k < kTerms && kRules[i].under[k] != NULL; k++) want(kRules[i].under[k], held, n, name, &used);
  }
  for (unsigned w = 0; w < kCmpStacks; w++) {
    for (unsigned k = 0; k < kWgReasonCount; k++) want(stack_name((html_cmp_stack_t)w, k), held, n, name, &used);
  }
  for (size_t i = 0; i < n; i++) free(held[i]);
  free(held);
  return used;
}

/* ---- figures ---- */

static double value_of(const sweep_table_t *t, size_t row, const char *name) {
  for (size_t k = 0; k < t->num_stats; k++) {
    char *end = NULL;
    if (strcmp(t->stat_names[k], name) != 0 || t->rows[row].stats[k] == NULL) continue;
    double v = strtod(t->rows[row].stats[k], &end);
    return *end == '\0' && isfinite(v) ? v : NAN;
  }
  return NAN;
}

static double sum_of(const sweep_table_t *t, size_t row, const char *const *term) {
  double sum = 0;
  for (size_t k = 0; k < kTerms && term[k] != NULL; k++) sum += value_of(t, row, term[k]);
  return sum;
}

static double by_rule(const sweep_table_t *t, size_t row, const struct rule *r) {
  double over = sum_of(t, row, r->over), under = r->under[0] == NULL ? 1 : sum_of(t, row, r->under);
  return under == 0 ? NAN : r->scale * over / under;
}

static bool has_ratio(const sweep_cmp_t *c) {
  for (size_t i = 0; i < c->num_rows * c->num_cols; i++) {
    if (c->cells[i].kind == kCmpRatio) return true;
  }
  return false;
}

size_t html_cmp_figs(const html_cmp_t *c, html_cmp_fig_t *fig, char *without, size_t n) {
  size_t figs = 1, used = 0;
  const sweep_table_t *t = c->table;
  double *value = calloc(t->num_rows + 1, sizeof *value);
  without[0] = '\0';
  fig[0] = (html_cmp_fig_t){.name = c->metric, .unit = "", .doc = "", .inverse = c->speedup, .cmp = c->cmp};
  for (size_t i = 0; i < kRulesN && value != NULL; i++) {
    const struct rule *r = &kRules[i];
    if (strcmp(r->name, c->metric) == 0) {
      fig[0].unit = r->unit;
      fig[0].doc = r->doc;
      continue;
    }
    html_cmp_fig_t *f = &fig[figs];
    *f = (html_cmp_fig_t){.name = r->name, .unit = r->unit, .doc = r->doc};
    for (size_t k = 0; k < t->num_rows; k++) value[k] = by_rule(t, k, r);
    bool ok = figs < kCmpMostFigs && sweep_compare(t, value, c->axes, c->values, c->n, false, &f->own, NULL) == kWgOk;
    if (ok && has_ratio(&f->own)) {
      f->cmp = &f->own;
      figs++;
      continue;
    }
    if (ok) sweep_cmp_free(&f->own);
    if (used < n) used += (size_t)snprintf(without + used, n - used, "%s%s", used == 0 ? "" : ", ", r->name);
  }
  free(value);
  return figs;
}

void html_cmp_figs_free(html_cmp_fig_t *fig, size_t n) {
  for (size_t i = 1; i < n; i++) sweep_cmp_free(&fig[i].own);
}

/* ---- stacks ---- */

double html_cmp_cell_stack(const html_cmp_t *c, html_cmp_stack_t which, size_t cell, double *sum) {
  double all = 0;
  memset(sum, 0, kWgReasonCount * sizeof *sum);
  for (size_t i = 0; i < c->table->num_rows; i++) {
    if (c->cmp->cell_of[i] != cell) continue;
    if (!c->table->rows[i].ok) return 0;
    for (unsigned k = 0; k < kWgReasonCount; k++) {
      double v = value_of(c->table, i, stack_name(which, k));
      if (!isfinite(v)) return 0;
      sum[k] += v;
      all += v;
    }
  }
  return all;
}
