// SPDX-License-Identifier: Apache-2.0
//
// Small kernels for prepared waveforms (waves/scenes.tsv): `scenes NAME [N]` runs one launch of kernel NAME.
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Lanes 0..7 add, the others multiply; all store together.
__global__ void divergence(int *out) {
  int v = threadIdx.x;
  if (threadIdx.x < 8) out[64 + v] = v + 3; /* unlike operations on memory: the compiler must branch */
  else atomicAdd(out + 128, v);
  out[threadIdx.x] = v;
}

// A branch within each side of a branch: four groups of eight lanes.
__global__ void nested(int *out) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) {
    if (threadIdx.x < 8) out[64 + v] = v + 3;
    else atomicAdd(out + 128, v);
    out[192 + v] = v;
  } else {
    if (threadIdx.x < 24) out[256 + v] = v - 7;
    else atomicAdd(out + 320, v);
    atomicMax(out + 384, v);
  }
  out[threadIdx.x] = v;
}

// Lane l goes around l % 4 + 1 times: lanes leave one group after the other.
__global__ void trips(int *out) {
  int v = out[threadIdx.x];
  for (int i = 0; i <= static_cast<int>(threadIdx.x % 4); i++) v = v * 3 + i;
  out[threadIdx.x] = v;
}

// Lane 0 waits for a flag that another lane of its warp sets behind the branch: under a SIMT stack the waiting side runs first, and
// for ever (`if` without `else`: the lanes that skip it wait at its end).
__global__ void spin(int *out) {
  volatile int *flag = out + 40;
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
  }
  *flag = 1;
  out[threadIdx.x] = 2;
}

// Warp 2 comes to the barrier first, warp 6 last, the others one after another in between.
__global__ void barrier(int *out) {
  int warp = threadIdx.x / 32, v = threadIdx.x;
  int turns = warp == 2 ? 0 : warp == 6 ? 4 : 1 + warp / 4;
#pragma unroll 1
  for (int i = 0; i < turns; i++) v = v * 3 + 1;
  out[threadIdx.x] = v;
  __syncthreads();
  out[threadIdx.x] += out[(threadIdx.x + 32) % 256];
}

// The same on four sub-cores, two warps on each: what a turn lasts has to exceed the misses that begin a kernel.
__global__ void partitions(int *out) {
  int warp = threadIdx.x / 32, v = threadIdx.x;
  int turns = warp == 2 ? 0 : warp == 6 ? 18 : 4 + warp;
#pragma unroll 1
  for (int i = 0; i < turns; i++) v = v * 3 + 1;
  __syncthreads();
  out[threadIdx.x] = v;
}

// Warps 0 and 1 produce, which takes a while: they arrive at barrier 1 and go on; warps 2 and 3 have come there
// before, wait, then read.
__global__ void named(int *out) {
  __shared__ int box[64];
  if (threadIdx.x < 64) {
    int v = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < 3; i++) v = v * 3 + 1;
    box[threadIdx.x] = v;
    asm volatile("bar.arrive 1, 128;" ::: "memory");
    out[threadIdx.x] = 1;
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    out[threadIdx.x] = box[threadIdx.x - 64];
  }
}

// Each lane reads word lane * N.
__global__ void stride(int *out, int n) { out[threadIdx.x] = out[64 + threadIdx.x * n]; }

// N lanes of a warp meet in each bank that is read.
__global__ void banks(int *out, int n) {
  __shared__ int box[32 * 32];
  for (int i = 0; i < 32; i++) box[i * 32 + threadIdx.x] = i;
  __syncwarp();
  out[threadIdx.x] = box[threadIdx.x * n % 1024];
}

// Every warp waits for a load that depends on the one before. `latency N`: N warps in one block; `hiding N`: N blocks of 4 warps, one a
// sub-core of four.
__global__ void latency(int *out) {
  int at = threadIdx.x;
  for (int i = 0; i < 4; i++) at = out[at & 1023];
  out[threadIdx.x] = at;
}

// Blocks of three warps, the last with 8 threads.
__global__ void blocks(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + out[0]; }

// Work of two kinds, so that the order of warps shows.
__global__ void order(int *out) {
  int v = threadIdx.x;
  for (int i = 0; i < 8; i++) v = v * 3 + out[(v + i) & 63];
  out[threadIdx.x] = v;
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  int n = argc > 2 ? atoi(argv[2]) : 1, *out;
  const struct {
    const char *name;
    void (*plain)(int *);
    int blocks, threads;
  } kScenes[] = {{"divergence", divergence, 1, 32}, {"nested", nested, 1, 32},   {"trips", trips, 1, 32},     {"spin", spin, 1, 32},
                 {"barrier", barrier, 1, 256},      {"named", named, 1, 128},    {"latency", latency, 1, 32 * n},
                 {"hiding", latency, n, 128},       {"blocks", blocks, 6, 72},    {"order", order, 1, 128},   {"partitions", partitions, 1, 256}};
  if (n < 1 || n > 32 || cudaMalloc(&out, 65536) != cudaSuccess || cudaMemset(out, 0, 65536) != cudaSuccess) return 2;
  bool known = true;
  if (strcmp(name, "stride") == 0) stride<<<1, 32>>>(out, n);
  else if (strcmp(name, "banks") == 0) banks<<<1, 32>>>(out, n);
  else {
    known = false;
    for (const auto &s : kScenes) {
      if (strcmp(s.name, name) != 0) continue;
      s.plain<<<s.blocks, s.threads>>>(out);
      known = true;
    }
  }
  if (!known) fprintf(stderr, "no scene '%s'\n", name);
  bool ok = known && cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(out);
  return ok ? 0 : 1;
}
