// SPDX-License-Identifier: Apache-2.0
//
// HBM: independent (pseudo) channels, each with bank groups, banks, row buffers and a controller whose scheduler, page
// policy and write drain are chosen in the spec. Timings carry JEDEC names and count memory clocks; the memory clock is a
// rational of the SM clock. No data: contents move at the L2 slice (model/store). Every command passes the rule checker of
// hbm_check.h. Sources of structure: JESD235 (HBM2), JESD238 (HBM3); Rixner et al., "Memory access scheduling", ISCA 2000
// (FR-FCFS, FCFS, closed page).
#ifndef WG_MODEL_HBM_H
#define WG_MODEL_HBM_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgHbmMaxChannels = 256, kWgHbmMaxBanks = 32, kWgHbmMaxQueue = 128 };

/** Which request's command goes next (spec, `scheduler`). */
typedef enum wg_hbm_sched {
  kWgHbmFrFcfsCap = 0, /* first ready, then oldest; the oldest of all is not overtaken in its bank beyond age_cap */
  kWgHbmFrFcfs = 1,    /* the same without the cap: a stream of row hits may starve another row */
  kWgHbmFcfs = 2,      /* arrival order: every command is the oldest request's */
  kWgHbmBankRr = 3,    /* banks in turn; of each bank its oldest request */
} wg_hbm_sched_t;

/** When a row is closed (spec, `page`). */
typedef enum wg_hbm_page {
  kWgHbmOpen = 0,   /* when another row is wanted, or by a refresh */
  kWgHbmClosed = 1, /* with the last waiting access to it, by auto-precharge */
} wg_hbm_page_t;

/** When writes go (spec, `write_drain`). */
typedef enum wg_hbm_drain {
  kWgHbmWatermark = 0, /* from write_high down to write_low, or while no read waits */
  kWgHbmOldest = 1,    /* reads and writes in the order of their arrival: the older head's kind goes */
  kWgHbmDemand = 2,    /* one by one while the write queue is full, or while no read waits */
} wg_hbm_drain_t;

/** Spec. t_* and burst are memory clocks. t_ccd, t_rrd and t_wtr hold between bank groups (JEDEC: _S), *_l inside one (_L). */
typedef struct wg_hbm_spec {
  uint32_t channels;      /* pseudo channels, 1..256 */
  uint32_t banks;         /* of a channel, power of two, <= 32 */
  uint32_t bank_groups;   /* divides banks; bank b is of group b % bank_groups; 256-byte pieces take
                             turns. 1: the *_l times equal the others */
  uint32_t row_bytes;     /* row buffer of a bank */
  uint32_t clock_khz;     /* memory clock; data move on both edges */
  uint32_t bus_bytes;     /* width of a channel's data bus; burst clocks = 32 / (2 * bus_bytes) */
  uint32_t read_queue, write_queue; /* requests of a channel, <= 128 each */
  uint32_t write_high, write_low;   /* writes drain from high down to low, or while no read waits */
  uint32_t scheduler;     /* wg_hbm_sched_t */
  uint32_t page;          /* wg_hbm_page_t */
  uint32_t write_drain;   /* wg_hbm_drain_t; write_high and write_low are read by watermark only */
  uint32_t age_cap;       /* memory clocks after which the oldest request may not be overtaken in its bank */
  uint32_t ctrl_latency_cycles; /* SM cycles added to every read: controller, PHY, way back to the slice */
  uint32_t t_rcd, t_rp, t_cl, t_cwl, t_ras, t_rc, t_ccd, t_rrd, t_faw, t_wr, t_wtr, t_rtw, t_rtp, t_refi, t_rfc;
  uint32_t t_ccd_l, t_rrd_l, t_wtr_l;
  bool bank_hash;         /* bank number xor-ed with row bits */
} wg_hbm_spec_t;

/** One 32-byte access of a channel. `addr` is local to the channel (bytes, gaps removed). */
typedef struct wg_hbm_req {
  uint64_t addr;
  uint32_t tag;  /* the requester's, comes back with a read */
  bool write;
} wg_hbm_req_t;

typedef struct wg_hbm_stats {
  uint64_t reads, writes;          /* 32-byte bursts done (column commands) */
  uint64_t row_hits, row_misses;   /* sum = reads + writes: served from a row that was already open, or opened for it */
  uint64_t activates, precharges, refreshes; /* precharges: by command and automatic; those for a refresh included */
  uint64_t pushed_reads, pushed_writes;      /* requests taken; minus reads, writes = waiting in the queues */
  uint64_t read_latency_cycles;              /* SM cycles from push to pop, summed over the reads that were popped */
  uint64_t read_in_flight_cycles;            /* reads inside, summed over SM cycles: Little's law with the line above */
  uint64_t violations;             /* rule violations seen by the checker; always 0 */
} wg_hbm_stats_t;

typedef struct wg_hbm wg_hbm_t;

/** @param sm_khz SM clock, the unit of `now`. @return kWgOk, kWgBadArg (spec out of range), kWgNoSpace. */
WG_NODISCARD wg_status_t wg_hbm_create(const wg_hbm_spec_t *spec, uint32_t sm_khz, wg_hbm_t **out, wg_diag_t *diag);
void wg_hbm_destroy(wg_hbm_t *h); /* takes NULL */
bool wg_hbm_can_accept(const wg_hbm_t *h, uint32_t channel, bool write);
/** Only if can_accept. */
void wg_hbm_push(wg_hbm_t *h, uint32_t channel, const wg_hbm_req_t *req);
/** Next finished read of `channel`; false if there is none yet. Writes end silently. */
bool wg_hbm_pop(wg_hbm_t *h, uint32_t channel, uint64_t now, uint32_t *tag);
/** One SM cycle. `now` rises by one from call to call. */
void wg_hbm_tick(wg_hbm_t *h, uint64_t now);
/** Requests inside, finished reads not yet popped included. */
uint64_t wg_hbm_open(const wg_hbm_t *h);
void wg_hbm_stats(const wg_hbm_t *h, wg_hbm_stats_t *out);
/** Reads that were pushed and not yet popped. */
uint64_t wg_hbm_open_reads(const wg_hbm_t *h);
/** SM cycles since `channel`, which has requests, issued its last column command or got its first request after being empty;
    0 if it has none. More than wg_hbm_patience_cycles means that it has stopped. */
uint64_t wg_hbm_stuck_cycles(const wg_hbm_t *h, uint32_t channel);
/** SM cycles in which a channel with requests may rightly do nothing, at most: twice its longest turn. */
uint64_t wg_hbm_patience_cycles(const wg_hbm_t *h);
/** Where is the read with this tag? @return text in `out` ("queue of channel 3, bank 5, row 77", "data of channel 3 on the way"),
    or false if it is nowhere in the channel. */
bool wg_hbm_find(const wg_hbm_t *h, uint32_t channel, uint32_t tag, char *out, size_t n);
/** Fault injection: from now on the channel issues no command. */
void wg_hbm_stop(wg_hbm_t *h, uint32_t channel);
/** Hold commands to `rules` (copied) instead of the spec, for tests: a controller that knows a laxer rule must be caught. */
void wg_hbm_set_rules(wg_hbm_t *h, const wg_hbm_spec_t *rules);
/**
 * Least tREFI with which every channel gets on, whatever waits: between two refreshes each of its worst turns fits. From the
 * clock T in which a refresh is due: the commands of clock T - 1 run out, all banks are closed one after another, the refresh
 * itself, an activate, and one column access before the next refresh is due, T + tREFI.
 * @return memory clocks, 64 bits: the sum of times of 32 bits
 */
uint64_t wg_hbm_least_refi(const wg_hbm_spec_t *spec);
/** Words of the three choices in the order of their values, "a|b|c". */
#define WG_HBM_SCHEDULERS "fr-fcfs-cap|fr-fcfs|fcfs|bank-rr"
#define WG_HBM_PAGES "open|closed"
#define WG_HBM_DRAINS "watermark|oldest|demand"
/** Bank and row of a channel-local address. */
void wg_hbm_map(const wg_hbm_spec_t *spec, uint64_t addr, uint32_t *bank, uint64_t *row);

#ifdef __cplusplus
}
#endif
#endif
