// SPDX-License-Identifier: Apache-2.0
//
// Bitonic sort: distances below a block's 512 keys in shared memory, greater ones by a launch each.
// usage: bitonic_sort [n], a power of two, default 1024
#include "../wg_program.h"

const unsigned B = 256, kKeys = 2 * B;

// Thread t's pair at distance j: a and a + j; runs of length k, every second one descending.
__device__ unsigned first_of(unsigned t, unsigned j) { return 2 * t - (t & (j - 1)); }
__device__ void exchange(unsigned &lo, unsigned &hi, bool descending) {
  if ((lo > hi) != descending) {
    unsigned v = lo;
    lo = hi;
    hi = v;
  }
}

__global__ void stepGlobal(unsigned *keys, unsigned k, unsigned j) {
  unsigned a = first_of(blockIdx.x * blockDim.x + threadIdx.x, j);
  exchange(keys[a], keys[a + j], (a & k) != 0);
}

// Runs of length `from` .. `to`, each from distance min(k / 2, B) down to 1.
__global__ void stepsShared(unsigned *keys, unsigned from, unsigned to) {
  __shared__ unsigned s[kKeys];
  unsigned base = blockIdx.x * kKeys, t = threadIdx.x;
  s[t] = keys[base + t];
  s[t + B] = keys[base + t + B];
#pragma unroll 1
  for (unsigned k = from; k <= to; k *= 2) {
#pragma unroll 1
    for (unsigned j = k / 2 < B ? k / 2 : B; j > 0; j /= 2) {
      __syncthreads();
      unsigned a = first_of(t, j);
      exchange(s[a], s[a + j], ((base + a) & k) != 0);
    }
  }
  __syncthreads();
  keys[base + t] = s[t];
  keys[base + t + B] = s[t + B];
}

int main(int argc, char **argv) {
  const unsigned n = arg_int(argc, argv, 1, "n", 1024, kKeys, 1 << 16);
  if ((n & (n - 1)) != 0) {
    fprintf(stderr, "error: n is %u\n  remedy: a power of two from %u to 65536\n", n, kKeys);
    return 2;
  }
  std::vector<unsigned> keys(n), want;
  Numbers r;
  for (unsigned &k : keys) k = r.next();
  want = keys;
  // a plain host sort: by insertion into a sorted list, halves the search
  for (unsigned i = 1; i < n; i++) {
    unsigned v = want[i], lo = 0, hi = i;
    while (lo < hi) (want[(lo + hi) / 2] <= v ? lo : hi) = (lo + hi) / 2 + (want[(lo + hi) / 2] <= v);
    memmove(&want[lo + 1], &want[lo], (i - lo) * sizeof v);
    want[lo] = v;
  }
  unsigned *dKeys = to_device(keys);
  double launches = 0, conflicts = 0, passes = 0, cycles = 0;
  auto count = [&] {
    launched();
    launches++, cycles += wg_profile("cycles");
    conflicts += wg_profile("shared_ld_conflict_wavefronts"), passes += wg_profile("shared_ld_wavefronts");
  };
  stepsShared<<<n / kKeys, B>>>(dKeys, 2, kKeys), count();
  for (unsigned k = 2 * kKeys; k <= n; k *= 2) {
    for (unsigned j = k / 2; j > B; j /= 2) stepGlobal<<<n / kKeys, B>>>(dKeys, k, j), count();
    stepsShared<<<n / kKeys, B>>>(dKeys, k, k), count();
  }
  same("bitonic sort", from_device(dKeys, n), want);
  double g = log2(n / (double)kKeys); // levels beyond a block
  heading("bitonic sort");
  claim("launches", launches, "1 + g + g (g + 1) / 2", 1 + g + g * (g + 1) / 2);
  printf("  %-44s %12s of %s, cycles %s\n", "conflict wavefronts of shared loads", show(conflicts), show(passes), show(cycles));
  CUDA_CHECK(cudaFree(dKeys));
  return finish("bitonic_sort");
}
