// SPDX-License-Identifier: Apache-2.0
//
// Fields of wide ports in the memory benches.
#ifndef WG_TESTBENCH_RTL_MEM_WIDE_H
#define WG_TESTBENCH_RTL_MEM_WIDE_H

#include <cstdint>

#include "testbench/rtl/exec/exec_bench.h"

namespace mem {

/** Bits [at, at + width) of a port of more than 64 bits; width 1..64. */
template <class Wide>
uint64_t take(const Wide &w, unsigned at, unsigned width) {
  uint64_t v = 0;
  for (unsigned i = 0; i < width; i++) v |= uint64_t(w[(at + i) / 32] >> ((at + i) % 32) & 1u) << i;
  return v;
}
template <class Wide>
void put(Wide &w, unsigned at, unsigned width, uint64_t v) {
  for (unsigned i = 0; i < width; i++) {
    const uint32_t bit = 1u << ((at + i) % 32);
    w[(at + i) / 32] = (w[(at + i) / 32] & ~bit) | ((v >> i & 1u) != 0 ? bit : 0u);
  }
}

}  // namespace mem
#endif
