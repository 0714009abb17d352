// SPDX-License-Identifier: Apache-2.0
//
// Shared by the programs of this folder: memory for a kernel, and its end. A program says in its head what the race
// checker must tell (race_test.py); lines that race end in `// racy`.
#ifndef WG_TESTBENCH_RACE_H
#define WG_TESTBENCH_RACE_H

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

inline void check(cudaError_t e) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(e));
  exit(1);
}

/** `n` zeroed ints of device memory. */
inline int *zeros(size_t n) {
  int *p = nullptr;
  check(cudaMalloc(&p, n * sizeof *p));
  check(cudaMemset(p, 0, n * sizeof *p));
  return p;
}

/** Wait for the kernels and release. */
inline int done(int *p) {
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  check(cudaFree(p));
  return 0;
}

#endif
