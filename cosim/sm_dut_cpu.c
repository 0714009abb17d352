// SPDX-License-Identifier: Apache-2.0
//
// What the SM library asks of the processor: it is compiled for the machine that builds it (scripts/verilate.sh), and a sweep on
// several machines, or a copied tree, may load it on another. Compiled for any x86-64; WG_NEEDS lists the extensions of the build,
// as the compiler names them: X(avx2) X(avx512f).
#include "cosim/sm_dut.h"

#include <stddef.h>

__attribute__((visibility("default"))) const char *sm_dut_lacks(void);

const char *sm_dut_lacks(void) {
#if defined(__x86_64__) && defined(WG_NEEDS)
  __builtin_cpu_init();
#define X(name) \
  if (!__builtin_cpu_supports(#name)) return #name;
  WG_NEEDS
#undef X
#endif
  return NULL;
}
