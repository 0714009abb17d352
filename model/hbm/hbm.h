// SPDX-License-Identifier: Apache-2.0
//
// HBM: independent (pseudo) channels, each with banks, row buffers (open page) and an FR-FCFS controller with
// an age cap. Timings carry JEDEC names and count memory clocks; the memory clock is a rational of the SM
// clock. No data: contents move at the L2 slice (model/store). Every command passes the rule checker of
// hbm_check.h. Source of structure: JESD235 (HBM); Rixner et al., "Memory access scheduling", ISCA 2000
// (FR-FCFS).
#ifndef WG_MODEL_HBM_H
#define WG_MODEL_HBM_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgHbmMaxChannels = 64, kWgHbmMaxBanks = 32, kWgHbmMaxQueue = 128 };

/** Spec. t_* and burst are memory clocks. */
typedef struct wg_hbm_spec {
  uint32_t channels;      /* pseudo channels, 1..64 */
  uint32_t banks;         /* of a channel, power of two, <= 32 */
  uint32_t row_bytes;     /* row buffer of a bank */
  uint32_t clock_khz;     /* memory clock; data move on both edges */
  uint32_t bus_bytes;     /* width of a channel's data bus; burst clocks = 32 / (2 * bus_bytes) */
  uint32_t read_queue, write_queue; /* requests of a channel, <= 128 each */
  uint32_t write_high, write_low;   /* writes drain from high down to low, or while no read waits */
  uint32_t age_cap;       /* memory clocks after which the oldest request may not be overtaken in its bank */
  uint32_t ctrl_latency_cycles; /* SM cycles added to every read: controller, PHY, way back to the slice */
  uint32_t t_rcd, t_rp, t_cl, t_cwl, t_ras, t_rc, t_ccd, t_rrd, t_faw, t_wr, t_wtr, t_rtw, t_rtp, t_refi, t_rfc;
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
  uint64_t activates, refreshes;
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
/** Bank and row of a channel-local address. */
void wg_hbm_map(const wg_hbm_spec_t *spec, uint64_t addr, uint32_t *bank, uint64_t *row);

#ifdef __cplusplus
}
#endif
#endif
