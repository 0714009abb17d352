// SPDX-License-Identifier: Apache-2.0
//
// Scheduler twins: the contract of every policy, and each policy against its own words.
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>
#include <vector>

#include "model/twin/sched.h"

namespace {

class SchedContract : public ::testing::TestWithParam<unsigned> {};

TEST_P(SchedContract, PicksOnlyEligibleAndWheneverOneIs) {
  const uint32_t knob[4] = {0};
  for (unsigned slots : {1u, 2u, 8u, 16u}) {
    wg_sched_t s;
    ASSERT_TRUE(wg_sched_reset(&s, GetParam(), slots, knob));
    for (unsigned w = 0; w < slots; w++) wg_sched_launch(&s, w);
    std::mt19937 rng(slots);
    for (int i = 0; i < 5000; i++) {
      uint16_t all = static_cast<uint16_t>((1u << slots) - 1);
      wg_sched_in_t in = {all, static_cast<uint16_t>(rng() & rng() & all)};
      wg_sched_out_t o = wg_sched_step(&s, &in);
      ASSERT_EQ(o.issue, in.eligible != 0);
      if (o.issue) ASSERT_TRUE(in.eligible >> o.warp & 1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SchedContract, ::testing::Values(kWgPolicyLrr, kWgPolicyGto));

TEST(Sched, UnknownPolicyIsRefused) {
  wg_sched_t s;
  const uint32_t knob[4] = {0};
  EXPECT_FALSE(wg_sched_reset(&s, kWgPolicyExt, 8, knob));
}

// Round robin as a queue: whoever was issued goes to its end, with all that stood before it.
TEST(Sched, LrrAgainstQueue) {
  wg_sched_t s;
  const uint32_t knob[4] = {0};
  ASSERT_TRUE(wg_sched_reset(&s, kWgPolicyLrr, 8, knob));
  std::vector<unsigned> queue = {0, 1, 2, 3, 4, 5, 6, 7};
  std::mt19937 rng(1);
  unsigned wait[8] = {0};
  for (int i = 0; i < 20000; i++) {
    wg_sched_in_t in = {0xff, static_cast<uint16_t>(i % 500 < 250 ? 0xff : rng() & 0xff)};
    wg_sched_out_t o = wg_sched_step(&s, &in);
    auto it = std::find_if(queue.begin(), queue.end(), [&](unsigned w) { return in.eligible >> w & 1; });
    ASSERT_EQ(o.issue, it != queue.end());
    if (!o.issue) continue;
    ASSERT_EQ(o.warp, *it);
    std::rotate(queue.begin(), it + 1, queue.end());
    for (unsigned w = 0; w < 8; w++) {
      wait[w] = w == o.warp || !(in.eligible >> w & 1) ? 0 : wait[w] + 1;
      ASSERT_LT(wait[w], 8u);  // an always eligible warp waits for the others at most
    }
  }
}

// Greedy then oldest with warps coming and going: a list in order of launch.
TEST(Sched, GtoAgainstList) {
  wg_sched_t s;
  const uint32_t knob[4] = {0};
  ASSERT_TRUE(wg_sched_reset(&s, kWgPolicyGto, 16, knob));
  std::list<unsigned> order;
  int greedy = -1;
  std::mt19937 rng(9);
  unsigned stayed = 0, moved = 0;
  for (int i = 0; i < 50000; i++) {
    if (rng() % 16 == 0) {
      unsigned w = rng() % 16;
      auto it = std::find(order.begin(), order.end(), w);
      if (it == order.end()) {
        order.push_back(w);
        wg_sched_launch(&s, w);
      } else {
        order.erase(it);  // the greedy slot stays greedy
      }
    }
    uint16_t valid = 0;
    for (unsigned w : order) valid |= static_cast<uint16_t>(1u << w);
    wg_sched_in_t in = {valid, static_cast<uint16_t>(valid & (rng() | rng()))};
    wg_sched_out_t o = wg_sched_step(&s, &in);
    ASSERT_EQ(o.issue, in.eligible != 0);
    if (!o.issue) continue;
    unsigned want = 99;
    if (greedy >= 0 && in.eligible >> greedy & 1) want = static_cast<unsigned>(greedy);
    for (unsigned w : order)
      if (want == 99 && in.eligible >> w & 1) want = w;
    ASSERT_EQ(o.warp, want);
    (greedy == static_cast<int>(want) ? stayed : moved)++;
    greedy = static_cast<int>(want);
  }
  EXPECT_GT(stayed, 1000u);
  EXPECT_GT(moved, 1000u);
}

}  // namespace
