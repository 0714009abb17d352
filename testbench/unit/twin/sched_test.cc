// SPDX-License-Identifier: Apache-2.0
//
// Scheduler twins: the contract of every policy, and each policy against its own words. That the RTL does the same
// in every cycle: testbench/rtl/sched/policy_cases.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>
#include <vector>

#include "model/twin/sched.h"
#include "model/twin/vta.h"

namespace {

constexpr uint32_t kNoKnobs[4] = {0, 0, 0, 0};

uint16_t Bit(unsigned w) { return static_cast<uint16_t>(1u << w); }

/** A scheduler with slots 0..n-1 bound in this order. */
struct Sched {
  wg_sched_t s;
  wg_sched_in_t in{};
  Sched(unsigned policy, unsigned slots, const std::vector<uint32_t> &knobs = {}, uint32_t progress_cycles = kWgSchedWithhold) {
    uint32_t knob[4] = {0, 0, 0, 0};
    std::copy(knobs.begin(), knobs.end(), knob);
    EXPECT_TRUE(wg_sched_reset(&s, policy, slots, knob, progress_cycles));
    for (unsigned w = 0; w < slots; w++) Bind(w);
  }
  void Bind(unsigned w) {
    in.valid |= Bit(w);
    in.launched = Bit(w);
    in.eligible = 0;
    wg_sched_step(&s, &in);
    in.launched = 0;
  }
  /** @return slot, or -1 */
  int Step(unsigned eligible) {
    in.eligible = static_cast<uint16_t>(eligible);
    out = wg_sched_step(&s, &in);
    return out.issue ? out.warp : -1;
  }
  wg_sched_out_t out{};
};

class SchedContract : public ::testing::TestWithParam<unsigned> {};

TEST_P(SchedContract, PicksOnlyEligibleAndWithholdsTheRest) {
  const bool conserving = GetParam() == kWgPolicyLrr || GetParam() == kWgPolicyOld || GetParam() == kWgPolicyGto ||
                          GetParam() == kWgPolicyGcaws || GetParam() == kWgPolicyGty;
  for (unsigned slots : {1u, 2u, 8u, 16u}) {
    Sched t(GetParam(), slots);
    std::mt19937 rng(slots);
    for (int i = 0; i < 5000; i++) {
      t.in.parked = static_cast<uint16_t>(rng() & rng() & rng() & t.in.valid);
      t.in.mem = static_cast<uint16_t>(rng() & t.in.valid);
      t.in.vta_hit = rng() % 4 == 0;
      t.in.vta_slot = static_cast<uint8_t>(rng() % slots);
      int w = t.Step(rng() & rng() & t.in.valid & ~t.in.parked);
      if (w >= 0) ASSERT_TRUE(t.in.eligible >> w & 1);
      if (conserving) ASSERT_EQ(w >= 0, t.in.eligible != 0);
      if (w < 0) ASSERT_EQ(t.in.eligible & ~t.out.withheld, 0);
      ASSERT_EQ(t.out.withheld & ~t.in.eligible, 0);
      if (conserving) ASSERT_EQ(t.out.withheld, 0);
    }
  }
}

// One slot is never in favour: it waits 4,096 cycles in which it is eligible, then has 64 issues, and again.
TEST_P(SchedContract, ProgressRule) {
  Sched t(GetParam(), 8, {1, 1});
  std::vector<unsigned> issues(8, 0);
  unsigned longest = 0, wait[8] = {0};
  for (int i = 0; i < 60000; i++) {
    t.in.mem = 0xff;
    t.in.vta_hit = true;  // ccws: slot 0 loses its lines all the time
    t.in.vta_slot = 0;
    int w = t.Step(0xff);
    for (unsigned k = 0; k < 8; k++) {
      wait[k] = w == static_cast<int>(k) ? 0 : wait[k] + 1;
      longest = std::max(longest, wait[k]);
    }
    if (w >= 0) issues[static_cast<unsigned>(w)]++;
  }
  EXPECT_LE(longest, kWgSchedWithhold + 8u);
  for (unsigned n : issues) EXPECT_GE(n, 60000u / (kWgSchedWithhold + 8u * kWgSchedGrant) * kWgSchedGrant);
}

INSTANTIATE_TEST_SUITE_P(All, SchedContract,
                         ::testing::Values(kWgPolicyLrr, kWgPolicyRr, kWgPolicyOld, kWgPolicyGto, kWgPolicyTwoLevel,
                                           kWgPolicySwl, kWgPolicyCcws, kWgPolicyGcaws, kWgPolicyGty));

TEST(Sched, UnknownPolicyIsRefused) {
  wg_sched_t s;
  EXPECT_FALSE(wg_sched_reset(&s, kWgPolicyExt, 8, kNoKnobs, kWgSchedWithhold));
}

// Two slots that are always eligible under oldest first: the grants in detail.
TEST(Sched, GrantIsSixtyFourIssues) {
  Sched t(kWgPolicyOld, 2);
  auto until_granted = [&t] {
    unsigned n = 0;
    while (n <= kWgSchedWithhold && t.Step(3) == 0) n++;
    return n;
  };
  for (unsigned round = 0; round < 3; round++) {
    unsigned n = until_granted();
    ASSERT_LE(n, unsigned{kWgSchedWithhold}) << round;
    ASSERT_GT(n, kWgSchedWithhold - 64u) << round;
    for (unsigned i = 1; i < kWgSchedGrant; i++) {
      if (i == 10) ASSERT_EQ(t.Step(1), 0);  // while the granted slot is not eligible, others go
      ASSERT_EQ(t.Step(3), 1) << round << " " << i;
    }
  }
  // the time goes on while the slot is not eligible; a new warp begins anew
  for (unsigned i = 0; i < kWgSchedWithhold - 64u; i++) ASSERT_EQ(t.Step(i == 0 ? 3 : 1), 0);
  t.Bind(1);
  unsigned n = until_granted();
  ASSERT_GT(n, kWgSchedWithhold - 64u);
  ASSERT_LE(n, unsigned{kWgSchedWithhold});
}

// The wait is a launch's choice; without the rule a younger slot never has a turn under oldest first.
TEST(Sched, WaitOfALaunch) {
  for (uint32_t cycles : {uint32_t{kWgSchedStep}, 7u * kWgSchedStep, uint32_t{kWgSchedWithhold}}) {
    Sched t(kWgPolicyOld, 2, {}, cycles);
    for (unsigned round = 0; round < 3; round++) {
      unsigned n = 0;
      while (n <= cycles && t.Step(3) == 0) n++;
      ASSERT_LE(n, cycles) << cycles;
      ASSERT_GT(n + kWgSchedStep, cycles) << cycles;
      for (unsigned i = 1; i < kWgSchedGrant; i++) ASSERT_EQ(t.Step(3), 1) << cycles << " " << i;
    }
  }
  Sched t(kWgPolicyOld, 2, {}, 0);
  for (unsigned i = 0; i < 20000; i++) ASSERT_EQ(t.Step(3), 0) << i;
  ASSERT_EQ(t.Step(2), 1);
}

// Round robin as a queue: whoever was issued goes to its end, with all that stood before it.
TEST(Sched, LrrAgainstQueue) {
  Sched t(kWgPolicyLrr, 8);
  std::vector<unsigned> queue = {0, 1, 2, 3, 4, 5, 6, 7};
  std::mt19937 rng(1);
  unsigned wait[8] = {0};
  for (int i = 0; i < 20000; i++) {
    int got = t.Step(i % 500 < 250 ? 0xff : rng() & 0xff);
    auto it = std::find_if(queue.begin(), queue.end(), [&](unsigned w) { return t.in.eligible >> w & 1; });
    ASSERT_EQ(got >= 0, it != queue.end());
    if (got < 0) continue;
    ASSERT_EQ(got, static_cast<int>(*it));
    std::rotate(queue.begin(), it + 1, queue.end());
    for (unsigned w = 0; w < 8; w++) {
      wait[w] = static_cast<int>(w) == got || !(t.in.eligible >> w & 1) ? 0 : wait[w] + 1;
      ASSERT_LT(wait[w], 8u);  // an always eligible warp waits for the others at most
    }
  }
}

TEST(Sched, StrictRoundRobinWaitsForTheTurn) {
  Sched t(kWgPolicyRr, 4);
  EXPECT_EQ(t.Step(0xf), 0);
  EXPECT_EQ(t.Step(0xd), -1);  // slot 1 is not ready: the cycle is lost
  EXPECT_EQ(t.out.withheld, 0xd);
  EXPECT_EQ(t.Step(0xf), 1);
  t.in.parked = 4;  // slot 2 waits at a barrier: it has no turn
  EXPECT_EQ(t.Step(0x9), 3);
  t.in.parked = 0;
  EXPECT_EQ(t.Step(0xf), 0);
  t.in.valid = 0xd;  // slot 1 is empty
  EXPECT_EQ(t.Step(0xd), 2);
}

// Greedy, then oldest (or youngest; or oldest without greed) with warps coming and going: a list in order of launch.
void AgainstList(unsigned policy, bool greedy_policy, bool youngest) {
  wg_sched_t s;
  ASSERT_TRUE(wg_sched_reset(&s, policy, 16, kNoKnobs, kWgSchedWithhold));
  std::list<unsigned> order;
  int greedy = -1;
  std::mt19937 rng(9);
  unsigned stayed = 0, moved = 0;
  for (int i = 0; i < 50000; i++) {
    wg_sched_in_t in{};
    if (rng() % 16 == 0) {
      unsigned w = rng() % 16;
      auto it = std::find(order.begin(), order.end(), w);
      if (it == order.end()) {
        order.push_back(w);
        in.launched = Bit(w);
      } else {
        order.erase(it);  // the greedy slot stays greedy
      }
    }
    for (unsigned w : order) in.valid |= Bit(w);
    in.eligible = static_cast<uint16_t>(in.valid & (rng() | rng()) & ~in.launched);
    wg_sched_out_t o = wg_sched_step(&s, &in);
    ASSERT_EQ(o.issue, in.eligible != 0);
    if (!o.issue) continue;
    unsigned want = 99;
    if (greedy_policy && greedy >= 0 && in.eligible >> greedy & 1) {
      want = static_cast<unsigned>(greedy);
    } else {
      for (unsigned w : order)
        if ((want == 99 || youngest) && in.eligible >> w & 1) want = w;
    }
    ASSERT_EQ(o.warp, want);
    (greedy == static_cast<int>(want) ? stayed : moved)++;
    greedy = static_cast<int>(want);
  }
  EXPECT_GT(stayed, 1000u);
  EXPECT_GT(moved, 1000u);
}
TEST(Sched, GtoAgainstList) { AgainstList(kWgPolicyGto, true, false); }
TEST(Sched, GtyAgainstList) { AgainstList(kWgPolicyGty, true, true); }
TEST(Sched, OldAgainstList) { AgainstList(kWgPolicyOld, false, false); }

TEST(Sched, SwlLimitsTheRunningWarps) {
  Sched t(kWgPolicySwl, 8, {2});
  EXPECT_EQ(t.Step(0xff), 0);
  EXPECT_EQ(t.out.withheld, 0xfc);
  EXPECT_EQ(t.Step(0xfe), 1);
  EXPECT_EQ(t.Step(0xfc), -1);  // both that may are stalled
  EXPECT_EQ(t.out.withheld, 0xfc);
  t.in.parked = 1;  // at a barrier: it does not count
  EXPECT_EQ(t.Step(0xfc), 2);
  EXPECT_EQ(t.Step(0xfe), 2);  // greedy
  t.in.parked = 0;
  EXPECT_EQ(t.Step(0xfe), 1);
  EXPECT_EQ(Sched(kWgPolicySwl, 8).Step(0xf0), -1);
  EXPECT_EQ(Sched(kWgPolicySwl, 8).Step(0xf8), 3);  // the default: 4
  EXPECT_EQ(Sched(kWgPolicySwl, 8, {8}).Step(0x80), 7);
}

TEST(Sched, TwoLevelSwapsWarpsThatWaitForMemory) {
  Sched t(kWgPolicyTwoLevel, 8, {3});
  for (int i = 0; i < 3; i++) t.Step(0);  // slots 0, 1, 2 have entered when they were bound
  EXPECT_EQ(t.Step(0xf8), -1);
  EXPECT_EQ(t.out.withheld, 0xf8);
  EXPECT_EQ(t.Step(0xff), 0);
  EXPECT_EQ(t.Step(0xff), 1);
  EXPECT_EQ(t.Step(0xff), 2);
  EXPECT_EQ(t.Step(0xff), 0);
  t.in.long_wait = 2;  // slot 1 leaves, slot 3 takes its place in the next cycle
  EXPECT_EQ(t.Step(0xfd), 2);
  EXPECT_EQ(t.Step(0xfc), 3);
  t.in.long_wait = 0;  // slot 1 waits until there is room
  EXPECT_EQ(t.Step(0xff), 0);
  EXPECT_EQ(t.Step(0x02), -1);
  EXPECT_EQ(t.out.withheld, 0x02);
  t.in.parked = 8;  // slot 3 is at a barrier; the next in turn is slot 4
  t.Step(0);
  EXPECT_EQ(t.Step(0x12), 4);
}

TEST(Sched, CcwsWithholdsLoadsOfTheLowestScores) {
  Sched t(kWgPolicyCcws, 4, {100, 150});
  t.in.mem = 0xf;
  EXPECT_EQ(t.Step(0xf), 0);
  EXPECT_EQ(t.out.withheld, 0);
  t.in.vta_hit = true;  // slot 3 lost a line: stack 250 + 100 + 100, then slot 2 begins at 450 of 400
  t.in.vta_slot = 3;
  t.Step(0);
  t.in.vta_hit = false;
  t.Step(0);
  EXPECT_EQ(t.Step(0xc), 3);
  EXPECT_EQ(t.out.withheld, 4);
  t.in.mem = 0xb;
  EXPECT_EQ(t.Step(0x4), 2);  // anything but memory instructions may go
  t.in.mem = 0xf;
  t.in.parked = 2;  // slot 1 at a barrier: 250 + 100, then slot 2 begins at 350 of 300
  t.Step(0);
  EXPECT_EQ(t.Step(0x4), -1);
  t.in.parked = 0;
  t.Step(0);
  unsigned cycles = 0;
  while (t.Step(0x4) < 0 && cycles < 200) cycles++;
  EXPECT_GT(cycles, 20u);  // the score falls by one a cycle: 450 is below 400 after 50 cycles
  EXPECT_LT(cycles, 60u);
}

TEST(Sched, GcawsPrefersTheLongerWay) {
  Sched t(kWgPolicyGcaws, 4, {10});
  EXPECT_EQ(t.Step(0xf), 0);  // bound first: has waited longest
  EXPECT_EQ(t.Step(0xf), 0);  // greedy
  t.in.branch = true;         // slot 2 has a loop body of 50 instructions before it
  t.in.branch_slot = 2;
  t.in.branch_insts = 50;
  EXPECT_EQ(t.Step(0xf), 0);
  t.in.branch = false;
  EXPECT_EQ(t.Step(0xe), 2);
  for (int i = 0; i < 49; i++) EXPECT_EQ(t.Step(0xe), 2);
  EXPECT_EQ(t.Step(0xb & ~4u), 1);  // it has issued them: the longest wait counts again
}

TEST(Vta, EightLinesASetAndTheOldestGoesFirst) {
  wg_vta_t v;
  wg_vta_reset(&v);
  wg_vta_fill(&v, 5, 0, false, 0);
  for (uint64_t line = 0; line < 40; line++) {
    wg_vta_fill(&v, 5, 0, true, line);
    for (uint64_t l = 0; l < 40; l++) ASSERT_EQ(wg_vta_miss(&v, 5, l), l <= line && l + 16 > line) << line << " " << l;
    ASSERT_FALSE(wg_vta_miss(&v, 6, line));
  }
  wg_vta_fill(&v, 6, 0, true, 24);  // lost again: it is the youngest now
  wg_vta_fill(&v, 5, 1, false, 0);
  wg_vta_fill(&v, 5, 1, true, 40);
  EXPECT_TRUE(wg_vta_miss(&v, 5, 24));
  EXPECT_FALSE(wg_vta_miss(&v, 5, 26));
  wg_vta_bind(&v, 5);
  EXPECT_FALSE(wg_vta_miss(&v, 5, 40));
}

}  // namespace
