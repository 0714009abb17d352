// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/cli_stats.h"

#include <math.h>
#include <string.h>

/* ---- counters ---- */

#define OF(FIELD) offsetof(wg_launch_result_t, FIELD)
static const cli_stat_t kCounters[] = {
    {"cycles", "from the first block sent to the last block's end, both included", kNeedClock, OF(cycles), NULL, true},
    {"time_ns", "the same in simulated time", kNeedClock, OF(time_ns), NULL, true},
#define WG_COUNT(FIELD, KEY, TABLE, DOC) {KEY, DOC, kNeedCounts, OF(FIELD), NULL, true},
#define WG_COUNT_SM(FIELD, KEY, TABLE, DOC) {KEY, DOC, kNeedBoth, OF(FIELD), NULL, true},
#include "model/counts.def"
    {"dram_read_bytes", "bytes that the memory channels read", kNeedClock | kNeedMemory, OF(dram_read_bytes), NULL,
     true},
    {"dram_write_bytes", "bytes that the memory channels wrote", kNeedClock | kNeedMemory, OF(dram_write_bytes), NULL,
     true},
#define WG_MEMCOUNT(FIELD, KEY, TABLE, DOC) {KEY, DOC, kNeedClock | kNeedMemory, OF(mem.FIELD), NULL, true},
#define WG_MEMCOUNT_LEVEL(FIELD, DOC)
#include "model/mem/mem_counts.def"
#define WG_GTECOUNT(FIELD, KEY, DOC) {KEY, DOC, kNeedNone, OF(gte.FIELD), NULL, true},
#include "model/gte/gte_counts.def"
};
#undef OF
enum { kNumCounters = sizeof kCounters / sizeof kCounters[0] };

/* Times of the GigaThread engine need a clock; of these no sum is told: an extreme, or places and waves of one grid. */
static void finish(cli_stat_t *s) {
  static const char *const kNoSum[] = {
      "block_places",        "block_waves", "shortest_block_cycles", "longest_block_cycles", "least_busy_sm_cycles",
      "most_busy_sm_cycles", NULL};
  size_t n = strlen(s->key);
  if (s->need == kNeedNone && n > 7 && strcmp(s->key + n - 7, "_cycles") == 0) s->need = kNeedClock;
  for (size_t i = 0; kNoSum[i] != NULL; i++) s->sum = s->sum && strcmp(s->key, kNoSum[i]) != 0;
}

const cli_stat_t *cli_stats_counters(size_t *n) {
  static cli_stat_t list[kNumCounters];
  static size_t used;
  for (size_t i = used != 0 ? kNumCounters : 0; i < kNumCounters; i++) {
    /* what is a base word of the record stands above; the hash is no number */
    if (kCounters[i].key == NULL || strcmp(kCounters[i].key, "hash") == 0) continue;
    list[used] = kCounters[i];
    finish(&list[used++]);
  }
  *n = used;
  return list;
}

uint64_t cli_stat_count(const cli_stat_t *s, const wg_launch_result_t *m) {
  uint64_t v;
  memcpy(&v, (const char *)m + s->offset, sizeof v);
  return v;
}

/* ---- what follows from them ---- */

static double over(double a, double b) { return b == 0 ? NAN : a / b; }
static double most(double a, double b) { return isnan(a) ? b : isnan(b) || a > b ? a : b; }
static double share(uint64_t part, uint64_t rest) { return over(100.0 * (double)part, (double)(part + rest)); }

static double fp32_flops(const wg_launch_result_t *m) {
  return (double)(m->fadd_thread_insts + m->fmul_thread_insts + 2 * m->ffma_thread_insts);
}
static double fp64_flops(const wg_launch_result_t *m) {
  return (double)(m->dadd_thread_insts + m->dmul_thread_insts + 2 * m->dfma_thread_insts);
}
static double all_states(const wg_launch_result_t *m) {
  double sum = 0;
  for (unsigned i = 0; i < kWgReasonCount; i++) sum += (double)m->warp_cycles[i];
  return sum;
}
static double roof(const wg_launch_result_t *m, const wg_session_machine_t *x) {
  uint64_t bytes = m->dram_read_bytes + m->dram_write_bytes;
  double slope = bytes == 0 ? INFINITY : fp32_flops(m) / (double)bytes * x->dram_peak_bytes_per_cycle;
  return slope < x->fp32_peak_flops_per_cycle ? slope : x->fp32_peak_flops_per_cycle;
}

/* Shares of the machine's peaks. */
static double of_peak(const wg_launch_result_t *m, double done, double peak) {
  return over(100.0 * done, (double)m->cycles * peak);
}
#define PCT_issue of_peak(m, (double)m->warp_insts, x->issue_peak_insts_per_cycle)
#define PCT_int_pipe of_peak(m, (double)m->int_pipe_insts, x->int_peak_insts_per_cycle)
#define PCT_fp_pipe of_peak(m, (double)(m->fp32_pipe_insts + m->half_pipe_insts), x->fp_peak_insts_per_cycle)
#define PCT_fp64_pipe of_peak(m, (double)m->fp64_pipe_insts, x->fp64_peak_insts_per_cycle)
#define PCT_sfu_pipe of_peak(m, (double)m->sfu_pipe_insts, x->sfu_peak_insts_per_cycle)
#define PCT_lsu_pipe of_peak(m, (double)m->lsu_pipe_insts, x->lsu_peak_insts_per_cycle)
/* a DMMA is 128 steps, whatever the rows of a step */
#define PCT_mma_pipe                                                                         \
  of_peak(m,                                                                                 \
          (double)m->mma_pipe_rows + 128.0 * (double)m->dmma_pipe_insts *                    \
                                         x->mma_peak_rows_per_cycle / (x->sub_cores * x->sms), \
          x->mma_peak_rows_per_cycle)
#define PCT_fp32 of_peak(m, fp32_flops(m), x->fp32_peak_flops_per_cycle)
#define PCT_fp64 of_peak(m, fp64_flops(m), x->fp64_peak_flops_per_cycle)
#define PCT_shared \
  of_peak(m, (double)(m->shared_wavefronts + m->shared_atom_wavefronts), x->shared_peak_wavefronts_per_cycle)
#define PCT_l1 of_peak(m, (double)m->l1_lines, x->l1_peak_lines_per_cycle)
#define PCT_xbar of_peak(m, (double)m->mem.responses, x->xbar_peak_sectors_per_cycle)
#define PCT_l2 of_peak(m, (double)m->mem.l2_responses, x->l2_peak_sectors_per_cycle)
#define PCT_dram of_peak(m, (double)(m->dram_read_bytes + m->dram_write_bytes), x->dram_peak_bytes_per_cycle)
#define pct(WHAT) PCT_##WHAT

#define WG_OCCUPANCY(KEY, NEED, EXPR, DOC)                                              \
  static double occupancy_##KEY(const cli_launch_t *l, const wg_session_machine_t *x) { \
    const wg_launch_result_t *m = &l->more;                                             \
    (void)m, (void)x;                                                                   \
    return EXPR;                                                                        \
  }
#define WG_RATE(KEY, NEED, EXPR, DOC)                                              \
  static double rate_##KEY(const cli_launch_t *l, const wg_session_machine_t *x) { \
    const wg_launch_result_t *m = &l->more;                                        \
    (void)m, (void)x;                                                              \
    return EXPR;                                                                   \
  }
#include "cosim/cli/stats.def"

static const cli_stat_t kOccupancy[] = {
#define WG_OCCUPANCY(KEY, NEED, EXPR, DOC) {#KEY, DOC, NEED, 0, occupancy_##KEY, false},
#include "cosim/cli/stats.def"
};
static const cli_stat_t kRates[] = {
#define WG_RATE(KEY, NEED, EXPR, DOC) {#KEY, DOC, NEED, 0, rate_##KEY, false},
#include "cosim/cli/stats.def"
};

const cli_stat_t *cli_stats_occupancy(size_t *n) {
  *n = sizeof kOccupancy / sizeof kOccupancy[0];
  return kOccupancy;
}

const cli_stat_t *cli_stats_rates(size_t *n) {
  *n = sizeof kRates / sizeof kRates[0];
  return kRates;
}

cli_need_t cli_stats_measured(const cli_record_t *r, const cli_launch_t *l) {
  unsigned have = 0;
  if (r->hashes) have |= kNeedCounts;
  if (r->timing) have |= kNeedClock;
  if (strcmp(r->memory, "model") == 0) have |= kNeedMemory;
  for (unsigned i = 0; i < kWgReasonCount; i++) {
    if (l->more.slot_cycles[i] != 0) have |= kNeedSlots;
  }
  return (cli_need_t)have;
}

/* ---- keys ---- */

const char *cli_stat_unit(const char *key, char *buf, size_t n, bool *count) {
  static const char *const kUnits[] = {"cycles",  "cycle", "ns",    "s",       "bytes", "byte",  "gbytes",     "khz",
                                       "percent", "ratio", "slots", "sectors", "lines", "flits", "bursts",     "passes",
                                       "turns",   "flops", "insts", "inst",    "lanes", "reqs",  "wavefronts", "rows", NULL};
  static const char *const kCounts[] = {"sms",       "cores",      "warps",     "blocks", "threads", "registers",
                                        "slices",    "channels",   "launches",  "launch", "copies",  "requests",
                                        "activates", "precharges", "refreshes", "places", "waves",   "thread",
                                        "status",    "version",    NULL};
  const char *last = strrchr(key, '_');
  size_t len = last == NULL ? 0 : (size_t)(last - key);
  last = last == NULL ? key : last + 1;
  bool plain = false, known = false;
  for (size_t i = 0; kUnits[i] != NULL; i++) known |= strcmp(kUnits[i], last) == 0;
  for (size_t i = 0; !known && kCounts[i] != NULL; i++) plain |= strcmp(kCounts[i], last) == 0;
  if (count != NULL) *count = plain;
  if (!known && !plain) return NULL;
  snprintf(buf, n, "%s", last);
  if (len > 4 && memcmp(key + len - 4, "_per", 4) == 0) { /* the word before "_per_" stands above */
    size_t from = len - 4;
    while (from > 0 && key[from - 1] != '_') from--;
    snprintf(buf, n, "%.*s/%s", (int)(len - 4 - from), key + from, last);
  }
  return buf;
}

const char *cli_reason_key(unsigned reason, const char *unit, char *buf, size_t n) {
  snprintf(buf, n, "%s_%s", wg_reason_name(reason), unit);
  for (char *p = buf; *p != '\0'; p++) {
    if (*p == ' ')
      *p = '_';
    else if (*p >= 'A' && *p <= 'Z')
      *p = (char)(*p - 'A' + 'a');
  }
  return buf;
}
