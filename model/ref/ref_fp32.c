// SPDX-License-Identifier: Apache-2.0
#include "model/ref/wg_ref_fp32.h"

/* A finite non-zero magnitude m * 2^e, m not normalised. 128 bits hold a 48-bit product and room to align. */
__extension__ typedef unsigned __int128 u128_t;

typedef struct mag {
  u128_t m;
  int e;
} mag_t;

enum { kTop = 100 }; /* alignment position of the leading one: 52 spare bits below a product, 27 above */

static uint32_t exp_of(uint32_t x) { return (x >> 23) & 0xffu; }
static uint32_t frac_of(uint32_t x) { return x & 0x7fffffu; }
static bool is_nan(uint32_t x) { return exp_of(x) == 255u && frac_of(x) != 0u; }
static bool is_inf(uint32_t x) { return exp_of(x) == 255u && frac_of(x) == 0u; }
static bool is_zero(uint32_t x) { return (x << 1) == 0u; }
static uint32_t sign_of(uint32_t x) { return x & 0x80000000u; }

static uint32_t flush_input(uint32_t x, bool ftz) {
  return ftz && exp_of(x) == 0u ? sign_of(x) : x;
}

static mag_t mag_of(uint32_t x) {
  mag_t r;
  uint32_t e = exp_of(x);
  r.m = e == 0u ? frac_of(x) : (frac_of(x) | 0x800000u);
  r.e = (e == 0u ? 1 : (int)e) - 127 - 23;
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

static uint32_t saturate(uint32_t x) {
  if (is_nan(x) || sign_of(x) != 0u) return 0u;
  return x > 0x3f800000u ? 0x3f800000u : x;
}

static uint32_t finish(uint32_t x, wg_fp_mode_t mode) { return mode.sat ? saturate(x) : x; }

static uint32_t overflow(uint32_t sign, wg_round_t round) {
  bool to_inf = round == kWgRoundRN || (round == kWgRoundRP && sign == 0u) || (round == kWgRoundRM && sign != 0u);
  return sign | (to_inf ? 0x7f800000u : 0x7f7fffffu);
}

/* Round the exact (or sticky-jammed) non-zero value to binary32. */
static uint32_t round_pack(uint32_t sign, mag_t v, wg_fp_mode_t mode) {
  int top = top_bit(v.m);
  int e = top + v.e; /* exponent of the leading one */
  if (mode.ftz && e < -126) return finish(sign, mode);
  int ulp = (e < -126 ? -126 : e) - 23; /* weight of the result's lowest bit */
  int drop = ulp - v.e;
  uint32_t kept;
  unsigned rest; /* 0 exact, 1 below half, 2 half, 3 above half */
  if (drop <= 0) {
    kept = (uint32_t)(v.m << -drop);
    rest = 0u;
  } else {
    u128_t j = shift_right_jam(v.m, drop - 2 > 0 ? drop - 2 : 0);
    if (drop == 1) j <<= 1;
    kept = (uint32_t)(j >> 2);
    unsigned low = (unsigned)(j & 3u);
    /* the jam put lost bits into bit 0 of j, so j's two low bits say everything */
    rest = low;
  }
  bool up = false;
  switch (mode.round) {
    case kWgRoundRN: up = rest == 3u || (rest == 2u && (kept & 1u) != 0u); break;
    case kWgRoundRM: up = rest != 0u && sign != 0u; break;
    case kWgRoundRP: up = rest != 0u && sign == 0u; break;
    case kWgRoundRZ: up = false; break;
  }
  kept += up ? 1u : 0u;
  /* kept = 1.23 fixed point, or a denormal; a carry out moves into the exponent field by itself */
  uint32_t field = e < -126 ? 0u : (uint32_t)(e + 127 - 1);
  if (e > 127) return finish(overflow(sign, mode.round), mode);
  uint32_t bits = (field << 23) + kept;
  if (bits >= 0x7f800000u) return finish(overflow(sign, mode.round), mode);
  return finish(sign | bits, mode);
}

static mag_t align_top(mag_t v) {
  int s = kTop - top_bit(v.m);
  v.m <<= s;
  v.e -= s;
  return v;
}

static uint32_t exact_zero(wg_fp_mode_t mode) { return finish(mode.round == kWgRoundRM ? 0x80000000u : 0u, mode); }

/* x + y, both finite, magnitudes xm and ym non-zero, signs given. */
static uint32_t add_mags(uint32_t xs, mag_t x, uint32_t ys, mag_t y, wg_fp_mode_t mode) {
  x = align_top(x);
  y = align_top(y);
  if (x.e < y.e) {
    mag_t t = x;
    x = y;
    y = t;
    uint32_t ts = xs;
    xs = ys;
    ys = ts;
  }
  y.m = shift_right_jam(y.m, x.e - y.e);
  if (xs == ys) {
    x.m += y.m;
    return round_pack(xs, x, mode);
  }
  if (x.m == y.m) return exact_zero(mode);
  if (x.m > y.m) {
    x.m -= y.m;
    return round_pack(xs, x, mode);
  }
  x.m = y.m - x.m; /* only when the exponents are equal: nothing was jammed */
  return round_pack(ys, x, mode);
}

static uint32_t add_zero_case(uint32_t x, uint32_t y, wg_fp_mode_t mode) {
  /* at least one of x, y is zero */
  if (is_zero(x) && is_zero(y)) {
    if (sign_of(x) == sign_of(y)) return finish(sign_of(x), mode);
    return exact_zero(mode);
  }
  return finish(is_zero(x) ? y : x, mode);
}

uint32_t wg_fp32_add(uint32_t a, uint32_t b, wg_fp_mode_t mode) {
  a = flush_input(a, mode.ftz);
  b = flush_input(b, mode.ftz);
  if (is_nan(a) || is_nan(b)) return finish(WG_FP32_NAN, mode);
  if (is_inf(a)) return finish(is_inf(b) && sign_of(a) != sign_of(b) ? WG_FP32_NAN : a, mode);
  if (is_inf(b)) return finish(b, mode);
  if (is_zero(a) || is_zero(b)) return add_zero_case(a, b, mode);
  return add_mags(sign_of(a), mag_of(a), sign_of(b), mag_of(b), mode);
}

static mag_t mul_mags(uint32_t a, uint32_t b) {
  mag_t x = mag_of(a);
  mag_t y = mag_of(b);
  x.m *= y.m;
  x.e += y.e;
  return x;
}

uint32_t wg_fp32_mul(uint32_t a, uint32_t b, wg_fp_mode_t mode) {
  a = flush_input(a, mode.ftz);
  b = flush_input(b, mode.ftz);
  uint32_t sign = sign_of(a ^ b);
  if (is_nan(a) || is_nan(b)) return finish(WG_FP32_NAN, mode);
  if (is_inf(a) || is_inf(b)) return finish(is_zero(a) || is_zero(b) ? WG_FP32_NAN : sign | 0x7f800000u, mode);
  if (is_zero(a) || is_zero(b)) return finish(sign, mode);
  return round_pack(sign, mul_mags(a, b), mode);
}

uint32_t wg_fp32_fma(uint32_t a, uint32_t b, uint32_t c, wg_fp_mode_t mode) {
  a = flush_input(a, mode.ftz);
  b = flush_input(b, mode.ftz);
  c = flush_input(c, mode.ftz);
  uint32_t sign = sign_of(a ^ b);
  if (is_nan(a) || is_nan(b) || is_nan(c)) return finish(WG_FP32_NAN, mode);
  if (is_inf(a) || is_inf(b)) {
    if (is_zero(a) || is_zero(b)) return finish(WG_FP32_NAN, mode);
    if (is_inf(c) && sign_of(c) != sign) return finish(WG_FP32_NAN, mode);
    return finish(sign | 0x7f800000u, mode);
  }
  if (is_inf(c)) return finish(c, mode);
  if (is_zero(a) || is_zero(b)) return add_zero_case(sign, c, mode);
  mag_t p = mul_mags(a, b);
  if (is_zero(c)) return round_pack(sign, p, mode);
  return add_mags(sign, p, sign_of(c), mag_of(c), mode);
}

/* Order-preserving key: -0 sorts below +0. */
static int64_t key_of(uint32_t x) {
  return sign_of(x) != 0u ? -(int64_t)(x & 0x7fffffffu) - 1 : (int64_t)x;
}

uint32_t wg_fp32_minmax(uint32_t a, uint32_t b, bool min, bool ftz) {
  a = flush_input(a, ftz);
  b = flush_input(b, ftz);
  if (is_nan(a) && is_nan(b)) return WG_FP32_NAN;
  if (is_nan(a)) return b;
  if (is_nan(b)) return a;
  bool a_less = key_of(a) < key_of(b);
  return a_less == min ? a : b;
}

bool wg_fp32_compare(uint32_t a, uint32_t b, unsigned cond, bool ftz) {
  a = flush_input(a, ftz);
  b = flush_input(b, ftz);
  if (is_nan(a) || is_nan(b)) return (cond >> 3 & 1u) != 0u;
  if (is_zero(a) && is_zero(b)) return (cond >> 1 & 1u) != 0u;
  int64_t ka = key_of(a);
  int64_t kb = key_of(b);
  unsigned bit = ka < kb ? 0u : (ka == kb ? 1u : 2u);
  return (cond >> bit & 1u) != 0u;
}

bool wg_fp32_check(uint32_t a, uint32_t b) {
  int ea = (int)exp_of(a);
  int eb = (int)exp_of(b);
  if (ea == 0 || ea == 255 || eb == 0 || eb == 255) return true;
  if (eb < 3 || eb > 252 || ea < 25) return true;
  return ea - eb < -125 || ea - eb > 126;
}
