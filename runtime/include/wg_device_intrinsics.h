// SPDX-License-Identifier: Apache-2.0
//
// Device intrinsics that clang's CUDA headers leave out: atomics of a scope, loads and stores with a cache hint, dot
// products, sleep. Included by cuda_runtime.h only.
#ifndef WG_DEVICE_INTRINSICS_H
#define WG_DEVICE_INTRINSICS_H

#define WG_DEV_ static __inline__ __device__ __attribute__((always_inline))

/* ---- atomics of a block and of the system ---- */

#define WG_ATOM_(NAME, T, IMPL)                                         \
  WG_DEV_ T NAME##_block(T *p, T v) { return IMPL##_block(p, v); }      \
  WG_DEV_ T NAME##_system(T *p, T v) { return IMPL##_system(p, v); }
#define WG_ATOM_ALL_(T, P)                                                                              \
  WG_ATOM_(atomicExch, T, P##AtomicExch)                                                                \
  WG_ATOM_(atomicAnd, T, P##AtomicAnd)                                                                  \
  WG_ATOM_(atomicOr, T, P##AtomicOr)                                                                    \
  WG_ATOM_(atomicXor, T, P##AtomicXor)                                                                  \
  WG_ATOM_(atomicMin, T, P##AtomicMin)                                                                  \
  WG_ATOM_(atomicMax, T, P##AtomicMax)                                                                  \
  WG_ATOM_(atomicAdd, T, P##AtomicAdd)                                                                  \
  WG_DEV_ T atomicCAS_block(T *p, T cmp, T v) { return P##AtomicCAS_block(p, cmp, v); }                 \
  WG_DEV_ T atomicCAS_system(T *p, T cmp, T v) { return P##AtomicCAS_system(p, cmp, v); }
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
#undef WG_ATOM_ALL_
#undef WG_ATOM_
#define WG_ATOM_SUB_(SCOPE)                                                                                 \
  WG_DEV_ int atomicSub##SCOPE(int *p, int v) { return atomicAdd##SCOPE(p, -v); }                           \
  WG_DEV_ unsigned int atomicSub##SCOPE(unsigned int *p, unsigned int v) { return atomicAdd##SCOPE(p, 0u - v); }
WG_ATOM_SUB_(_block)
WG_ATOM_SUB_(_system)
#undef WG_ATOM_SUB_

WG_DEV_ unsigned short atomicCAS(unsigned short *p, unsigned short cmp, unsigned short v) {
  unsigned short r;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(r) : "l"(p), "h"(cmp), "h"(v) : "memory");
  return r;
}

/* ---- loads and stores with a cache hint; the pointer is one to global memory ---- */

/* scalars: type, PTX type, register's constraint, register's C type */
#define WG_HINT_TYPES_(LD, ST, X)                  \
  X(LD, ST, char, "s8", "r", int)                  \
  X(LD, ST, signed char, "s8", "r", int)           \
  X(LD, ST, unsigned char, "u8", "r", unsigned)    \
  X(LD, ST, short, "s16", "h", short)              \
  X(LD, ST, unsigned short, "u16", "h", unsigned short) \
  X(LD, ST, int, "s32", "r", int)                  \
  X(LD, ST, unsigned int, "u32", "r", unsigned)    \
  X(LD, ST, long, "s64", "l", long)                \
  X(LD, ST, unsigned long, "u64", "l", unsigned long) \
  X(LD, ST, long long, "s64", "l", long long)      \
  X(LD, ST, unsigned long long, "u64", "l", unsigned long long) \
  X(LD, ST, float, "f32", "f", float)              \
  X(LD, ST, double, "f64", "d", double)
#define WG_LOAD_(H, UNUSED, T, PTX, C, R)                                                        \
  WG_DEV_ T __ld##H(const T *p) {                                                                \
    R r;                                                                                         \
    asm volatile("ld.global." #H "." PTX " %0, [%1];" : "=" C(r) : "l"(p) : "memory");           \
    return (T)r;                                                                                 \
  }
#define WG_STORE_(UNUSED, H, T, PTX, C, R)                                                       \
  WG_DEV_ void __st##H(T *p, T v) { asm volatile("st.global." #H "." PTX " [%0], %1;" ::"l"(p), C((R)v) : "memory"); }
/* vectors of two and four */
#define WG_HINT_VECTORS_(H, X2, X4)                                                              \
  X2(H, int2, "s32", "r") X2(H, uint2, "u32", "r") X2(H, float2, "f32", "f") X2(H, double2, "f64", "d")      \
  X2(H, longlong2, "s64", "l") X2(H, ulonglong2, "u64", "l")                                     \
  X4(H, int4, "s32", "r") X4(H, uint4, "u32", "r") X4(H, float4, "f32", "f")
#define WG_LOAD2_(H, T, PTX, C)                                                                  \
  WG_DEV_ T __ld##H(const T *p) {                                                                \
    T r;                                                                                         \
    asm volatile("ld.global." #H ".v2." PTX " {%0, %1}, [%2];" : "=" C(r.x), "=" C(r.y) : "l"(p) : "memory"); \
    return r;                                                                                    \
  }
#define WG_LOAD4_(H, T, PTX, C)                                                                  \
  WG_DEV_ T __ld##H(const T *p) {                                                                \
    T r;                                                                                         \
    asm volatile("ld.global." #H ".v4." PTX " {%0, %1, %2, %3}, [%4];"                           \
                 : "=" C(r.x), "=" C(r.y), "=" C(r.z), "=" C(r.w) : "l"(p) : "memory");          \
    return r;                                                                                    \
  }
#define WG_STORE2_(H, T, PTX, C)                                                                 \
  WG_DEV_ void __st##H(T *p, T v) {                                                              \
    asm volatile("st.global." #H ".v2." PTX " [%0], {%1, %2};" ::"l"(p), C(v.x), C(v.y) : "memory"); \
  }
#define WG_STORE4_(H, T, PTX, C)                                                                 \
  WG_DEV_ void __st##H(T *p, T v) {                                                              \
    asm volatile("st.global." #H ".v4." PTX " [%0], {%1, %2, %3, %4};"                           \
                 ::"l"(p), C(v.x), C(v.y), C(v.z), C(v.w) : "memory");                           \
  }
#define WG_LOADS_(H) WG_HINT_TYPES_(H, , WG_LOAD_) WG_HINT_VECTORS_(H, WG_LOAD2_, WG_LOAD4_)
#define WG_STORES_(H) WG_HINT_TYPES_(, H, WG_STORE_) WG_HINT_VECTORS_(H, WG_STORE2_, WG_STORE4_)
WG_LOADS_(ca)
WG_LOADS_(cg)
WG_LOADS_(cs)
WG_LOADS_(lu)
WG_LOADS_(cv)
WG_STORES_(wb)
WG_STORES_(cg)
WG_STORES_(cs)
WG_STORES_(wt)
#undef WG_STORES_
#undef WG_LOADS_
#undef WG_STORE4_
#undef WG_STORE2_
#undef WG_LOAD4_
#undef WG_LOAD2_
#undef WG_HINT_VECTORS_
#undef WG_STORE_
#undef WG_LOAD_
#undef WG_HINT_TYPES_

/* ---- dot products, sleep ---- */

#define WG_DOT_(NAME, PTX, A, B, T, AT, BT)                                                          \
  WG_DEV_ T NAME(A a, B b, T c) {                                                                    \
    T r;                                                                                             \
    asm(PTX "." AT "." BT " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                    \
    return r;                                                                                        \
  }
WG_DOT_(__dp4a, "dp4a", int, int, int, "s32", "s32")
WG_DOT_(__dp4a, "dp4a", unsigned, unsigned, unsigned, "u32", "u32")
WG_DOT_(__dp2a_lo, "dp2a.lo", int, int, int, "s32", "s32")
WG_DOT_(__dp2a_lo, "dp2a.lo", unsigned, unsigned, unsigned, "u32", "u32")
WG_DOT_(__dp2a_hi, "dp2a.hi", int, int, int, "s32", "s32")
WG_DOT_(__dp2a_hi, "dp2a.hi", unsigned, unsigned, unsigned, "u32", "u32")
#undef WG_DOT_

WG_DEV_ void __nanosleep(unsigned int ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns) : "memory"); }

#undef WG_DEV_
#endif
