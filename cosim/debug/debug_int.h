// SPDX-License-Identifier: Apache-2.0
//
// Inside of the debugger; included by cosim/debug/*.c and its unit test only.
#ifndef WG_COSIM_DEBUG_INT_H
#define WG_COSIM_DEBUG_INT_H

#include "cosim/debug/debug.h"
#include "model/twin/sched.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kDbgBreaks = 32, kDbgPlaces = 32, kDbgWords = 8 };

typedef enum dbg_break_kind {
  kDbgEvent,  /* `when`, pc included */
  kDbgCycle,  /* behind SM cycle `value`; golden model alone: behind instruction number `value` */
  kDbgStart,  /* the first block of a launch */
  kDbgLine,   /* a warp comes to the first instruction of a source line in a kernel */
  kDbgKernel  /* a warp comes to the first instruction of a kernel */
} dbg_break_kind_t;

typedef struct dbg_break {
  unsigned number; /* from 1; 0: free */
  bool temporary, once; /* goes when it is met; stops the `when.nth` time only */
  dbg_break_kind_t kind;
  char text[120];
  wg_when_t when;  /* conditions of all kinds */
  uint64_t value;
  char name[96];   /* file or kernel; "": any file */
  struct {
    uint64_t code; /* code base; UINT64_MAX: any */
    uint32_t pc;
  } at[kDbgPlaces];
  unsigned places;
  bool follows; /* gdb's: only the selected warp meets it, while it lives; then the next warp that comes is selected */
  uint32_t hits, passed; /* times met; of them by others while one warp was stepped */
  uint32_t *seen;  /* [num_sms * ids] lanes that stand at a place and have been looked at */
} dbg_break_t;

/** Until when the run goes on. */
typedef enum dbg_go { kDbgRun, kDbgCycles, kDbgInsns, kDbgLineStep } dbg_go_t;

/** A place for a warp: identity survives no other warp in its slot. */
typedef struct dbg_who {
  bool any;
  uint32_t sm, id, lane, grid_id, ctaid[3], warp;
} dbg_who_t;

/** Who asks: told of a stop, answers when the run may go on. */
typedef struct dbg_front {
  void (*stopped)(wg_debug_t *d);
  void (*ended)(wg_debug_t *d); /* the run is over */
  bool (*interrupted)(wg_debug_t *d); /* asked in every cycle or instruction */
} dbg_front_t;

struct wg_debug {
  wg_debug_target_t t;
  FILE *out;
  const dbg_front_t *front;
  bool attached;
  bool only_looks; /* commands that go on are refused: gdb asks */
  dbg_break_t brk[kDbgBreaks];
  unsigned next_number;
  bool any_pc; /* a breakpoint has places */
  /* the run */
  unsigned launch;
  char kernel[160]; /* demangled, of the launch that began last */
  bool fresh;       /* no block of it has begun */
  uint64_t insns;   /* warp instructions since the start */
  /* the stop */
  char why[640]; /* lines; "": there is no reason to stop */
  bool stepped;  /* the reason is the end of a step */
  wg_when_kind_t stop_kind; /* of the first event, None: no event's */
  int64_t stop_sm, stop_id; /* whose event it is; -1: no warp's */
  dbg_who_t sel; /* whom commands mean */
  /* how it goes on */
  dbg_go_t go;
  uint64_t left;
  uint32_t step_lanes;
  bool step_moved;
  char step_file[256];
  unsigned step_line;
  wg_debug_tap_t **tap; /* [num_sms], NULL: none */
  /* fronts */
  struct {
    FILE *in;
    char *path; /* NULL: stdin */
    unsigned line;
    bool echo, bad;
    char again[256]; /* the last command that went on, for an empty line */
  } prompt;
  struct wg_gdb *gdb;
};

/* debug.c */
/** The selected warp, if it is still there. */
bool dbg_selected(const wg_debug_t *d, wg_warp_view_t *v);
/** Is the warp in this slot that of `who`? */
bool dbg_is(const dbg_who_t *who, const wg_warp_view_t *v);
/** Select a warp that is there. */
void dbg_select(wg_debug_t *d, uint32_t sm, uint32_t id, const wg_warp_view_t *v);
/** Stop behind this cycle or instruction, for this reason. The first of a cycle selects its warp. */
void dbg_stop(wg_debug_t *d, const char *fmt, ...) WG_PRINTF(2, 3);
/** "cycle 512", "instruction 33". @return buf */
const char *dbg_now(const wg_debug_t *d, char *buf, size_t n);
/** Module of a code base, NULL if unknown. */
const wg_obj_t *dbg_module(const wg_debug_t *d, uint64_t code_base);
/** Source line of a pc. @return false: unknown */
bool dbg_line_of(const wg_debug_t *d, uint64_t code_base, uint32_t pc, const char **file, unsigned *line);
const char *dbg_base_name(const char *path);
/** Where a lane is. @param[out] state word for people; "runs", "exited" @return its pc */
uint32_t dbg_lane_pc(const wg_diverge_t *v, unsigned lane, const char **state);
/** Go on until ... : what `stopped` sets before it returns. lanes: only issues with one of these count. */
void dbg_go_cycles(wg_debug_t *d, uint64_t n);
void dbg_go_insns(wg_debug_t *d, uint64_t n, uint32_t lanes);
void dbg_go_line(wg_debug_t *d);
void dbg_detach(wg_debug_t *d);

/* debug_break.c */
WG_NODISCARD wg_status_t dbg_break_parse(const char *text, dbg_break_t *out, wg_diag_t *diag);
/** Add one; looks its places up. @return its number, 0 with a diag */
unsigned dbg_break_add(wg_debug_t *d, const char *text, bool temporary, wg_diag_t *diag);
bool dbg_break_delete(wg_debug_t *d, unsigned number);
void dbg_break_clear(wg_debug_t *d);
/** How often each was met, those of gdb left out. @param when "" or " so far" */
void dbg_break_summary(const wg_debug_t *d, const char *when);
/** A step begins, or its end is told: `passed` of all. */
void dbg_break_forget_passed(wg_debug_t *d);
/** Modules are there: find the places of lines and kernels. */
void dbg_break_resolve(wg_debug_t *d);
/** gdb's breakpoints: one place each. @return false: there are too many; there is none */
bool dbg_break_follow(wg_debug_t *d, uint64_t code, uint32_t pc);
bool dbg_break_unfollow(wg_debug_t *d, uint64_t code, uint32_t pc);
void dbg_break_event(wg_debug_t *d, const wg_debug_event_t *e);
/** The warp is at its pc: has it come to a breakpoint? @param edge only if it was not there at the last look */
void dbg_break_arrival(wg_debug_t *d, uint32_t sm, uint32_t id, const wg_warp_view_t *v, bool edge);
void dbg_break_issued(wg_debug_t *d, uint32_t sm, uint32_t id, uint32_t pc, uint32_t mask);
void dbg_break_cycle(wg_debug_t *d);

/* debug_cmd.c */
typedef enum dbg_answer { kDbgStay, kDbgGo, kDbgBad } dbg_answer_t;
/** Execute one line. @return kDbgGo: the run goes on; kDbgBad: what is wrong has been printed to d->out */
dbg_answer_t dbg_command(wg_debug_t *d, const char *line);
/** What every stop shows: why, who, where. */
void dbg_show_stop(wg_debug_t *d);

/* debug_show.c; each prints to d->out. @return false: told what is wrong */
void dbg_show_where(wg_debug_t *d, const wg_warp_view_t *v);
void dbg_show_code(wg_debug_t *d, const wg_warp_view_t *v, uint32_t pc, unsigned before, unsigned after);
void dbg_show_warps(wg_debug_t *d);
void dbg_show_regs(wg_debug_t *d, const wg_warp_view_t *v);
void dbg_show_reg(wg_debug_t *d, const wg_warp_view_t *v, unsigned r);
void dbg_show_preds(wg_debug_t *d, const wg_warp_view_t *v);
void dbg_show_lanes(wg_debug_t *d, const wg_warp_view_t *v);
void dbg_show_stack(wg_debug_t *d, const wg_warp_view_t *v);
void dbg_show_joins(wg_debug_t *d, const wg_warp_view_t *v);
void dbg_show_barriers(wg_debug_t *d, const wg_warp_view_t *v);
void dbg_show_scoreboard(wg_debug_t *d);
bool dbg_show_memory(wg_debug_t *d, const wg_warp_view_t *v, uint64_t addr, unsigned words);
bool dbg_show_sched(wg_debug_t *d, uint32_t sm);
void dbg_show_params(wg_debug_t *d, const wg_warp_view_t *v);
/** Why the warp issues in the cycle that comes, or not. */
void dbg_show_why(wg_debug_t *d, const wg_warp_view_t *v);
/** Bytes at a generic address: upper word 1 shared, 2 the selected lane's local memory, 3 constant bank 0, else device
    memory.
    @return false: nobody can read that */
bool dbg_read(const wg_debug_t *d, const wg_warp_view_t *v, uint64_t addr, void *dst, size_t n);

/* debug_tap.c */
/** What the scheduler of a sub-core would pick in the cycle that comes. @return false: not known (a policy outside the twins) */
bool dbg_tap_pick(const wg_debug_tap_t *t, unsigned sub, const sm_warp_view_t *v, wg_sched_out_t *out);

/* debug_place.c */
/** Look the places of a line or kernel up in the modules that are loaded. */
void dbg_place_find(const wg_debug_t *d, dbg_break_t *b);
/** Can this breakpoint be met at all? Its places are looked up. @return kWgOk; kWgBadInput: why not, and what is
    near */
WG_NODISCARD wg_status_t dbg_place_check(const wg_debug_t *d, const dbg_break_t *b, wg_diag_t *diag);

/** Its condition names an SM that the device has? @return kWgOk, kWgBadInput */
WG_NODISCARD wg_status_t dbg_place_check_sm(const dbg_break_t *b, uint32_t num_sms, wg_diag_t *diag);

/* debug_gdb.c */
WG_NODISCARD wg_status_t dbg_gdb_open(wg_debug_t *d, const char *where, const char *elf, wg_diag_t *diag);
void dbg_gdb_close(wg_debug_t *d);

/* debug_prompt.c */
WG_NODISCARD wg_status_t dbg_prompt_open(wg_debug_t *d, const char *script, wg_diag_t *diag);
void dbg_prompt_close(wg_debug_t *d);

#ifdef __cplusplus
}
#endif
#endif
