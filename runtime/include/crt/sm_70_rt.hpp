// SPDX-License-Identifier: Apache-2.0
//
// The __match_*_sync front ends that clang's __clang_cuda_intrinsics.h expects to find under this name.
#ifndef WG_SM_70_RT_HPP
#define WG_SM_70_RT_HPP

#define WG_MATCH_(T, BITS, CAST)                                                                      \
  static __inline__ __device__ unsigned int __match_any_sync(unsigned int mask, T value) {           \
    return __match##BITS##_any_sync(mask, (CAST)value);                                               \
  }                                                                                                   \
  static __inline__ __device__ unsigned int __match_all_sync(unsigned int mask, T value, int *pred) { \
    return __match##BITS##_all_sync(mask, (CAST)value, pred);                                         \
  }
WG_MATCH_(unsigned int, 32, unsigned int)
WG_MATCH_(int, 32, unsigned int)
WG_MATCH_(unsigned long, 64, unsigned long long)
WG_MATCH_(long, 64, unsigned long long)
WG_MATCH_(unsigned long long, 64, unsigned long long)
WG_MATCH_(long long, 64, unsigned long long)
#undef WG_MATCH_
static __inline__ __device__ unsigned int __match_any_sync(unsigned int mask, float value) {
  return __match32_any_sync(mask, __float_as_uint(value));
}
static __inline__ __device__ unsigned int __match_all_sync(unsigned int mask, float value, int *pred) {
  return __match32_all_sync(mask, __float_as_uint(value), pred);
}
#endif
