// SPDX-License-Identifier: Apache-2.0
//
// Crossbar between SMs and L2 slices: a request network and a response network. Each moves one 32-byte flit a
// cycle and port, has a fixed latency, and is bounded by credits (queue places of the receiving side).
// Arbitration is a priority that rotates with the cycle count: deterministic, and fair over a turn.
#ifndef WG_MODEL_XBAR_H
#define WG_MODEL_XBAR_H

#include "model/tlm.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgXbarMaxSms = 144, kWgXbarMaxSlices = 128 };

/** A set of slices, bit s for slice s. */
typedef unsigned __int128 wg_slices_t;
static inline wg_slices_t wg_slice_bit(uint32_t s) { return (wg_slices_t)1 << s; }
/** First slice of a set that is not empty. */
static inline uint32_t wg_slice_first(wg_slices_t m) {
  uint64_t low = (uint64_t)m;
  return low != 0 ? (uint32_t)__builtin_ctzll(low) : 64 + (uint32_t)__builtin_ctzll((uint64_t)(m >> 64));
}

/** Spec. Cycles are SM cycles. */
typedef struct wg_xbar_spec {
  uint32_t sm_queue;        /* request flits waiting at an SM's port, 1..256 */
  uint32_t slice_queue;     /* request flits waiting at a slice, beyond those on the way, 1..256 */
  uint32_t req_cycles;      /* from leaving the SM's queue to the slice, >= 1 */
  uint32_t rsp_cycles;      /* from leaving the slice to the SM, >= 1 */
  uint32_t rsp_per_cycle;   /* response flits an SM takes a cycle, 1 or 2 */
} wg_xbar_spec_t;

typedef struct wg_xbar wg_xbar_t;

/** @return kWgOk, kWgBadArg, kWgNoSpace. */
WG_NODISCARD wg_status_t wg_xbar_create(const wg_xbar_spec_t *spec, uint32_t sms, uint32_t slices, wg_xbar_t **out,
                                        wg_diag_t *diag);
void wg_xbar_destroy(wg_xbar_t *x); /* takes NULL */
/** Room in the SM's port queue. */
bool wg_xbar_can_req(const wg_xbar_t *x, uint32_t sm);
/** How many flits it has room for. */
uint32_t wg_xbar_req_room(const wg_xbar_t *x, uint32_t sm);
/** Only if can_req. `req->sm` must be set. @param slice where the line lives */
void wg_xbar_push_req(wg_xbar_t *x, uint32_t slice, const wg_mem_req_t *req);
/** Request at the head of a slice's queue, if it has arrived; NULL if none. */
const wg_mem_req_t *wg_xbar_peek_req(const wg_xbar_t *x, uint32_t slice, uint64_t now);
void wg_xbar_pop_req(wg_xbar_t *x, uint32_t slice);
/** True if the SM's response port has a place in this cycle; false after rsp_per_cycle pushes. */
bool wg_xbar_can_rsp(const wg_xbar_t *x, uint32_t sm, uint64_t now);
void wg_xbar_push_rsp(wg_xbar_t *x, const wg_mem_rsp_t *rsp, uint64_t now);
/** Next response that has arrived at an SM; at most rsp_per_cycle a cycle become due. */
bool wg_xbar_pop_rsp(wg_xbar_t *x, uint32_t sm, uint64_t now, wg_mem_rsp_t *out);
/** Move request flits: one leaves each SM queue, one enters each slice. */
void wg_xbar_tick(wg_xbar_t *x, uint64_t now);
/** Slices with requests on the way or waiting. */
wg_slices_t wg_xbar_slices_pending(const wg_xbar_t *x);
/** Flits inside, both directions. */
uint64_t wg_xbar_open(const wg_xbar_t *x);
/** Where is the request of SM `sm` with this id, or the answer for this sector of it? @return text in `out` ("queue of SM 3's
    port", "queue of slice 7", "on the way to SM 3"); false if neither is inside */
bool wg_xbar_find(const wg_xbar_t *x, uint16_t sm, uint8_t id, uint8_t sector, char *out, size_t n);
/** Cycles in which some SM's head request found its slice taken or full. */
uint64_t wg_xbar_req_stalls(const wg_xbar_t *x);

#ifdef __cplusplus
}
#endif
#endif
