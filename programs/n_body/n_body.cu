// SPDX-License-Identifier: Apache-2.0
//
// Accelerations of n bodies by all the others, positions from global memory or by tiles in shared memory.
// usage: n_body [n], a multiple of 64, default 128
#include "../wg_program.h"

const int T = 64;

__device__ void pull(float4 me, float4 other, float *ax, float *ay, float *az) {
  float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
  float d2 = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, 0.01f)));
  float d = sqrtf(d2), f = other.w / (d2 * d); // both correctly rounded
  *ax = fmaf(dx, f, *ax);
  *ay = fmaf(dy, f, *ay);
  *az = fmaf(dz, f, *az);
}

__global__ void bodiesDirect(const float4 *body, float4 *out, int n) {
  int i = blockIdx.x * T + threadIdx.x;
  float4 me = body[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
#pragma unroll 1
  for (int k = 0; k < n; k++) pull(me, body[k], &ax, &ay, &az);
  out[i] = make_float4(ax, ay, az, 0.0f);
}

__global__ void bodiesTile(const float4 *body, float4 *out, int n) {
  __shared__ float4 s[T];
  int i = blockIdx.x * T + threadIdx.x;
  float4 me = body[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
#pragma unroll 1
  for (int base = 0; base < n; base += T) {
    __syncthreads();
    s[threadIdx.x] = body[base + threadIdx.x];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < T; k++) pull(me, s[k], &ax, &ay, &az);
  }
  out[i] = make_float4(ax, ay, az, 0.0f);
}

int main(int argc, char **argv) {
  const int n = arg_int(argc, argv, 1, "n", 128, T, 8192, T);
  Numbers r;
  std::vector<float4> body(n);
  for (float4 &b : body) b = make_float4(r.between(-99, 99) * 0.1f, r.between(-99, 99) * 0.1f, r.between(-99, 99) * 0.1f, r.between(1, 9));
  std::vector<float> want(4 * n);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      double dx = (double)body[k].x - body[i].x, dy = (double)body[k].y - body[i].y, dz = (double)body[k].z - body[i].z;
      double d2 = dx * dx + dy * dy + dz * dz + 0.01f, f = body[k].w / (d2 * sqrt(d2));
      want[4 * i] += (float)(dx * f), want[4 * i + 1] += (float)(dy * f), want[4 * i + 2] += (float)(dz * f);
    }
  float4 *dBody = to_device(body), *dOut = zeros<float4>(n);
  auto judge = [&](const char *name, double bytes, const char *formula) {
    std::vector<float4> have = from_device(dOut, n);
    double worst = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
      const float a[3] = {have[i].x, have[i].y, have[i].z};
      for (int c = 0; c < 3; c++) worst = fmax(worst, fabs(a[c] - want[4 * i + c])), size = fmax(size, fabs(want[4 * i + c]));
    }
    if (!(worst <= 1e-4 * size)) printf("WRONG %s: off by %g of %g\n", name, worst, size), g_wrong++;
    heading(name);
    claim("bytes that requests of loads ask for", wg_profile("global_ld_bytes"), formula, bytes);
    printf("  %-44s %12s, cycles %s\n", "warp instructions", show(wg_profile("warp_insts")), show(wg_profile("cycles")));
  };
  printf("%d bodies\n", n);
  bodiesDirect<<<n / T, T>>>(dBody, dOut, n);
  launched();
  judge("positions from global memory", 16.0 * n * n / 32 + 12.0 * n, "16 n^2 / 32 + 12 n");
  CUDA_CHECK(cudaMemset(dOut, 0, n * sizeof(float4)));
  bodiesTile<<<n / T, T>>>(dBody, dOut, n);
  launched();
  judge("tiles of 64 in shared memory", 16.0 * n * n / T + 12.0 * n, "16 n^2 / 64 + 12 n");
  CUDA_CHECK(cudaFree(dBody));
  CUDA_CHECK(cudaFree(dOut));
  return finish("n_body");
}
