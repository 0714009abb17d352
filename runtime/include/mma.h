// SPDX-License-Identifier: Apache-2.0
//
// nvcuda::wmma for shape 16 x 16 x 16 of half, with sums in float or half: wmma.load, wmma.mma, wmma.store of PTX. Which lane
// holds which element is open, as in CUDA; an element of a or b has two holders, which have to change it alike.
#ifndef WG_MMA_H
#define WG_MMA_H

#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

template <typename Use, int M, int N, int K, typename T, typename Layout = void>
class fragment {
  static_assert(M < 0, "wmma fragments here are 16 x 16 x 16, of half, accumulators of float or half");
};

#define WG_FRAGMENT_(USE, T, LAYOUT, N)             \
  template <>                                       \
  class fragment<USE, 16, 16, 16, T, LAYOUT> {      \
   public:                                          \
    static constexpr int num_elements = N;          \
    static constexpr int num_storage_elements = N;  \
    T x[N];                                         \
  };
WG_FRAGMENT_(matrix_a, __half, row_major, 16)
WG_FRAGMENT_(matrix_a, __half, col_major, 16)
WG_FRAGMENT_(matrix_b, __half, row_major, 16)
WG_FRAGMENT_(matrix_b, __half, col_major, 16)
WG_FRAGMENT_(accumulator, float, void, 8)
WG_FRAGMENT_(accumulator, __half, void, 8)
#undef WG_FRAGMENT_

template <typename T>
struct wg_identity {
  using type = T;
};

template <typename Use, typename T, typename Layout>
static __inline__ __device__ void fill_fragment(fragment<Use, 16, 16, 16, T, Layout> &f, const typename wg_identity<T>::type &v) {
  for (int i = 0; i < f.num_elements; i++) f.x[i] = v;
}

/* Words of a fragment: n of them. */
template <int N, typename F>
static __inline__ __device__ void wg_get(unsigned (&r)[N], const F &f) {
  static_assert(sizeof f.x == sizeof r, "words of a fragment");
  __builtin_memcpy(r, f.x, sizeof r);
}
template <int N, typename F>
static __inline__ __device__ void wg_put(F &f, const unsigned (&r)[N]) {
  static_assert(sizeof f.x == sizeof r, "words of a fragment");
  __builtin_memcpy(f.x, r, sizeof r);
}

#define WG_OUT8_ "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
#define WG_OUT4_ "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
#define WG_IN8_(v) "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "r"(v[4]), "r"(v[5]), "r"(v[6]), "r"(v[7])
#define WG_IN4_(v) "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3])

#define WG_LOAD_AB_(USE, U, LAYOUT, L)                                                                                 \
  static __inline__ __device__ void load_matrix_sync(fragment<USE, 16, 16, 16, __half, LAYOUT> &f, const __half *p,    \
                                                     unsigned ldm) {                                                   \
    unsigned r[8];                                                                                                     \
    asm volatile("wmma.load." U ".sync.aligned." L ".m16n16k16.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8], %9;"               \
                 : WG_OUT8_                                                                                            \
                 : "l"(p), "r"(ldm)                                                                                    \
                 : "memory");                                                                                          \
    wg_put(f, r);                                                                                                      \
  }
WG_LOAD_AB_(matrix_a, "a", row_major, "row")
WG_LOAD_AB_(matrix_a, "a", col_major, "col")
WG_LOAD_AB_(matrix_b, "b", row_major, "row")
WG_LOAD_AB_(matrix_b, "b", col_major, "col")
#undef WG_LOAD_AB_

#define WG_LOAD_C_(T, TYPE, N, OUT, REGS, L)                                                         \
  asm volatile("wmma.load.c.sync.aligned." L ".m16n16k16." TYPE " " REGS ", [%" #N "], %" WG_NEXT_##N ";" \
               : OUT                                                                                 \
               : "l"(p), "r"(ldm)                                                                    \
               : "memory")
#define WG_NEXT_8 "9"
#define WG_NEXT_4 "5"
#define WG_R8_ "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define WG_R4_ "{%0,%1,%2,%3}"

static __inline__ __device__ void load_matrix_sync(fragment<accumulator, 16, 16, 16, float> &f, const float *p, unsigned ldm,
                                                   layout_t layout) {
  unsigned r[8];
  if (layout == mem_row_major) WG_LOAD_C_(float, "f32", 8, WG_OUT8_, WG_R8_, "row");
  else WG_LOAD_C_(float, "f32", 8, WG_OUT8_, WG_R8_, "col");
  wg_put(f, r);
}
static __inline__ __device__ void load_matrix_sync(fragment<accumulator, 16, 16, 16, __half> &f, const __half *p, unsigned ldm,
                                                   layout_t layout) {
  unsigned r[4];
  if (layout == mem_row_major) WG_LOAD_C_(__half, "f16", 4, WG_OUT4_, WG_R4_, "row");
  else WG_LOAD_C_(__half, "f16", 4, WG_OUT4_, WG_R4_, "col");
  wg_put(f, r);
}

static __inline__ __device__ void store_matrix_sync(float *p, const fragment<accumulator, 16, 16, 16, float> &f, unsigned ldm,
                                                    layout_t layout) {
  unsigned r[8];
  wg_get(r, f);
  if (layout == mem_row_major)
    asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.f32 [%0], {%1,%2,%3,%4,%5,%6,%7,%8}, %9;" ::"l"(p), WG_IN8_(r), "r"(ldm)
                 : "memory");
  else
    asm volatile("wmma.store.d.sync.aligned.col.m16n16k16.f32 [%0], {%1,%2,%3,%4,%5,%6,%7,%8}, %9;" ::"l"(p), WG_IN8_(r), "r"(ldm)
                 : "memory");
}
static __inline__ __device__ void store_matrix_sync(__half *p, const fragment<accumulator, 16, 16, 16, __half> &f, unsigned ldm,
                                                    layout_t layout) {
  unsigned r[4];
  wg_get(r, f);
  if (layout == mem_row_major)
    asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.f16 [%0], {%1,%2,%3,%4}, %5;" ::"l"(p), WG_IN4_(r), "r"(ldm) : "memory");
  else
    asm volatile("wmma.store.d.sync.aligned.col.m16n16k16.f16 [%0], {%1,%2,%3,%4}, %5;" ::"l"(p), WG_IN4_(r), "r"(ldm) : "memory");
}

/* The layouts of a and b are in their fragments already; PTX wants them named. */
template <typename LA, typename LB>
static __inline__ __device__ void mma_sync(fragment<accumulator, 16, 16, 16, float> &d, const fragment<matrix_a, 16, 16, 16, __half, LA> &fa,
                                           const fragment<matrix_b, 16, 16, 16, __half, LB> &fb,
                                           const fragment<accumulator, 16, 16, 16, float> &fc) {
  unsigned a[8], b[8], c[8], r[8];
  wg_get(a, fa);
  wg_get(b, fb);
  wg_get(c, fc);
  asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, "
               "{%16,%17,%18,%19,%20,%21,%22,%23}, {%24,%25,%26,%27,%28,%29,%30,%31};"
               : WG_OUT8_
               : WG_IN8_(a), WG_IN8_(b), WG_IN8_(c));
  wg_put(d, r);
}
template <typename LA, typename LB>
static __inline__ __device__ void mma_sync(fragment<accumulator, 16, 16, 16, __half> &d,
                                           const fragment<matrix_a, 16, 16, 16, __half, LA> &fa,
                                           const fragment<matrix_b, 16, 16, 16, __half, LB> &fb,
                                           const fragment<accumulator, 16, 16, 16, __half> &fc) {
  unsigned a[8], b[8], c[4], r[4];
  wg_get(a, fa);
  wg_get(b, fb);
  wg_get(c, fc);
  asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
               "{%12,%13,%14,%15,%16,%17,%18,%19}, {%20,%21,%22,%23};"
               : WG_OUT4_
               : WG_IN8_(a), WG_IN8_(b), WG_IN4_(c));
  wg_put(d, r);
}

#undef WG_OUT8_
#undef WG_OUT4_
#undef WG_IN8_
#undef WG_IN4_
#undef WG_LOAD_C_
#undef WG_NEXT_8
#undef WG_NEXT_4
#undef WG_R8_
#undef WG_R4_

}  // namespace wmma
}  // namespace nvcuda

#endif
