// SPDX-License-Identifier: Apache-2.0
//
// The door between SMs and memory system: every request and every response is told here, in every run. It knows what each id
// of each SM has open, so that a response that nobody asked for, or asked for once and got twice, is found at once, and one
// that never comes is found by its age. It also measures both sides of Little's law: sectors in flight, summed over cycles,
// and the time that each sector took.
#ifndef WG_MODEL_DOOR_H
#define WG_MODEL_DOOR_H

#include "model/tlm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What one id of an SM has open, or had last. */
typedef struct wg_door_open {
  uint64_t line;    /* device address */
  uint64_t cycle;   /* when the first request came; when closed: when its last response went */
  uint64_t from[4]; /* when each sector was asked for: an atomic asks for them one by one */
  uint32_t pc;
  uint8_t op;       /* kWgMem* */
  uint8_t warp;
  uint8_t asked;    /* sectors */
  uint8_t pending;  /* sectors not yet answered; 0 = closed */
} wg_door_open_t;

/** Counters since creation. */
typedef struct wg_door_stats {
  uint64_t requests;             /* flits */
  uint64_t asked, answered;      /* response flits, one a sector */
  uint64_t store_bytes;          /* of stores and atomics, as their byte masks say */
  uint64_t latency_cycles;       /* from request to response, summed over answered sectors */
  uint64_t in_flight_cycles;     /* sectors open, summed over cycles; = latency_cycles when nothing is open */
  uint64_t max_latency_cycles;
} wg_door_stats_t;

typedef struct wg_door wg_door_t;

/** @return kWgOk or kWgNoSpace */
WG_NODISCARD wg_status_t wg_door_create(uint32_t sms, wg_door_t **out, wg_diag_t *diag);
void wg_door_destroy(wg_door_t *d); /* takes NULL */
/** A request enters; `req->sm` is set. @return kWgOk; kWgMismatch if the id is still open, but for an atomic with a result: it is
    one flit a sector under one id (rtl/mem/README.md), so one more sector of it may come while others are open */
WG_NODISCARD wg_status_t wg_door_req(wg_door_t *d, const wg_mem_req_t *req, uint64_t now, wg_diag_t *diag);
/** A response leaves. @return kWgOk; kWgMismatch, with nothing counted, if nobody waits for it: the diag names SM, id, sector,
    line and how long ago it was answered */
WG_NODISCARD wg_status_t wg_door_rsp(wg_door_t *d, const wg_mem_rsp_t *rsp, uint64_t now, wg_diag_t *diag);
/** End of a cycle: what is open now is in flight. */
void wg_door_tick(wg_door_t *d);
/** Oldest open request. @return false if none is open */
bool wg_door_oldest(const wg_door_t *d, uint16_t *sm, uint8_t *id, wg_door_open_t *out);
void wg_door_stats(const wg_door_t *d, wg_door_stats_t *out);
/** Text of one: "load of line 0x200000000080 (sectors 0x3 of 0xf open), SM 0, id 17, warp 3, pc 0x40, age 20432 cycles". @return buf */
const char *wg_door_describe(uint16_t sm, uint8_t id, const wg_door_open_t *o, uint64_t now, char *buf, size_t n);

#ifdef __cplusplus
}
#endif
#endif
