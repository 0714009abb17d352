// SPDX-License-Identifier: Apache-2.0
#include "model/ref/wg_ref_cvt.h"

typedef struct fmt {
  uint8_t ebits, mbits, shift; /* shift: bits of the word below the fraction */
} fmt_t;

static const fmt_t kFmt[] = {
    [kWgFmtF16] = {5, 10, 0}, [kWgFmtF32] = {8, 23, 0},   [kWgFmtF64] = {11, 52, 0},
    [kWgFmtBF16] = {8, 7, 0}, [kWgFmtTF32] = {8, 10, 13},
};

static int bias_of(fmt_t f) { return (1 << (f.ebits - 1)) - 1; }
static uint64_t ones(unsigned n) { return n >= 64u ? UINT64_MAX : ((uint64_t)1 << n) - 1u; }
static int top_bit(uint64_t m) { return 63 - __builtin_clzll(m); }

unsigned wg_flt_sign_bit(wg_fmt_t fmt) { return (unsigned)kFmt[fmt].ebits + kFmt[fmt].mbits + kFmt[fmt].shift; }

static uint64_t sign_word(wg_fmt_t fmt, bool sign) { return (uint64_t)sign << wg_flt_sign_bit(fmt); }

uint64_t wg_flt_inf(wg_fmt_t fmt, bool sign) {
  fmt_t f = kFmt[fmt];
  return sign_word(fmt, sign) | ones(f.ebits) << (f.mbits + f.shift);
}

uint64_t wg_flt_nan(wg_fmt_t fmt) {
  fmt_t f = kFmt[fmt];
  return ones((unsigned)f.ebits + f.mbits) << f.shift;
}

uint64_t wg_flt_one(wg_fmt_t fmt) {
  fmt_t f = kFmt[fmt];
  return (uint64_t)bias_of(f) << (f.mbits + f.shift);
}

wg_flt_t wg_flt_unpack(wg_fmt_t fmt, uint64_t bits) {
  fmt_t f = kFmt[fmt];
  uint64_t frac = bits >> f.shift & ones(f.mbits);
  uint64_t field = bits >> (f.shift + f.mbits) & ones(f.ebits);
  wg_flt_t v = {kWgFltFinite, (bits >> wg_flt_sign_bit(fmt) & 1u) != 0u, frac, 1 - bias_of(f) - f.mbits};
  if (field == ones(f.ebits)) {
    v.kind = frac != 0u ? kWgFltNan : kWgFltInf;
    v.m = frac << (64u - f.mbits);
  } else if (field != 0u) {
    v.m |= (uint64_t)1 << f.mbits;
    v.e += (int)field - 1;
  } else if (frac == 0u) {
    v.kind = kWgFltZero;
  }
  return v;
}

/* m / 2^drop, rounded. drop may be negative, and then nothing is lost. */
static uint64_t round_shift(uint64_t m, int drop, bool sign, wg_flt_round_t round) {
  if (drop <= 0) return m << -drop;
  uint64_t kept = drop > 63 ? 0u : m >> drop;
  bool half = drop <= 64 && (m >> (drop - 1) & 1u) != 0u;
  bool rest = (m & ones((unsigned)drop - 1u)) != 0u;
  bool up = false;
  switch (round) {
    case kWgFltRN: up = half && (rest || (kept & 1u) != 0u); break;
    case kWgFltRM: up = sign && (half || rest); break;
    case kWgFltRP: up = !sign && (half || rest); break;
    case kWgFltRZ: up = false; break;
    case kWgFltAway: up = half; break;
  }
  return kept + (up ? 1u : 0u);
}

static uint64_t overflow(wg_fmt_t fmt, bool sign, wg_flt_round_t round) {
  bool largest = round == kWgFltRZ || round == (sign ? kWgFltRP : kWgFltRM);
  return wg_flt_inf(fmt, sign) - (largest ? (uint64_t)1 << kFmt[fmt].shift : 0u);
}

uint64_t wg_flt_pack(wg_fmt_t fmt, wg_flt_t v, wg_flt_mode_t mode) {
  fmt_t f = kFmt[fmt];
  int emin = 1 - bias_of(f);
  uint64_t sign = sign_word(fmt, v.sign);
  if (v.kind == kWgFltZero || v.m == 0u) return sign;
  int ex = top_bit(v.m) + v.e;
  if (mode.ftz && ex < emin) return sign;
  if (ex < emin) ex = emin;
  int ulp = ex - f.mbits;
  if (mode.integral && ulp < 0) {
    v.m = round_shift(v.m, -v.e, v.sign, mode.round);
    v.e = 0;
    return wg_flt_pack(fmt, v, (wg_flt_mode_t){kWgFltRN, false, false}); /* exact */
  }
  /* A carry out of the fraction moves into the exponent field by itself; the hidden bit adds the field's last one. */
  uint64_t kept = round_shift(v.m, ulp - v.e, v.sign, mode.round);
  uint64_t bits = ((uint64_t)(ex - emin) << f.mbits) + kept;
  if (ex > bias_of(f) || bits >= ones(f.ebits) << f.mbits) return overflow(fmt, v.sign, mode.round);
  return sign | bits << f.shift;
}

static uint64_t nan_result(wg_fmt_t dst, wg_fmt_t src, wg_flt_t v, wg_f2f_mode_t mode) {
  fmt_t d = kFmt[dst];
  bool away = dst == kWgFmtTF32 && mode.flt.round == kWgFltAway;
  if (mode.sat) return 0u;
  if (dst != kWgFmtF64 && src != kWgFmtF64 && !away) return wg_flt_nan(dst);
  if (src == kWgFmtF32 && dst == kWgFmtF64 && mode.flt.ftz) {
    v.sign = false;
    v.m = ones(23) << 41;
  }
  uint64_t frac = v.m >> (64u - d.mbits);
  if (!away) frac |= (uint64_t)1 << (d.mbits - 1u);
  return wg_flt_inf(dst, v.sign) | frac << d.shift;
}

uint64_t wg_f2f(wg_fmt_t dst, wg_fmt_t src, uint64_t a, wg_f2f_mode_t mode) {
  wg_flt_t v = wg_flt_unpack(src, a);
  bool ftz = mode.flt.ftz;
  if (ftz && src == kWgFmtF32 && (a & 0x7f800000u) == 0u) v.kind = kWgFltZero;
  if (v.kind == kWgFltNan) return nan_result(dst, src, v, mode);
  if ((mode.sat || mode.relu) && v.sign) return 0u;
  mode.flt.ftz = ftz && dst == kWgFmtF32;
  uint64_t r = v.kind == kWgFltInf ? wg_flt_inf(dst, v.sign) : wg_flt_pack(dst, v, mode.flt);
  return mode.sat && r > wg_flt_one(dst) ? wg_flt_one(dst) : r;
}

static unsigned int_bits(unsigned isz) { return 8u << (isz >> 1); }

uint64_t wg_f2i(unsigned isz, wg_fmt_t src, uint64_t a, wg_flt_round_t round, bool ftz) {
  bool is_signed = (isz & 1u) != 0u;
  unsigned bits = int_bits(isz);
  uint64_t word = bits == 64u ? UINT64_MAX : 0xffffffffu;
  uint64_t lowest = is_signed ? 0u - ((uint64_t)1 << (bits - 1u)) : 0u;
  uint64_t highest = is_signed ? ones(bits - 1u) : ones(bits);
  wg_flt_t v = wg_flt_unpack(src, a);
  if (v.kind == kWgFltNan) {
    /* the sign bit of the type, extended; narrow types from anything but f64 give 0 */
    if (bits < 64u && src != kWgFmtF64) return 0u;
    return (is_signed ? lowest : (uint64_t)1 << (bits - 1u)) & word;
  }
  if (v.kind == kWgFltZero || (ftz && src == kWgFmtF32 && (a & 0x7f800000u) == 0u)) return 0u;
  if (v.kind == kWgFltInf || top_bit(v.m) + v.e >= 64) return (v.sign ? lowest : highest) & word;
  uint64_t m = round_shift(v.m, -v.e, v.sign, round);
  if (!v.sign) return m > highest ? highest : m;
  return (m > 0u - lowest ? lowest : 0u - m) & word;
}

uint64_t wg_i2f(wg_fmt_t dst, unsigned isz, uint64_t a, wg_flt_round_t round) {
  unsigned bits = int_bits(isz);
  uint64_t x = a & ones(bits);
  wg_flt_t v = {kWgFltFinite, (isz & 1u) != 0u && (x >> (bits - 1u) & 1u) != 0u, x, 0};
  if (v.sign) v.m = (0u - x) & ones(bits);
  return wg_flt_pack(dst, v, (wg_flt_mode_t){round, false, false});
}

uint32_t wg_flo(uint64_t a, unsigned width, bool sign, bool sh) {
  uint64_t x = a & ones(width);
  if (sign && (x >> (width - 1u) & 1u) != 0u) x = ~x & ones(width);
  if (x == 0u) return 0xffffffffu;
  uint32_t pos = (uint32_t)top_bit(x);
  return sh ? width - 1u - pos : pos;
}
