// SPDX-License-Identifier: Apache-2.0
//
// The type half: storage, conversions, arithmetic by operators, on the host and on the device. Each operation is rounded once. Of
// CUDA's header this is the part that programs with matrices need; pairs (half2) and the functions of CUDA's list beyond
// those below are not there.
#ifndef WG_CUDA_FP16_H
#define WG_CUDA_FP16_H

#include <cuda_runtime.h>

#define WG_HALF_ static __inline__ __host__ __device__

struct __attribute__((aligned(2))) __half {
  _Float16 v;
  __half() = default;
  __host__ __device__ __half(float f) : v((_Float16)f) {}
  __host__ __device__ __half(double f) : v((_Float16)f) {}
  __host__ __device__ __half(int i) : v((_Float16)i) {}
  __host__ __device__ operator float() const { return (float)v; }
};
typedef __half half;

WG_HALF_ __half wg_half(_Float16 v) {
  __half h;
  h.v = v;
  return h;
}
WG_HALF_ __half __float2half(float f) { return __half(f); }
WG_HALF_ __half __float2half_rn(float f) { return __half(f); }
WG_HALF_ float __half2float(__half h) { return (float)h.v; }
WG_HALF_ unsigned short __half_as_ushort(__half h) {
  unsigned short u;
  __builtin_memcpy(&u, &h, sizeof u);
  return u;
}
WG_HALF_ __half __ushort_as_half(unsigned short u) {
  __half h;
  __builtin_memcpy(&h, &u, sizeof u);
  return h;
}

#define WG_HALF_OP_(NAME, OP)                                                       \
  WG_HALF_ __half NAME(__half a, __half b) { return wg_half(a.v OP b.v); }          \
  WG_HALF_ __half operator OP(const __half &a, const __half &b) { return NAME(a, b); } \
  WG_HALF_ __half &operator OP##=(__half &a, const __half &b) { return a = NAME(a, b); }
WG_HALF_OP_(__hadd, +)
WG_HALF_OP_(__hsub, -)
WG_HALF_OP_(__hmul, *)
WG_HALF_OP_(__hdiv, /)
#undef WG_HALF_OP_
#undef WG_HALF_

#endif
