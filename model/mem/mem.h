// SPDX-License-Identifier: Apache-2.0
//
// The memory system behind the SMs' ports: crossbar, L2 slices, memory channels, and the checker at the door (model/door).
// The only place where messages move between them, in a fixed order: crossbar; slices; fills; asks to memory; responses;
// channels (slices, asks and responses once in each L2 clock). In every run it finds, and names with place, id, line and age: a
// response that is lost, comes twice or belongs to nobody, a slice or a channel that has stopped; and when all is answered the
// sum rules must hold (wg_mem_sums).
#ifndef WG_MODEL_MEM_H
#define WG_MODEL_MEM_H

#include "model/preset.h"
#include "model/store/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Counters since creation; mem_counts.def has a line for each. */
typedef struct wg_mem_counts {
#define WG_MEMCOUNT(FIELD, KEY, TABLE, DOC) uint64_t FIELD;
#include "model/mem/mem_counts.def"
} wg_mem_counts_t;

/** Faults to inject, mem_faults.def. */
typedef enum wg_mem_fault {
  kWgMemNoFault,
#define WG_MEM_FAULT(ID, WORD, DOC) kWgMem##ID,
#include "model/mem/mem_faults.def"
} wg_mem_fault_t;

typedef struct wg_mem wg_mem_t;

/** @param preset scaled; copied. @param serve may be NULL. @return kWgOk, kWgBadArg (spec), kWgNoSpace */
WG_NODISCARD wg_status_t wg_mem_create(const wg_preset_t *preset, wg_store_t *store, wg_l2_serve_fn serve, void *ctx,
                                       wg_mem_t **out, wg_diag_t *diag);
void wg_mem_destroy(wg_mem_t *m); /* takes NULL */
/** Room for a request of this SM. */
bool wg_mem_can_req(const wg_mem_t *m, uint32_t sm);
/** How many it has room for. */
uint32_t wg_mem_req_room(const wg_mem_t *m, uint32_t sm);
/** Take a request; only if can_req. `req->sm` is set. */
void wg_mem_req(wg_mem_t *m, const wg_mem_req_t *req, uint64_t now);
/** Next response that has arrived at an SM; false if there is none. A response that the checker refuses is not given out. */
bool wg_mem_rsp(wg_mem_t *m, uint32_t sm, uint64_t now, wg_mem_rsp_t *out);
/** One SM cycle, after all requests of the cycle were taken. */
void wg_mem_tick(wg_mem_t *m, uint64_t now);
/** Response flits asked for and not yet given. */
uint64_t wg_mem_owed(const wg_mem_t *m);
/** kWgMismatch, with the reason, once the checker at the door has found something; cheap. */
WG_NODISCARD wg_status_t wg_mem_status(const wg_mem_t *m, wg_diag_t *diag);
/**
 * Is anything stuck? To be asked every few thousand cycles, and until nothing is owed.
 * @return kWgOk; kWgMismatch: a request older than wg_mem_patience_cycles that is nowhere (lost), a slice or channel with work
 *   that has done nothing for so long
 */
WG_NODISCARD wg_status_t wg_mem_look(wg_mem_t *m, uint64_t now, wg_diag_t *diag);
enum { kWgMemStuckCycles = 20000 }; /* a refresh takes some hundreds of cycles, draining a write queue some thousands */
/** SM cycles in which everything of the machine may rightly stand still, at most, because its memory is slow; at least
    kWgMemStuckCycles. */
uint64_t wg_mem_patience_cycles(const wg_mem_t *m);
/** Inject a fault at the first opportunity from SM cycle `from` on. */
void wg_mem_inject(wg_mem_t *m, wg_mem_fault_t fault, uint64_t from);
/** Fault of a word of mem_faults.def; kWgMemNoFault if there is none. */
wg_mem_fault_t wg_mem_fault_find(const char *word);
void wg_mem_counts(const wg_mem_t *m, wg_mem_counts_t *out);
/**
 * The rules that counters obey when nothing is owed: requests in = out, response flits, bytes, sectors = hits + misses, fills,
 * DRAM bytes = fills + write-backs, row hits + misses = bursts, in flight = rate x latency (Little) at the door and in DRAM.
 * @return kWgOk; kWgMismatch, naming the rule and both sides
 */
WG_NODISCARD wg_status_t wg_mem_sums(const wg_mem_counts_t *c, wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
