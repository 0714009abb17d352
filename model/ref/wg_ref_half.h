// SPDX-License-Identifier: Apache-2.0
//
// fp16 and bf16 arithmetic in integers only; values are bit patterns, one number in 16 bits. Pure functions.
// Source: IEEE 754-2019 for results; silicon/README.md (Findings) for NaN (always 0x7fff), FTZ (tiny before rounding
// gives zero) and min/max; PTX ISA for .sat and .relu.
#ifndef WG_MODEL_REF_HALF_H
#define WG_MODEL_REF_HALF_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Format and treatment of operands and result. Rounding is to nearest even. */
typedef struct wg_half_mode {
  bool bf16; /* else fp16 */
  bool ftz;  /* denormal operands and results that are tiny before rounding become zero of their sign */
  bool sat;  /* result clamped to [+0, 1]; NaN becomes +0 */
  bool relu; /* result below 0, or -0, becomes +0; NaN stays */
} wg_half_mode_t;

#define WG_HALF_NAN 0x7fffu

/** a * b + c, rounded once. */
uint16_t wg_half_fma(uint16_t a, uint16_t b, uint16_t c, wg_half_mode_t mode);
/** a + b. */
uint16_t wg_half_add(uint16_t a, uint16_t b, wg_half_mode_t mode);
/** a * b. */
uint16_t wg_half_mul(uint16_t a, uint16_t b, wg_half_mode_t mode);
/** Smaller (`min`) or larger; of a number and a NaN the number, or with `nan` the NaN; -0 < +0. Uses bf16 and ftz. */
uint16_t wg_half_minmax(uint16_t a, uint16_t b, bool min, bool nan, wg_half_mode_t mode);
/** Compare. @param cond value of modifier group FCMP. Uses bf16 and ftz of the mode. */
bool wg_half_compare(uint16_t a, uint16_t b, unsigned cond, wg_half_mode_t mode);

#ifdef __cplusplus
}
#endif
#endif
