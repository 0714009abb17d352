// SPDX-License-Identifier: Apache-2.0
#include "model/ref/wg_mufu.h"

#include "model/ref/ref_mufu_tab.h"

/* Values of modifier MUFUF. */
enum { kFnCos, kFnSin, kFnEx2, kFnLg2, kFnRcp, kFnRsq, kFnSqrt, kFnTanh, kFnRcp64h, kFnRsq64h };

enum { kNaN = 0x7fffffff, kInf = 0x7f800000, kInf64h = 0x7ff00000, kOne = 0x3f800000 };

/* What stage 1 of the unit makes of an operand: a finished result, or sign * 2^scale * (whole + table(row, x)). */
typedef struct mufu_in {
  bool plain;
  uint32_t value; /* the finished result */
  bool sign;
  bool exact;     /* the table's value is replaced by `whole` alone */
  bool upper;     /* the result is the upper word of an fp64 number */
  int scale, whole;
  uint32_t row;   /* function * 128 + interval */
  uint32_t x;     /* offset in the interval, 16 bits */
} mufu_in_t;

static mufu_in_t plain(uint32_t v) { return (mufu_in_t){.plain = true, .value = v}; }

/* u = 23-bit fraction: argument of table `fn`. */
static mufu_in_t table(uint32_t fn, uint32_t u, bool sign, int scale) {
  return (mufu_in_t){.sign = sign, .scale = scale, .row = fn << 7 | u >> 16, .x = u & 0xffffu};
}

/* |a| as fixed point with 25 fraction bits, modulo 2^32, truncated. */
static uint32_t fixed25(uint32_t e, uint32_t f) {
  uint32_t m = 0x800000u | f;
  if (e >= 125u) return e - 125u < 32u ? m << (e - 125u) : 0u;
  return 125u - e < 32u ? m >> (125u - e) : 0u;
}

/* rcp, rsq, sqrt, lg2; e is neither 0 nor 255 and a is not negative unless rcp. */
static mufu_in_t algebraic(unsigned fn, bool sign, uint32_t e, uint32_t f) {
  int power = (int)e - 127;
  int half = (int)((e + 1u) >> 1) - 64; /* power = 2 half, or 2 half + 1 */
  bool odd = (e & 1u) == 0u;
  mufu_in_t in;
  switch (fn) {
    case kFnRcp: return table(kMufuRcp, f, sign, -power);
    case kFnRsq: return table(odd ? kMufuRsqOdd : kMufuRsqEven, f, false, -half);
    case kFnSqrt: return table(odd ? kMufuSqrtOdd : kMufuSqrtEven, f, false, half);
    default:
      in = table(kMufuLg2, f, false, 0);
      in.whole = power;
      in.exact = f == 0u;
      return in;
  }
}

static mufu_in_t exponential(bool sign, uint32_t e, uint32_t f) {
  if (e >= 134u) return plain(sign ? 0u : kInf);
  uint64_t x = fixed25(e, f);
  int64_t v = sign ? -(int64_t)x : (int64_t)x; /* 34 bits, 25 of them fraction */
  return table(kMufuEx2, (uint32_t)(v >> 2) & 0x7fffffu, false, (int)(v >> 25));
}

/* Argument in turns, modulo one. cos: a quarter ahead of |a|. */
static mufu_in_t wave(bool cosine, bool sign, uint32_t e, uint32_t f) {
  uint32_t y = fixed25(e, f) + (cosine ? 1u << 23 : 0u);
  uint32_t t = y & 0x7fffffu;
  bool mirror = (y >> 23 & 1u) != 0u, lower = (y >> 24 & 1u) != 0u;
  mufu_in_t in = table(kMufuSin, mirror ? 0x800000u - t : t, (sign && !cosine) != lower, 0);
  in.exact = t == 0u;
  in.whole = mirror && in.exact ? 1 : 0;
  in.row &= kMufuSin << 7 | 127u; /* t = 0 mirrored leaves the table; `exact` covers it */
  return in;
}

/* RCP64H, RSQ64H: a is the upper word of an fp64 number whose lower word counts as zero. */
static mufu_in_t unpack64h(unsigned fn, uint32_t a) {
  uint32_t e = a >> 20 & 0x7ffu, f = a & 0xfffffu, s = a & 0x80000000u;
  if (e == 0x7ffu && f != 0u) return plain(kNaN);
  if (e == 0u) return plain(s | kInf64h); /* denormals count as zero */
  if (s != 0u && fn == kFnRsq64h) return plain(kNaN);
  if (e == 0x7ffu) return plain(s);
  int half = (int)((e + 1u) >> 1) - 512; /* e - 1023 = 2 half, or 2 half + 1 */
  uint32_t rsq = (e & 1u) == 0u ? kMufuRsqOdd : kMufuRsqEven;
  mufu_in_t in = fn == kFnRcp64h ? table(kMufuRcp, f << 3, s != 0u, 1023 - (int)e) : table(rsq, f << 3, false, -half);
  in.upper = true;
  return in;
}

/* tanh: below 2^-8 its argument, from 8 one. The table is cut by exponent: 16 intervals from 1/4, 8 below. */
static mufu_in_t tangent(uint32_t a) {
  uint32_t e = a >> 23 & 0xffu, f = a & 0x7fffffu, s = a & 0x80000000u;
  if (e < 119u) return plain(a);
  if (e >= 130u) return plain(s | kOne);
  uint32_t u = e >= 125u ? (e - 125u) << 20 | f >> 3 : (e - 109u) << 19 | f >> 4;
  return table(kMufuTanh, u, s != 0u, (int)e - 127 + 4);
}

static mufu_in_t unpack(unsigned fn, uint32_t a) {
  bool sign = a >> 31 != 0u;
  uint32_t e = a >> 23 & 0xffu, f = a & 0x7fffffu, s = a & 0x80000000u;
  bool periodic = fn == kFnSin || fn == kFnCos;
  if (fn >= kFnRcp64h) return unpack64h(fn, a);
  if (e == 255u && (f != 0u || periodic)) return plain(kNaN);
  if (fn == kFnTanh) return tangent(a);
  if (e == 0u) {
    switch (fn) { /* denormals count as zero */
      case kFnCos: case kFnEx2: return plain(kOne);
      case kFnSin: case kFnSqrt: return plain(s);
      case kFnLg2: return plain(0x80000000u | kInf);
      default: return plain(s | kInf);
    }
  }
  if (periodic) return wave(fn == kFnCos, sign, e, f);
  if (fn == kFnEx2) return exponential(sign, e, f);
  if (sign && fn != kFnRcp) return plain(kNaN);
  if (e == 255u) return plain(fn == kFnRcp || fn == kFnRsq ? s : kInf);
  return algebraic(fn, sign, e, f);
}

/* sign * mag * 2^(scale - 28) as fp32: rounded half up, no denormals. */
static uint32_t pack(bool sign, uint64_t mag, int scale) {
  uint32_t s = sign ? 0x80000000u : 0u;
  if (mag == 0u) return s;
  int top = 63;
  while ((mag >> top & 1u) == 0u) top--;
  int field = 127 + scale + top - 28 - 1; /* less one: the hidden bit adds it */
  uint64_t m = mag << (36 - top);         /* top bit to 36: 24 bits from [36:13] */
  int64_t r = (int64_t)field * 0x800000 + (int64_t)((m + 0x1000u) >> 13);
  if (r < 0x800000) return s;
  return r >= kInf ? s | kInf : s | (uint32_t)r;
}

/* The same as the upper word of an fp64 number: 24 bits first, as above, then cut to 21. The tables' functions keep the
   result finite. */
static uint32_t pack64h(bool sign, uint64_t mag, int scale) {
  uint32_t s = sign ? 0x80000000u : 0u;
  int top = 63;
  while ((mag >> top & 1u) == 0u) top--;
  int field = 1023 + scale + top - 28 - 1;
  uint64_t m = mag << (36 - top);
  int64_t r = (int64_t)field * 0x800000 + (int64_t)((m + 0x1000u) >> 13);
  return r < 0x800000 ? s : s | (uint32_t)(r >> 3);
}

bool wg_mufu_defined(unsigned fn) { return fn <= kFnRsq64h; }

uint32_t wg_mufu(unsigned fn, uint32_t a) {
  if (!wg_mufu_defined(fn)) return 0u;
  mufu_in_t in = unpack(fn, a);
  if (in.plain) return in.value;
  const int32_t *c = wg_mufu_table[in.row];
  int64_t v = (int64_t)in.whole * (1 << 28);
  if (!in.exact) {
    int64_t sq = (int64_t)in.x * in.x >> 16;
    v += c[0] + ((int64_t)c[1] * in.x >> 16) + ((int64_t)c[2] * sq >> 16);
  }
  if (in.upper) return pack64h(in.sign, (uint64_t)v, in.scale);
  return pack(in.sign != (v < 0), (uint64_t)(v < 0 ? -v : v), in.scale);
}
