// SPDX-License-Identifier: Apache-2.0
// One thread follows a chain of loads that the L1 must not answer: their number is the argument.
#include <cstdio>
#include <cstdlib>

__global__ void chase(const unsigned *next, unsigned *out, int n) {
  unsigned p = 0;
  for (int i = 0; i < n; i++) p = __ldcg(next + p);
  *out = p;
}

int main(int, char **argv) {
  enum { kPlaces = 1024 };
  const int n = atoi(argv[1]);
  unsigned next[kPlaces], *d, *out, got, want = 0;
  for (unsigned i = 0; i < kPlaces; i++) next[i] = (i + 97) % kPlaces;
  for (int i = 0; i < n; i++) want = next[want];
  cudaMalloc(&d, sizeof next);
  cudaMalloc(&out, sizeof *out);
  cudaMemcpy(d, next, sizeof next, cudaMemcpyHostToDevice);
  chase<<<1, 1>>>(d, out, n);
  cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
  cudaFree(d);
  cudaFree(out);
  printf("%u, expected %u\n", got, want);
  return got != want;
}
