// SPDX-License-Identifier: Apache-2.0
//
// The device math library under the names that clang's headers call (__nv_*). Algorithms: wg_math_elem.h,
// wg_math_special.h. Bessel functions are not there; wgcc refuses them by name.
#ifndef WG_DEVICE_MATH_H
#define WG_DEVICE_MATH_H

#include "wg_math_special.h"

#define WG_NV_ extern "C" __device__ __inline__
#define WG_NV_1_(N) WG_NV_1F_(N) WG_NV_1D_(N)
#define WG_NV_1F_(N) \
  WG_NV_ float __nv_##N##f(float a) { return wgm_##N(a); }
#define WG_NV_1D_(N) \
  WG_NV_ double __nv_##N(double a) { return wgm_##N(a); }
#define WG_NV_2_(N) WG_NV_2F_(N) WG_NV_2D_(N)
#define WG_NV_2F_(N) \
  WG_NV_ float __nv_##N##f(float a, float b) { return wgm_##N(a, b); }
#define WG_NV_2D_(N) \
  WG_NV_ double __nv_##N(double a, double b) { return wgm_##N(a, b); }

#ifndef WG_USE_FAST_MATH_ /* else wg_device_builtins.h has them */
WG_NV_1F_(exp)
WG_NV_1F_(exp10)
WG_NV_1F_(log10)
WG_NV_1F_(tan)
WG_NV_2F_(pow)
#endif
WG_NV_1D_(exp)
WG_NV_1D_(exp2) /* exp2f is the special function unit's */
WG_NV_1D_(exp10)
WG_NV_1D_(log10)
WG_NV_1D_(tan)
WG_NV_2D_(pow)
WG_NV_1_(expm1)
WG_NV_1_(log)
WG_NV_1_(log2)
WG_NV_1_(log1p)
WG_NV_1_(sinh)
WG_NV_1_(cosh)
WG_NV_1_(tanh)
WG_NV_1_(asinh)
WG_NV_1_(acosh)
WG_NV_1_(atanh)
WG_NV_1_(sin)
WG_NV_1_(cos)
WG_NV_1_(sinpi)
WG_NV_1_(cospi)
WG_NV_1_(asin)
WG_NV_1_(acos)
WG_NV_1_(atan)
WG_NV_2_(atan2)
WG_NV_1_(cbrt)
WG_NV_1_(erf)
WG_NV_1_(erfc)
WG_NV_1_(erfcx)
WG_NV_1_(normcdf)
WG_NV_1_(erfinv)
WG_NV_1_(erfcinv)
WG_NV_1_(normcdfinv)
WG_NV_1_(tgamma)
WG_NV_1_(lgamma)
WG_NV_1_(logb)
WG_NV_1_(round)
WG_NV_2_(fmod)
WG_NV_2_(remainder)
WG_NV_2_(nextafter)

#define WG_NV_BOTH_(T, F)                                                                                          \
  WG_NV_ T __nv_rcbrt##F(T a) { return 1 / wgm_cbrt(a); }                                                          \
  WG_NV_ T __nv_hypot##F(T a, T b) { return wgm_norm4<T>(a, b, 0, 0, false); }                                     \
  WG_NV_ T __nv_rhypot##F(T a, T b) { return wgm_norm4<T>(a, b, 0, 0, true); }                                     \
  WG_NV_ T __nv_norm3d##F(T a, T b, T c) { return wgm_norm4<T>(a, b, c, 0, false); }                               \
  WG_NV_ T __nv_rnorm3d##F(T a, T b, T c) { return wgm_norm4<T>(a, b, c, 0, true); }                               \
  WG_NV_ T __nv_norm4d##F(T a, T b, T c, T d) { return wgm_norm4<T>(a, b, c, d, false); }                          \
  WG_NV_ T __nv_rnorm4d##F(T a, T b, T c, T d) { return wgm_norm4<T>(a, b, c, d, true); }                          \
  WG_NV_ T __nv_norm##F(int n, const T *v) { return wgm_norm(n, v); }                                              \
  WG_NV_ T __nv_rnorm##F(int n, const T *v) { return 1 / wgm_norm(n, v); }                                         \
  WG_NV_ T __nv_remquo##F(T a, T b, int *q) { return wgm_remquo(a, b, q); }                                        \
  WG_NV_ T __nv_ldexp##F(T a, int n) { return wgm_ldexp(a, n); }                                                   \
  WG_NV_ T __nv_scalbn##F(T a, int n) { return wgm_ldexp(a, n); }                                                  \
  WG_NV_ T __nv_frexp##F(T a, int *e) { return wgm_frexp(a, e); }                                                  \
  WG_NV_ T __nv_modf##F(T a, T *whole) { return wgm_modf(a, whole); }                                              \
  WG_NV_ int __nv_ilogb##F(T a) { return wgm_ilogb(a); }                                                           \
  WG_NV_ long long __nv_llround##F(T a) { return (long long)wgm_round(a); }                                        \
  WG_NV_ void __nv_sincos##F(T a, T *s, T *c) { wgm_sincos(a, s, c); }                                             \
  WG_NV_ void __nv_sincospi##F(T a, T *s, T *c) { wgm_sincospi(a, s, c); }                                         \
  WG_NV_ T __nv_powi##F(T a, int n) { return wgm_powi(a, n); }                                                     \
  WG_NV_ T __nv_nan##F(const signed char *) { return wgm_sign(wgm_nan<T>(), (T)1); }
WG_NV_BOTH_(float, f)
WG_NV_BOTH_(double, )

#undef WG_NV_BOTH_
#undef WG_NV_2D_
#undef WG_NV_2F_
#undef WG_NV_2_
#undef WG_NV_1D_
#undef WG_NV_1F_
#undef WG_NV_1_
#undef WG_NV_
#endif
