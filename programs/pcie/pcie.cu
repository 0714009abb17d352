// SPDX-License-Identifier: Apache-2.0
//
// The lecture's example of Amdahl's law on a GPU (section 4.2): a matrix product of N = 1024 whose 12 MB cross PCI Express. Its own
// figures first, then the same with the copies of the simulated link, then the whole program at a small N, kernel and all.
// usage: pcie [N of the product that runs, a multiple of 16 [products in the chain]]
#include "../wg_program.h"

enum { kTile = 16, kTextN = 1024 };

__global__ void product(const float *a, const float *b, float *c, int n) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += kTile) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + col];
    __syncthreads();
    for (int i = 0; i < kTile; i++) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
__global__ void nothing() {}

static bool timed() { return wg_profile_value == NULL || !std::isnan(wg_profile("cycles")); }

static cudaEvent_t g_event[2];
template <class F>
static double us_of(F f) {
  float ms = 0;
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaEventRecord(g_event[0]));
  f();
  CUDA_CHECK(cudaEventRecord(g_event[1]));
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaEventElapsedTime(&ms, g_event[0], g_event[1]));
  return ms * 1e3;
}

/** Three matrices in pinned memory and on the device. */
struct Matrices {
  int n;
  size_t bytes;
  float *host[3], *dev[3];
  explicit Matrices(int size) : n(size), bytes((size_t)size * size * sizeof(float)) {
    for (int i = 0; i < 3; i++) {
      CUDA_CHECK(cudaMallocHost((void **)&host[i], bytes));
      CUDA_CHECK(cudaMalloc((void **)&dev[i], bytes));
      for (size_t k = 0; k < (size_t)n * n; k++) host[i][k] = (float)((k * 7 + (size_t)i) % 5) - 2.0f;
    }
  }
  ~Matrices() {
    for (int i = 0; i < 3; i++) {
      CUDA_CHECK(cudaFree(dev[i]));
      CUDA_CHECK(cudaFreeHost(host[i]));
    }
  }
  void in() {
    for (int i = 0; i < 2; i++) CUDA_CHECK(cudaMemcpyAsync(dev[i], host[i], bytes, cudaMemcpyHostToDevice));
  }
  void out() { CUDA_CHECK(cudaMemcpyAsync(host[2], dev[2], bytes, cudaMemcpyDeviceToHost)); }
  void multiply() {
    product<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(dev[0], dev[1], dev[2], n);
    CUDA_CHECK(cudaGetLastError());
  }
};

/** The law's words about one time that the GPU cannot shorten beside one that it can. @return the bound 1 / f */
static double conclude(const char *what, double copies_us, double kernel_us) {
  double f = copies_us / (copies_us + kernel_us);
  printf("  %s: f = %.0f / (%.0f + %.0f) = %.2f, so that no GPU, however fast, makes the whole more than %.1f times as fast\n", what,
         copies_us, copies_us, kernel_us, f, 1 / f);
  return 1 / f;
}

int main(int argc, char **argv) {
  int n = arg_int(argc, argv, 1, "N", 64, 16, 512, 16), chain = arg_int(argc, argv, 2, "products", 4, 2, 64);
  const double flop = 2.0 * kTextN * kTextN * kTextN, peak = 12.7e12, hbm = 900e9, cpu = 20e9, tile = 32;
  for (auto &e : g_event) CUDA_CHECK(cudaEventCreate(&e));

  heading("the text's figures, N = 1024");
  double text_copy = 12e6 / 16e9 * 1e6, text_kernel = 300;
  claim("kernel at the peak of 12.7 TFLOP/s, us", flop / peak * 1e6, "169", 169, 0.01);
  claim("tiles of 32: 268 MB at 900 GB/s, us", 4 * flop / tile / hbm * 1e6, "298, \"about 300\"", 298, 0.01);
  claim("12 MB at 16 GB/s, us", text_copy, "750", 750);
  double text_bound = conclude("text", text_copy, text_kernel);
  claim("bound of the speed-up", text_bound, "1.4", 1.4, 0.01);
  double resident = flop / cpu * 1e6 / text_kernel;
  claim("data resident, beside a CPU of 20 GFLOP/s", resident, "hundreds of times", 358, 0.01);
  printf("  with the copies: %.0f times\n", flop / cpu * 1e6 / (text_copy + text_kernel));

  double copies;
  {
    Matrices m(kTextN);
    double in = us_of([&] { m.in(); }), out = us_of([&] { m.out(); });
    copies = in + out;
    heading("the same 12 MiB over the link of this machine, pinned memory");
    printf("  %.0f us in, %.0f us out: %.1f GB/s\n", in, out, 3.0 * (double)m.bytes / copies / 1e3);
    double bound = conclude("measured copies, the text's kernel", copies, text_kernel);
    if (copies > text_copy / 2) claim("the text's conclusion holds: the bound is below 2 (1 = yes)", bound < 2, "copies, not the GPU", 1);
    else against_text("bound of the speed-up", bound, "1.4", "a faster link than the text's");
  }

  nothing<<<1, 32>>>();
  CUDA_CHECK(cudaDeviceSynchronize());
  double launches = us_of([] {
    for (int i = 0; i < 50; i++) nothing<<<1, 32>>>();
  }) / 50;
  bool ok = timed();
  heading("launches");
  claim("an empty kernel in a row of 50, us (below 10)", ok && launches < 10 ? 1 : ok ? 0 : NAN, "\"several us\"", 1);
  printf("  %s us each; 40 launches for 40 steps of a global barrier: %s us beside a kernel of 300\n", show(ok ? launches : NAN),
         show(ok ? 40 * launches : NAN));

  Matrices m(n);
  m.in();
  m.multiply(); /* code and constants are there */
  double gap = us_of([] {}); /* the front end's time for the second event, which each of these has and the whole has once */
  double in = us_of([&] { m.in(); }), kernel = us_of([&] { m.multiply(); }), out = us_of([&] { m.out(); });
  std::vector<float> want((size_t)n * n, 0.0f);
  for (int y = 0; y < n; y++) {
    for (int k = 0; k < n; k++) {
      for (int x = 0; x < n; x++) want[(size_t)y * n + x] += m.host[0][y * n + k] * m.host[1][k * n + x];
    }
  }
  same("product", std::vector<float>(m.host[2], m.host[2] + (size_t)n * n), want);
  double one = us_of([&] { m.in(), m.multiply(), m.out(); });
  double kept = us_of([&] {
    m.in();
    for (int i = 0; i < chain; i++) m.multiply();
    m.out();
  });
  double carried = us_of([&] {
    for (int i = 0; i < chain; i++) m.in(), m.multiply(), m.out();
  });
  printf("the whole program at N = %d on this machine's SMs\n", n);
  heading("us");
  double near = kernel > 10 ? 0.15 : 0.3; /* the host's calls hide behind the work before them, more so behind short kernels */
  claim("copy in, multiply, copy out", ok ? one : NAN, "the sum of the three", in + kernel + out - 2 * gap, near);
  if (ok) conclude("measured", in + out, kernel);
  claim("a chain of products, data carried each time", ok ? carried : NAN, "products x one", chain * one, near);
  claim("the chain with its data on the device", ok ? kept : NAN, "copies + products x kernel", in + out + chain * kernel - (chain + 1) * gap, near);
  claim("keeping the data is faster (1 = yes)", ok ? kept < carried : NAN, "f falls", 1);
  for (auto &e : g_event) CUDA_CHECK(cudaEventDestroy(e));
  return finish("pcie");
}
