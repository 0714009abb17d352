// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_lrr, sm_sched_gto and sm_warp_sched against their twins (model/twin/sched*): random bindings, eligible slots,
// resets and, for the policies alone, cycles in which they are off or their pick is not issued.
// bench: top policy_bench -GWarpSlots=8
// bench: link model/twin/sched.c model/twin/sched_lrr.c model/twin/sched_gto.c
#include <gtest/gtest.h>

#include "Vtop.h"
#include "model/twin/sched.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kSlots = 8;
constexpr uint32_t kKnobs[4] = {0, 0, 0, 0};

class PolicyBench {
 public:
  bench::Rng rng;
  Vtop top;
  wg_sched_t chosen{}, lrr{}, gto{};
  unsigned valid = 0, eligible_percent = 50, checked = 0;

  PolicyBench(uint64_t stream, unsigned policy) : rng(stream), policy_(policy) {
    top.policy_i = uint8_t(policy);
    reset();
  }
  void reset() {
    top.rst_ni = 0, top.init_valid_i = 0;
    top.eligible_i = uint8_t(rng.next()); /* a pick in reset must leave no trace */
    top.en_i = 1, top.issued_i = 1;
    for (int i = 0; i < 3; i++) edge();
    top.rst_ni = 1;
    valid = 0;
    wg_sched_reset(&chosen, policy_ == kWgPolicyGto ? kWgPolicyGto : kWgPolicyLrr, kSlots, kKnobs);
    wg_sched_reset(&lrr, kWgPolicyLrr, kSlots, kKnobs);
    wg_sched_reset(&gto, kWgPolicyGto, kSlots, kKnobs);
  }

  void step() {
    const unsigned slot = rng.below(kSlots);
    top.init_valid_i = rng.chance(15), top.init_slot_i = uint8_t(slot);
    if (top.init_valid_i) valid &= ~(1u << slot); /* a slot is free when it is bound */
    if (rng.chance(5)) valid &= uint8_t(rng.next());
    top.valid_i = uint8_t(valid);
    unsigned eligible = 0;
    for (unsigned i = 0; i < kSlots; i++) eligible |= unsigned(rng.chance(eligible_percent)) << i;
    eligible &= valid;
    top.eligible_i = uint8_t(eligible);
    top.en_i = rng.chance(80), top.issued_i = rng.chance(80);
    top.ext_valid_i = rng.chance(70), top.ext_slot_i = uint8_t(rng.below(16));
    top.clk_i = 0, top.eval();
    check(eligible);
    edge();
    if (top.init_valid_i) {
      for (wg_sched_t *t : {&chosen, &lrr, &gto}) wg_sched_launch(t, slot);
      valid |= 1u << slot;
    }
  }

  void check(unsigned eligible) {
    const wg_sched_in_t in = {uint16_t(valid), uint16_t(eligible)};
    int got = top.pick_valid_o ? int(top.pick_slot_o) : -1, want = -1;
    if (policy_ == kWgPolicyExt) {
      if (top.ext_valid_i && top.ext_slot_i < kSlots && (eligible >> top.ext_slot_i & 1)) want = top.ext_slot_i;
    } else {
      const wg_sched_out_t out = wg_sched_step(&chosen, &in);
      if (out.issue) want = out.warp;
    }
    ASSERT_EQ(got, want) << "policy " << policy_ << " eligible " << eligible;
    alone(in, lrr, top.lrr_valid_o, top.lrr_slot_o);
    alone(in, gto, top.gto_valid_o, top.gto_slot_o);
    checked += (eligible & (eligible - 1)) != 0;
  }
  void alone(const wg_sched_in_t &in, wg_sched_t &twin, unsigned valid_o, unsigned slot_o) {
    wg_sched_t next = twin;
    const wg_sched_out_t out = wg_sched_step(&next, &in);
    ASSERT_EQ(valid_o != 0, top.en_i && out.issue);
    if (!valid_o) return;
    ASSERT_EQ(slot_o, out.warp) << twin.policy->id;
    if (top.issued_i) twin = next;
  }

 private:
  unsigned policy_;
  void edge() {
    top.clk_i = 0, top.eval();
    top.clk_i = 1, top.eval();
  }
};

TEST(PolicyTest, PicksFollowTheTwins) {
  for (unsigned policy : {unsigned(kWgPolicyLrr), unsigned(kWgPolicyGto), unsigned(kWgPolicyExt), 7u}) {
    for (unsigned run = 0; run < 20; run++) {
      PolicyBench b(40 + 100 * policy + run, policy);
      for (unsigned i = 0; i < 3000; i++) {
        if (b.rng.below(400) == 0) b.reset();
        if (b.rng.below(50) == 0) b.eligible_percent = 5 + b.rng.below(90);
        b.step();
        if (::testing::Test::HasFatalFailure()) FAIL() << "run " << run << " cycle " << i;
      }
      EXPECT_GT(b.checked, 500u);
    }
  }
}

TEST(PolicyTest, AgesAreTheOrderOfBinding) {
  PolicyBench b(9, kWgPolicyGto);
  for (unsigned i = 0; i < 2000; i++) {
    b.step();
    b.top.clk_i = 0, b.top.eval();
    for (unsigned x = 0; x < kSlots; x++) {
      for (unsigned y = 0; y < kSlots; y++) {
        if (x == y || !(b.valid >> x & 1) || !(b.valid >> y & 1)) continue;
        ASSERT_EQ(b.top.older_o >> (x * kSlots + y) & 1, unsigned(b.gto.age[y] < b.gto.age[x])) << x << " " << y;
      }
    }
  }
}

}  // namespace
