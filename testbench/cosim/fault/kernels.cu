// SPDX-License-Identifier: Apache-2.0
//
// Kernels that are wrong in one lane of one warp, or in lanes of two lines: argument 1 is the case. A comment `case N: CUDA MESSAGE` stands at the line that the
// message must name; cosim_test.py fault compares both, up to the program counter.
#include <cstdio>
#include <cstdlib>

__device__ bool culprit(int block, int thread) { return blockIdx.x == block && threadIdx.x == thread; }

__global__ void misaligned(char *p) {
  if (culprit(1, 37)) {
    *(int *)(p + 2) = 1;  // case 0: 716 misaligned address at 0x200100000002: inside the allocation of 256 bytes at 0x200100000000 in kernel 'misaligned(char*)', block (1,0,0), warp 1, lanes 0x00000020
  }
}
__global__ void space(int *p, int n) {
  extern __shared__ int s[];
  s[culprit(0, 40) ? n : 0] = 1;  // case 1: 717 invalid address space in kernel 'space(int*, int)', block (0,0,0), warp 1, lanes 0x00000100
  __syncthreads();
  p[0] = s[0];
}
__global__ void trap() {
  if (culprit(1, 63)) __builtin_trap();  // case 2: 719 trap in kernel 'trap()', block (1,0,0), warp 1, lanes 0x80000000
}
__global__ void null_load(int *p, int *q) {
  int *r = culprit(0, 1) ? q : p;
  p[1] = *r;  // case 3: 700 illegal address at 0x0 in kernel 'null_load(int*, int*)', block (0,0,0), warp 0, lanes 0x00000002
}
__global__ void threads(int n) {
  asm volatile("bar.sync 1, %0;" ::"r"(n));  // case 4: 719 trap: barrier 1: 33 threads are asked for in kernel 'threads(int)', block (0,0,0), warp 0, lanes 0xffffffff
}
__global__ void barrier(int n) {
  if (threadIdx.x >= 32) asm volatile("bar.sync %0;" ::"r"(n));  // case 5: 719 trap: there is no such barrier in kernel 'barrier(int)', block (0,0,0), warp 1, lanes 0xffffffff
}
__global__ void local_range(int *p, int n) {
  volatile int a[4];
  a[0] = 1;
  p[0] = a[culprit(0, 3) ? n : 0];  // case 6: 714 hardware stack error in kernel 'local_range(int*, int)', block (0,0,0), warp 0, lanes 0x00000008
}
__global__ void atom(int *p) {
  atomicAdd((int *)((char *)p + (culprit(0, 2) ? 1 : 0)), 1);  // case 7: 716 misaligned address at 0x200100000001: inside the allocation of 256 bytes at 0x200100000000 in kernel 'atom(int*)', block (0,0,0), warp 0, lanes 0x00000004
}
__global__ void far_load(int *p, int n) {
  if (threadIdx.x >= 9) p[threadIdx.x] = p[threadIdx.x + n];  // case 8: 700 illegal address at 0x20010000012c: 44 bytes behind the end of the nearest allocation, 256 bytes at 0x200100000000 in kernel 'far_load(int*, int)', block (0,0,0), warp 0, lanes 0xfffffe00
}
__global__ void far_store(int *p, int n) {
  if (threadIdx.x >= 9) p[threadIdx.x + n] = 1;  // case 9: 700 illegal address at 0x20010000012c: 44 bytes behind the end of the nearest allocation, 256 bytes at 0x200100000000 in kernel 'far_store(int*, int)', block (0,0,0), warp 0, lanes 0xfffffe00
}
__global__ void far_atom(int *p, int n) {
  if (threadIdx.x >= 9) p[threadIdx.x] = atomicAdd(p + threadIdx.x + n, 1);  // case 10: 700 illegal address at 0x20010000012c: 44 bytes behind the end of the nearest allocation, 256 bytes at 0x200100000000 in kernel 'far_atom(int*, int)', block (0,0,0), warp 0, lanes 0xfffffe00
}

int main(int argc, char **argv) {
  int *p;
  cudaMalloc(&p, 256);
  switch (argc > 1 ? atoi(argv[1]) : -1) {
    case 0: misaligned<<<2, 64>>>((char *)p); break;
    case 1: space<<<1, 64, 128>>>(p, 32); break;
    case 2: trap<<<2, 64>>>(); break;
    case 3: null_load<<<1, 32>>>(p, nullptr); break;
    case 4: threads<<<1, 32>>>(33); break;
    case 5: barrier<<<1, 64>>>(16); break;
    case 6: local_range<<<1, 32>>>(p, 4096); break;
    case 7: atom<<<1, 32>>>(p); break;
    case 8: far_load<<<1, 32>>>(p, 66); break;
    case 9: far_store<<<1, 32>>>(p, 66); break;
    case 10: far_atom<<<1, 32>>>(p, 66); break;
  }
  const cudaError_t e = cudaDeviceSynchronize();
  printf("%d %s\n", (int)e, cudaGetErrorName(e));
  return 0;
}
