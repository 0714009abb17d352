// SPDX-License-Identifier: Apache-2.0
//
// The run-time library as a program sees it: build/lib/libcudart.so, opened at run time, and a registered image.
#ifndef WG_TESTBENCH_RUNTIME_RT_FIXTURE_H
#define WG_TESTBENCH_RUNTIME_RT_FIXTURE_H

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "runtime/include/cuda_runtime_api.h"

namespace wgtest {

/** A function of the library by name; stops the test program if the library or the name is missing. */
template <class F>
F *Sym(const char *name) {
  static void *lib = [] {
    setenv("WARPGLASS", "preset=tiny backend=func", 0);
    void *l = dlopen("build/lib/libcudart.so", RTLD_NOW | RTLD_GLOBAL);
    if (l == nullptr) {
      fprintf(stderr, "%s (run from the root of the tree, after make build)\n", dlerror());
      _exit(1);
    }
    return l;
  }();
  void *p = dlsym(lib, name);
  if (p == nullptr) {
    fprintf(stderr, "%s\n", dlerror());
    _exit(1);
  }
  return reinterpret_cast<F *>(p);
}

#define RT(NAME) (wgtest::Sym<decltype(NAME)>(#NAME))

/** Host addresses that stand for the kernels and the variable of the image. */
extern char fill_stub, table_stub, addend_stub, unknown_stub;

/** Registers the image once: fill(int *p, int v): p[i] = v + i; table(int *p): p[i] = addend[1]; addend: 4 ints. */
void RegisterImage();

/** Launches fill. */
cudaError_t Fill(void *p, int value, unsigned grid, unsigned block, size_t shared = 0, cudaStream_t stream = nullptr);

}  // namespace wgtest
#endif
