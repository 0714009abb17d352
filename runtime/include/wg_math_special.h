// SPDX-License-Identifier: Apache-2.0
//
// Error functions and the gamma function of the device math library, and what works on the bits of a number:
// remainders, parts, neighbours. T is float or double.
#ifndef WG_MATH_SPECIAL_H
#define WG_MATH_SPECIAL_H

#include "wg_math_elem.h"

/* ---- error functions ---- */

/* (1 + 2x) erfc(x) e^(x^2) for x >= 0: a polynomial in (x - 2) / (x + 2) */
template <class T>
WG_MATH_FN T wgm_erfcx_poly(T x) {
  return wgm_poly_erfcx(x > wgm_type<T>::large ? (T)1 : (x - (T)2) / (x + (T)2));
}

/* erfc(a + l) for a >= 1/2 and tiny l: the square in two parts */
template <class T>
WG_MATH_FN T wgm_erfc_tail(T a, T l) {
  typedef wgm_type<T> t;
  if (a > 30) return 0;
  T h = wgm_mul(a, a), rest = wgm_fma(a, a, -h) + wgm_mul(wgm_mul((T)2, a), l);
  if (-h < t::exp_min) return 0;
  int n;
  T q = wgm_exp_parts(-h, -rest, &n), p = wgm_erfcx_poly(a);
  return wgm_scale(wgm_fma(p, q, p) / wgm_fma((T)2, a, (T)1), n);
}

/* erf(x + l) for |x| <= 1 */
template <class T>
WG_MATH_FN T wgm_erf_poly(T x, T l) {
  const T c = (T)(sizeof(T) == 4 ? 0x1.20dd76p+0 : 0x1.20dd750429b6dp+0);
  const T cl = (T)(sizeof(T) == 4 ? -0x1.f7ac92p-25 : 0x1.1ae3a914fed80p-56); /* 2 / sqrt(pi) */
  T z = wgm_mul(x, x);
  return wgm_fma(x, c, wgm_fma(x, cl, wgm_fma(l, c, wgm_mul(wgm_mul(x, z), wgm_poly_erf(z)))));
}

template <class T>
WG_MATH_FN T wgm_erf(T x) {
  T a = wgm_abs(x);
  if (a < 1) return wgm_sign(wgm_erf_poly(x, (T)0), x);
  if (x != x) return x + x;
  return wgm_sign((T)1 - wgm_erfc_tail(a, (T)0), x);
}

template <class T>
WG_MATH_FN T wgm_erfc_pair(T x, T l) {
  T a = wgm_abs(x);
  if (x != x) return x + x;
  if (a < (T)0.5) return (T)1 - wgm_erf_poly(x, l);
  T r = wgm_erfc_tail(a, x < 0 ? -l : l);
  return x < 0 ? (T)2 - r : r;
}
template <class T>
WG_MATH_FN T wgm_erfc(T x) {
  return wgm_erfc_pair(x, (T)0);
}

template <class T>
WG_MATH_FN T wgm_erfcx(T x) { /* below 0: 2 e^(x^2) - erfcx(-x) */
  typedef wgm_type<T> t;
  T a = wgm_abs(x);
  if (x != x) return x + x;
  if (a == t::inf) return x < 0 ? t::inf : (T)0;
  T r = wgm_erfcx_poly(a) / wgm_fma((T)2, a, (T)1), h = wgm_mul(a, a);
  if (x >= 0) return r;
  if (h > t::exp_max) return t::inf;
  return wgm_fma((T)2, wgm_exp_core(h, wgm_fma(a, a, -h), 0), -r);
}

template <class T>
WG_MATH_FN T wgm_normcdf(T x) { /* erfc(-x / sqrt 2) / 2, the argument in two parts */
  const T c = (T)(sizeof(T) == 4 ? 0x1.6a09e6p-1 : 0x1.6a09e667f3bcdp-1);
  const T cl = (T)(sizeof(T) == 4 ? 0x1.9fcef4p-27 : -0x1.bdd3413b26456p-55);
  T v = wgm_clamp<T>(x, -50, 50), h = wgm_mul(-v, c), l = wgm_fma(-v, c, -h) + wgm_mul(-v, cl);
  return x != x ? x + x : wgm_mul((T)0.5, wgm_erfc_pair(h, l));
}

/* ---- their inverses; float goes by double ---- */

/* One step of Halley's iteration towards f(y) = target, off = (f(y) - target) / f'(y), f'' = -2 y f' */
WG_MATH_FN double wgm_inverse_step(double y, double off) { return y - off / (1.0 + off * y); }

WG_MATH_FN double wgm_slope(double y) { /* of erf */
  return wgm_mul(0x1.20dd750429b6dp+0, wgm_exp(wgm_mul(-y, y)));
}

/* erfinv(x), |x| <= 1/2: its series, then two steps */
WG_MATH_FN double wgm_erfinv_small(double x) {
  double z = wgm_mul(x, x), y = x * 0.886226925 * wgm_fma(z, wgm_fma(z, wgm_fma(z, 0.0977, 0.14393), 0.2617994), 1.0);
  for (int i = 0; i < 2; i++) y = wgm_inverse_step(y, (wgm_erf(y) - x) / wgm_slope(y));
  return y;
}

/* erfcinv(z), 0 < z < 1/2: from a rational form of the normal distribution's quantile (error 0.003), three of Newton's
   steps for y^2 - log(erfcx(y)) + log(z) = 0, whose parts neither underflow nor cancel */
WG_MATH_FN double wgm_erfcinv_tail(double z) {
  double l = wgm_log(z), v = wgm_sqrt(-2.0 * (l - 0x1.62e42fefa39efp-1));
  double y = (v - (2.30753 + 0.27061 * v) / (1.0 + v * (0.99229 + v * 0.04481))) * 0x1.6a09e667f3bcdp-1;
  for (int i = 0; i < 3; i++) {
    double e = wgm_erfcx(y);
    y = wgm_fma(-(wgm_fma(y, y, l) - wgm_log(e)), wgm_mul(0x1.c5bf891b4ef6ap-1, e), y);
  }
  return y;
}

WG_MATH_FN double wgm_erfcinv(double z) {
  if (!(z > 0 && z < 2)) return z == 0 ? wgm_type<double>::inf : z == 2 ? -wgm_type<double>::inf : wgm_nan<double>();
  if (z >= 0.5 && z <= 1.5) return wgm_erfinv_small(1.0 - z); /* exact */
  return z < 0.5 ? wgm_erfcinv_tail(z) : -wgm_erfcinv_tail(2.0 - z);
}

WG_MATH_FN double wgm_erfinv(double x) {
  double a = wgm_abs(x);
  if (!(a < 1)) return a == 1 ? wgm_sign(wgm_type<double>::inf, x) : wgm_nan<double>();
  return a <= 0.5 ? wgm_sign(wgm_erfinv_small(a), x) : wgm_sign(wgm_erfcinv_tail(1.0 - a), x);
}

WG_MATH_FN double wgm_normcdfinv(double p) { return wgm_mul(-0x1.6a09e667f3bcdp+0, wgm_erfcinv(2.0 * p)); }

WG_MATH_FN float wgm_erfinv(float x) { return (float)wgm_erfinv((double)x); }
WG_MATH_FN float wgm_erfcinv(float x) { return (float)wgm_erfcinv((double)x); }
WG_MATH_FN float wgm_normcdfinv(float x) { return (float)wgm_normcdfinv((double)x); }

/* ---- gamma function; float goes by double ---- */

/* Gamma(x) * 2^extra for 0 < x < 190: Stirling's formula from 8 on, below by Gamma(x + k) = Gamma(x) x (x + 1)... */
WG_MATH_FN double wgm_gamma_positive(double x, int extra) {
  double p = 1, pl = 0, s = x, k = 0, lost = 0, lo, e1, e2; /* product p + pl, factor s + lost */
  while (s < 8) {
    double q = wgm_mul(p, s);
    pl = wgm_fma(p, s, -q) + wgm_fma(pl, s, wgm_mul(p, lost));
    p = q;
    k += 1;
    s = x + k;
    lost = x - (s - k);
  }
  double l = wgm_log_pair(s, &lo), a = s - 0.5;
  double h = wgm_mul(a, l), rest = wgm_fma(a, l, -h) + wgm_mul(a, lo);
  h = wgm_sum(h, -s, &e1);
  h = wgm_sum(h, 0x1.d67f1c864beb5p-1, &e2); /* log(2 pi) / 2 */
  rest += e1 + e2 + wgm_poly_stirling(1 / (s * s)) / s + lost * l;
  double r = wgm_exp_core(h, rest, extra) / p;
  return k == 0 ? r : wgm_fma(-r, pl / p, r); /* r may be infinite */
}

WG_MATH_FN double wgm_tgamma(double x) {
  double a = wgm_abs(x);
  if (x != x || x == wgm_type<double>::inf) return x + x;
  if (x == 0) return 1 / x;
  if (x < 0 && wgm_trunc(x) == x) return wgm_nan<double>();
  if (a < 0x1p-54) return 1 / x;
  if (x > 172) return wgm_type<double>::inf;
  if (x > 0) return wgm_gamma_positive(x, 0);
  bool odd; /* Gamma(-a) = -pi / (a sin(pi a) Gamma(a)) */
  (void)wgm_integer(wgm_trunc(x), &odd);
  double v = 0;
  if (a < 190) {
    int extra = a > 160 ? -256 : 0;
    v = 0x1.921fb54442d18p+1 / wgm_mul(a, wgm_abs(wgm_sinpi(a))) / wgm_gamma_positive(a, extra);
    v = wgm_mul(v, wgm_pow2<double>(extra));
  }
  return odd ? v : -v;
}
WG_MATH_FN float wgm_tgamma(float x) { return (float)wgm_tgamma((double)x); }

/* log |Gamma(x)| for x > 0 */
WG_MATH_FN double wgm_lgamma_positive(double x) {
  if (x < 0.5) return wgm_mul(x, wgm_poly_lgamma2(x)) - (wgm_log1p(x) + wgm_log(x)); /* x + 2 */
  if (x < 1.5) { /* x + 1; both parts nearly cancel */
    double v = x - 1, p = wgm_poly_lgamma2(v), h = wgm_mul(v, p), l, low;
    l = wgm_log_pair(x, &low);
    return (h - l) + (wgm_fma(v, p, -h) - low);
  }
  if (x < 8) {
    double p = 1;
    for (; x > 2.5; p = wgm_mul(p, x)) x -= 1;
    double r = wgm_mul(x - 2, wgm_poly_lgamma2(x - 2));
    return p == 1 ? r : r + wgm_log(p);
  }
  double lo, e, l = wgm_log_pair(x, &lo), a = x - 0.5; /* a (log x - 1) + (log(2 pi) - 1) / 2 + ... */
  l = wgm_fast_sum(l, -1.0, &e);
  double h = wgm_mul(a, l), rest = wgm_fma(a, l, -h) + wgm_mul(a, lo + e);
  if (h == wgm_type<double>::inf) return h;
  return h + (rest + 0x1.acfe390c97d6ap-2 + (x > 0x1p30 ? 0.0 : wgm_poly_stirling(1 / (x * x)) / x));
}

WG_MATH_FN double wgm_lgamma(double x) {
  double a = wgm_abs(x);
  if (x != x) return x + x;
  if (a == wgm_type<double>::inf || (x <= 0 && wgm_trunc(x) == x)) return wgm_type<double>::inf;
  if (a < 0x1p-60) return -wgm_log(a);
  if (x > 0) return wgm_lgamma_positive(x);
  double s = wgm_abs(wgm_sinpi(a)); /* log(pi / (a sin(pi a))) - log Gamma(a) */
  return wgm_log(0x1.921fb54442d18p+1 / (a * s)) - wgm_lgamma_positive(a);
}
WG_MATH_FN float wgm_lgamma(float x) { return (float)wgm_lgamma((double)x); }

/* ---- remainders: exact, by long division of the significands ---- */

/* |x| mod |y| for finite x, y != 0, and the low bits of the quotient */
template <class T>
WG_MATH_FN T wgm_divide(T x, T y, unsigned *quotient) {
  typedef wgm_type<T> t;
  typedef typename t::bits bits;
  const bits one = (bits)1 << t::mant;
  bits a = wgm_bits(wgm_abs(x)), b = wgm_bits(wgm_abs(y));
  *quotient = 0;
  if (a < b) return wgm_abs(x);
  int ea = (int)(a >> t::mant), eb = (int)(b >> t::mant); /* a 2^(ea - 1), in units of the least number */
  a = (a & (one - 1)) | (ea == 0 ? 0 : one), b = (b & (one - 1)) | (eb == 0 ? 0 : one);
  ea = ea == 0 ? 1 : ea;
  if (eb == 0) { /* its leading bit to the place of a normal number's */
    eb = __builtin_clzll((unsigned long long)b) - (63 - t::mant);
    b <<= eb;
    eb = 1 - eb;
  }
  unsigned q = 0;
  for (int i = ea - eb;; i--) {
    bool fits = a >= b;
    a = fits ? a - b : a;
    q = q << 1 | fits;
    if (i <= 0) break;
    a <<= 1;
  }
  *quotient = q;
  if (a == 0) return 0;
  if (eb < 1) return wgm_value((bits)(a >> (1 - eb)));
  int up = __builtin_clzll((unsigned long long)a) - (63 - t::mant); /* to the place of the leading bit */
  up = up < eb - 1 ? up : eb - 1;
  a <<= up;
  eb -= up;
  return wgm_value((bits)((a & (one - 1)) | (a >= one ? (bits)eb << t::mant : 0)));
}

template <class T>
WG_MATH_FN bool wgm_divide_special(T x, T y) {
  return y == 0 || x != x || y != y || wgm_abs(x) == wgm_type<T>::inf;
}

template <class T>
WG_MATH_FN T wgm_fmod(T x, T y) {
  unsigned q;
  if (wgm_divide_special(x, y)) return wgm_nan<T>();
  return wgm_sign(wgm_divide(x, y, &q), x);
}

template <class T>
WG_MATH_FN T wgm_remquo(T x, T y, int *quotient) { /* the nearest quotient, halves to even */
  unsigned q = 0;
  T r;
  if (wgm_divide_special(x, y)) {
    r = wgm_nan<T>();
  } else if (wgm_abs(y) == wgm_type<T>::inf) {
    r = x;
  } else {
    T b = wgm_abs(y), v = wgm_divide(x, y, &q), left = b - v;
    bool up = v > left || (v == left && (q & 1) != 0);
    v = up ? v - b : v;
    q += up;
    r = x < 0 ? -v : v;
    if (v == 0) r = wgm_sign(v, x);
  }
  *quotient = (int)((q & 0x7fffffff) * ((x < 0) != (y < 0) ? -1u : 1u));
  return r;
}
template <class T>
WG_MATH_FN T wgm_remainder(T x, T y) {
  int q;
  return wgm_remquo(x, y, &q);
}

/* ---- parts of a number ---- */

template <class T>
WG_MATH_FN T wgm_ldexp(T x, int n) { /* one rounding, also into the denormal range */
  typedef wgm_type<T> t;
  typedef typename t::bits bits;
  if (x == 0 || !(wgm_abs(x) < t::inf)) return x;
  int k = 0;
  if (wgm_abs(x) < wgm_pow2<T>(1 - t::bias)) {
    x = wgm_mul(x, wgm_pow2<T>(t::mant + 2));
    k = -(t::mant + 2);
  }
  bits b = wgm_bits(x), mask = (bits)(2 * t::bias + 1) << t::mant;
  n = n > 5000 ? 5000 : n < -5000 ? -5000 : n;
  int e = (int)((b & mask) >> t::mant) + k + n;
  if (e > 2 * t::bias) return wgm_sign(t::inf, x);
  if (e >= 1) return wgm_value((bits)((b & ~mask) | (bits)e << t::mant));
  if (e < -(t::mant + 2)) return wgm_sign((T)0, x);
  return wgm_mul(wgm_value((bits)((b & ~mask) | (bits)(e + t::mant + 4) << t::mant)), wgm_pow2<T>(-(t::mant + 4)));
}

template <class T>
WG_MATH_FN int wgm_ilogb(T x) {
  typedef wgm_type<T> t;
  if (x == 0 || x != x) return -0x7fffffff - 1;
  if (wgm_abs(x) == t::inf) return 0x7fffffff;
  int k = 0;
  if (wgm_abs(x) < wgm_pow2<T>(1 - t::bias)) {
    x = wgm_mul(x, wgm_pow2<T>(t::mant + 2));
    k = t::mant + 2;
  }
  return (int)(wgm_bits(wgm_abs(x)) >> t::mant) - t::bias - k;
}

template <class T>
WG_MATH_FN T wgm_logb(T x) {
  typedef wgm_type<T> t;
  if (x == 0) return -t::inf;
  if (!(wgm_abs(x) < t::inf)) return wgm_abs(x) + wgm_abs(x);
  return (T)wgm_ilogb(x);
}

template <class T>
WG_MATH_FN T wgm_frexp(T x, int *e) {
  *e = 0;
  if (x == 0 || !(wgm_abs(x) < wgm_type<T>::inf)) return x;
  *e = wgm_ilogb(x) + 1;
  return wgm_ldexp(x, -*e);
}

template <class T>
WG_MATH_FN T wgm_modf(T x, T *whole) {
  *whole = wgm_trunc(x);
  T r = wgm_abs(x) == wgm_type<T>::inf ? (T)0 : x - *whole;
  return wgm_sign(r, x);
}

template <class T>
WG_MATH_FN T wgm_nextafter(T x, T y) {
  typedef typename wgm_type<T>::bits bits;
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0) return wgm_sign(wgm_value((bits)1), y);
  bits b = wgm_bits(x);
  return wgm_value((bits)((x < y) == (x > 0) ? b + 1 : b - 1));
}

template <class T>
WG_MATH_FN T wgm_round(T x) { /* halves away from zero; the fraction is taken before anything is added */
  T a = wgm_abs(x), w = wgm_trunc(a);
  return wgm_sign(w == a ? a : w + (a - w >= (T)0.5 ? (T)1 : (T)0), x);
}

#endif
