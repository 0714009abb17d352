// SPDX-License-Identifier: Apache-2.0
//
// Inside of a session; included by cosim/session_*.c only.
#ifndef WG_COSIM_SESSION_INT_H
#define WG_COSIM_SESSION_INT_H

#include "cosim/debug/debug.h"
#include "cosim/events.h"
#include "cosim/session.h"
#include "isa/wg_ctl.h"
#include "model/gpu.h"
#include "model/ref/wg_ref_race.h"
#include "model/ref/wg_ref_span.h"
#include "model/ref/wg_ref_tools.h"
#include "model/ref/wg_ref_view.h"
#include "model/ref/wg_ref_writers.h"
#include "model/ref/wg_ref_spin.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a back end tells the session about its work, summed over all SMs since creation. */
typedef struct wg_session_counts {
#define WG_COUNT(FIELD, KEY, TABLE, DOC) uint64_t FIELD;
#include "model/counts.def"
  uint64_t slot_cycles[kWgReasonCount], warp_cycles[kWgReasonCount];
} wg_session_counts_t;

/** A family of SM back ends. One instance serves all SMs of a session. */
typedef struct wg_session_backend {
  const char *name;
  bool timing;   /* cycles mean something */
  bool hashes;   /* instructions are counted and hashed, whatever the check level */
  bool lockstep; /* compares with the golden model */
  bool parallel; /* SMs may tick in threads of their own: nothing that a tick changes is shared */
  /** Are the libraries there that the settings ask for? May be NULL. @return as create_sm */
  wg_status_t (*there)(const wg_session_t *s, wg_diag_t *diag);
  /** Make SM number `i`; everything else in `s` but the GPU exists. */
  wg_status_t (*create_sm)(wg_session_t *s, uint32_t i, wg_sm_t **out, wg_diag_t *diag);
  /** A launch begins: the module, its kernel and the launch command, for checkers. May be NULL. */
  void (*begin)(wg_session_t *s, const wg_module_t *m, size_t kernel, const wg_grid_t *grid, unsigned launch);
  /** Sums since creation. May be NULL: all zero. */
  void (*counts_of)(const wg_session_t *s, wg_session_counts_t *out);
  /** An L2 slice served a request. May be NULL. */
  void (*serve)(wg_session_t *s, uint64_t cycle, const wg_mem_req_t *req, const uint8_t *data, uint8_t status);
  /** A block ended. May be NULL. */
  void (*block_done)(wg_session_t *s, uint64_t cycle, uint16_t sm, const wg_cta_done_t *done);
  /** Called every watchdog period. May be NULL. */
  void (*watch)(wg_session_t *s);
  /** After a run that ended well: did the checkers agree? Called before the counters are read. May be NULL. */
  wg_status_t (*verify)(wg_session_t *s, wg_diag_t *diag);
  /** The session ends, its SMs still exist. May be NULL. */
  void (*close)(const wg_session_t *s);
  /** Which warp is where and waits for what, asked before the SMs are cleared. May be NULL. */
  void (*waits)(const wg_session_t *s, char *buf, size_t n);
  /** A window of model/ref/wg_ref_spin.h begins on all SMs. May be NULL, with the next two: livelocks are not proved. */
  void (*spin_begin)(wg_session_t *s);
  /** wg_lockstep_spins over all SMs. */
  bool (*spins)(wg_session_t *s, bool confirm, bool *any);
  void (*spin_text)(const wg_session_t *s, wg_spin_report_t *r);
  /** Cycle of the last issue on any SM, on the time axis of traces; 0: not known. May be NULL. */
  uint64_t (*last_issue)(const wg_session_t *s);
  /** Where the thread of `w` is, if its block is on SM `sm`; else kWgThreadGone. */
  wg_thread_state_t (*thread)(const wg_session_t *s, uint32_t sm, const wg_writer_t *w, unsigned *barrier);
  /** Widen [*lo, *hi] by the PCs that ran since the last call; false if none or unknown. May be NULL. */
  bool (*pcs)(wg_session_t *s, uint32_t *lo, uint32_t *hi);
  /** Put something between the GPU and the SMs, which exist: other `sms`, who makes a cycle. May be NULL, with the next. */
  wg_status_t (*wrap)(wg_session_t *s, wg_gpu_cfg_t *cfg, wg_diag_t *diag);
  /** Take it away; the GPU is gone, the SMs still exist. Called after a failed `wrap` as well. */
  void (*unwrap)(wg_session_t *s);
} wg_session_backend_t;

extern const wg_session_backend_t wg_session_backend_func, wg_session_backend_stub, wg_session_backend_rtl,
    wg_session_backend_systemc;

struct wg_module {
  wg_module_t *next;
  wg_session_t *session;
  wg_obj_t *obj;
  uint64_t code, const2, const3, globals; /* device addresses in the driver area; 0 = none */
  uint32_t code_bytes;
};

/** Driver memory that lives as long as a launch. */
typedef struct wg_launch_mem {
  uint64_t bank0, local_arena;
} wg_launch_mem_t;

/** One of the grids that run beside each other (session_batch.c). */
typedef struct wg_batch_grid {
  uint32_t grid_id;
  bool ended;
  size_t index; /* of the kernel in its module */
  wg_launch_t launch; /* what it points to is the caller's and outlives the grid */
  wg_launch_mem_t mem;
} wg_batch_grid_t;

enum { kWgEventModules = 64 };

struct wg_session {
  wg_session_cfg_t cfg; /* strings owned */
  wg_preset_t preset;   /* scaled */
  wg_ctl_table_t ctl;   /* dependence mode control-bits: the machine's table */
  uint32_t policy;
  const struct wg_policy_plugin *plugin; /* drives the pick ports, or NULL */
  bool has_knobs; /* the settings name the scheduler's knobs */
  char block_policy[160]; /* of the GigaThread engine, with its settings: "breadth", "random:7+reverse+literal" */
  FILE *blocklog;                                    /* NULL = nobody wants it */
  struct wg_block_event *on_sm;                      /* [SMs][kWgMaxBlockSlots] the start of the block that is there */
  struct {
    wg_events_out_t *out; /* NULL = nobody wants it */
    const wg_module_t *module[kWgEventModules];
    uint32_t modules;
  } events;
  const wg_session_backend_t *backend;
  void *backend_state;
  wg_store_t *store;
  wg_sm_t **sms; /* [preset.num_sms] */
  struct wg_session_systemc *systemc; /* its top, or NULL */
  struct wg_session_journal *journal; /* or NULL */
  wg_gpu_t *gpu;
  wg_module_t *modules;
  bool more_modules; /* the program has some that are not loaded yet */
  uint64_t fifo, heap;             /* of the device library, in the driver area; 0 until a module uses them */
  uint64_t fifo_bytes, heap_bytes; /* what they hold, or will hold */
  uint64_t used_bytes; /* of the program's allocations, in whole units */
  unsigned launches;
  struct { /* grids since the SMs were last empty */
    wg_batch_grid_t *grid; /* [cap] */
    size_t n, cap, left;   /* left: of them run */
    wg_session_counts_t counts; /* at its begin */
    wg_gpu_stats_t stats;
  } batch;
  uint64_t launch_start; /* SM cycle */
  const wg_launch_t *running;
  uint64_t issued;         /* of the running launch, as the watchdog saw */
  uint64_t noted_ms;       /* host time of the launch's begin or the last line about it */
  bool over_limit;
  struct {
    bool on, shown;             /* stderr is a terminal; a line stands there */
    uint64_t begin_ms, last_ms; /* host time of the launch's begin and of the line */
    uint64_t blocks_before;     /* blocks of earlier launches */
  } progress;
  struct {
    bool on, candidate; /* a window is open; the one before it ended in a livelock */
    uint64_t len, left; /* of a window, in watchdog periods */
    uint64_t changes;   /* of device memory at the last look */
    bool proved;        /* the launch was given up for it */
    wg_spin_report_t report;
  } spin;
  wg_writers_t *writers; /* of flags and locks; NULL: SMs tick in several threads */
  struct {
    char text[1600];          /* wg_session_hang_text */
    wg_thread_state_t writer; /* where the last writer of a lock is; kWgThreadUnknown: none */
    uint64_t since;           /* SM cycle of the last issue: from then on nothing could happen; 0: not known */
  } hang;
  struct {
    wg_race_t *checker;  /* NULL: race=off */
    size_t seen;         /* pairs of earlier launches */
    unsigned told;       /* of them, those to be told */
    wg_diag_t first;     /* error; msg "" if there is none */
    char text[8192];     /* of the last launch */
  } race;
  wg_span_t *span;           /* NULL: span=off */
  struct {
    wg_tools_t *checker; /* NULL: tools=off */
    size_t seen;         /* findings that have been looked at */
    struct wg_told *told; /* [num_told] by kind and line */
    size_t num_told, cap_told;
    wg_diag_t first;     /* error; msg "" if there is none */
    char *text;          /* not fetched yet, or fetched last; NULL: none */
    bool fetched;
  } tools;
  struct {
    wg_debug_t *d;        /* NULL: no debugger */
    wg_ref_watch_t watch; /* func: its eyes */
    uint32_t last_sm;     /* where the block was that ran last */
    bool mismatch;        /* told */
  } debug;
  bool outside;              /* something that the host has queued may still change memory while grids run */
  bool have_pcs;           /* pc_lo, pc_hi: what ran in the last watchdog period */
  uint32_t pc_lo, pc_hi;
  bool code_written;  /* since the last grid */
  wg_status_t failed; /* kWgOk until a launch faults, hangs or mismatches */
  wg_diag_t failed_diag;
  unsigned cuda_error;
  wg_fault_t fault;
  uint64_t unsent;   /* blocks that had found no place on an SM when the last launch was given up */
  char waits[512];   /* who waited for what when the last launch was given up */
  char report[4096]; /* of the checker that found a mismatch */
  wg_launch_result_t sum;
};

/** wrap and unwrap of the back end `systemc`. @return kWgNotFound or kWgMismatch for a library, kWgBadInput for a memory's
    argument */
wg_status_t wg_session_systemc_wrap(wg_session_t *s, wg_gpu_cfg_t *cfg, wg_diag_t *diag);
/** Is the SystemC top there, and the memory of the settings? */
wg_status_t wg_session_systemc_there(const wg_session_t *s, wg_diag_t *diag);
void wg_session_systemc_unwrap(wg_session_t *s);

/** The log of blocks, setting blocklog. start and end need an open one. close takes one that is not. */
WG_NODISCARD wg_status_t wg_session_blocklog_open(wg_session_t *s, wg_diag_t *diag);
void wg_session_blocklog_start(wg_session_t *s, uint64_t cycle, uint16_t sm, uint8_t slot, const wg_cta_launch_t *l);
void wg_session_blocklog_end(wg_session_t *s, uint64_t cycle, uint16_t sm, const wg_cta_done_t *done);
void wg_session_blocklog_close(wg_session_t *s);
/** The event trace, setting events; each does nothing without it. recorder: NULL = this SM is not recorded. */
WG_NODISCARD wg_status_t wg_session_events_check(const wg_session_t *s, wg_diag_t *diag); /* kWgBadInput: the back end has no probes */
WG_NODISCARD wg_status_t wg_session_events_open(wg_session_t *s, wg_diag_t *diag);
wg_recorder_t *wg_session_events_recorder(wg_session_t *s, uint32_t sm, wg_when_t *window);
void wg_session_events_launch(wg_session_t *s, const wg_launch_t *l, size_t kernel, const wg_grid_t *g);
/** The debugger, settings break and debug_script (session_debug.c). Open: before the SMs are made. */
bool wg_session_debug_asked(const wg_session_cfg_t *c);
WG_NODISCARD wg_status_t wg_session_debug_check(const wg_session_t *s, wg_diag_t *diag); /* kWgBadInput: settings without each other */
WG_NODISCARD wg_status_t wg_session_debug_open(wg_session_t *s, wg_diag_t *diag);
/** It is asked in every cycle. */
void wg_session_debug_gpu(wg_session_t *s, wg_gpu_cfg_t *cfg);
/** A launch begins; func: a block starts or ends. */
/** The debugger's places before a launch (wg_debug_check_places). */
WG_NODISCARD wg_status_t wg_session_debug_places(wg_session_t *s, wg_diag_t *diag);
void wg_session_debug_launch(wg_session_t *s, const wg_launch_t *l);
void wg_session_debug_block(wg_session_t *s, bool starts, uint16_t sm, uint8_t slot, const uint32_t ctaid[3]);
/* Parts of a launch (session_launch.c). */
void wg_session_free_launch_mem(wg_session_t *s, const wg_launch_mem_t *m);
/** What can be told of a launch before it runs. @param[out] index of the kernel in its module */
wg_status_t wg_session_check_launch_at(wg_session_t *s, const wg_launch_t *l, size_t *index, wg_diag_t *diag);
wg_status_t wg_session_fill_grid(wg_session_t *s, const wg_launch_t *l, size_t index, wg_grid_t *g, wg_launch_mem_t *mem,
                                 wg_diag_t *diag);
void wg_session_counts_of(const wg_session_t *s, wg_session_counts_t *c);
/** What happened between two readings of the counters; cycles: of the grid that ended last. */
void wg_session_fill_result(const wg_session_t *s, const wg_session_counts_t *c0, const wg_session_counts_t *c1,
                            const wg_gpu_stats_t *g0, const wg_gpu_stats_t *g1, wg_launch_result_t *r);
/** Every issue slot of `r->cycles` gets an owner. @return kWgMismatch if there are more owners than slots */
wg_status_t wg_session_close_slots(const wg_session_t *s, wg_launch_result_t *r, wg_diag_t *diag);
/** What the sum rules of a launch need to know. */
typedef struct wg_session_sums {
  bool counted; /* instructions are counted: not with check=off on the RTL */
  uint64_t block_warps, block_threads;
  uint64_t schedulers; /* of all SMs */
} wg_session_sums_t;
/**
 * Sum rules of a launch that ran alone: blocks, warps and threads that began = those sent; every issue slot has an owner; a warp
 * issues once for each warp instruction; warps live inside their blocks' time.
 * @return kWgOk; kWgMismatch, naming the rule and both sides
 */
WG_NODISCARD wg_status_t wg_session_sums(const wg_launch_result_t *r, const wg_session_sums_t *of, wg_diag_t *diag);
void wg_session_add_result(wg_launch_result_t *sum, const wg_launch_result_t *r);
void wg_session_batch_destroy(wg_session_t *s);
/** A launch begins: the watchdog's state. */
void wg_session_watch_begin(wg_session_t *s, const wg_launch_t *l);
/** Remember a failure: the session stays in it. @return st */
wg_status_t wg_session_fail_for_good(wg_session_t *s, const wg_launch_t *l, wg_status_t st, wg_diag_t *diag);

/** Sizes of FIFO and heap before anyone asks for others. */
void wg_session_devlib_init(wg_session_t *s);
/** Make the FIFO and the heap if code of this object reads their addresses in constant bank 0 and they are not there. */
wg_status_t wg_session_devlib_load(wg_session_t *s, const wg_obj_t *o, wg_diag_t *diag);

/** Text of a fault: kernel, block, warp, lanes, PC, source line, address, nearest allocation. */
void wg_session_explain_fault(const wg_session_t *s, const wg_module_t *m, const char *kernel, const wg_fault_t *f,
                              wg_diag_t *diag);

/** Races of a launch: before its first block, and when it has ended. @param kernel index in its object */
void wg_session_race_begin(wg_session_t *s, const wg_module_t *m);
void wg_session_race_end(wg_session_t *s, const wg_launch_t *l, size_t kernel);

/** "reduce.cu:24, pc 0x140" */
void wg_session_place(const wg_module_t *m, uint32_t pc, char *buf, size_t n);
/** "shared 0x40: 'tile' + 64"; "global 0x...: + 64 in an allocation of 128 bytes". */
void wg_session_where_shared(const wg_module_t *m, size_t kernel, uint64_t addr, char *buf, size_t n);
void wg_session_where_global(const wg_session_t *s, const wg_module_t *m, uint64_t addr, char *buf, size_t n);
const char *wg_session_base_name(const char *path);

/** Checks of the program (session_tools.c). Start: refuses a back end that has no golden model. */
WG_NODISCARD wg_status_t wg_session_tools_start(wg_session_t *s, wg_diag_t *diag);
/** The store exists. */
void wg_session_tools_memory(wg_session_t *s);
void wg_session_tools_stop(wg_session_t *s);
/** A module has been loaded: its variables. */
void wg_session_tools_module(wg_session_t *s, const wg_module_t *m);
/** A launch has ended, well or not: put what it met into words. @param kernel index in its object */
void wg_session_tools_end(wg_session_t *s, const wg_launch_t *l, size_t kernel);

/** Does `inject` name a fault of the memory system (model/mem/mem_faults.def) rather than one of the SM? */
bool wg_session_mem_fault(const wg_session_cfg_t *cfg);
/** Does it name one of the verilated SM (cosim/inject.def, "none" included)? */
bool wg_session_sm_fault(const wg_session_cfg_t *cfg);

/** Host milliseconds since some fixed time. */
uint64_t wg_session_host_ms(void);
/** The watchdog's look at the running launch: notes what runs, speaks up every cfg.note_ms.
    @return false: give it up */
bool wg_session_watch(wg_session_t *s, const wg_gpu_progress_t *p);
/** The line about the running launch, on a terminal only: a launch begins; every watchdog period; nothing may stand there. */
void wg_session_progress_begin(wg_session_t *s);
void wg_session_progress(wg_session_t *s, uint64_t cycle);
void wg_session_progress_clear(wg_session_t *s);
/** Every watchdog period: is it proved that the launch only spins? Then s->spin.report says who. */
bool wg_session_spins(wg_session_t *s);
/** Lines about the words that are spun on; the SMs still hold the launch. */
void wg_session_hang_facts(wg_session_t *s, const wg_launch_t *l);
/** Remedy for a lock that nobody gives back; NULL: it is none. */
const char *wg_session_hang_remedy(const wg_session_t *s);
/** Text and remedy of that; the place is the first spinning warp's loop. */
void wg_session_explain_spin(const wg_session_t *s, const wg_module_t *m, const char *kernel, wg_diag_t *diag);
/** Text of a launch that met its limit: how far it came, which PCs and lines it runs. explain_hang adds the warps. */
void wg_session_explain_limit(const wg_session_t *s, const wg_module_t *m, wg_diag_t *diag);
/** Places of warps (`waits`) with the source line behind each PC: "pc 0xa0" -> "pc 0xa0 (line 12)". @return buf */
const char *wg_session_add_lines(const wg_module_t *m, const char *waits, char *buf, size_t n);

/** Append to diag->msg who waits where (`waits`: the back end's text), with the source line of each PC; place of the first. */
void wg_session_explain_hang(const wg_module_t *m, const char *waits, wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
