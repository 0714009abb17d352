// SPDX-License-Identifier: Apache-2.0
//
// A session: one simulated GPU in this process, with its memory, modules and checks. The door that the CUDA runtime
// and the command-line tools use; nothing behind it is visible to them. Not thread-safe.
#ifndef WG_COSIM_SESSION_H
#define WG_COSIM_SESSION_H

#include "isa/wg_ctl.h"
#include "model/copy/copy.h"
#include "model/counts.h"
#include "model/front/front.h"
#include "model/ref/wg_ref_tools.h"
#include "model/tlm.h"
#include "toolchain/obj/wg_obj.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wg_check { kWgCheckOff = 0, kWgCheckRetire = 1, kWgCheckUnits = 2 } wg_check_t;

typedef enum wg_oob { kWgSessionOobAlloc = 0, kWgSessionOobPage = 1, kWgSessionOobExact = 2 } wg_oob_t;

/** Who tells of data races (model/ref/wg_ref_race.h); notes are races that reconvergence hid, and equal values. */
typedef enum wg_session_race { kWgSessionRaceOff = 0, kWgSessionRaceOn = 1, kWgSessionRaceNote = 2 } wg_session_race_t;

/** Settings of a run; strings are copied. NULL = default. */
typedef struct wg_session_cfg {
  const char *preset;  /* file name under configs/ without suffix, or a path, with overrides behind it (model/preset.h); "v100" */
  const char *backend; /* "rtl" (default), "func", "stub", "systemc" (rtl inside a SystemC top, cosim/systemc) */
  const char *memory;  /* systemc: NAME or NAME:ARGUMENT of a memory in place of crossbar, L2 and HBM */
  const char *sched;   /* policy name, "plugin:NAME", "c:NAME", each with knobs: "swl:2"; default of the preset */
  bool has_progress;        /* instead of the preset's: */
  uint32_t progress_cycles; /* that a warp which could issue waits at most, a multiple of kWgSchedStep; 0: it may starve */
  const char *diverge; /* "stack" or "its"; default of the preset */
  const char *dep;     /* "scoreboard" or "control-bits"; default of the preset */
  const char *first;   /* sub-core of a block's first warp: "literal" (always 0) or "rotate"; default of the preset */
  const char *link;    /* between host and GPU, model/copy/links.def; default of the preset */
  const char *split;   /* its: "h200", "alternate", "random" (by `seed`); default of the preset */
  const char *blocks;  /* block policy with its knobs: "lcs", "random:7" (model/gte/gte_policy.h); default of the preset */
  const char *order;   /* of a grid's blocks: "forward" (default), "reverse", "shuffle:SEED", numbers "1,0" */
  const char *blocklog;   /* file to which every block's start and end is written (model/gte/timeline.h), or NULL */
  bool concurrent;        /* kernels of different streams run beside each other; default: one after another */
  unsigned blocks_per_sm; /* at most so many blocks on an SM; 0 = the preset's block slots */
  unsigned num_sms;    /* 0 = preset's */
  wg_check_t check;    /* default kWgCheckRetire */
  uint64_t seed;
  const char *trace_path;        /* FST, or NULL */
  uint64_t trace_from, trace_to; /* SM cycles, over the whole run */
  const char *trace_scope; /* only the signals in and below an instance, by its word (cosim/trace_scope.h); NULL = all */
  unsigned trace_depth;    /* so many levels of instances, 0 = all */
  const char *find;       /* an event (cosim/events.h, wg_when_parse): its cycle is printed when the session ends */
  const char *events;        /* event trace (cosim/events.h), or NULL */
  unsigned events_depth;     /* kWgEventDepth*, 0 = all */
  unsigned events_sms;       /* the first so many SMs are recorded, 0 = all */
  const char *events_window; /* cycles or an event (wg_events_window_parse), NULL = the whole run */
  const char *inject;            /* fault injection, see cosim/README.md */
  bool no_reconverge;            /* the PTX compiler leaves BSSY and BSYNC out: shows what lanes do that nobody holds */
  bool no_schedule;              /* the PTX compiler keeps the source order: shows what reordering buys */
  /** Where a device access is legal: in allocations rounded up to 256 bytes, on 2 MiB pages that they touch, or in the
      bytes that were asked for. The last is the checker's work: with the rtl back end it needs a check level. */
  wg_oob_t oob;
  /** The checker's work too: with the rtl back end it needs a check level, the stub has nothing to check. With kWgSessionRaceNote
      modules should be compiled with keep_warpsync. */
  wg_session_race_t race;
  /** Follow chains of dependent instructions (model/ref/wg_ref_span.h): wg_launch_result_t.span_insts. As `race`, the golden
      model's work. */
  bool span;
  unsigned tools; /* sum of kWgTool* (model/ref/wg_ref_tools.h): checks of the program. As for races; 0 = none */
  bool half_block; /* unsafe=half-block, func only: half the warps of a block begin, the others as these end; no hardware does that */
  bool race_by_tools; /* `race` was set by the words of tools: a later list may take it back */
  /** SM cycles after which a launch counts as hung, 0 = none; checked every 10,000. The func back end has no cycles:
      there it counts warp instructions of the launch. */
  uint64_t limit;
  const char *breaks;       /* the debugger: where it stops (cosim/debug/debug.h), semicolons between; NULL: at the first launch, if script */
  const char *gdb, *gdb_elf; /* gdb is awaited at a port or socket instead of a prompt; its companion ELF, NULL: build/gdb/kernels.elf */
  const char *debug_script; /* file of its commands; NULL: stdin, if breaks. With none of these there is no debugger */
  const char *journal; /* file: launches that it has are skipped, others recorded in it (cosim/session_journal.h) */
  unsigned jobs;    /* host threads that tick RTL SMs, 0 = 1; results do not depend on it. Other back ends, and races, use one */
  unsigned note_ms; /* host time between two lines on stderr about a launch that still runs; 0 = 30,000 */
  void *strings;                 /* owned by wg_session_parse; zero before the first call */
  /** Told of every instruction that the rtl back end's checkers have judged whole (cosim/lockstep.h, wg_lockstep_env_t); NULL =
      nobody is. Only at a check level; a program's setting, not a word's. */
  void (*retired)(void *ctx, const wg_insn_t *in, uint32_t exec);
  void *retired_ctx;
} wg_session_cfg_t;

/** Names of the split orders by wg_sm_cfg_t.split_order, ends with NULL. */
extern const char *const kWgSplitOrders[];

/** The defaults: every string NULL, one check level: kWgCheckRetire. */
void wg_session_cfg_init(wg_session_cfg_t *cfg);

typedef struct wg_session wg_session_t;
typedef struct wg_module wg_module_t;

/**
 * Parse "preset=v100 backend=rtl memory=NAME:ARG sched=gto progress=on|off|CYCLES diverge=its split=h200 dep=control-bits first=literal check=units sms=2 seed=7 jobs=2
 * trace=x.fst from=0 to=2000 trace_scope=sub0 trace_depth=2 events=x.events events_depth=insts events_sms=1
 * events_window=100..200@barrier:0 limit=100000 inject=... oob=page|exact find=pc:0x40 schedule=off race=on|note span=on tools=mem,init,sync,advice,race|all blocks=bcs unsafe=half-block
 * break=pc:0x40;barrier:0 debug_script=x.wgd order=reverse blocks_per_sm=1 link=pcie4 concurrent=on journal=x.journal" over `cfg`: words in any order, separated by
 * blanks, the last one of a key wins. NULL and "" change nothing.
 * @return kWgOk or kWgBadInput (unknown key with the nearest one, bad value); `cfg` may then be changed in part
 */
WG_NODISCARD wg_status_t wg_session_parse(const char *settings, wg_session_cfg_t *cfg, wg_diag_t *diag);
/** Release the strings that wg_session_parse made; `cfg` must not be used afterwards. NULL is allowed. */
void wg_session_cfg_clear(wg_session_cfg_t *cfg);
/**
 * All that can be told of settings before anything is made: those that do not go together, or not with the machine; a
 * plug-in, an SM or a memory that they name and that is not there, or is of another version.
 * @return kWgOk; else what is to be refused as wrong use
 */
WG_NODISCARD wg_status_t wg_session_check(const wg_session_cfg_t *cfg, wg_diag_t *diag);
WG_NODISCARD wg_status_t wg_session_create(const wg_session_cfg_t *cfg, wg_session_t **out, wg_diag_t *diag);
void wg_session_destroy(wg_session_t *s); /* takes NULL */

/* Device memory: addresses of the window below; 256-byte aligned, first fit. */
WG_NODISCARD wg_status_t wg_session_malloc(wg_session_t *s, size_t bytes, uint64_t *addr, wg_diag_t *diag);
WG_NODISCARD wg_status_t wg_session_free(wg_session_t *s, uint64_t addr, wg_diag_t *diag);
/** Host access to device memory; fails with kWgBadArg and a message if the range is not inside one allocation. */
WG_NODISCARD wg_status_t wg_session_read(wg_session_t *s, uint64_t addr, void *dst, size_t bytes, wg_diag_t *diag);
WG_NODISCARD wg_status_t wg_session_write(wg_session_t *s, uint64_t addr, const void *src, size_t bytes,
                                          wg_diag_t *diag);
WG_NODISCARD wg_status_t wg_session_memset(wg_session_t *s, uint64_t addr, int value, size_t bytes,
                                           wg_diag_t *diag);
/** Would such an access succeed? @param verb for the message: "read", "write", "set" @return kWgOk or kWgBadArg */
WG_NODISCARD wg_status_t wg_session_check_range(const wg_session_t *s, uint64_t addr, uint64_t bytes, const char *verb,
                                                wg_diag_t *diag);
/** The window of device addresses, one for all sessions: what lies in it is a device pointer. */
void wg_session_window(uint64_t *base, uint64_t *bytes);
/** Base and size of the allocation that holds `addr`; false if none does. */
bool wg_session_range(const wg_session_t *s, uint64_t addr, uint64_t *base, size_t *bytes);

/** Dependence mode control-bits: the distances that control fields must keep on this machine. NULL with the scoreboard. */
const wg_ctl_table_t *wg_session_ctl(const wg_session_t *s);

/** Takes ownership of `obj`; lays code and constants out in driver memory. With control-bits, kernels whose `latency_hash` is not
    this machine's are compiled again from the PTX in `obj`. @return kWgUnsupported if there is none */
WG_NODISCARD wg_status_t wg_session_load(wg_session_t *s, wg_obj_t *obj, wg_module_t **out, wg_diag_t *diag);
/** Has the program modules that are not loaded yet? False until it is told: a debugger refuses what is in
    none of them. */
void wg_session_more_modules(wg_session_t *s, bool more);
const wg_obj_t *wg_module_obj(const wg_module_t *m);
/** Device address of a module variable; false if absent. */
bool wg_module_var(const wg_module_t *m, const char *name, uint64_t *addr, size_t *bytes);

/** The memory behind device printf and assert, and behind device malloc; layout: toolchain/devlib/wg_fifo.h. */
typedef enum wg_session_pool { kWgPoolFifo = 0, kWgPoolHeap = 1 } wg_session_pool_t;
/** Address of a pool and the bytes it holds, heads not counted; 0 until a module that uses it was loaded. */
uint64_t wg_session_pool(const wg_session_t *s, wg_session_pool_t pool, uint64_t *bytes);
/** Set the bytes that a pool will hold. @return kWgBadArg once it exists, or for a size that no device has */
WG_NODISCARD wg_status_t wg_session_set_pool(wg_session_t *s, wg_session_pool_t pool, uint64_t bytes, wg_diag_t *diag);

enum { kWgStackBytes = 1024, kWgMaxStackBytes = (1 << 18) - 16 }; /* CUDA's default; what LDL can reach */

/** One kernel launch. Parameters are already laid out at PTX alignment. */
typedef struct wg_launch {
  const wg_module_t *module;
  const char *kernel; /* mangled name */
  uint32_t grid[3], block[3];
  uint32_t dyn_shared_bytes;
  const uint8_t *params;
  size_t param_bytes;
  uint32_t stack_bytes; /* local memory of a thread at least, if calls may go deeper than is known; 0: kWgStackBytes */
} wg_launch_t;

/** What one launch did. Counters are of this launch, over all SMs. */
typedef struct wg_launch_result {
  uint64_t cycles;  /* first block to last acknowledgement, SM clocks */
  uint64_t time_ns; /* the same in simulated time */
  uint64_t span_insts; /* instructions on the longest chain of dependences; 0 without setting span */
#define WG_COUNT(FIELD, KEY, TABLE, DOC) uint64_t FIELD; /* DOC: model/counts.def */
#include "model/counts.def"
  uint64_t l2_sector_hits, l2_sector_misses;
  uint64_t dram_read_bytes, dram_write_bytes;
  /** The memory system, from the launch's begin until all its traffic has drained. */
  struct {
#define WG_MEMCOUNT(FIELD, KEY, TABLE, DOC) uint64_t FIELD; /* DOC: model/mem/mem_counts.def */
#include "model/mem/mem_counts.def"
  } mem;
  /** The launch's blocks on the SMs. */
  struct {
#define WG_GTECOUNT(FIELD, KEY, DOC) uint64_t FIELD; /* DOC: model/gte/gte_counts.def */
#include "model/gte/gte_counts.def"
  } gte;
  uint64_t
      slot_cycles[kWgReasonCount]; /* scheduler slots by owner; sum = cycles x sub-cores x SMs; 0 without an RTL SM */
  uint64_t warp_cycles[kWgReasonCount]; /* resident warps by state, summed over cycles; 0 without an RTL SM */
} wg_launch_result_t;

/** Everything about a launch that can be told before it runs. @return as wg_session_launch, but nothing of its run */
WG_NODISCARD wg_status_t wg_session_check_launch(wg_session_t *s, const wg_launch_t *l, wg_diag_t *diag);
/**
 * Run a launch to its end.
 * @return kWgOk; kWgNoSpace if a block can never fit (CUDA 701; diag names the limiting resource); kWgBadArg for an
 * invalid grid or block (CUDA 9); kWgFault (see wg_session_fault); kWgHang (CUDA 702, the diag tells who waits);
 *   kWgMismatch if the golden model disagrees (the diag carries the block of facts). After the last three the
 * session is failed: every later launch returns the same status.
 */
WG_NODISCARD wg_status_t wg_session_launch(wg_session_t *s, const wg_launch_t *l, wg_launch_result_t *res,
                                           wg_diag_t *diag);
/** Place of a grid among others (model/gte/gte.h). */
typedef struct wg_session_order {
  uint32_t stream;
  bool nonblocking;
  int32_t priority;
} wg_session_order_t;
/** A grid that has ended. */
typedef struct wg_session_ended {
  uint32_t grid_id; /* 0: none */
  bool beside;      /* other grids ran since the SMs were last empty: counters are of all of them together */
  bool last;        /* none runs any more */
  uint64_t end_ns;  /* the GPU's time */
} wg_session_ended_t;
/**
 * Begin a grid beside those that run; what `l` points to must live until it has ended. Not with races checked, nor mixed with
 * wg_session_launch before all have ended.
 * @return as wg_session_launch before its run; kWgNoSpace also if too many wait (preset, gte.queue_grids)
 */
WG_NODISCARD wg_status_t wg_session_begin(wg_session_t *s, const wg_launch_t *l, const wg_session_order_t *order, uint32_t *grid_id,
                                          wg_diag_t *diag);
/**
 * Run until a grid ends, or the GPU's time is `ns` or a clock later.
 * @param ns UINT64_MAX: until a grid ends
 * @param[out] res cycles and time of the grid that ended; with `last` also the counters, of all grids since the SMs were empty
 * @return kWgOk; a failure as of wg_session_launch, after which no grid is left
 */
WG_NODISCARD wg_status_t wg_session_run_until(wg_session_t *s, uint64_t ns, wg_session_ended_t *ended, wg_launch_result_t *res,
                                              wg_diag_t *diag);
/** Blocks of a kernel that one empty SM holds at the same time (occupancy); 0 if a block never fits or there is no such
    kernel. */
uint32_t wg_session_blocks_per_sm(const wg_session_t *s, const wg_module_t *m, const char *kernel, uint32_t threads,
                                  uint32_t dyn_shared_bytes);
/** What a kernel's blocks of a size need of an SM, how many it holds, and why no more. */
typedef struct wg_session_occupancy {
  uint32_t registers;           /* a thread, as compiled */
  uint32_t static_shared_bytes; /* a block */
  uint32_t local_bytes;         /* a thread */
  uint32_t block_warps;         /* warps of a block */
  uint32_t blocks;              /* that an SM holds */
  uint32_t max_warps;           /* that an SM holds whatever they need */
  const char *limiter;          /* "registers", ... (model/gte/occupancy.h) */
  char remedy[200];             /* one sentence */
} wg_session_occupancy_t;
/** @param l its module, kernel, block and dynamic shared memory count; all zero if there is no such kernel or block */
void wg_session_occupancy(const wg_session_t *s, const wg_launch_t *l, wg_session_occupancy_t *out);
/** CUDA error number of the last failed launch (0 = none) and the hardware's report. */
unsigned wg_session_cuda_error(const wg_session_t *s, wg_fault_t *fault);

/** The checker's report of the mismatch that failed the session, several lines; "" if there was none. */
const char *wg_session_report(const wg_session_t *s);
/** SM cycles that the device has made so far, those between launches included: what inject=KIND@CYCLE counts. */
uint64_t wg_session_cycle(const wg_session_t *s);

/**
 * Data races first met in the last launch, ended well or not: lines for people, "" if none, of the run's first ten; the text is
 * valid until the next launch.
 * @param[out] first the first one of the run that is an error and no note, or NULL; may be NULL
 */
const char *wg_session_races(const wg_session_t *s, const wg_diag_t **first);
/**
 * Findings of the checks (setting tools) since the last call: lines for people, "" if none; each kind of finding once for a source
 * line, valid until the next call.
 * @param[out] first the first one of the run that is an error, or NULL; may be NULL
 */
const char *wg_session_findings(wg_session_t *s, const wg_diag_t **first);
/** A call of the host is wrong (kinds of host calls in model/ref/findings.def). Nothing happens unless tools has mem.
    @param file,line of the call; NULL, 0: unknown; @param what one line, without an end */
void wg_session_host_finding(wg_session_t *s, wg_finding_kind_t kind, const char *file, unsigned line, const char *what);
/** Is that asked for? Finding the place of a call takes time. */
bool wg_session_host_checked(const wg_session_t *s);
/** Was an allocation that began there freed before? False without tools=mem. */
bool wg_session_was_freed(const wg_session_t *s, uint64_t addr);
/** End of the run: "advice" as lines for people, the findings and races so far as JSON objects, one a line. The caller frees
    both; NULL if nothing was asked for. @return false if the checks could not look at everything */
bool wg_session_findings_end(wg_session_t *s, char **advice, char **json);
/** One line on all findings of the run, "" if none. */
void wg_session_finding_summary(const wg_session_t *s, char *buf, size_t n);
/** Of a launch that spins for ever: the words that are spun on, what they hold, who wrote them last and where he is. Lines, "" if none. */
const char *wg_session_hang_text(const wg_session_t *s);
/** Close the log of blocks (setting blocklog), at the end of a session. @return false, with the reason in `why`, if it could not be
    written; then nothing of it is left */
bool wg_session_blocklog_finish(wg_session_t *s, char *why, size_t n);
/** Write and close the event trace (setting events), at the end of a session; later launches are not recorded. @return false, with the
    reason in `why`, if it could not be written; then nothing of it is left */
bool wg_session_events_finish(wg_session_t *s, char *why, size_t n);
/** One line on all races of the run, "" if none. @return false if the checker could not look at everything */
bool wg_session_race_summary(const wg_session_t *s, char *buf, size_t n);

/** What a cycle count was measured with: the key of cycles.tsv. Strings live as long as the session. */
typedef struct wg_session_setup {
  const char *preset, *backend, *sched, *block_policy, *divergence, *dependence;
  const char *check; /* what the back end compares with the golden model: "off", "retire", "units" */
  uint32_t progress_cycles; /* progress rule around the scheduler; 0: none */
  const char *memory; /* behind the SMs' ports: "model" or the name of another one (setting memory) */
  uint32_t num_sms;
  bool timing; /* the back end's cycles mean something */
  bool hashes; /* instructions are counted and hashed */
  bool schedule; /* the PTX compiler reorders (schedule=off: not) */
  bool keep_warpsync; /* it keeps all __syncwarp() (race=note) */
  bool keep_gather; /* and all gathering for warp-level calls (tools=sync) */
  bool reconverge; /* and places BSSY and BSYNC (reconverge=off: not) */
} wg_session_setup_t;
void wg_session_get_setup(const wg_session_t *s, wg_session_setup_t *out);
/** Warp instructions that the pipes of a sub-core take a cycle: lanes over 32, fewer where a pipe dispatches less often
 * (rtl/exec/sm_dispatch.sv). FP32 and half pipe have one pace. */
typedef struct wg_pipe_rates {
  double integer, fp, fp64, sfu;
} wg_pipe_rates_t;
wg_pipe_rates_t wg_session_pipe_rates(const wg_session_t *s);
/**
 * Lower bound of a launch's cycles from first principles: the largest of issue slots (warp instructions over
 * sub-cores), shared wavefronts, L1 line transactions and memory instructions (one a cycle and SM), HBM bytes over the
 * pin bandwidth, and what each pipe takes for its instructions.
 * @param blocks of the grid: no more SMs than blocks can work
 * @param[out] name which of them it is: "issue", "shared", "l1", "dram", "int", "fp" (FP32 and half),
 * "fp64", "sfu", "lsu", "mma"
 */
uint64_t wg_session_bound(const wg_session_t *s, const wg_launch_result_t *r, uint64_t blocks, const char **name);

/** What the host side of a launch costs and how work gets to the GPU: whoever owns the streams (runtime/rt_queue.c) needs it. ns. */
typedef struct wg_session_host {
  uint32_t launch_ns, call_ns, query_ns, allocate_ns, notify_ns; /* model/preset.h */
  wg_copy_spec_t copy;
  wg_front_spec_t front;
  uint32_t queue_grids;         /* grids that may be begun and not have ended; 1: kernels run one at a time */
  uint64_t memory_mbytes_per_s; /* pin rate of the memory of the run's SMs */
} wg_session_host_t;
void wg_session_get_host(const wg_session_t *s, wg_session_host_t *out);

/** Simulated time of the GPU since the session began: its clocks, and what wg_session_advance_ns added. */
uint64_t wg_session_time_ns(const wg_session_t *s);
/** The GPU stood still for so long. */
void wg_session_advance_ns(wg_session_t *s, uint64_t ns);
/** Totals over all launches so far. */
void wg_session_totals(const wg_session_t *s, wg_launch_result_t *sum, unsigned *launches);

/** Device properties for cudaGetDeviceProperties and occupancy. */
typedef struct wg_session_props {
  char name[64];
  uint32_t num_sms, warp_slots_per_sm, block_slots_per_sm, regs_per_sm, shared_per_sm, shared_per_block,
      shared_per_block_optin,
      max_threads_per_block;
  uint32_t clock_khz;
  uint64_t global_bytes;
  double hbm_gbytes_per_s;
  double fp32_flop_per_cycle; /* of all SMs; a multiply-add counts two */
} wg_session_props_t;
void wg_session_get_props(const wg_session_t *s, wg_session_props_t *out);

/** What ratios are taken against; machine.def has a line for each. */
typedef struct wg_session_machine {
#define WG_MACHINE(KEY, EXPR, DOC) double KEY;
#include "cosim/machine.def"
} wg_session_machine_t;
void wg_session_get_machine(const wg_session_t *s, wg_session_machine_t *out);

#ifdef __cplusplus
}
#endif
#endif
