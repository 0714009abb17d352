// SPDX-License-Identifier: Apache-2.0
//
// The golden model of the instruction set: what one warp instruction does (wg_ref_exec), what a warp does
// (wg_ref_issue, wg_ref_memory), what a block and a grid do (wg_ref_block_*, wg_ref_run_grid). No timing. The lockstep
// checker, the `func` SM back end and the compiler's tests stand on it.
//
// Rows: uint32_t[32], lane 0 first. Lane masks: bit l = lane l. Lanes outside a mask are neither read nor written.
// Everything is integer arithmetic; no host floating point is used.
#ifndef WG_MODEL_REF_H
#define WG_MODEL_REF_H

#include "isa/wg_isa.h"
#include "model/counts.h"
#include "model/tlm.h"
#include "model/twin/diverge.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgRefLanes = 32, kWgRefBlockWarps = 32 };

/* ---- one instruction ---- */

/** Operands of one warp instruction. Rows an instruction does not use may be NULL. */
typedef struct wg_ref_in {
  const uint32_t *a, *b, *c; /* rows */
  const uint32_t *c1;        /* row behind c: upper words of IMAD.WIDE's addend */
  const uint32_t *a1, *b1;   /* rows behind a and b: upper words of 64-bit operands */
  const uint32_t *a2, *a3, *c2, *c3; /* matrix instructions */
  uint32_t p, q;             /* predicate sources, lane bits, after their "not" */
  uint32_t exec;             /* lanes to work on */
} wg_ref_in_t;

/** Results. Rows hold defined values in the lanes of `exec` only. */
typedef struct wg_ref_out {
  uint32_t d[32], d1[32], d2[32], d3[32];
  uint32_t p0, p1;   /* lane bits */
  bool wr, wide;     /* d, and d1, are written to rd, rd + 1 */
  bool quad;         /* d2 and d3 too, to rd + 2, rd + 3 (then wide is set) */
  bool wr_p0, wr_p1; /* predicate destinations exist (pd0, pd1 may still be PT) */
  uint32_t absent;   /* SHFL: lanes that read one that does not execute it */
} wg_ref_out_t;

/* Per pipe, one file each (ref_exec_<pipe>.c); same contract as wg_ref_exec. */
bool wg_ref_exec_fp64(const wg_insn_t *in, const wg_ref_in_t *src, wg_ref_out_t *out);
bool wg_ref_exec_half(const wg_insn_t *in, const wg_ref_in_t *src, wg_ref_out_t *out);
/** I2F, F2I, F2F, POPC, FLO, BREV (pipe sfu). */
bool wg_ref_exec_cvt(const wg_insn_t *in, const wg_ref_in_t *src, wg_ref_out_t *out);
bool wg_ref_exec_xlane(const wg_insn_t *in, const wg_ref_in_t *src, wg_ref_out_t *out);
bool wg_ref_exec_mma(const wg_insn_t *in, const wg_ref_in_t *src, wg_ref_out_t *out);

/**
 * Compute an instruction of the pipes int, fp32, sfu, or SHFL.
 * Sources: the doc strings of isa/isa.def; isa/README.md; silicon/README.md for floating point.
 * @return false if the instruction is none of these (control, memory, S2R); `out` is untouched then
 */
bool wg_ref_exec(const wg_insn_t *in, const wg_ref_in_t *src, wg_ref_out_t *out);

/* ---- code and constants ---- */

/** Read `bytes` bytes of device memory. @return false if the range is not readable (fault 700). */
typedef bool (*wg_ref_read_fn)(void *ctx, uint64_t addr, void *dst, size_t bytes);
typedef bool (*wg_ref_write_fn)(void *ctx, uint64_t addr, const void *src, size_t bytes);

/** Device memory as the golden model sees it. */
typedef struct wg_ref_mem {
  void *ctx;
  wg_ref_read_fn read;
  wg_ref_write_fn write;
} wg_ref_mem_t;

/** One decoded word. */
typedef struct wg_ref_insn {
  wg_word_t word;
  wg_insn_t in;
  wg_regset_t regs;
  uint8_t state; /* kWgFaultNone, kWgFaultIllegalInsn (undefined), kWgFaultBadPc (cannot be read) */
  bool known;    /* decoded already */
} wg_ref_insn_t;

/** The code window: words are fetched and decoded on first use. */
typedef struct wg_ref_code wg_ref_code_t;
/** @param mem copied; @param base device address of code window offset 0 */
wg_ref_code_t *wg_ref_code_new(const wg_ref_mem_t *mem, uint64_t base);
void wg_ref_code_free(wg_ref_code_t *c); /* takes NULL */
/** Base address of the window. */
uint64_t wg_ref_code_base(const wg_ref_code_t *c);
/** Forget all decoded words (code memory was written). */
void wg_ref_code_forget(wg_ref_code_t *c);
/** The word at a byte PC (a multiple of 16). Never NULL; valid until the next call. */
const wg_ref_insn_t *wg_ref_code_at(wg_ref_code_t *c, uint32_t pc);

/** Constant banks of a launch. An operand beyond a bank's size, not aligned to 4 bytes, or in another bank faults
 * (717). */
typedef struct wg_ref_banks {
  const uint8_t *data[4];
  uint32_t size[4];
} wg_ref_banks_t;

/* ---- a warp ---- */

/** Architectural state of a warp. Memory behind the pointers belongs to the caller. */
typedef struct wg_ref_warp {
  wg_diverge_t div;
  uint32_t pred[8];    /* lane bits; [7] = PT, all ones */
  uint32_t (*reg)[32]; /* [num_regs] rows */
  uint32_t num_regs;
  uint32_t bar_result; /* SR_BARRESULT; written by who releases the warp */
  uint32_t warp;        /* in block */
  uint32_t present;     /* existing threads */
  uint32_t shared_size; /* bytes the block may touch */
  uint32_t warp_slot;   /* sub-core + sub-cores * slot: its part of the local arena */
  const wg_cta_launch_t *cta;
  const wg_ref_banks_t *banks;
} wg_ref_warp_t;

/** What an issued instruction still needs from its surroundings. */
typedef enum wg_ref_kind {
  kWgRefDone,    /* nothing: registers, predicates and stack are up to date */
  kWgRefBarrier, /* arrive at a barrier (wg_ref_step_t.bar) */
  kWgRefSreg,    /* S2R of a value that only the surroundings know (wg_ref_write_d) */
  kWgRefMemory,  /* load, store or atomic at addr[] (wg_ref_memory) */
} wg_ref_kind_t;

typedef struct wg_ref_step {
  const wg_ref_insn_t *insn;
  uint32_t pc;
  uint32_t mask, exec; /* running lanes; those whose guard holds */
  uint8_t kind;        /* wg_ref_kind_t; kWgRefDone if exec is 0 */
  uint8_t fault;       /* kWgFault*; the warp's state is that before the instruction */
  uint32_t fault_lanes;
  uint64_t fault_addr;
  wg_ref_out_t out;     /* results of ALU instructions, SHFL and known S2R, already written to the warp */
  /* kWgRefMemory */
  uint32_t lanes;         /* lanes that access memory: exec; LDSM: those of exec that give a row */
  uint32_t shared, local; /* of them: on shared memory, on the local frame; the others on device memory */
  uint64_t addr[32];      /* byte addresses (shared: offset in the block; others: device) */
  uint32_t data[4][32];   /* stores, atomics: rows rc.. */
  unsigned bytes;         /* per lane */
  wg_bar_arrival_t bar;    /* kWgRefBarrier */
  wg_diverge_in_t diverge; /* control instructions: what the divergence unit was given */
} wg_ref_step_t;

/** Let a warp diverge as `cfg` says (mode stack without this call). Before its first instruction. */
void wg_ref_warp_diverge(wg_ref_warp_t *w, const wg_diverge_cfg_t *cfg);
/** Bytes PC 0, all predicates false; registers are not touched. `present` must not be 0. */
void wg_ref_warp_init(wg_ref_warp_t *w, uint32_t entry_pc, uint32_t present);
/**
 * Execute the instruction at the warp's running PC as far as it needs no memory.
 * @param insn the word at w->div.pc
 * @param[out] st filled; on a fault the warp is unchanged
 */
void wg_ref_issue(wg_ref_warp_t *w, const wg_ref_insn_t *insn, wg_ref_step_t *st);
/** Lanes whose addresses an instruction uses: all; LDSM: 8, 16 or 32. */
uint32_t wg_ref_row_lanes(const wg_insn_t *in);
/** Destination registers of an instruction that has rd: 1, 2 or 4; else 0. */
unsigned wg_ref_result_words(const wg_insn_t *in);
/**
 * Distribute the rows that an LDSM read.
 * @param row word k of the 16 bytes at lane l's address; @param lanes that gave a row; others count as zeros
 * @param[out] word registers rd.. of every lane
 */
void wg_ref_ldsm(const wg_insn_t *in, const uint32_t row[4][32], uint32_t lanes, uint32_t word[4][32]);
/** One lane's atomic. @param data rows rc..; @param[in,out] raw the element's bytes */
void wg_ref_atom_lane(const wg_insn_t *in, const uint32_t data[4][32], unsigned l, bool shared, uint8_t *raw);
/** Lane order in which lanes of one store that meet at an address take effect; the last one stays. [32] lanes. */
const uint8_t *wg_ref_store_order(unsigned bytes);
/** Register words of one lane's loaded bytes (sign or zero extension). @param raw [bytes]; @param[out] word [4] */
void wg_ref_extend(const wg_insn_t *in, const uint8_t *raw, uint32_t word[4]);
/**
 * Perform a load, store or atomic for some lanes of a step at once (LDSM: all lanes).
 * @param shared the block's shared memory, [shared_size]; @param mem global memory
 * @return kWgFaultNone or kWgFaultIllegalAddr (st->fault_* name lanes and address)
 */
uint8_t wg_ref_memory(wg_ref_warp_t *w, wg_ref_step_t *st, uint32_t lanes, uint8_t *shared, const wg_ref_mem_t *mem);
/**
 * Special registers that follow from the launch: TID, CTAID, LANEID, GRIDID, LANEMASK.
 * @return false for those that depend on place or time
 */
bool wg_ref_sreg(const wg_ref_warp_t *w, unsigned sr, uint32_t row[32]);
/** Mask of the existing threads of warp `warp` in a block of ntid threads; 0 = no such warp. */
uint32_t wg_ref_present(const wg_cta_launch_t *cta, uint32_t warp);

/* ---- a block ---- */

/** Place and time of a functional run, for S2R. */
typedef struct wg_ref_place {
  uint32_t smid, nsmid, nwarpid;
  uint64_t clock; /* counts issued warp instructions of the block */
  bool pc_any;    /* the two below hold something: the reader clears it */
  uint32_t pc_lo, pc_hi; /* range of the PCs of executed instructions */
} wg_ref_place_t;

/** Totals of a functional run. */
typedef wg_counts_t wg_ref_totals_t;

typedef enum wg_ref_state { kWgRefRunning, kWgRefEnded, kWgRefFaulted, kWgRefDeadlock } wg_ref_state_t;

typedef struct wg_ref_block wg_ref_block_t;
/**
 * Set up a block: warps, zeroed registers and shared memory.
 * @param cta copied; @param code, mem, place borrowed until the block is freed; constants are read now through `mem`
 * @return NULL if a constant bank cannot be read
 */
wg_ref_block_t *wg_ref_block_new(const wg_cta_launch_t *cta, wg_ref_code_t *code, const wg_ref_mem_t *mem,
                                 wg_ref_place_t *place);
/** Warp slots of the block's warps, [number of warps]: where their local frames lie. Without this call warp i has slot
    i, right for one block at a time. Before the first wg_ref_block_run. */
void wg_ref_block_warp_slots(wg_ref_block_t *b, const uint8_t *slot);
/** How the block's warps diverge (mode stack without this call); seeds as the RTL's for warp slot i. Before the first
    wg_ref_block_run. */
void wg_ref_block_diverge(wg_ref_block_t *b, const wg_diverge_cfg_t *cfg);
struct wg_race; /* wg_ref_race.h */
/** Let a race checker see the block. Before the first wg_ref_block_run, behind wg_ref_block_diverge. */
void wg_ref_block_race(wg_ref_block_t *b, struct wg_race *race);
struct wg_span; /* wg_ref_span.h */
/** Measure the block's chains of dependent instructions. Before the first wg_ref_block_run, behind wg_ref_block_diverge. */
void wg_ref_block_span(wg_ref_block_t *b, struct wg_span *span);
/** What no hardware does: only the first half of the block's warps begins, each other one when one ends (unsafe=half-block). Before
    the first wg_ref_block_run. */
void wg_ref_block_half(wg_ref_block_t *b);
struct wg_writers; /* wg_ref_writers.h */
/** Note the block's writers of flags and locks. */
void wg_ref_block_writers(wg_ref_block_t *b, struct wg_writers *writers);
struct wg_tools; /* wg_ref_tools.h */
/** The same for the checks of memory, initialisation and synchronisation. */
void wg_ref_block_tools(wg_ref_block_t *b, struct wg_tools *tools);
void wg_ref_block_free(wg_ref_block_t *b); /* takes NULL */
/**
 * Run warps in turn, each for a while, until the block ends, faults, cannot go on, or about `max_insts` warp
 * instructions are done.
 * @param[out] totals added to; @param[out] fault filled if the result is kWgRefFaulted
 */
wg_ref_state_t wg_ref_block_run(wg_ref_block_t *b, uint64_t max_insts, wg_ref_totals_t *totals, wg_fault_t *fault);
/** One line on which warp is where and waits for what, for messages. @return buf */
const char *wg_ref_block_waits(const wg_ref_block_t *b, char *buf, size_t n);

/* ---- a grid ---- */

/** A grid to run without a session: image, shape, parameters. */
typedef struct wg_ref_grid {
  const wg_word_t *code; /* the code window, from offset 0 */
  uint32_t num_insns;
  uint32_t entry_pc;     /* bytes */
  uint32_t regs;         /* per thread */
  uint32_t shared_bytes; /* static */
  uint32_t dyn_shared_bytes;
  uint32_t local_bytes; /* per thread, below 2^18; rounded up to a multiple of 4 here; frames start as zeros */
  uint32_t grid[3], block[3];
  const uint8_t *params; /* laid out from kWgParamBase */
  size_t param_bytes;
  const uint8_t *const2, *const3; /* may be NULL */
  uint32_t const2_size, const3_size;
  wg_diverge_cfg_t diverge; /* zeros: mode stack */
  struct wg_span *span;     /* follows the launch's chains; NULL: nobody does */
  uint64_t max_insts; /* give up after so many warp instructions; 0 = 2^40 */
} wg_ref_grid_t;

/**
 * Run all blocks, one after the other (x fastest).
 * @param mem global memory
 * @param[out] totals may be NULL; @param[out] fault filled on kWgFault, may be NULL
 * @return kWgOk; kWgBadArg (shape outside CUDA's limits, code missing); kWgFault; kWgHang (deadlock at barriers or
 * max_insts)
 */
WG_NODISCARD wg_status_t wg_ref_run_grid(const wg_ref_grid_t *g, const wg_ref_mem_t *mem, wg_ref_totals_t *totals,
                                         wg_fault_t *fault, wg_diag_t *diag);

/** Constant bank 0 of a launch: launch data, then parameters from kWgParamBase on. @param[out] bank [kWgParamBase + param_bytes] */
void wg_ref_bank0(const wg_cta_launch_t *cta, uint32_t static_shared, uint32_t dyn_shared, const uint8_t *params,
                  size_t param_bytes, uint8_t *bank);

#ifdef __cplusplus
}
#endif
#endif
