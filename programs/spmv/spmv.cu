// SPDX-License-Identifier: Apache-2.0
//
// y = A x with a sparse A in compressed rows, rows of very different lengths: a thread a row, or a warp a row.
// usage: spmv [rows], default 256
#include "../wg_program.h"

__global__ void spmvThread(const int *start, const int *col, const float *val, const float *x, float *y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = start[row]; k < start[row + 1]; k++) sum += val[k] * x[col[k]];
  y[row] = sum;
}

__global__ void spmvWarp(const int *start, const int *col, const float *val, const float *x, float *y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = start[row] + lane; k < start[row + 1]; k += 32) sum += val[k] * x[col[k]];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0) y[row] = sum;
}

static void judge(const char *name, float *dY, const std::vector<float> &want, double nonzeros) {
  same(name, from_device(dY, want.size()), want);
  CUDA_CHECK(cudaMemset(dY, 0, want.size() * 4));
  heading(name);
  claim("multiply-adds (lanes of FFMA)", wg_profile("ffma_thread_insts"), "non-zeros", nonzeros);
  printf("  %-44s %12s\n", "sectors a load request", show(wg_profile("load_sectors") / wg_profile("load_requests")));
  printf("  %-44s %11s%%\n", "lanes busy", show(100.0 * wg_profile("thread_insts") / (32.0 * wg_profile("warp_insts"))));
  printf("  %-44s %12s, cycles %s\n\n", "warp instructions", show(wg_profile("warp_insts")), show(wg_profile("cycles")));
}

int main(int argc, char **argv) {
  const int rows = arg_int(argc, argv, 1, "rows", 256, 1, 1 << 16), threads = 128;
  Numbers r;
  std::vector<int> start(rows + 1), col;
  std::vector<float> val, x(rows), want(rows);
  for (float &v : x) v = (float)r.between(-9, 9);
  for (int i = 0; i < rows; i++) {
    int length = i % 16 == 5 ? 64 : r.between(0, 12); // one row of sixteen is long
    start[i] = (int)col.size();
    for (int k = 0; k < length; k++) {
      col.push_back(r.between(0, rows - 1));
      val.push_back((float)r.between(-9, 9));
      want[i] += val.back() * x[col.back()]; // small integers: exact
    }
  }
  start[rows] = (int)col.size();
  int *dStart = to_device(start), *dCol = to_device(col);
  float *dVal = to_device(val), *dX = to_device(x), *dY = zeros<float>(rows);
  printf("sparse matrix, %d rows, %zu non-zeros\n\n", rows, col.size());
  spmvThread<<<(rows + threads - 1) / threads, threads>>>(dStart, dCol, dVal, dX, dY, rows);
  launched();
  judge("a thread a row", dY, want, (double)col.size());
  spmvWarp<<<(rows * 32 + threads - 1) / threads, threads>>>(dStart, dCol, dVal, dX, dY, rows);
  launched();
  judge("a warp a row", dY, want, (double)col.size());
  for (void *p : {(void *)dStart, (void *)dCol, (void *)dVal, (void *)dX, (void *)dY}) CUDA_CHECK(cudaFree(p));
  return finish("spmv");
}
