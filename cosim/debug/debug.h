// SPDX-License-Identifier: Apache-2.0
//
// The debugger: breakpoints, stepping and a look into the warps of a run. It is called from inside the run (after each cycle of the
// RTL, before and after each instruction of the golden model alone), reads, and returns when the run may go on: it changes nothing,
// so cycles and hash are those of a run without it. Who asks: a prompt, a script (debug_prompt.c), or gdb (debug_gdb.c).
//
// A warp is known by its number on its SM: sub-core + sub-cores * slot on the RTL (%warpid), 32 * block slot + warp of the block on
// the golden model alone.
#ifndef WG_COSIM_DEBUG_H
#define WG_COSIM_DEBUG_H

#include "cosim/events.h"
#include "cosim/lockstep_view.h"
#include "cosim/sm_dut.h"
#include "toolchain/obj/wg_obj.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wg_debug wg_debug_t;

/** The run as the debugger sees it. */
typedef struct wg_debug_target {
  void *ctx;
  bool cycles;                        /* SMs have cycles; else warp instructions are counted instead */
  uint32_t num_sms, ids, sub_cores;   /* ids: warp numbers of an SM are 0..ids - 1 */
  const char *sched;                  /* warp scheduler, for people */
  bool (*view)(void *ctx, uint32_t sm, uint32_t id, wg_warp_view_t *out); /* false: no such warp */
  unsigned (*open)(void *ctx, uint32_t sm, uint32_t id, wg_open_view_t *out); /* NULL: nothing is ever open */
  const sm_warp_view_t *(*states)(void *ctx, uint32_t sm, uint32_t sub); /* of the cycle that comes; NULL: no schedulers */
  int (*issued)(void *ctx, uint32_t sm, uint32_t sub); /* slot that issued in the last cycle, -1: none; NULL: no schedulers */
  uint64_t (*cycle)(void *ctx, uint32_t sm); /* the one that was stepped last, on the time axis of traces */
  bool (*read)(void *ctx, uint64_t addr, void *dst, size_t n);           /* device memory */
  const wg_obj_t *(*module)(void *ctx, size_t i, uint64_t *code_base);   /* NULL: no more */
  bool (*failed)(void *ctx);                                             /* has a launch failed? May be NULL: none */
  void (*give_up)(void *ctx, const char *why);                           /* end the launch as failed, after this cycle */
  bool (*complete)(void *ctx); /* are all modules of the program loaded? May be NULL: they are */
} wg_debug_target_t;

typedef struct wg_debug_cfg {
  const char *breaks; /* "pc:0x40;barrier:0,warp=1", or NULL */
  const char *script; /* file of commands; NULL: stdin */
  const char *gdb;    /* port, or path of a socket (with a '/'); NULL: no gdb */
  const char *gdb_elf;/* companion ELF for it */
  FILE *out;          /* answers; NULL: stdout */
} wg_debug_cfg_t;

/** Is this a list of breakpoints? @param num_sms of the device; 0: not known yet @return kWgOk or kWgBadInput with the
    remedy */
WG_NODISCARD wg_status_t wg_debug_check_breaks(const char *text, uint32_t num_sms, wg_diag_t *diag);
/** Do the places of a list that is well-formed exist in these modules? Conditions are not looked at.
    @return kWgOk; kWgBadInput: the place, and those near it as hint */
WG_NODISCARD wg_status_t wg_debug_check_code(const char *text, wg_obj_t *const *modules, size_t n, wg_diag_t *diag);
/** A port (digits only), or a path (it has a '/')? @return kWgOk or kWgBadInput */
WG_NODISCARD wg_status_t wg_debug_check_gdb(const char *where, wg_diag_t *diag);
/** @param target copied. Without `breaks` the run stops where the first launch starts. @return kWgBadInput (breaks), kWgIo (script) */
WG_NODISCARD wg_status_t wg_debug_new(const wg_debug_cfg_t *cfg, const wg_debug_target_t *target, wg_debug_t **out, wg_diag_t *diag);
/** The run has ended. Takes NULL. */
void wg_debug_free(wg_debug_t *d);
/** Nobody asks any more: nothing needs to be told. */
bool wg_debug_detached(const wg_debug_t *d);

/**
 * Do the places of all breakpoints exist? Asked before each launch. What is in no module yet waits while the program
 * may load more.
 * @return kWgOk; kWgBadInput: the place, and those near it as hint
 */
WG_NODISCARD wg_status_t wg_debug_check_places(wg_debug_t *d, wg_diag_t *diag);
/** A launch begins. @param kernel mangled name */
void wg_debug_launch(wg_debug_t *d, unsigned number, const char *kernel, const uint32_t grid[3], const uint32_t block[3]);

/** Something has happened; `id` -1 and `warp` -1: to no warp. */
typedef struct wg_debug_event {
  wg_when_kind_t kind;
  uint32_t value; /* as in wg_when_t */
  uint32_t sm;
  int32_t id, warp;
  uint32_t ctaid[3];
} wg_debug_event_t;
void wg_debug_event(wg_debug_t *d, const wg_debug_event_t *e);
/** A warp has issued the instruction at `pc` with the lanes `mask`. */
void wg_debug_issue(wg_debug_t *d, uint32_t sm, uint32_t id, uint32_t pc, uint32_t mask);
/** RTL: a cycle of all SMs is over and looked at by the checkers. May run the prompt. */
void wg_debug_cycle(wg_debug_t *d);
/** Golden model alone: a warp is about to execute; it has. May run the prompt. */
void wg_debug_before(wg_debug_t *d, uint32_t sm, uint32_t id);
void wg_debug_after(wg_debug_t *d);
/** The session gives the launch up: event `hang`. May run the prompt. */
void wg_debug_hang(wg_debug_t *d);

/* ---- probes of the RTL (debug_tap.c) ---- */

typedef struct wg_debug_tap wg_debug_tap_t; /* of one SM */
/** Tells the debugger and hands on to `next`, which may be NULL. @return never NULL */
wg_debug_tap_t *wg_debug_tap_new(wg_debug_t *d, const wg_shape_t *shape, uint32_t sm, const wg_probe_hooks_t *next, void *next_ctx);
void wg_debug_tap_free(wg_debug_tap_t *t); /* takes NULL */
const wg_probe_hooks_t *wg_debug_tap_hooks(const wg_debug_tap_t *t);
/** The SM was reset under `cfg`. */
void wg_debug_tap_reset(wg_debug_tap_t *t, const wg_sm_cfg_t *cfg);
void wg_debug_tap_fault(wg_debug_tap_t *t, const wg_fault_t *fault);

#ifdef __cplusplus
}
#endif
#endif
