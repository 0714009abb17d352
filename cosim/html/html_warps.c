// SPDX-License-Identifier: Apache-2.0
//
// Warps of a launch, from an event trace: states over time, by scheduler, by warp slot, by source line, by machine
// instruction.
#include <stdlib.h>
#include <string.h>

#include "cosim/cli/cli_report_parts.h"
#include "cosim/cli/cli_stats.h"
#include "cosim/html/html_run.h"
#include "cosim/html/plot.h"
#include "toolchain/asm/wg_asm.h"

enum { kMostLines = 48, kMostInsns = 128, kMostTimelines = 8 };

/* Rows of stacks by state. */
typedef struct heap {
  char (*label)[200];
  const char **row;
  double *value; /* [rows][kWgReasonCount] */
  size_t rows, cap;
  bool full;
} heap_t;

static heap_t heap_of(size_t cap) {
  heap_t h = {.cap = cap};
  h.label = calloc(cap + 1, sizeof *h.label);
  h.row = calloc(cap + 1, sizeof *h.row);
  h.value = calloc((cap + 1) * kWgReasonCount, sizeof *h.value);
  h.full = h.label == NULL || h.row == NULL || h.value == NULL;
  if (h.full) h.cap = 0;
  return h;
}

static void heap_free(heap_t *h) {
  free(h->label);
  free(h->row);
  free(h->value);
}

/* The row of a label. @return SIZE_MAX: there is none */
static size_t heap_find(const heap_t *h, const char *label) {
  for (size_t i = 0; i < h->rows; i++) {
    if (strcmp(h->label[i], label) == 0) return i;
  }
  return SIZE_MAX;
}

/* The row of a label, made if there is none. @return SIZE_MAX: no place */
static size_t heap_row(heap_t *h, const char *label) {
  size_t at = heap_find(h, label);
  if (at != SIZE_MAX) return at;
  if (h->rows == h->cap) return SIZE_MAX;
  snprintf(h->label[h->rows], sizeof h->label[0], "%s", label);
  h->row[h->rows] = h->label[h->rows];
  return h->rows++;
}

static void heap_add(heap_t *h, size_t row, const uint64_t cycles[kWgReasonCount], double scale) {
  for (unsigned k = 0; k < kWgReasonCount; k++) h->value[row * kWgReasonCount + k] += (double)cycles[k] * scale;
}

static void names_of(const char *part[kWgReasonCount], unsigned series[kWgReasonCount]) {
  static char names[kWgReasonCount][40];
  for (unsigned k = 0; k < kWgReasonCount; k++) {
    snprintf(names[k], sizeof names[k], "%s", wg_reason_name(k));
    part[k] = names[k];
    series[k] = html_reason_series(k);
  }
}

/* Draw it and free it. */
static void heap_plot(html_page_t *p, const json_t *l, heap_t *h, const char *what, const char *title,
                      const char *axis, const char *unit, const char *caption) {
  const char *part[kWgReasonCount];
  unsigned series[kWgReasonCount];
  char id[64];
  names_of(part, series);
  if (h->full) html_fail(p, "out of memory");
  snprintf(id, sizeof id, "launch%d-%s", (int)json_integer_value(cli_at(l, "launch")), what);
  plot_stacks_t s = {h->row, h->rows, part, series, kWgReasonCount, h->value, unit, NULL};
  if (h->rows != 0) plot_stack(p, id, title, axis, &s, 0, caption, 64);
  heap_free(h);
}

/* ---- over time ---- */

static void row_name(const trace_row_t *r, char *buf, size_t n) {
  snprintf(buf, n, "SM%u.%u warp %u", r->sm, r->sub, r->slot);
}

/* The state that a warp has most in a column; NoWarp: it has none. */
static unsigned state_of(const uint64_t cycles[kWgReasonCount]) {
  unsigned best = kWgReasonNoWarp;
  for (unsigned k = 0; k < kWgReasonCount; k++) {
    if (cycles[k] != 0 && (best == kWgReasonNoWarp || cycles[k] > cycles[best])) best = k;
  }
  return best;
}

/* Neighbouring columns of one state are one span. @return how many */
static size_t spans_of(const trace_launch_t *x, size_t rows, plot_span_t *out, bool seen[kWgReasonCount]) {
  size_t n = 0;
  for (size_t r = 0; r < rows; r++) {
    unsigned last = kWgReasonNoWarp;
    for (unsigned c = 0; c < kTraceColumns; c++) {
      unsigned state = state_of(x->bin[r * kTraceColumns + c]);
      uint64_t from = trace_column(x, c), to = trace_column(x, c + 1);
      if (to == from) continue;
      if (state != kWgReasonNoWarp && state == last) {
        out[n - 1].to = to;
      } else if (state != kWgReasonNoWarp) {
        out[n] = (plot_span_t){(unsigned)r, html_reason_series(state), from, to, ""};
        snprintf(out[n++].label, sizeof out[0].label, "%s", wg_reason_name(state));
        seen[state] = true;
      }
      last = state;
    }
  }
  return n;
}

static void timeline(html_page_t *p, const json_t *l, const trace_launch_t *x) {
  size_t rows = x->rows < kTraceRows ? x->rows : kTraceRows, parts = 0;
  plot_span_t *span = calloc((size_t)kTraceRows * kTraceColumns, sizeof *span);
  char name[kTraceRows][40], id[64], caption[300];
  const char *row[kTraceRows], *all[kWgReasonCount], *part[kWgReasonCount];
  unsigned colour[kWgReasonCount], series[kWgReasonCount];
  bool seen[kWgReasonCount] = {false};
  if (span == NULL) {
    html_fail(p, "out of memory");
    return;
  }
  for (size_t i = 0; i < rows; i++) {
    row_name(&x->row[i], name[i], sizeof name[i]);
    row[i] = name[i];
  }
  size_t n = spans_of(x, rows, span, seen);
  names_of(all, colour);
  for (unsigned k = 0; k < kWgReasonCount; k++) {
    if (!seen[k]) continue;
    part[parts] = all[k];
    series[parts++] = colour[k];
  }
  plot_spans_t s = {span, n, row, rows, "state", "warp slot", part, series, parts};
  snprintf(caption, sizeof caption,
           "In each of %u parts of the time the state that the warp slot has most; %zu of %zu slots (SM.sub-core).",
           (unsigned)kTraceColumns, rows, x->rows);
  snprintf(id, sizeof id, "launch%d-warp-timeline", (int)json_integer_value(cli_at(l, "launch")));
  plot_timeline(p, id, "Warp states over time", x->from, x->to, &s, caption, 0);
  free(span);
}

/* ---- by place ---- */

static void by_place(html_page_t *p, const json_t *l, const trace_launch_t *x) {
  heap_t subs = heap_of(kTraceRows), slots = heap_of(kTraceRows);
  char label[64];
  double cycles = (double)(x->to - x->from);
  for (size_t i = 0; i < x->rows; i++) {
    snprintf(label, sizeof label, "SM%u scheduler %u", x->row[i].sm, x->row[i].sub);
    size_t row = heap_row(&subs, label);
    if (row != SIZE_MAX) heap_add(&subs, row, x->row[i].cycles, 1 / cycles);
    row_name(&x->row[i], label, sizeof label);
    row = heap_row(&slots, label);
    if (row != SIZE_MAX) heap_add(&slots, row, x->row[i].cycles, 1);
  }
  heap_plot(p, l, &subs, "scheduler-warps", "Stall stack of each scheduler", "mean warps in a state", "warps",
            "What the warps of a scheduler do or wait for, over all cycles of the launch; their sum is the warps "
            "that it has.");
  heap_plot(p, l, &slots, "slot-states", "Stall stack of each warp slot", "cycles", "cycles",
            x->rows > kTraceRows ? "The first 32 warp slots." : NULL);
}

/* ---- by line and by instruction ---- */

const char *html_source_line(const char *path, unsigned line, char *buf, size_t n) {
  const char *dot = strrchr(path, '.');
  buf[0] = '\0';
  if (dot == NULL || (strcmp(dot, ".cu") != 0 && strcmp(dot, ".cuh") != 0 && strcmp(dot, ".h") != 0)) return buf;
  FILE *f = fopen(path, "r");
  if (f == NULL) return buf;
  unsigned at = 0;
  char text[400];
  bool begins = true;
  while (at < line && fgets(text, sizeof text, f) != NULL) {
    bool whole = strchr(text, '\n') != NULL;
    if (begins && ++at == line) {
      text[strcspn(text, "\r\n")] = '\0';
      snprintf(buf, n, "%s", text);
    }
    begins = whole;
  }
  fclose(f);
  return buf;
}

typedef struct place {
  const char *file;
  unsigned line;
  uint64_t issues, lanes, cycles;
} place_t;

static int by_place_order(const void *a, const void *b) {
  const place_t *x = a, *y = b;
  int files = strcmp(x->file, y->file);
  return files != 0 ? files : x->line < y->line ? -1 : x->line > y->line;
}

static uint64_t all_cycles(const trace_pc_t *x) {
  uint64_t sum = 0;
  for (unsigned k = 0; k < kWgReasonCount; k++) sum += x->cycles[k];
  return sum;
}

/* Lines of the launch, in the order of the files. @return how many; [pcs] places are enough */
static size_t places_of(const wg_events_t *t, const trace_launch_t *x, place_t *out) {
  size_t n = 0;
  for (size_t i = 0; i < x->pcs; i++) {
    const char *file = NULL;
    unsigned line = 0;
    if (x->pc[i].issues == 0 || !wg_events_line(t, x->grid, (uint32_t)(16 * i), &file, &line)) continue;
    size_t k = 0;
    while (k < n && (out[k].line != line || strcmp(out[k].file, file) != 0)) k++;
    if (k == n) out[n++] = (place_t){file, line, 0, 0, 0};
    out[k].issues += x->pc[i].issues;
    out[k].lanes += x->pc[i].lanes;
    out[k].cycles += all_cycles(&x->pc[i]);
  }
  qsort(out, n, sizeof *out, by_place_order);
  return n;
}

static int descending(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return *x > *y ? -1 : *x < *y;
}

/* The value that `most` of them reach; 0 if there are no more than that. Sorts them. */
static uint64_t reached_by(uint64_t *v, size_t n, size_t most) {
  if (n <= most) return 0;
  qsort(v, n, sizeof *v, descending);
  return v[most - 1];
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static void line_table(html_page_t *p, const place_t *place, size_t n) {
  static const char *const kHeads[] = {"line",           "source",      "warp instructions",
                                       "lanes / 32 (%)", "warp cycles", "of all (%)"};
  char text[200];
  uint64_t sum = 0;
  html_table_t t;
  html_table_begin(&t, 6);
  for (size_t i = 0; i < 6; i++) html_table_cell(&t, "%s", kHeads[i]);
  for (size_t i = 0; i < n; i++) sum += place[i].cycles;
  for (size_t i = 0; i < n; i++) {
    html_table_cell(&t, "%s:%u", base_name(place[i].file), place[i].line);
    const char *source = html_source_line(place[i].file, place[i].line, text, sizeof text);
    html_table_cell(&t, "%s", source + strspn(source, " \t"));
    html_table_cell(&t, "%llu", (unsigned long long)place[i].issues);
    html_table_cell(&t, "%.2f", 100.0 * (double)place[i].lanes / (32.0 * (double)place[i].issues));
    html_table_cell(&t, "%llu", (unsigned long long)place[i].cycles);
    html_table_cell(&t, "%.2f", sum == 0 ? 0 : 100.0 * (double)place[i].cycles / (double)sum);
  }
  html_table_write(p, &t, NULL, 400);
  html_table_free(&t);
}

static void by_line(html_page_t *p, const html_run_t *r, const json_t *l, const trace_launch_t *x) {
  place_t *place = calloc(x->pcs + 1, sizeof *place);
  uint64_t *cycles = calloc(x->pcs + 1, sizeof *cycles);
  heap_t h = heap_of(kMostLines);
  char label[200];
  if (place == NULL || cycles == NULL) {
    html_fail(p, "out of memory");
    free(place);
    free(cycles);
    heap_free(&h);
    return;
  }
  size_t n = places_of(r->events, x, place);
  for (size_t i = 0; i < n; i++) cycles[i] = place[i].cycles;
  uint64_t least = reached_by(cycles, n, kMostLines);
  free(cycles);
  for (size_t i = 0; i < n; i++) { /* rows in the order of the file */
    if (place[i].cycles < least) continue;
    snprintf(label, sizeof label, "%.180s:%u", base_name(place[i].file), place[i].line);
    (void)heap_row(&h, label);
  }
  for (size_t i = 0; i < x->pcs; i++) {
    const char *file = NULL;
    unsigned line = 0;
    if (x->pc[i].issues == 0 || !wg_events_line(r->events, x->grid, (uint32_t)(16 * i), &file, &line)) continue;
    snprintf(label, sizeof label, "%.180s:%u", base_name(file), line);
    size_t row = heap_find(&h, label);
    if (row != SIZE_MAX) heap_add(&h, row, x->pc[i].cycles, 1);
  }
  if (n == 0) html_paragraph(p, "note", "The program was compiled without -lineinfo: there are no source lines.");
  heap_plot(p, l, &h, "lines", "Warp cycles by source line", "cycles of warps whose next instruction is of this line",
            "cycles", n > kMostLines ? "The 48 dearest lines; the table below has more." : NULL);
  if (n != 0) line_table(p, place, n);
  free(place);
}

/* Text of an instruction with its address. @return buf */
static const char *insn_of(const wg_events_t *t, const trace_launch_t *x, size_t at, char *buf, size_t n) {
  wg_word_t word;
  char text[160] = "?";
  if (wg_events_code(t, x->grid, (uint32_t)(16 * at), &word, NULL)) {
    wg_dis_insn(word, (uint32_t)(16 * at), text, sizeof text);
    char *control = strstr(text, " {"); /* for the compiler, not for the reader */
    if (control != NULL) *control = '\0';
  }
  snprintf(buf, n, "%04x %s", (unsigned)(16 * at), text);
  return buf;
}

static void by_insn(html_page_t *p, const html_run_t *r, const json_t *l, const trace_launch_t *x) {
  uint64_t *cycles = calloc(x->pcs + 1, sizeof *cycles);
  heap_t h = heap_of(kMostInsns);
  char label[200];
  size_t all = 0;
  if (cycles == NULL) {
    html_fail(p, "out of memory");
    heap_free(&h);
    return;
  }
  for (size_t i = 0; i < x->pcs; i++) {
    if (x->pc[i].issues != 0) cycles[all++] = all_cycles(&x->pc[i]);
  }
  uint64_t least = reached_by(cycles, all, kMostInsns);
  free(cycles);
  for (size_t i = 0; i < x->pcs; i++) {
    if (x->pc[i].issues == 0 || all_cycles(&x->pc[i]) < least) continue;
    size_t row = heap_row(&h, insn_of(r->events, x, i, label, sizeof label));
    if (row != SIZE_MAX) heap_add(&h, row, x->pc[i].cycles, 1);
  }
  heap_plot(p, l, &h, "instructions", "Warp cycles by machine instruction",
            "cycles of warps whose next instruction it is", "cycles",
            all > kMostInsns ? "The 128 dearest of the instructions that were issued." : NULL);
}

/* ---- the section ---- */

static bool same_launch(const html_run_t *r, const json_t *l, uint32_t grid) {
  for (uint32_t i = 0; i < r->events->num_launches; i++) {
    const wg_events_launch_t *e = &r->events->launches[i];
    const wg_events_module_t *m = e->module < r->events->num_modules ? &r->events->modules[e->module] : NULL;
    if (e->grid_id != grid) continue;
    bool same = m != NULL && e->kernel < m->num_kernels &&
                strcmp(m->kernels[e->kernel].name, cli_text_at(l, "kernel", "")) == 0;
    for (size_t k = 0; k < 3 && same; k++) {
      same = json_integer_value(json_array_get(json_object_get(l, "grid"), k)) == (json_int_t)e->grid[k] &&
             json_integer_value(json_array_get(json_object_get(l, "block"), k)) == (json_int_t)e->block[k];
    }
    return same;
  }
  return false;
}

/* Are the states of its warps, cycle by cycle, those that the run's counters sum up? Of a trace that is whole exactly
   those: another scheduler, seed or machine has other ones. Of a part of it, not more than those. */
static bool same_states(const html_run_t *r, const json_t *l, const trace_launch_t *x) {
  const json_t *states = json_object_get(l, "warp_states"), *insts = cli_at(l, "warp_insts");
  if (!json_is_object(states) || json_is_true(cli_at(l, "beside_others"))) return true;
  bool whole = r->events->from == 0 && r->events->to == UINT64_MAX && r->events->mark == UINT64_MAX &&
               (uint64_t)json_integer_value(insts) == x->issues;
  for (unsigned k = 0; k < kWgReasonCount; k++) {
    char key[40];
    const json_t *v = json_object_get(states, cli_reason_key(k, "cycles", key, sizeof key));
    uint64_t seen = 0;
    for (size_t i = 0; i < x->rows; i++) seen += x->row[i].cycles[k];
    if (!json_is_integer(v) || k == kWgReasonNoWarp) continue;
    uint64_t want = (uint64_t)json_integer_value(v);
    if (seen > want || (whole && seen != want)) return false;
  }
  return true;
}

bool html_warps(html_page_t *p, const html_run_t *r, const json_t *l) {
  uint32_t grid = (uint32_t)json_integer_value(cli_at(l, "launch"));
  const json_t *insts = cli_at(l, "warp_insts");
  const trace_launch_t *x = NULL;
  size_t at = 0;
  for (; at < r->traces && x == NULL; at++) x = r->trace[at].grid == grid ? &r->trace[at] : NULL;
  if (x == NULL || !same_launch(r, l, grid)) return false;
  if (json_is_integer(insts) && !json_is_true(cli_at(l, "beside_others")) &&
      (uint64_t)json_integer_value(insts) < x->issues)
    return false;
  if (!same_states(r, l, x)) return false;
  html_heading(p, 3, NULL, "Warps: states over time, by scheduler, line and instruction");
  if (x->from >= x->to) {
    html_paragraph(p, "note", "The event trace has no warp of this launch.");
    return true;
  }
  if (json_is_integer(insts) && (uint64_t)json_integer_value(insts) != x->issues)
    html_paragraph(p, "note", "The event trace has %llu of the %lld warp instructions of this launch.",
                   (unsigned long long)x->issues, (long long)json_integer_value(insts));
  if (at <= kMostTimelines) timeline(p, l, x);
  else
    html_paragraph(p, "note", "The first %d launches have a timeline; --launch %u makes a page with this one's.",
                   (int)kMostTimelines, grid);
  by_place(p, l, x);
  by_line(p, r, l, x);
  html_heat(p, r, l, x);
  by_insn(p, r, l, x);
  return true;
}
