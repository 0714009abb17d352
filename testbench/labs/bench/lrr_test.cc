// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_lrr for lab 7.
// bench: dir sched
// bench: top sm_sched_lrr -GWarpSlots=8
#include "testbench/labs/bench/sched_lab.h"

namespace {
unsigned order(const Seen &s, unsigned eligible) {
  for (unsigned k = 1; k <= kSlots; k++) {
    const unsigned slot = s.any ? (s.last + k) % kSlots : k - 1;
    if (eligible >> slot & 1) return slot;
  }
  return 0;
}
}  // namespace
