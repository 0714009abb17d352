// SPDX-License-Identifier: Apache-2.0
//
// The statistics of a run as text, in the sections that a profiler's user knows: a function of the JSON document alone,
// which it shows and never computes from, but for shares of a table's sum.
#define _POSIX_C_SOURCE 200809L /* fileno */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cosim/cli/cli_opts.h"
#include "cosim/cli/cli_report_parts.h"
#include "cosim/html/html_run.h"
#include "cosim/session_words.h"
#include "toolchain/obj/wg_files.h"

/* ---- sections of plain rows ---- */

static void print_rows(FILE *out, const char *title, const json_t *l, const cli_part_t *p) {
  bool first = true;
  for (size_t i = 0; i < p->n; i++) {
    char value[40], unit[40];
    const char *path = p->rows[i].path[0], *label = p->rows[i].label;
    const json_t *v = cli_at(l, path);
    if (v == NULL) continue;
    if (first && title[0] != '\0') fprintf(out, "\n%s\n", title);
    first = false;
    if (json_is_string(v))
      fprintf(out, "  %-46s %s\n", label, json_string_value(v));
    else {
      cli_figure_unit(path, unit, sizeof unit);
      fprintf(out, "  %-46s %14s%s%s\n", label, cli_figure(l, path, value, sizeof value),
              unit[0] == '\0' ? "" : " ", unit);
    }
  }
}
/* ---- tables ---- */

/* Members of an object, largest first, with their share of the sum; last word of a key = what is counted. */
static void print_shares(FILE *out, const char *title, const char *head, const json_t *o, double per,
                         const char *per_what) {
  const char *key;
  json_t *v;
  json_int_t sum = 0, last = -1;
  size_t printed = 0, n = json_object_size(o);
  json_object_foreach((json_t *)o, key, v) sum += json_integer_value(v);
  if (o == NULL || sum == 0) return;
  fprintf(out, "\n%s\n  %-24s %16s %10s%s%s\n", title, "", head, "share %", per > 0 ? "  " : "",
          per > 0 ? per_what : "");
  while (printed < n) { /* by value, equal ones in the order of the document */
    json_int_t best = -1;
    json_object_foreach((json_t *)o, key, v) {
      json_int_t x = json_integer_value(v);
      if ((last < 0 || x < last) && x > best) best = x;
    }
    if (best <= 0) break; /* what is zero is left out */
    json_object_foreach((json_t *)o, key, v) {
      if (json_integer_value(v) != best) continue;
      char name[40];
      cli_reason_name(key, name, sizeof name);
      fprintf(out, "  %-24s %16" JSON_INTEGER_FORMAT " %10.2f", name, best, 100.0 * (double)best / (double)sum);
      if (per > 0) fprintf(out, "  %*.2f", (int)strlen(per_what), (double)best / per);
      fputc('\n', out);
      printed++;
    }
    last = best;
  }
}

static void print_table(FILE *out, const json_t *l, const cli_part_t *p) {
  size_t columns = 0;
  const cli_part_row_t *rows = p->rows;
  if (!cli_part_any(p, l)) return;
  while (columns < kCliPartColumns && p->heads[columns] != NULL) columns++;
  fprintf(out, "\n%s\n  %-14s", p->title, "");
  for (size_t c = 0; c < columns; c++) fprintf(out, " %16s", p->heads[c]);
  fputc('\n', out);
  for (size_t i = 0; i < p->n; i++) {
    char value[40];
    size_t last = columns;
    while (last > 0 && rows[i].path[last - 1] == NULL) last--;
    fprintf(out, "  %-14s", rows[i].label);
    for (size_t c = 0; c < last; c++) {
      fprintf(out, " %16s", rows[i].path[c] == NULL ? "" : cli_figure(l, rows[i].path[c], value, sizeof value));
    }
    fputc('\n', out);
  }
}
/* The text's three criteria of a kernel, in one line; then work and span, where a run measured them. */
static void print_criteria(FILE *out, const json_t *l) {
  char a[40], b[40], c[40];
  const char *key;
  json_t *v;
  fprintf(out, "\nCriteria: active lanes / 32 = %s %%; sectors / ideal = %s; lane bytes / DRAM bytes = %s\n",
          cli_figure(l, "rates.active_lanes_percent", a, sizeof a),
          cli_figure(l, "rates.sectors_over_ideal_ratio", b, sizeof b),
          cli_figure(l, "rates.lane_over_dram_bytes_ratio", c, sizeof c));
  json_t *span = json_object_get(l, "work_span");
  if (span == NULL) return;
  fputs("Work and span:", out);
  json_object_foreach(span, key, v) {
    if (json_is_number(v)) fprintf(out, " %s = %s;", key, cli_figure(span, key, a, sizeof a));
  }
  fputc('\n', out);
}

/* Grid and block, before the other rows of "Launch Statistics". */
static void print_shape(FILE *out, const char *title, const json_t *l) {
  const json_t *g = json_object_get(l, "grid"), *b = json_object_get(l, "block");
  fprintf(out, "\n%s\n  %-46s %d x %d x %d\n  %-46s %d x %d x %d\n", title, "Grid, blocks",
          (int)json_integer_value(json_array_get(g, 0)), (int)json_integer_value(json_array_get(g, 1)),
          (int)json_integer_value(json_array_get(g, 2)), "Block, threads",
          (int)json_integer_value(json_array_get(b, 0)), (int)json_integer_value(json_array_get(b, 1)),
          (int)json_integer_value(json_array_get(b, 2)));
}

static void print_part(FILE *out, const json_t *l, const cli_part_t *p) {
  if (p->id == kCliPartLaunch) print_shape(out, p->title, l);
  if (p->heads[0] != NULL) print_table(out, l, p);
  else print_rows(out, p->id == kCliPartLaunch ? "" : p->title, l, p);
  if (p->id == kCliPartScheduler)
    print_shares(out, "Scheduler Slots by Owner", "slots", json_object_get(l, "issue_slots"), 0, "");
  if (p->id == kCliPartWarps) {
    print_shares(out, "Warp Cycles by State", "warp cycles", json_object_get(l, "warp_states"),
                 (double)json_integer_value(cli_at(l, "warp_insts")), "cycles per instruction");
  }
}

static void print_launch(FILE *out, const json_t *l) {
  char line[400];
  int n = snprintf(line, sizeof line, "Launch %d: %s", (int)json_integer_value(cli_at(l, "launch")),
                   cli_text_at(l, "name", "?"));
  fprintf(out, "\n%s\n", line);
  for (int i = 0; i < n && i < 120; i++) fputc('=', out);
  fputc('\n', out);
  if (json_is_true(cli_at(l, "beside_others")))
    fputs("  ran beside other grids: counters, if any, are of all of them\n", out);
  print_criteria(out, l);
  for (size_t i = 0; i < kCliNumParts; i++) print_part(out, l, &kCliParts[i]);
}

bool cli_report_print(FILE *out, const json_t *doc, unsigned launch) {
  const json_t *s = json_object_get(doc, "setup"), *list = json_object_get(doc, "launches");
  size_t i;
  json_t *l;
  bool any = false;
  char word[12];
  uint32_t progress = (uint32_t)json_integer_value(cli_at(s, "progress_cycles"));
  fprintf(out, "%s on %s: %s, scheduler %s, progress %s, blocks %s, divergence %s, dependence %s, %d SM%s, check %s\n",
          cli_text_at(s, "program", "?"), cli_text_at(s, "preset", "no device"), cli_text_at(s, "backend", "-"),
          cli_text_at(s, "scheduler", "-"), cli_at(s, "progress_cycles") == NULL ? "-" : wg_progress_word(progress, word, sizeof word),
          cli_text_at(s, "blocks", "-"), cli_text_at(s, "divergence", "-"),
          cli_text_at(s, "dependence", "-"), (int)json_integer_value(cli_at(s, "sms")),
          json_integer_value(cli_at(s, "sms")) == 1 ? "" : "s", cli_text_at(s, "check", "-"));
  if (json_is_false(cli_at(s, "clock")))
    fputs("this back end has no clock: no times, throughputs, slots or traffic\n", out);
  if (json_is_false(cli_at(s, "counts"))) fputs("no checker: instructions were not counted\n", out);
  if (launch == 0) print_table(out, json_object_get(doc, "copies"), &kCliCopies);
  json_array_foreach((json_t *)list, i, l) {
    if (launch != 0 && json_integer_value(cli_at(l, "launch")) != (json_int_t)launch) continue;
    print_launch(out, l);
    any = true;
  }
  return any || launch == 0;
}

/* ---- the command ---- */

typedef struct args {
  const char *file, *html, *plots, *blocklog, *findings, *events;
  unsigned long launch;
} args_t;

static const char kRunFile[] = "a file that `warpglass run --json FILE` wrote";

static bool is_folder(FILE *f) { /* fopen takes one */
  struct stat info;
  return fstat(fileno(f), &info) == 0 && S_ISDIR(info.st_mode);
}

/* A JSON file ("-": stdin). @return NULL, with the error printed */
static json_t *load(const char *path, const char *what) {
  json_error_t e;
  if (wg_named_pipe(path)) {
    (void)cli_usage(what, "'%s' is a pipe, no ordinary file", path);
    return NULL;
  }
  FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
  if (f == NULL) {
    (void)cli_usage(what, "cannot read '%s': %s", path, strerror(errno));
    return NULL;
  }
  if (f != stdin && is_folder(f)) {
    (void)cli_usage(what, "cannot read '%s': %s", path, strerror(EISDIR));
    fclose(f);
    return NULL;
  }
  json_t *doc = json_loadf(f, JSON_REJECT_DUPLICATES, &e);
  if (f != stdin) fclose(f);
  if (doc == NULL) (void)cli_usage(what, "'%s', line %d: %s", path, e.line, e.text);
  return doc;
}

static int load_blocks(const char *path, wg_timeline_t *t) {
  static const char kWhat[] = "the file of `warpglass run --blocklog FILE`, of the same run";
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  if (wg_named_pipe(path)) return cli_usage(kWhat, "'%s' is a pipe, no ordinary file", path);
  FILE *f = fopen(path, "r");
  if (f == NULL || is_folder(f)) {
    int rc = cli_usage(kWhat, "cannot read '%s': %s", path, strerror(f == NULL ? errno : EISDIR));
    if (f != NULL) fclose(f);
    return rc;
  }
  snprintf(d.hint, sizeof d.hint, "%s", kWhat);
  snprintf(d.file, sizeof d.file, "%s", path);
  wg_status_t st = wg_timeline_read(f, 0, t, &d);
  fclose(f);
  return st == kWgOk ? kCliPass : cli_diag(&d);
}

static int page(const args_t *a, const json_t *doc) {
  static const char kWhat[] = "the file of `warpglass check --tools advice --findings FILE`, of the same program";
  wg_timeline_t blocks = {0};
  wg_events_t events;
  json_t *findings = NULL;
  html_run_t r = {.doc = doc, .launch = (unsigned)a->launch};
  unsigned plots = 0;
  wg_diag_t d;
  int rc = kCliPass;
  memset(&d, 0, sizeof d);
  if (a->blocklog != NULL) {
    rc = load_blocks(a->blocklog, &blocks);
    r.blocks = &blocks;
  }
  if (rc == kCliPass && a->findings != NULL) {
    r.findings = findings = load(a->findings, kWhat);
    if (findings == NULL) rc = kCliUsage;
    else if (!json_is_array(json_object_get(findings, "findings")))
      rc = cli_usage(kWhat, "'%s' has no findings", a->findings);
  }
  if (rc == kCliPass && a->events != NULL) {
    if (wg_named_pipe(a->events))
      rc = cli_usage("the file of `warpglass run --events FILE`", "'%s' is a pipe, no ordinary file", a->events);
    else if (wg_events_read(a->events, &events, &d) != kWgOk) rc = cli_diag(&d);
    else r.events = &events;
  }
  if (rc == kCliPass && html_run_write(&r, a->html, a->plots, &plots, &d) != kWgOk) rc = cli_diag(&d);
  if (rc == kCliPass && strcmp(a->html, "-") != 0) printf("%s: %u plots\n", a->html, plots);
  if (r.events != NULL) wg_events_free(&events);
  json_decref(findings);
  wg_timeline_free(&blocks);
  return rc;
}

static int report(const args_t *a) {
  json_t *doc = load(a->file, kRunFile);
  int rc = kCliPass;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  if (doc == NULL) return kCliUsage;
  if (strcmp(cli_text_at(doc, "schema", ""), "warpglass-run-1") != 0) {
    rc = cli_usage(kRunFile, "'%s' is no document of the schema warpglass-run-1", a->file);
  } else if (cli_json_valid(doc, &d) != kWgOk) {
    rc = cli_usage("write it again with this version: warpglass run --json FILE", "'%s' breaks the schema warpglass-run-1: %s", a->file, d.msg);
  } else if (a->html != NULL) {
    rc = page(a, doc);
  } else if (!cli_report_print(stdout, doc, (unsigned)a->launch)) {
    rc = cli_usage(NULL, "'%s' has %zu launch%s and no number %lu", a->file,
                   json_array_size(json_object_get(doc, "launches")),
                   json_array_size(json_object_get(doc, "launches")) == 1 ? "" : "es", a->launch);
  }
  if (fflush(stdout) != 0) rc = cli_unwritten("the report");
  json_decref(doc);
  return rc;
}

static const cli_opt_t kOpts[] = {
    {"--launch", "N", "", "of this launch alone, from 1"},
    {"--html", "FILE", "@out",
     "write a page with plots in place of the text; it needs no other file and no network; - is stdout"},
    {"--plots", "DIR", "@file", "with --html: each plot also as SVG, and its data as CSV, into this folder"},
    {"--blocklog", "FILE", "@file", "with --html: of `warpglass run --blocklog FILE`, for the blocks over the SMs"},
    {"--findings", "FILE", "@file",
     "with --html: of `warpglass check --tools advice --findings FILE`, for the dearest source lines"},
    {"--events", "FILE", "@file",
     "with --html: of `warpglass run --events FILE`, for warps over time, schedulers, source lines and instructions"},
    {NULL, NULL, NULL, NULL}};

const cli_command_t kCliReport = {
    "report",
    "[options] FILE",
    "the statistics that `warpglass run --json FILE` wrote, as a profiler shows them; as text or as a page",
    kOpts,
    "@file",
    "Speed of light, roofline, launch, occupancy, scheduler, warp states, instructions, memory; FILE '-' is stdin. "
    "`warpglass run --report`\n"
    "prints the same behind a run.\n"
    "Examples:\n  warpglass run --json run.json build/programs/reduce/reduce 4096 && warpglass report run.json\n"
    "  warpglass run --json run.json --blocklog run.blocks --events run.events build/programs/reduce/reduce 4096 &&\n"
    "    warpglass report run.json --blocklog run.blocks --events run.events --html run.html --plots plots\n",
    false,
    cli_report};

static int take(void *ctx, const cli_opt_t *opt, const char *value) {
  args_t *a = ctx;
  if (opt == NULL && a->file != NULL) return cli_usage("warpglass report FILE", "more than one file is named");
  if (opt == NULL) {
    a->file = value;
    return kCliPass;
  }
  if (strcmp(opt->name, "--html") == 0) a->html = value;
  else if (strcmp(opt->name, "--plots") == 0) a->plots = value;
  else if (strcmp(opt->name, "--blocklog") == 0) a->blocklog = value;
  else if (strcmp(opt->name, "--events") == 0) a->events = value;
  else if (strcmp(opt->name, "--findings") == 0) a->findings = value;
  if (strcmp(opt->name, "--launch") != 0) return kCliPass;
  char *end = NULL;
  a->launch = strtoul(value, &end, 10);
  if (value[0] < '1' || value[0] > '9' || *end != '\0' || a->launch > UINT32_MAX)
    return cli_usage("the number of a launch, from 1", "bad value '%s' of option '--launch'", value);
  return kCliPass;
}

int cli_report(int argc, char **argv) {
  args_t a = {.file = NULL};
  int rc = cli_opts_read(&kCliReport, argc, argv, take, &a, NULL);
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  if (a.file == NULL) return cli_usage("warpglass report FILE", "no file is named");
  const struct {
    const char *value, *name;
  } kWithPage[] = {
      {a.plots, "--plots"}, {a.blocklog, "--blocklog"}, {a.findings, "--findings"}, {a.events, "--events"}};
  for (size_t i = 0; i < sizeof kWithPage / sizeof kWithPage[0] && a.html == NULL; i++) {
    if (kWithPage[i].value != NULL)
      return cli_usage("--html FILE as well", "option '%s' goes with a page", kWithPage[i].name);
  }
  return report(&a);
}
