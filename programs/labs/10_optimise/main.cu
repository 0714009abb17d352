// SPDX-License-Identifier: Apache-2.0
//
// Lab 10: calls the kernels matmul and reduce and looks at the results. usage:
//   optimise matmul [N] [BLOCK_X BLOCK_Y TILE_X TILE_Y]   C = A B, N x N; a block of BLOCK_X x BLOCK_Y threads makes TILE_X columns
//                                                         and TILE_Y rows of C; default 64 16 16 16 16
//   optimise reduce [n] [BLOCK ELEMENTS]                  out[b] = sum of the ELEMENTS numbers of in from b ELEMENTS on, as far as
//                                                         there are any; a block of 32 <= BLOCK <= 256 threads, 256 <= ELEMENTS; default
//                                                         8192 256 256
#include "../lab_program.h"

LAB_KERNEL(__global__ void matmul(const float *A, const float *B, float *C, int N))
LAB_KERNEL(__global__ void reduce(const float *in, float *out, int n))

static int matrices(int argc, char **argv) {
  const int N = arg_int(argc, argv, 2, "N", 64, 64, 512, 64), bx = arg_int(argc, argv, 3, "BLOCK_X", 16, 1, 256),
            by = arg_int(argc, argv, 4, "BLOCK_Y", 16, 1, 256), tx = arg_int(argc, argv, 5, "TILE_X", 16, 1, 64),
            ty = arg_int(argc, argv, 6, "TILE_Y", 16, 1, 64);
  if (64 % tx != 0 || 64 % ty != 0) {
    fprintf(stderr, "error: a tile of %d x %d does not divide 64 x 64\n  remedy: 1, 2, 4, 8, 16, 32 or 64\n", tx, ty);
    return 2;
  }
  std::vector<float> A(N * N), B(N * N), want(N * N, 0.0f);
  Numbers r(lab_seed());
  for (float &x : A) x = r.between(-4, 4);  // small whole numbers: every order of the sums gives the same
  for (float &x : B) x = r.between(-4, 4);
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < N; k++) {
      for (int j = 0; j < N; j++) want[i * N + j] += A[i * N + k] * B[k * N + j];
    }
  }
  float *dA = to_device(A), *dB = to_device(B), *dC = to_device(std::vector<float>(N * N, -1e9f));
  matmul<<<dim3(N / tx, N / ty), dim3(bx, by)>>>(dA, dB, dC, N);
  launched();
  std::string text = differing(from_device(dC, N * N), want, 0, N * N);
  printf("matmul: N = %d, %d x %d blocks of %d x %d threads\n", N, N / tx, N / ty, bx, by);
  verdict("elements", text.empty(), text);
  for (float *p : {dA, dB, dC}) CUDA_CHECK(cudaFree(p));
  return finish("optimise");
}

static int sums(int argc, char **argv) {
  const int n = arg_int(argc, argv, 2, "n", 8192, 1, 1 << 20), block = arg_int(argc, argv, 3, "BLOCK", 256, 32, 256),
            each = arg_int(argc, argv, 4, "ELEMENTS", 256, 256, 1 << 16), blocks = (n + each - 1) / each;
  std::vector<float> in(n), want(blocks, 0.0f);
  Numbers r(lab_seed());
  for (int i = 0; i < n; i++) {
    in[i] = r.between(-100, 100);
    want[i / each] += in[i];  // whole numbers: exact in every order
  }
  float *dIn = to_device(in), *dOut = to_device(std::vector<float>(blocks, -1e9f));
  reduce<<<blocks, block>>>(dIn, dOut, n);
  launched();
  std::string text = differing(from_device(dOut, blocks), want, 0, blocks);
  printf("reduce: n = %d, %d blocks of %d threads\n", n, blocks, block);
  verdict("elements", text.empty(), text);
  for (float *p : {dIn, dOut}) CUDA_CHECK(cudaFree(p));
  return finish("optimise");
}

int main(int argc, char **argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "matmul") return matrices(argc, argv);
  if (what == "reduce") return sums(argc, argv);
  fprintf(stderr, "error: no part '%s'\n  remedy: matmul or reduce\n", what.c_str());
  return 2;
}
