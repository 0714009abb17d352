// SPDX-License-Identifier: Apache-2.0
//
// Kernels whose warps come back to their own lines: what the literature on warp schedulers calls cache-sensitive, and one that
// streams. A thread walks along its own row, so a load of a warp touches 32 lines, which the warp's next loads want again, if
// other warps have not pushed them out.
// usage: cache_kernels [kernel] [threads] [length]: kmeans mvt gesummv syrk match triad or all, default all 256 16
//   threads: points, rows, rows of C, pieces of text; triad: elements / length. length: features, columns, bytes of a piece, turns
#include "../wg_program.h"

const int kThreads = 128, kClusters = 4, kPattern = 4;

// nearest of kClusters centres for each point; a point is a row of `features`
__global__ void kmeansAssign(const float *point, const float *centre, int *nearest, int points, int features) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
  if (i >= points) return;
  float least = 1e30f;
#pragma unroll 1
  for (int c = 0; c < kClusters; c++) {
    float d2 = 0.0f;
#pragma unroll 1
    for (int f = 0; f < features; f++) {
      float d = point[i * features + f] - centre[c * features + f];
      d2 += d * d;
    }
    if (d2 < least) least = d2, best = c;
  }
  nearest[i] = best;
}

// y = A x by rows
__global__ void mvtRows(const float *A, const float *x, float *y, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float sum = y[i];
#pragma unroll 1
  for (int k = 0; k < columns; k++) sum += A[i * columns + k] * x[k];
  y[i] = sum;
}

// y = 2 A x + 3 B x by rows: two rows a thread
__global__ void gesummvRows(const float *A, const float *B, const float *x, float *y, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float a = 0.0f, b = 0.0f;
#pragma unroll 1
  for (int k = 0; k < columns; k++) {
    a += A[i * columns + k] * x[k];
    b += B[i * columns + k] * x[k];
  }
  y[i] = 2.0f * a + 3.0f * b;
}

// C = A A^T, C n x n, A n x m: a warp reads one row of A and 32 rows of A
__global__ void syrkElement(const float *A, float *C, int n, int m) {
  int at = blockIdx.x * blockDim.x + threadIdx.x, i = at / n, j = at % n;
  if (i >= n) return;
  float sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < m; k++) sum += A[i * m + k] * A[j * m + k];
  C[at] = sum;
}

// how often `pattern` begins in each piece of the text
__global__ void matchPiece(const unsigned char *text, const unsigned char *pattern, int *found, int pieces, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
  if (i >= pieces) return;
#pragma unroll 1
  for (int k = i * length; k < (i + 1) * length; k++) {
    int p = 0;
#pragma unroll 1
    while (p < kPattern && text[k + p] == pattern[p]) p++;
    n += p == kPattern;
  }
  found[i] = n;
}

// a = b + 3 c, each element once
__global__ void triadStream(const float *b, const float *c, float *a, int n) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = b[i] + 3.0f * c[i];
}

static std::vector<float> numbers(size_t n, unsigned seed, int most) {
  Numbers r(seed);
  std::vector<float> v(n);
  for (float &x : v) x = (float)r.between(-most, most); // small integers: exact in any order
  return v;
}
static int blocks(int threads) { return (threads + kThreads - 1) / kThreads; }
static void told(const char *name, double loads) {
  heading(name);
  claim("loads (lanes)", wg_profile("load_lanes"), "by the source", loads);
  double hit = wg_profile("l1_ld_hit_sectors"), miss = wg_profile("l1_ld_miss_sectors");
  printf("  %-44s %11s%%\n", "sectors that the L1 had", show(100.0 * hit / (hit + miss)));
  printf("  %-44s %12s\n\n", "cycles", show(wg_profile("cycles")));
}

static void kmeans(int n, int m) {
  std::vector<float> p = numbers((size_t)n * m, 1, 9), c = numbers((size_t)kClusters * m, 2, 9);
  std::vector<int> want(n);
  for (int i = 0; i < n; i++) {
    float least = 1e30f;
    for (int k = 0; k < kClusters; k++) {
      float d2 = 0.0f;
      for (int f = 0; f < m; f++) d2 += (p[i * m + f] - c[k * m + f]) * (p[i * m + f] - c[k * m + f]);
      if (d2 < least) least = d2, want[i] = k;
    }
  }
  float *dP = to_device(p), *dC = to_device(c);
  int *dN = zeros<int>(n);
  kmeansAssign<<<blocks(n), kThreads>>>(dP, dC, dN, n, m);
  launched();
  same("kmeansAssign", from_device(dN, n), want);
  told("kmeans", 2.0 * kClusters * n * m);
  for (void *q : {(void *)dP, (void *)dC, (void *)dN}) CUDA_CHECK(cudaFree(q));
}

static void mvt(int n, int m) {
  std::vector<float> A = numbers((size_t)n * m, 3, 9), x = numbers(m, 4, 9), y = numbers(n, 5, 9), want = y;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) want[i] += A[i * m + k] * x[k];
  float *dA = to_device(A), *dX = to_device(x), *dY = to_device(y);
  mvtRows<<<blocks(n), kThreads>>>(dA, dX, dY, n, m);
  launched();
  same("mvtRows", from_device(dY, n), want);
  told("mvt", n + 2.0 * n * m);
  for (float *q : {dA, dX, dY}) CUDA_CHECK(cudaFree(q));
}

static void gesummv(int n, int m) {
  std::vector<float> A = numbers((size_t)n * m, 6, 9), B = numbers((size_t)n * m, 7, 9), x = numbers(m, 8, 9), want(n);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) want[i] += 2.0f * A[i * m + k] * x[k] + 3.0f * B[i * m + k] * x[k];
  float *dA = to_device(A), *dB = to_device(B), *dX = to_device(x), *dY = zeros<float>(n);
  gesummvRows<<<blocks(n), kThreads>>>(dA, dB, dX, dY, n, m);
  launched();
  same("gesummvRows", from_device(dY, n), want);
  told("gesummv", 3.0 * n * m); // x[k] once a turn
  for (float *q : {dA, dB, dX, dY}) CUDA_CHECK(cudaFree(q));
}

static void syrk(int n, int m) {
  std::vector<float> A = numbers((size_t)n * m, 9, 9), want((size_t)n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++) want[i * n + j] += A[i * m + k] * A[j * m + k];
  float *dA = to_device(A), *dC = zeros<float>((size_t)n * n);
  syrkElement<<<blocks(n * n), kThreads>>>(dA, dC, n, m);
  launched();
  same("syrkElement", from_device(dC, want.size()), want);
  told("syrk", 2.0 * n * n * m);
  for (float *q : {dA, dC}) CUDA_CHECK(cudaFree(q));
}

static void match(int n, int m) {
  Numbers r(10);
  std::vector<unsigned char> text((size_t)n * m + kPattern), pattern{'a', 'b', 'a', 'c'};
  for (unsigned char &t : text) t = (unsigned char)('a' + r.between(0, 2));
  std::vector<int> want(n);
  double loads = 0.0;
  for (int k = 0; k < n * m; k++) {
    int p = 0;
    while (p < kPattern && text[k + p] == pattern[p]) p++;
    want[k / m] += p == kPattern;
    loads += 2.0 * (p < kPattern ? p + 1 : p);
  }
  unsigned char *dT = to_device(text), *dP = to_device(pattern);
  int *dF = zeros<int>(n);
  matchPiece<<<blocks(n), kThreads>>>(dT, dP, dF, n, m);
  launched();
  same("matchPiece", from_device(dF, n), want);
  told("match", loads);
  for (void *q : {(void *)dT, (void *)dP, (void *)dF}) CUDA_CHECK(cudaFree(q));
}

static void triad(int threads, int turns) {
  int n = threads * turns;
  std::vector<float> b = numbers(n, 11, 999), c = numbers(n, 12, 999), want(n);
  for (int i = 0; i < n; i++) want[i] = b[i] + 3.0f * c[i];
  float *dA = zeros<float>(n), *dB = to_device(b), *dC = to_device(c);
  triadStream<<<blocks(threads), kThreads>>>(dB, dC, dA, n);
  launched();
  same("triadStream", from_device(dA, n), want);
  told("triad", 2.0 * n);
  for (float *q : {dA, dB, dC}) CUDA_CHECK(cudaFree(q));
}

int main(int argc, char **argv) {
  int n = arg_int(argc, argv, 2, "threads", 256, 1, 1 << 15), m = arg_int(argc, argv, 3, "length", 16, 1, 1024);
  if (wanted(argc, argv, 1, "kmeans")) kmeans(n, m);
  if (wanted(argc, argv, 1, "mvt")) mvt(n, m);
  if (wanted(argc, argv, 1, "gesummv")) gesummv(n, m);
  if (wanted(argc, argv, 1, "syrk", n > 1024)) syrk(n, m); // C grows with the square
  if (wanted(argc, argv, 1, "match")) match(n, m);
  if (wanted(argc, argv, 1, "triad")) triad(n, m);
  end_words(argc, argv, 1);
  return finish("cache_kernels");
}
