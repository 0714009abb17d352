// SPDX-License-Identifier: Apache-2.0
//
// What cannot be made parallel, and what need not be moved. usage: amdahl [fraction|chain|base|all]
//   fraction  a part f of the work is done by one warp, the rest by p warps: speed-up beside 1 / (f + (1 - f) / p)
//   base      f as Amdahl means it: what cannot be made parallel, as a share of the time that one core takes for all of the work. That
//             time is measured on the host's one core, and taken from the text; only by name, for it differs from host to host
//   chain     three kernels with copies to the host between them, with data that stays, and fused into one: bytes and time
#include <algorithm>
#include <chrono>

#include "../wg_program.h"

// A block of one warp follows a chain of dependent loads in shared memory: work that waits far more than it issues, so that
// warps do not take each other's cycles.
__global__ void follow(unsigned *out, unsigned turns) {
  __shared__ unsigned next[32];
  unsigned x = threadIdx.x;
  next[x] = (x * 5 + 3) % 32; // a permutation: no bank conflicts
  __syncwarp();
#pragma unroll 4
  for (unsigned k = 0; k < turns; k++) x = next[x];
  out[blockIdx.x * 32 + threadIdx.x] = x;
}

static unsigned *dOut;
static double cycles_of(unsigned warps, unsigned turns) {
  follow<<<warps, 32>>>(dOut, turns);
  launched();
  std::vector<unsigned> want(warps * 32);
  for (unsigned i = 0; i < want.size(); i++) {
    want[i] = i % 32;
    for (unsigned k = 0; k < turns; k++) want[i] = (want[i] * 5 + 3) % 32;
  }
  same("follow", from_device(dOut, want.size()), want);
  return wg_profile("cycles");
}

static void fraction() {
  const unsigned all = 256;
  dOut = zeros<unsigned>(8 * 32);
  cycles_of(1, 8); // the instructions are in the caches from now on
  double launch = cycles_of(1, 8) - cycles_of(1, 16) + cycles_of(1, 8); // cycles of a launch with no turns
  double one = cycles_of(1, all) - launch;
  double lanes = wg_profile("fp32_flop_per_cycle") / 2; // 8 of them serve a warp's addresses while others wait
  heading("Amdahl: a part f by one warp, the rest by p; launches taken off");
  for (unsigned serial : {0u, all / 16, all / 4, all / 2}) {
    for (unsigned p : {2u, 4u, 8u}) {
      double f = serial / (double)all, cycles = cycles_of(p, (all - serial) / p) - launch;
      if (serial != 0) cycles += cycles_of(1, serial) - launch;
      char what[64];
      snprintf(what, sizeof what, "f = %.4g, p = %u: speed-up", f, p);
      double law = 1.0 / (f + (1.0 - f) / p);
      if (p * 8 <= lanes) claim(what, one / cycles, "1 / (f + (1 - f) / p)", law, 0.05);
      else printf("  %-44s %12s   %-24s %12s  warps share few lanes: less\n", what, show(one / cycles), "at most", show(law));
      if (one / cycles > 1.05 * law) printf("WRONG %s: more than the law allows\n", what), g_wrong++;
    }
  }
  CUDA_CHECK(cudaFree(dOut));
}

__global__ void scale(const float *x, float *y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
__global__ void addTo(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];
}
__global__ void square(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = y[i] * y[i];
}
__global__ void fused(const float *x, float *y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = __fadd_rn(__fmul_rn(a, x[i]), x[i]); // not contracted: the chain rounds in between
    y[i] = v * v;
  }
}

struct Cost {
  double copied = 0, lanes = 0, kernels_us = 0, us = 0;
  void launch() {
    launched();
    lanes += wg_profile("load_lanes") + wg_profile("store_lanes"), kernels_us += wg_profile("time_ns") / 1e3;
  }
};

// x goes to the device, y comes back; `copies`: y also goes to the host and back between the kernels.
static Cost run_chain(const std::vector<float> &x, const std::vector<float> &want, bool copies, bool one) {
  const int n = (int)x.size(), b = 128, g = (n + b - 1) / b;
  const size_t bytes = n * 4;
  std::vector<float> host(n);
  float *dX = zeros<float>(n), *dY = zeros<float>(n);
  Cost c;
  auto copy = [&](void *to, const void *from, cudaMemcpyKind kind) {
    CUDA_CHECK(cudaMemcpy(to, from, bytes, kind));
    c.copied += bytes;
  };
  auto back_and_forth = [&] {
    if (!copies) return;
    copy(host.data(), dY, cudaMemcpyDeviceToHost);
    copy(dY, host.data(), cudaMemcpyHostToDevice);
  };
  Watch watch;
  copy(dX, x.data(), cudaMemcpyHostToDevice);
  if (one) {
    fused<<<g, b>>>(dX, dY, 3.0f, n), c.launch();
  } else {
    scale<<<g, b>>>(dX, dY, 3.0f, n), c.launch(), back_and_forth();
    addTo<<<g, b>>>(dX, dY, n), c.launch(), back_and_forth();
    square<<<g, b>>>(dY, n), c.launch();
  }
  copy(host.data(), dY, cudaMemcpyDeviceToHost);
  c.us = watch.us();
  same("chain", host, want);
  CUDA_CHECK(cudaFree(dX));
  CUDA_CHECK(cudaFree(dY));
  return c;
}

static void chain() {
  const int n = 16384;
  std::vector<float> x(n), want(n);
  Numbers r;
  for (int i = 0; i < n; i++) {
    x[i] = r.between(-99, 99) * 0.25f;
    float v = 3.0f * x[i];
    v += x[i];
    want[i] = v * v;
  }
  const Cost copies = run_chain(x, want, true, false), stays = run_chain(x, want, false, false), one = run_chain(x, want, false, true);
  heading("y = (3 x + x)^2 by three kernels: copied between them, resident, fused");
  claim("bytes over the bus, copied", copies.copied, "(2 + 4) 4 n", 24.0 * n);
  claim("bytes over the bus, resident and fused", stays.copied, "2 x 4 n", one.copied);
  claim("loads and stores (lanes), three kernels", stays.lanes, "2 n + 3 n + 2 n", 7.0 * n);
  claim("loads and stores (lanes), fused", one.lanes, "2 n", 2.0 * n);
  const struct {
    const char *name;
    const Cost *c;
  } rows[] = {{"copied", &copies}, {"resident", &stays}, {"fused", &one}};
  for (auto &row : rows) {
    double f = 1.0 - row.c->kernels_us / row.c->us;
    printf("  %-44s %12s us, kernels %s us: f = %s beside them, so 1 / f = %s is all that faster kernels gain\n", row.name, show(row.c->us),
           show(row.c->kernels_us), show(f), show(1.0 / f));
  }
  if (!std::isnan(one.us)) {
    claim("resident is faster than copied", stays.us < copies.us, "yes", 1.0);
    claim("fused is faster than resident", one.us < stays.us, "yes", 1.0);
  }
  printf("  the text's matrix product: 12 MB over 16 GB/s = %.0f us, kernel 300 us: f = %.2f, 1 / f = %.1f. That f is a share of the GPU's\n"
         "  time: 1.4 bounds what a faster kernel gains, not what the GPU gains over one core\n",
         12e6 / 16e9 * 1e6, 750.0 / (750.0 + 300.0), (750.0 + 300.0) / 750.0);
}

// Seconds that one core takes for an N x N matrix product, fp32, best of three; `trace`: its sum over the diagonal.
static double one_core_product(int n, double *trace) {
  std::vector<float> a(n * (size_t)n, 1.0f), b(n * (size_t)n, 2.0f), c;
  double best = 1e30;
  for (int turn = 0; turn < 3; turn++) {
    c.assign(n * (size_t)n, 0.0f);
    auto from = std::chrono::steady_clock::now();
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) c[i * (size_t)n + j] += a[i * (size_t)n + k] * b[k * (size_t)n + j];
      }
    }
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count());
  }
  *trace = 0.0;
  for (int i = 0; i < n; i++) *trace += c[i * (size_t)n + i];
  return best;
}

// The text's matrix product of N = 1024: 12 MB over 16 GB/s, a kernel of 300 us. `base`: seconds of one core.
static void gains(const char *who, double base, double *f, double *bound, double *gain, double *resident) {
  const double copies = 12e6 / 16e9, kernel = 300e-6;
  *f = copies / base, *bound = base / copies, *gain = base / (copies + kernel), *resident = base / kernel;
  printf("  %-44s base %s ms: f = %s, 1 / f = %s; the GPU gains %s, with resident data %s\n", who, show(base * 1e3), show(*f), show(*bound),
         show(*gain), show(*resident));
}

static void base() {
  const int n = 256;
  const double flops = 2.0 * 1024 * 1024 * 1024;
  double trace, f, bound, gain, resident, seconds = one_core_product(n, &trace), rate = 2.0 * n * n * n / seconds;
  heading("f of the baseline: copies over the time of one core, N = 1024 matrix product");
  gains("one core at the text's 20 GFLOP/s", flops / 20e9, &f, &bound, &gain, &resident);
  claim("f by the text's figures", f, "750 us / 107 ms", 750e-6 / (flops / 20e9), 0.001);
  claim("with resident data: \"hundreds\"", resident > 200.0, "yes", 1.0);
  claim("gain within the law", gain < bound, "yes", 1.0);
  printf("  one core of this host, measured: N = %d in %s ms, %s GFLOP/s\n", n, show(seconds * 1e3), show(rate / 1e9));
  claim("its product, sum over the diagonal", trace, "2 N N", 2.0 * n * n);
  gains("one core of this host", flops / rate, &f, &bound, &gain, &resident);
  claim("gain within the law", gain < bound, "yes", 1.0);
  printf("  the text's f = 0.71 is the copies' share of the GPU's time: 1 / 0.71 = 1.4 bounds what a faster kernel gains\n");
  const int elements = 16384;
  std::vector<float> x(elements), y(elements);
  Numbers r;
  for (float &v : x) v = r.between(-99, 99) * 0.25f;
  double best = 1e30;
  for (int turn = 0; turn < 5; turn++) {
    auto from = std::chrono::steady_clock::now();
    for (int i = 0; i < elements; i++) {
      float v = 3.0f * x[i];
      v += x[i];
      y[i] = v * v;
    }
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count() * 1e6);
  }
  const Cost one = run_chain(x, y, false, true);
  printf("  y = (3 x + x)^2, 16384 numbers: one core of this host %s us, this device %s us, %s of them its kernel: f = %s: %s\n", show(best),
         show(one.us), show(one.kernels_us), show((one.us - one.kernels_us) / best), best < one.us ? "one core is faster" : "the device is faster");
}

int main(int argc, char **argv) {
  if (wanted(argc, argv, 1, "fraction")) fraction();
  if (wanted(argc, argv, 1, "chain")) chain();
  if (wanted(argc, argv, 1, "base", true)) base();
  end_words(argc, argv, 1);
  return finish("amdahl");
}
