// SPDX-License-Identifier: Apache-2.0
//
// IEEE 754 binary32 in integers only: no host floating point, no rounding modes of the host. Values are bit patterns.
// Pure functions. Source: IEEE 754-2019 for results; silicon/README.md (Findings) for NaN (always 0x7fffffff), for FTZ
// (tiny before rounding gives zero) and for min/max (the operand that is no NaN; -0 < +0).
#ifndef WG_MODEL_REF_FP32_H
#define WG_MODEL_REF_FP32_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Rounding: values of modifier group RND. */
typedef enum wg_round { kWgRoundRN = 0, kWgRoundRM = 1, kWgRoundRP = 2, kWgRoundRZ = 3 } wg_round_t;

/** How an fp32 operation treats its inputs and result. */
typedef struct wg_fp_mode {
  wg_round_t round;
  bool ftz; /* denormal inputs and results that are tiny before rounding become zero of their sign */
  bool sat; /* result clamped to [+0, 1]; NaN becomes +0 */
} wg_fp_mode_t;

#define WG_FP32_NAN 0x7fffffffu

/** a + b. */
uint32_t wg_fp32_add(uint32_t a, uint32_t b, wg_fp_mode_t mode);
/** a * b. */
uint32_t wg_fp32_mul(uint32_t a, uint32_t b, wg_fp_mode_t mode);
/** a * b + c, rounded once. */
uint32_t wg_fp32_fma(uint32_t a, uint32_t b, uint32_t c, wg_fp_mode_t mode);
/** Smaller (`min`) or larger of a and b. */
uint32_t wg_fp32_minmax(uint32_t a, uint32_t b, bool min, bool ftz);
/**
 * Compare.
 * @param cond value of modifier group FCMP: bit 0 less, bit 1 equal, bit 2 greater, bit 3 unordered make it true
 */
bool wg_fp32_compare(uint32_t a, uint32_t b, unsigned cond, bool ftz);
/**
 * True if a / b must take the slow division path: an exponent field of 0 or 255 (zero, denormal, infinity, NaN), a
 * divisor exponent below 3 or above 252 (biased), a dividend exponent below 25, or an exponent difference outside
 * [-125, 126].
 */
bool wg_fp32_check(uint32_t a, uint32_t b);

#ifdef __cplusplus
}
#endif
#endif
