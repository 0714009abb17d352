// SPDX-License-Identifier: Apache-2.0
//
// Blocks that wait for blocks: the text's flag, and a barrier of the whole grid. usage: cross_block [WHAT] [EXTRA]
//   forward      block 1 waits for block 0's flag, and only one block fits at a time: ends if block 0 is started first
//   backward     block 0 waits for block 1: hangs if block 0 is started first, by name only
//   together     backward, but both blocks fit: ends
//   gridbarrier  a barrier of all blocks by an atomic counter: as many blocks as the machine holds, and EXTRA (default 0) more;
//                with 1 the last block is not started before another one has ended, which waits for it: hangs
//   all          forward, together, gridbarrier
#include "../wg_program.h"

__global__ void flag(volatile int *myFlag, int *out, int waiting) {
  extern __shared__ int held[]; // so large that no second block fits, or nothing
  if (threadIdx.x == 0) {
    if ((int)blockIdx.x == waiting) {
      while (*myFlag == 0) {
      }
    } else {
      atomicAdd((int *)myFlag, 1);
    }
    out[blockIdx.x] = blockIdx.x + 1;
    if (out == nullptr) held[0] = 1;
  }
}

__global__ void gridBarrier(int *arrived, int *out) {
  extern __shared__ int held[];
  if (threadIdx.x == 0) {
    out[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    atomicAdd(arrived, 1);
    while (*(volatile int *)arrived < (int)gridDim.x) {
    }
    __threadfence();
    out[gridDim.x + blockIdx.x] = *(volatile int *)&out[(blockIdx.x + 1) % gridDim.x]; // what another block wrote before it
    if (out == nullptr) held[0] = 1;
  }
}

static size_t one_block_an_sm() {
  cudaDeviceProp prop;
  CUDA_CHECK(cudaGetDeviceProperties(&prop, 0));
  return prop.sharedMemPerBlockOptin;
}

static void run_flag(const char *what, int waiting, size_t shared) {
  int *dFlag = zeros<int>(1), *dOut = zeros<int>(2);
  CUDA_CHECK(cudaFuncSetAttribute(flag, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)one_block_an_sm()));
  printf("%s: block %d waits for block %d, %d blocks fit into an SM\n", what, waiting, 1 - waiting, resident_blocks(flag, 32, shared));
  flag<<<2, 32, shared>>>(dFlag, dOut, waiting);
  launched();
  same(what, from_device(dOut, 2), {1, 2});
  CUDA_CHECK(cudaFree(dFlag));
  CUDA_CHECK(cudaFree(dOut));
}

static void run_grid_barrier(int extra) {
  cudaDeviceProp prop;
  CUDA_CHECK(cudaGetDeviceProperties(&prop, 0));
  size_t shared = one_block_an_sm() / 4 / 256 * 256; // few blocks an SM: quick to see
  CUDA_CHECK(cudaFuncSetAttribute(gridBarrier, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
  const int fit = resident_blocks(gridBarrier, 32, shared) * prop.multiProcessorCount, blocks = fit + extra;
  int *dArrived = zeros<int>(1), *dOut = zeros<int>(2 * blocks);
  printf("gridbarrier: %d blocks, the machine holds %d\n", blocks, fit);
  gridBarrier<<<blocks, 32, shared>>>(dArrived, dOut);
  launched();
  std::vector<int> want(2 * blocks);
  for (int b = 0; b < blocks; b++) want[b] = b + 1, want[blocks + b] = (b + 1) % blocks + 1;
  same("gridbarrier", from_device(dOut, want.size()), want);
  CUDA_CHECK(cudaFree(dArrived));
  CUDA_CHECK(cudaFree(dOut));
}

int main(int argc, char **argv) {
  const int extra = arg_int(argc, argv, 2, "EXTRA", 0, 0, 1000);
  if (wanted(argc, argv, 1, "forward")) run_flag("forward", 1, one_block_an_sm());
  if (wanted(argc, argv, 1, "backward", true)) run_flag("backward", 0, one_block_an_sm());
  if (wanted(argc, argv, 1, "together")) run_flag("together", 0, 0);
  if (wanted(argc, argv, 1, "gridbarrier")) run_grid_barrier(extra);
  end_words(argc, argv, 1);
  return finish("cross_block");
}
