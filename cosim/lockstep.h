// SPDX-License-Identifier: Apache-2.0
//
// The lockstep checker of one SM: a golden SM that is driven by the probe events of the verilated one and by the
// messages of its port, and compares everything that becomes visible. Instructions execute at ISSUE in program order,
// shared memory at its wavefront, global memory at the L1 tag stage; what a load must return is known from a shadow of
// the L1's sectors (filled from recorded responses, updated by the SM's own stores), so each load is judged exactly,
// racy or not.
//
//   level retire  each ISSUE's pc and lanes, each register and predicate written, each store flit, the place of each
//   block and
//                 warp, operands used too early, barriers left too early, everything closed at the end of a block and
//                 of a run
//   level units   also the twins of model/twin on each event of: SIMT stack, scheduler, barriers, coalescer, shared
//   passes
//
// Values that nothing has written (registers, predicates and shared memory after power-on) are unknown: what is
// computed from them is taken over from the design, not judged. An address or a guard that depends on one is reported.
//
// Use, in every SM cycle: wg_lockstep_cycle; wg_lockstep_launch and wg_lockstep_rsp for what is given to the design;
// step the design (its probes call the hooks); wg_lockstep_req and wg_lockstep_fault for what comes out. The hooks only
// record; a cycle's events are looked at by the next call of any other function, in the order of probe.h, whatever
// order they came in. The first mismatch is kept; after it the checker does nothing.
#ifndef WG_COSIM_LOCKSTEP_H
#define WG_COSIM_LOCKSTEP_H

#include "cosim/probe.h"
#include "model/ref/wg_ref_race.h"
#include "model/ref/wg_ref_span.h"
#include "model/ref/wg_ref_tools.h"
#include "model/ref/wg_ref_writers.h"
#include "model/ref/wg_ref_spin.h"
#include "model/sm_port.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wg_lockstep_level { kWgLockstepOff = 0, kWgLockstepRetire = 1, kWgLockstepUnits = 2 } wg_lockstep_level_t;

/** What the checker needs from outside. */
typedef struct wg_lockstep_env {
  wg_ref_mem_t mem; /* only read, for code (16 bytes at a time) and constant banks (up to 64 KiB, when a grid starts) */
  /** Source place of a pc in the code window at `code_base`; NULL = unknown. `*file` must live as long as the checker.
   */
  bool (*line_of)(void *ctx, uint64_t code_base, uint32_t pc, const char **file, unsigned *line);
  void *line_ctx;
  uint64_t seed; /* printed in reports */
  /** May a lane access these bytes of global memory? NULL = everything may be. For wg_lockstep_illegal. */
  bool (*legal)(void *ctx, uint64_t addr, uint64_t bytes);
  void *legal_ctx;
  /** An instruction is done and everything it did has been compared with the golden one; NULL = nobody wants to know. Called
      with the last write-back, predicate or memory effect; for control instructions when the divergence unit's event agreed
      (level units), or, where there is none, at issue; for MEMBAR and CCTL when the warp went on. Not called without
      executing lanes, nor if an operand was a value that nothing has written. */
  void (*retired)(void *ctx, const wg_insn_t *in, uint32_t exec);
  void *retired_ctx;
  wg_race_t *race; /* is shown every issue, and every value that a load or atomic got; NULL: nobody looks. Borrowed */
  wg_span_t *span; /* the same */
  wg_writers_t *writers; /* notes writers of flags and locks; NULL: nobody wants it. Borrowed */
  wg_tools_t *tools; /* is shown every issue, also one that faults; NULL: nobody looks. Borrowed */
} wg_lockstep_env_t;

/** Sums since creation, from events. */
typedef wg_counts_t wg_lockstep_counts_t;

typedef struct wg_lockstep wg_lockstep_t;

/** @param shape what was elaborated. @return never NULL (host memory exhausted: aborts) */
wg_lockstep_t *wg_lockstep_new(const wg_shape_t *shape, wg_lockstep_level_t level, const wg_lockstep_env_t *env);
void wg_lockstep_free(wg_lockstep_t *ls); /* takes NULL */
/** Hooks for sm_dut_api_t.create, by level (NULL at level off); their ctx is the checker. */
const wg_probe_hooks_t *wg_lockstep_hooks(const wg_lockstep_t *ls);

/** The SM is about to be reset under `cfg`: caches, pointers and policy state go. What is still open then is a mismatch,
    unless warps were given up before their end (after a hang). */
void wg_lockstep_reset(wg_lockstep_t *ls, const wg_sm_cfg_t *cfg);
/** The number of the cycle that is about to be stepped, for reports. */
void wg_lockstep_cycle(wg_lockstep_t *ls, uint64_t cycle);
/** A launch message is given to the design in this cycle. */
void wg_lockstep_launch(wg_lockstep_t *ls, const wg_cta_launch_t *msg);
/** A response flit is given to the design in this cycle. */
void wg_lockstep_rsp(wg_lockstep_t *ls, const wg_mem_rsp_t *rsp);
/** The design sent a request flit. */
void wg_lockstep_req(wg_lockstep_t *ls, const wg_mem_req_t *req);
/** The design reported its first fault: compared with the golden one. Afterwards nothing is checked until reset. What
    memory found late comes without lanes: they, and the first one's address, are filled in here. */
void wg_lockstep_fault(wg_lockstep_t *ls, wg_fault_t *fault);
/** The first access since the reset with a lane that env.legal refuses, whatever the design did with it; false if
    there is none. */
bool wg_lockstep_illegal(const wg_lockstep_t *ls, wg_fault_t *fault);
/** Widen [*lo, *hi] by the PCs issued since the last call. @return false if nothing was issued */
bool wg_lockstep_pcs(wg_lockstep_t *ls, uint32_t *lo, uint32_t *hi);
/** The SM is idle (its `idle` output, and one more cycle for the last release): nothing may be open.
    @return as wg_lockstep_status */
wg_status_t wg_lockstep_finish(wg_lockstep_t *ls, wg_diag_t *diag);

/** @return kWgOk, or kWgMismatch with the first mismatch in `diag`: msg = what, where; hint = expected and got */
wg_status_t wg_lockstep_status(const wg_lockstep_t *ls, wg_diag_t *diag);
/** The first mismatch as a block of lines (seed, cycle, block, warp, PC, source line, instruction, expected, got); ""
 * if none. */
const char *wg_lockstep_report(const wg_lockstep_t *ls);
void wg_lockstep_get_counts(const wg_lockstep_t *ls, wg_lockstep_counts_t *out);
/** Who waits for what, in one line, for messages about hangs. @return buf */
const char *wg_lockstep_waits(const wg_lockstep_t *ls, char *buf, size_t n);

/** Cycle of the last issue, on the time axis of reports and traces; 0: none. */
uint64_t wg_lockstep_last_issue(const wg_lockstep_t *ls);
/** A window of model/ref/wg_ref_spin.h begins for all warps. */
void wg_lockstep_spin_begin(wg_lockstep_t *ls);
/**
 * Since then the warps of this SM have done nothing new, shared memory has not changed, and no load was answered with what
 * device memory does not hold (a stale line of the L1).
 * @param confirm the window before this one ended so too: what was issued before this one's begin must have reached memory
 * A warp that has done nothing because it had no turn counts as well, if the window is long: its scheduler starves it (progress=off).
 * @param ready [sub-cores] slots that could issue now, if it were their turn
 * @param[in,out] any set if a warp spins
 */
bool wg_lockstep_spins(wg_lockstep_t *ls, bool confirm, const uint16_t *ready, bool *any);
/** Where a thread is. @param[out] barrier its number, if it waits at one. @return kWgThreadGone if its block is not here */
wg_thread_state_t wg_lockstep_thread(const wg_lockstep_t *ls, uint32_t grid_id, const uint32_t ctaid[3], uint32_t warp, unsigned lane,
                                     unsigned *barrier);
/** Add the warps that spin. */
void wg_lockstep_spin_text(const wg_lockstep_t *ls, wg_spin_report_t *r);

#ifdef __cplusplus
}
#endif
#endif
