// SPDX-License-Identifier: Apache-2.0
//
// Lab 10, a solution. The answers are counters of the model: labs_test.py fills them in from runs.

// launch matmul_block_x = 8
// launch matmul_block_y = 8
// launch matmul_tile_x = 32
// launch matmul_tile_y = 32
// launch reduce_block = 128
// launch reduce_elements = 1024

// answer matmul_sectors_per_request_before = ?
// answer matmul_sectors_per_request_after = ?
// answer matmul_load_sectors_before = ?
// answer matmul_load_sectors_after = ?
// answer reduce_barriers_before = ?
// answer reduce_barriers_after = ?
// answer reduce_divergent_before = ?
// answer reduce_divergent_after = ?

#define L 32  // a block's tile of C
#define T 8   // threads in a row of the block
#define V 4   // a thread makes V x V elements, T apart: neighbours read neighbouring words
#define K 8   // depth of the tiles in shared memory

__global__ void matmul(const float *A, const float *B, float *C, int N) {
  __shared__ float a[L][K + 1], b[K][L];
  int x = threadIdx.x, y = threadIdx.y, t = y * T + x, row = blockIdx.y * L, col = blockIdx.x * L;
  float c[V][V] = {};
#pragma unroll 1
  for (int from = 0; from < N; from += K) {
#pragma unroll
    for (int i = t; i < L * K; i += T * T) {
      a[i / K][i % K] = A[(row + i / K) * N + from + i % K];
      b[i / L][i % L] = B[(from + i / L) * N + col + i % L];
    }
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < K; k++) {
      float p[V], q[V];
#pragma unroll
      for (int i = 0; i < V; i++) p[i] = a[y + i * T][k], q[i] = b[k][x + i * T];
#pragma unroll
      for (int i = 0; i < V; i++)
#pragma unroll
        for (int j = 0; j < V; j++) c[i][j] += p[i] * q[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < V; i++)
#pragma unroll
    for (int j = 0; j < V; j++) C[(row + y + i * T) * N + col + x + j * T] = c[i][j];
}

#define ELEMENTS 1024

__global__ void reduce(const float *in, float *out, int n) {
  __shared__ float s[4];
  int t = threadIdx.x, from = blockIdx.x * ELEMENTS;
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < ELEMENTS; i += 128) sum += from + i + t < n ? in[from + i + t] : 0.0f;
#pragma unroll
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (t % 32 == 0) s[t / 32] = sum;
  __syncthreads();
  if (t == 0) out[blockIdx.x] = s[0] + s[1] + s[2] + s[3];
}
