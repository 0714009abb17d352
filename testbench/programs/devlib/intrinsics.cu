// SPDX-License-Identifier: Apache-2.0
// Intrinsics of our own headers, each against its definition: atomics of a scope, cache hints, dot products, sleep, new
// in place, conversions, math_constants.h. Prints the number of differences of each.
#include <cstdio>
#include <math_constants.h>
#include <new>

struct pair_t {
  int a, b;
  __device__ pair_t(int x) : a(x), b(-x) {}
};

__device__ int counter[8];
__device__ unsigned short half_words[4];

template <class T>
__device__ int hints(T *p, T v) {
  int bad = 0;
  __stwb(p, v);
  bad += __ldca(p) != v;
  __stcg(p + 1, v);
  bad += __ldcg(p + 1) != v;
  __stcs(p + 2, v);
  bad += __ldcs(p + 2) != v;
  __stwt(p + 3, v);
  return bad + (__ldcv(p + 3) != v) + (__ldlu(p) != v);
}

template <class T>
__device__ int vectors(T *p, T v) { /* x and y of each */
  __stcg(p, v);
  __stwb(p + 1, v);
  T a = __ldcg(p), b = __ldca(p + 1), c = __ldcv(p);
  return (a.x != v.x) + (a.y != v.y) + (b.x != v.x) + (b.y != v.y) + (c.y != v.y);
}

__global__ void kernel(int *bad, char *memory) {
  int t = (int)threadIdx.x;
  atomicAdd_block(&counter[0], t);
  atomicAdd_system(&counter[1], 2 * t);
  atomicSub_block(&counter[2], 1);
  atomicMax_system(&counter[3], t);
  atomicOr_block((unsigned *)&counter[4], 1u << t);
  atomicCAS_system(&counter[5], 0, 7);
  if (t < 4) atomicCAS(&half_words[t], (unsigned short)0, (unsigned short)(t + 1));
  __syncthreads();
  bad[0] = (counter[0] != 496) + (counter[1] != 992) + (counter[2] != -32) + (counter[3] != 31) + (counter[4] != -1) +
           (counter[5] != 7) + (half_words[1] != 2) + (half_words[3] != 4);
  char *mine = memory + 256 * t;
  bad[1] = hints((signed char *)mine, (signed char)(-t)) + hints((unsigned short *)mine, (unsigned short)(65000 + t)) +
           hints((int *)mine, -t) + hints((long long *)mine, -5000000000LL * t) + hints((float *)mine, t * 0.5f) +
           hints((double *)mine, t * 0.25) + hints((unsigned char *)mine, (unsigned char)(200 + t)) +
           hints((short *)mine, (short)-t);
  bad[2] = vectors((int2 *)mine, make_int2(t, -t)) + vectors((float4 *)mine, make_float4(t, 2, 3, 4)) +
           vectors((double2 *)mine, make_double2(t, .5));
  unsigned a = 0x01020304u * t, b = 0xf0e0d0c0u + t;
  int s = 5;
  unsigned u = 5;
  for (int i = 0; i < 4; i++) {
    s += (int)(signed char)(a >> 8 * i) * (int)(signed char)(b >> 8 * i);
    u += (a >> 8 * i & 255) * (b >> 8 * i & 255);
  }
  int lo = 1 + (int)(short)a * (int)(signed char)b + (int)(short)(a >> 16) * (int)(signed char)(b >> 8);
  bad[3] = (__dp4a((int)a, (int)b, 5) != s) + (__dp4a(a, b, 5u) != u) + (__dp2a_lo((int)a, (int)b, 1) != lo);
  __nanosleep(20);
  pair_t *p = new (mine) pair_t(t);
  bad[4] = (p->a != t) + (p->b != -t) + (((int *)mine)[1] != -t);
  bad[5] = !isinf(CUDART_INF_F) + !isnan(CUDART_NAN) + (CUDART_PI_F != (float)CUDART_PI) + !isnan(nanf("")) +
           (__sad(-3, 4, 10) != 17) + (__usad(3u, 9u, 1u) != 7) + (__frsqrt_rn(4.0f) != 0.5f) + (rintf(2.5f) != 2) +
           (roundf(2.5f) != 3) + (lroundf(-2.5f) != -3);
}

int main() {
  int *bad, h[6];
  char *memory;
  cudaMalloc(&bad, sizeof h);
  cudaMalloc(&memory, 32 * 256);
  kernel<<<1, 32>>>(bad, memory);
  cudaMemcpy(h, bad, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 6; i++) printf("%d%c", h[i], i == 5 ? '\n' : ' ');
  cudaFree(bad);
  cudaFree(memory);
  return cudaDeviceSynchronize() != cudaSuccess;
}
