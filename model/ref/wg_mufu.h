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

/** Does the unit compute function `fn` (value of modifier MUFUF)? Only .RCP so far. */
bool wg_mufu_defined(unsigned fn);

/**
 * Function `fn` of `a`, both fp32 bit patterns. `a` has its marks (-, ||) applied already.
 * RCP: denormal inputs count as zero, results below 2^-126 become zero, NaN gives 0x7fffffff; within 1 ulp of the
 * correctly rounded reciprocal for every normal input.
 * @return the result; 0 for an undefined function (the instruction faults before this is used).
 */
uint32_t wg_mufu(unsigned fn, uint32_t a);

#ifdef __cplusplus
}
#endif
#endif
