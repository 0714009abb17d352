// SPDX-License-Identifier: Apache-2.0
//
// IEEE 754 binary64 in integers only: no host floating point, no rounding modes of the host. Values are bit patterns.
// Pure functions, no errors. Source: IEEE 754-2019 for results; silicon/README.md (Findings) and silicon/ops/f64_*.csv
// for NaN: the result keeps sign and payload of a NaN operand with the quiet bit set, of several NaNs those of c before
// b before a; an invalid operation gives WG_FP64_NAN.
#ifndef WG_MODEL_REF_FP64_H
#define WG_MODEL_REF_FP64_H

#include "isa/wg_base.h"
#include "model/ref/wg_ref_fp32.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Result of inf - inf, 0 * inf. */
#define WG_FP64_NAN 0xfff8000000000000u

/** a + b. */
uint64_t wg_fp64_add(uint64_t a, uint64_t b, wg_round_t round);
/** a * b. */
uint64_t wg_fp64_mul(uint64_t a, uint64_t b, wg_round_t round);
/** a * b + c, rounded once. 0 * inf + NaN gives the NaN. */
uint64_t wg_fp64_fma(uint64_t a, uint64_t b, uint64_t c, wg_round_t round);
/** Smaller (`min`) or larger of a and b; -0 < +0. The operand that is no NaN wins; of two NaNs b, quiet. */
uint64_t wg_fp64_minmax(uint64_t a, uint64_t b, bool min);
/**
 * Compare.
 * @param cond value of modifier group FCMP: bit 0 less, bit 1 equal, bit 2 greater, bit 3 unordered make it true
 */
bool wg_fp64_compare(uint64_t a, uint64_t b, unsigned cond);
/** Marks of an operand: |x| first, then -x. A NaN stays as it is (silicon: sub keeps the sign of b's NaN). */
uint64_t wg_fp64_mark(uint64_t x, bool abs, bool neg);

#ifdef __cplusplus
}
#endif
#endif
