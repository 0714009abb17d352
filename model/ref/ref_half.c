// SPDX-License-Identifier: Apache-2.0
#include "model/ref/wg_ref_half.h"

#include "model/ref/wg_ref_cvt.h"

enum { kTop = 60 }; /* alignment position of the leading one: far more than a product's 22 bits below it */

static wg_fmt_t fmt_of(wg_half_mode_t mode) { return mode.bf16 ? kWgFmtBF16 : kWgFmtF16; }

static uint16_t flush_input(uint16_t x, wg_half_mode_t mode) {
  return mode.ftz && (x & wg_flt_inf(fmt_of(mode), false)) == 0u ? (uint16_t)(x & 0x8000u) : x;
}

static wg_flt_t unpack(uint16_t x, wg_half_mode_t mode) {
  return wg_flt_unpack(fmt_of(mode), flush_input(x, mode));
}

static uint16_t finish(uint64_t r, wg_half_mode_t mode) {
  uint64_t one = wg_flt_one(fmt_of(mode));
  bool nan = (r & 0x7fffu) > wg_flt_inf(fmt_of(mode), false);
  if (nan) return mode.sat ? 0u : WG_HALF_NAN;
  if ((mode.sat || mode.relu) && (r & 0x8000u) != 0u) return 0u;
  return (uint16_t)(mode.sat && r > one ? one : r);
}

static wg_flt_t align_top(wg_flt_t v) {
  int s = kTop - (63 - __builtin_clzll(v.m));
  v.m <<= s;
  v.e -= s;
  return v;
}

/* x + y, both finite, both magnitudes non-zero: exact but for a sticky lowest bit. */
static wg_flt_t add(wg_flt_t x, wg_flt_t y) {
  x = align_top(x);
  y = align_top(y);
  if (x.e < y.e || (x.e == y.e && x.m < y.m)) {
    wg_flt_t t = x;
    x = y;
    y = t;
  }
  int n = x.e - y.e;
  uint64_t shifted = n > 63 ? 0u : y.m >> n;
  if (n > 63 || shifted << n != y.m) shifted |= 1u;
  x.m = x.sign == y.sign ? x.m + shifted : x.m - shifted;
  if (x.m == 0u) x = (wg_flt_t){kWgFltZero, false, 0u, 0};
  return x;
}

/* Sum of two numbers of which one may be zero. An exact zero of unlike signs is +0. */
static wg_flt_t sum(wg_flt_t x, wg_flt_t y) {
  if (x.kind != kWgFltZero && y.kind != kWgFltZero) return add(x, y);
  if (x.kind == kWgFltZero && y.kind == kWgFltZero) {
    x.sign = x.sign && y.sign;
    return x;
  }
  return x.kind == kWgFltZero ? y : x;
}

uint16_t wg_half_fma(uint16_t a, uint16_t b, uint16_t c, wg_half_mode_t mode) {
  wg_fmt_t fmt = fmt_of(mode);
  wg_flt_t x = unpack(a, mode), y = unpack(b, mode), z = unpack(c, mode);
  bool sign = x.sign != y.sign;
  bool inf = x.kind == kWgFltInf || y.kind == kWgFltInf;
  bool zero = x.kind == kWgFltZero || y.kind == kWgFltZero;
  if (x.kind == kWgFltNan || y.kind == kWgFltNan || z.kind == kWgFltNan || (inf && zero))
    return finish(WG_HALF_NAN, mode);
  if (inf && z.kind == kWgFltInf && z.sign != sign) return finish(WG_HALF_NAN, mode);
  if (inf) return finish(wg_flt_inf(fmt, sign), mode);
  if (z.kind == kWgFltInf) return finish(wg_flt_inf(fmt, z.sign), mode);
  wg_flt_t p = {zero ? kWgFltZero : kWgFltFinite, sign, x.m * y.m, x.e + y.e};
  return finish(wg_flt_pack(fmt, sum(p, z), (wg_flt_mode_t){kWgFltRN, mode.ftz, false}), mode);
}

uint16_t wg_half_add(uint16_t a, uint16_t b, wg_half_mode_t mode) {
  return wg_half_fma(a, (uint16_t)wg_flt_one(fmt_of(mode)), b, mode);
}

uint16_t wg_half_mul(uint16_t a, uint16_t b, wg_half_mode_t mode) {
  return wg_half_fma(a, b, (uint16_t)((a ^ b) & 0x8000u), mode);
}

/* Order-preserving key: -0 sorts below +0. */
static int key_of(uint16_t x) { return (x & 0x8000u) != 0u ? -(int)(x & 0x7fffu) - 1 : (int)x; }

uint16_t wg_half_minmax(uint16_t a, uint16_t b, bool min, bool nan, wg_half_mode_t mode) {
  a = flush_input(a, mode);
  b = flush_input(b, mode);
  bool nan_a = unpack(a, mode).kind == kWgFltNan;
  bool nan_b = unpack(b, mode).kind == kWgFltNan;
  if ((nan_a && nan_b) || (nan && (nan_a || nan_b))) return WG_HALF_NAN;
  if (nan_a) return b;
  if (nan_b) return a;
  return (key_of(a) < key_of(b)) == min ? a : b;
}

bool wg_half_compare(uint16_t a, uint16_t b, unsigned cond, wg_half_mode_t mode) {
  a = flush_input(a, mode);
  b = flush_input(b, mode);
  if (unpack(a, mode).kind == kWgFltNan || unpack(b, mode).kind == kWgFltNan) return (cond >> 3 & 1u) != 0u;
  if (((a | b) & 0x7fffu) == 0u || a == b) return (cond >> 1 & 1u) != 0u;
  return (cond >> (key_of(a) < key_of(b) ? 0u : 2u) & 1u) != 0u;
}
