// SPDX-License-Identifier: Apache-2.0
#include "model/ref/wg_ref_mma.h"

/* An operand or addend: (-1)^neg * m * 2^(e - 10) (operand), * 2^(e - 25) (term). */
typedef struct num {
  bool neg, nan, inf;
  int e;
  uint64_t m;
} num_t;

/* Layout of a format: exponent bits, fraction bits. */
typedef struct fmt {
  int exp_bits, frac_bits;
} fmt_t;

static const fmt_t kF16 = {5, 10}, kF32 = {8, 23};

enum { kCut = 25 }; /* fraction bits of an aligned term */

static num_t unpack(uint32_t x, fmt_t f) {
  num_t n;
  uint32_t e = x >> f.frac_bits & ((1u << f.exp_bits) - 1u), frac = x & ((1u << f.frac_bits) - 1u);
  bool special = e == (1u << f.exp_bits) - 1u;
  n.neg = (x >> (f.exp_bits + f.frac_bits) & 1u) != 0u;
  n.nan = special && frac != 0u;
  n.inf = special && frac == 0u;
  n.e = (e == 0u ? 1 : (int)e) - ((1 << (f.exp_bits - 1)) - 1);
  n.m = frac | (uint64_t)(e != 0u) << f.frac_bits;
  return n;
}

static num_t operand(wg_mma_type_t type, uint32_t x) {
  static const fmt_t kFmt[3] = {{5, 10}, {8, 7}, {8, 10}};
  num_t n = unpack(type == kWgMmaTf32 ? x >> 13 : x & 0xffffu, kFmt[type]);
  n.m <<= 10 - kFmt[type].frac_bits;
  return n;
}

static num_t product(num_t x, num_t y) {
  num_t p;
  p.neg = x.neg != y.neg;
  p.inf = x.inf || y.inf;
  p.nan = x.nan || y.nan || (x.inf && !y.inf && y.m == 0u) || (y.inf && !x.inf && x.m == 0u);
  p.e = x.e + y.e;
  p.m = x.m * y.m << (kCut - 20);
  return p;
}

/* |sum| * 2^unit as fp32 (cut) or fp16 (nearest even). */
static uint32_t pack(bool neg, uint64_t sum, int unit, fmt_t f, bool nearest) {
  if (sum == 0u) return 0u;
  int bias = (1 << (f.exp_bits - 1)) - 1;
  int e = 63 - __builtin_clzll(sum) + unit;
  if (e < 1 - bias) e = 1 - bias;
  int drop = e - f.frac_bits - unit;
  uint64_t n;
  if (drop <= 0) {
    n = sum << -drop;
  } else if (drop > 40) {
    n = 0u; /* below half of the smallest denormal: sums have at most 33 bits */
  } else {
    uint64_t rest = sum & ((UINT64_C(1) << drop) - 1u), half = UINT64_C(1) << (drop - 1);
    n = sum >> drop;
    if (nearest && (rest > half || (rest == half && (n & 1u) != 0u))) n++;
  }
  if (n == 0u) return 0u;
  /* the hidden bit of a normal number counts one into the exponent field; a carry of the rounding too */
  uint64_t bits = ((uint64_t)(e + bias - 1) << f.frac_bits) + n;
  uint64_t inf = ((UINT64_C(1) << f.exp_bits) - 1u) << f.frac_bits;
  return (uint32_t)(bits >= inf ? inf : bits) | (uint32_t)neg << (f.exp_bits + f.frac_bits);
}

typedef struct special {
  bool nan, plus_inf, minus_inf;
} special_t;

static void note(special_t *s, const num_t *n) {
  if (n->nan) s->nan = true;
  if (n->inf && n->neg) s->minus_inf = true;
  if (n->inf && !n->neg) s->plus_inf = true;
}

uint32_t wg_mma_dot(wg_mma_type_t type, bool acc16, const uint32_t *a, const uint32_t *b, unsigned k, uint32_t c) {
  num_t term[17];
  special_t sp = {false, false, false};
  fmt_t f = acc16 ? kF16 : kF32;
  for (unsigned i = 0; i < k; i++) term[i] = product(operand(type, a[i]), operand(type, b[i]));
  term[k] = unpack(c, f);
  term[k].m <<= kCut - f.frac_bits;
  int top = 0;
  bool any = false;
  for (unsigned i = 0; i <= k; i++) {
    note(&sp, &term[i]);
    if (term[i].m == 0u) continue;
    if (!any || term[i].e > top) top = term[i].e;
    any = true;
  }
  if (sp.nan || (sp.plus_inf && sp.minus_inf)) return acc16 ? WG_MMA_NAN16 : WG_MMA_NAN32;
  if (sp.plus_inf) return acc16 ? 0x7c00u : 0x7f800000u;
  if (sp.minus_inf) return acc16 ? 0xfc00u : 0xff800000u;
  int64_t sum = 0;
  for (unsigned i = 0; i <= k; i++) {
    int shift = top - term[i].e;
    if (term[i].m == 0u || shift > 63) continue;
    int64_t t = (int64_t)(term[i].m >> shift);
    sum += term[i].neg ? -t : t;
  }
  return pack(sum < 0, (uint64_t)(sum < 0 ? -sum : sum), top - kCut, f, acc16);
}

static int64_t byte_of(uint8_t x, bool is_signed) { return is_signed && x > 127u ? (int64_t)x - 256 : (int64_t)x; }

uint32_t wg_mma_idot(bool a_signed, bool b_signed, bool saturate, const uint8_t *a, const uint8_t *b, unsigned k,
                     uint32_t c) {
  int64_t sum = (int64_t)(int32_t)c;
  for (unsigned i = 0; i < k; i++) sum += byte_of(a[i], a_signed) * byte_of(b[i], b_signed);
  if (saturate && sum > INT32_MAX) sum = INT32_MAX;
  if (saturate && sum < INT32_MIN) sum = INT32_MIN;
  return (uint32_t)(uint64_t)sum;
}
