// SPDX-License-Identifier: Apache-2.0
//
// The statistics of a run as tables: what the JSON document holds, what its schema says and what the text report shows
// come from model/counts.def, model/mem/mem_counts.def, model/gte/gte_counts.def, cosim/machine.def and stats.def by
// these functions alone.
#ifndef WG_COSIM_CLI_STATS_H
#define WG_COSIM_CLI_STATS_H

#include "cosim/cli/cli.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What must have been measured for a value to mean something. */
typedef enum cli_need {
  kNeedNone = 0,
  kNeedCounts = 1, /* instructions are counted: not with check=off on the RTL */
  kNeedClock = 2,  /* the back end has a clock */
  kNeedBoth = kNeedCounts | kNeedClock,
  kNeedMemory = 4, /* crossbar, L2 and DRAM are the model's own (no setting memory) */
  kNeedSlots = 8,  /* issue slots have owners and warps states: an SM in RTL */
  kNeedAll = kNeedBoth | kNeedSlots,
} cli_need_t;

/** A number of a launch. */
typedef struct cli_stat {
  const char *key, *doc;
  cli_need_t need;
  size_t offset; /* of the counter in wg_launch_result_t, if `rate` is NULL */
  double (*rate)(const cli_launch_t *l, const wg_session_machine_t *x);
  bool sum; /* a sum over launches means something */
} cli_stat_t;

/** Counters; figures of "occupancy"; figures of "rates"; all in the order of the document. @param[out] n how many */
const cli_stat_t *cli_stats_counters(size_t *n);
const cli_stat_t *cli_stats_occupancy(size_t *n);
const cli_stat_t *cli_stats_rates(size_t *n);
/** What was measured in a launch. */
cli_need_t cli_stats_measured(const cli_record_t *r, const cli_launch_t *l);
/** A counter of the launch. */
uint64_t cli_stat_count(const cli_stat_t *s, const wg_launch_result_t *m);
/** Unit of a key: its last word, "insts/cycle" of keys that end with insts_per_cycle; NULL if the key breaks the rule.
    @param[out] count the word is what is counted (blocks, warps) and no unit of measurement; may be NULL. @return buf
 */
const char *cli_stat_unit(const char *key, char *buf, size_t n, bool *count);
/** Key of an issue slot's owner or a warp's state: its name in one word, and the unit behind it. @return buf */
const char *cli_reason_key(unsigned reason, const char *unit, char *buf, size_t n);

#ifdef __cplusplus
}
#endif
#endif
