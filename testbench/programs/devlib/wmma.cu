// SPDX-License-Identifier: Apache-2.0
//
// nvcuda::wmma in all layouts, from global and from shared memory, sums in float and half, against sums on the host. Values are
// small integers, so every sum is exact. usage: wmma
#include <cstdio>
#include <mma.h>

using namespace nvcuda;

enum { kLdA = 24, kLdB = 32, kLdC = 16, kLdD = 40, kWords = 16 * 40 };

// d = 2 a b + c, through shared memory if `shared`.
template <typename LA, typename LB, typename T>
__global__ void product(const half *a, const half *b, const T *c, T *d, wmma::layout_t l, int shared) {
  __shared__ half sa[kWords], sb[kWords];
  __shared__ T sd[kWords];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, LA> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, LB> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, T> fc, sum;
  for (int i = threadIdx.x; i < kWords; i += 32) {
    sa[i] = a[i];
    sb[i] = b[i];
    sd[i] = d[i];
  }
  __syncthreads();
  wmma::load_matrix_sync(fa, shared ? sa : a, kLdA);
  wmma::load_matrix_sync(fb, shared ? sb : b, kLdB);
  wmma::load_matrix_sync(fc, c, kLdC, l);
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < fa.num_elements; i++) fa.x[i] = fa.x[i] + fa.x[i];
  wmma::mma_sync(sum, fa, fb, sum);
  for (int i = 0; i < fc.num_elements; i++) sum.x[i] = sum.x[i] + fc.x[i];
  wmma::store_matrix_sync(shared ? sd : d, sum, kLdD, l);
  __syncthreads();
  for (int i = threadIdx.x; shared && i < kWords; i += 32) d[i] = sd[i];
}

static int wrong;

template <typename LA, typename LB, typename T>
static void check(bool rowA, bool rowB, bool rowC, int shared) {
  static half a[kWords], b[kWords];
  static T c[kWords], d[kWords];
  static unsigned state = 1;
  for (int i = 0; i < kWords; i++) {
    state = state * 1664525u + 1013904223u;
    a[i] = half((int)(state >> 24) % 9 - 4);
    b[i] = half((int)(state >> 16 & 255) % 9 - 4);
    c[i] = T((float)((int)(state >> 8 & 255) % 65 - 32));
    d[i] = T(-1000.0f);
  }
  half *da, *db;
  T *dc, *dd;
  cudaMalloc(&da, sizeof a);
  cudaMalloc(&db, sizeof b);
  cudaMalloc(&dc, sizeof c);
  cudaMalloc(&dd, sizeof d);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  cudaMemcpy(dc, c, sizeof c, cudaMemcpyHostToDevice);
  cudaMemcpy(dd, d, sizeof d, cudaMemcpyHostToDevice);
  product<LA, LB, T><<<1, 32>>>(da, db, dc, dd, rowC ? wmma::mem_row_major : wmma::mem_col_major, shared);
  cudaMemcpy(d, dd, sizeof d, cudaMemcpyDeviceToHost);
  int bad = 0, left = 0;
  for (int i = 0; i < kWords; i++) left += (float)d[i] == -1000.0f;
  for (int r = 0; r < 16; r++) {
    for (int n = 0; n < 16; n++) {
      float want = (float)c[rowC ? r * kLdC + n : n * kLdC + r];
      for (int k = 0; k < 16; k++)
        want += 2 * (float)a[rowA ? r * kLdA + k : k * kLdA + r] * (float)b[rowB ? k * kLdB + n : n * kLdB + k];
      bad += (float)d[rowC ? r * kLdD + n : n * kLdD + r] != want;
    }
  }
  bad += left != kWords - 256;  // nothing beside the matrix is written
  printf("a %s, b %s, c %s %s, %s: %d wrong\n", rowA ? "row" : "col", rowB ? "row" : "col", sizeof(T) == 4 ? "float" : "half",
         rowC ? "row" : "col", shared ? "shared" : "global", bad);
  wrong += bad;
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  cudaFree(dd);
}

template <typename LA, typename LB>
static void checks(bool rowA, bool rowB) {
  for (int i = 0; i < 4; i++) {
    check<LA, LB, float>(rowA, rowB, i & 1, i >> 1);
    check<LA, LB, half>(rowA, rowB, i & 1, i >> 1);
  }
}

int main() {
  checks<wmma::row_major, wmma::row_major>(true, true);
  checks<wmma::row_major, wmma::col_major>(true, false);
  checks<wmma::col_major, wmma::row_major>(false, true);
  checks<wmma::col_major, wmma::col_major>(false, false);
  printf("%d wrong: %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
  return wrong != 0;
}
