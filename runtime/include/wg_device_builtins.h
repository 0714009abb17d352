// SPDX-License-Identifier: Apache-2.0
//
// The part of CUDA's device math library (clang calls it by the names __nv_*) that maps to one or a few machine
// operations; the rest: wg_device_math.h. What is in neither stays an external function, and wgcc refuses the program
// by that name. Include only between clang's __clang_cuda_libdevice_declares.h and __clang_cuda_device_functions.h.
#ifndef WG_DEVICE_BUILTINS_H
#define WG_DEVICE_BUILTINS_H

#define WG_NV1_(R, N, A, EXPR) \
  extern "C" __device__ __inline__ __attribute__((always_inline)) R __nv_##N(A a) { return EXPR; }
#define WG_NV2_(R, N, A, B, EXPR) \
  extern "C" __device__ __inline__ __attribute__((always_inline)) R __nv_##N(A a, B b) { return EXPR; }
#define WG_NV3_(R, N, A, B, C, EXPR) \
  extern "C" __device__ __inline__ __attribute__((always_inline)) R __nv_##N(A a, B b, C c) { return EXPR; }

/* integers */
WG_NV1_(int, abs, int, a < 0 ? -a : a)
WG_NV1_(long long, llabs, long long, a < 0 ? -a : a)
WG_NV2_(int, min, int, int, a < b ? a : b)
WG_NV2_(int, max, int, int, a > b ? a : b)
WG_NV2_(unsigned int, umin, unsigned int, unsigned int, a < b ? a : b)
WG_NV2_(unsigned int, umax, unsigned int, unsigned int, a > b ? a : b)
WG_NV2_(long long, llmin, long long, long long, a < b ? a : b)
WG_NV2_(long long, llmax, long long, long long, a > b ? a : b)
WG_NV2_(unsigned long long, ullmin, unsigned long long, unsigned long long, a < b ? a : b)
WG_NV2_(unsigned long long, ullmax, unsigned long long, unsigned long long, a > b ? a : b)
WG_NV1_(int, popc, int, __builtin_popcount((unsigned)a))
WG_NV1_(int, popcll, unsigned long long, __builtin_popcountll(a))
WG_NV1_(int, clz, int, a == 0 ? 32 : __builtin_clz((unsigned)a))
WG_NV1_(int, clzll, long long, a == 0 ? 64 : __builtin_clzll((unsigned long long)a))
WG_NV1_(int, ffs, int, __builtin_ffs(a))
WG_NV1_(int, ffsll, long long, __builtin_ffsll(a))
WG_NV1_(int, brev, int, (int)__builtin_bitreverse32((unsigned)a))
WG_NV1_(long long, brevll, long long, (long long)__builtin_bitreverse64((unsigned long long)a))
WG_NV3_(int, byte_perm, int, int, int, __nvvm_prmt(a, b, c))
WG_NV2_(int, mulhi, int, int, (int)(((long long)a * b) >> 32))
WG_NV2_(unsigned int, umulhi, unsigned int, unsigned int, (unsigned int)(((unsigned long long)a * b) >> 32))
WG_NV2_(long long, mul64hi, long long, long long, __nvvm_mulhi_ll(a, b))
WG_NV2_(unsigned long long, umul64hi, unsigned long long, unsigned long long, __nvvm_mulhi_ull(a, b))
WG_NV2_(int, mul24, int, int, __nvvm_mul24_i(a, b))
WG_NV2_(unsigned int, umul24, unsigned int, unsigned int, __nvvm_mul24_ui(a, b))
WG_NV3_(int, sad, int, int, int, (int)((a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + (unsigned)c))
WG_NV3_(unsigned int, usad, unsigned int, unsigned int, unsigned int, (a > b ? a - b : b - a) + c)
WG_NV2_(int, hadd, int, int, (int)(((long long)a + b) >> 1))
WG_NV2_(int, rhadd, int, int, (int)(((long long)a + b + 1) >> 1))
WG_NV2_(int, uhadd, unsigned int, unsigned int, (int)(((unsigned long long)a + b) >> 1))
WG_NV2_(unsigned int, urhadd, unsigned int, unsigned int, (unsigned int)(((unsigned long long)a + b + 1) >> 1))

/* bit casts */
WG_NV1_(int, float_as_int, float, __builtin_bit_cast(int, a))
WG_NV1_(unsigned int, float_as_uint, float, __builtin_bit_cast(unsigned int, a))
WG_NV1_(float, int_as_float, int, __builtin_bit_cast(float, a))
WG_NV1_(float, uint_as_float, unsigned int, __builtin_bit_cast(float, a))
WG_NV1_(unsigned long long, double_as_longlong, double, __builtin_bit_cast(unsigned long long, a))
WG_NV1_(double, longlong_as_double, long long, __builtin_bit_cast(double, a))
WG_NV1_(int, double2hiint, double, (int)(__builtin_bit_cast(unsigned long long, a) >> 32))
WG_NV1_(int, double2loint, double, (int)__builtin_bit_cast(unsigned long long, a))
WG_NV2_(double, hiloint2double, int, int,
        __builtin_bit_cast(double, ((unsigned long long)(unsigned)a << 32) | (unsigned)b))

/* float: classification, sign, extremes, rounding to integral */
WG_NV1_(float, fabsf, float, __builtin_fabsf(a))
WG_NV1_(double, fabs, double, __builtin_fabs(a))
WG_NV2_(float, copysignf, float, float, __builtin_copysignf(a, b))
WG_NV2_(double, copysign, double, double, __builtin_copysign(a, b))
WG_NV1_(int, signbitf, float, (int)(__builtin_bit_cast(unsigned int, a) >> 31))
WG_NV1_(int, signbitd, double, (int)(__builtin_bit_cast(unsigned long long, a) >> 63))
WG_NV1_(int, isnanf, float, a != a)
WG_NV1_(int, isnand, double, a != a)
WG_NV1_(int, isinff, float, __builtin_fabsf(a) == __builtin_huge_valf())
WG_NV1_(int, isinfd, double, __builtin_fabs(a) == __builtin_huge_val())
WG_NV1_(int, finitef, float, __builtin_fabsf(a) < __builtin_huge_valf())
WG_NV1_(int, isfinited, double, __builtin_fabs(a) < __builtin_huge_val())
WG_NV2_(float, fminf, float, float, __nvvm_fmin_f(a, b))
WG_NV2_(float, fmaxf, float, float, __nvvm_fmax_f(a, b))
WG_NV2_(double, fmin, double, double, __nvvm_fmin_d(a, b))
WG_NV2_(double, fmax, double, double, __nvvm_fmax_d(a, b))
WG_NV1_(float, floorf, float, __builtin_floorf(a))
WG_NV1_(float, ceilf, float, __builtin_ceilf(a))
WG_NV1_(float, truncf, float, __builtin_truncf(a))
WG_NV1_(double, floor, double, __builtin_floor(a))
WG_NV1_(double, ceil, double, __builtin_ceil(a))
WG_NV1_(double, trunc, double, __builtin_trunc(a))
WG_NV1_(float, saturatef, float, __nvvm_saturate_f(a))
WG_NV1_(float, rintf, float, __builtin_rintf(a))
WG_NV1_(double, rint, double, __builtin_rint(a))
WG_NV1_(float, nearbyintf, float, __builtin_rintf(a)) /* there is one rounding, to nearest */
WG_NV1_(double, nearbyint, double, __builtin_rint(a))
WG_NV2_(double, fdim, double, double, a > b ? a - b : (a <= b ? 0.0 : a + b))
WG_NV2_(float, fdimf, float, float, a > b ? a - b : (a <= b ? 0.0f : a + b))

/* arithmetic with a stated rounding */
#define WG_NV_ROUND_(M, P)                                                    \
  WG_NV2_(float, fadd_##M, float, float, __nvvm_add_##P##_f(a, b))         \
  WG_NV2_(float, fmul_##M, float, float, __nvvm_mul_##P##_f(a, b))         \
  WG_NV2_(float, fdiv_##M, float, float, __nvvm_div_##P##_f(a, b))         \
  WG_NV3_(float, fmaf_##M, float, float, float, __nvvm_fma_##P##_f(a, b, c)) \
  WG_NV3_(float, fmaf_ieee_##M, float, float, float, __nvvm_fma_##P##_f(a, b, c)) \
  WG_NV1_(float, frcp_##M, float, __nvvm_rcp_##P##_f(a))                   \
  WG_NV1_(float, fsqrt_##M, float, __nvvm_sqrt_##P##_f(a))                 \
  WG_NV2_(double, dadd_##M, double, double, __nvvm_add_##P##_d(a, b))      \
  WG_NV2_(double, dmul_##M, double, double, __nvvm_mul_##P##_d(a, b))      \
  WG_NV2_(double, ddiv_##M, double, double, __nvvm_div_##P##_d(a, b))      \
  WG_NV3_(double, fma_##M, double, double, double, __nvvm_fma_##P##_d(a, b, c)) \
  WG_NV1_(double, drcp_##M, double, __nvvm_rcp_##P##_d(a))                 \
  WG_NV1_(double, dsqrt_##M, double, __nvvm_sqrt_##P##_d(a))
WG_NV_ROUND_(rn, rn)
WG_NV_ROUND_(rz, rz)
WG_NV_ROUND_(rd, rm)
WG_NV_ROUND_(ru, rp)
#undef WG_NV_ROUND_
#define WG_NV_SUB_(M, P)                                                  \
  WG_NV2_(float, fsub_##M, float, float, __nvvm_add_##P##_f(a, -b))    \
  WG_NV2_(double, dsub_##M, double, double, __nvvm_add_##P##_d(a, -b))
WG_NV_SUB_(rn, rn)
WG_NV_SUB_(rz, rz)
WG_NV_SUB_(rd, rm)
WG_NV_SUB_(ru, rp)
#undef WG_NV_SUB_
WG_NV3_(float, fmaf, float, float, float, __builtin_fmaf(a, b, c))
WG_NV3_(double, fma, double, double, double, __builtin_fma(a, b, c))
WG_NV1_(float, sqrtf, float, __nvvm_sqrt_rn_f(a))
WG_NV1_(double, sqrt, double, __nvvm_sqrt_rn_d(a))
WG_NV1_(float, rsqrtf, float, __nvvm_rsqrt_approx_f(a))
WG_NV1_(double, rsqrt, double, 1.0 / __nvvm_sqrt_rn_d(a))
WG_NV1_(float, frsqrt_rn, float, (float)(1.0 / __nvvm_sqrt_rn_d((double)a)))

/* the special function unit's own forms: one instruction each, as in CUDA's __sinf(), __expf(), ... */
WG_NV1_(float, fast_sinf, float, __nvvm_sin_approx_f(a))
WG_NV1_(float, fast_cosf, float, __nvvm_cos_approx_f(a))
WG_NV1_(float, fast_tanf, float, __nvvm_sin_approx_f(a) * __nvvm_rcp_approx_ftz_f(__nvvm_cos_approx_f(a)))
WG_NV1_(float, fast_expf, float, __nvvm_ex2_approx_f(a * 1.4426950408889634f))
WG_NV1_(float, fast_exp10f, float, __nvvm_ex2_approx_f(a * 3.3219280948873623f))
WG_NV1_(float, fast_log2f, float, __nvvm_lg2_approx_f(a))
WG_NV1_(float, fast_logf, float, __nvvm_lg2_approx_f(a) * 0.69314718055994531f)
WG_NV1_(float, fast_log10f, float, __nvvm_lg2_approx_f(a) * 0.30102999566398120f)
WG_NV2_(float, fast_powf, float, float, __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a)))
WG_NV2_(float, fast_fdividef, float, float, __nvvm_div_approx_f(a, b))
WG_NV1_(float, exp2f, float, __nvvm_ex2_approx_f(a)) /* 2 ulp: CUDA's own exp2f() */
#ifdef WG_USE_FAST_MATH_ /* wgcc -use_fast_math; sinf, cosf, logf, log2f: clang's headers do it themselves */
WG_NV1_(float, expf, float, __nv_fast_expf(a))
WG_NV1_(float, exp10f, float, __nv_fast_exp10f(a))
WG_NV1_(float, log10f, float, __nv_fast_log10f(a))
WG_NV1_(float, tanf, float, __nv_fast_tanf(a))
WG_NV2_(float, powf, float, float, __nv_fast_powf(a, b))
#endif
extern "C" __device__ __inline__ __attribute__((always_inline)) void __nv_fast_sincosf(float a, float *s, float *c) {
  *s = __nvvm_sin_approx_f(a);
  *c = __nvvm_cos_approx_f(a);
}

/* conversions */
#define WG_NV_CVT_(M, P)                                                    \
  WG_NV1_(int, float2int_##M, float, __nvvm_f2i_##P(a))                  \
  WG_NV1_(unsigned int, float2uint_##M, float, __nvvm_f2ui_##P(a))       \
  WG_NV1_(long long, float2ll_##M, float, __nvvm_f2ll_##P(a))            \
  WG_NV1_(unsigned long long, float2ull_##M, float, __nvvm_f2ull_##P(a)) \
  WG_NV1_(float, int2float_##M, int, __nvvm_i2f_##P(a))                  \
  WG_NV1_(float, uint2float_##M, unsigned int, __nvvm_ui2f_##P(a))       \
  WG_NV1_(float, ll2float_##M, long long, __nvvm_ll2f_##P(a))            \
  WG_NV1_(float, ull2float_##M, unsigned long long, __nvvm_ull2f_##P(a)) \
  WG_NV1_(float, double2float_##M, double, __nvvm_d2f_##P(a))            \
  WG_NV1_(int, double2int_##M, double, __nvvm_d2i_##P(a))                \
  WG_NV1_(unsigned int, double2uint_##M, double, __nvvm_d2ui_##P(a))     \
  WG_NV1_(long long, double2ll_##M, double, __nvvm_d2ll_##P(a))          \
  WG_NV1_(unsigned long long, double2ull_##M, double, __nvvm_d2ull_##P(a))
WG_NV_CVT_(rn, rn)
WG_NV_CVT_(rz, rz)
WG_NV_CVT_(rd, rm)
WG_NV_CVT_(ru, rp)
#undef WG_NV_CVT_
WG_NV1_(double, int2double_rn, int, (double)a)
WG_NV1_(double, uint2double_rn, unsigned int, (double)a)
#define WG_NV_CVT64_(M, P)                                           \
  WG_NV1_(double, ll2double_##M, long long, __nvvm_ll2d_##P(a))    \
  WG_NV1_(double, ull2double_##M, unsigned long long, __nvvm_ull2d_##P(a))
WG_NV_CVT64_(rz, rz)
WG_NV_CVT64_(rd, rm)
WG_NV_CVT64_(ru, rp)
#undef WG_NV_CVT64_
WG_NV1_(unsigned short, float2half_rn, float, __builtin_bit_cast(unsigned short, (_Float16)a))
WG_NV1_(float, half2float, unsigned short, (float)__builtin_bit_cast(_Float16, a))
WG_NV1_(double, ll2double_rn, long long, __nvvm_ll2d_rn(a))
WG_NV1_(double, ull2double_rn, unsigned long long, __nvvm_ull2d_rn(a))
WG_NV1_(long long, llrintf, float, __nvvm_f2ll_rn(a))
WG_NV1_(long long, llrint, double, __nvvm_d2ll_rn(a))
#undef WG_NV1_
#undef WG_NV2_
#undef WG_NV3_
#endif
