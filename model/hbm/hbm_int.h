// SPDX-License-Identifier: Apache-2.0
//
// Inside of the HBM model: state of a channel; included by model/hbm/*.c only.
#ifndef WG_MODEL_HBM_INT_H
#define WG_MODEL_HBM_INT_H

#include "model/hbm/hbm_check.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgHbmDoneRing = 512 };

typedef struct entry {
  uint64_t row;
  int64_t arrival; /* memory clock */
  uint64_t pushed; /* SM cycles ticked before it came */
  uint32_t tag;
  uint8_t bank;
  bool opened; /* an activate was issued for this request: it counts as a row miss */
} entry_t;

typedef struct queue {
  entry_t *e; /* arrival order */
  uint32_t count, cap;
} queue_t;

typedef struct bank {
  bool open;
  uint64_t row;
  int64_t next_act, next_pre, next_col; /* earliest clocks of this bank's rules */
} bank_t;

/* Earliest clocks of the rules inside one bank group. */
typedef struct group {
  int64_t next_act, next_rd, next_wr;
} group_t;

typedef struct done {
  uint64_t due;    /* SM cycle */
  uint64_t pushed; /* as in entry_t */
  uint32_t tag;
} done_t;

typedef struct channel {
  queue_t rd, wr;
  bank_t bank[kWgHbmMaxBanks];
  group_t group[kWgHbmMaxBanks];
  int64_t next_act, faw[4], next_rd, next_wr;
  int64_t next_ref;
  int64_t next_try; /* nothing can happen before this clock */
  uint32_t faw_at;
  uint32_t turn; /* bank-rr: bank that is asked first */
  bool draining;
  bool stopped;    /* by an injected fault */
  uint64_t active; /* ticks when it last issued a column command or ceased to be empty */
  done_t done[kWgHbmDoneRing];
  uint32_t done_head, done_count;
  wg_hbm_check_t check;
  wg_hbm_stats_t stats;
} channel_t;

struct wg_hbm {
  wg_hbm_spec_t spec;
  wg_hbm_spec_t rules; /* what the checkers hold commands to: the spec, unless a test sets others */
  uint32_t sm_khz, burst;
  uint64_t acc;  /* phase: memory clocks are due when it reaches sm_khz */
  int64_t clock; /* memory clocks so far */
  uint64_t now, ticks;
  uint64_t busy[kWgHbmMaxChannels / 64]; /* channels with requests */
  uint64_t open, open_reads, in_flight_cycles;
  channel_t *ch;
};

static inline int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
static inline void at_least(int64_t *a, int64_t b) { *a = max64(*a, b); }

/* hbm_cmd.c: commands. Each tells the checker and moves the clocks of the rules. */
void wg_hbm_do_precharge(wg_hbm_t *h, channel_t *c, uint32_t b, int64_t t);
void wg_hbm_do_refresh(wg_hbm_t *h, channel_t *c, int64_t t);
void wg_hbm_do_activate(wg_hbm_t *h, channel_t *c, entry_t *e, int64_t t);
/* A column command for entry `i` of the queue; the entry leaves it. */
void wg_hbm_do_column(wg_hbm_t *h, channel_t *c, queue_t *q, uint32_t i, bool write, int64_t t);

/* hbm_sched.c: one column command and one row command of the channel's queue, by the spec's scheduler; true if any was
   issued. `next` falls to the earliest clock in which something may become possible. */
bool wg_hbm_schedule(wg_hbm_t *h, channel_t *c, int64_t t, int64_t *next);

#ifdef __cplusplus
}
#endif
#endif
