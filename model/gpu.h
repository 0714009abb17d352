// SPDX-License-Identifier: Apache-2.0
//
// The GPU: N SMs of any back end, GigaThread engine, crossbar, L2 slices, HBM channels, over one device memory.
// This file's implementation is the only place where messages move between them, in a fixed order, so a run is
// reproducible:
//   responses -> SMs; at most one block dispatch; SMs tick; requests, ended blocks, faults <- SMs; crossbar; L2; HBM.
// Streams: the GigaThread engine keeps the order of grids in a stream and of the default stream (model/gte/gte.h). Whoever
// also orders copies, events and grids (a front end) submits a grid when what precedes it in its stream is done, which this
// engine's order then never contradicts.
// The SM clock is the time base. Not thread-safe; with `jobs` > 1 the SMs of a cycle tick in threads of their own, while nothing
// else runs.
#ifndef WG_MODEL_GPU_H
#define WG_MODEL_GPU_H

#include "model/gte/gte.h"
#include "model/gte/gte_spec.h"
#include "model/mem/mem.h"
#include "model/preset.h"
#include "model/sm_port.h"
#include "model/store/store.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wg_gpu wg_gpu_t;

/** State handed to the watchdog hook. Counts are since the previous call of the hook. */
typedef struct wg_gpu_progress {
  uint64_t cycle;       /* now */
  uint64_t issued;      /* sum of the SMs' activity().issued */
  uint64_t messages;    /* requests, responses, block starts and ends */
  uint64_t idle_cycles; /* cycles, in whole watchdog periods, since anything happened at all */
  uint64_t patience_cycles; /* so many may pass because the memory of this machine is slow (wg_mem_patience_cycles) */
} wg_gpu_progress_t;

/** Observers; each may be NULL. Called in simulation order; they may call wg_gpu_stop, nothing else that changes. */
typedef struct wg_gpu_hooks {
  void *ctx;
  /**
   * An L2 slice served a request: the one order of its address, which checkers follow.
   * @param data  [128] line bytes as the request left them; only the request's sectors are defined
   * @param status kWgFaultNone, or kWgFaultIllegalAddr (then nothing was read or written and `data` is zero)
   */
  void (*serve)(void *ctx, uint64_t cycle, const wg_mem_req_t *req, const uint8_t *data, uint8_t status);
  /** A block was sent to SM `sm`, which must put it into `block_slot` (the allocator's twin says so). */
  void (*block_start)(void *ctx, uint64_t cycle, uint16_t sm, uint8_t block_slot, const wg_cta_launch_t *launch);
  void (*block_done)(void *ctx, uint64_t cycle, uint16_t sm, const wg_cta_done_t *done);
  /** Every `watchdog_cycles`; false = give up, wg_gpu_run returns kWgHang. Without the hook the run gives up after
      `hang_cycles`, or the memory's patience if that is more, in which no SM issued and no message moved. */
  bool (*watchdog)(void *ctx, const wg_gpu_progress_t *p);
} wg_gpu_hooks_t;

typedef struct wg_gpu_cfg {
  const wg_preset_t *preset;  /* scaled (wg_preset_scale); copied */
  wg_sm_t *const *sms;        /* [preset->num_sms]; borrowed: the caller destroys them after the GPU */
  wg_store_t *store;          /* borrowed */
  wg_gpu_hooks_t hooks;
  uint32_t policy;            /* warp scheduler for every SM, UINT32_MAX = the preset's */
  uint64_t watchdog_cycles;   /* 0 = 10,000 */
  uint64_t hang_cycles;       /* 0 = 1,000,000 */
  uint32_t jobs;              /* threads that tick SMs (model/sm/sm_pool.h), 0 = 1; the result does not depend on it */
  /** Who makes a cycle of wg_gpu_run, instead of wg_gpu_tick: calls wg_gpu_begin_cycle, sees to it that every SM ticks,
      calls wg_gpu_end_cycle. NULL = wg_gpu_tick. */
  void (*cycle)(void *ctx, wg_gpu_t *g);
  void *cycle_ctx;
} wg_gpu_cfg_t;

/** Counters since creation. Sectors are 32 bytes. */
typedef struct wg_gpu_stats {
  uint64_t cycles;              /* SM clocks ticked, draining included */
  uint64_t blocks_started, blocks_done, grids_done;
#define WG_MEMCOUNT(FIELD, KEY, TABLE, DOC) uint64_t FIELD;
#include "model/mem/mem_counts.def"
} wg_gpu_stats_t;

/** What one grid did. */
typedef struct wg_grid_result {
  uint64_t start_cycle, end_cycle; /* first block sent; last block's end (with its last acknowledgement) seen */
  uint64_t cycles;                 /* end - start + 1 */
  uint64_t blocks;
  uint32_t grid_id;
  uint32_t blocks_per_sm;          /* that an empty SM holds */
  uint64_t last_sent_cycle;        /* last block sent: what follows is the tail */
  uint64_t block_cycles;           /* from sent to end, both included, summed over blocks */
  uint64_t shortest_block_cycles, longest_block_cycles;
  uint64_t sm_busy_cycles;         /* cycles with a block of the grid, summed over SMs */
  uint64_t least_busy_cycles, most_busy_cycles; /* of one SM */
  uint64_t launched, retired;      /* blocks */
  uint64_t resident_warp_cycles;   /* warps on the SMs, summed over cycles */
} wg_grid_result_t;

/**
 * Build the GPU and reset every SM with the preset's configuration.
 * @return kWgOk; kWgBadArg (cfg), kWgNoSpace (host memory), or what an SM's reset returns.
 */
WG_NODISCARD wg_status_t wg_gpu_create(const wg_gpu_cfg_t *cfg, wg_gpu_t **out, wg_diag_t *diag);
void wg_gpu_destroy(wg_gpu_t *g); /* takes NULL; SMs and store stay */

/** Would wg_gpu_submit take this command, were the queue empty? @return as there */
WG_NODISCARD wg_status_t wg_gpu_check(const wg_gpu_t *g, const wg_grid_t *grid, wg_diag_t *diag);
/**
 * Check a launch command and queue it. Grids of one stream run one after another, in this order; those of others beside them
 * (model/gte/gte.h says which and whose blocks come first).
 * @return kWgOk; kWgBadArg for an invalid grid, block or field (CUDA 9); kWgNoSpace if a block can never fit
 *   (CUDA 701: the diag names the resource, needs and has) or the queue is full.
 */
WG_NODISCARD wg_status_t wg_gpu_submit(wg_gpu_t *g, const wg_grid_t *grid, wg_diag_t *diag);
/**
 * Tick until every queued grid is done and the memory system is drained, then clear the SMs: history reaches a launch
 * only by L2, HBM and memory.
 * @return kWgOk; kWgFault after the first fault and its drain (see wg_gpu_fault); kWgHang; the status given to
 *   wg_gpu_stop; kWgMismatch if an SM's report contradicts the allocator's twin, or if the checker of the memory system
 *   (model/mem/mem.h) finds something lost, doubled or stopped, or counters that do not add up. After any but kWgOk the queue
 *   is empty and, unless memory did not drain, the SMs are cleared.
 */
WG_NODISCARD wg_status_t wg_gpu_run(wg_gpu_t *g, wg_diag_t *diag);
/**
 * Tick until a grid ends or the SM clock reads `cycle`, whatever comes first. Other grids stay where they are, more may be
 * submitted; the SMs are not cleared and nothing drains before the caller ends the run by wg_gpu_run, also with nothing left
 * to do. Grids that end in one cycle are told one call each; the later calls do not tick.
 * @param cycle UINT64_MAX = until a grid ends; returns at once if no grid is queued or running
 * @param[out] grid_ended a grid ended, `out` (may be NULL) is its result
 * @return kWgOk; a failure as of wg_gpu_run, after which the queue is empty and the SMs are cleared
 */
WG_NODISCARD wg_status_t wg_gpu_run_until(wg_gpu_t *g, uint64_t cycle, bool *grid_ended, wg_grid_result_t *out,
                                          wg_diag_t *diag);
/** One SM cycle; wg_gpu_run calls it. For tests and single stepping. */
void wg_gpu_tick(wg_gpu_t *g);
/* A cycle in its parts, for who clocks the SMs himself (wg_gpu_cfg_t.cycle). */
/** Give responses and at most one block to the SMs. @param[out] time_ns, kill what every SM's tick of this cycle gets */
void wg_gpu_begin_cycle(wg_gpu_t *g, uint64_t *time_ns, bool *kill);
/** Take requests, ended blocks and faults from the SMs; move everything behind them. The cycle is over. */
void wg_gpu_end_cycle(wg_gpu_t *g);
/** Request flits of an SM that wg_gpu_end_cycle could take now. */
uint32_t wg_gpu_req_room(const wg_gpu_t *g, uint32_t sm);

/* A memory of somebody else's instead of crossbar, L2 and HBM (cosim/systemc): the SMs' requests never come here. */
/**
 * What a request does to device memory, at once.
 * @param[out] data the line: for loads as it is; for atomics as it was before; for stores as it is afterwards; zero if refused
 * @return kWgFaultNone, or kWgFaultIllegalAddr: nothing was read or written
 */
uint8_t wg_gpu_perform(wg_gpu_t *g, const wg_mem_req_t *req, uint8_t data[128]);
/** Such traffic of this cycle, so that a run ends with nothing owed. @param req a request that left an SM, or NULL
    @param responses flits that an SM was given */
void wg_gpu_note_traffic(wg_gpu_t *g, const wg_mem_req_t *req, uint32_t responses);

/** From a hook: end the run after this cycle with `st` (not kWgOk) and, if not NULL, this diag. The first call wins. */
void wg_gpu_stop(wg_gpu_t *g, wg_status_t st, const wg_diag_t *why);
/** Inject a fault into the memory system at the first opportunity from SM cycle `from` on. */
void wg_gpu_inject(wg_gpu_t *g, wg_mem_fault_t fault, uint64_t from);
/** Faults between the SMs and the GigaThread engine, model/gte/gte_faults.def. */
typedef enum wg_gte_fault {
  kWgGteNoFault,
#define WG_GTE_FAULT(ID, WORD, DOC) kWgGte##ID,
#include "model/gte/gte_faults.def"
} wg_gte_fault_t;
/** Fault of a word of gte_faults.def; kWgGteNoFault if there is none. */
wg_gte_fault_t wg_gte_fault_find(const char *word);
/** Inject one of them at the first opportunity from SM cycle `from` on. */
void wg_gpu_disturb(wg_gpu_t *g, wg_gte_fault_t fault, uint64_t from);
/** Lose a count of the GigaThread engine (model/sum_faults.def) from SM cycle `from` on. */
void wg_gpu_lose(wg_gpu_t *g, wg_sum_fault_t what, uint64_t from);
/** True if no grid is queued or running. */
bool wg_gpu_idle(const wg_gpu_t *g);

/** Result of the grid that ended last; false if none has. A grid that faulted or hung has not ended. */
bool wg_gpu_last_grid(const wg_gpu_t *g, wg_grid_result_t *out);
/** SM cycles from the last run's last grid end until no traffic was under way. */
uint64_t wg_gpu_drain_cycles(const wg_gpu_t *g);
/** Blocks of running grids that wait for a place on an SM. */
uint64_t wg_gpu_unsent(const wg_gpu_t *g);
/** Result of a grid by its id; false if it has not ended, or 256 others ended since. */
bool wg_gpu_grid(const wg_gpu_t *g, uint32_t grid_id, wg_grid_result_t *out);
/** The fault that ended the last run; false if there was none. First by (cycle, SM). */
bool wg_gpu_fault(const wg_gpu_t *g, wg_fault_t *out);
void wg_gpu_stats(const wg_gpu_t *g, wg_gpu_stats_t *out);
/** SM clocks ticked so far. */
uint64_t wg_gpu_cycle(const wg_gpu_t *g);
/** Simulated time: SM clocks plus what wg_gpu_advance_ns added. */
uint64_t wg_gpu_time_ns(const wg_gpu_t *g);
void wg_gpu_advance_ns(wg_gpu_t *g, uint64_t ns);

/** Bytes of local arena that one SM needs for a frame of `local_bytes` a thread: the wg_grid_t.local_stride to use; the
    arena is preset->num_sms times this. Layout: isa/README.md, LDL. */
uint64_t wg_gpu_local_stride(const wg_gpu_t *g, uint32_t local_bytes);
/** Blocks of such a launch that one empty SM holds at the same time (occupancy). 0 = a block never fits. */
uint32_t wg_gpu_blocks_per_sm(const wg_gpu_t *g, uint32_t threads, uint32_t regs_per_thread, uint32_t shared_bytes);

#ifdef __cplusplus
}
#endif
#endif
