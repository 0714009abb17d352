// SPDX-License-Identifier: Apache-2.0
//
// Five-point stencil on a W x H field with a border of one: each point from global memory, or the block's part of the field from a tile
// in shared memory. usage: stencil [W] [H], multiples of 16, default 64 32
#include "../wg_program.h"

const int T = 16;

__device__ float point(float middle, float north, float south, float west, float east) {
  return fmaf(0.5f, middle, 0.125f * ((north + south) + (west + east)));
}

__global__ void stencilDirect(const float *in, float *out, int pitch) {
  int at = (blockIdx.y * T + threadIdx.y + 1) * pitch + blockIdx.x * T + threadIdx.x + 1;
  out[at] = point(in[at], in[at - pitch], in[at + pitch], in[at - 1], in[at + 1]);
}

__global__ void stencilTile(const float *in, float *out, int pitch) {
  __shared__ float s[T + 2][T + 2];
  int base = blockIdx.y * T * pitch + blockIdx.x * T, t = threadIdx.y * T + threadIdx.x;
#pragma unroll 1
  for (int k = t; k < (T + 2) * (T + 2); k += T * T) s[k / (T + 2)][k % (T + 2)] = in[base + k / (T + 2) * pitch + k % (T + 2)];
  __syncthreads();
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  out[base + y * pitch + x] = point(s[y][x], s[y - 1][x], s[y + 1][x], s[y][x - 1], s[y][x + 1]);
}

int main(int argc, char **argv) {
  const int W = arg_int(argc, argv, 1, "W", 64, T, 2048, T), H = arg_int(argc, argv, 2, "H", 32, T, 2048, T), pitch = W + 2;
  std::vector<float> in(pitch * (H + 2)), want(in.size());
  Numbers r;
  for (float &v : in) v = r.between(-999, 999) * 0.5f;
  for (int y = 1; y <= H; y++)
    for (int x = 1; x <= W; x++) {
      int at = y * pitch + x;
      want[at] = fmaf(0.5f, in[at], 0.125f * ((in[at - pitch] + in[at + pitch]) + (in[at - 1] + in[at + 1])));
    }
  float *dIn = to_device(in), *dOut = zeros<float>(in.size());
  dim3 grid(W / T, H / T), block(T, T);
  printf("stencil of five points, %d x %d\n\n", W, H);
  heading("each point from global memory");
  stencilDirect<<<grid, block>>>(dIn, dOut, pitch);
  launched();
  same("stencilDirect", from_device(dOut, in.size()), want);
  claim("loads (lanes)", wg_profile("load_lanes"), "5 W H", 5.0 * W * H);
  printf("  %-44s %12s, cycles %s\n\n", "sectors", show(wg_profile("load_sectors")), show(wg_profile("cycles")));
  CUDA_CHECK(cudaMemset(dOut, 0, in.size() * 4));
  heading("from a tile in shared memory");
  stencilTile<<<grid, block>>>(dIn, dOut, pitch);
  launched();
  same("stencilTile", from_device(dOut, in.size()), want);
  claim("loads (lanes)", wg_profile("load_lanes"), "(18/16)^2 W H", 324.0 / 256.0 * W * H);
  printf("  %-44s %12s, cycles %s\n", "sectors", show(wg_profile("load_sectors")), show(wg_profile("cycles")));
  CUDA_CHECK(cudaFree(dIn));
  CUDA_CHECK(cudaFree(dOut));
  return finish("stencil");
}
