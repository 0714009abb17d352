// SPDX-License-Identifier: Apache-2.0
//
// make_<type><n>() for every built-in vector type.
#ifndef WG_VECTOR_FUNCTIONS_H
#define WG_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define WG_MAKE_DECL_ static __inline__ __host__ __device__
#define WG_MAKE_(N, T)                                                                                                 \
  WG_MAKE_DECL_ N##1 make_##N##1(T x) {                                                                                \
    N##1 r = {x};                                                                                                      \
    return r;                                                                                                          \
  }                                                                                                                    \
  WG_MAKE_DECL_ N##2 make_##N##2(T x, T y) {                                                                           \
    N##2 r = {x, y};                                                                                                   \
    return r;                                                                                                          \
  }                                                                                                                    \
  WG_MAKE_DECL_ N##3 make_##N##3(T x, T y, T z) {                                                                      \
    N##3 r = {x, y, z};                                                                                                \
    return r;                                                                                                          \
  }                                                                                                                    \
  WG_MAKE_DECL_ N##4 make_##N##4(T x, T y, T z, T w) {                                                                 \
    N##4 r = {x, y, z, w};                                                                                             \
    return r;                                                                                                          \
  }
WG_MAKE_(char, signed char)
WG_MAKE_(uchar, unsigned char)
WG_MAKE_(short, short)
WG_MAKE_(ushort, unsigned short)
WG_MAKE_(int, int)
WG_MAKE_(uint, unsigned int)
WG_MAKE_(long, long)
WG_MAKE_(ulong, unsigned long)
WG_MAKE_(longlong, long long)
WG_MAKE_(ulonglong, unsigned long long)
WG_MAKE_(float, float)
WG_MAKE_(double, double)
#undef WG_MAKE_
#undef WG_MAKE_DECL_

#endif
