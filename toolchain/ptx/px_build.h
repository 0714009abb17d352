// SPDX-License-Identifier: Apache-2.0
//
// Building blocks of lowering: instructions into fresh units, constants, comparisons, selections, arithmetic on pairs.
// Units and predicates: -1 = RZ, PT. A pair is named by its first unit, the lower word.
#ifndef WG_TOOLCHAIN_PX_BUILD_H
#define WG_TOOLCHAIN_PX_BUILD_H

#include <string.h>

#include "toolchain/ptx/px.h"

#define MOD(ID, v) ((unsigned)(v) << kWgModLsb_##ID)

/* Values of modifier groups of isa.def, by their names there. */
enum { kCmpLt = 1, kCmpEq = 2, kCmpLe = 3, kCmpGt = 4, kCmpNe = 5, kCmpGe = 6, kCmpNum = 7, kCmpNan = 8 };
enum { kBoolAnd = 0, kBoolOr = 1, kBoolXor = 2 };
enum { kRndRn = 0, kRndRm = 1, kRndRp = 2, kRndRz = 3 };
enum { kFmtF16 = 0, kFmtF32 = 1, kFmtF64 = 2, kFmtBf16 = 3, kFmtTf32 = 4 };
enum { kFnEx2 = 2, kFnRcp = 4, kFnRsq = 5, kFnSqrt = 6, kFnTanh = 7, kFnRcp64h = 8, kFnRsq64h = 9 };
enum { kLutAnd = 0xc0, kLutOr = 0xfc, kLutXor = 0x3c, kLutNotA = 0x0f, kLutInsert = 0xe2 /* (a & b) | (c & ~b) */ };
enum { kShr = 1u << kWgModLsb_SHDIR | 1u << kWgModLsb_SHHI, kShrS = kShr | 1u << kWgModLsb_SHTYPE };

#define WG_PX_SIGN 0x80000000u
#define WG_PX_ABS 0x7fffffffu

/** New unit or pair (64-bit results) = op(a, b, c). */
int32_t wg_px_op(wg_px_ctx_t *x, uint8_t op, unsigned mods, int32_t a, int32_t b, int32_t c);
int32_t wg_px_op_d(wg_px_ctx_t *x, uint8_t op, unsigned mods, int32_t a, int32_t b, int32_t c);
/** The same with an immediate b. */
int32_t wg_px_opi(wg_px_ctx_t *x, uint8_t op, unsigned mods, int32_t a, uint32_t imm, int32_t c);
/** Constants in a unit, in a pair. */
int32_t wg_px_const(wg_px_ctx_t *x, uint32_t v);
int32_t wg_px_const_d(wg_px_ctx_t *x, uint64_t v);
int32_t wg_px_pair(wg_px_ctx_t *x);
/** New pair {lo, hi}. */
int32_t wg_px_join(wg_px_ctx_t *x, int32_t lo, int32_t hi);
void wg_px_mov_d(wg_px_ctx_t *x, int32_t d, int32_t s);
int32_t wg_px_logic(wg_px_ctx_t *x, unsigned lut, int32_t a, int32_t b);
int32_t wg_px_logici(wg_px_ctx_t *x, unsigned lut, int32_t a, uint32_t imm);
int32_t wg_px_add(wg_px_ctx_t *x, int32_t a, int32_t b);
int32_t wg_px_addi(wg_px_ctx_t *x, int32_t a, uint32_t imm);
int32_t wg_px_sub(wg_px_ctx_t *x, int32_t a, int32_t b);
/** Zero extended (.S32: by the sign) shift right, shift left; counts clamp. */
int32_t wg_px_shri(wg_px_ctx_t *x, int32_t a, unsigned n, bool sign);
int32_t wg_px_shli(wg_px_ctx_t *x, int32_t a, unsigned n);
/** New predicate = a cmp b. Integers: `uns` unsigned. */
int32_t wg_px_cmp(wg_px_ctx_t *x, unsigned cmp, bool uns, int32_t a, int32_t b);
int32_t wg_px_cmpi(wg_px_ctx_t *x, unsigned cmp, bool uns, int32_t a, uint32_t imm);
int32_t wg_px_cmp_d(wg_px_ctx_t *x, unsigned cmp, bool uns, int32_t a, int32_t b);
/** New predicate = p or q. */
int32_t wg_px_pred_or(wg_px_ctx_t *x, int32_t p, int32_t q);
/** p ? a : b */
int32_t wg_px_sel(wg_px_ctx_t *x, int32_t p, int32_t a, int32_t b);
int32_t wg_px_seli(wg_px_ctx_t *x, int32_t p, int32_t a, uint32_t imm); /* p ? a : imm */
int32_t wg_px_sel_d(wg_px_ctx_t *x, int32_t p, int32_t a, int32_t b);
/** Minimum or maximum of integers, b an immediate. */
int32_t wg_px_clampi(wg_px_ctx_t *x, int32_t a, uint32_t imm, bool uns, bool max);
int32_t wg_px_magnitude(wg_px_ctx_t *x, int32_t a); /* |a| as unsigned */
/** Sums of pairs. */
int32_t wg_px_add_d(wg_px_ctx_t *x, int32_t a, int32_t b);
int32_t wg_px_sub_d(wg_px_ctx_t *x, int32_t a, int32_t b);
/** Shifts of a pair by a unit, clamped at 64. */
int32_t wg_px_shl_d(wg_px_ctx_t *x, int32_t a, int32_t n);
int32_t wg_px_shr_d(wg_px_ctx_t *x, int32_t a, int32_t n, bool sign);
/** MUFU function of a. */
int32_t wg_px_mufu(wg_px_ctx_t *x, unsigned fn, int32_t a);

/** Rounding name "rn" "rm" "rp" "rz" (with a trailing 'i': `*integral`): RND value, or -1. */
int wg_px_rounding(const char *part, bool *integral);
/** Is part `i` of the opcode this word? */
static inline bool wg_px_part(const wg_px_stmt_t *s, uint32_t i, const char *word) {
  return i < s->nparts && strcmp(s->part[i], word) == 0;
}
/** Name of a comparison of floating-point numbers: FCMP value, or -1. */
int wg_px_fcmp(const char *name);
/** The `.and .or .xor` of setp and set: IBOOL/FBOOL value, or -1. */
int wg_px_bool(const char *name);
/** Second destination p|q of operand 0, -1 if there is none. */
int32_t wg_px_pdst1(wg_px_ctx_t *x, const wg_px_stmt_t *s);
/** Value of a predicate as a unit holding 0 or `one`. */
int32_t wg_px_flag(wg_px_ctx_t *x, int32_t p, uint32_t one);

#endif
