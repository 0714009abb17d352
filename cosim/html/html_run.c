// SPDX-License-Identifier: Apache-2.0
#include "cosim/html/html_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/cli/cli_report_parts.h"
#include "cosim/html/plot.h"
#include "cosim/session_words.h"

static bool chosen(const html_run_t *r, const json_t *l) {
  return r->launch == 0 || json_integer_value(cli_at(l, "launch")) == (json_int_t)r->launch;
}

static void head(html_page_t *p, const html_run_t *r) {
  static const char *const kKeys[][2] = {
      {"program", "program"},          {"preset", "machine"},      {"seed", "seed"}, {"backend", "back end"},
      {"scheduler", "warp scheduler"}, {"blocks", "block policy"}, {"divergence", "divergence"},
      {"dependence", "dependence"},    {"check", "checked"},       {"memory", "memory"}};
  const json_t *s = json_object_get(r->doc, "setup"), *args = json_object_get(s, "arguments");
  bool pass = strcmp(cli_text_at(r->doc, "verdict", ""), "PASS") == 0;
  html_paragraph(p, pass ? "pass" : "fail", "%s%s%s", pass ? "PASS" : "FAIL", pass ? "" : ": ",
                 pass ? "" : cli_text_at(r->doc, "reason", ""));
  html_table_t t;
  html_table_begin(&t, 2);
  html_table_cell(&t, "setting");
  html_table_cell(&t, "value");
  for (size_t i = 0; i < sizeof kKeys / sizeof kKeys[0]; i++) {
    const char *v = cli_text_at(s, kKeys[i][0], NULL);
    if (v == NULL) continue;
    html_table_cell(&t, "%s", kKeys[i][1]);
    html_table_cell(&t, "%s", v);
    if (i != 0 || json_array_size(args) == 0) continue;
    char words[900] = "";
    for (size_t k = 0, used = 0; k < json_array_size(args) && used < sizeof words - 1; k++) {
      const char *word = json_string_value(json_array_get(args, k));
      int w = snprintf(words + used, sizeof words - used, "%s%s", k == 0 ? "" : " ", word == NULL ? "?" : word);
      used += w < 0 ? 0 : (size_t)w;
    }
    html_table_cell(&t, "arguments");
    html_table_cell(&t, "%s", words);
  }
  if (cli_at(s, "progress_cycles") != NULL) {
    char word[12];
    html_table_cell(&t, "progress rule");
    html_table_cell(&t, "%s", wg_progress_word((uint32_t)json_integer_value(cli_at(s, "progress_cycles")), word, sizeof word));
  }
  if (cli_at(s, "sms") != NULL) {
    html_table_cell(&t, "SMs");
    html_table_cell(&t, "%d", (int)json_integer_value(cli_at(s, "sms")));
  }
  html_table_write(p, &t, NULL, 100);
  html_table_free(&t);
  if (json_is_false(cli_at(s, "clock")))
    html_paragraph(p, "note",
                   "This back end has no clock: the page has no times, throughputs, rooflines, slots or traffic.");
  if (json_is_false(cli_at(s, "counts")))
    html_paragraph(p, "note", "Nothing was checked in this run, so instructions were not counted.");
}

/* The lecture's three criteria, one line a kernel. */
static void criteria(html_page_t *p, const html_run_t *r) {
  static const char *const kHeads[] = {
      "launch", "kernel", "cycles", "active lanes / 32 (%)", "sectors / ideal", "lane bytes / DRAM bytes"};
  static const char *const kPaths[] = {"cycles", "rates.active_lanes_percent", "rates.sectors_over_ideal_ratio",
                                       "rates.lane_over_dram_bytes_ratio"};
  html_table_t t;
  size_t i;
  json_t *l;
  html_table_begin(&t, 6);
  for (size_t c = 0; c < 6; c++) html_table_cell(&t, "%s", kHeads[c]);
  json_array_foreach(json_object_get(r->doc, "launches"), i, l) {
    if (!chosen(r, l)) continue;
    html_table_cell(&t, "%d", (int)json_integer_value(cli_at(l, "launch")));
    html_table_cell(&t, "%s", cli_text_at(l, "name", "?"));
    for (size_t c = 0; c < 4; c++) {
      const json_t *v = cli_at(l, kPaths[c]);
      html_table_number(&t, json_is_number(v) ? json_number_value(v) : NAN);
    }
  }
  html_heading(p, 2, "kernels", "Kernels by the lecture's criteria");
  html_paragraph(p, "note",
                 "Active lanes of 32: divergence. Sectors over ideal: coalescing, 1 is best. Lane bytes over DRAM "
                 "bytes: reuse, how often "
                 "a byte is used that was brought once.");
  html_table_write(p, &t, NULL, 2000);
  html_table_free(&t);
}

/* ---- plots over launches ---- */

enum { kMostRows = 48 };

typedef struct rows {
  const json_t *launch[kMostRows];
  char name[kMostRows][120];
  const char *label[kMostRows];
  size_t n;
} rows_t;

static void cycles_plot(html_page_t *p, const rows_t *rows) {
  plot_bar_t bar[kMostRows];
  size_t n = 0;
  for (size_t i = 0; i < rows->n; i++) {
    const json_t *v = cli_at(rows->launch[i], "cycles");
    if (json_is_number(v)) bar[n++] = (plot_bar_t){rows->label[i], json_number_value(v), 0};
  }
  if (n != 0) plot_bars(p, "cycles", "Cycles of the launches", "SM cycles", "cycles", bar, n, 0, NULL, 64);
}

static void stacks_plot(html_page_t *p, const rows_t *rows) {
  const json_t *slots[kMostRows];
  double scale[kMostRows];
  for (size_t i = 0; i < rows->n; i++) {
    double sum = 0;
    const char *key;
    json_t *v;
    slots[i] = json_object_get(rows->launch[i], "issue_slots");
    json_object_foreach((json_t *)slots[i], key, v) sum += json_number_value(v);
    scale[i] = sum > 0 ? 100 / sum : 0;
  }
  html_reasons(p, "issue-slots", "Scheduler slots by owner, all launches", "% of the issue slots of all schedulers",
               "%", slots, rows->label, scale, rows->n, 100, NULL);
}

static void rooflines(html_page_t *p, const html_run_t *r, const rows_t *rows) {
  for (int wide = 0; wide < 2; wide++) {
    plot_point_t point[kMostRows];
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
      if (!html_roof_point(rows->launch[i], wide != 0, &point[n])) continue;
      point[n++].label = rows->label[i];
    }
    html_roofline(p, r, wide != 0 ? "roofline-fp64" : "roofline-fp32", wide != 0, point, n);
  }
}

/* Of runs with several launches: all of them side by side. */
static void overview(html_page_t *p, const html_run_t *r) {
  rows_t *rows = calloc(1, sizeof *rows);
  size_t i, all = 0;
  json_t *l;
  if (rows == NULL) {
    html_fail(p, "out of memory");
    return;
  }
  json_array_foreach(json_object_get(r->doc, "launches"), i, l) {
    if (!chosen(r, l) || all++ >= kMostRows) continue;
    rows->launch[rows->n] = l;
    rows->label[rows->n] = html_launch_name(l, rows->name[rows->n], sizeof rows->name[0]);
    rows->n++;
  }
  if (rows->n > 1) {
    html_heading(p, 2, "overview", "All launches");
    if (all > kMostRows)
      html_paragraph(p, "note", "The plots have the first %d of %zu launches.", (int)kMostRows, all);
    cycles_plot(p, rows);
    stacks_plot(p, rows);
    rooflines(p, r, rows);
  }
  free(rows);
}

/* ---- copies, source lines ---- */

static void copies(html_page_t *p, const html_run_t *r) {
  const json_t *all = json_object_get(r->doc, "copies");
  plot_bar_t bar[8];
  size_t n = 0;
  html_table_t t;
  char value[64];
  if (!cli_part_any(&kCliCopies, all)) return;
  html_heading(p, 2, "copies", "Copies");
  html_table_begin(&t, 6);
  html_table_cell(&t, "direction");
  for (size_t c = 0; c < 5; c++) html_table_cell(&t, "%s", kCliCopies.heads[c]);
  for (size_t i = 0; i < kCliCopies.n; i++) {
    const cli_part_row_t *row = &kCliCopies.rows[i];
    html_table_cell(&t, "%s", row->label);
    for (size_t c = 0; c < 5; c++)
      html_table_cell(&t, "%s", row->path[c] == NULL ? "" : cli_figure(all, row->path[c], value, sizeof value));
    const json_t *v = cli_at(all, row->path[3]);
    if (!json_is_number(v)) continue;
    bar[n] = (plot_bar_t){row->label, json_number_value(v), n == 0 ? 0u : 4u};
    n++;
  }
  plot_bars(p, "copies-busy", "Copies under way", "ns of simulated time", "busy (ns)", bar, n, 0, NULL, 0);
  html_table_write(p, &t, NULL, 100);
  html_table_free(&t);
}

/* Lines of the source whose accesses take more than the same bytes need (tools=advice), dearest first as in the file.
 */
static void lines(html_page_t *p, const html_run_t *r) {
  enum { kMost = 40 };
  const json_t *list = json_object_get(r->findings, "findings");
  plot_bar_t bar[kMost];
  static char label[kMost][120];
  static const char *const kHeads[] = {"line", "what", "access", "unit", "taken", "ideal", "requests"};
  html_table_t t;
  size_t i, n = 0;
  json_t *x;
  html_table_begin(&t, 7);
  for (size_t c = 0; c < 7; c++) html_table_cell(&t, "%s", kHeads[c]);
  json_array_foreach(list, i, x) {
    if (strcmp(cli_text_at(x, "tool", ""), "advice") != 0 || n == kMost) continue;
    double taken = json_number_value(cli_at(x, "units"));
    snprintf(label[n], sizeof label[0], "%s:%d %s %s", cli_text_at(x, "file", "?"),
             (int)json_integer_value(cli_at(x, "line")), cli_text_at(x, "space", ""), cli_text_at(x, "access", ""));
    bool bank = strcmp(cli_text_at(x, "unit", ""), "wavefront") == 0;
    bar[n] = (plot_bar_t){label[n], taken, bank ? 8 : 0};
    n++;
    html_table_cell(&t, "%s:%d", cli_text_at(x, "file", "?"), (int)json_integer_value(cli_at(x, "line")));
    html_table_cell(&t, "%s", cli_text_at(x, "kind", "?"));
    html_table_cell(&t, "%s %s", cli_text_at(x, "space", "?"), cli_text_at(x, "access", "?"));
    html_table_cell(&t, "%s", cli_text_at(x, "unit", "?"));
    html_table_number(&t, taken);
    html_table_number(&t, json_number_value(cli_at(x, "ideal")));
    html_table_number(&t, json_number_value(cli_at(x, "requests")));
  }
  html_heading(p, 2, "lines", "Source lines with accesses beyond their ideal");
  if (n == 0)
    html_paragraph(
        p, "",
        "None: the checks found no line whose accesses take more sectors or wavefronts than their bytes need.");
  else
    plot_bars(p, "lines-memory", "Sectors and wavefronts by source line",
              "sectors (blue) of global memory, wavefronts (orange) of shared memory", "sectors or wavefronts", bar,
              n, 0,
              "Only lines that take more than the same bytes need side by side; warpglass check --tools advice.", 0);
  if (n != 0) html_table_write(p, &t, NULL, kMost);
  html_table_free(&t);
}

/* ---- the page ---- */

/* Launches with a section, and links to them. @return how many */
static size_t links(html_page_t *p, const html_run_t *r) {
  size_t i, n = 0, all = 0;
  json_t *l;
  char name[120];
  if (p->f == NULL) return 0;
  fputs("<nav>", p->f);
  json_array_foreach(json_object_get(r->doc, "launches"), i, l) {
    if (!chosen(r, l) || all++ >= kHtmlMostLaunches) continue;
    fprintf(p->f, "<a href=\"#launch%d\">", (int)json_integer_value(cli_at(l, "launch")));
    html_text(p->f, html_launch_name(l, name, sizeof name));
    fputs("</a> ", p->f);
    n++;
  }
  fputs("</nav>\n", p->f);
  if (n < all)
    html_paragraph(p, "note",
                   "The first %zu of %zu launches have a section of their own; --launch N makes the page of another.",
                   n, all);
  return n;
}

/* The traces of the launches that have a section. */
static wg_status_t read_traces(html_run_t *r, trace_launch_t *trace, wg_diag_t *diag) {
  uint32_t grid[kHtmlMostLaunches];
  size_t i;
  json_t *l;
  json_array_foreach(json_object_get(r->doc, "launches"), i, l) {
    if (chosen(r, l) && r->traces < kHtmlMostLaunches)
      grid[r->traces++] = (uint32_t)json_integer_value(cli_at(l, "launch"));
  }
  r->trace = trace;
  return trace_read(r->events, grid, r->traces, trace, diag);
}

static void sections(html_page_t *p, const html_run_t *r, size_t most) {
  size_t i, n = 0;
  json_t *l;
  json_array_foreach(json_object_get(r->doc, "launches"), i, l) {
    if (chosen(r, l) && n++ < most) html_launch(p, r, l);
  }
}

wg_status_t html_run_write(const html_run_t *run, const char *path, const char *plots, unsigned *num_plots,
                           wg_diag_t *diag) {
  html_run_t r = *run;
  trace_launch_t trace[kHtmlMostLaunches];
  html_page_t p;
  char title[400];
  size_t i, n = 0;
  json_t *l;
  json_t *list = json_object_get(r.doc, "launches");
  json_array_foreach(list, i, l) n += chosen(&r, l);
  if (n == 0 && r.launch != 0)
    return wg_fail(diag, kWgBadInput, "the run has %zu launch%s and no number %u", json_array_size(list),
                   json_array_size(list) == 1 ? "" : "es", r.launch);
  r.traces = 0;
  if (r.events != NULL) WG_TRY(read_traces(&r, trace, diag));
  snprintf(title, sizeof title, "%s on %s", cli_text_at(r.doc, "setup.program", "?"),
           cli_text_at(r.doc, "setup.preset", "no device"));
  html_page_begin(&p, title, plots);
  head(&p, &r);
  size_t most = links(&p, &r);
  if (n != 0) criteria(&p, &r);
  else html_paragraph(&p, "note", "The program launched no kernel.");
  overview(&p, &r);
  if (r.launch == 0) copies(&p, &r);
  if (r.findings != NULL) lines(&p, &r);
  sections(&p, &r, most);
  if (r.events != NULL) trace_free(trace, r.traces);
  *num_plots = p.num_plots;
  if (html_page_end(&p, path)) return kWgOk;
  return wg_fail(diag, kWgIo, "%s", p.error);
}
