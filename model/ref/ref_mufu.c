// SPDX-License-Identifier: Apache-2.0
#include "model/ref/wg_mufu.h"

#include "isa/wg_isa.h"
#include "model/ref/ref_mufu_tab.h"

enum { kFnRcp = 4 }; /* the value of .RCP in modifier MUFUF */

bool wg_mufu_defined(unsigned fn) { return fn == kFnRcp; }

/* Reciprocal of 1.f in units of 2^-28, f != 0; 128 intervals, x = offset in the interval in units of 2^-16 of it. */
static uint32_t rcp_fraction(uint32_t f) {
  uint32_t i = f >> 16, x = f & 0xffffu;
  uint32_t sq = (x * x) >> 16;
  uint32_t linear = (uint32_t)(((uint64_t)wg_mufu_rcp_c1[i] * x) >> 16);
  uint32_t square = (wg_mufu_rcp_c2[i] * sq) >> 16;
  return wg_mufu_rcp_c0[i] - linear + square;
}

static uint32_t rcp(uint32_t a) {
  uint32_t sign = a & 0x80000000u, e = (a >> 23) & 0xffu, f = a & 0x7fffffu;
  if (e == 255u) return f != 0 ? 0x7fffffffu : sign;
  if (e == 0u) return sign | 0x7f800000u;
  if (f == 0u) return e == 254u ? sign : sign | (254u - e) << 23;
  if (e >= 253u) return sign; /* below 2^-126 */
  /* 24 bits, rounded half up; the hidden bit adds one to the exponent field. */
  return sign + ((252u - e) << 23) + ((rcp_fraction(f) + 8u) >> 4);
}

uint32_t wg_mufu(unsigned fn, uint32_t a) { return fn == kFnRcp ? rcp(a) : 0u; }
