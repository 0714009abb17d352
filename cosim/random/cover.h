// SPDX-License-Identifier: Apache-2.0
//
// Coverage of the instruction table in lockstep: which instructions and modifiers there are (cells), kernels that
// execute each of them, and a count of what the checkers have judged. What a cell is: testbench/coverage/README.md.
#ifndef WG_COSIM_COVER_H
#define WG_COSIM_COVER_H

#include "cosim/random/random.h"
#include "isa/wg_isa_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How many lanes an instruction executed in: all 32, 2 to 31, one. */
typedef enum wg_cover_mask { kWgCoverFull, kWgCoverPartial, kWgCoverSingle, kWgCoverMasks } wg_cover_mask_t;
extern const char *const wg_cover_mask_names[kWgCoverMasks];

enum {
  kWgCoverDims = 14,
  kWgCoverCross = 256, /* most combinations that are counted one by one */
};

/** What a dimension is read from. */
typedef enum wg_cover_kind { kWgCoverGroup, kWgCoverMark, kWgCoverForm, kWgCoverSreg } wg_cover_kind_t;

/** One thing that varies in an instruction: a modifier group, an operand mark, the form of b, the special register. */
typedef struct wg_cover_dim {
  const char *id;
  wg_cover_kind_t kind;
  const wg_mod_info_t *group; /* kWgCoverGroup */
  const wg_mark_info_t *mark; /* kWgCoverMark */
  uint32_t values;            /* 0 .. values - 1, some of which may be undefined */
} wg_cover_dim_t;

/** Warp instructions judged, by wg_cover_mask_t. */
typedef uint64_t wg_cover_count_t[kWgCoverMasks];

/** The cells of one opcode. */
typedef struct wg_cover_op {
  uint8_t op;
  wg_cover_dim_t dim[kWgCoverDims];
  uint32_t dims;       /* all; the form of b, if it may vary, is the last */
  uint32_t cross_dims; /* without the form of b */
  bool cross;          /* combinations are counted one by one, else pairs */
  uint32_t combos;     /* product of the values of cross_dims */
  wg_cover_count_t all;
  wg_cover_count_t *value; /* [sum of values] dim after dim */
  wg_cover_count_t *combo; /* cross: [combos] mixed radix, first dim fastest; else pairs, see wg_cover_pair */
  uint32_t pairs;
} wg_cover_op_t;

typedef struct wg_cover wg_cover_t;

/** Cells of every opcode of isa.def, all counts 0. @return never NULL */
wg_cover_t *wg_cover_new(void);
void wg_cover_free(wg_cover_t *c); /* takes NULL */
/** @return the opcodes in table order, `*n` of them */
const wg_cover_op_t *wg_cover_ops(const wg_cover_t *c, size_t *n);
/** Count one judged warp instruction; for wg_session_cfg_t.retired, `ctx` is the wg_cover_t. @param exec not 0 */
void wg_cover_retired(void *ctx, const wg_insn_t *in, uint32_t exec);
wg_cover_mask_t wg_cover_mask_of(uint32_t exec);
/** Value of a dimension in an instruction. */
uint32_t wg_cover_value(const wg_cover_dim_t *d, const wg_insn_t *in);
/** Set a dimension in an instruction. @param v below d->values */
void wg_cover_set(const wg_cover_dim_t *d, wg_insn_t *in, uint32_t v);
/** Is the instruction defined, whatever registers it names? Looks at opcode, form and modifiers. */
bool wg_cover_defined(const wg_insn_t *in);
/** Index of (value vi of dim i, value vj of dim j) in `combo`, i < j < cross_dims. */
uint32_t wg_cover_pair(const wg_cover_op_t *o, uint32_t i, uint32_t vi, uint32_t j, uint32_t vj);
/** The combination with a number as an instruction (other fields default). @return false if it is undefined */
bool wg_cover_combo(const wg_cover_op_t *o, uint32_t index, wg_insn_t *out);
/**
 * Write the cells as lines "op <tab> kind <tab> cell <tab> full <tab> partial <tab> single"; kind is op, value,
 * combination or pair. Undefined values, combinations and pairs are left out.
 */
void wg_cover_print(FILE *out, const wg_cover_op_t *o);

/* ---- kernels that execute the cells ---- */

enum {
  kWgCoverWarps = 64, /* of a launch: each executes an instruction of a kernel once, so it has so many rows */
  kWgCoverBlockWarps = 8,
  kWgCoverQuads = 19, /* 16-byte words of a lane in the data */
  kWgCoverDataBytes = kWgCoverWarps * kWgCoverQuads * 32 * 16,
  kWgCoverWindow = 4096, /* bytes of the window in global and of that in shared memory */
  kWgCoverLocal = 96,    /* bytes of a thread's frame */
};

/** One kernel: some of a class of opcodes. */
typedef struct wg_cover_kernel {
  wg_rnd_prog_t prog; /* buffers: data, window */
  char ops[256];      /* opcodes in it, for messages */
} wg_cover_kernel_t;

/** Fill the operands of all rows: special values and random ones of every type, masks, offsets. */
void wg_cover_data(uint64_t seed, uint32_t *data);
/** One random or special word of a class of operands. */
typedef enum wg_cover_class {
  kWgCoverInt,
  kWgCoverSmall,
  kWgCoverF32,
  kWgCoverF16,
  kWgCoverBf16,
  kWgCoverF64, /* upper word */
  kWgCoverAny
} wg_cover_class_t;
uint32_t wg_cover_word(wg_rnd_t *r, wg_cover_class_t k);

/**
 * Make the next kernel.
 * @param want [number of opcodes] which of them
 * @param its divergence mode, which decides how barriers may be met
 * @param[in,out] at 0 at first; the place in the list of kernels
 * @return false if there is none left; `k` is untouched then
 */
bool wg_cover_generate(const wg_cover_t *c, const bool *want, uint64_t seed, bool its, uint32_t *at,
                       wg_cover_kernel_t *k);
/**
 * Emit one instruction of a control opcode (but EXIT, BAR, BAR.RED, TRAP) with what it needs around it.
 * @param all the whole warp runs here
 * @param guard "", or "P5", "!P5", "P6": only these lanes execute it; not for what splits a warp, but BRA
 */
void wg_cover_flow(wg_rnd_gen_t *g, const wg_insn_t *like, bool all, const char *guard);
/** Emit a block barrier that all warps of the block come to: whole, or (guard) in both arms of a branch. */
void wg_cover_barrier(wg_rnd_gen_t *g, const wg_insn_t *like, const char *guard, bool its);
/** Emit an instruction of any other opcode with random operands. @param like opcode, modifiers, form, special register
    @param guard as above */
void wg_cover_data_insn(wg_rnd_gen_t *g, const wg_insn_t *like, const char *guard);
/** Bases, pool, addresses, masks; all of shared memory written; a barrier reduction done. */
void wg_cover_prologue(wg_rnd_gen_t *g);

#ifdef __cplusplus
}
#endif
#endif
