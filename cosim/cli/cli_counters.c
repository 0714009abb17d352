// SPDX-License-Identifier: Apache-2.0
//
// Tables of `warpglass run --counters`: columns are read by the names in the first line of a table.
#include <ctype.h>
#include <string.h>

#include "cosim/cli/cli.h"
#include "cosim/cli/cli_stats.h"
#include "toolchain/obj/wg_demangle.h"

typedef unsigned long long ull_t;

enum { kLastTable = 10, kBlockTable = 10, kInRecord = 99 };

/* Counters of a record: model/counts.def, model/mem/mem_counts.def, model/gte/gte_counts.def. Key = word and column, its last word is
   the unit; NULL: a base word of the record. */
static const struct {
  const char *key;
  size_t offset;
  unsigned table;
} kMore[] = {
#define WG_COUNT(FIELD, KEY, TABLE, DOC) {(TABLE) == 0 ? NULL : KEY, offsetof(wg_launch_result_t, FIELD), TABLE},
#include "model/counts.def"
#define WG_MEMCOUNT(FIELD, KEY, TABLE, DOC) {KEY, offsetof(wg_launch_result_t, mem.FIELD), TABLE},
#define WG_MEMCOUNT_INNER(FIELD, KEY, DOC) {KEY, offsetof(wg_launch_result_t, mem.FIELD), kInRecord},
#define WG_MEMCOUNT_LEVEL(FIELD, DOC)
#include "model/mem/mem_counts.def"
#define WG_GTECOUNT(FIELD, KEY, DOC) {KEY, offsetof(wg_launch_result_t, gte.FIELD), kBlockTable},
#include "model/gte/gte_counts.def"
};
enum { kNumMore = sizeof kMore / sizeof kMore[0] };

static uint64_t more_of(const wg_launch_result_t *r, size_t i) {
  uint64_t v;
  memcpy(&v, (const char *)r + kMore[i].offset, sizeof v);
  return v;
}

void cli_counters_write(FILE *out, const wg_launch_result_t *r) {
  for (size_t i = 0; i < kNumMore; i++) {
    if (kMore[i].key != NULL) fprintf(out, " %s=%llu", kMore[i].key, (ull_t)more_of(r, i));
  }
  for (unsigned i = 0; i < kWgReasonCount; i++) {
    fprintf(out, "%s%llu", i == 0 ? " slots=" : ",", (ull_t)r->slot_cycles[i]);
  }
  for (unsigned i = 0; i < kWgReasonCount; i++) {
    fprintf(out, "%s%llu", i == 0 ? " states=" : ",", (ull_t)r->warp_cycles[i]);
  }
}

static const char *value_of(const char *line, const char *key) {
  size_t n = strlen(key);
  for (const char *p = line; (p = strstr(p, key)) != NULL; p++) {
    if (p != line && p[-1] == ' ' && p[n] == '=') return p + n + 1;
  }
  return NULL;
}

static bool number(const char **at, uint64_t *out) {
  char *end = NULL;
  if (!isdigit((unsigned char)**at)) return false;
  *out = strtoull(*at, &end, 10);
  *at = end;
  return true;
}

static bool ends(const char *p) { return *p == ' ' || *p == '\n' || *p == '\0'; }

/* kWgReasonCount numbers with commas between them. */
static bool numbers(const char *line, const char *key, uint64_t out[kWgReasonCount]) {
  const char *at = value_of(line, key);
  for (unsigned i = 0; i < kWgReasonCount; i++) {
    if (at == NULL || (i > 0 && *at++ != ',') || !number(&at, &out[i])) return false;
  }
  return ends(at);
}

bool cli_counters_read(const char *line, wg_launch_result_t *r) {
  wg_launch_result_t got = *r;
  for (size_t i = 0; i < kNumMore; i++) {
    uint64_t v = 0;
    if (kMore[i].key == NULL) continue;
    const char *at = value_of(line, kMore[i].key);
    if (at == NULL || !number(&at, &v) || !ends(at)) return false;
    memcpy((char *)&got + kMore[i].offset, &v, sizeof v);
  }
  if (!numbers(line, "slots", got.slot_cycles) || !numbers(line, "states", got.warp_cycles)) return false;
  *r = got;
  return true;
}

/* ---- printing ---- */

/* What has no clock, or another memory than the model's, has no cycles and no caches: "-" as the document has no such
 * key, and no 0. */
static bool is_measured(const cli_record_t *r, const cli_launch_t *l, size_t offset) {
  size_t n = 0;
  const cli_stat_t *list = cli_stats_counters(&n);
  unsigned lacks = (kNeedClock | kNeedMemory) & ~(unsigned)cli_stats_measured(r, l);
  for (size_t i = 0; i < n; i++) {
    if (list[i].offset == offset) return ((unsigned)list[i].need & lacks) == 0u;
  }
  return true; /* of the instructions alone */
}

static void print_cell(FILE *out, int width, bool measured, uint64_t value) {
  if (measured) fprintf(out, " %*llu", width, (ull_t)value);
  else fprintf(out, " %*s", width, "-");
}

#define CELL(WIDTH, FIELD) print_cell(out, WIDTH, is_measured(r, l, offsetof(wg_launch_result_t, FIELD)), l->more.FIELD)

/* The kernel stands last: a C++ name has blanks. */
static void print_traffic(FILE *out, const cli_record_t *r) {
  fprintf(out, "%6s %10s %12s %-6s %10s %9s %9s %10s %9s %10s %13s %13s %13s  %s\n", "launch", "cycles", "bound_cycles", "by",
          "warp_insts", "ld_reqs", "ld_lanes", "ld_sectors", "st_reqs", "st_sectors", "sh_wavefronts", "dram_rd_bytes",
          "dram_wr_bytes", "kernel");
  for (size_t i = 0; i < r->num_launches; i++) {
    const cli_launch_t *l = &r->launches[i];
    char name[sizeof l->kernel];
    bool dram = is_measured(r, l, offsetof(wg_launch_result_t, dram_read_bytes));
    fprintf(out, "%6u", l->n);
    print_cell(out, 10, r->timing, l->cycles);
    print_cell(out, 12, r->timing, l->bound);
    fprintf(out, " %-6s %10llu %9llu %9llu %10llu %9llu %10llu %13llu", r->timing ? l->by : "-", (ull_t)l->warp_insts,
            (ull_t)l->load_requests, (ull_t)l->load_lanes, (ull_t)l->load_sectors, (ull_t)l->store_requests,
            (ull_t)l->store_sectors, (ull_t)l->shared_wavefronts);
    print_cell(out, 13, dram, l->dram_read);
    print_cell(out, 13, dram, l->dram_write);
    fprintf(out, "  %s\n", wg_demangle(l->kernel, name, sizeof name));
  }
}

static void print_ratio(FILE *out, int width, double scale, uint64_t part, uint64_t whole) {
  if (whole == 0) fprintf(out, " %*s", width, "-");
  else fprintf(out, " %*.2f", width, scale * (double)part / (double)whole);
}

/* One row of a table; `name` is the launch's number or "all". `l` may be a sum. */
static void print_rate_row(FILE *out, const cli_record_t *r, const char *name, const cli_launch_t *l) {
  const wg_launch_result_t *m = &l->more;
  fprintf(out, "%6s", name);
  print_ratio(out, 20, 1, r->timing ? l->warp_insts : 0, r->timing ? l->cycles : 0);
  fprintf(out, " %12llu %9llu", (ull_t)l->thread_insts, (ull_t)l->store_lanes);
  print_cell(out, 9, is_measured(r, l, offsetof(wg_launch_result_t, l1_lines)), l->l1_lines);
  if (l->has_more) {
    CELL(17, l1_sector_hits);
    CELL(18, l1_sector_misses);
    print_ratio(out, 17, 100, m->l1_sector_hits, m->l1_sector_hits + m->l1_sector_misses);
    CELL(20, l1_merged_sectors);
    CELL(19, l1_mshr_full_cycles);
    CELL(17, mem.l2_load_sector_hits);
    CELL(18, mem.l2_load_sector_misses);
    print_ratio(out, 17, 100, m->mem.l2_load_sector_hits, m->mem.l2_load_sector_hits + m->mem.l2_load_sector_misses);
  }
  fputc('\n', out);
}

/* One of the tables of plain counters: those of kMore with this number. */
static int width_of(size_t i) { return strlen(kMore[i].key) < 10 ? 10 : (int)strlen(kMore[i].key); }

static void print_plain_row(FILE *out, unsigned table, const cli_record_t *r, const char *name, const cli_launch_t *l) {
  fprintf(out, "%6s", name);
  for (size_t i = 0; i < kNumMore; i++) {
    if (kMore[i].table == table) print_cell(out, width_of(i), is_measured(r, l, kMore[i].offset), more_of(&l->more, i));
  }
  fputc('\n', out);
}

static void print_plain(FILE *out, unsigned table, const cli_record_t *r, const cli_launch_t *sum) {
  char name[16];
  fprintf(out, "%6s", "launch");
  for (size_t i = 0; i < kNumMore; i++) {
    if (kMore[i].table == table) fprintf(out, " %*s", width_of(i), kMore[i].key);
  }
  fputc('\n', out);
  for (size_t i = 0; i < r->num_launches; i++) {
    snprintf(name, sizeof name, "%u", r->launches[i].n);
    print_plain_row(out, table, r, name, &r->launches[i]);
  }
  if (r->num_launches > 1) print_plain_row(out, table, r, "all", sum);
}

/* What follows from them: latency and traffic of the memory system, as means over a launch. */
static void print_memory_row(FILE *out, const cli_record_t *r, const char *name, const cli_launch_t *l) {
  const wg_launch_result_t *m = &l->more;
  uint64_t cycles = r->timing ? l->cycles : 0, reads = m->mem.l2_fills;
  fprintf(out, "%6s", name);
  print_ratio(out, 23, 1, m->mem.mem_latency_cycles, m->mem.responses);
  print_ratio(out, 26, 1, cycles == 0 ? 0 : m->mem.mem_latency_cycles, cycles); /* Little's law, checked in every run */
  print_ratio(out, 26, 1, m->mem.dram_read_latency_cycles, reads);
  print_ratio(out, 20, 100, m->mem.dram_row_hits, m->mem.dram_row_hits + m->mem.dram_row_misses);
  print_ratio(out, 16, 1, cycles == 0 ? 0 : l->dram_read + l->dram_write, cycles);
  fputc('\n', out);
}

/* What follows for the blocks: the formula of the text beside what was measured. */
static void print_block_row(FILE *out, const cli_record_t *r, const char *name, const cli_launch_t *l) {
  const wg_launch_result_t *m = &l->more;
  uint64_t measured = r->timing ? l->cycles + m->gte.drain_cycles : 0;
  fprintf(out, "%6s", name);
  print_ratio(out, 17, 1, m->gte.blocks, m->gte.places);
  print_ratio(out, 17, 100, m->gte.blocks, m->gte.waves * m->gte.places);
  print_ratio(out, 17, 1, r->timing ? m->gte.block_cycles : 0, r->timing ? m->gte.blocks : 0);
  print_ratio(out, 15, 100, m->gte.sm_busy_cycles, r->timing ? l->cycles * r->sms : 0);
  print_cell(out, 22, r->timing, m->gte.predicted_cycles);
  print_cell(out, 22, r->timing, measured);
  print_ratio(out, 17, 100, m->gte.predicted_cycles, measured);
  fputc('\n', out);
}

/* Column name of a reason: one word. */
static const char *reason_word(unsigned reason, char out[32]) {
  snprintf(out, 32, "%s", wg_reason_name(reason));
  for (char *p = out; *p != '\0'; p++) {
    if (*p == ' ') *p = '_';
  }
  return out;
}

static void print_slot_row(FILE *out, const cli_record_t *r, const char *name, const cli_launch_t *l) {
  char word[32];
  (void)r;
  fprintf(out, "%6s", name);
  for (unsigned i = 0; i < kWgReasonCount; i++) {
    int width = (int)strlen(reason_word(i, word));
    fprintf(out, " %*llu", width < 9 ? 9 : width, (ull_t)l->more.slot_cycles[i]);
  }
  fputc('\n', out);
}

static void add(uint64_t *sum, const uint64_t *v, size_t n) {
  for (size_t i = 0; i < n; i++) sum[i] += v[i];
}

static void sum_up(const cli_record_t *r, cli_launch_t *sum) {
  memset(sum, 0, sizeof *sum);
  sum->has_more = r->launches[0].has_more;
  for (size_t i = 0; i < r->num_launches; i++) {
    const cli_launch_t *l = &r->launches[i];
    sum->cycles += l->cycles;
    sum->warp_insts += l->warp_insts;
    sum->thread_insts += l->thread_insts;
    sum->store_lanes += l->store_lanes;
    sum->l1_lines += l->l1_lines;
    sum->dram_read += l->dram_read;
    sum->dram_write += l->dram_write;
    /* the structure is an array of 64-bit counters from the first to the last field */
    add((uint64_t *)&sum->more, (const uint64_t *)&l->more, sizeof sum->more / sizeof(uint64_t));
  }
}

typedef void row_fn_t(FILE *out, const cli_record_t *r, const char *name, const cli_launch_t *l);

static void print_rows(FILE *out, const cli_record_t *r, const cli_launch_t *sum, row_fn_t *row) {
  char name[16];
  for (size_t i = 0; i < r->num_launches; i++) {
    snprintf(name, sizeof name, "%u", r->launches[i].n);
    row(out, r, name, &r->launches[i]);
  }
  if (r->num_launches > 1) row(out, r, "all", sum);
}

static void print_slots(FILE *out, const cli_record_t *r, const cli_launch_t *sum) {
  char word[32];
  uint64_t all = 0;
  fprintf(out, "issue slots by owner, in slots: cycles x sub-cores x SMs in all; a slot in which nothing issues belongs to\n"
               "the first of these reasons that a warp has (isa/cfg.def)\n%6s", "launch");
  for (unsigned i = 0; i < kWgReasonCount; i++) {
    fprintf(out, " %9s", reason_word(i, word));
    all += sum->more.slot_cycles[i];
  }
  fputc('\n', out);
  print_rows(out, r, sum, print_slot_row);
  fprintf(out, "%6s", "share%");
  for (unsigned i = 0; i < kWgReasonCount; i++) {
    int width = (int)strlen(reason_word(i, word));
    print_ratio(out, width < 9 ? 9 : width, 100, sum->more.slot_cycles[i], all);
  }
  fputc('\n', out);
}

void cli_counters_print(FILE *out, const cli_record_t *r) {
  cli_launch_t sum;
  if (r->num_launches == 0) return;
  sum_up(r, &sum);
  print_traffic(out, r);
  fprintf(out, "%6s %20s %12s %9s %9s", "launch", "ipc_warp_insts/cycle", "thread_insts", "st_lanes", "l1_lines");
  if (sum.has_more) {
    fprintf(out, " %17s %18s %17s %20s %19s %17s %18s %17s", "l1_ld_hit_sectors", "l1_ld_miss_sectors",
            "l1_ld_hit_percent", "l1_ld_merged_sectors", "l1_mshr_full_cycles", "l2_ld_hit_sectors", "l2_ld_miss_sectors",
            "l2_ld_hit_percent");
  }
  fputc('\n', out);
  print_rows(out, r, &sum, print_rate_row);
  if (sum.has_more) {
    for (unsigned t = 2; t <= kLastTable; t++) print_plain(out, t, r, &sum);
    fprintf(out, "%6s %23s %26s %26s %20s %16s\n", "launch", "mem_latency_mean_cycles", "mem_in_flight_mean_sectors",
            "dram_rd_latency_mean_cycles", "dram_row_hit_percent", "dram_bytes/cycle");
    print_rows(out, r, &sum, print_memory_row);
    fprintf(out, "%6s %17s %17s %17s %15s %22s %22s %17s\n", "launch", "waves_exact_turns", "waves_use_percent",
            "block_mean_cycles", "sm_busy_percent", "predicted_time_cycles", "measured_time_cycles", "predicted_percent");
    print_rows(out, r, &sum, print_block_row);
    if ((cli_stats_measured(r, &sum) & kNeedSlots) != 0) print_slots(out, r, &sum);
    else fputs("issue slots have no owners on this back end\n", out);
    if (!r->timing)
      fputs("-: this back end has no clock, and with it no cycles, no caches and no memory traffic\n", out);
  } else {
    fputs("not in this run's record: L1 and L2 hits, shared and local accesses, issue slots\n", out);
  }
  fputs("reqs: warp instructions; lanes: active threads in them; sectors: 32 bytes; lines: 128 bytes; l1_lines: lines at tags;\n"
        "wavefronts: passes through the banks of shared memory; ideal_sectors: without what passes of atomics repeat;\n"
        "replay_passes: passes beyond the first of each memory instruction (model/counts.def has a line for each counter)\n"
        "mem_: from an SM's memory port until its response is back; l2_no_: the slice's first request waited because there was\n"
        "no ... (model/mem/mem_counts.def has a line for each); burst: 32 bytes\n"
        "waves: turns of blocks over all places of the SMs; predicted: waves x mean block time + drain (text: launch + waves x block\n"
        "time + tail + drain; a tail counts as a whole wave); measured: cycles + drain; launch cost is the host's (--timeline)\n"
        "retire_hash: sum over all instructions of a hash of thread, pc and values written; equal for equal\n"
        "computation, whatever the scheduler, the number of SMs or the back end\n", out);
}
