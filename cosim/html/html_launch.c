// SPDX-License-Identifier: Apache-2.0
//
// The section of a launch: the parts of the report (cosim/cli/cli_report_parts.h) as tables, plots beside them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/cli/cli_report_parts.h"
#include "cosim/html/html_run.h"
#include "cosim/html/plot.h"

static double number(const json_t *o, const char *path) {
  const json_t *v = cli_at(o, path);
  return json_is_number(v) ? json_number_value(v) : NAN;
}

static int launch_number(const json_t *l) { return (int)json_integer_value(cli_at(l, "launch")); }

static const char *id_of(const json_t *l, const char *what, char *buf, size_t n) {
  snprintf(buf, n, "launch%d-%s", launch_number(l), what);
  return buf;
}

const char *html_launch_name(const json_t *l, char *buf, size_t n) {
  char name[200];
  snprintf(name, sizeof name, "%s", cli_text_at(l, "name", "?"));
  char *bracket = strchr(name, '('); /* without parameters */
  if (bracket != NULL && bracket != name) *bracket = '\0';
  snprintf(buf, n, "%d %s", launch_number(l), name);
  return buf;
}

/* ---- tables ---- */

/* Rows of one number or text, those that were measured. */
static void rows_part(html_page_t *p, const json_t *l, const cli_part_t *part) {
  if (!cli_part_any(part, l) && part->id != kCliPartLaunch) return;
  html_table_t t;
  char value[64], unit[40];
  html_table_begin(&t, 3);
  html_table_cell(&t, "figure");
  html_table_cell(&t, "value");
  html_table_cell(&t, "unit");
  static const char *const kShapes[][2] = {{"grid", "Grid, blocks"}, {"block", "Block, threads"}};
  for (size_t i = 0; part->id == kCliPartLaunch && i < 2; i++) {
    const json_t *v = json_object_get(l, kShapes[i][0]);
    html_table_cell(&t, "%s", kShapes[i][1]);
    html_table_cell(&t, "%d x %d x %d", (int)json_integer_value(json_array_get(v, 0)),
                    (int)json_integer_value(json_array_get(v, 1)), (int)json_integer_value(json_array_get(v, 2)));
    html_table_cell(&t, "%s", "");
  }
  for (size_t i = 0; i < part->n; i++) {
    const char *path = part->rows[i].path[0];
    const json_t *v = cli_at(l, path);
    if (v == NULL) continue;
    html_table_cell(&t, "%s", part->rows[i].label);
    html_table_cell(&t, "%s", json_is_string(v) ? json_string_value(v) : cli_figure(l, path, value, sizeof value));
    html_table_cell(&t, "%s", json_is_string(v) ? "" : cli_figure_unit(path, unit, sizeof unit));
  }
  html_table_write(p, &t, NULL, 1000);
  html_table_free(&t);
}

static void columns_part(html_page_t *p, const json_t *l, const cli_part_t *part) {
  if (!cli_part_any(part, l)) return;
  html_table_t t;
  char value[64];
  size_t columns = 0;
  while (columns < kCliPartColumns && part->heads[columns] != NULL) columns++;
  html_table_begin(&t, columns + 1);
  html_table_cell(&t, "accesses");
  for (size_t c = 0; c < columns; c++) html_table_cell(&t, "%s", part->heads[c]);
  for (size_t r = 0; r < part->n; r++) {
    html_table_cell(&t, "%s", part->rows[r].label);
    for (size_t c = 0; c < columns; c++) {
      const char *path = part->rows[r].path[c];
      html_table_cell(&t, "%s", path == NULL ? "" : cli_figure(l, path, value, sizeof value));
    }
  }
  html_table_write(p, &t, NULL, 1000);
  html_table_free(&t);
}

/* ---- plots ---- */

enum { kMostBars = 16 };

/* Bars of those paths that were measured. */
static void bars_of(html_page_t *p, const json_t *l, const char *what, const char *title, const char *axis,
                    const char *column, const plot_bar_t *want, const char *const *path, size_t n, double top,
                    const char *caption) {
  plot_bar_t bar[kMostBars];
  char id[64];
  size_t some = 0;
  for (size_t i = 0; i < n && i < kMostBars; i++) {
    double v = number(l, path[i]);
    if (!isfinite(v)) continue;
    bar[some] = want[i];
    bar[some++].value = v;
  }
  if (some != 0) plot_bars(p, id_of(l, what, id, sizeof id), title, axis, column, bar, some, top, caption, 0);
}

static void speed_plot(html_page_t *p, const json_t *l) {
  static const plot_bar_t kBars[] = {
      {"compute", 0, 2},      {"  issue slots", 0, 15},   {"  INT pipes", 0, 15}, {"  FP32, half pipes", 0, 15},
      {"  FP64 pipes", 0, 15}, {"  SFU pipes", 0, 15},     {"  LSU pipe", 0, 15},  {"  matrix units", 0, 15},
      {"memory", 0, 0},       {"  shared memory", 0, 4}, {"  L1 tags", 0, 4},    {"  crossbar", 0, 4},
      {"  L2", 0, 4},         {"  DRAM", 0, 4}};
  static const char *const kPaths[] = {
      "rates.compute_percent",   "rates.issue_percent",    "rates.int_pipe_percent", "rates.fp_pipe_percent",
      "rates.fp64_pipe_percent", "rates.sfu_pipe_percent", "rates.lsu_pipe_percent", "rates.mma_pipe_percent",
      "rates.memory_percent",    "rates.shared_percent",   "rates.l1_percent",       "rates.xbar_percent",
      "rates.l2_percent",        "rates.dram_percent"};
  static const char kWhole[] =
      "Compute and memory are the largest of the bars below each: the resource that bounds the kernel most. The "
      "units of branches, barriers and EXIT (CTRL), of S2R (SREG) and of VOTE, MATCH and REDUX (XLANE) have no row "
      "and no counter of their own: their instructions count in the issue slots alone. Shuffles are the LSU's.";
  static const char kOutside[] = /* with check=off */
      "Outside the SMs alone: this run counted no instructions, so that issue slots, pipes, shared memory and L1 have "
      "no row. What bounds the kernel may be among those; without --check off they are here.";
  bars_of(p, l, "speed-of-light", "Speed of light", "% of the machine's peak", "% of peak", kBars, kPaths, 14, 100,
          isfinite(number(l, kPaths[0])) ? kWhole : kOutside);
}

static void hits_plot(html_page_t *p, const json_t *l) {
  static const plot_bar_t kBars[] = {
      {"L1, sectors of loads", 0, 0}, {"L2, sectors of loads", 0, 4}, {"DRAM, open rows", 0, 9}};
  static const char *const kPaths[] = {"rates.l1_ld_hit_percent", "rates.l2_ld_hit_percent",
                                       "rates.dram_row_hit_percent"};
  bars_of(p, l, "hit-rates", "Hit rates", "% hits", "hits (%)", kBars, kPaths, 3, 100, NULL);
}

static void occupancy_plot(html_page_t *p, const html_run_t *r, const json_t *l) {
  static const plot_bar_t kBars[] = {{"theoretical", 0, 15}, {"achieved", 0, 0}};
  static const char *const kPaths[] = {"occupancy.theoretical_warps", "occupancy.achieved_warps"};
  char caption[400];
  double most = number(r->doc, "machine.max_resident_warps");
  snprintf(caption, sizeof caption, "Of %g warps that an SM can hold. Limited by %s. %s", most,
           cli_text_at(l, "occupancy.limiter", "-"), cli_text_at(l, "occupancy.remedy", ""));
  bars_of(p, l, "occupancy", "Occupancy", "warps of an SM", "warps", kBars, kPaths, 2, isfinite(most) ? most : 0,
          caption);
}

unsigned html_reason_series(unsigned reason) {
  /* by the order of the owners in a document, that of isa/cfg.def */
  static const unsigned kColours[] = {2, 3, 8, 12, 15, 5, 4, 0, 9, 11, 1, 10, 13, 6, 14, 7};
  return kColours[reason % 16];
}

void html_reasons(html_page_t *p, const char *id, const char *title, const char *axis, const char *unit,
                  const json_t *const *object, const char *const *label, const double *scale, size_t rows, double top,
                  const char *caption) {
  enum { kMost = 32 };
  static char names[kMost][40];
  const char *part[kMost];
  unsigned series[kMost];
  size_t parts = 0, first = 0;
  const char *key;
  json_t *v;
  while (first < rows && object[first] == NULL) first++;
  if (first == rows) return;
  json_object_foreach((json_t *)object[first], key, v) {
    if (parts == kMost) break;
    part[parts] = cli_reason_name(key, names[parts], sizeof names[0]);
    series[parts] = html_reason_series((unsigned)parts);
    parts++;
  }
  double *value = calloc(rows * parts + 1, sizeof *value);
  if (value == NULL) {
    html_fail(p, "out of memory");
    return;
  }
  for (size_t r = 0; r < rows; r++) {
    size_t k = 0;
    json_object_foreach((json_t *)object[first], key, v) {
      if (k == parts) break;
      double x = json_number_value(json_object_get(object[r], key)) * scale[r];
      value[r * parts + k++] = isfinite(x) && x > 0 ? x : 0;
    }
  }
  plot_stacks_t s = {label, rows, part, series, parts, value, unit, NULL};
  plot_stack(p, id, title, axis, &s, top, caption, 64);
  free(value);
}

static double sum_of(const json_t *o) {
  double sum = 0;
  const char *key;
  json_t *v;
  json_object_foreach((json_t *)o, key, v) sum += json_number_value(v);
  return sum;
}

static void slots_plot(html_page_t *p, const json_t *l) {
  const json_t *slots = json_object_get(l, "issue_slots");
  const char *label = "schedulers";
  char id[64];
  double sum = sum_of(slots), scale = sum > 0 ? 100 / sum : 0;
  html_reasons(
      p, id_of(l, "issue-slots", id, sizeof id), "Scheduler slots by owner", "% of the issue slots of all schedulers",
      "%", &slots, &label, &scale, 1, 100,
      "Every cycle of every scheduler has one owner: an instruction, or what kept the nearest warp from issuing.");
}

static void states_plot(html_page_t *p, const json_t *l) {
  const json_t *states = json_object_get(l, "warp_states");
  const char *label = "a warp";
  char id[64];
  double insts = number(l, "warp_insts"), scale = insts > 0 ? 1 / insts : 0;
  html_reasons(p, id_of(l, "warp-states", id, sizeof id), "Warp cycles by state, per instruction",
               "cycles of a warp from one instruction to the next", "cycles/inst", &states, &label, &scale, 1, 0,
               "The stall stack of a warp: what it does or waits for between two of its instructions.");
}

/* ---- roofline ---- */

bool html_roof_point(const json_t *l, bool is_fp64, plot_point_t *out) {
  double flops = number(l, is_fp64 ? "rates.fp64_flops" : "rates.fp32_flops");
  double bytes = number(l, "dram_read_bytes") + number(l, "dram_write_bytes"), cycles = number(l, "cycles");
  if (!(flops > 0) || !(bytes > 0) || !(cycles > 0)) return false;
  *out = (plot_point_t){NULL, flops / bytes, flops / cycles};
  return true;
}

void html_roofline(html_page_t *p, const html_run_t *r, const char *id, bool is_fp64, const plot_point_t *point,
                   size_t n) {
  double peak = number(r->doc, is_fp64 ? "machine.fp64_peak_flops_per_cycle" : "machine.fp32_peak_flops_per_cycle");
  double bandwidth = number(r->doc, "machine.dram_peak_bytes_per_cycle"),
         khz = number(r->doc, "machine.sm_clock_khz");
  char caption[300], title[80];
  if (n == 0 || !(peak > 0) || !(bandwidth > 0)) return;
  snprintf(title, sizeof title, "Roofline, %s precision", is_fp64 ? "double" : "single");
  snprintf(caption, sizeof caption,
           "Peak %.4g GFLOP/s, memory %.4g GB/s at %.4g MHz: one flop/cycle is %.4g GFLOP/s.", peak * khz * 1e-6,
           bandwidth * khz * 1e-6, khz * 1e-3, khz * 1e-6);
  plot_roofline(p, id, title, peak, bandwidth, point, n, caption, n == 1 && !is_fp64 ? 0 : 64);
  html_paragraph(
      p, "formula",
      "P(AI) = min(P_peak, AI x BW) = min(%.6g, AI x %.6g) flops/cycle; ridge = P_peak / BW = %.4g flops/byte", peak,
      bandwidth, peak / bandwidth);
  for (size_t i = 0; i < n && n == 1; i++) {
    double top = fmin(peak, point[i].intensity * bandwidth);
    html_paragraph(p, "formula", "here: min(%.6g, %.4g x %.6g) = %.4g flops/cycle, %s-bound; reached %.4g = %.1f %%",
                   peak, point[i].intensity, bandwidth, top,
                   point[i].intensity * bandwidth < peak ? "memory" : "compute", point[i].reached,
                   100 * point[i].reached / top);
  }
}

static void rooflines(html_page_t *p, const html_run_t *r, const json_t *l) {
  char id[64], name[120];
  for (int wide = 0; wide < 2; wide++) {
    plot_point_t point;
    if (!html_roof_point(l, wide != 0, &point)) continue;
    point.label = html_launch_name(l, name, sizeof name);
    html_roofline(p, r, id_of(l, wide != 0 ? "roofline-fp64" : "roofline-fp32", id, sizeof id), wide != 0, &point, 1);
  }
}

/* ---- the section ---- */

static void criteria(html_page_t *p, const json_t *l) {
  char a[40], b[40], c[40];
  html_paragraph(p, "criteria",
                 "Criteria: active lanes / 32 = %s %%; sectors / ideal = %s; lane bytes / DRAM bytes = %s",
                 cli_figure(l, "rates.active_lanes_percent", a, sizeof a),
                 cli_figure(l, "rates.sectors_over_ideal_ratio", b, sizeof b),
                 cli_figure(l, "rates.lane_over_dram_bytes_ratio", c, sizeof c));
  if (json_object_get(l, "work_span") == NULL) return;
  html_paragraph(p, "", "Work %s thread instructions, span %s instructions, parallelism %s",
                 cli_figure(l, "work_span.work_thread_insts", a, sizeof a),
                 cli_figure(l, "work_span.span_insts", b, sizeof b),
                 cli_figure(l, "work_span.parallelism_ratio", c, sizeof c));
}

static void part(html_page_t *p, const html_run_t *r, const json_t *l, const cli_part_t *x) {
  /* without counts of instructions (check=off) slots still have owners, and warps states */
  bool slots = x->id == kCliPartScheduler && json_object_size(json_object_get(l, "issue_slots")) != 0;
  bool states = x->id == kCliPartWarps && json_object_size(json_object_get(l, "warp_states")) != 0;
  if (!cli_part_any(x, l) && !slots && !states) return;
  html_heading(p, 3, NULL, x->title);
  if (x->id == kCliPartSpeed) speed_plot(p, l);
  if (x->id == kCliPartRoofline) rooflines(p, r, l);
  if (x->id == kCliPartCaches) hits_plot(p, l);
  if (x->id == kCliPartOccupancy) occupancy_plot(p, r, l);
  if (x->heads[0] != NULL) columns_part(p, l, x);
  else rows_part(p, l, x);
  if (slots) slots_plot(p, l);
  if (states) states_plot(p, l);
}

void html_launch(html_page_t *p, const html_run_t *r, const json_t *l) {
  char title[400], id[40];
  snprintf(title, sizeof title, "Launch %d: %s", launch_number(l), cli_text_at(l, "name", "?"));
  snprintf(id, sizeof id, "launch%d", launch_number(l));
  html_heading(p, 2, id, title);
  if (json_is_true(cli_at(l, "beside_others")))
    html_paragraph(p, "note", "It ran beside other grids: counters, if any, are of all of them.");
  criteria(p, l);
  for (size_t i = 0; i < kCliNumParts; i++) part(p, r, l, &kCliParts[i]);
  if (r->blocks != NULL && !html_blocks(p, r, l))
    html_fail(p,
              "the log of blocks is of another run: its launch %d has other blocks than this one; remedy: record both "
              "files by one `warpglass run --json FILE --blocklog FILE`",
              launch_number(l));
  if (r->events != NULL && !html_warps(p, r, l))
    html_fail(p,
              "the event trace is of another run: its launch %d is not this one; remedy: record both files by one "
              "`warpglass run --json FILE --events FILE`",
              launch_number(l));
}
