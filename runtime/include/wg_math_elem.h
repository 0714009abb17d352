// SPDX-License-Identifier: Apache-2.0
//
// Elementary functions of the device math library: exponential, hyperbolic, trigonometric, inverse ones, powers, roots.
// T is float or double; method and bound of each: runtime/README.md, "Device math". Odd functions work on |x| and take
// the sign back.
#ifndef WG_MATH_ELEM_H
#define WG_MATH_ELEM_H

#include "wg_math_base.h"

/* ---- exponential and hyperbolic ---- */

WG_MATH_FN double wgm_exp2(double x) { /* x = n + r exactly, e^(r ln 2) */
  if (x != x) return x + x;
  x = wgm_clamp(x, -1076.0, 1025.0);
  double n = wgm_rint(x), r = x - n, h = wgm_mul(r, wgm_type<double>::ln2);
  double l = wgm_fma(r, wgm_type<double>::ln2, -h) + wgm_mul(r, 0x1.abc9e3b39803fp-56);
  return wgm_scale(1.0 + (h + wgm_fma(wgm_mul(h, h), wgm_poly_exp(h), l)), (int)n);
}

WG_MATH_FN float wgm_exp10(float x) {
  if (x != x) return x + x;
  x = wgm_clamp(x, -46.0f, 39.0f);
  float n = wgm_rint(wgm_mul(x, 0x1.a934fp+1f));
  float r = wgm_fma(-n, 0x1.3509f8p-18f, wgm_fma(-n, 0x1.344p-2f, x));
  return wgm_scale(wgm_fma(r, wgm_poly_exp10(r), 1.0f), (int)n);
}
WG_MATH_FN double wgm_exp10(double x) {
  if (x != x) return x + x;
  x = wgm_clamp(x, -325.0, 310.0);
  double n = wgm_rint(wgm_mul(x, 0x1.a934f0979a371p+1));
  double r = wgm_fma(-n, -0x1.80433b83b532ap-44, wgm_fma(-n, 0x1.34413509f8p-2, x));
  return wgm_scale(wgm_fma(r, wgm_poly_exp10(r), 1.0), (int)n);
}

/* 2^n e^r - 1 = 2 (2^(n-1) (e^r - 1) + (2^(n-1) - 1/2)) */
template <class T>
WG_MATH_FN T wgm_expm1(T x) {
  typedef wgm_type<T> t;
  if (x != x || wgm_abs(x) < t::half_eps) return x;
  if (x > t::exp_max) return t::inf;
  x = x < -50 ? -50 : x;
  T n = wgm_rint(wgm_mul(x, t::log2e)), hi = wgm_fma(-n, t::ln2_hi, x), lo = wgm_mul(-n, t::ln2_lo);
  T r = hi + lo, err = (hi - r) + lo, s = wgm_pow2<T>((int)n - 1);
  T p = wgm_fma(s, r, s - (T)0.5), q = wgm_mul(s, wgm_fma(wgm_mul(r, r), wgm_poly_exp(r), err));
  return wgm_mul((T)2, p + q);
}

template <class T>
WG_MATH_FN T wgm_sinh(T x) {
  T a = wgm_abs(x), r;
  if (a < 1) {
    T z = wgm_mul(a, a);
    r = wgm_fma(wgm_mul(a, z), wgm_poly_sinh(z), a);
  } else if (a != a) {
    return x + x;
  } else {
    T e = wgm_exp_core(wgm_clamp<T>(a, 0, wgm_type<T>::exp_max + 1), (T)0, -1); /* e^a / 2 */
    r = e - (T)0.25 / e;
  }
  return wgm_sign(r, x);
}

template <class T>
WG_MATH_FN T wgm_cosh(T x) {
  T a = wgm_abs(x);
  if (a != a) return x + x;
  T e = wgm_exp_core(wgm_clamp<T>(a, 0, wgm_type<T>::exp_max + 1), (T)0, -1);
  return e + (T)0.25 / e;
}

template <class T>
WG_MATH_FN T wgm_tanh(T x) {
  T a = wgm_abs(x), z = wgm_mul(a, a), r;
  if (a < (T)0.55) {
    r = wgm_fma(wgm_mul(a, z), wgm_poly_tanh(z), a);
  } else if (a != a) {
    return x + x;
  } else { /* 1 - 2 / (e^2a + 1) */
    r = (T)1 - (T)2 / (wgm_exp_core(wgm_clamp<T>(wgm_mul((T)2, a), 0, 50), (T)0, 0) + (T)1);
  }
  return wgm_sign(r, x);
}

template <class T>
WG_MATH_FN T wgm_asinh(T x) { /* log1p(a + a^2 / (1 + sqrt(1 + a^2))) */
  typedef wgm_type<T> t;
  T a = wgm_abs(x), r;
  if (a > t::large) {
    r = wgm_log(a) + t::ln2;
  } else {
    T q = (T)1 + wgm_sqrt(wgm_fma(a, a, (T)1));
    r = wgm_log1p(wgm_fma(a, a / q, a));
  }
  return wgm_sign(r, x);
}

template <class T>
WG_MATH_FN T wgm_acosh(T x) {
  typedef wgm_type<T> t;
  if (x > t::large) return wgm_log(x) + t::ln2;
  if (!(x >= 1)) return x < 1 ? wgm_nan<T>() : x + x;
  T d = x - (T)1;
  return wgm_log1p(d + wgm_sqrt(wgm_fma(d, d, wgm_mul((T)2, d))));
}

template <class T>
WG_MATH_FN T wgm_atanh(T x) { /* log1p(2a + 2a a / (1 - a)) / 2 */
  T a = wgm_abs(x), d = wgm_mul((T)2, a), q = (T)1 - a;
  if (a < wgm_type<T>::tiny) return x;
  return wgm_sign(wgm_mul((T)0.5, wgm_log1p(a < (T)0.5 ? wgm_fma(d, a / q, d) : d / q)), x);
}

/* ---- trigonometric ---- */

/* 2 / pi, 32 zero bits in front; for float arguments up to 2^128 */
WG_MATH_CONST unsigned wgm_two_over_pi_f[9] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                               0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561};
/* the same, 64 zero bits in front; for doubles */
WG_MATH_CONST unsigned long long wgm_two_over_pi_d[20] = {0,
                                                          0xa2f9836e4e441529,
                                                          0xfc2757d1f534ddc0,
                                                          0xdb6295993c439041,
                                                          0xfe5163abdebbc561,
                                                          0xb7246e3a424dd2e0,
                                                          0x06492eea09d1921c,
                                                          0xfe1deb1cb129a73e,
                                                          0xe88235f52ebb4484,
                                                          0xe99c7026b45f7e41,
                                                          0x3991d639835339f4,
                                                          0x9c845f8bbdf9283b,
                                                          0x1ff897ffde05980f,
                                                          0xef2f118b5a0a6d1f,
                                                          0x6d367ecf27cb09b7,
                                                          0x4f463f669e5fea2d,
                                                          0x7527bac7ebe5f17b,
                                                          0x3d0739f78a5292ea,
                                                          0x6bfb5fb11f8d5d08,
                                                          0x56033046fc7b6bab};

/* Payne and Hanek: a = m 2^e times the bits of 2 / pi that matter mod 4, a a large positive number. @return quadrant of
   a, *r + *rl = a - quadrant * pi / 2 */
WG_MATH_FN int wgm_reduce_large(float a, float *r, float *rl) {
  unsigned b = wgm_bits(a), m = (b & 0x7fffff) | 0x800000, at = (b >> 23) - 150 - 2 + 32, i = at >> 5, k = at & 31;
  unsigned w[3];
  for (unsigned j = 0; j < 3; j++) {
    unsigned long long two = (unsigned long long)wgm_two_over_pi_f[i + j] << 32 | wgm_two_over_pi_f[i + j + 1];
    w[j] = (unsigned)(two << k >> 32);
  }
  unsigned long long p = ((unsigned long long)(m * w[0]) << 32) + (unsigned long long)m * w[1] +
                         ((unsigned long long)m * w[2] >> 32); /* a * 2 / pi mod 4, scaled by 2^62 */
  int q = (int)(p >> 62);
  long long frac = (long long)(p << 2); /* as a signed number: to the nearest quadrant */
  double d = (double)frac * 0x1.921fb54442d18p-64;
  *r = (float)d;
  *rl = (float)(d - *r);
  return q + (frac < 0);
}

WG_MATH_FN unsigned long long wgm_mulhi(unsigned long long a, unsigned long long b) {
  return WGM_OP_((unsigned long long)((unsigned __int128)a * b >> 64), __nvvm_mulhi_ull(a, b));
}

WG_MATH_FN int wgm_reduce_large(double a, double *r, double *rl) {
  typedef unsigned long long u64;
  u64 b = wgm_bits(a), m = (b & 0xfffffffffffffull) | 0x10000000000000ull, w[3];
  unsigned at = (unsigned)(b >> 52) - 1075 - 2 + 64, i = at >> 6, k = at & 63;
  for (unsigned j = 0; j < 3; j++) {
    u64 next = k == 0 ? 0 : wgm_two_over_pi_d[i + j + 1] >> (64 - k);
    w[j] = wgm_two_over_pi_d[i + j] << k | next;
  }
  u64 lo = m * w[1], hi = m * w[0] + wgm_mulhi(m, w[1]), add = wgm_mulhi(m, w[2]);
  lo += add;
  hi += lo < add;
  int q = (int)(hi >> 62);
  hi = hi << 2 | lo >> 62;
  lo <<= 2;
  bool neg = (long long)hi < 0;
  if (neg) {
    lo = 0 - lo;
    hi = ~hi + (lo == 0);
  }
  int n = hi == 0 ? 64 : __builtin_clzll(hi); /* 2^-62 is about the least that comes */
  if (n == 64) {
    hi = lo;
    lo = 0;
  } else if (n != 0) {
    hi = hi << n | lo >> (64 - n);
    lo <<= n;
  }
  double h = (double)(hi >> 11), l = ((double)(hi & 0x7ff) + (double)(lo >> 11) * 0x1p-53) * 0x1p-11; /* 2^53 each */
  double s = wgm_pow2<double>(-53 - n);
  *r = wgm_mul(h, 0x1.921fb54442d18p+0);
  *rl = wgm_fma(h, 0x1.921fb54442d18p+0, -*r) + wgm_fma(h, 0x1.1a62633145c07p-54, wgm_mul(l, 0x1.921fb54442d18p+0));
  double sum = *r + *rl;
  *rl = ((*r - sum) + *rl) * s * (neg ? -1 : 1);
  *r = sum * s * (neg ? -1 : 1);
  return q + neg;
}

WG_MATH_FN void wgm_reduce_parts(float n, float *r, float *l) {
  float a = wgm_fma(-n, 0x1.921fb6p+0f, *r); /* exact */
  float w = wgm_mul(n, -0x1.777a5cp-25f), wl = wgm_fma(n, -0x1.777a5cp-25f, -w), err;
  *r = wgm_sum(a, -w, &err);
  *l = wgm_fma(-n, -0x1.ee59dap-50f, err - wl);
}
WG_MATH_FN void wgm_reduce_parts(double n, double *r, double *l) {
  double a = wgm_fma(-n, 0x1.921fb54442d18p+0, *r);
  double w = wgm_mul(n, 0x1.1a62633145c07p-54), wl = wgm_fma(n, 0x1.1a62633145c07p-54, -w), err;
  *r = wgm_sum(a, -w, &err);
  *l = wgm_fma(-n, -0x1.f1976b7ed8fbcp-110, err - wl);
}

/* |x| = quadrant * pi / 2 + r + rl, |r| <= pi / 4 */
template <class T>
WG_MATH_FN int wgm_reduce(T a, T *r, T *rl) {
  if (a > wgm_type<T>::reduce_max) return a < wgm_type<T>::inf ? wgm_reduce_large(a, r, rl) : (*r = *rl = a - a, 0);
  T n = wgm_rint(wgm_mul(a, (T)(sizeof(T) == 4 ? 0x1.45f306p-1 : 0x1.45f306dc9c883p-1))), l, s = a;
  wgm_reduce_parts(n, &s, &l);
  *r = s + l;
  *rl = (s - *r) + l;
  return (int)n;
}

template <class T>
WG_MATH_FN T wgm_sin_poly(T r, T rl) {
  T z = wgm_mul(r, r);
  return r + wgm_fma(wgm_mul(r, z), wgm_poly_sin(z), rl);
}
template <class T>
WG_MATH_FN T wgm_cos_poly(T r, T rl) { /* 1 - (z/2 - z^2 C + r rl) */
  T z = wgm_mul(r, r), h = wgm_mul((T)0.5, z), w = (T)1 - h;
  return w + (((T)1 - w - h) + wgm_fma(wgm_mul(z, z), wgm_poly_cos(z), -wgm_mul(r, rl)));
}

template <class T>
WG_MATH_FN T wgm_sin(T x) {
  T r, rl;
  if (wgm_abs(x) < wgm_type<T>::tiny) return x;
  int q = wgm_reduce(wgm_abs(x), &r, &rl);
  T v = (q & 1) != 0 ? wgm_cos_poly(r, rl) : wgm_sin_poly(r, rl);
  return ((q & 2) != 0) != (x < 0) ? -v : v;
}
template <class T>
WG_MATH_FN T wgm_cos(T x) {
  T r, rl;
  int q = wgm_reduce(wgm_abs(x), &r, &rl);
  T v = (q & 1) != 0 ? wgm_sin_poly(r, rl) : wgm_cos_poly(r, rl);
  return ((q + 1) & 2) != 0 ? -v : v;
}
template <class T>
WG_MATH_FN void wgm_sincos(T x, T *s, T *c) {
  T r, rl;
  int q = wgm_reduce(wgm_abs(x), &r, &rl);
  T a = wgm_sin_poly(r, rl), b = wgm_cos_poly(r, rl), u = (q & 1) != 0 ? b : a, v = (q & 1) != 0 ? a : b;
  *c = ((q + 1) & 2) != 0 ? -v : v;
  *s = wgm_abs(x) < wgm_type<T>::tiny ? x : ((q & 2) != 0) != (x < 0) ? -u : u;
}
template <class T>
WG_MATH_FN T wgm_tan(T x) {
  T r, rl;
  if (wgm_abs(x) < wgm_type<T>::tiny) return x;
  int q = wgm_reduce(wgm_abs(x), &r, &rl);
  T s = wgm_sin_poly(r, rl), c = wgm_cos_poly(r, rl), v = (q & 1) != 0 ? -c / s : s / c;
  return x < 0 ? -v : v;
}

/* sin and cos of pi x: x mod 2 and the nearest half are exact */
template <class T>
WG_MATH_FN void wgm_sincospi(T x, T *s, T *c) {
  T a = wgm_abs(x), b = wgm_fma((T)-2, wgm_rint(wgm_mul((T)0.5, a)), a), n = wgm_rint(wgm_mul((T)2, b));
  T r = wgm_fma((T)-0.5, n, b), z = wgm_mul(r, r);
  const T hi = (T)(sizeof(T) == 4 ? 0x1.921fb6p+1 : 0x1.921fb54442d18p+1);
  const T lo = (T)(sizeof(T) == 4 ? -0x1.777a5cp-24 : 0x1.1a62633145c07p-53);
  T u = wgm_fma(r, hi, wgm_fma(r, lo, wgm_mul(wgm_mul(r, z), wgm_poly_sinpi(z)))),
    v = wgm_fma(z, wgm_poly_cospi(z), (T)1);
  int q = (int)n;
  T p = (q & 1) != 0 ? v : u, w = (q & 1) != 0 ? u : v;
  p = ((q & 2) != 0 ? -p : p) + (T)0; /* zeros are positive */
  *c = (((q + 1) & 2) != 0 ? -w : w) + (T)0;
  *s = x == 0 ? x : x < 0 ? -p : p;
}
template <class T>
WG_MATH_FN T wgm_sinpi(T x) {
  T s, c;
  wgm_sincospi(x, &s, &c);
  return s;
}
template <class T>
WG_MATH_FN T wgm_cospi(T x) {
  T s, c;
  wgm_sincospi(x, &s, &c);
  return c;
}

/* ---- inverse trigonometric ---- */

template <class T>
WG_MATH_FN T wgm_pi_hi() {
  return (T)(sizeof(T) == 4 ? 0x1.921fb6p+1 : 0x1.921fb54442d18p+1);
}
template <class T>
WG_MATH_FN T wgm_pi_lo() {
  return (T)(sizeof(T) == 4 ? -0x1.777a5cp-24 : 0x1.1a62633145c07p-53);
}

/* asin(a) - a for a = sqrt(z) <= 1/2 */
template <class T>
WG_MATH_FN T wgm_asin_rest(T a, T z) {
  return wgm_mul(wgm_mul(a, z), wgm_poly_asin(z));
}

template <class T>
WG_MATH_FN T wgm_asin(T x) { /* above 1/2: pi/2 - 2 asin(sqrt((1 - a) / 2)) */
  T a = wgm_abs(x), r;
  if (a <= (T)0.5) {
    r = a + wgm_asin_rest(a, wgm_mul(a, a));
  } else {
    T z = wgm_fma((T)-0.5, a, (T)0.5), s = wgm_sqrt(z);
    T h = wgm_pi_hi<T>() / 2, l = wgm_pi_lo<T>() / 2;
    r = h - (wgm_mul((T)2, s + wgm_asin_rest(s, z)) - l);
  }
  return wgm_sign(r, x);
}

template <class T>
WG_MATH_FN T wgm_acos(T x) {
  T a = wgm_abs(x), h = wgm_pi_hi<T>(), l = wgm_pi_lo<T>();
  if (a <= (T)0.5) return h / 2 - (x - (l / 2 - wgm_asin_rest(x, wgm_mul(x, x))));
  T z = wgm_fma((T)-0.5, a, (T)0.5), s = wgm_sqrt(z), w = wgm_mul((T)2, s + wgm_asin_rest(s, z));
  return x < 0 ? h - (w - l) : w;
}

/* atan(t) for 0 <= t <= 1 */
template <class T>
WG_MATH_FN T wgm_atan_poly(T v) {
  T z = wgm_mul(v, v);
  return wgm_fma(wgm_mul(v, z), wgm_poly_atan(z), v);
}

template <class T>
WG_MATH_FN T wgm_atan(T x) {
  T a = wgm_abs(x), r = wgm_atan_poly(a > 1 ? (T)1 / a : a);
  if (a > 1) r = wgm_pi_hi<T>() / 2 - (r - wgm_pi_lo<T>() / 2);
  return wgm_sign(r, x);
}

template <class T>
WG_MATH_FN T wgm_atan2(T y, T x) {
  T ay = wgm_abs(y), ax = wgm_abs(x), big = ax > ay ? ax : ay, small = ax > ay ? ay : ax;
  if (x != x || y != y) return x + y;
  T r = wgm_atan_poly(big == 0 ? (T)0 : small == big ? (T)1 : small / big); /* both infinite: 1 */
  if (ay > ax) r = wgm_pi_hi<T>() / 2 - (r - wgm_pi_lo<T>() / 2);
  if ((wgm_bits(x) >> (8 * sizeof(T) - 1)) != 0) r = wgm_pi_hi<T>() - (r - wgm_pi_lo<T>());
  return wgm_sign(r, y);
}

/* ---- powers and roots ---- */

/* Is y an integer, and an odd one? */
template <class T>
WG_MATH_FN bool wgm_integer(T y, bool *odd) {
  T h = wgm_mul((T)0.5, y);
  *odd = wgm_trunc(y) == y && wgm_trunc(h) != h;
  return wgm_trunc(y) == y;
}

template <class T>
WG_MATH_FN T wgm_pow(T x, T y) { /* e^(y log |x|), the logarithm in two parts */
  typedef wgm_type<T> t;
  bool odd, whole = wgm_integer(y, &odd);
  T a = wgm_abs(x), lo;
  if (x == 1 || y == 0) return 1;
  if (x != x || y != y) return x + y;
  bool neg = odd && (wgm_bits(x) >> (8 * sizeof(T) - 1)) != 0;
  T r;
  if (wgm_abs(y) == t::inf) {
    r = a == 1 ? (T)1 : (a > 1) == (y > 0) ? t::inf : (T)0;
  } else if (a == 0 || a == t::inf) {
    r = (a == 0) == (y < 0) ? t::inf : (T)0;
  } else {
    if (x < 0 && !whole) return wgm_nan<T>();
    T h = wgm_log_pair(a, &lo), p = wgm_mul(h, y), l = wgm_fma(h, y, -p) + wgm_mul(lo, y);
    if (p > t::exp_max)
      r = t::inf;
    else if (p < t::exp_min)
      r = 0;
    else
      r = wgm_exp_core(p, l, 0);
  }
  return neg ? -r : r;
}

/* Small exponents by products, which a compiler that knows them writes out; the rest as pow. */
template <class T>
WG_MATH_FN T wgm_powi(T x, int n) {
  T s = wgm_mul(x, x);
  if (n == -1) return (T)1 / x;
  if (n < 0 || n > 4) return (T)wgm_pow((double)x, (double)n);
  return n == 0 ? (T)1 : n == 1 ? x : n == 2 ? s : n == 3 ? wgm_mul(s, x) : wgm_mul(s, s);
}

template <class T>
WG_MATH_FN T wgm_cbrt(T x) { /* Halley's iteration, then Newton's with the exact remainder */
  typedef wgm_type<T> t;
  T a = wgm_abs(x), err;
  int e;
  if (!(a > 0 && a < t::inf)) return x + x;
  T m = wgm_split(a, &e);
  int k = (e + 3000) / 3 - 1000, rest = e - 3 * k;
  m = rest == 0 ? m : rest == 1 ? wgm_mul((T)2, m) : wgm_mul((T)4, m); /* 2/3 to 16/3 */
  T y = wgm_fma(wgm_fma((T)-0.03, m, (T)0.36), m, (T)0.67);
  for (int i = 0; i < (sizeof(T) == 4 ? 1 : 2); i++) {
    T c = wgm_mul(wgm_mul(y, y), y);
    y = wgm_mul(y, wgm_fma((T)2, m, c) / wgm_fma((T)2, c, m));
  }
  T s = wgm_mul(y, y);
  err = wgm_fma(s, y, -m) + wgm_mul(wgm_fma(y, y, -s), y);
  y = y - err / wgm_mul((T)3, s);
  return wgm_sign(wgm_scale(y, k), x);
}

/* sqrt of the sum of squares, and 1 over it: scaled by the largest one's exponent, the largest square in two parts */
template <class T>
WG_MATH_FN T wgm_norm4(T a, T b, T c, T d, bool inverse) {
  typedef wgm_type<T> t;
  a = wgm_abs(a), b = wgm_abs(b), c = wgm_abs(c), d = wgm_abs(d);
  T u = a > b ? a : b, v = a > b ? b : a, w = c > d ? c : d, z = c > d ? d : c, big = u > w ? u : w, s = u > w ? w : u;
  if (a == t::inf || b == t::inf || c == t::inf || d == t::inf) return inverse ? (T)0 : t::inf;
  if (a != a || b != b || c != c || d != d) return a + b + c + d;
  if (big == 0) return inverse ? t::inf : (T)0;
  int e = (int)(wgm_bits(big) >> t::mant) - t::bias, m = t::bias - 2;
  e = e < -m ? -m : e > m ? m : e;
  T f = wgm_pow2<T>(-e);
  big = wgm_mul(big, f), s = wgm_mul(s, f), v = wgm_mul(v, f), z = wgm_mul(z, f);
  T h = wgm_mul(big, big), l = wgm_fma(big, big, -h);
  T q = h + wgm_fma(s, s, wgm_fma(v, v, wgm_fma(z, z, l))), r = wgm_sqrt(q);
  if (!inverse) return wgm_scale(r, e);
  T y = (T)1 / r, p = wgm_mul(q, y), pl = wgm_fma(q, y, -p); /* one step of Newton's iteration */
  y = wgm_fma(wgm_mul((T)0.5, y), wgm_fma(-p, y, (T)1) - wgm_mul(pl, y), y);
  return wgm_scale(y, -e);
}

template <class T>
WG_MATH_FN T wgm_norm(int n, const T *v) {
  T r = 0;
  for (int i = 0; i < n; i++) r = wgm_norm4<T>(r, v[i], 0, 0, false);
  return r;
}

#endif
