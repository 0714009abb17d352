// SPDX-License-Identifier: Apache-2.0
// The same lines from a kernel and from the host: both have to read alike. argv[1] threads, each prints them.
#include <cstdio>
#include <cstdlib>

__device__ char shared_text[16];
__device__ int returned[3];

__host__ __device__ void lines(int t, double x) {
  printf("plain text, 100%% of it\n");
  printf("%d %i %u %x %X %o %c|\n", -7 - t, 7 + t, 4000000000u, 0xbeefu, 0xBEEFu, 8u, 'A' + t);
  printf("%ld %li %lu %lx %lld %llu %llX %zu %jd %td\n", -5L, 6L, 7UL, 255UL, -1234567890123LL * t, ~0ULL, 1ULL << 60,
         sizeof(int), (long)9, (long)-9);
  printf("%hd %hu %hhd %hhu %hx\n", 70000, 70000, 300, 300, 70000);
  printf("%f %.3f %10.2f %-10.2f| %+.1f %e %.2E %g %G %a %A\n", x, x, x, x, x, x * 1e10, x, x * 1e-10, x * 1e20, x, x);
  printf("%5d|%-5d|%05d|%+d|% d|%#x|%#o|%.4d\n", 42, 42, 42, 42, 42, 42, 42, 42);
  printf("%*d|%-*d|%.*f|%*.*f|%*d\n", 6, 1, 6, 2, 2, 3.14159, 9, 3, 2.71828, -6, 3);
  printf("[%s] [%8s] [%-8s] [%.2s] [%*s] [%c]\n", "word", "right", "left", "cut off", 6, "star", 'z');
  printf("%p %p\n", (void *)0x1234, (void *)0x2000000000ULL);
  printf("%s%s%s\n", "", "abc", "defghijklmnopqrstuvwxyz0123456789");
  printf("%d %f %d %lld %d %f\n", 1, 2.0, 3, 4LL, 5, 6.0);
  printf("inf %f nan %f -0 %g\n", 1 / (x * 0), 0 * (1 / (x * 0)), -0.0);
  printf("\n");
}

__global__ void kernel(double x) { lines((int)(blockIdx.x * blockDim.x + threadIdx.x), x); }

__global__ void strings() {
  char local[6] = {'l', 'o', 'c', 'a', 'l', 0}, format[8] = {'<', '%', 'd', '>', '\n', 0};
  shared_text[0] = 'x';
  shared_text[1] = 0;
  returned[0] = printf("[%s] [%s] [%s]\n", local, shared_text, (const char *)nullptr);
  shared_text[0] = 'y'; /* what was printed was copied */
  returned[1] = printf(format, 5);
  returned[2] = printf((const char *)nullptr);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1, r[3];
  kernel<<<1, n>>>(1.5);
  printf("before\n");
  cudaDeviceSynchronize();
  printf("after\n");
  for (int t = 0; t < n; t++) lines(t, 1.5);
  printf("strings\n");
  strings<<<1, 1>>>();
  cudaMemcpyFromSymbol(r, returned, sizeof r);
  cudaStreamSynchronize(0);
  printf("returned %d %d %d\n", r[0], r[1], r[2]);
  strings<<<1, 1>>>(); /* printed when the program ends */
  return 0;
}
