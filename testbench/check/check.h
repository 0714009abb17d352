// SPDX-License-Identifier: Apache-2.0
//
// Shared by the programs of this folder: device memory and an end. A program says in its head what the checks must find
// (check_test.py): tool and kind, or `clean`. Lines of findings end in `// bad`; `// bad?` may be named as well.
#ifndef WG_TESTBENCH_CHECK_H
#define WG_TESTBENCH_CHECK_H

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

inline void check(cudaError_t e) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(e));
  exit(1);
}

/** `n` elements of device memory that nobody has written. */
template <class T>
T *fresh(size_t n) {
  T *p = nullptr;
  check(cudaMalloc(&p, n * sizeof *p));
  return p;
}

/** The same, zeroed. */
template <class T>
T *zeros(size_t n) {
  T *p = fresh<T>(n);
  check(cudaMemset(p, 0, n * sizeof *p));
  return p;
}

/** Wait for the kernels and release. */
template <class T>
int done(T *p) {
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  check(cudaFree(p));
  return 0;
}

#endif
