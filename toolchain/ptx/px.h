// SPDX-License-Identifier: Apache-2.0
//
// Inside of the PTX compiler: what its passes share. Nothing outside toolchain/ptx includes this file.
//
// A translation owns one context with one arena; everything lives until the translation ends. Errors leave through
// wg_px_fail, which jumps back to wg_ptx_compile: no pass has to hand a status upward, and nothing can leak, because
// all memory is the arena's.
#ifndef WG_TOOLCHAIN_PX_H
#define WG_TOOLCHAIN_PX_H

#include <setjmp.h>

#include "isa/wg_cfg.h"
#include "toolchain/ptx/wg_ptx.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- limits that keep hostile input cheap ---- */
enum {
  kWgPxMaxOperands = 8,
  kWgPxMaxParts = 12,
  kWgPxMaxVec = 8,
  kWgPxMaxInsns = 200000,
  kWgPxMaxUnits = 60000,
  kWgPxMaxNest = 32,
  kWgPxMaxArgs = 64,
  kWgPxMaxShared = 1 << 20,         /* of one variable */
  kWgPxMaxStaticShared = 48 * 1024, /* of a kernel: CUDA's limit, on every device */
  kWgPxMaxLocal = (1 << 18) - 4,
  kWgPxMaxFlow = 1 << 28, /* steps of control-flow analysis of one module; some seconds */
};

enum { kWgPxLibraryFile = 0x7fffffff }; /* number of the device library's PTX in the line table */

typedef struct wg_px_chunk {
  struct wg_px_chunk *next;
  size_t used, size;
} wg_px_chunk_t;

typedef enum wg_px_type {
  kWgPxNone,
  kWgPxPred,
  kWgPxB8,
  kWgPxU8,
  kWgPxS8,
  kWgPxB16,
  kWgPxU16,
  kWgPxS16,
  kWgPxF16,
  kWgPxBF16,
  kWgPxE4M3x2,
  kWgPxE5M2x2,
  kWgPxB32,
  kWgPxU32,
  kWgPxS32,
  kWgPxF32,
  kWgPxF16x2,
  kWgPxBF16x2,
  kWgPxTF32,
  kWgPxB64,
  kWgPxU64,
  kWgPxS64,
  kWgPxF64,
  kWgPxB128,
} wg_px_type_t;

typedef enum wg_px_tok {
  kWgPxEof,
  kWgPxWord,
  kWgPxInt,
  kWgPxFloat32,
  kWgPxFloat64,
  kWgPxString,
  kWgPxPunct,
} wg_px_tok_t;

/** One token; `text` points into the source. */
typedef struct wg_px_token {
  wg_px_tok_t kind;
  const char *text;
  uint32_t len, line, col;
  uint64_t value; /* integers; bits of floats */
  char punct;
} wg_px_token_t;

typedef enum wg_px_space {
  kWgPxSpNone,
  kWgPxSpReg,
  kWgPxSpParam,
  kWgPxSpShared,
  kWgPxSpGlobal,
  kWgPxSpConst,
  kWgPxSpLocal,
  kWgPxSpLabel,
  kWgPxSpFunc,
} wg_px_space_t;

struct wg_px_block;

/** A name: register (range), variable, label or function. */
typedef struct wg_px_sym {
  struct wg_px_sym *next; /* hash chain */
  const char *name;
  uint32_t len, depth, line;
  wg_px_space_t space;
  wg_px_type_t type;
  uint32_t range;            /* registers: number in %r<range>, 0 = a single name */
  uint32_t size, align;      /* variables */
  uint32_t offset;           /* params, shared, const: offset in its space */
  bool placed, is_extern;    /* shared, local: laid out for this kernel; unsized extern */
  bool common;               /* shared: a called function's, at offset common_at of every kernel that calls */
  uint32_t common_at;
  uint8_t *init;             /* const, global: initial bytes or NULL */
  int32_t unit;              /* registers: first GPR unit, or predicate unit */
  uint32_t defs;             /* registers: number of writing instructions */
  struct wg_px_stmt *def;    /* registers: the last writer seen; the only one if defs == 1 */
  struct wg_px_block *block; /* labels */
  bool defined;              /* labels */
  bool arg;                  /* .param variables of a call or a function: units, not a place in bank 0 */
  struct wg_px_kernel *func; /* functions: the body, NULL if there is none */
  struct wg_px_addr *addrs;  /* const, global: addresses among the initial values */
  struct wg_px_opnd *target; /* .branchtargets: labels */
  uint32_t num_targets;
} wg_px_sym_t;

/** An address among the initial values of a variable: bytes `shift` on of symbol + add, at `at` of the variable. */
typedef struct wg_px_addr {
  struct wg_px_addr *next;
  wg_px_sym_t *sym;
  bool generic;          /* generic(sym) */
  uint32_t at, size, shift, line;
  int64_t add;
} wg_px_addr_t;

/** What a call statement names; px_call.c. */
typedef struct wg_px_call {
  wg_px_sym_t *callee, *arg[kWgPxMaxArgs], *ret[kWgPxMaxArgs];
  uint32_t nargs, nrets;
} wg_px_call_t;

typedef enum wg_px_okind {
  kWgPxOReg,
  kWgPxOImm,
  kWgPxOSreg,
  kWgPxOSym,
  kWgPxOAddr,
  kWgPxOVec,
  kWgPxOSink
} wg_px_okind_t;

typedef struct wg_px_opnd {
  wg_px_okind_t kind;
  wg_px_sym_t *sym;  /* register, symbol, or base of an address (NULL: absolute) */
  wg_px_sym_t *pred; /* second part of d|p */
  bool is_not;       /* !%p */
  uint8_t fkind;     /* immediates: 0 integer, 1 f32 bits, 2 f64 bits */
  int64_t value;     /* immediate, or byte offset of an address */
  uint8_t sreg;      /* wg_px_sreg_t */
  uint8_t nvec;
  struct wg_px_opnd *vec;
} wg_px_opnd_t;

/** A PTX statement of a body: an instruction or a label. */
typedef struct wg_px_stmt {
  struct wg_px_stmt *next;
  wg_px_sym_t *label; /* not NULL: this is a label */
  const char *text;   /* whole instruction, for messages */
  uint32_t text_len, line, file, src_line;
  const char *part[kWgPxMaxParts]; /* opcode split at the dots, NUL-terminated copies */
  uint32_t nparts;
  wg_px_sym_t *guard;
  bool guard_not;
  uint32_t nops;
  wg_px_opnd_t op[kWgPxMaxOperands];
  wg_px_call_t *call;
} wg_px_stmt_t;

typedef struct wg_px_kernel {
  struct wg_px_kernel *next;
  const char *name;
  uint32_t line;
  wg_obj_param_t *params;
  uint32_t num_params, max_threads, req_ntid[3];
  uint32_t max_regs; /* .maxnreg, 0 = none */
  wg_px_stmt_t *body;
  uint32_t num_stmts;
  bool uses_extern_shared;
  /* functions alone */
  wg_px_sym_t **syms; /* what each place that calls it has anew */
  uint32_t num_syms, cap_syms, nargs, nrets;
  wg_px_sym_t *arg[kWgPxMaxArgs], *ret[kWgPxMaxArgs];
  bool is_func, taken, active; /* .func; its address is a value; being put in, or on the way of the planning walk */
  bool no_inline, real;        /* the text says .noinline; it is called, not put in (px_plan.c) */
  bool seen, listed;           /* by the planning walk; in ctx.real */
  uint32_t sites, height, size; /* calls in the text; depth and statements of what is put in */
  uint32_t stamp;              /* of the last survey that saw it */
  bool library;                /* of toolchain/devlib: what is put in of it counts as the line that calls it */
  bool keeps_line;             /* library: it may fault, so it is always put in */
  bool counted;                /* definitions of its registers: once, not for each kernel */
  struct wg_px_kernel **callee; /* functions that its compiled code calls, may call through a register, or names */
  uint32_t num_callees, cap_callees;
  struct wg_px_fn *fn;         /* compiled, not yet emitted */
  uint32_t index;              /* in the object */
  uint32_t frame, regs, barriers; /* of its own code */
  uint32_t conv_all;           /* barriers from the last one down that it and what it calls may open */
  bool waits, counts;          /* it, or what it calls, holds a strong load or an atomic; an atomic that counts (px_yield.c) */
  uint32_t sum_regs, sum_barriers, sum_depth; /* with what it calls; px_plan.c */
  bool sum_endless;
} wg_px_kernel_t;

typedef struct wg_px_file {
  struct wg_px_file *next;
  uint32_t id;
  const char *name;
} wg_px_file_t;

/* ---- machine IR: instructions of isa.def over virtual 32-bit units and virtual predicates ---- */

/** One machine instruction. Units and predicates: -1 = RZ, PT. A 64-bit operand names its first unit. */
typedef struct wg_px_insn {
  uint8_t op, form, cbank, breg;
  uint16_t mods, coff;
  int32_t guard;
  bool guard_not;
  int32_t d, a, b, c;
  uint32_t imm;
  int32_t pd0, pd1, ps0, ps1;
  bool ps0_not, ps1_not;
  bool strong; /* volatile, relaxed or ordered: other threads may write meanwhile */
  bool strong_store; /* the same of a store, which the passes need not know */
  bool in_atomic;    /* part of what the text has as one atomic */
  bool left;                 /* BSSY: some lanes may leave its barrier */
  int8_t bypass;             /* BSSY: px_break.c; 0 not asked, 1 yes, -1 no */
  const struct wg_px_block *home; /* BSSY: its block, while px_break.c works */
  bool above_frame;          /* local accesses: `imm` counts from the end of the frame */
  bool if_apart;             /* WARPSYNC: of a shuffle or vote, needed only where its lanes may have run ahead */
  bool return_pc;            /* MOV: of the address behind the next BRX */
  struct wg_px_block *target;
  struct wg_px_kernel *func; /* CALL: whom; MOV: whose address the immediate is */
  uint8_t conv;              /* CALL, BRX: convergence barriers, from the last one down, that may be overwritten */
  struct wg_px_insn *partner; /* BSSY and BSYNC: each other */
  const wg_px_stmt_t *src;
  uint8_t stall, wr_ctr, rd_ctr, wait_mask;
} wg_px_insn_t;

typedef enum wg_px_term { kWgPxTJump, kWgPxTCond, kWgPxTExit, kWgPxTExitIf, kWgPxTRet } wg_px_term_t;

/** A basic block. Its end is kept apart from the instructions; emission makes branches of it. */
typedef struct wg_px_block {
  struct wg_px_block *next; /* layout order */
  uint32_t id;
  wg_px_insn_t **insn;
  uint32_t n, cap;
  wg_px_term_t term;
  int32_t pred; /* TCond, TExitIf */
  bool pred_not;
  bool uni;        /* the text says bra.uni */
  bool divergent;  /* found by the divergence analysis */
  bool cold;       /* laid out behind everything else */
  bool handled;    /* its reconvergence is in place */
  bool met;        /* px_meet.c has looked at its branch */
  bool spins;      /* in a loop that only waits for other threads */
  bool take_succ1; /* TCond: succ[1] has to be the taken side (stack depth in loops) */
  bool take_succ0;
  bool loose;      /* lanes part here and nothing brings them together again */
  bool spin;       /* the end of a turn of a loop that waits for other threads */
  struct wg_px_block *succ[2]; /* TJump: [0]; TCond: [0] if the predicate holds, else [1]; TExitIf: [0] */
  const wg_px_stmt_t *src;     /* of the end */
  uint32_t pc;                 /* emission: index of the first word */
  uint32_t loop_depth;
} wg_px_block_t;

typedef struct wg_px_unit {
  int32_t base;  /* first unit of the group */
  uint8_t width; /* units in the group: 1, 2 or 4 */
  bool named;    /* a PTX register; others live inside one statement, under one guard */
  bool pinned;   /* made by spilling: lives around one instruction, stays in a register */
  uint8_t fixed; /* register that it has by the calling convention, + 1; 0: none */
  uint16_t reg;  /* after allocation */
} wg_px_unit_t;

/** A kernel in machine form. */
typedef struct wg_px_fn {
  wg_px_kernel_t *kernel;
  int32_t sp;          /* unit of the stack pointer, R1; -1: no calls, local variables lie at fixed offsets */
  bool all_loose;      /* a region is without its barrier */
  uint32_t out_bytes;  /* of arguments and results on the stack, at the bottom of the frame */
  wg_px_block_t *entry, *last, *cold; /* cold: blocks to append at the end */
  uint32_t num_blocks;
  wg_px_unit_t *unit;
  uint32_t num_units, cap_units;
  uint32_t num_preds, cap_preds;
  bool *pred_named;
  uint8_t *pred_reg;
  uint32_t num_insns;
  uint32_t regs, barriers, shared_bytes, pred_spills;
  uint32_t local_bytes;  /* .local variables, then spilled words */
  uint32_t reg_spills;   /* 32-bit words moved to the frame */
} wg_px_fn_t;

/** A word of object kernel `owner` that holds the address of `func`: relative to the next instruction in CALL. */
typedef struct wg_px_fixup {
  uint32_t owner, insn;
  wg_px_kernel_t *func;
} wg_px_fixup_t;

typedef struct wg_px_ctx {
  jmp_buf fail;
  wg_status_t status;
  wg_diag_t *diag;
  const char *name;
  wg_ptx_options_t opt;
  wg_px_chunk_t *arena;
  wg_obj_t *obj;
  /* lexer */
  const char *src, *pos, *line_start;
  uint32_t line;
  wg_px_token_t tok, ahead;
  bool has_ahead;
  /* parser */
  wg_px_sym_t *hash[1024];
  uint32_t depth, cur_file, cur_line, num_stmts;
  uint64_t flow_steps; /* wg_px_charge */
  wg_px_kernel_t *kernels, **kernel_tail;
  wg_px_kernel_t *funcs, *body_of; /* functions; the one whose body is read */
  wg_px_kernel_t **real;           /* functions that are called, callees first where there is an order */
  uint32_t num_real, cap_real;
  wg_px_fixup_t *fixups;           /* words that hold an address of a function */
  uint32_t num_fixups, cap_fixups;
  uint32_t func_shared;            /* bytes of shared variables of called functions: the same place in every kernel */
  bool any_escapes;                /* some body takes a generic address of a local variable */
  uint32_t inline_depth, stamp;
  struct wg_px_block *ret_to; /* where a function's ret goes */
  wg_px_file_t *files;
  uint32_t const_size, global_size;
  wg_px_sym_t **shared; /* shared variables seen so far */
  uint32_t num_shared, cap_shared;
  wg_px_sym_t **locals; /* local variables seen so far */
  uint32_t num_locals, cap_locals;
  wg_px_sym_t **vars; /* const and global variables */
  uint32_t num_vars, cap_vars;
  /* lowering */
  wg_px_kernel_t *kernel;
  wg_px_fn_t *fn;
  wg_px_block_t *cur;
  const wg_px_stmt_t *stmt;
  uint32_t shared_end;
  int32_t cc_pred; /* CC.CF, or -1; px_lower_arith.c */
  bool cc_borrow;
  bool local_escapes; /* a local variable has a generic address: generic accesses go by words */
  bool uses_bases;    /* the module needs c[2]: addresses of its global and constant variables */
} wg_px_ctx_t;

/* Special registers: cfg.def's numbers, then those that are no S2R. */
enum {
  kWgPxSrS2rLast = 63,
  kWgPxSrNtidX = 64,
  kWgPxSrNtidY,
  kWgPxSrNtidZ,
  kWgPxSrNctaidX,
  kWgPxSrNctaidY,
  kWgPxSrNctaidZ,
  kWgPxSrDynSmem,
  kWgPxSrWarpSz,
  kWgPxSrClock64,
  kWgPxSrTimer64,
  kWgPxSrGridId64,
  kWgPxSrFifo, /* addresses of the printf FIFO and the malloc heap: toolchain/devlib */
  kWgPxSrHeap,
  kWgPxSrTotalSmem,
  kWgPxSrZero, /* what this device has none of, or one alone */
  kWgPxSrOne,
};

/* px_arena.c */
void *wg_px_alloc(wg_px_ctx_t *x, size_t n);
char *wg_px_strndup(wg_px_ctx_t *x, const char *s, size_t n);
void wg_px_arena_free(wg_px_ctx_t *x);
/** Grow an arena array of pointers to hold one more. */
void *wg_px_grow(wg_px_ctx_t *x, void *old, uint32_t n, uint32_t *cap, size_t elem);
_Noreturn void wg_px_fail(wg_px_ctx_t *x, wg_status_t st, uint32_t line, uint32_t col, const char *hint,
                          const char *fmt, ...) WG_PRINTF(6, 7);
/** Failure at a statement: its text is quoted. */
_Noreturn void wg_px_fail_stmt(wg_px_ctx_t *x, wg_status_t st, const wg_px_stmt_t *s, const char *hint,
                               const char *fmt, ...) WG_PRINTF(5, 6);

/* px_lex.c */
void wg_px_lex_start(wg_px_ctx_t *x, const char *text);
void wg_px_next(wg_px_ctx_t *x); /* advance x->tok */
const wg_px_token_t *wg_px_peek(wg_px_ctx_t *x);
bool wg_px_is(const wg_px_ctx_t *x, const char *word); /* current token is this word or punctuation character */
bool wg_px_accept(wg_px_ctx_t *x, const char *word);
void wg_px_expect(wg_px_ctx_t *x, const char *word);

/* px_sym.c */
wg_px_sym_t *wg_px_sym_add(wg_px_ctx_t *x, const char *name, uint32_t len, wg_px_space_t space, uint32_t line);
wg_px_sym_t *wg_px_sym_find(wg_px_ctx_t *x, const char *name, uint32_t len);
/** Register by name, ranges resolved; NULL if there is none. */
wg_px_sym_t *wg_px_reg_find(wg_px_ctx_t *x, const char *name, uint32_t len);
/** Label of the current body, made if it is new. */
wg_px_sym_t *wg_px_label(wg_px_ctx_t *x, const char *name, uint32_t len, uint32_t line);
void wg_px_scope_open(wg_px_ctx_t *x);
void wg_px_scope_close(wg_px_ctx_t *x);
wg_px_type_t wg_px_type_of(const char *name, size_t len); /* "u32"; kWgPxNone if unknown */
uint32_t wg_px_type_size(wg_px_type_t t);                 /* bytes; 0 for predicates */
int wg_px_sreg_find(const char *name, size_t len);        /* "%tid.x"; -1 if unknown */

/* px_parse.c, px_parse_insn.c */
void wg_px_parse(wg_px_ctx_t *x);
/** px_devlib.c: give the library's bodies to what the module calls of it and does not define. */
void wg_px_devlib(wg_px_ctx_t *x);
void wg_px_parse_var(wg_px_ctx_t *x, wg_px_space_t space, bool is_extern);
wg_px_stmt_t *wg_px_parse_insn(wg_px_ctx_t *x);

/* px_call.c */
void wg_px_parse_call(wg_px_ctx_t *x, wg_px_stmt_t *s);
/** name: .branchtargets label, ...; the name is taken already. */
void wg_px_parse_targets(wg_px_ctx_t *x, const wg_px_token_t *name);
void wg_px_lower_call(wg_px_ctx_t *x, const wg_px_stmt_t *s);
int32_t wg_px_arg_unit(wg_px_ctx_t *x, wg_px_sym_t *v); /* first unit of a .param variable */
/** px_abi.c: a call by the convention. f: whom, NULL: address in unit `to`; conv: wg_px_conv_of */
void wg_px_call_real(wg_px_ctx_t *x, const wg_px_call_t *c, wg_px_kernel_t *f, int32_t to, uint32_t conv);
void wg_px_start_block(wg_px_ctx_t *x, wg_px_block_t *b); /* px_lower.c */
void wg_px_end_jump(wg_px_ctx_t *x, wg_px_block_t *to);
void wg_px_start_body(wg_px_ctx_t *x, wg_px_kernel_t *k); /* survey, places of variables, a new fn */
void wg_px_end_body(wg_px_ctx_t *x);
bool wg_px_has_result(const wg_px_stmt_t *s); /* operand 0 is written; px_lower.c */
void wg_px_lower_stmt(wg_px_ctx_t *x, wg_px_stmt_t *s); /* px_lower.c */
void wg_px_arg_access(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_sym_t *v, int64_t at, wg_px_type_t t, unsigned vec,
                      bool store);
int32_t wg_px_func_address(wg_px_ctx_t *x, wg_px_kernel_t *f); /* a unit that holds it */
wg_px_fn_t *wg_px_lower_func(wg_px_ctx_t *x, wg_px_kernel_t *k); /* a called function: arguments, body, results, RET */
bool wg_px_call_fits(const wg_px_call_t *c, const wg_px_kernel_t *f);

/* px_plan.c: which functions are put in and which are called; what a module's functions have in common */
void wg_px_plan(wg_px_ctx_t *x);
void wg_px_calls(wg_px_ctx_t *x, wg_px_kernel_t *f); /* the function being compiled may go to f */
/** After everything is compiled and has its place: resources of kernels, addresses of functions. */
void wg_px_link(wg_px_ctx_t *x);
/** Convergence barriers that a call of `f` may overwrite: so many, from the last one down. */
uint32_t wg_px_conv_of(const wg_px_kernel_t *f);
void wg_px_compiled(wg_px_kernel_t *k, wg_px_fn_t *f); /* a body has its registers */

/* px_abi.c: the calling convention (README.md, "Calls") */
enum { kWgPxAbiSp = 1, kWgPxAbiArg = 4, kWgPxAbiArgEnd = 16, kWgPxAbiRet = 20, kWgPxAbiMinRegs = 32 };
bool wg_px_callee_saved(uint32_t reg);
/** Where variables of a call lie: a register, or bytes from the start of the area on the stack. */
typedef struct wg_px_slot {
  uint32_t reg, at; /* reg 0: on the stack */
} wg_px_slot_t;
/** @param base first free byte of the stack area @return the byte behind the last one used */
uint32_t wg_px_place_args(wg_px_sym_t *const *v, uint32_t n, uint32_t base, wg_px_slot_t *out);
int32_t wg_px_fixed(wg_px_ctx_t *x, uint32_t reg);
bool wg_px_is_call(const wg_px_insn_t *in);
void wg_px_save_barriers(wg_px_ctx_t *x, wg_px_fn_t *f); /* BMOV around calls, after reconvergence */
void wg_px_frame(wg_px_ctx_t *x, wg_px_fn_t *f);         /* entry and return code, after allocation */
void wg_px_note_sym(wg_px_ctx_t *x, wg_px_sym_t *s); /* px_sym.c: it belongs to the function that is read */

/* px_ir.c: building */
wg_px_fn_t *wg_px_fn_new(wg_px_ctx_t *x, wg_px_kernel_t *k);
wg_px_block_t *wg_px_block_new(wg_px_ctx_t *x, wg_px_fn_t *f);
void wg_px_block_append(wg_px_fn_t *f, wg_px_block_t *b); /* to the end of the layout */
void wg_px_block_insert_after(wg_px_fn_t *f, wg_px_block_t *at, wg_px_block_t *b);
int32_t wg_px_unit_new(wg_px_ctx_t *x, wg_px_fn_t *f, unsigned width);
int32_t wg_px_pred_new(wg_px_ctx_t *x, wg_px_fn_t *f, bool named);
wg_px_insn_t *wg_px_insn_new(wg_px_ctx_t *x, uint8_t op);
void wg_px_insert(wg_px_ctx_t *x, wg_px_block_t *b, uint32_t at, wg_px_insn_t *in);
/** Facts of an instruction: units read and written, as ranges. */
typedef struct wg_px_use {
  int32_t src[4];  /* first unit of a, b, c, or -1 */
  uint8_t nsrc[4]; /* units */
  int32_t dst;
  uint8_t ndst;
  int32_t psrc[3]; /* guard, ps0, ps1 */
  int32_t pdst[2];
} wg_px_use_t;
wg_px_use_t wg_px_uses(const wg_px_insn_t *in);
unsigned wg_px_mem_units(const wg_px_insn_t *in); /* 32-bit words a load or store moves per lane, at least 1 */
bool wg_px_side_effect(const wg_px_insn_t *in);
/** A guarded write of a PTX register leaves old values in some lanes; one of a temporary need not be told apart. */
bool wg_px_full_def(const wg_px_fn_t *f, const wg_px_insn_t *in, int32_t unit);
bool wg_px_full_pdef(const wg_px_fn_t *f, const wg_px_insn_t *in, int32_t pred);
unsigned wg_px_num_succ(const wg_px_block_t *b);

/* px_lower*.c: PTX to machine IR */
wg_px_fn_t *wg_px_lower(wg_px_ctx_t *x, wg_px_kernel_t *k);
/** Append an instruction to the current block; guard and source place come from the statement. */
wg_px_insn_t *wg_px_emit(wg_px_ctx_t *x, uint8_t op, unsigned mods, int32_t d, int32_t a, int32_t b, int32_t c);
wg_px_insn_t *wg_px_emit_imm(wg_px_ctx_t *x, uint8_t op, unsigned mods, int32_t d, int32_t a, uint32_t imm,
                             int32_t c);
int32_t wg_px_tmp(wg_px_ctx_t *x);
void wg_px_mov(wg_px_ctx_t *x, int32_t d, int32_t s);
void wg_px_mov_imm(wg_px_ctx_t *x, int32_t d, uint32_t imm);
/** Unit `half` (0, 1) of a source operand; immediates are moved to a fresh unit, folding takes them back. */
int32_t wg_px_src(wg_px_ctx_t *x, const wg_px_opnd_t *o, unsigned half);
/** 32-bit value of an operand of type `t`: 8 and 16 bits are extended by their sign. */
int32_t wg_px_src_ext(wg_px_ctx_t *x, const wg_px_opnd_t *o, wg_px_type_t t);
int32_t wg_px_extend(wg_px_ctx_t *x, int32_t s, wg_px_type_t t); /* 8 or 16 bits to 32 */
bool wg_px_signed(wg_px_type_t t);
/** First unit of a 64-bit source as an aligned pair. */
int32_t wg_px_src_pair(wg_px_ctx_t *x, const wg_px_opnd_t *o);
/** Parameter whose address a register holds, followed through mov and add of literals; NULL if it holds none. Such
    registers are never written: only ld.param may use them. */
wg_px_sym_t *wg_px_param_of(const wg_px_sym_t *r, int64_t *offset);
int32_t wg_px_dst(wg_px_ctx_t *x, const wg_px_opnd_t *o, unsigned bytes); /* destination register's first unit */
int32_t wg_px_psrc(wg_px_ctx_t *x, const wg_px_opnd_t *o, bool *is_not);
int32_t wg_px_pdst(wg_px_ctx_t *x, const wg_px_opnd_t *o);
bool wg_px_has(const wg_px_stmt_t *s, const char *part);
wg_px_type_t wg_px_last_type(const wg_px_stmt_t *s);
void wg_px_need_ops(wg_px_ctx_t *x, uint32_t lo, uint32_t hi);
_Noreturn void wg_px_unsupported(wg_px_ctx_t *x, const char *what);
typedef void (*wg_px_lower_fn)(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_addsub(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_mul(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_logic(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_shift(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_minmax(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_negabs(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_setp(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_selp(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_set(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_testp(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_cvt(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_bits(wg_px_ctx_t *x, const wg_px_stmt_t *s);  /* prmt shf lop3 cnot bmsk szext fns */
void wg_px_lower_carry(wg_px_ctx_t *x, const wg_px_stmt_t *s); /* add.cc addc sub.cc subc mad.cc madc */
void wg_px_lower_mul24(wg_px_ctx_t *x, const wg_px_stmt_t *s); /* and mad24 */
void wg_px_lower_sad(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_dot(wg_px_ctx_t *x, const wg_px_stmt_t *s); /* dp4a, dp2a */
void wg_px_lower_video(wg_px_ctx_t *x, const wg_px_stmt_t *s);
/** a + b or a - b, clamped as signed 32-bit numbers. */
int32_t wg_px_add_sat(wg_px_ctx_t *x, int32_t a, int32_t b, bool sub);
void wg_px_lower_f64(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_f64div(wg_px_ctx_t *x, const wg_px_stmt_t *s); /* div rcp sqrt rsqrt */
/** div, rcp, sqrt of fp32 rounded towards zero, down, up. `rnd`: RND value */
void wg_px_lower_f32_directed(wg_px_ctx_t *x, const wg_px_stmt_t *s, unsigned rnd, bool ftz);
/** cvt.rn.satfinite.{e4m3x2,e5m2x2}.f32 */
void wg_px_lower_fp8(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_half(wg_px_ctx_t *x, const wg_px_stmt_t *s); /* f16, bf16 and their pairs */
void wg_px_lower_vote(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_match(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_redux(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_activemask(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_elect(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_f32(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_f32_unary(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_f32_minmax(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_div(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_sfu(wg_px_ctx_t *x, const wg_px_stmt_t *s); /* sin cos ex2 lg2 rsqrt sqrt */
void wg_px_lower_mulhi64(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_idiv(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_count(wg_px_ctx_t *x, const wg_px_stmt_t *s); /* clz, popc, brev, bfind */
void wg_px_lower_slct(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_field(wg_px_ctx_t *x, const wg_px_stmt_t *s); /* bfi, bfe */
void wg_px_lower_ldst(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_fence(wg_px_ctx_t *x, const wg_px_stmt_t *s); /* membar, fence */
void wg_px_lower_atom(wg_px_ctx_t *x, const wg_px_stmt_t *s);  /* atom, red */
void wg_px_lower_mma(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_wmma(wg_px_ctx_t *x, const wg_px_stmt_t *s); /* wmma.load, .store, .mma */
void wg_px_lower_ldmatrix(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_lower_nanosleep(wg_px_ctx_t *x, const wg_px_stmt_t *s);
/** MEMBAR (`wait`) and, beyond a block, CCTL.IVALL (`drop`). @param scope MSCOPE; below 0: GPU */
void wg_px_fence(wg_px_ctx_t *x, int scope, bool wait, bool drop);
/** Value of MSCOPE, of wg_px_space_t, for a part of an opcode; -1 if it is none. */
int wg_px_scope(const char *part);
int wg_px_space_of(const char *part);
/** Address operand of a memory instruction: its unit or pair and, in *imm, the offset. kWgPxSpNone: generic */
int32_t wg_px_address(wg_px_ctx_t *x, const wg_px_opnd_t *a, wg_px_space_t space, uint32_t *imm);
void wg_px_lower_shfl(wg_px_ctx_t *x, const wg_px_stmt_t *s);
void wg_px_gather(wg_px_ctx_t *x, int32_t mask); /* px_break.c: WARPSYNC, if it turns out to be needed */
void wg_px_lower_bar(wg_px_ctx_t *x, const wg_px_stmt_t *s);

/* the passes after lowering, in this order */
void wg_px_cfg_clean(wg_px_ctx_t *x, wg_px_fn_t *f);  /* px_cfg.c: unreachable blocks, branches to a lone EXIT */
void wg_px_sweep(wg_px_ctx_t *x, wg_px_fn_t *f); /* px_opt.c: unused instructions away */
void wg_px_opt(wg_px_ctx_t *x, wg_px_fn_t *f);        /* px_opt.c: copies, constants, addresses, dead code */
void wg_px_share_tuples(wg_px_ctx_t *x, wg_px_fn_t *f); /* px_tuple.c: operands of several registers, copied once */
void wg_px_sink(wg_px_ctx_t *x, wg_px_fn_t *f);       /* px_sink.c: floating-point work for fewer lanes */
void wg_px_diverge(wg_px_ctx_t *x, wg_px_fn_t *f);    /* px_diverge.c: which branches may diverge */
void wg_px_meet(wg_px_ctx_t *x, wg_px_fn_t *f);       /* px_meet.c: lanes of a loop meet in each turn */
void wg_px_reconverge(wg_px_ctx_t *x, wg_px_fn_t *f); /* px_reconv.c: BSSY, BSYNC */
void wg_px_yield(wg_px_ctx_t *x, wg_px_fn_t *f);      /* px_yield.c: YIELD in loops that wait */
void wg_px_sums(wg_px_ctx_t *x, wg_px_fn_t *f);       /* px_sum.c: a + b + c in one instruction */
void wg_px_schedule(wg_px_ctx_t *x, wg_px_fn_t *f);   /* px_sched.c */
void wg_px_regalloc(wg_px_ctx_t *x, wg_px_fn_t *f);   /* px_alloc.c */
/* px_spill.c: registers to the thread's local frame */
struct wg_px_cfg;
/** Natural loops of all back edges: loop_depth of their blocks. */
void wg_px_loop_depths(struct wg_px_cfg *g);
/** Units whose only write is a MOV of a literal or constant: that MOV; else NULL. [num_units] */
wg_px_insn_t **wg_px_remat(wg_px_ctx_t *x, wg_px_fn_t *f);
/** What it would cost to keep each unit in the frame: accesses, times ten a loop level. [num_units] */
uint32_t *wg_px_spill_cost(wg_px_ctx_t *x, wg_px_fn_t *f, wg_px_insn_t *const *remat);
/** Rewrite all accesses. @param slot [num_units at the call] byte offset in the frame, or -1 = stays in a register;
    @param remat of wg_px_remat */
void wg_px_spill(wg_px_ctx_t *x, wg_px_fn_t *f, const int32_t *slot, wg_px_insn_t *const *remat);
/** One word to be packed. */
typedef struct wg_px_item {
  wg_insn_t in;
  const wg_px_stmt_t *src;
  const wg_px_block_t *target;
  wg_px_kernel_t *func;
  bool block_start, return_pc;
  uint8_t marks; /* kWgObj* */
} wg_px_item_t;
void wg_px_control(wg_px_ctx_t *x, wg_px_item_t *item, uint32_t n);          /* px_control.c */
void wg_px_emit_kernel(wg_px_ctx_t *x, wg_px_fn_t *f, wg_obj_kernel_t *out); /* px_emit.c */

/* px_cfg.c: orders and dominance; arrays are indexed by block id */
typedef struct wg_px_cfg {
  uint32_t n;
  wg_px_block_t **block; /* by id */
  wg_px_block_t **rpo;   /* reverse post-order */
  uint32_t num_rpo;
  uint32_t *rpo_index;
  wg_px_block_t **idom;  /* entry: NULL */
  wg_px_block_t **ipdom; /* NULL: the exit, or none */
  uint32_t *num_pred;
  wg_px_block_t ***pred;
  wg_px_block_t **stack; /* [n + 1] room for wg_px_reach */
  bool *mark;            /* [n] a passing result of wg_px_reach */
  wg_px_ctx_t *x;
  const wg_px_fn_t *f;
} wg_px_cfg_t;
wg_px_cfg_t *wg_px_cfg(wg_px_ctx_t *x, wg_px_fn_t *f); /* all but ipdom */
void wg_px_post_dominators(wg_px_cfg_t *g);            /* fills ipdom */
void wg_px_renumber(wg_px_fn_t *f);
/** Count steps of control-flow analysis, a visited block each. A text whose branches need more than kWgPxMaxFlow
    of them is refused: without a bound some texts of a few thousand branches would take hours. */
void wg_px_charge(const wg_px_cfg_t *g, uint64_t steps);
/** px_yield.c: the branches out of loops that only wait for other threads count as handled: no barrier behind them. */
void wg_px_mark_spins(wg_px_ctx_t *x, wg_px_cfg_t *g);
/** Does each way from the entry to `b` go through `h`? */
bool wg_px_dominates(const wg_px_cfg_t *g, const wg_px_block_t *h, const wg_px_block_t *b);
/** Does the loop of blocks inside[id] hold a strong load or an atomic that asks the same in every turn? */
bool wg_px_asks_the_same(wg_px_cfg_t *g, const bool *inside);
/* px_break.c: lanes that wait for others of their warp */
/** The BSSY of each open barrier; NULL: closed, or different ones on different ways, which then only exit. */
typedef struct wg_px_opened {
  wg_px_insn_t *by[kWgConvBarriers];
} wg_px_opened_t;
void wg_px_open_step(wg_px_opened_t *s, wg_px_insn_t *in);
wg_px_opened_t *wg_px_open_barriers(wg_px_ctx_t *x, const wg_px_cfg_t *g); /* in front of each block */
void wg_px_break(wg_px_ctx_t *x, wg_px_fn_t *f);    /* BREAK where a lane would keep those from going on that it waits for */
void wg_px_warpsync(wg_px_ctx_t *x, wg_px_fn_t *f); /* WARPSYNC where members of a mask may be apart */
/** Blocks reachable from `from` without entering `stop`; out[id]. `from` itself only if `with_from`. */
void wg_px_reach(const wg_px_cfg_t *g, const wg_px_block_t *from, const wg_px_block_t *stop, bool with_from,
                 bool *out);

/* px_live.c: live units and predicates at block ends. Only values that are live into some block have a place in the
   bit sets; most live inside one block, and sets of all of them would be quadratic in the text. */
typedef struct wg_px_live {
  uint32_t num, pnum;     /* values with a place */
  int32_t *unit, *pred;   /* place -> unit, predicate */
  int32_t *place, *pplace; /* unit, predicate -> place, or -1 */
  uint32_t words, pwords;
  uint64_t **in, **out;   /* [block][words] units by place */
  uint64_t **pin, **pout; /* [block][pwords] predicates by place */
} wg_px_live_t;
wg_px_live_t *wg_px_live(wg_px_ctx_t *x, wg_px_fn_t *f);
/** Is unit `u` in the set, `l->in[block]` or `l->out[block]`? */
bool wg_px_live_has(const wg_px_live_t *l, const uint64_t *set, int32_t u);
#define WG_PX_GET(set, i) (((set)[(uint32_t)(i) / 64u] >> ((uint32_t)(i) % 64u)) & 1u)
#define WG_PX_SET(set, i) ((set)[(uint32_t)(i) / 64u] |= 1ull << ((uint32_t)(i) % 64u))
#define WG_PX_CLR(set, i) ((set)[(uint32_t)(i) / 64u] &= ~(1ull << ((uint32_t)(i) % 64u)))

/* px_sched.c: latencies that order instructions; the control field has its own, isa/wg_ctl.h */
typedef struct wg_px_latency {
  uint32_t fixed, pred, shared, global, local, shuffle, sfu, sreg;
} wg_px_latency_t;
extern const wg_px_latency_t wg_px_latency;
uint32_t wg_px_latency_of(const wg_px_insn_t *in);
/** Registers a thread may have: 255, the option, .maxnreg, the least. */
uint32_t wg_px_max_regs(const wg_px_ctx_t *x, const wg_px_fn_t *f); /* px_alloc.c */
bool wg_px_variable(const wg_px_insn_t *in); /* result arrives at no fixed time */
bool wg_px_variable_op(uint8_t op);

#ifdef __cplusplus
}
#endif
#endif
