// SPDX-License-Identifier: Apache-2.0
//
// Cases of policy_test.cc and policy16_test.cc; WG_SLOTS = warp slots of the built bench.
#include <gtest/gtest.h>

#include <algorithm>

#include "Vtop.h"
#include "model/twin/sched.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kSlots = WG_SLOTS;
constexpr unsigned kAll = (1u << kSlots) - 1u;

struct Policy {
  unsigned id;
  const char *name;
  bool conserving; /* picks whenever a slot is eligible */
};
const Policy kPolicies[] = {{kWgPolicyLrr, "lrr", true},   {kWgPolicyRr, "rr", false},
                            {kWgPolicyOld, "old", true},   {kWgPolicyGto, "gto", true},
                            {kWgPolicyTwoLevel, "twolevel", false}, {kWgPolicySwl, "swl", false},
                            {kWgPolicyCcws, "ccws", false}, {kWgPolicyGcaws, "gcaws", true},
                            {kWgPolicyGty, "gty", true}};

/* What the stimulus does, in percent a cycle. */
struct Mix {
  unsigned bind = 15, free = 5, park = 3, release = 20, eligible = 50, mem = 40, long_wait = 10, vta = 5, branch = 10;
  unsigned always = 0; /* slots that are eligible whenever they are bound and not parked */
};

class PolicyBench {
 public:
  bench::Rng rng;
  Vtop top;
  wg_sched_t twin{};
  wg_sched_in_t in{};
  Mix mix;
  unsigned contended = 0, withheld_cycles = 0, issues = 0, longest = 0, grants = 0;

  /* progress_cycles: that an eligible slot may wait before the slots that wait as long have their turns; 0: for ever */
  PolicyBench(uint64_t stream, unsigned policy, const uint32_t knob[4], unsigned progress_cycles = kWgSchedWithhold)
      : rng(stream), policy_(policy), progress_(progress_cycles) {
    top.policy_i = uint8_t(policy), top.progress_i = uint8_t(progress_ / kWgSchedStep);
    for (unsigned i = 0; i < 4; i++) top.knob_i[i] = knob_[i] = knob[i];
    reset();
  }
  void reset() {
    top.rst_ni = 0, top.init_valid_i = 0;
    top.eligible_i = uint16_t(rng.next() & kAll); /* a pick in reset must leave no trace */
    top.valid_i = uint16_t(kAll);
    for (int i = 0; i < 3; i++) edge();
    top.rst_ni = 1;
    in = {};
    launching_ = 0;
    std::fill(wait_, wait_ + kSlots, 0u);
    has_twin_ = wg_sched_reset(&twin, policy_, kSlots, knob_, progress_);
    if (!has_twin_ && policy_ != kWgPolicyExt) has_twin_ = wg_sched_reset(&twin, kWgPolicyLrr, kSlots, knob_, progress_);
  }

  void step() {
    const unsigned slot = stimulus();
    top.clk_i = 0, top.eval();
    check();
    edge();
    if (top.init_valid_i) launching_ = 1u << slot;
  }

 private:
  unsigned policy_, progress_, launching_ = 0;
  uint32_t knob_[4];
  bool has_twin_ = false;
  unsigned wait_[kSlots] = {};

  void edge() {
    top.clk_i = 0, top.eval();
    top.clk_i = 1, top.eval();
  }
  unsigned some(unsigned percent) {
    unsigned set = 0;
    for (unsigned i = 0; i < kSlots; i++) set |= unsigned(rng.chance(percent)) << i;
    return set;
  }
  unsigned stimulus() {
    if (rng.chance(mix.free)) in.valid &= uint16_t(rng.next() | mix.always);
    in.valid |= uint16_t(launching_);
    in.launched = uint16_t(launching_);
    launching_ = 0;
    in.released = uint16_t(in.parked & some(mix.release) & in.valid);
    in.parked = uint16_t((in.parked & ~in.released) & in.valid & ~in.launched);
    in.parked |= uint16_t(some(mix.park) & in.valid & ~in.launched & ~mix.always);
    in.eligible = uint16_t((some(mix.eligible) | mix.always) & in.valid & ~in.launched & ~in.parked);
    in.long_wait = uint16_t(some(mix.long_wait) & in.valid & ~in.eligible);
    in.mem = uint16_t(some(mix.mem) & in.valid);
    in.miss = rng.chance(20), in.miss_slot = uint8_t(rng.below(kSlots));
    in.vta_hit = in.valid != 0 && rng.chance(mix.vta), in.vta_slot = uint8_t(rng.below(kSlots));
    in.mshr_full = rng.chance(5), in.lsu_full = rng.chance(5);
    in.branch = rng.chance(mix.branch), in.branch_slot = uint8_t(rng.below(kSlots));
    in.branch_of = uint8_t(1 + rng.below(32)), in.branch_lanes = uint8_t(rng.below(in.branch_of + 1u));
    in.branch_insts = uint8_t(rng.next());
    drive();
    const unsigned slot = rng.below(kSlots);
    top.init_valid_i = rng.chance(mix.bind) && (in.valid >> slot & 1) == 0, top.init_slot_i = uint8_t(slot);
    top.ext_valid_i = rng.chance(70), top.ext_slot_i = uint8_t(rng.below(16));
    return slot;
  }
  void drive() {
    top.valid_i = in.valid, top.eligible_i = in.eligible;
    top.ev_i[0] = in.parked | uint32_t(in.long_wait) << 16;
    top.ev_i[1] = in.mem | uint32_t(in.launched) << 16;
    const uint64_t rest = in.released | uint64_t(in.miss) << 16 | uint64_t(in.miss_slot) << 17 |
                          uint64_t(in.vta_hit) << 21 | uint64_t(in.vta_slot) << 22 | uint64_t(in.mshr_full) << 26 |
                          uint64_t(in.lsu_full) << 27 | uint64_t(in.branch) << 28 | uint64_t(in.branch_slot) << 29 |
                          uint64_t(in.branch_lanes) << 33 | uint64_t(in.branch_of) << 39 |
                          uint64_t(in.branch_insts) << 45;
    top.ev_i[2] = uint32_t(rest), top.ev_i[3] = uint32_t(rest >> 32);
    wg_sched_in_t back = in; /* the C layout of the structure is that of the RTL, whose policies read it below */
    wg_sched_unpack(&back, &top.ev_i[0]);
    ASSERT_EQ(back.branch_insts, in.branch_insts);
    ASSERT_EQ(back.branch_slot, in.branch_slot);
    ASSERT_EQ(back.branch_lanes, in.branch_lanes);
    ASSERT_EQ(back.branch_of, in.branch_of);
    ASSERT_EQ(back.released, in.released);
    ASSERT_EQ(back.miss_slot, in.miss_slot);
  }

  void check() {
    const int got = top.pick_valid_o ? int(top.pick_slot_o) : -1;
    if (got >= 0) ASSERT_TRUE(in.eligible >> got & 1) << "a slot that is not eligible";
    ASSERT_EQ(top.withheld_o & ~in.eligible, 0u);
    if (policy_ == kWgPolicyExt) {
      const bool good = top.ext_valid_i && top.ext_slot_i < kSlots && (in.eligible >> top.ext_slot_i & 1);
      ASSERT_EQ(got, good ? int(top.ext_slot_i) : -1);
      ASSERT_EQ(top.withheld_o, 0u);
      return;
    }
    if (in.valid == 0) { /* no policy is stepped */
      ASSERT_EQ(got, -1);
      return;
    }
    const wg_sched_out_t want = wg_sched_step(&twin, &in);
    ASSERT_EQ(got, want.issue ? int(want.warp) : -1) << "eligible " << in.eligible;
    ASSERT_EQ(top.withheld_o, want.withheld) << "eligible " << in.eligible;
    contract(got);
  }

  void contract(int got) {
    for (const Policy &p : kPolicies) {
      if (p.id == policy_ && p.conserving) ASSERT_EQ(got >= 0, in.eligible != 0);
    }
    if (got < 0) ASSERT_EQ(in.eligible & ~top.withheld_o, 0) << "an idle cycle that no slot is throttled for";
    contended += (in.eligible & (in.eligible - 1)) != 0, withheld_cycles += top.withheld_o != 0, issues += got >= 0;
    for (unsigned w = 0; w < kSlots; w++) {
      if (in.launched >> w & 1) {
        wait_[w] = 0;
      } else if (got == int(w)) {
        grants += wait_[w] > kWgSchedWithhold * 3 / 4; /* of some 4,032 cycles or more, most of them eligible */
        wait_[w] = 0;
      } else if (in.eligible >> w & 1) {
        longest = std::max(longest, ++wait_[w]);
        if (progress_ != 0) ASSERT_LE(wait_[w], progress_ + kSlots) << "slot " << w << " starves";
      }
    }
  }
};

class PolicyTest : public ::testing::TestWithParam<Policy> {};

TEST_P(PolicyTest, PicksFollowTheTwinAndTheContract) {
  for (unsigned run = 0; run < 12; run++) {
    uint32_t knob[4] = {0, 0, 0, 0};
    if (run % 3 == 1) knob[0] = 1 + run % 5, knob[1] = 1000;
    if (run % 3 == 2) knob[0] = 0xfffffffe, knob[1] = 0xffffffff; /* beyond every range */
    const unsigned progress[] = {kWgSchedWithhold, 0, kWgSchedStep, 5 * kWgSchedStep};
    PolicyBench b(40 + 100 * GetParam().id + run, GetParam().id, knob, progress[run / 3]);
    for (unsigned i = 0; i < 4000; i++) {
      if (b.rng.below(900) == 0) b.reset();
      if (b.rng.below(50) == 0) b.mix.eligible = 5 + b.rng.below(90), b.mix.vta = b.rng.below(60);
      b.step();
      if (::testing::Test::HasFatalFailure()) FAIL() << GetParam().name << " run " << run << " cycle " << i;
    }
    EXPECT_GT(b.contended, 500u);
    if (GetParam().conserving) EXPECT_EQ(b.withheld_cycles, 0u);
    else if (run % 3 != 2 && run / 3 != 2) EXPECT_GT(b.withheld_cycles, 100u) << run; /* a limit of 16 withholds nothing */
  }
}

/* Slots 0 and the last one are never anything but eligible, the others seldom bound anew: whoever a policy favours, the rest
   waits; nobody waits longer than the rule allows. */
TEST_P(PolicyTest, NobodyStarves) {
  unsigned grants = 0, longest = 0;
  for (unsigned run = 0; run < 3; run++) {
    const uint32_t knob[4] = {run == 2 ? 1u : 0u, 0, 0, 0};
    PolicyBench b(7000 + 100 * GetParam().id + run, GetParam().id, knob);
    b.mix.bind = 60, b.mix.free = run == 1 ? 1 : 0, b.mix.park = 0, b.mix.eligible = 90, b.mix.vta = run == 1 ? 0 : 30;
    b.mix.long_wait = 0, b.mix.mem = 100, b.mix.branch = 2;
    b.mix.always = 1u | 1u << (kSlots - 1);
    for (unsigned i = 0; i < 45000; i++) {
      b.step();
      if (::testing::Test::HasFatalFailure()) FAIL() << GetParam().name << " run " << run << " cycle " << i;
    }
    grants += b.grants, longest = std::max(longest, b.longest);
  }
  RecordProperty("grants", int(grants));
  RecordProperty("longest", int(longest));
  /* the two rotate among all that stay eligible; the others had to be overruled */
  const bool overruled = GetParam().id != kWgPolicyLrr && GetParam().id != kWgPolicyRr;
  EXPECT_EQ(grants > 0, overruled) << "longest wait " << longest;
}

/* The same without the rule, and with a shorter wait: a slot then starves under all policies but those that go round, and for no longer
   than that. */
TEST_P(PolicyTest, StarvesWithoutTheRuleOnly) {
  const uint32_t knob[4] = {1, 0, 0, 0};
  for (unsigned progress : {0u, 4u * kWgSchedStep}) {
    PolicyBench b(9000 + 100 * GetParam().id, GetParam().id, knob, progress);
    b.mix.bind = 60, b.mix.free = 0, b.mix.park = 0, b.mix.eligible = 90, b.mix.vta = 30;
    b.mix.long_wait = 0, b.mix.mem = 100, b.mix.branch = 2;
    b.mix.always = 1u | 1u << (kSlots - 1);
    for (unsigned i = 0; i < 12000; i++) {
      b.step();
      if (::testing::Test::HasFatalFailure()) FAIL() << GetParam().name << " progress " << progress << " cycle " << i;
    }
    if (GetParam().id == kWgPolicyCcws) continue; /* its scores fade: whom it withholds comes back */
    const bool round = GetParam().id == kWgPolicyLrr || GetParam().id == kWgPolicyRr;
    if (progress == 0) EXPECT_EQ(b.longest > 2 * kWgSchedWithhold, !round) << b.longest;
    else EXPECT_EQ(b.longest > progress - kWgSchedStep, !round) << b.longest;
  }
}

INSTANTIATE_TEST_SUITE_P(All, PolicyTest, ::testing::ValuesIn(kPolicies),
                         [](const ::testing::TestParamInfo<Policy> &i) { return std::string(i.param.name); });

TEST(WarpSched, ThePickPortAndUnknownPolicies) {
  const uint32_t knob[4] = {0, 0, 0, 0};
  for (unsigned policy : {unsigned(kWgPolicyExt), 12u}) { /* 12: acts as lrr */
    PolicyBench b(3 + policy, policy, knob);
    for (unsigned i = 0; i < 20000; i++) {
      b.step();
      if (::testing::Test::HasFatalFailure()) FAIL() << "policy " << policy << " cycle " << i;
    }
  }
}

TEST(WarpSched, AgesAreTheOrderOfBinding) {
  const uint32_t knob[4] = {0, 0, 0, 0};
  PolicyBench b(9, kWgPolicyGto, knob);
  for (unsigned i = 0; i < 3000; i++) {
    b.step();
    const unsigned known = b.in.valid; /* a slot bound at the last edge has its age in the twin a cycle later */
    for (unsigned x = 0; x < kSlots; x++) {
      for (unsigned y = 0; y < kSlots; y++) {
        if (x == y || !(known >> x & 1) || !(known >> y & 1)) continue;
        const unsigned bit = x * kSlots + y;
#if WG_SLOTS == 8
        const unsigned older = unsigned(b.top.older_o >> bit & 1);
#else
        const unsigned older = b.top.older_o[bit / 32] >> (bit % 32) & 1;
#endif
        ASSERT_EQ(older, unsigned(b.twin.age[y] < b.twin.age[x])) << x << " " << y;
      }
    }
  }
}

}  // namespace
