// SPDX-License-Identifier: Apache-2.0
//
// Constrained-random co-simulation: programs made from a seed, their runs in sessions, and the shrinking of those that
// fail. Private to cosim/random; what the tool does for its users: testbench/random/README.md.
#ifndef WG_COSIM_RANDOM_H
#define WG_COSIM_RANDOM_H

#include "cosim/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- numbers from a seed ---- */

typedef struct wg_rnd {
  uint64_t s;
} wg_rnd_t;

/** Next 32 random bits (splitmix64). */
uint32_t wg_rnd_u32(wg_rnd_t *r);
/** A number below n; n > 0. */
static inline uint32_t wg_rnd_below(wg_rnd_t *r, uint32_t n) { return wg_rnd_u32(r) % n; }
/** A number from lo to hi, both included. */
static inline uint32_t wg_rnd_range(wg_rnd_t *r, uint32_t lo, uint32_t hi) {
  return lo + wg_rnd_below(r, hi - lo + 1u);
}
static inline bool wg_rnd_percent(wg_rnd_t *r, uint32_t p) { return wg_rnd_below(r, 100u) < p; }
/** A 32-bit value, most often one at the corner of some range: integer, shift count, float. */
uint32_t wg_rnd_value(wg_rnd_t *r);

/* ---- programs ---- */

/** How a program is judged beyond lockstep. */
typedef enum wg_rnd_class {
  kWgRndOrdered, /* no two warps touch the same bytes unordered: memory at the end equals the `func` back end's */
  kWgRndRacy,    /* lockstep alone judges */
  kWgRndFault,   /* ordered, but one instruction of one warp faults: the report equals the `func` back end's */
  kWgRndClassCount
} wg_rnd_class_t;

/** What the generator picks from; one unit of a program each time. Names: wg_rnd_kind_names. */
typedef enum wg_rnd_kind {
  kWgRndAlu,   /* any instruction of the pipes int and fp32, all modifiers */
  kWgRndDense, /* a chain over two or three registers */
  kWgRndCarry, /* 64-bit additions, subtractions, compares, wide products */
  kWgRndPred,  /* compares, PLOP3, guards on them */
  kWgRndSfu,   /* MUFU */
  kWgRndSreg,  /* S2R */
  kWgRndShfl,
  kWgRndGlobal, /* one global access */
  kWgRndShared, /* one shared access */
  kWgRndLocal,  /* one access to the thread's frame */
  kWgRndBurst,  /* many accesses back to back: MSHRs, merges, sets, store queue */
  kWgRndIf,     /* BSSY .. BSYNC */
  kWgRndLoop,   /* trip count by lane, or the same for all */
  kWgRndSkip,   /* branch of whole warps; other control instructions */
  kWgRndExit,   /* some lanes end */
  kWgRndBar,    /* block barriers, groups of warps, producer and consumer, exchange through shared memory */
  kWgRndKindCount
} wg_rnd_kind_t;
extern const char *const wg_rnd_kind_names[kWgRndKindCount];

typedef enum wg_rnd_item_kind { kWgRndInsn, kWgRndRaw, kWgRndLabel } wg_rnd_item_kind_t;

/** One word, or a label. Items of one unit are dropped together when a program is shrunk. */
typedef struct wg_rnd_item {
  wg_rnd_item_kind_t kind;
  wg_insn_t in;   /* kWgRndInsn */
  wg_word_t word; /* kWgRndRaw */
  int label;      /* kWgRndLabel: its number; kWgRndInsn: the target's, -1 none */
  uint32_t unit;
  bool dead; /* dropped */
} wg_rnd_item_t;

enum { kWgRndMaxItems = 6000, kWgRndMaxBuffers = 4, kWgRndMaxConst = 64, kWgRndParams = 4 };

/** A buffer: word i holds i * mul + add. */
typedef struct wg_rnd_buffer {
  const char *name;
  uint32_t bytes, mul, add;
} wg_rnd_buffer_t;

/** A launch with its kernel. Every field follows from the seed, the shape's limits and the mix. */
typedef struct wg_rnd_prog {
  uint64_t seed;
  wg_rnd_class_t judged;
  wg_rnd_item_t item[kWgRndMaxItems];
  uint32_t num_items, num_units, num_labels;
  uint32_t grid[3], block[3];
  uint32_t regs, shared_static, shared_dyn, local;
  wg_rnd_buffer_t buffer[kWgRndMaxBuffers]; /* the first parameters are their addresses */
  uint32_t num_buffers;
  uint32_t param[kWgRndParams]; /* u32, behind the addresses */
  uint32_t const2[kWgRndMaxConst], const3[kWgRndMaxConst];
  uint32_t launches; /* of the same kernel, buffers set anew before each */
  bool timed;        /* reads clock, timer or its place: the hash depends on the machine */
} wg_rnd_prog_t;

/** Limits and wishes for the generator. */
typedef struct wg_rnd_opts {
  uint32_t max_threads;             /* of a block */
  uint32_t max_blocks;              /* of the grid */
  uint32_t size;                    /* units about which a program has */
  uint32_t weight[kWgRndKindCount]; /* 0 = never */
  uint32_t weight_class[kWgRndClassCount];
} wg_rnd_opts_t;

/** Weights of a named mix ("all", "alu", "mem", "flow", "bar", "fault"). @return false if there is no such mix */
bool wg_rnd_mix(const char *name, wg_rnd_opts_t *opts);
/** Make the program of a seed. Never fails; the same arguments give the same program. */
void wg_rnd_generate(uint64_t seed, const wg_rnd_opts_t *opts, wg_rnd_prog_t *p);
/** The live items as an object. @return owned by the caller */
wg_obj_t *wg_rnd_object(const wg_rnd_prog_t *p);
/** The program as an assembly test (programs/asm/README.md); `comment` lines go to its head; `fault`: what must
    be reported, or NULL. */
void wg_rnd_print(FILE *out, const wg_rnd_prog_t *p, const char *comment, const wg_fault_t *fault);
/** Live instructions. */
uint32_t wg_rnd_live(const wg_rnd_prog_t *p);

/* ---- runs ---- */

typedef enum wg_rnd_verdict {
  kWgRndPass,
  kWgRndMismatch, /* lockstep, or memory, counts or fault unlike the func back end's */
  kWgRndHang,     /* no end, though the func back end ends */
  kWgRndCrash,    /* the process died */
  kWgRndBroken,   /* the generator's own error: the golden run does not end as its class says */
  kWgRndNoDevice, /* the session could not be made: no such SM, another ABI; says nothing about the program */
} wg_rnd_verdict_t;

typedef struct wg_rnd_result {
  wg_rnd_verdict_t verdict;
  char head[256];    /* one line; digits apart, the same for the same kind of failure */
  char report[2400]; /* the checker's block; kWgRndNoDevice: the remedy */
  uint64_t cycles, warp_insts;
  wg_fault_t fault; /* as reported by the rtl */
} wg_rnd_result_t;

/**
 * Run a program on `rtl` and, where its class asks for it, on `func`; in a child process, so that nothing can end ours.
 * @param cfg settings of the rtl session
 * @param quiet the child's standard error is dropped
 */
void wg_rnd_run(const wg_rnd_prog_t *p, const wg_session_cfg_t *cfg, bool quiet, wg_rnd_result_t *res);
/**
 * Drop units, items, blocks and warps from a failing program while it fails the same way.
 * @param[in,out] res result of `p`
 * @param max_runs, seconds bounds of the effort
 * @return runs made
 */
uint32_t wg_rnd_shrink(wg_rnd_prog_t *p, const wg_session_cfg_t *cfg, uint32_t max_runs, uint32_t seconds,
                       wg_rnd_result_t *res);

/* ---- inside the generator ---- */

/** Registers and predicates with a fixed use; the rest of the allocation is the pool. */
enum {
  kWgRndRegTid = 0,   /* thread in block */
  kWgRndRegGtid = 1,  /* thread in grid */
  kWgRndRegRo = 2,    /* pair: read-only buffer, first byte of the window */
  kWgRndRegOut = 4,   /* pair: &OUT[gtid] */
  kWgRndRegOwn = 6,   /* pair: this warp's region of OWN */
  kWgRndRegAny = 8,   /* pair: ANY, which all may write (racy programs) */
  kWgRndRegAddr = 10, /* pair: scratch of one access */
  kWgRndRegWarp = 12, /* warp in block */
  kWgRndRegSown = 13, /* this warp's region of shared memory */
  kWgRndRegLoop = 14, /* 14..17: counters by depth */
  kWgRndRegOff = 18,  /* scratch */
  kWgRndRegSink = 19, /* values that nothing may depend on */
  kWgRndRegPool = 20,
  kWgRndLoopDepth = 4,
  kWgRndPredPool = 5, /* P0..P4 */
  kWgRndPredIf = 5,
  kWgRndPredLoop = 6,
  kWgRndSlack = 512, /* bytes before and behind a window, for immediate offsets */
};

/** State of a generation. */
typedef struct wg_rnd_gen {
  wg_rnd_t r;
  wg_rnd_prog_t *p;
  wg_rnd_opts_t opts;
  uint32_t unit, threads, warps, blocks;
  uint32_t pool_end;                          /* first register behind the pool */
  uint8_t hot[4];                             /* registers used most at present */
  uint32_t ro_bytes, own_bytes, any_bytes;    /* windows, powers of two */
  uint32_t sown_bytes, sany_bytes, exch_base; /* shared: a warp's region, window of racy accesses, exchange slots */
  uint32_t shared_bytes;
  uint16_t open_b;     /* convergence barriers in use */
  bool exits, control; /* lanes may end early; random control fields */
  int budget;
  uint32_t trips; /* how often what is generated now runs, at most */
  uint64_t cost;  /* instructions of a warp, about */
} wg_rnd_gen_t;

/** Where units are being generated. */
typedef struct wg_rnd_where {
  uint32_t depth, loops;
  bool uniform; /* every live warp of the block gets here the same number of times */
} wg_rnd_where_t;

wg_insn_t *wg_rnd_add(wg_rnd_gen_t *g, const wg_insn_t *in);
/** Add the instruction that `text` says (without labels). */
wg_insn_t *wg_rnd_asm(wg_rnd_gen_t *g, const char *fmt, ...) WG_PRINTF(2, 3);
void wg_rnd_branch(wg_rnd_gen_t *g, const char *text, int label);
void wg_rnd_raw(wg_rnd_gen_t *g, wg_word_t w);
int wg_rnd_new_label(wg_rnd_gen_t *g);
void wg_rnd_place(wg_rnd_gen_t *g, int label);
/** Choose anew which registers are used most. */
void wg_rnd_new_hot(wg_rnd_gen_t *g);
/** A pool register, from the hot ones most often. @param align 1, 2 or 4 */
uint8_t wg_rnd_reg(wg_rnd_gen_t *g, unsigned align);
/** Any instruction `op`: random operands, modifiers and guard; pool registers as destinations. */
wg_insn_t *wg_rnd_any(wg_rnd_gen_t *g, uint8_t op);
void wg_rnd_guard(wg_rnd_gen_t *g, wg_insn_t *in, uint32_t percent);
void wg_rnd_unit_alu(wg_rnd_gen_t *g, wg_rnd_kind_t kind);

void wg_rnd_unit_global(wg_rnd_gen_t *g);
void wg_rnd_unit_shared(wg_rnd_gen_t *g);
void wg_rnd_unit_local(wg_rnd_gen_t *g);
void wg_rnd_unit_burst(wg_rnd_gen_t *g);
void wg_rnd_unit_bar(wg_rnd_gen_t *g);
void wg_rnd_unit_fault(wg_rnd_gen_t *g);
void wg_rnd_unit_control(wg_rnd_gen_t *g, wg_rnd_where_t w);
/** A barrier reduction of the whole block, and its result in a pool register. */
void wg_rnd_bar_red(wg_rnd_gen_t *g, uint32_t id);
/** A convergence barrier that is not in use here. */
uint32_t wg_rnd_breg(wg_rnd_gen_t *g);
void wg_rnd_prologue(wg_rnd_gen_t *g);
void wg_rnd_epilogue(wg_rnd_gen_t *g);

#ifdef __cplusplus
}
#endif
#endif
