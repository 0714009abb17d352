// SPDX-License-Identifier: Apache-2.0
//
// out = in transposed, by tiles of 32 x 32: stores down a column, through shared memory with conflicts, and padded.
// usage: transpose [N], a multiple of 32, default 64
#include "../wg_program.h"

const int T = 32, R = 8; // a block: a tile by 32 x 8 threads

__global__ void transposeNaive(const float *in, float *out, int N) {
  int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
#pragma unroll 1
  for (int i = 0; i < T; i += R) out[x * N + y + i] = in[(y + i) * N + x];
}

// kPitch = 32: the words of a tile's column all lie in one bank. 33: each in another.
template <int kPitch>
__global__ void transposeShared(const float *in, float *out, int N) {
  __shared__ float tile[T * kPitch];
  int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
#pragma unroll 1
  for (int i = 0; i < T; i += R) tile[(threadIdx.y + i) * kPitch + threadIdx.x] = in[(y + i) * N + x];
  __syncthreads();
  x = blockIdx.y * T + threadIdx.x, y = blockIdx.x * T + threadIdx.y;
#pragma unroll 1
  for (int i = 0; i < T; i += R) out[(y + i) * N + x] = tile[threadIdx.x * kPitch + threadIdx.y + i];
}

static void judge(const char *name, float *dOut, const std::vector<float> &want, double store_sectors, double passes) {
  same(name, from_device(dOut, want.size()), want);
  CUDA_CHECK(cudaMemset(dOut, 0, want.size() * 4));
  printf("\n");
  heading(name);
  claim("sectors a load request", wg_profile("load_sectors") / wg_profile("load_requests"), "4", 4.0);
  claim("sectors a store request", wg_profile("store_sectors") / wg_profile("store_requests"), store_sectors > 4.0 ? "32" : "4", store_sectors);
  if (passes > 0.0) {
    claim("passes a shared load", wg_profile("shared_ld_wavefronts") / wg_profile("shared_ld_reqs"), passes > 1.0 ? "32, one bank" : "1", passes);
  }
  printf("  %-44s %12s\n", "cycles", show(wg_profile("cycles")));
}

int main(int argc, char **argv) {
  const int N = arg_int(argc, argv, 1, "N", 64, 32, 2048, 32);
  std::vector<float> in(N * N), want(N * N);
  for (int i = 0; i < N * N; i++) in[i] = (float)i, want[i % N * N + i / N] = (float)i;
  float *dIn = to_device(in), *dOut = zeros<float>(N * N);
  dim3 grid(N / T, N / T), block(T, R);
  printf("transpose, %d x %d\n", N, N);
  transposeNaive<<<grid, block>>>(dIn, dOut, N);
  launched();
  judge("naive: a warp stores down a column", dOut, want, 32.0, 0.0);
  transposeShared<T><<<grid, block>>>(dIn, dOut, N);
  launched();
  judge("shared tile, rows of 32 words", dOut, want, 4.0, 32.0);
  transposeShared<T + 1><<<grid, block>>>(dIn, dOut, N);
  launched();
  judge("shared tile, rows padded to 33 words", dOut, want, 4.0, 1.0);
  CUDA_CHECK(cudaFree(dIn));
  CUDA_CHECK(cudaFree(dOut));
  return finish("transpose");
}
