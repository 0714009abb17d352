// SPDX-License-Identifier: Apache-2.0
#include "model/ref/wg_ref_fp64.h"

/* A finite non-zero magnitude m * 2^e, m not normalised. 128 bits hold a 106-bit product and room to align. */
__extension__ typedef unsigned __int128 u128_t;

typedef struct mag {
  u128_t m;
  int e;
} mag_t;

enum { kTop = 126 }; /* alignment position of the leading one: 21 spare bits below a product, one above for the carry */

static const uint64_t kSign = (uint64_t)1 << 63;
static const uint64_t kInf = 0x7ff0000000000000u;
static const uint64_t kHidden = (uint64_t)1 << 52;
static const uint64_t kQuiet = (uint64_t)1 << 51;

static uint32_t exp_of(uint64_t x) { return (uint32_t)(x >> 52) & 0x7ffu; }
static uint64_t frac_of(uint64_t x) { return x & (kHidden - 1u); }
static uint64_t sign_of(uint64_t x) { return x & kSign; }
static bool is_nan(uint64_t x) { return (x & ~kSign) > kInf; }
static bool is_inf(uint64_t x) { return (x & ~kSign) == kInf; }
static bool is_zero(uint64_t x) { return (x << 1) == 0u; }

static mag_t mag_of(uint64_t x) {
  uint32_t e = exp_of(x);
  mag_t r;
  r.m = e == 0u ? frac_of(x) : (frac_of(x) | kHidden);
  r.e = (e == 0u ? 1 : (int)e) - 1023 - 52;
  return r;
}

static int top_bit(u128_t m) {
  uint64_t hi = (uint64_t)(m >> 64);
  uint64_t lo = (uint64_t)m;
  return hi != 0u ? 127 - __builtin_clzll(hi) : 63 - __builtin_clzll(lo);
}

/* Shift right; every bit lost is kept in the lowest one ("sticky"). */
static u128_t shift_right_jam(u128_t m, int n) {
  if (n <= 0) return m;
  if (n > 127) return m != 0u ? 1u : 0u;
  u128_t lost = m & ((((u128_t)1) << n) - 1u);
  return (m >> n) | (lost != 0u ? 1u : 0u);
}

static uint64_t overflow(uint64_t sign, wg_round_t round) {
  bool to_inf = round == kWgRoundRN || (round == kWgRoundRP && sign == 0u) || (round == kWgRoundRM && sign != 0u);
  return sign | (to_inf ? kInf : kInf - 1u);
}

/* Does a magnitude round up? `rest`: 0 exact, 1 below half, 2 half, 3 above half of the last place of `kept`. */
static bool rounds_up(uint64_t sign, uint64_t kept, unsigned rest, wg_round_t round) {
  switch (round) {
    case kWgRoundRN: return rest == 3u || (rest == 2u && (kept & 1u) != 0u);
    case kWgRoundRM: return rest != 0u && sign != 0u;
    case kWgRoundRP: return rest != 0u && sign == 0u;
    default: return false;
  }
}

/* Round the exact (or sticky-jammed) non-zero value to binary64. */
static uint64_t round_pack(uint64_t sign, mag_t v, wg_round_t round) {
  int e = top_bit(v.m) + v.e; /* exponent of the leading one */
  if (e > 1023) return overflow(sign, round);
  int ulp = (e < -1022 ? -1022 : e) - 52; /* weight of the result's lowest bit */
  int drop = ulp - v.e;
  uint64_t kept;
  unsigned rest;
  if (drop <= 0) {
    kept = (uint64_t)(v.m << -drop);
    rest = 0u;
  } else {
    /* two bits below the last place; the jam puts all further ones into the lower of them */
    u128_t j = drop == 1 ? v.m << 1 : shift_right_jam(v.m, drop - 2);
    kept = (uint64_t)(j >> 2);
    rest = (unsigned)j & 3u;
  }
  if (rounds_up(sign, kept, rest, round)) kept++;
  /* kept = 1.52 fixed point, or a denormal; a carry out moves into the exponent field by itself */
  uint64_t field = e < -1022 ? 0u : (uint64_t)(e + 1023 - 1);
  uint64_t bits = (field << 52) + kept;
  return bits >= kInf ? overflow(sign, round) : sign | bits;
}

static mag_t align_top(mag_t v) {
  int s = kTop - top_bit(v.m);
  v.m <<= s;
  v.e -= s;
  return v;
}

static uint64_t exact_zero(wg_round_t round) { return round == kWgRoundRM ? kSign : 0u; }

/* x + y, both finite, magnitudes non-zero, signs given. */
static uint64_t add_mags(uint64_t xs, mag_t x, uint64_t ys, mag_t y, wg_round_t round) {
  x = align_top(x);
  y = align_top(y);
  if (x.e < y.e) {
    mag_t t = x;
    x = y;
    y = t;
    uint64_t ts = xs;
    xs = ys;
    ys = ts;
  }
  y.m = shift_right_jam(y.m, x.e - y.e);
  if (xs == ys) {
    x.m += y.m;
    return round_pack(xs, x, round);
  }
  if (x.m == y.m) return exact_zero(round);
  if (x.m > y.m) {
    x.m -= y.m;
    return round_pack(xs, x, round);
  }
  x.m = y.m - x.m; /* only when the exponents are equal: nothing was jammed */
  return round_pack(ys, x, round);
}

/* At least one of x, y is zero, none is a NaN or an infinity. */
static uint64_t add_zero_case(uint64_t x, uint64_t y, wg_round_t round) {
  if (is_zero(x) && is_zero(y)) return sign_of(x) == sign_of(y) ? sign_of(x) : exact_zero(round);
  return is_zero(x) ? y : x;
}

uint64_t wg_fp64_add(uint64_t a, uint64_t b, wg_round_t round) {
  if (is_nan(b)) return b | kQuiet;
  if (is_nan(a)) return a | kQuiet;
  if (is_inf(a)) return is_inf(b) && sign_of(a) != sign_of(b) ? WG_FP64_NAN : a;
  if (is_inf(b)) return b;
  if (is_zero(a) || is_zero(b)) return add_zero_case(a, b, round);
  return add_mags(sign_of(a), mag_of(a), sign_of(b), mag_of(b), round);
}

static mag_t mul_mags(uint64_t a, uint64_t b) {
  mag_t x = mag_of(a);
  mag_t y = mag_of(b);
  x.m *= y.m;
  x.e += y.e;
  return x;
}

uint64_t wg_fp64_mul(uint64_t a, uint64_t b, wg_round_t round) {
  uint64_t sign = sign_of(a ^ b);
  if (is_nan(b)) return b | kQuiet;
  if (is_nan(a)) return a | kQuiet;
  if (is_inf(a) || is_inf(b)) return is_zero(a) || is_zero(b) ? WG_FP64_NAN : sign | kInf;
  if (is_zero(a) || is_zero(b)) return sign;
  return round_pack(sign, mul_mags(a, b), round);
}

uint64_t wg_fp64_fma(uint64_t a, uint64_t b, uint64_t c, wg_round_t round) {
  uint64_t sign = sign_of(a ^ b);
  if (is_nan(c)) return c | kQuiet;
  if (is_nan(b)) return b | kQuiet;
  if (is_nan(a)) return a | kQuiet;
  if (is_inf(a) || is_inf(b)) {
    if (is_zero(a) || is_zero(b)) return WG_FP64_NAN;
    return is_inf(c) && sign_of(c) != sign ? WG_FP64_NAN : sign | kInf;
  }
  if (is_inf(c)) return c;
  if (is_zero(a) || is_zero(b)) return add_zero_case(sign, c, round);
  mag_t p = mul_mags(a, b);
  if (is_zero(c)) return round_pack(sign, p, round);
  return add_mags(sign, p, sign_of(c), mag_of(c), round);
}

/* -1, 0, 1 for x below, equal to, above y as sign and magnitude; -0 is below +0. */
static int order_of(uint64_t x, uint64_t y) {
  if (sign_of(x) != sign_of(y)) return sign_of(x) != 0u ? -1 : 1;
  if (x == y) return 0;
  return (x < y) != (sign_of(x) != 0u) ? -1 : 1;
}

uint64_t wg_fp64_minmax(uint64_t a, uint64_t b, bool min) {
  if (is_nan(a) && is_nan(b)) return b | kQuiet;
  if (is_nan(a)) return b;
  if (is_nan(b)) return a;
  return (order_of(a, b) < 0) == min ? a : b;
}

bool wg_fp64_compare(uint64_t a, uint64_t b, unsigned cond) {
  if (is_nan(a) || is_nan(b)) return (cond >> 3 & 1u) != 0u;
  if (is_zero(a) && is_zero(b)) return (cond >> 1 & 1u) != 0u;
  return (cond >> (order_of(a, b) + 1) & 1u) != 0u;
}

uint64_t wg_fp64_mark(uint64_t x, bool abs, bool neg) {
  if (is_nan(x)) return x;
  if (abs) x &= ~kSign;
  return neg ? x ^ kSign : x;
}
