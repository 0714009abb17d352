// SPDX-License-Identifier: Apache-2.0
//
// Lab 10: two slow kernels. Make them fast; the hand-out says by which counters that is measured.

// How the kernels are launched. A block of matmul makes a tile of C; a block of reduce sums so many elements.
// launch matmul_block_x = 16
// launch matmul_block_y = 16
// launch matmul_tile_x = 16
// launch matmul_tile_y = 16
// launch reduce_block = 256
// launch reduce_elements = 256

// What the counters say: `before` of the kernels as they are given, `after` of yours.
// answer matmul_sectors_per_request_before = ?
// answer matmul_sectors_per_request_after = ?
// answer matmul_load_sectors_before = ?
// answer matmul_load_sectors_after = ?
// answer reduce_barriers_before = ?
// answer reduce_barriers_after = ?
// answer reduce_divergent_before = ?
// answer reduce_divergent_after = ?

// C = A B, one element a thread.
__global__ void matmul(const float *A, const float *B, float *C, int N) {
  int row = blockIdx.y * blockDim.x + threadIdx.x, col = blockIdx.x * blockDim.y + threadIdx.y;
  float c = 0.0f;
  for (int k = 0; k < N; k++) c += A[row * N + k] * B[k * N + col];
  C[row * N + col] = c;
}

// out[b] = the sum of block b's elements, one a thread.
__global__ void reduce(const float *in, float *out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
