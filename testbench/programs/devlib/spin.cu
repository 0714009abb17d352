// SPDX-License-Identifier: Apache-2.0
// The back-end text's two lanes of one warp, one waiting for the other. The text initialises the flag where it declares
// it, which CUDA does not allow for __shared__: here thread 2 does it, behind a barrier.
#include <cstdio>

__global__ void spin() {
  __shared__ volatile int flag;
  if (threadIdx.x == 2) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (flag == 0) {
    }
    printf("Thread 0 收到数据！\n");
  } else if (threadIdx.x == 1) {
    flag = 1;
    printf("Thread 1 发送数据！\n");
  }
}

int main() {
  spin<<<1, 32>>>();
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(e));
  return 0;
}
