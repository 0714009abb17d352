// SPDX-License-Identifier: Apache-2.0
//
// C = A B with A and B in fp16 and C in fp32, on the matrix unit (mma.sync m16n8k8) and by multiply-adds.
// usage: mma_matmul [N], a multiple of 16, default 64
#include "../wg_program.h"

typedef unsigned short half_t; // bits of an fp16 number

__device__ float to_float(half_t h) {
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
  return f;
}

// A thread an element.
__global__ void matmulFfma(const half_t *A, const half_t *B, float *C, int N) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float c = 0.0f;
#pragma unroll 1
  for (int k = 0; k < N; k++) c = fmaf(to_float(A[row * N + k]), to_float(B[k * N + col]), c);
  C[row * N + col] = c;
}

// A warp a tile of 16 x 8. Lane l holds, with g = l / 4 and t = 2 (l % 4): of A the rows g and g + 8, columns t and t + 1;
// of B the rows t and t + 1, column g; of C the rows g and g + 8, columns t and t + 1.
__global__ void matmulMma(const half_t *A, const half_t *B, float *C, int N) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4 * 2;
  int row = warp / (N / 8) * 16, col = warp % (N / 8) * 8;
  float c[4] = {};
#pragma unroll 1
  for (int k = 0; k < N; k += 8) {
    unsigned a0 = *(const unsigned *)&A[(row + g) * N + k + t], a1 = *(const unsigned *)&A[(row + g + 8) * N + k + t];
    unsigned b = B[(k + t) * N + col + g] | (unsigned)B[(k + t + 1) * N + col + g] << 16;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a0), "r"(a1), "r"(b));
  }
  for (int i = 0; i < 2; i++) {
    C[(row + g + 8 * i) * N + col + t] = c[2 * i];
    C[(row + g + 8 * i) * N + col + t + 1] = c[2 * i + 1];
  }
}

// An integer from -4 to 4 in fp16: sign, exponent + 15, fraction.
static half_t half_of(int v) {
  const half_t bits[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400};
  return v < 0 ? (half_t)(0x8000u | bits[-v]) : bits[v];
}

int main(int argc, char **argv) {
  const int N = arg_int(argc, argv, 1, "N", 64, 16, 1024, 16);
  std::vector<int> a(N * N), b(N * N);
  std::vector<half_t> ha(N * N), hb(N * N);
  std::vector<float> want(N * N);
  Numbers r;
  for (int i = 0; i < N * N; i++) ha[i] = half_of(a[i] = r.between(-4, 4)), hb[i] = half_of(b[i] = r.between(-4, 4));
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++) want[i * N + j] += (float)(a[i * N + k] * b[k * N + j]); // exact
  half_t *dA = to_device(ha), *dB = to_device(hb);
  float *dC = zeros<float>(N * N);
  const double n3 = (double)N * N * N;
  printf("C = A B in fp16 with sums in fp32, N = %d\n", N);
  matmulFfma<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(dA, dB, dC, N);
  launched();
  same("matmulFfma", from_device(dC, N * N), want);
  heading("by multiply-adds, a thread an element");
  claim("multiply-adds (lanes of FFMA)", wg_profile("ffma_thread_insts"), "N^3", n3);
  double insts = wg_profile("warp_insts"), cycles = wg_profile("cycles");
  printf("  %-44s %12s, cycles %s, FLOP/cycle %s\n", "warp instructions", show(insts), show(cycles), show(2.0 * n3 / cycles));
  CUDA_CHECK(cudaMemset(dC, 0, N * N * 4));
  matmulMma<<<N / 16 * (N / 8) / 2, 64>>>(dA, dB, dC, N);
  launched();
  same("matmulMma", from_device(dC, N * N), want);
  heading("on the matrix unit, a warp a tile of 16 x 8");
  claim("multiply-adds left to lanes of FFMA", wg_profile("ffma_thread_insts"), "none", 0.0);
  // four loads of a lane feed 16 x 8 x 8 multiply-adds of its warp
  claim("loads (lanes) a multiply-add", wg_profile("load_lanes") / n3, "4 x 32 / (16 x 8 x 8)", 0.125);
  printf("  %-44s %12s, cycles %s, FLOP/cycle %s\n", "warp instructions", show(wg_profile("warp_insts")), show(wg_profile("cycles")),
         show(2.0 * n3 / wg_profile("cycles")));
  printf("  %-44s %12s times fewer instructions, %s times fewer cycles\n", "the matrix unit against multiply-adds",
         show(insts / wg_profile("warp_insts")), show(cycles / wg_profile("cycles")));
  CUDA_CHECK(cudaFree(dA));
  CUDA_CHECK(cudaFree(dB));
  CUDA_CHECK(cudaFree(dC));
  return finish("mma_matmul");
}
