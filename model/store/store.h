// SPDX-License-Identifier: Apache-2.0
//
// Device memory: sparse contents and the map of allocations (the window: WG_DEV_BASE below). Contents are pages allocated on
// their first write; what was never written reads as zero. Timing is not its business: the L2 slice calls it
// when it serves a request. Not thread-safe.
#ifndef WG_MODEL_STORE_H
#define WG_MODEL_STORE_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WG_DEV_BASE UINT64_C(0x200000000000)           /* first byte of device memory */
#define WG_DEV_BYTES (UINT64_C(128) << 30)             /* the whole window */
#define WG_DEV_DRIVER_BYTES (UINT64_C(4) << 30)        /* driver area: the window's first bytes */
#define WG_DEV_ALIGN UINT64_C(256)                     /* alignment and rounding of allocations */
#define WG_DEV_OOB_PAGE (UINT64_C(2) << 20)            /* out-of-bounds granularity under `oob_page` */

typedef struct wg_store wg_store_t;

/** @return kWgOk or kWgNoSpace (host memory). An empty memory without allocations. */
WG_NODISCARD wg_status_t wg_store_create(wg_store_t **out, wg_diag_t *diag);
void wg_store_destroy(wg_store_t *s); /* takes NULL */
/** Deep copy of contents and allocations (snapshots for golden kernels). @return kWgOk or kWgNoSpace. */
WG_NODISCARD wg_status_t wg_store_clone(const wg_store_t *s, wg_store_t **out, wg_diag_t *diag);
/** Where a device access is legal. */
typedef enum wg_store_oob {
  kWgOobAlloc = 0, /* in allocations rounded up to 256 bytes (default) */
  kWgOobPage = 1,  /* on every 2 MiB page that an allocation touches */
  kWgOobExact = 2, /* in the bytes that were asked for; the driver area as kWgOobAlloc */
} wg_store_oob_t;
void wg_store_set_oob(wg_store_t *s, wg_store_oob_t oob);
/** Leave `bytes` (a multiple of WG_DEV_ALIGN) free between the program's allocations from now on, where there is room. */
void wg_store_set_gap(wg_store_t *s, uint64_t bytes);

/**
 * Allocate device memory behind the driver area: first fit, 256-byte aligned. Contents are what was there before.
 * @return kWgOk; kWgBadArg for 0 bytes; kWgNoSpace if no hole is large enough.
 */
WG_NODISCARD wg_status_t wg_store_alloc(wg_store_t *s, uint64_t bytes, uint64_t *addr, wg_diag_t *diag);
/** The same in the driver area (code, constants, launch data, local arenas). @param align power of two; at least 256 */
WG_NODISCARD wg_status_t wg_store_alloc_driver(wg_store_t *s, uint64_t bytes, uint64_t align, uint64_t *addr,
                                               wg_diag_t *diag);
/** Free an allocation of either area by its first address. @return kWgOk; kWgBadArg if `addr` begins no allocation. */
WG_NODISCARD wg_status_t wg_store_free(wg_store_t *s, uint64_t addr, wg_diag_t *diag);
/** Base and size, as asked for, of the allocation that holds `addr`; false if none does. Out-parameters may be NULL. */
bool wg_store_range(const wg_store_t *s, uint64_t addr, uint64_t *base, uint64_t *bytes);
/** Allocations in ascending address order: the i-th; false if there are not so many. */
bool wg_store_nth(const wg_store_t *s, size_t i, uint64_t *base, uint64_t *bytes);

/** Host access: the range must lie inside one allocation. @return kWgOk; kWgBadArg, with nothing moved; kWgNoSpace if the
    host has no memory for the contents, with a part moved. */
WG_NODISCARD wg_status_t wg_store_read(const wg_store_t *s, uint64_t addr, void *dst, uint64_t bytes, wg_diag_t *diag);
WG_NODISCARD wg_status_t wg_store_write(wg_store_t *s, uint64_t addr, const void *src, uint64_t bytes, wg_diag_t *diag);
WG_NODISCARD wg_status_t wg_store_memset(wg_store_t *s, uint64_t addr, int value, uint64_t bytes, wg_diag_t *diag);

/** Does a host access of these bytes lie inside one allocation? @param verb for the message: "read", "write", "set"
    @return kWgOk or kWgBadArg */
WG_NODISCARD wg_status_t wg_store_host_range(const wg_store_t *s, uint64_t addr, uint64_t bytes, const char *verb,
                                              wg_diag_t *diag);

/**
 * Device access check. @param bytes 1 to 128, not crossing a 256-byte boundary
 * @return kWgFaultNone, or kWgFaultIllegalAddr below 64 KiB, outside the window or outside every allocation.
 */
uint8_t wg_store_check(const wg_store_t *s, uint64_t addr, uint64_t bytes);
/** The same for the bytes that one lane accesses: under kWgOobExact every one must have been asked for. Memory sees
    whole lines and sectors, so wg_store_check takes kWgOobExact as kWgOobAlloc. */
uint8_t wg_store_check_lane(const wg_store_t *s, uint64_t addr, uint64_t bytes);
/** Accesses since creation that changed the value of any byte of device memory. */
uint64_t wg_store_changes(const wg_store_t *s);
/** Contents without a check of allocations; addresses outside the window read as zero and drop writes. */
void wg_store_peek(const wg_store_t *s, uint64_t addr, void *dst, uint64_t bytes);
void wg_store_poke(wg_store_t *s, uint64_t addr, const void *src, uint64_t bytes);
/** Write the bytes of one 32-byte sector whose bit in `byte_mask` is set. @param addr 32-byte aligned */
void wg_store_poke_sector(wg_store_t *s, uint64_t addr, const uint8_t src[32], uint32_t byte_mask);

#ifdef __cplusplus
}
#endif
#endif
