// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of the matrix instructions: one element of D = A * B + C. Integers only, no host floating point; pure
// functions, no errors. Values are bit patterns. Sources: silicon/README.md (Findings, "mma"), silicon/tensor/*.csv.
#ifndef WG_MODEL_REF_MMA_H
#define WG_MODEL_REF_MMA_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Element type of A and B; the values of modifier group MIN. */
typedef enum wg_mma_type { kWgMmaF16, kWgMmaBf16, kWgMmaTf32 } wg_mma_type_t;

/** NaN results: fp32 and fp16 accumulators. */
#define WG_MMA_NAN32 0x7fffffffu
#define WG_MMA_NAN16 0x7fffu

/**
 * c + sum of a[i] * b[i], i < k, in one step.
 * Every product is exact and has the sum of its operands' exponents as exponent (significands 1.x to 3.x, denormal
 * operands with the smallest exponent). With E the largest exponent of the terms that are not zero, every term is cut
 * towards zero to a multiple of 2^(E-25); the cut terms are added exactly; the sum is cut towards zero to fp32 or
 * rounded to nearest even to fp16. Too large: infinity. A zero result is +0. inf * 0, inf - inf, NaN: WG_MMA_NAN32,
 * WG_MMA_NAN16.
 * @param acc16 c and the result are fp16 (low half; upper half of the result 0), else fp32
 * @param a, b  [k] elements; 16-bit types in the low half, tf32: a whole fp32 word of which bits [12:0] do not count
 * @param k     1..16
 */
uint32_t wg_mma_dot(wg_mma_type_t type, bool acc16, const uint32_t *a, const uint32_t *b, unsigned k, uint32_t c);

/**
 * c + sum of a[i] * b[i] on bytes, exact, then modulo 2^32 or clamped to [-2^31, 2^31 - 1].
 * @param a_signed, b_signed bytes are signed
 * @param a, b [k] bytes; @param k 1..32
 */
uint32_t wg_mma_idot(bool a_signed, bool b_signed, bool saturate, const uint8_t *a, const uint8_t *b, unsigned k,
                     uint32_t c);

#ifdef __cplusplus
}
#endif
#endif
