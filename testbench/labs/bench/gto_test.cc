// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_gto for lab 7.
// bench: dir sched
// bench: top sm_sched_gto -GWarpSlots=8
#include "testbench/labs/bench/sched_lab.h"

namespace {
unsigned order(const Seen &s, unsigned eligible) {
  if (s.any && (eligible >> s.last & 1)) return s.last;
  unsigned best = kSlots;
  for (unsigned i = 0; i < kSlots; i++) {
    if ((eligible >> i & 1) && (best == kSlots || s.rank[i] < s.rank[best])) best = i;
  }
  return best;
}
}  // namespace
