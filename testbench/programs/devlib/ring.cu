// SPDX-License-Identifier: Apache-2.0
// Limits, and a FIFO that is too small: older lines give way to newer ones. argv[1] bytes of the FIFO, argv[2] lines.
#include <cstdio>
#include <cstdlib>

__device__ int returned;

__global__ void kernel(int n) {
  for (int i = 0; i < n; i++) printf("line %d\n", i);
}

__global__ void large(int n) {
  char text[1200];
  for (int i = 0; i < n; i++) text[i] = 'x';
  text[n] = 0;
  returned = printf("%s\n", text);
}

int main(int argc, char **argv) {
  size_t size = argc > 1 ? (size_t)atoll(argv[1]) : 1024, have[3];
  for (int i = 0; i < 3; i++) cudaDeviceGetLimit(&have[i], (cudaLimit)i);
  printf("defaults %zu %zu %zu\n", have[0], have[1], have[2]);
  int e = cudaDeviceSetLimit(cudaLimitPrintfFifoSize, size), f = cudaDeviceSetLimit(cudaLimitMallocHeapSize, 100000);
  for (int i = 0; i < 3; i++) cudaDeviceGetLimit(&have[i], (cudaLimit)i);
  printf("set %d %d: %zu %zu %zu\n", e, f, have[0], have[1], have[2]);
  kernel<<<1, 1>>>(argc > 2 ? atoi(argv[2]) : 100);
  cudaDeviceSynchronize();
  kernel<<<1, 1>>>(3); /* the ring goes on where it was */
  large<<<1, 1>>>(1190);
  int r = 0;
  cudaMemcpyFromSymbol(&r, returned, sizeof r);
  cudaDeviceSynchronize();
  printf("too large %d\n", r);
  e = cudaDeviceSetLimit(cudaLimitPrintfFifoSize, size * 2);
  printf("again %d %s\n", e, cudaGetErrorName(cudaGetLastError()));
  e = cudaDeviceSetLimit((cudaLimit)77, 1);
  printf("unknown %s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}
