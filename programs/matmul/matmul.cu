// SPDX-License-Identifier: Apache-2.0
//
// The lecture's first case study: C = A B, from the strawman to two-level tiling, every form with the traffic that its formula
// gives beside what was counted. usage: matmul [N] [strawman|registers|shared|twolevel|all] [L] [V]
// N: a multiple of 64, default 64. L and V, if given, keep one tile size.
#include "../wg_program.h"

// One thread, one element. kRowFast: neighbours in a warp take neighbouring rows of A (32 rows, 32 sectors a request, and
// one word of B); else neighbouring columns of B (128 bytes in a row, 4 sectors, and one word of A).
template <bool kRowFast>
__global__ void strawman(const float *A, const float *B, float *C, int N) {
  int fast = blockIdx.x * blockDim.x + threadIdx.x, slow = blockIdx.y * blockDim.y + threadIdx.y;
  int row = kRowFast ? fast : slow, col = kRowFast ? slow : fast;
  float c = 0.0f;
  for (int k = 0; k < N; k++) c += A[row * N + k] * B[k * N + col];
  C[row * N + col] = c;
}

// First knob: a thread computes V x V elements and loads 2 V values for V^2 multiply-adds.
template <int V>
__global__ void registerTile(const float *A, const float *B, float *C, int N) {
  int col = (blockIdx.x * blockDim.x + threadIdx.x) * V, row = (blockIdx.y * blockDim.y + threadIdx.y) * V;
  if (row >= N || col >= N) return;
  float c[V][V] = {}, a[V], b[V];
#pragma unroll 1
  for (int k = 0; k < N; k++) {
#pragma unroll
    for (int i = 0; i < V; i++) a[i] = A[(row + i) * N + k];
#pragma unroll
    for (int j = 0; j < V; j++) b[j] = B[k * N + col + j];
#pragma unroll
    for (int i = 0; i < V; i++)
#pragma unroll
      for (int j = 0; j < V; j++) c[i][j] += a[i] * b[j];
  }
#pragma unroll
  for (int i = 0; i < V; i++)
#pragma unroll
    for (int j = 0; j < V; j++) C[(row + i) * N + col + j] = c[i][j];
}

// Second knob: a block computes L x L elements from tiles in shared memory, a thread V x V of them; V = 1 is the tile
// without registers. (L / V)^2 threads. Dynamic shared memory: 2 L L floats.
template <int L, int V>
__global__ void twoLevel(const float *A, const float *B, float *C, int N) {
  extern __shared__ float tile[];
  float *sA = tile, *sB = tile + L * L;
  const int T = L / V, tid = threadIdx.y * T + threadIdx.x;
  const int rowBase = blockIdx.y * L, colBase = blockIdx.x * L;
  float c[V][V] = {}, a[V], b[V];
#pragma unroll 1
  for (int ko = 0; ko < N; ko += L) {
#pragma unroll 1
    for (int at = tid; at < L * L; at += T * T) {
      sA[at] = A[(rowBase + at / L) * N + ko + at % L];
      sB[at] = B[(ko + at / L) * N + colBase + at % L];
    }
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < L; k++) {
#pragma unroll
      for (int i = 0; i < V; i++) a[i] = sA[(threadIdx.y * V + i) * L + k];
#pragma unroll
      for (int j = 0; j < V; j++) b[j] = sB[k * L + threadIdx.x * V + j];
#pragma unroll
      for (int i = 0; i < V; i++)
#pragma unroll
        for (int j = 0; j < V; j++) c[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < V; i++)
#pragma unroll
    for (int j = 0; j < V; j++) C[(rowBase + threadIdx.y * V + i) * N + colBase + threadIdx.x * V + j] = c[i][j];
}

struct Problem {
  int N;
  std::vector<float> want;
  float *A, *B, *C;
};

// Small integers: sums are exact, whatever their order.
static Problem make(int N) {
  Numbers r;
  std::vector<float> a(N * N), b(N * N), c(N * N);
  for (float &x : a) x = (float)r.between(-4, 4);
  for (float &x : b) x = (float)r.between(-4, 4);
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++) c[i * N + j] += a[i * N + k] * b[k * N + j];
  return {N, c, to_device(a), to_device(b), zeros<float>(N * N)};
}

// Where the form stands under the roof: by the intensity that the formula counts (lane loads x 4 bytes: what would have to
// come from memory without a cache), and by the bytes that memory really moved.
static void roofline(double flops, double lane_loads) {
  double peak = wg_profile("fp32_flop_per_cycle"), bw = wg_profile("dram_bytes_per_cycle"), cycles = wg_profile("cycles");
  double dram = wg_profile("dram_read_bytes") + wg_profile("dram_write_bytes");
  double ai = flops / (lane_loads * 4.0);
  printf("  %-44s AI %s (ridge %s): roof %s of %s FLOP/cycle\n", "roofline, loads as the formula counts them", show(ai),
         show(peak / bw), show(fmin(peak, ai * bw)), show(peak));
  if (std::isnan(cycles)) return;
  ai = flops / dram;
  printf("  %-44s AI %s: roof %s, reached %s FLOP/cycle\n", "roofline, bytes of DRAM", show(ai), show(fmin(peak, ai * bw)),
         show(flops / cycles));
  if (flops / cycles > fmin(peak, ai * bw)) printf("WRONG roofline: above the roof\n"), g_wrong++;
}

static void judge(const Problem &p, const char *name, const char *traffic, double loads) {
  double n3 = (double)p.N * p.N * p.N;
  same(name, from_device(p.C, p.want.size()), p.want);
  CUDA_CHECK(cudaMemset(p.C, 0, p.want.size() * 4));
  claim("multiply-adds (lanes of FFMA)", wg_profile("ffma_thread_insts"), "N^3", n3);
  claim("loads from global memory (lanes)", wg_profile("load_lanes"), traffic, loads);
  roofline(2.0 * n3, loads);
}

template <bool kRowFast>
static void run_strawman(const Problem &p) {
  dim3 block(32, 4), grid(p.N / 32, p.N / 4);
  heading(kRowFast ? "strawman, neighbours in a column of C" : "strawman, neighbours in a row of C");
  strawman<kRowFast><<<grid, block>>>(p.A, p.B, p.C, p.N);
  launched();
  double n3 = (double)p.N * p.N * p.N;
  judge(p, "strawman", "2 N^3", 2.0 * n3);
  // a request for A and one for B; the one that is the same for all lanes is one sector
  claim("sectors a request, A and B", wg_profile("load_sectors") / wg_profile("load_requests") * 2.0,
        kRowFast ? "32 + 1" : "4 + 1", kRowFast ? 33.0 : 5.0);
  claim("arithmetic intensity, FLOP/byte", 2.0 * n3 / (4.0 * wg_profile("load_lanes")), "1/4", 0.25);
}

template <typename K>
static cudaFuncAttributes attributes(K kernel) {
  cudaFuncAttributes at;
  CUDA_CHECK(cudaFuncGetAttributes(&at, kernel));
  return at;
}

template <int V>
static void run_registers(const Problem &p) {
  dim3 block(8, 8), grid((p.N / V + 7) / 8, (p.N / V + 7) / 8);
  printf("\n");
  heading((std::string("register tile, V = ") + show(V)).c_str());
  registerTile<V><<<grid, block>>>(p.A, p.B, p.C, p.N);
  launched();
  double n3 = (double)p.N * p.N * p.N;
  judge(p, "register tile", "2 N^3 / V", 2.0 * n3 / V);
  claim("arithmetic intensity, FLOP/byte", 2.0 * n3 / (4.0 * wg_profile("load_lanes")), "V/4", V / 4.0);
  cudaFuncAttributes at = attributes(registerTile<V>);
  printf("  %-44s %d a thread (V^2 = %d of them sums), %zu bytes spilled, %d blocks an SM\n", "registers", at.numRegs, V * V,
         at.localSizeBytes, resident_blocks(registerTile<V>, 64));
}

template <int L, int V>
static void run_tiles(const Problem &p) {
  const int threads = (L / V) * (L / V);
  const size_t shared = 2 * L * L * sizeof(float);
  char title[100];
  snprintf(title, sizeof title, "two-level tile, L = %d, V = %d: %d threads and %zu bytes of shared memory a block", L, V, threads,
           shared);
  printf("\n");
  heading(title);
  int resident = threads > 1024 ? 0 : resident_blocks(twoLevel<L, V>, threads, shared);
  if (resident == 0) {
    printf("  does not fit on this machine\n");
    return;
  }
  twoLevel<L, V><<<dim3(p.N / L, p.N / L), dim3(L / V, L / V), shared>>>(p.A, p.B, p.C, p.N);
  launched();
  double n3 = (double)p.N * p.N * p.N;
  judge(p, "two-level tile", "2 N^3 / L", 2.0 * n3 / L);
  double lanes = fmin(threads, 32);
  claim("loads from shared memory (lanes)", wg_profile("shared_ld_reqs") * lanes, "2 N^3 / V", 2.0 * n3 / V);
  claim("shared loads a multiply-add", wg_profile("shared_ld_reqs") * lanes / wg_profile("ffma_thread_insts"), "2 / V", 2.0 / V);
  claim("arithmetic intensity, FLOP/byte", 2.0 * n3 / (4.0 * wg_profile("load_lanes")), "L/4", L / 4.0);
  cudaFuncAttributes at = attributes(twoLevel<L, V>);
  printf("  %-44s %d a thread (V^2 = %d of them sums), %zu bytes spilled, %d blocks an SM\n", "registers", at.numRegs, V * V,
         at.localSizeBytes, resident);
  printf("  %-44s %s of %s wavefronts\n", "bank conflicts of shared loads", show(wg_profile("shared_ld_conflict_wavefronts")),
         show(wg_profile("shared_ld_wavefronts")));
}

int main(int argc, char **argv) {
  int N = arg_int(argc, argv, 1, "N", 64, 64, 1024, 64), only_l = arg_int(argc, argv, 3, "L", 0, 0, 64, 16);
  int only_v = arg_int(argc, argv, 4, "V", 0, 0, 8);
  Problem p = make(N);
  printf("C = A B, N = %d\n\n", N);
  if (wanted(argc, argv, 2, "strawman")) run_strawman<true>(p), printf("\n"), run_strawman<false>(p);
#define V_IS(V) (only_v == 0 || only_v == V)
  if (wanted(argc, argv, 2, "registers")) {
    if (V_IS(1)) run_registers<1>(p);
    if (V_IS(2)) run_registers<2>(p);
    if (V_IS(4)) run_registers<4>(p);
    if (V_IS(8)) run_registers<8>(p);
  }
  bool shared = wanted(argc, argv, 2, "shared"), two = wanted(argc, argv, 2, "twolevel");
#define TILES(L)                                   \
  if (only_l == 0 || only_l == L) {                \
    if (shared && V_IS(1)) run_tiles<L, 1>(p);     \
    if (two && V_IS(2)) run_tiles<L, 2>(p);        \
    if (two && V_IS(4)) run_tiles<L, 4>(p);        \
    if (two && V_IS(8)) run_tiles<L, 8>(p);        \
  }
  TILES(16)
  TILES(32)
  TILES(64)
  end_words(argc, argv, 2);
  CUDA_CHECK(cudaFree(p.A));
  CUDA_CHECK(cudaFree(p.B));
  CUDA_CHECK(cudaFree(p.C));
  return finish("matmul");
}
