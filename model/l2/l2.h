// SPDX-License-Identifier: Apache-2.0
//
// L2: slices by address hash; sectored 128-byte lines, write-back, write-allocate by byte mask, LRU, MSHRs with
// merging. Contents move when the slice serves a request, the one order of each address: loads take their bytes from the
// store then, and carry them through whatever time the miss costs. Tags therefore hold no data. Atomics too
// execute when they are served (model/ref/wg_ref_atom.h); they cost what a load of the sector costs, and leave it dirty.
#ifndef WG_MODEL_L2_H
#define WG_MODEL_L2_H

#include "model/store/store.h"
#include "model/tlm.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgL2MaxSlices = 128, kWgL2MaxWays = 32, kWgL2MaxMshrs = 256 };

/** Spec. Cycles are SM cycles, whatever the L2's clock. */
typedef struct wg_l2_spec {
  uint32_t slices;            /* 1..128; a multiple of the memory channels, or they of it */
  uint32_t slice_bytes;       /* of a slice; multiple of 128 * ways */
  uint32_t ways;              /* <= 32 */
  uint32_t interleave_bytes;  /* consecutive bytes of one slice, power of two >= 128 */
  uint32_t mshrs;             /* lines with open sectors, <= 256 */
  uint32_t waiters;           /* response sectors that may wait for memory */
  uint32_t writebacks;        /* dirty sectors that may wait for the memory channel; >= 4 */
  uint32_t clock_num, clock_den; /* L2 clocks in SM clocks: in each the slices take, ask and answer once */
  uint32_t hit_cycles;        /* from serving a request to its response in the crossbar's queue, >= 1 */
  uint32_t fill_cycles;       /* from the memory's answer to the response in the crossbar's queue, >= 1 */
  bool slice_hash;            /* slice number rotated by a hash of the higher address bits */
} wg_l2_spec_t;

/** What a request that could not be served in a cycle lacked. */
typedef enum wg_l2_lack {
  kWgL2NoMshr,   /* an MSHR */
  kWgL2NoWay,    /* a way of the set: all wait for memory */
  kWgL2NoWaiter, /* places for answers that wait for memory */
  kWgL2NoAnswer, /* a place in the hit pipe: the response network is slower */
  kWgL2NoAsk,    /* room in the queue to the memory channel */
  kWgL2Lacks
} wg_l2_lack_t;

/** Counters since creation. Atomics count as loads of their sector. */
typedef struct wg_l2_stats {
  uint64_t requests, responses; /* flits */
  uint64_t load_sector_hits, load_sector_misses, store_sector_hits, store_sector_misses;
  uint64_t merged_sectors;      /* load misses that found their sector already on its way */
  uint64_t fault_sectors;       /* of requests outside every allocation; neither hits nor misses */
  uint64_t atomics;             /* requests */
  uint64_t store_bytes;         /* of stores and atomics, as their byte masks say */
  uint64_t fills, writeback_sectors;
  uint64_t writebacks_waiting;  /* of those, not yet taken by the memory channel: a level, not a sum */
  uint64_t lack_cycles[kWgL2Lacks];
  uint64_t stall_cycles;        /* sum of lack_cycles */
  uint64_t faults;              /* requests */
} wg_l2_stats_t;

/** What a slice asks of its memory channel; `addr` is a device address. */
typedef struct wg_l2_mem {
  uint64_t addr;
  uint32_t tag;
  bool write;
} wg_l2_mem_t;

/** Called when a slice serves a request; see wg_gpu_hooks_t.serve. */
typedef void (*wg_l2_serve_fn)(void *ctx, uint64_t cycle, const wg_mem_req_t *req, const uint8_t *data, uint8_t status);

typedef struct wg_l2_slice wg_l2_slice_t;

/** @return kWgOk, kWgBadArg, kWgNoSpace. `store` is borrowed. */
WG_NODISCARD wg_status_t wg_l2_slice_create(const wg_l2_spec_t *spec, wg_store_t *store, wg_l2_serve_fn serve,
                                            void *ctx, wg_l2_slice_t **out, wg_diag_t *diag);
void wg_l2_slice_destroy(wg_l2_slice_t *s); /* takes NULL */
/** Serve a request, at most one a cycle. @return false, with a stall counted and nothing changed, if an MSHR, a way or
    queue room is missing: offer it again in the next cycle. */
bool wg_l2_try_serve(wg_l2_slice_t *s, const wg_mem_req_t *req, uint64_t now);
/** Next request to the memory channel, without taking it; NULL if there is none. */
const wg_l2_mem_t *wg_l2_peek_mem(const wg_l2_slice_t *s);
void wg_l2_pop_mem(wg_l2_slice_t *s);
/** The memory read with this tag is done. Always taken. */
void wg_l2_fill(wg_l2_slice_t *s, uint32_t tag, uint64_t now);
/** Next response that is due, without taking it; NULL if there is none. */
const wg_mem_rsp_t *wg_l2_peek_rsp(wg_l2_slice_t *s, uint64_t now);
void wg_l2_pop_rsp(wg_l2_slice_t *s);
/** Response flits owed (write-backs not counted). */
uint64_t wg_l2_open(const wg_l2_slice_t *s);
void wg_l2_stats_add(const wg_l2_slice_t *s, wg_l2_stats_t *sum);

/** Where an answer is. */
typedef enum wg_l2_where {
  kWgL2Nowhere,
  kWgL2Asking,  /* its read waits for room in the memory channel */
  kWgL2Reading, /* its read was taken by the memory channel */
  kWgL2Leaving, /* in the hit or fill pipe, or due and waiting for the response network */
} wg_l2_where_t;
/** Look for the answer that SM `sm` waits for. @param[out] tag of its memory read, if asking or reading */
wg_l2_where_t wg_l2_find(const wg_l2_slice_t *s, uint16_t sm, uint8_t id, uint8_t sector, uint32_t *tag);

/** Slice of a device address. */
uint32_t wg_l2_slice_of(const wg_l2_spec_t *spec, uint64_t addr);
/** Memory channel of a device address. Slices share a channel (s % channels), or have several (s, s + slices, ...) whose turn
    changes with the interleave; one of the two numbers divides the other. */
uint32_t wg_l2_channel_of(const wg_l2_spec_t *spec, uint32_t channels, uint64_t addr);
/** Address inside that channel: bytes, the other slices' and channels' shares removed. */
uint64_t wg_l2_channel_addr(const wg_l2_spec_t *spec, uint32_t channels, uint64_t addr);

#ifdef __cplusplus
}
#endif
#endif
