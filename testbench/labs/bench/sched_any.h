// SPDX-License-Identifier: Apache-2.0
//
// A scheduling policy of rtl/sched alone (8 slots), for lab 7: what every policy owes.
#ifndef WG_TESTBENCH_LABS_SCHED_ANY_H
#define WG_TESTBENCH_LABS_SCHED_ANY_H

#include <gtest/gtest.h>

#include <algorithm>

#include "Vtop.h"
#include "testbench/rtl/exec/bench_text.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kSlots = 8, kAll = 255;

/** A set of slots: bit i is slot i. */
inline std::string slot_set(unsigned slots) { return bench::hex(slots, 2); }

/** What a policy may know of the past. */
struct Seen {
  bool any = false;    /* has a slot issued since reset? */
  unsigned last = 0;   /* which one did so last */
  unsigned rank[kSlots] = {0, 1, 2, 3, 4, 5, 6, 7}; /* age: 0 is the oldest slot */
};

class Sched {
 public:
  bench::Rng rng;
  Vtop top;
  Seen seen;

  explicit Sched(unsigned stream) : rng(stream) {
    for (unsigned i = 0; i < 4; i++) top.knob_i[i] = 0, top.ev_i[i] = 0;
    reset();
  }
  void edge() { top.clk_i = 0, top.eval(), top.clk_i = 1, top.eval(); }
  void reset() {
    top.rst_ni = 0, top.en_i = 1, top.issue_valid_i = 1, top.issue_slot_i = 5, top.eligible_i = kAll, top.valid_i = kAll;
    edge(), edge();
    top.rst_ni = 1, top.issue_valid_i = 0;
    seen.any = false;
  }
  void ages() {
    uint64_t older = 0;
    for (unsigned i = 0; i < kSlots; i++) {
      for (unsigned j = 0; j < kSlots; j++) older |= uint64_t(seen.rank[j] < seen.rank[i]) << (i * kSlots + j);
    }
    top.older_i = older;
  }
  /** The pick among `eligible`, -1: none. */
  int pick(unsigned eligible) {
    top.eligible_i = uint8_t(eligible), top.valid_i = uint8_t(eligible | rng.below(256));
    ages();
    for (unsigned i = 0; i < 3; i++) top.ev_i[i] = uint32_t(rng.next());
    top.clk_i = 0, top.eval();
    return top.pick_valid_o ? int(top.pick_slot_o) : -1;
  }
  /** The cycle ends; `slot` issued (-1: none). */
  void issue(int slot) {
    top.issue_valid_i = slot >= 0, top.issue_slot_i = uint8_t(slot >= 0 ? slot : 0);
    edge();
    if (slot >= 0 && top.en_i) seen.any = true, seen.last = unsigned(slot);
    top.issue_valid_i = 0;
  }
  unsigned some() {
    const unsigned percent = 10 + rng.below(90);
    unsigned set = 0;
    for (unsigned i = 0; i < kSlots; i++) set |= unsigned(rng.chance(percent)) << i;
    return set;
  }
  void shuffle() {
    for (unsigned i = kSlots - 1; i > 0; i--) std::swap(seen.rank[i], seen.rank[rng.below(i + 1)]);
  }
};

TEST(SchedLab, PicksOneThatIsEligible) {
  Sched s(1);
  unsigned chances = 0, picks = 0;
  for (unsigned i = 0; i < 4000; i++) {
    const unsigned e = s.some();
    const int got = s.pick(e);
    chances += e != 0, picks += got >= 0;
    if (got >= 0) ASSERT_TRUE(e >> got & 1) << "slot " << got << " of the eligible ones " << slot_set(e)
        << ", cycle " << i;
    ASSERT_HEX_EQ(s.top.withheld_o, uint8_t(0)) << "it throttles nobody";
    s.issue(got);
    if (s.rng.chance(5)) s.shuffle();
  }
  ASSERT_GE(picks, chances / 4) << "it picks in " << picks << " of " << chances << " cycles in which a slot is eligible";
}

TEST(SchedLab, PicksWheneverOneIsEligible) {
  Sched s(2);
  for (unsigned i = 0; i < 4000; i++) {
    const unsigned e = s.some();
    const int got = s.pick(e);
    ASSERT_EQ(got >= 0, e != 0) << "eligible " << slot_set(e) << ", cycle " << i;
    s.issue(got);
  }
}

}  // namespace

#endif
