// SPDX-License-Identifier: Apache-2.0
//
// A scheduler of the student's own for lab 7: two of them side by side where it must not matter what one of them has
// seen.
// bench: dir sched
// bench: top sm_sched_own -GWarpSlots=8
#include "testbench/labs/bench/sched_any.h"

namespace {

/** Inputs of one cycle that both modules get. */
struct Cycle {
  unsigned eligible, valid;
  uint64_t older;
  uint32_t ev[4];
  int other; /* slot that issues instead of the pick; -1: the pick issues */
};

class Two {
 public:
  bench::Rng rng;
  Sched a, b;

  explicit Two(unsigned stream) : rng(stream), a(stream), b(stream + 1) {}

  Cycle next() {
    Cycle c;
    c.eligible = a.some(), c.valid = c.eligible | rng.below(256);
    if (rng.chance(3)) a.shuffle();
    a.ages(), c.older = a.top.older_i;
    for (uint32_t &w : c.ev) w = uint32_t(rng.next());
    c.ev[0] = rng.chance(80) ? c.ev[0] & ~0xffff0000u : c.ev[0];   /* long waits and parked slots change seldom */
    if (!rng.chance(5)) c.ev[1] &= 0x0000ffffu, c.ev[2] &= 0xffff0000u;
    c.other = rng.chance(20) ? int(rng.below(kSlots)) : -1;
    return c;
  }
  /** The pick of one of them in this cycle, -1: none; the cycle does not end. */
  static int pick(Sched &s, const Cycle &c) {
    s.top.eligible_i = uint8_t(c.eligible), s.top.valid_i = uint8_t(c.valid), s.top.older_i = c.older;
    for (unsigned i = 0; i < 4; i++) s.top.ev_i[i] = c.ev[i];
    s.top.clk_i = 0, s.top.eval();
    return s.top.pick_valid_o ? int(s.top.pick_slot_o) : -1;
  }
};

TEST(OwnLab, AnyIssueIsFollowed) {
  Two t(21);
  for (unsigned i = 0; i < 6000; i++) {
    const Cycle c = t.next();
    const int got = Two::pick(t.a, c);
    ASSERT_EQ(got >= 0, c.eligible != 0) << "eligible " << slot_set(c.eligible) << ", cycle " << i;
    if (got >= 0) ASSERT_TRUE(c.eligible >> got & 1) << "slot " << got << " of the eligible ones "
        << slot_set(c.eligible) << ", cycle " << i;
    ASSERT_HEX_EQ(t.a.top.withheld_o, uint8_t(0)) << "it throttles nobody, cycle " << i;
    t.a.issue(t.rng.chance(40) ? int(t.rng.below(kSlots)) : t.rng.chance(30) ? -1 : got);
  }
}

TEST(OwnLab, NoWayFromIssueToPick) {
  Two t(22);
  for (unsigned i = 0; i < 3000; i++) {
    const Cycle c = t.next();
    t.a.top.issue_valid_i = 0;
    const int without = Two::pick(t.a, c);
    for (unsigned slot = 0; slot < kSlots; slot++) {
      t.a.top.issue_valid_i = 1, t.a.top.issue_slot_i = uint8_t(slot), t.a.top.eval();
      const int got = t.a.top.pick_valid_o ? int(t.a.top.pick_slot_o) : -1;
      ASSERT_EQ(got, without) << "while slot " << slot << " issues, cycle " << i;
    }
    t.a.issue(c.other >= 0 ? c.other : without);
  }
}

TEST(OwnLab, ResetForgets) {
  Two t(23);
  for (unsigned round = 0; round < 40; round++) {
    for (unsigned i = 0; i < 50 * round; i++) {   /* only a has a past */
      const Cycle c = t.next();
      const int got = Two::pick(t.a, c);
      t.a.issue(c.other >= 0 ? c.other : got);
    }
    t.a.reset(), t.b.reset();
    for (unsigned i = 0; i < 100; i++) {
      const Cycle c = t.next();
      const int got = Two::pick(t.a, c), want = Two::pick(t.b, c);
      ASSERT_EQ(got, want) << "eligible " << slot_set(c.eligible) << ", " << i << " cycles after a reset";
      t.a.issue(c.other >= 0 ? c.other : got), t.b.issue(c.other >= 0 ? c.other : got);
    }
  }
}

TEST(OwnLab, OffIsOff) {   /* a has cycles with en_i low in between, b has not */
  Two t(24);
  for (unsigned i = 0; i < 6000; i++) {
    const Cycle c = t.next();
    t.a.top.en_i = t.rng.chance(60);
    const int got = Two::pick(t.a, c);
    if (!t.a.top.en_i) {
      ASSERT_EQ(got, -1) << "en_i is low; eligible " << slot_set(c.eligible) << ", cycle " << i;
      t.a.issue(int(t.rng.below(kSlots)));
      continue;
    }
    const int want = Two::pick(t.b, c);
    ASSERT_EQ(got, want) << "eligible " << slot_set(c.eligible) << ", cycle " << i
        << ": as if there had been no cycles with en_i low";
    t.a.issue(c.other >= 0 ? c.other : got), t.b.issue(c.other >= 0 ? c.other : got);
  }
}

}  // namespace
