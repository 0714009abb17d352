// SPDX-License-Identifier: Apache-2.0
//
// The statistics of a run as text, in the sections that a profiler's user knows: a function of the JSON document alone,
// which it shows and never computes from, but for shares of a table's sum.
#include <string.h>

#include "cosim/cli/cli_opts.h"
#include "cosim/cli/cli_stats.h"

/* A value by its path, "rates.issue_percent"; NULL if it is not there. */
static const json_t *at(const json_t *o, const char *path) {
  const char *dot = strchr(path, '.');
  char head[64];
  if (dot == NULL) return json_object_get(o, path);
  snprintf(head, sizeof head, "%.*s", (int)(dot - path), path);
  return at(json_object_get(o, head), dot + 1);
}

static const char *text_at(const json_t *o, const char *path, const char *other) {
  const char *s = json_string_value(at(o, path));
  return s == NULL ? other : s;
}

/* Unit of a path's key: "%" for percent, "" for ratios and for what is only counted; what a thread has without
 * "/thread". @return buf */
static const char *unit_of(const char *path, char *buf, size_t n) {
  const char *dot = strrchr(path, '.'), *key = dot == NULL ? path : dot + 1;
  char unit[40];
  bool count = false;
  if (cli_stat_unit(key, unit, sizeof unit, &count) == NULL || strcmp(unit, "ratio") == 0) unit[0] = '\0';
  char *per = strstr(unit, "/thread");
  if (per != NULL)
    *per = '\0';
  else if (count)
    unit[0] = '\0';
  snprintf(buf, n, "%s", strcmp(unit, "percent") == 0 ? "%" : unit);
  return buf;
}

/* The number at a path: counts as they are, shares, ratios and rates with two decimals; "-" if it was not measured.
 * @return buf */
static const char *figure(const json_t *o, const char *path, char *buf, size_t n) {
  const json_t *v = at(o, path);
  char unit[40];
  unit_of(path, unit, sizeof unit);
  bool whole =
      json_is_integer(v) && strcmp(unit, "%") != 0 && strchr(unit, '/') == NULL && strstr(path, "ratio") == NULL;
  if (whole)
    snprintf(buf, n, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
  else if (json_is_number(v))
    snprintf(buf, n, "%.2f", json_number_value(v));
  else
    snprintf(buf, n, "-");
  return buf;
}

/* ---- sections of plain rows ---- */

typedef struct row {
  const char *label, *path;
} row_t;

static void print_rows(FILE *out, const char *title, const json_t *l, const row_t *rows, size_t n) {
  bool first = true;
  for (size_t i = 0; i < n; i++) {
    char value[40], unit[40];
    const json_t *v = at(l, rows[i].path);
    if (v == NULL) continue;
    if (first && title[0] != '\0') fprintf(out, "\n%s\n", title);
    first = false;
    if (json_is_string(v))
      fprintf(out, "  %-46s %s\n", rows[i].label, json_string_value(v));
    else {
      unit_of(rows[i].path, unit, sizeof unit);
      fprintf(out, "  %-46s %14s%s%s\n", rows[i].label, figure(l, rows[i].path, value, sizeof value),
              unit[0] == '\0' ? "" : " ", unit);
    }
  }
}
#define ROWS(TITLE, ...)                                            \
  do {                                                              \
    static const row_t kRows[] = {__VA_ARGS__};                     \
    print_rows(out, TITLE, l, kRows, sizeof kRows / sizeof *kRows); \
  } while (0)

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
      const char *end = strrchr(key, '_');
      snprintf(name, sizeof name, "%.*s", (int)(end == NULL ? strlen(key) : (size_t)(end - key)), key);
      for (char *p = name; *p != '\0'; p++) *p = *p == '_' ? ' ' : *p;
      fprintf(out, "  %-24s %16" JSON_INTEGER_FORMAT " %10.2f", name, best, 100.0 * (double)best / (double)sum);
      if (per > 0) fprintf(out, "  %*.2f", (int)strlen(per_what), (double)best / per);
      fputc('\n', out);
      printed++;
    }
    last = best;
  }
}

enum { kColumns = 6 };
typedef struct table_row {
  const char *label, *path[kColumns]; /* NULL: no such number */
} table_row_t;

static void print_table(FILE *out, const char *title, const json_t *l, const char *const heads[kColumns],
                        const table_row_t *rows, size_t n) {
  size_t columns = 0;
  bool any = false;
  while (columns < kColumns && heads[columns] != NULL) columns++;
  for (size_t i = 0; i < n; i++) {
    for (size_t c = 0; c < columns; c++) any |= rows[i].path[c] != NULL && at(l, rows[i].path[c]) != NULL;
  }
  if (!any) return;
  fprintf(out, "\n%s\n  %-14s", title, "");
  for (size_t c = 0; c < columns; c++) fprintf(out, " %16s", heads[c]);
  fputc('\n', out);
  for (size_t i = 0; i < n; i++) {
    char value[40];
    size_t last = columns;
    while (last > 0 && rows[i].path[last - 1] == NULL) last--;
    fprintf(out, "  %-14s", rows[i].label);
    for (size_t c = 0; c < last; c++) {
      fprintf(out, " %16s", rows[i].path[c] == NULL ? "" : figure(l, rows[i].path[c], value, sizeof value));
    }
    fputc('\n', out);
  }
}
#define TABLE(TITLE, HEADS, ...)                                                \
  do {                                                                          \
    static const char *const kHeads[kColumns] = HEADS;                          \
    static const table_row_t kTable[] = {__VA_ARGS__};                          \
    print_table(out, TITLE, l, kHeads, kTable, sizeof kTable / sizeof *kTable); \
  } while (0)
#define HEADS(...) \
  { __VA_ARGS__ }

static void print_memory(FILE *out, const json_t *l) {
  TABLE("Memory Workload: global and local accesses", HEADS("requests", "lanes", "lines", "sectors", "bytes"),
        {"loads", {"load_requests", "load_lanes", "global_ld_lines", "load_sectors", "global_ld_bytes"}},
        {"stores", {"store_requests", "store_lanes", "global_st_lines", "store_sectors", "global_st_bytes"}},
        {"atomics", {"atom_reqs", "atom_lanes", "atom_lines", "atom_sectors"}},
        {"reductions", {"red_reqs", "red_lanes", "red_lines", "red_sectors"}},
        {"local loads", {"local_ld_reqs", NULL, NULL, "local_ld_sectors"}},
        {"local stores", {"local_st_reqs", NULL, NULL, "local_st_sectors"}});
  TABLE("Memory Workload: shared memory", HEADS("requests", "wavefronts", "conflicts", "bytes"),
        {"loads", {"shared_ld_reqs", "shared_ld_wavefronts", "shared_ld_conflict_wavefronts", "shared_ld_bytes"}},
        {"stores", {"shared_st_reqs", "shared_st_wavefronts", "shared_st_conflict_wavefronts", "shared_st_bytes"}},
        {"atomics", {"shared_atom_reqs", "shared_atom_wavefronts", "shared_atom_conflict_wavefronts"}});
  TABLE("Memory Workload: caches (sectors)",
        HEADS("load hits", "load misses", "load hit %", "merged", "store hits", "store misses"),
        {"L1", {"l1_ld_hit_sectors", "l1_ld_miss_sectors", "rates.l1_ld_hit_percent", "l1_ld_merged_sectors"}},
        {"L2",
         {"l2_ld_hit_sectors", "l2_ld_miss_sectors", "rates.l2_ld_hit_percent", "l2_ld_merged_sectors",
          "l2_st_hit_sectors", "l2_st_miss_sectors"}});
  ROWS("Memory Workload: crossbar, L2 and DRAM", {"request flits from SMs", "mem_req_flits"},
       {"sectors back to SMs", "mem_rsp_sectors"}, {"mean latency from an SM's port", "rates.mem_latency_mean_cycles"},
       {"mean sectors in flight", "rates.mem_in_flight_mean_sectors"},
       {"requests waited at the crossbar", "xbar_stall_cycles"}, {"L2 reservation failures", "l2_stall_cycles"},
       {"  no MSHR", "l2_no_mshr_cycles"}, {"  no way", "l2_no_way_cycles"},
       {"  no place to wait", "l2_no_waiter_cycles"}, {"  response network full", "l2_no_answer_cycles"},
       {"  memory queue full", "l2_no_ask_cycles"}, {"L2 fills", "l2_fill_sectors"},
       {"L2 write-backs", "l2_writeback_sectors"}, {"L1 MSHRs all taken", "l1_mshr_full_cycles"},
       {"DRAM read", "dram_read_bytes"}, {"DRAM written", "dram_write_bytes"}, {"DRAM rate", "rates.dram_gbytes_per_s"},
       {"DRAM row hits", "rates.dram_row_hit_percent"}, {"DRAM mean read latency", "rates.dram_rd_latency_mean_cycles"},
       {"DRAM activates", "dram_activates"}, {"DRAM refreshes", "dram_refreshes"});
}

/* The text's three criteria of a kernel, in one line; then work and span, where a run measured them. */
static void print_criteria(FILE *out, const json_t *l) {
  char a[40], b[40], c[40];
  const char *key;
  json_t *v;
  fprintf(out, "\nCriteria: active lanes / 32 = %s %%; sectors / ideal = %s; lane bytes / DRAM bytes = %s\n",
          figure(l, "rates.active_lanes_percent", a, sizeof a),
          figure(l, "rates.sectors_over_ideal_ratio", b, sizeof b),
          figure(l, "rates.lane_over_dram_bytes_ratio", c, sizeof c));
  json_t *span = json_object_get(l, "work_span");
  if (span == NULL) return;
  fputs("Work and span:", out);
  json_object_foreach(span, key, v) {
    if (json_is_number(v)) fprintf(out, " %s = %s;", key, figure(span, key, a, sizeof a));
  }
  fputc('\n', out);
}

static void print_shape(FILE *out, const json_t *l) {
  const json_t *g = json_object_get(l, "grid"), *b = json_object_get(l, "block");
  fprintf(out, "\nLaunch Statistics\n  %-46s %d x %d x %d\n  %-46s %d x %d x %d\n", "Grid, blocks",
          (int)json_integer_value(json_array_get(g, 0)), (int)json_integer_value(json_array_get(g, 1)),
          (int)json_integer_value(json_array_get(g, 2)), "Block, threads",
          (int)json_integer_value(json_array_get(b, 0)), (int)json_integer_value(json_array_get(b, 1)),
          (int)json_integer_value(json_array_get(b, 2)));
  static const row_t kLaunch[] = {{"Registers per thread", "registers_per_thread"},
                                  {"Static shared memory of a block", "static_shared_bytes"},
                                  {"Dynamic shared memory of a block", "dynamic_shared_bytes"},
                                  {"Local memory of a thread", "local_bytes_per_thread"},
                                  {"Threads", "threads"},
                                  {"Warps", "warps"},
                                  {"Blocks launched", "launched_blocks"},
                                  {"Blocks retired", "retired_blocks"},
                                  {"Places for blocks on all SMs", "block_places"},
                                  {"Waves", "block_waves"},
                                  {"Waves, exact", "rates.waves_exact_turns"},
                                  {"Places used over all waves", "rates.waves_use_percent"},
                                  {"Mean block", "rates.block_mean_cycles"},
                                  {"Shortest block", "shortest_block_cycles"},
                                  {"Longest block", "longest_block_cycles"},
                                  {"Tail", "tail_cycles"},
                                  {"SMs busy", "rates.sm_busy_percent"},
                                  {"Waves x mean block + drain, of measured", "rates.predicted_percent"}};
  print_rows(out, "", l, kLaunch, sizeof kLaunch / sizeof kLaunch[0]);
}

static void print_speed(FILE *out, const json_t *l) {
  ROWS("Speed of Light", {"Compute throughput", "rates.compute_percent"}, {"  issue slots", "rates.issue_percent"},
       {"  FP32 pipes", "rates.fp32_percent"}, {"  FP64 pipes", "rates.fp64_percent"},
       {"Memory throughput", "rates.memory_percent"}, {"  shared memory", "rates.shared_percent"},
       {"  L1 tags", "rates.l1_percent"}, {"  crossbar", "rates.xbar_percent"}, {"  L2", "rates.l2_percent"},
       {"  DRAM", "rates.dram_percent"}, {"Duration", "cycles"}, {"Duration, simulated", "time_ns"},
       {"Lower bound", "bound_cycles"}, {"Lower bound by", "bound_by"});
  ROWS("Roofline (FP32)", {"Operations", "rates.fp32_flops"}, {"Intensity", "rates.fp32_intensity_flops_per_byte"},
       {"Ridge of the machine", "rates.ridge_flops_per_byte"}, {"Roof at this intensity", "rates.roof_flops_per_cycle"},
       {"Reached", "rates.fp32_flops_per_cycle"}, {"Reached, of the roof", "rates.roof_percent"});
}

static void print_launch(FILE *out, const json_t *l) {
  char line[400];
  int n =
      snprintf(line, sizeof line, "Launch %d: %s", (int)json_integer_value(at(l, "launch")), text_at(l, "name", "?"));
  fprintf(out, "\n%s\n", line);
  for (int i = 0; i < n && i < 120; i++) fputc('=', out);
  fputc('\n', out);
  if (json_is_true(at(l, "beside_others")))
    fputs("  ran beside other grids: counters, if any, are of all of them\n", out);
  print_criteria(out, l);
  print_speed(out, l);
  print_shape(out, l);
  ROWS("Occupancy", {"Theoretical warps of an SM", "occupancy.theoretical_warps"},
       {"Theoretical occupancy", "occupancy.theoretical_percent"},
       {"Achieved warps of a busy SM", "occupancy.achieved_warps"},
       {"Achieved occupancy", "occupancy.achieved_percent"}, {"Blocks that an SM holds", "occupancy.resident_blocks"},
       {"Limited by", "occupancy.limiter"}, {"Remedy", "occupancy.remedy"});
  ROWS("Scheduler Statistics", {"Issued by a scheduler", "rates.scheduler_insts_per_cycle"},
       {"Issued by all", "rates.insts_per_cycle"}, {"Active warps of a scheduler", "rates.scheduler_active_warps"},
       {"Eligible warps of a scheduler", "rates.scheduler_eligible_warps"});
  print_shares(out, "Scheduler Slots by Owner", "slots", json_object_get(l, "issue_slots"), 0, "");
  ROWS("Warp State Statistics", {"Warp cycles per instruction", "rates.warp_cycles_per_inst"});
  print_shares(out, "Warp Cycles by State", "warp cycles", json_object_get(l, "warp_states"),
               (double)json_integer_value(at(l, "warp_insts")), "cycles per instruction");
  ROWS("Instruction Statistics", {"Warp instructions", "warp_insts"},
       {"Thread instructions, guard held", "thread_insts"}, {"Thread instructions, running", "active_thread_insts"},
       {"Lanes with the guard held", "rates.guarded_lanes_percent"}, {"Branches", "branch_insts"},
       {"Divergent branches", "divergent_branch_insts"}, {"FADD lanes", "fadd_thread_insts"},
       {"FMUL lanes", "fmul_thread_insts"}, {"FFMA lanes", "ffma_thread_insts"}, {"DADD lanes", "dadd_thread_insts"},
       {"DMUL lanes", "dmul_thread_insts"}, {"DFMA lanes", "dfma_thread_insts"},
       {"Passes beyond the first (replays)", "replay_passes"});
  print_memory(out, l);
}

static void print_copies(FILE *out, const json_t *l) {
  TABLE("Copies", HEADS("copies", "bytes", "pageable bytes", "busy ns", "GB/s"),
        {"host to device",
         {"host_to_device.copies", "host_to_device.copied_bytes", "host_to_device.pageable_bytes",
          "host_to_device.busy_ns", "host_to_device.rate_gbytes_per_s"}},
        {"device to host",
         {"device_to_host.copies", "device_to_host.copied_bytes", "device_to_host.pageable_bytes",
          "device_to_host.busy_ns", "device_to_host.rate_gbytes_per_s"}},
        {"within device",
         {"within_device.copies", "within_device.copied_bytes", NULL, "within_device.busy_ns",
          "within_device.rate_gbytes_per_s"}},
        {"set", {"set.copies", "set.copied_bytes", NULL, "set.busy_ns", "set.rate_gbytes_per_s"}});
}

bool cli_report_print(FILE *out, const json_t *doc, unsigned launch) {
  const json_t *s = json_object_get(doc, "setup"), *list = json_object_get(doc, "launches");
  size_t i;
  json_t *l;
  bool any = false;
  fprintf(out, "%s on %s: %s, scheduler %s, blocks %s, divergence %s, dependence %s, %d SM%s, check %s\n",
          text_at(s, "program", "?"), text_at(s, "preset", "no device"), text_at(s, "backend", "-"),
          text_at(s, "scheduler", "-"), text_at(s, "blocks", "-"), text_at(s, "divergence", "-"),
          text_at(s, "dependence", "-"), (int)json_integer_value(at(s, "sms")),
          json_integer_value(at(s, "sms")) == 1 ? "" : "s", text_at(s, "check", "-"));
  if (json_is_false(at(s, "clock")))
    fputs("this back end has no clock: no times, throughputs, slots or traffic\n", out);
  if (json_is_false(at(s, "counts"))) fputs("no checker: instructions were not counted\n", out);
  if (launch == 0) print_copies(out, json_object_get(doc, "copies"));
  json_array_foreach((json_t *)list, i, l) {
    if (launch != 0 && json_integer_value(at(l, "launch")) != (json_int_t)launch) continue;
    print_launch(out, l);
    any = true;
  }
  return any || launch == 0;
}

static int report(const char *path, unsigned launch) {
  json_error_t e;
  FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
  if (f == NULL) return cli_usage("a file that `warpglass run --json FILE` wrote", "cannot read '%s'", path);
  json_t *doc = json_loadf(f, JSON_REJECT_DUPLICATES, &e);
  if (f != stdin) fclose(f);
  if (doc == NULL)
    return cli_usage("a file that `warpglass run --json FILE` wrote", "'%s', line %d: %s", path, e.line, e.text);
  int rc = kCliPass;
  if (strcmp(text_at(doc, "schema", ""), "warpglass-run-1") != 0) {
    rc = cli_usage("a file that `warpglass run --json FILE` wrote", "'%s' is no document of the schema warpglass-run-1",
                   path);
  } else if (!cli_report_print(stdout, doc, launch)) {
    rc = cli_usage(NULL, "'%s' has %zu launches and no number %u", path,
                   json_array_size(json_object_get(doc, "launches")), launch);
  }
  if (fflush(stdout) != 0) rc = cli_usage(NULL, "cannot write the report");
  json_decref(doc);
  return rc;
}

static const cli_opt_t kOpts[] = {{"--launch", "N", "", "of this launch alone, from 1"}, {NULL, NULL, NULL, NULL}};

const cli_command_t kCliReport = {
    "report",
    "[--launch N] FILE",
    "the statistics that `warpglass run --json FILE` wrote, as a profiler shows them",
    kOpts,
    "@file",
    "Speed of light, roofline, launch, occupancy, scheduler, warp states, instructions, memory; FILE '-' is stdin. "
    "`warpglass run --report`\n"
    "prints the same behind a run.\n"
    "Example:\n  warpglass run --json run.json build/programs/reduce/reduce 4096 && warpglass report run.json\n",
    false,
    cli_report};

typedef struct args {
  const char *file;
  unsigned long launch;
} args_t;

static int take(void *ctx, const cli_opt_t *opt, const char *value) {
  args_t *a = ctx;
  if (opt == NULL && a->file != NULL) return cli_usage("warpglass report FILE", "more than one file is named");
  if (opt == NULL) {
    a->file = value;
    return kCliPass;
  }
  char *end = NULL;
  a->launch = strtoul(value, &end, 10);
  if (value[0] < '1' || value[0] > '9' || *end != '\0' || a->launch > UINT32_MAX)
    return cli_usage("the number of a launch, from 1", "bad value '%s' of option '--launch'", value);
  return kCliPass;
}

int cli_report(int argc, char **argv) {
  args_t a = {NULL, 0};
  int rc = cli_opts_read(&kCliReport, argc, argv, take, &a, NULL);
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  if (a.file == NULL) return cli_usage("warpglass report FILE", "no file is named");
  return report(a.file, (unsigned)a.launch);
}
