// SPDX-License-Identifier: Apache-2.0
//
// Device functions that clang's CUDA sub-headers leave to the tool kit: atomics under their CUDA names, float
// overloads, min and max for all types, address-space queries, printf and assert. Included by cuda_runtime.h only.
#ifndef WG_DEVICE_FUNCTIONS_H
#define WG_DEVICE_FUNCTIONS_H

#define WG_DEV_ static __inline__ __device__ __attribute__((always_inline))

#define WG_ATOM_(NAME, T, IMPL) \
  WG_DEV_ T NAME(T *p, T v) { return IMPL(p, v); }
#define WG_ATOM_ALL_(T, P)               \
  WG_ATOM_(atomicExch, T, P##AtomicExch) \
  WG_ATOM_(atomicAnd, T, P##AtomicAnd)   \
  WG_ATOM_(atomicOr, T, P##AtomicOr)     \
  WG_ATOM_(atomicXor, T, P##AtomicXor)   \
  WG_ATOM_(atomicMin, T, P##AtomicMin)   \
  WG_ATOM_(atomicMax, T, P##AtomicMax)   \
  WG_ATOM_(atomicAdd, T, P##AtomicAdd)   \
  WG_DEV_ T atomicCAS(T *p, T cmp, T v) { return P##AtomicCAS(p, cmp, v); }
WG_ATOM_ALL_(int, __i)
WG_ATOM_ALL_(unsigned int, __u)
WG_ATOM_ALL_(unsigned long long, __ull)
WG_ATOM_(atomicInc, unsigned int, __uAtomicInc)
WG_ATOM_(atomicDec, unsigned int, __uAtomicDec)
WG_ATOM_(atomicAdd, float, __fAtomicAdd)
WG_ATOM_(atomicAdd, double, __dAtomicAdd)
WG_ATOM_(atomicExch, float, __fAtomicExch)
WG_ATOM_(atomicMin, long long, __illAtomicMin)
WG_ATOM_(atomicMax, long long, __illAtomicMax)
WG_ATOM_(atomicAnd, long long, __llAtomicAnd)
WG_ATOM_(atomicOr, long long, __llAtomicOr)
WG_ATOM_(atomicXor, long long, __llAtomicXor)
WG_DEV_ int atomicSub(int *p, int v) { return __iAtomicAdd(p, -v); }
WG_DEV_ unsigned int atomicSub(unsigned int *p, unsigned int v) { return __uAtomicAdd(p, 0u - v); }
#undef WG_ATOM_ALL_
#undef WG_ATOM_

WG_DEV_ unsigned int __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
WG_DEV_ unsigned int __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
WG_DEV_ unsigned int __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
WG_DEV_ unsigned int __isLocal(const void *p) { return __nvvm_isspacep_local(p); }

/* addresses between the generic space and one space; the latter as numbers */
#define WG_CVTA_(SPACE, N)                                                                                          \
  WG_DEV_ size_t __cvta_generic_to_##SPACE(const void *p) {                                                         \
    return (size_t)(__attribute__((address_space(N))) const void *)p;                                               \
  }                                                                                                                 \
  WG_DEV_ void *__cvta_##SPACE##_to_generic(size_t a) { return (void *)(__attribute__((address_space(N))) void *)a; }
WG_CVTA_(global, 1)
WG_CVTA_(shared, 3)
WG_CVTA_(constant, 4)
WG_CVTA_(local, 5)
#undef WG_CVTA_

/* min and max of mixed types follow the usual arithmetic conversions, as in CUDA */
#define WG_MINMAX_(T, A, B)                                     \
  WG_DEV_ T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; } \
  WG_DEV_ T max(A a, B b) { return (T)a > (T)b ? (T)a : (T)b; }
WG_MINMAX_(unsigned int, unsigned int, unsigned int)
WG_MINMAX_(unsigned int, int, unsigned int)
WG_MINMAX_(unsigned int, unsigned int, int)
WG_MINMAX_(long, long, long)
WG_MINMAX_(unsigned long, unsigned long, unsigned long)
WG_MINMAX_(long long, long long, long long)
WG_MINMAX_(unsigned long long, unsigned long long, unsigned long long)
#undef WG_MINMAX_
WG_DEV_ float min(float a, float b) { return fminf(a, b); }
WG_DEV_ float max(float a, float b) { return fmaxf(a, b); }
WG_DEV_ double min(double a, double b) { return fmin(a, b); }
WG_DEV_ double max(double a, double b) { return fmax(a, b); }
WG_DEV_ double min(float a, double b) { return fmin((double)a, b); }
WG_DEV_ double max(float a, double b) { return fmax((double)a, b); }
WG_DEV_ double min(double a, float b) { return fmin(a, (double)b); }
WG_DEV_ double max(double a, float b) { return fmax(a, (double)b); }

/* float overloads that only the tool kit's headers define; without them they become external functions */
#define WG_F1_(N) \
  WG_DEV_ float N(float a) { return N##f(a); }
#define WG_F2_(N) \
  WG_DEV_ float N(float a, float b) { return N##f(a, b); }
WG_F1_(acosh)
WG_F1_(asinh) WG_F1_(atanh) WG_F1_(cbrt) WG_F1_(erf) WG_F1_(erfc) WG_F1_(exp2) WG_F1_(expm1) WG_F1_(lgamma)
    WG_F1_(log1p) WG_F1_(log2) WG_F1_(logb) WG_F1_(nearbyint) WG_F1_(rint) WG_F1_(round) WG_F1_(tgamma)
        WG_F1_(trunc) WG_F1_(rsqrt) WG_F1_(rcbrt) WG_F1_(sinpi) WG_F1_(cospi) WG_F1_(normcdf) WG_F1_(erfinv) WG_F1_(erfcinv) WG_F1_(normcdfinv) WG_F1_(erfcx)
            WG_F2_(fmin) WG_F2_(fmax) WG_F2_(hypot) WG_F2_(copysign) WG_F2_(fdim) WG_F2_(remainder) WG_DEV_
    float fma(float a, float b, float c) {
  return fmaf(a, b, c);
}
WG_DEV_ float nanf(const char *) { return __nv_nanf(nullptr); } /* the text means nothing */
WG_DEV_ double nan(const char *) { return __nv_nan(nullptr); }
#undef WG_F1_
#undef WG_F2_
#undef WG_DEV_

extern "C" {
/* clang turns printf into this call; kept external, the PTX compiler says what it makes of it */
__device__ int vprintf(const char *format, const char *args);
__device__ int printf(const char *format, ...);
__device__ void free(void *p) __attribute__((nothrow));
__device__ void *malloc(size_t bytes) __attribute__((nothrow)) __attribute__((malloc));
__device__ void __assertfail(const char *message, const char *file, unsigned int line, const char *function,
                             size_t char_size);
__device__ static __inline__ void __assert_fail(const char *message, const char *file, unsigned int line,
                                                const char *function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}

/* new and delete on the malloc heap; new of more than there is gives a null pointer, as in CUDA */
#ifndef __CLANG_CUDA_WRAPPERS_NEW /* clang's own <new> has them, and is told so: it may be included again */
#define __CLANG_CUDA_WRAPPERS_NEW
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winline-new-delete" /* there is no library that a program's own could replace */
#define WG_NEW_(SUFFIX)                                                                                          \
  __device__ inline void *operator new SUFFIX(size_t bytes) { return ::malloc(bytes == 0 ? 1 : bytes); }         \
  __device__ inline void *operator new SUFFIX(size_t bytes, const std::nothrow_t &) noexcept {                   \
    return ::malloc(bytes == 0 ? 1 : bytes);                                                                     \
  }                                                                                                              \
  __device__ inline void operator delete SUFFIX(void *p) noexcept { ::free(p); }                                 \
  __device__ inline void operator delete SUFFIX(void *p, size_t) noexcept { ::free(p); }                         \
  __device__ inline void operator delete SUFFIX(void *p, const std::nothrow_t &) noexcept { ::free(p); }         \
  __device__ inline void *operator new SUFFIX(size_t, void *p) noexcept { return p; }                            \
  __device__ inline void operator delete SUFFIX(void *, void *) noexcept {}
WG_NEW_()
WG_NEW_([])
#undef WG_NEW_
#pragma clang diagnostic pop
#endif
#endif
