// SPDX-License-Identifier: Apache-2.0
//
// Block barriers of the text, one kernel each. usage: barriers [WHAT]     WHAT: all (the default), or a name below.
// `onearm` runs by name only: under the SIMT stack a warp arrives as a whole and it ends, with independent thread
// scheduling it hangs, as on a GPU.
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

__device__ __forceinline__ void sync(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ __forceinline__ void arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
// Work without meaning: n turns.
__device__ __forceinline__ unsigned busy(unsigned n) {
  unsigned x = n;
#pragma unroll 1
  for (unsigned i = 0; i < n; i++) asm volatile("mad.lo.u32 %0, %0, 5, 1;" : "+r"(x));
  return x;
}

// All 16 barriers of a block, one after the other: before each, every thread changes its word; behind it, it reads its
// neighbour's in the next warp.
__global__ void allNamed(unsigned *out) {
  __shared__ unsigned word[128];
  unsigned t = threadIdx.x, n = blockDim.x, sum = 0;
  for (int id = 0; id < 16; id++) {
    word[t] = t * 16 + id;
    sync(id, n);
    sum = sum * 3 + word[(t + 32) % n];
    sync((id + 1) % 16, n);
  }
  out[t] = sum;
}

// Pairs of warps, each pair on its own barrier, with a count: warps 2k and 2k + 1 meet at barrier k + 1 and do not wait
// for others.
__global__ void pairs(unsigned *out) {
  __shared__ unsigned word[128];
  unsigned t = threadIdx.x, pair = t / 64;
  unsigned junk = busy(20 * (3 - pair) + t / 32);
  word[t] = t + (junk & 0);
  sync(1 + pair, 64);
  out[t] = word[t ^ 32] * 2;
}

// Producer and consumer: warp 0 says with arrive that the word is there and goes on, warp 1 waits for it; the other way
// round for the word's place.
__global__ void produce(unsigned *out) {
  __shared__ unsigned word[32];
  unsigned l = threadIdx.x % 32, sum = 0;
  for (unsigned i = 0; i < 8; i++) {
    if (threadIdx.x < 32) {
      if (i != 0) sync(2, 64);  // the place is free
      word[l] = i * 100 + l;
      arrive(1, 64);
    } else {
      sync(1, 64);
      sum += word[31 - l];
      if (i != 7) arrive(2, 64);
    }
  }
  out[threadIdx.x] = sum;
}

// Reductions at the barrier: how many, all, any.
__global__ void reductions(unsigned *out) {
  unsigned t = threadIdx.x;
  unsigned n = __syncthreads_count(t % 3 == 0);
  unsigned a = __syncthreads_and(t < 1000), b = __syncthreads_and(t != 77);
  unsigned c = __syncthreads_or(t == 77), d = __syncthreads_or(t > 1000);
  out[t] = n * 16 + (a != 0) * 8 + (b != 0) * 4 + (c != 0) * 2 + (d != 0);
}

// Warps 2 and 3 leave while the others wait: exited threads count as arrived.
__global__ void exits(unsigned *out) {
  __shared__ unsigned word[64];
  unsigned t = threadIdx.x;
  if (t >= 64) {
    out[t] = busy(50 + t / 32) * 0 + 5;
    return;
  }
  word[t] = t;
  __syncthreads();
  out[t] = word[63 - t];
}

// One barrier again and again without anything between: a warp that is ahead must not fall through the next one.
__global__ void reuse(unsigned *out) {
  __shared__ unsigned word[2][128];
  unsigned t = threadIdx.x, n = blockDim.x, x = t;
  for (unsigned i = 0; i < 10; i++) {
    word[i & 1][t] = x;
    __syncthreads();
    x = word[i & 1][(t + 33) % n] + 1;
  }
  out[t] = x;
}

// Blocks that are resident together have barriers of their own: block b waits b times as long.
__global__ void twoBlocks(unsigned *out) {
  __shared__ unsigned word[64];
  unsigned t = threadIdx.x, at = blockIdx.x * blockDim.x + t;
  word[t] = at + busy(40 * blockIdx.x) * 0;
  __syncthreads();
  out[at] = word[63 - t];
}

// The text's example: 8 warps, warp 2 arrives first, warp 6 last. Each warp has its own way to the barrier.
__global__ void staggered(unsigned *out) {
  const unsigned char turns[8] = {8, 11, 0, 15, 19, 22, 29, 26};
  __shared__ unsigned word[256];
  unsigned t = threadIdx.x, n = 0;
#pragma unroll
  for (unsigned w = 0; w < 8; w++) n = t / 32 == w ? turns[w] : n;
  word[t] = t + busy(16 * n) * 0;
  __syncthreads();
  out[t] = word[(t + 64) % 256];
}

// __syncthreads() in both arms of an if (half a warp each): one barrier, whoever executes it where.
__global__ void bothArms(unsigned *out) {
  __shared__ unsigned word[64];
  unsigned t = threadIdx.x;
  word[t] = t;
  if (t % 32 < 16) {
    asm volatile("bar.sync 0;" ::: "memory");
    out[t] = word[63 - t] + 100;
  } else {
    asm volatile("bar.sync 0;" ::: "memory");
    out[t] = word[63 - t] + 200;
  }
}

// ... in one arm only, and the other lanes never come: undefined in CUDA.
__global__ void oneArm(unsigned *out) {
  __shared__ volatile unsigned gate;
  unsigned t = threadIdx.x;
  if (t == 0) gate = 0;
  __syncthreads();
  if (t % 32 < 16) {
    asm volatile("bar.sync 0;" ::: "memory");
    gate = 1;
  } else {
    while (gate == 0) {
    }
  }
  out[t] = t;
}

// Lanes that returned before the barrier do not count.
__global__ void afterReturn(unsigned *out) {
  __shared__ unsigned word[64];
  unsigned t = threadIdx.x;
  word[t] = t + 1;
  if (t % 32 >= 20) return;
  asm volatile("bar.sync 0;" ::: "memory");
  out[t] = word[(t + 32) % 64];
}

static unsigned *dOut;
static const char *what;
static unsigned launches;

static void run(const char *name, void (*kernel)(unsigned *), unsigned blocks, unsigned threads) {
  if (strcmp(what, name) != 0 && (strcmp(what, "all") != 0 || strcmp(name, "onearm") == 0)) return;
  kernel<<<blocks, threads>>>(dOut);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  launches++;
}

int main(int argc, char **argv) {
  what = argc > 1 ? argv[1] : "all";
  CUDA_CHECK(cudaMalloc(&dOut, 256 * sizeof *dOut));
  CUDA_CHECK(cudaMemset(dOut, 0, 256 * sizeof *dOut));
  run("named", allNamed, 1, 128);
  run("pairs", pairs, 1, 128);
  run("produce", produce, 1, 64);
  run("red", reductions, 1, 128);
  run("exits", exits, 1, 128);
  run("reuse", reuse, 1, 128);
  run("blocks", twoBlocks, 4, 64);
  run("staggered", staggered, 1, 256);
  run("botharms", bothArms, 1, 64);
  run("return", afterReturn, 1, 64);
  run("onearm", oneArm, 1, 64);
  CUDA_CHECK(cudaFree(dOut));
  if (launches == 0) {
    fprintf(stderr, "usage: barriers [all|named|pairs|produce|red|exits|reuse|blocks|staggered|botharms|return|"
            "onearm]\n");
    return 2;
  }
  printf("barriers %s: %u launches\n", what, launches);
  return 0;
}
