// SPDX-License-Identifier: Apache-2.0
//
// Threads that wait for each other. usage: waiting WHAT [LANES]
//   within the warp   consumer_first, producer_first: lane 0 and lane 1 of one warp, the text's spin
//                     chain: lane l waits for lane l - 1
//   between warps     warps_down, warps_up: two warps of one block, the younger or the older one spins
//                     slow: the flag comes late, after LANES thousand turns of a loop that touches no memory
//                     sleeper: it comes late, from a lane that sleeps
//   locks             hash, list, range: a table's buckets, a sorted list, ranges of an array. LANES (default 1):
//                     threads of a warp that take part; more than one is a quarrel inside the warp
//   all               warps_down, warps_up and the locks, which end under every scheduler and either divergence mode
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

// `__shared__ volatile int flag = 0` as the text has it is no CUDA: a shared variable has no initial value. So thread 2
// writes it.
// The lanes' numbers are parameters: with two constants clang tests the second one first.
__global__ void consumerFirst(int *out, unsigned consumer, unsigned producer) {
  __shared__ volatile int flag;
  if (threadIdx.x == 2) flag = 0;
  __syncthreads();
  if (threadIdx.x == consumer) {
    while (flag == 0) {
    }
    out[0] = 10;
  } else if (threadIdx.x == producer) {
    flag = 1;
    out[1] = 11;
  }
}

// The same with the roles swapped: the side that comes first is the one that is waited for.
__global__ void producerFirst(int *out, unsigned consumer, unsigned producer) {
  __shared__ volatile int flag;
  if (threadIdx.x == 2) flag = 0;
  __syncthreads();
  if (threadIdx.x == producer) {
    flag = 1;
    out[1] = 11;
  } else if (threadIdx.x == consumer) {
    while (flag == 0) {
    }
    out[0] = 10;
  }
}

// Every lane waits for the one below it.
__global__ void chain(int *out) {
  __shared__ volatile int turn;
  int t = threadIdx.x;
  if (t == 0) turn = 0;
  __syncthreads();
  while (turn != t) {
  }
  out[t] = t + 1;
  turn = t + 1;
}

// Two warps of one block; `spinner` waits for the other one's flag. Whether the older or the younger warp spins, each
// scheduler has to let the other one go on.
__global__ void warps(int *out, unsigned spinner) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x / 32 == spinner) {
    while (flag == 0) {
    }
  } else {
    flag = 1;
  }
  out[threadIdx.x] = spinner + 1;
}

// A spin that looks like one without an end, and has one.
__global__ void slow(int *out, unsigned turns) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    while (flag == 0) {
    }
  } else {
    unsigned x = threadIdx.x;
#pragma unroll 1
    for (unsigned i = 0; i < turns; i++) asm volatile("mad.lo.u32 %0, %0, 5, 1;" : "+r"(x));
    flag = 1 + (x & 0);
  }
  out[threadIdx.x] = 5;
}

// The lane that all others wait for sleeps.
__global__ void sleeper(int *out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 63) {
    __nanosleep(60000);
    flag = 1;
  } else {
    while (flag == 0) {
    }
  }
  out[threadIdx.x] = 5;
}

__device__ __forceinline__ bool takesPart(unsigned lanes) { return threadIdx.x % 32 < lanes; }
__device__ __forceinline__ unsigned worker(unsigned lanes) {
  return (blockIdx.x * blockDim.x + threadIdx.x) / 32 * lanes + threadIdx.x % 32;
}
__device__ __forceinline__ void lock(int *l) {
  while (atomicCAS(l, 0, 1) != 0) {
  }
  __threadfence();
}
__device__ __forceinline__ void unlock(int *l) {
  __threadfence();
  atomicExch(l, 0);
}

// A hash table of 8 buckets, a lock each: number of keys and their sum.
__global__ void hash(int *locks, volatile int *count, volatile int *sum, unsigned lanes) {
  if (!takesPart(lanes)) return;
  for (unsigned i = 0; i < 4; i++) {
    unsigned key = worker(lanes) * 4 + i, b = key * 2654435761u >> 29;
    lock(&locks[b]);
    count[b] = count[b] + 1;
    sum[b] = sum[b] + (int)key;
    unlock(&locks[b]);
  }
}

// A sorted list under one lock: next[0] is its head, next[k + 1] the successor of key k, -1 the end.
__global__ void list(int *lock1, volatile int *next, unsigned lanes) {
  if (!takesPart(lanes)) return;
  int key = (int)(worker(lanes) * 7 % 64);
  lock(lock1);
  int at = 0;
  while (next[at] >= 0 && next[at] < key) at = next[at] + 1;
  next[key + 1] = next[at];
  next[at] = key;
  unlock(lock1);
}

// A range of an array of 32 cells is locked as a whole: the bits of the cells are taken together or not at all.
__global__ void range(unsigned *taken, volatile int *cell, unsigned lanes) {
  if (!takesPart(lanes)) return;
  unsigned w = worker(lanes), first = w * 5 % 29, mask = 0xfu << first;
  for (;;) {
    unsigned old = *(volatile unsigned *)taken;
    if ((old & mask) == 0 && atomicCAS(taken, old, old | mask) == old) break;
  }
  __threadfence();
  for (unsigned k = 0; k < 4; k++) cell[first + k] = cell[first + k] * 1 + (int)w;
  __threadfence();
  atomicAnd(taken, ~mask);
}

static const unsigned kBlocks = 2, kThreads = 128;
static unsigned launches;
static const char *what;

static bool wanted(const char *name, bool in_all) {
  return strcmp(what, name) == 0 || (in_all && strcmp(what, "all") == 0);
}

static void done() {
  launches++;
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
}

static int *zeros(size_t words) {
  int *p;
  CUDA_CHECK(cudaMalloc(&p, words * sizeof *p));
  CUDA_CHECK(cudaMemset(p, 0, words * sizeof *p));
  return p;
}

int main(int argc, char **argv) {
  what = argc > 1 ? argv[1] : "all";
  unsigned lanes = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
  if (lanes < 1 || lanes > (strcmp(what, "slow") == 0 ? 1000u : 8u)) {
    fprintf(stderr, "waiting: 1 to 8 LANES\n");
    return 2;
  }
  int *out = zeros(64), *locks = zeros(8), *count = zeros(8), *sum = zeros(8), *next = zeros(65), *cell = zeros(32);
  CUDA_CHECK(cudaMemset(next, 0xff, 65 * sizeof *next));
  if (wanted("consumer_first", false)) consumerFirst<<<1, 32>>>(out, 0, 1), done();
  if (wanted("producer_first", false)) producerFirst<<<1, 32>>>(out, 0, 1), done();
  if (wanted("chain", false)) chain<<<1, 32>>>(out), done();
  if (wanted("warps_down", true)) warps<<<1, 64>>>(out, 0), done();
  if (wanted("warps_up", true)) warps<<<1, 64>>>(out, 1), done();
  if (wanted("slow", false)) slow<<<1, 64>>>(out, lanes * 1000), done();
  if (wanted("sleeper", false)) sleeper<<<1, 64>>>(out), done();
  if (wanted("hash", true)) hash<<<kBlocks, kThreads>>>(locks, count, sum, lanes), done();
  if (wanted("list", true)) list<<<kBlocks, kThreads>>>(locks, next, lanes), done();
  if (wanted("range", true)) range<<<kBlocks, kThreads>>>((unsigned *)locks, cell, lanes), done();
  int *all[6] = {out, locks, count, sum, next, cell};
  for (int *p : all) CUDA_CHECK(cudaFree(p));
  if (launches == 0) {
    fprintf(stderr, "usage: waiting [all|consumer_first|producer_first|chain|slow|sleeper|"
            "warps_down|warps_up|hash|list|range] [LANES]\n");
    return 2;
  }
  printf("waiting %s: %u launches\n", what, launches);
  return 0;
}
