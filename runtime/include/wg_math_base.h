// SPDX-License-Identifier: Apache-2.0
//
// Foundations of the device math library: one text for float and double. T is the type; operations whose single
// rounding matters are calls, because CUDA C lets the compiler fuse a product with a sum. With WG_MATH_HOST the same
// text compiles for the host (testbench/unit/math/math_test.cc).
#ifndef WG_MATH_BASE_H
#define WG_MATH_BASE_H

#ifdef WG_MATH_HOST
#include <math.h>
#define WG_MATH_FN static inline
#define WG_MATH_CONST static const
#define WGM_OP_(HOST, DEVICE) HOST
#else
#define WG_MATH_FN static __inline__ __device__
#define WG_MATH_CONST static __constant__ const
#define WGM_OP_(HOST, DEVICE) DEVICE
#endif

/* ---- operations ---- */

WG_MATH_FN float wgm_fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
WG_MATH_FN double wgm_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
WG_MATH_FN float wgm_mul(float a, float b) { return WGM_OP_(a * b, __nvvm_mul_rn_f(a, b)); }
WG_MATH_FN double wgm_mul(double a, double b) { return WGM_OP_(a * b, __nvvm_mul_rn_d(a, b)); }
WG_MATH_FN float wgm_sqrt(float a) { return WGM_OP_(__builtin_sqrtf(a), __nvvm_sqrt_rn_f(a)); }
WG_MATH_FN double wgm_sqrt(double a) { return WGM_OP_(__builtin_sqrt(a), __nvvm_sqrt_rn_d(a)); }
WG_MATH_FN float wgm_rint(float a) { return __builtin_rintf(a); }
WG_MATH_FN double wgm_rint(double a) { return __builtin_rint(a); }
WG_MATH_FN float wgm_abs(float a) { return __builtin_fabsf(a); }
WG_MATH_FN double wgm_abs(double a) { return __builtin_fabs(a); }
WG_MATH_FN float wgm_trunc(float a) { return __builtin_truncf(a); }
WG_MATH_FN double wgm_trunc(double a) { return __builtin_trunc(a); }
WG_MATH_FN float wgm_sign(float a, float s) { return __builtin_copysignf(a, s); }
WG_MATH_FN double wgm_sign(double a, double s) { return __builtin_copysign(a, s); }
WG_MATH_FN unsigned wgm_bits(float a) { return __builtin_bit_cast(unsigned, a); }
WG_MATH_FN unsigned long long wgm_bits(double a) { return __builtin_bit_cast(unsigned long long, a); }
WG_MATH_FN float wgm_value(unsigned a) { return __builtin_bit_cast(float, a); }
WG_MATH_FN double wgm_value(unsigned long long a) { return __builtin_bit_cast(double, a); }

/* ---- what differs between the types ---- */

template <class T>
struct wgm_type;
template <>
struct wgm_type<float> {
  typedef unsigned bits;
  enum { mant = 23, bias = 127 };
  static constexpr float exp_max = 89, exp_min = -104;                   /* beyond: infinity, 0 */
  static constexpr float tiny = 0x1p-13f;                                /* x - x^3 / 3 rounds to x */
  static constexpr float half_eps = 0x1p-25f;                            /* log1p(x), expm1(x) round to x */
  static constexpr float large = 0x1p13f;                                /* x^2 + 1 rounds to x^2 */
  static constexpr float ln2_hi = 0x1.62ep-1f, ln2_lo = 0x1.0bfbe8p-15f; /* hi: 12 bits, exact times 2^11 */
  static constexpr float ln2 = 0x1.62e43p-1f, log2e = 0x1.715476p+0f;
  static constexpr float reduce_max = 105615.0f; /* sin, cos: three parts of pi/2 are enough up to here */
  static constexpr float inf = __builtin_huge_valf();
};
template <>
struct wgm_type<double> {
  typedef unsigned long long bits;
  enum { mant = 52, bias = 1023 };
  static constexpr double exp_max = 710, exp_min = -746;
  static constexpr double tiny = 0x1p-27;
  static constexpr double half_eps = 0x1p-54;
  static constexpr double large = 0x1p27;
  static constexpr double ln2_hi = 0x1.62e42fefap-1, ln2_lo = 0x1.cf79abc9e3b3ap-40; /* hi: 35 bits */
  static constexpr double ln2 = 0x1.62e42fefa39efp-1, log2e = 0x1.71547652b82fep+0;
  static constexpr double reduce_max = 0x1p30;
  static constexpr double inf = __builtin_huge_val();
};

template <class T>
WG_MATH_FN T wgm_nan() {
  return wgm_type<T>::inf - wgm_type<T>::inf;
}

/* 2^k, a normal number */
template <class T>
WG_MATH_FN T wgm_pow2(int k) {
  typedef wgm_type<T> t;
  return wgm_value((typename t::bits)(k + t::bias) << t::mant);
}

/* x * 2^n in two steps, for x near 1 and |n| up to twice the largest exponent: one rounding unless the product is
   denormal and x was rounded */
template <class T>
WG_MATH_FN T wgm_scale(T x, int n) {
  int a = n >> 1;
  return wgm_mul(wgm_mul(x, wgm_pow2<T>(a)), wgm_pow2<T>(n - a));
}

/* x = m * 2^e of a positive finite number, 2/3 <= m < 4/3 */
template <class T>
WG_MATH_FN T wgm_split(T x, int *e) {
  typedef wgm_type<T> t;
  typedef typename t::bits bits;
  int k = 0;
  if (x < wgm_pow2<T>(1 - t::bias)) { /* denormal */
    x = wgm_mul(x, wgm_pow2<T>(t::mant + 2));
    k = -(t::mant + 2);
  }
  bits b = wgm_bits(x), from = wgm_bits((T)(2.0 / 3.0));
  int n = (int)((b - from) >> t::mant);
  n = (int)((unsigned)n << (31 - (8 * sizeof(T) - 1 - t::mant))) >> (31 - (8 * sizeof(T) - 1 - t::mant)); /* signed */
  *e = n + k;
  return wgm_value((bits)(b - ((bits)(unsigned)n << t::mant)));
}

/* a + b = s + *err exactly, for |a| >= |b| */
template <class T>
WG_MATH_FN T wgm_fast_sum(T a, T b, T *err) {
  T s = a + b;
  *err = (a - s) + b;
  return s;
}
/* the same whatever their order */
template <class T>
WG_MATH_FN T wgm_sum(T a, T b, T *err) {
  T s = a + b, bb = s - a;
  *err = (a - (s - bb)) + (b - bb);
  return s;
}

#include "wg_math_poly.h"

/* ---- exponentials ---- */

/* e^(x + c) = 2^*n (1 + q) for small c, exp_min <= x <= exp_max: x = n ln 2 + r, e^r by a polynomial. @return q */
template <class T>
WG_MATH_FN T wgm_exp_parts(T x, T c, int *exponent) {
  typedef wgm_type<T> t;
  T n = wgm_rint(wgm_mul(x, t::log2e)), hi = wgm_fma(-n, t::ln2_hi, x); /* exact */
  T lo = wgm_fma(-n, t::ln2_lo, c), r = hi + lo, err = (hi - r) + lo;
  *exponent = (int)n;
  return r + wgm_fma(wgm_mul(r, r), wgm_poly_exp(r), err);
}

/* e^(x + c) * 2^extra */
template <class T>
WG_MATH_FN T wgm_exp_core(T x, T c, int extra) {
  int n;
  T q = wgm_exp_parts(x, c, &n);
  return wgm_scale((T)1 + q, n + extra);
}

/* x within [low, high], NaN stays */
template <class T>
WG_MATH_FN T wgm_clamp(T x, T low, T high) {
  x = x > high ? high : x;
  return x < low ? low : x;
}

template <class T>
WG_MATH_FN T wgm_exp(T x) {
  typedef wgm_type<T> t;
  if (x != x) return x + x;
  return wgm_exp_core(wgm_clamp<T>(x, t::exp_min, t::exp_max), (T)0, 0);
}

/* ---- logarithms ---- */

/* log(1 + f) - f for -1/3 <= f <= 1/3 */
WG_MATH_FN float wgm_log_rest(float f) { return wgm_mul(wgm_mul(f, f), wgm_fma(wgm_poly_log(f), f, -0.5f)); }
WG_MATH_FN double wgm_log_rest(
    double f) { /* log(1 + f) = 2 s + s R(s^2), s = f / (2 + f); and 2 s = f - f^2/2 + s f^2/2 */
  double s = f / (2.0 + f), z = wgm_mul(s, s), h = wgm_mul(wgm_mul(0.5, f), f);
  double r = wgm_mul(z, wgm_fma(z, wgm_poly_atanh(z), 0x1.5555555555555p-1));
  return wgm_fma(s, h + r, -h);
}

/* log(2^e * (1 + f)) + more */
template <class T>
WG_MATH_FN T wgm_log_join(T f, int e, T more) {
  typedef wgm_type<T> t;
  T n = (T)e, rest = wgm_fma(n, t::ln2_lo, wgm_log_rest(f) + more), err;
  T s = wgm_fast_sum(wgm_mul(n, t::ln2_hi), f, &err); /* the product is exact, and larger unless it is 0 */
  if (e == 0) return f + rest;
  return s + (err + rest);
}

/* logarithms of what is not positive and finite; false: x is */
template <class T>
WG_MATH_FN bool wgm_log_special(T x, T *r) {
  typedef wgm_type<T> t;
  if (x > 0 && x < t::inf) return false;
  *r = x == 0 ? -t::inf : x < 0 ? wgm_nan<T>() : x + x;
  return true;
}

template <class T>
WG_MATH_FN T wgm_log(T x) {
  int e;
  T r;
  if (wgm_log_special(x, &r)) return r;
  T m = wgm_split(x, &e);
  return wgm_log_join(m - (T)1, e, (T)0);
}

/* To another base: c = 1 / ln base, l = log_base 2, each in two parts, e * l_hi exact. */
template <class T>
WG_MATH_FN T wgm_log_base(T x, T c_hi, T c_lo, T l_hi, T l_lo) {
  int e;
  T r, err;
  if (wgm_log_special(x, &r)) return r;
  T f = wgm_split(x, &e) - (T)1, n = (T)e, h = wgm_mul(f, c_hi);
  T lo = wgm_fma(f, c_hi, -h) + wgm_fma(f, c_lo, wgm_mul(wgm_log_rest(f), c_hi));
  if (e == 0) return h + lo;
  T s = wgm_fast_sum(wgm_mul(n, l_hi), h, &err);
  return s + (err + wgm_fma(n, l_lo, lo));
}
WG_MATH_FN float wgm_log2(float x) { return wgm_log_base<float>(x, 0x1.715476p+0f, 0x1.4ae0cp-26f, 1, 0); }
WG_MATH_FN double wgm_log2(double x) {
  return wgm_log_base<double>(x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, 1, 0);
}
WG_MATH_FN float wgm_log10(float x) {
  return wgm_log_base<float>(x, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f, 0x1.344p-2f, 0x1.3509f8p-18f);
}
WG_MATH_FN double wgm_log10(double x) {
  return wgm_log_base<double>(x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, 0x1.34413509f8p-2,
                              -0x1.80433b83b532ap-44);
}

template <class T>
WG_MATH_FN T wgm_log1p(T x) {
  typedef wgm_type<T> t;
  int e;
  if (!(x > -1 && x < t::inf)) return x == -1 ? -t::inf : x < -1 ? wgm_nan<T>() : x + x;
  if (wgm_abs(x) < t::half_eps) return x;
  T u = (T)1 + x, c = x < 1 ? x - (u - (T)1) : (T)1 - (u - x); /* 1 + x = u + c */
  T m = wgm_split(u, &e);
  T err, f = wgm_sum(m - (T)1, e > t::mant + 3 ? (T)0 : wgm_mul(c, wgm_pow2<T>(-e)), &err);
  return wgm_log_join(f, e, wgm_mul(err, (T)2 - m)); /* what f lost, over 1 + f */
}

/* log(x) as the sum of the result and *lo, about 2^11 times as exact as T; x positive and finite */
template <class T>
WG_MATH_FN T wgm_log_pair(T x, T *lo) {
  typedef wgm_type<T> t;
  int e;
  T m = wgm_split(x, &e), f = m - (T)1, err;
  T dh = m + (T)1, dl = m - (dh - (T)1), s = f / dh; /* s + sl = f / (2 + f) */
  T sl = wgm_fma(-s, dl, wgm_fma(-s, dh, f)) / dh;
  T z = wgm_mul(s, s), zl = wgm_fma(s, s, -z) + wgm_mul(wgm_mul((T)2, s), sl);
  const T c = (T)(2.0 / 3.0), cl = (T)(sizeof(T) == 4 ? -0x1.555556p-26 : 0x1.5555555555555p-55); /* 2/3 */
  T w = wgm_fast_sum(c, wgm_mul(z, wgm_poly_atanh(z)), &err), wl = err + cl;
  T p = wgm_mul(z, w), pl = wgm_fma(z, w, -p) + wgm_fma(z, wl, wgm_mul(zl, w));
  T q = wgm_mul(s, p), ql = wgm_fma(s, p, -q) + wgm_fma(s, pl, wgm_mul(sl, p));
  T h = wgm_fast_sum(wgm_mul((T)2, s), q, &err), n = (T)e;
  T l = err + wgm_fma((T)2, sl, ql), err2;
  T sum = wgm_sum(wgm_mul(n, t::ln2_hi), h, &err2);
  return wgm_fast_sum(sum, err2 + wgm_fma(n, t::ln2_lo, l), lo);
}

#endif
