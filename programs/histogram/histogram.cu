// SPDX-License-Identifier: Apache-2.0
//
// How often each of 64 values occurs. usage: histogram [n], default 4096
// global: an atomic on global memory for each value; shared: an atomic on the block's own table, which is added to the global
// one at the end. On spread values and on one value only, where every lane wants the same word.
#include "../wg_program.h"

const int kBins = 64, kThreads = 128, kPerThread = 8;

__global__ void histogramGlobal(const unsigned *in, unsigned *bins, int n) {
  int first = blockIdx.x * kThreads * kPerThread + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < kPerThread; k++) {
    int i = first + k * kThreads;
    if (i < n) atomicAdd(&bins[in[i]], 1u);
  }
}

__global__ void histogramShared(const unsigned *in, unsigned *bins, int n) {
  __shared__ unsigned own[kBins];
  if (threadIdx.x < kBins) own[threadIdx.x] = 0;
  __syncthreads();
  int first = blockIdx.x * kThreads * kPerThread + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < kPerThread; k++) {
    int i = first + k * kThreads;
    if (i < n) atomicAdd(&own[in[i]], 1u);
  }
  __syncthreads();
  if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

template <typename K>
static void run(const char *name, K kernel, bool shared, const std::vector<unsigned> &in) {
  const int n = (int)in.size(), blocks = (n + kThreads * kPerThread - 1) / (kThreads * kPerThread);
  std::vector<unsigned> want(kBins);
  for (unsigned v : in) want[v]++;
  unsigned *dIn = to_device(in), *dBins = zeros<unsigned>(kBins);
  kernel<<<blocks, kThreads>>>(dIn, dBins, n);
  launched();
  same(name, from_device(dBins, kBins), want);
  printf("\n");
  heading(name);
  claim("atomics on global memory (lanes)", wg_profile("red_lanes") + wg_profile("atom_lanes"), shared ? "blocks x bins" : "n",
        shared ? (double)blocks * kBins : n);
  double reqs = wg_profile("shared_atom_reqs");
  if (shared) {
    claim("atomics on shared memory (requests)", reqs, "n / 32, rounded up", ceil(n / 32.0));
    printf("  %-44s %12s\n", "passes of each", show(wg_profile("shared_atom_wavefronts") / reqs));
  } else {
    printf("  %-44s %12s\n", "line transactions of each request", show((wg_profile("red_passes") + wg_profile("atom_passes")) /
                                                                        (wg_profile("red_reqs") + wg_profile("atom_reqs"))));
  }
  printf("  %-44s %12s\n", "cycles", show(wg_profile("cycles")));
  CUDA_CHECK(cudaFree(dIn));
  CUDA_CHECK(cudaFree(dBins));
}

int main(int argc, char **argv) {
  const int n = arg_int(argc, argv, 1, "n", 4096, 1, 1 << 22);
  std::vector<unsigned> spread(n), one(n, 17u);
  Numbers r;
  for (unsigned &v : spread) v = r.next() % kBins;
  printf("histogram of %d values, %d bins\n", n, kBins);
  run("global atomics, spread values", histogramGlobal, false, spread);
  run("shared atomics, spread values", histogramShared, true, spread);
  run("global atomics, one value", histogramGlobal, false, one);
  run("shared atomics, one value", histogramShared, true, one);
  return finish("histogram");
}
