// SPDX-License-Identifier: Apache-2.0
//
// Divergent branches of the text, one kernel each: if/else, nested if, a loop with different trip counts, switch, early
// return, a tail warp, a ladder of 1 to 32 paths, and one condition as branches and as predicated code.
//
// usage: divergence [WHAT]     WHAT: all (the default), or one of the names below
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CUDA_CHECK(call)                                                          \
  do {                                                                            \
    cudaError_t e_ = (call);                                                      \
    if (e_ != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

// Work that no compiler can merge with that of another path: ten dependent steps x = x * 3 + k.
__device__ __forceinline__ unsigned step10(unsigned x, unsigned k) {
#pragma unroll
  for (int i = 0; i < 10; i++) asm volatile("mad.lo.u32 %0, %0, 3, %1;" : "+r"(x) : "r"(k));
  return x;
}

// The text's if (threadIdx.x < 16) { A(); } else { B(); } C();
__global__ void ifElse(unsigned *out) {
  unsigned t = threadIdx.x, x = t;
  if (t % 32 < 16) {
    x = step10(x, 1);
  } else {
    x = step10(x, 2);
  }
  out[t] = step10(x, 3);
}

// One level of if/else more for each level: half of the lanes that are left go on.
template <int kLevels>
__device__ __forceinline__ unsigned nest(unsigned t, unsigned x) {
  if ((t & 1u) != 0u) {
    x = nest<kLevels - 1>(t >> 1, step10(x, kLevels));
    x = step10(x, 7);
  } else {
    x = step10(x, 50 + kLevels);
  }
  return x;
}
template <>
__device__ __forceinline__ unsigned nest<0>(unsigned, unsigned x) {
  return step10(x, 9);
}
template <int kLevels>
__global__ void nested(unsigned *out) {
  out[threadIdx.x] = step10(nest<kLevels>(threadIdx.x, threadIdx.x), 3);
}

// Lane l turns l % 8 + 1 times; the warp turns as often as its busiest lane.
__global__ void loopTrips(unsigned *out) {
  unsigned t = threadIdx.x, x = t;
#pragma unroll 1
  for (unsigned i = 0; i <= t % 8; i++) x = step10(x, i);
  out[t] = step10(x, 3);
}

__global__ void switchCase(unsigned *out) {
  unsigned t = threadIdx.x, x = t;
  switch (t % 6) {
    case 0: x = step10(x, 11); break;
    case 1: x = step10(x, 22); break;
    case 2: x = step10(x, 33);  // and on into the next
    case 3: x = step10(x, 44); break;
    case 4: x = step10(x, 55); break;
    default: x = step10(x, 66); break;
  }
  out[t] = step10(x, 3);
}

// Lanes below 12 leave; the rest go on without them.
__global__ void earlyReturn(unsigned *out) {
  unsigned t = threadIdx.x;
  if (t % 32 < 12) return;
  out[t] = step10(t, 3);
}

// 100 threads: the last warp has 4 lanes from its first instruction on.
__global__ void tailWarp(unsigned *out) { out[threadIdx.x] = step10(threadIdx.x, __activemask()); }

// kPaths ways of the same length through one warp: the cost is their number.
template <int kPaths>
__global__ void ladder(unsigned *out) {
  unsigned t = threadIdx.x, x = t, way = t % kPaths;
#pragma unroll
  for (unsigned p = 0; p < kPaths; p++) {
    if (way == p) x = step10(x, p);
  }
  out[t] = x;
}

// if (x > 0) { x = 2 * x; } else { x = exp(x, 5); } with alternating signs, exp as the fifth power: as a branch ...
__global__ void asBranch(const float *in, float *out) {
  float x = in[threadIdx.x];
  if (x > 0.0f) {
    asm volatile("add.rn.f32 %0, %0, %0;" : "+f"(x));
  } else {
    float y = x;
    asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(y));
    asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(y));
    asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(y));
    asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(y));
  }
  out[threadIdx.x] = x;
}
// ... and with a predicate on each instruction: every one issues, for the lanes whose predicate holds.
__global__ void asPredicates(const float *in, float *out) {
  float x = in[threadIdx.x], y = x;
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.gt.f32 p, %0, 0f00000000;\n\t"
      "@p add.rn.f32 %0, %0, %0;\n\t"
      "@!p mul.rn.f32 %0, %0, %1;\n\t@!p mul.rn.f32 %0, %0, %1;\n\t"
      "@!p mul.rn.f32 %0, %0, %1;\n\t@!p mul.rn.f32 %0, %0, %1;\n\t}"
      : "+&f"(x)
      : "f"(y));
  out[threadIdx.x] = x;
}

static bool wanted(const char *what, const char *name) {
  return strcmp(what, "all") == 0 || strcmp(what, name) == 0;
}

static unsigned *dOut;
static unsigned launches;

static void done() {
  launches++;
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
}

static void signs(const char *what) {
  float in[64], *dIn;
  if (!wanted(what, "signs")) return;
  for (int i = 0; i < 64; i++) in[i] = (i % 2 == 0 ? 1.0f : -1.0f) * (1.0f + 0.125f * i);
  CUDA_CHECK(cudaMalloc(&dIn, sizeof in));
  CUDA_CHECK(cudaMemcpy(dIn, in, sizeof in, cudaMemcpyHostToDevice));
  asBranch<<<1, 64>>>(dIn, (float *)dOut);
  done();
  asPredicates<<<1, 64>>>(dIn, (float *)dOut);
  done();
  CUDA_CHECK(cudaFree(dIn));
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "all";
  CUDA_CHECK(cudaMalloc(&dOut, 128 * sizeof *dOut));
  CUDA_CHECK(cudaMemset(dOut, 0, 128 * sizeof *dOut));
  if (wanted(what, "ifelse")) ifElse<<<1, 64>>>(dOut), done();
  if (wanted(what, "nested")) {
    nested<1><<<1, 32>>>(dOut), done();
    nested<2><<<1, 32>>>(dOut), done();
    nested<3><<<1, 32>>>(dOut), done();
    nested<4><<<1, 32>>>(dOut), done();
  }
  if (wanted(what, "loop")) loopTrips<<<1, 64>>>(dOut), done();
  if (wanted(what, "switch")) switchCase<<<1, 64>>>(dOut), done();
  if (wanted(what, "return")) earlyReturn<<<1, 64>>>(dOut), done();
  if (wanted(what, "tail")) tailWarp<<<1, 100>>>(dOut), done();
  if (wanted(what, "ladder")) {
    ladder<1><<<1, 32>>>(dOut), done();
    ladder<2><<<1, 32>>>(dOut), done();
    ladder<4><<<1, 32>>>(dOut), done();
    ladder<8><<<1, 32>>>(dOut), done();
    ladder<16><<<1, 32>>>(dOut), done();
    ladder<32><<<1, 32>>>(dOut), done();
  }
  signs(what);
  CUDA_CHECK(cudaFree(dOut));
  if (launches == 0) {
    fprintf(stderr, "usage: divergence [all|ifelse|nested|loop|switch|return|tail|ladder|signs]\n");
    return 2;
  }
  printf("divergence %s: %u launches\n", what, launches);
  return 0;
}
