// SPDX-License-Identifier: Apache-2.0
//
// Kernels that are wrong, one a case: what CUDA says of them, and where. Argument: the case. Prints the error that the next
// call returns.
#include <cstdio>
#include <cstdlib>

__global__ void store(int *p, int n) {
  p[threadIdx.x + n] = 1;
}
__global__ void misaligned(char *p) {
  *(int *)(p + 2) = 1;
}
__global__ void shared_store(int *p, int n) {
  extern __shared__ int s[];
  s[threadIdx.x + n] = 1;
  __syncthreads();
  p[0] = s[0];
}
__global__ void trap() {
  __builtin_trap();
}
// 64 threads wait for 96.
__global__ void hang() {
  asm volatile("bar.sync 1, 96;");
}

int main(int argc, char **argv) {
  int *p, host;
  cudaMalloc(&p, 256);
  switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 0: store<<<1, 32>>>(nullptr, 0); break;
    case 1: store<<<2, 32>>>(p, 64); break;
    case 2: store<<<1, 32>>>(&host, 0); break;
    case 3: misaligned<<<1, 1>>>((char *)p); break;
    case 4: shared_store<<<1, 32, 128>>>(p, 1); break;
    case 5: trap<<<1, 32>>>(); break;
    case 6: hang<<<1, 64>>>(); break;
  }
  const cudaError_t e = cudaDeviceSynchronize();
  printf("%d %s\n", (int)e, cudaGetErrorName(e));
  return 0;
}
