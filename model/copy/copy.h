// SPDX-License-Identifier: Apache-2.0
//
// Copy engines: they move bytes between host and device, and within the device, beside the SMs. A block as
// model/tlm.h says: const spec, mutable state, can_accept, push, pop; its time is nanoseconds of simulated time,
// since links have no SM clock.
//
// A copy of n bytes takes copy_ns + n / rate, and one engine does one copy at a time, in the order of push:
//   host to device    the link's rate                              engine 0
//   device to host    the link's rate, the other direction         engine 1, or 0 if there is one
//   within the device memory_copy_permille of half the pin rate    the last engine, at most number 2
//   set               memory_set_permille of the pin rate          as within the device
// More engines than three serve other GPUs on hardware and nobody here. Pageable host memory goes through pinned
// staging memory: the host's processor copies between the two at staging_mbytes_per_s, piece by piece, while the
// engine moves the pieces. What this leaves out: model/DEVIATIONS.md, "Copies and launches". Contents are the
// owner's business: it moves them when it pops the copy.
#ifndef WG_MODEL_COPY_H
#define WG_MODEL_COPY_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A link between host and GPU; model/copy/links.def. */
typedef struct wg_copy_link {
  const char *name;
  uint32_t lanes, mega_transfers_per_s, code_bits, code_of, permille;
  const char *source;
} wg_copy_link_t;

/** All links; ends with a NULL name. */
extern const wg_copy_link_t kWgCopyLinks[];
/** The link of that name; NULL if there is none. */
const wg_copy_link_t *wg_copy_link_find(const char *name);
/** Raw rate of one direction behind the line code, 10^6 bytes a second. */
uint32_t wg_copy_link_raw_mbytes_per_s(const wg_copy_link_t *l);
/** What a long copy from pinned memory gets in one direction, 10^6 bytes a second. */
uint32_t wg_copy_link_mbytes_per_s(const wg_copy_link_t *l);

enum { kWgCopyMaxEngines = 16, kWgCopyServing = 3, kWgCopyPieceBytes = 65536 };

/** Spec. Times in ns, rates in 10^6 bytes a second. */
typedef struct wg_copy_spec {
  const wg_copy_link_t *link;
  uint32_t engines;              /* 1..16, as cudaDeviceProp.asyncEngineCount reports */
  uint32_t copy_ns;              /* of each copy, whatever its size */
  uint32_t staging_mbytes_per_s; /* the host's own copy between pageable and staging memory */
  uint32_t staging_bytes;        /* staging memory of one copy to the device: so much the host may be ahead */
  uint32_t memory_copy_permille; /* of half the memory's pin rate: read and written */
  uint32_t memory_set_permille;  /* of the pin rate */
} wg_copy_spec_t;

typedef enum wg_copy_kind {
  kWgCopyToDevice = 0,
  kWgCopyToHost = 1,
  kWgCopyWithin = 2,
  kWgCopySet = 3,
  kWgCopyKinds = 4
} wg_copy_kind_t;

typedef struct wg_copy_req {
  uint64_t tag;   /* the owner's, given back by pop */
  wg_copy_kind_t kind;
  uint64_t bytes;
  bool pageable;  /* the host's side is pageable memory */
} wg_copy_req_t;

typedef struct wg_copy_done {
  uint64_t tag, start_ns, end_ns;
  uint32_t engine;
} wg_copy_done_t;

/** Of one kind, since creation. */
typedef struct wg_copy_stats {
  uint64_t copies, bytes, busy_ns;
} wg_copy_stats_t;

typedef struct wg_copy wg_copy_t;

/**
 * @param memory_mbytes_per_s pin rate of the device memory, 10^6 bytes a second
 * @return kWgOk; kWgBadArg for a spec out of range; kWgNoSpace
 */
WG_NODISCARD wg_status_t wg_copy_create(const wg_copy_spec_t *spec, uint64_t memory_mbytes_per_s, wg_copy_t **out,
                                        wg_diag_t *diag);
void wg_copy_destroy(wg_copy_t *c); /* takes NULL */

/** Time that the engine takes for a copy, the host's staging of pageable memory included where the engine waits for it. */
uint64_t wg_copy_time_ns(const wg_copy_t *c, const wg_copy_req_t *r);
/** Time that the host needs to stage `bytes` of pageable memory. */
uint64_t wg_copy_staging_ns(const wg_copy_t *c, uint64_t bytes);
/** Engine that serves a kind of copy. */
uint32_t wg_copy_engine(const wg_copy_t *c, wg_copy_kind_t kind);
/** First time at which the engine of a kind is free: never in the past of its copies. */
uint64_t wg_copy_free_ns(const wg_copy_t *c, wg_copy_kind_t kind);
/** The engine of that kind has nothing to do at `now`. */
bool wg_copy_can_accept(const wg_copy_t *c, wg_copy_kind_t kind, uint64_t now);
/** Begin a copy; the engine must accept it. @return its end */
uint64_t wg_copy_push(wg_copy_t *c, const wg_copy_req_t *r, uint64_t now);
/** End of the copy that ends first among those not yet popped; UINT64_MAX if there is none. */
uint64_t wg_copy_next_ns(const wg_copy_t *c);
/** Take the copy that ended first, at or before `now`; the lowest engine among equals. False if none has. */
bool wg_copy_pop(wg_copy_t *c, uint64_t now, wg_copy_done_t *done);
/** Forget copies that are under way (after a fault). Statistics stay. */
void wg_copy_clear(wg_copy_t *c);
void wg_copy_stats(const wg_copy_t *c, wg_copy_kind_t kind, wg_copy_stats_t *out);

#ifdef __cplusplus
}
#endif
#endif
