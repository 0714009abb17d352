// SPDX-License-Identifier: Apache-2.0
//
// MUFU, the special function unit, bit for bit as rtl/exec/sm_sfu_lane.sv: table and quadratic interpolation in
// integers. Pure functions, no state.
#ifndef WG_MODEL_REF_MUFU_H
#define WG_MODEL_REF_MUFU_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Does the unit compute function `fn` (value of modifier MUFUF: 0 COS, 1 SIN, 2 EX2, 3 LG2, 4 RCP, 5 RSQ, 6 SQRT,
 * 7 TANH, 8 RCP64H, 9 RSQ64H)? isa/isa.def names those that instructions may use.
 */
bool wg_mufu_defined(unsigned fn);

/**
 * Function `fn` of `a`, both fp32 bit patterns, or both upper words of fp64 numbers. `a` has its marks (-, ||) applied
 * already.
 * Denormal inputs count as zero, results below 2^-126 become zero, NaN results are 0x7fffffff. RCP is within 1 ulp of
 * the correctly rounded reciprocal; RSQ and SQRT within a relative error of 2^-23, EX2 of 2^-22.5; LG2 within an
 * absolute error of 2^-24 on (0.5, 2). SIN and COS take turns (2 pi = 1.0): absolute error 2^-22 within one turn.
 * TANH is within a relative error of 2^-17; below 2^-8 (denormals too) it is its argument, from 8 on one.
 * RCP64H, RSQ64H: a seed for Newton's iteration, as rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 of PTX: the operand's
 * lower word counts as zero; the result is cut to 20 fraction bits, within a relative error of 2^-20, powers of two
 * exact. Denormal operands count as zero of their sign and give an infinity of their sign, denormal results zero;
 * infinity gives zero; NaN, and RSQ64H of anything else below zero, 0x7fffffff.
 * @return the result; 0 for an undefined function (the instruction faults before this is used).
 */
uint32_t wg_mufu(unsigned fn, uint32_t a);

#ifdef __cplusplus
}
#endif
#endif
