// SPDX-License-Identifier: Apache-2.0
//
// sm_fifo (depths 2, 4, 5) against a deque; sm_arb_rr (1, 5, 10 requests) against "the first behind the last one
// granted"; sm_delay with every delay. Random traffic with resets.
// bench: top prim_bench
#include <gtest/gtest.h>

#include <deque>

#include "Vtop.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kDepth[3] = {2, 4, 5}, kWidth[3] = {1, 5, 10}, kAt[3] = {0, 1, 6};

struct Prims {
  bench::Rng rng{77};
  Vtop top;
  std::deque<unsigned> queue[3];
  unsigned last[3];
  unsigned full = 0, wraps = 0;

  void edge() {
    top.clk_i = 0, top.eval();
    top.clk_i = 1, top.eval();
  }
  void reset() {
    top.rst_ni = 0;
    edge();
    edge();
    top.rst_ni = 1;
    for (unsigned k = 0; k < 3; k++) queue[k].clear(), last[k] = kWidth[k] - 1;
  }
  void check_fifo(unsigned k) {
    ASSERT_EQ(top.push_ready_o >> k & 1, unsigned(queue[k].size() < kDepth[k]));
    ASSERT_EQ(top.pop_valid_o >> k & 1, unsigned(!queue[k].empty()));
    if (!queue[k].empty()) ASSERT_EQ(top.rdata_o >> (8 * k) & 255, queue[k].front());
    full += queue[k].size() == kDepth[k];
    const bool pop = !queue[k].empty() && (top.pop_ready_i >> k & 1);
    if (queue[k].size() < kDepth[k] && (top.push_valid_i >> k & 1)) queue[k].push_back(top.wdata_i >> (8 * k) & 255);
    if (pop) queue[k].pop_front();
  }
  void check_arbiter(unsigned k) {
    const unsigned n = kWidth[k], mask = (1u << n) - 1, req = top.req_i >> kAt[k] & mask;
    const unsigned idx = k == 0 ? top.grant1_o : k == 1 ? top.grant5_o : top.grant10_o;
    ASSERT_EQ(top.grant_valid_o >> k & 1, unsigned(req != 0));
    unsigned want = (last[k] + 1) % n;
    if (req != 0) while (!(req >> want & 1)) want = (want + 1) % n;
    ASSERT_EQ(top.grant_oh_o >> kAt[k] & mask, req != 0 ? 1u << want : 0u);
    if (req == 0) return;
    ASSERT_EQ(idx, want);
    wraps += want <= last[k];
    if (top.advance_i >> k & 1) last[k] = want;
  }
};

TEST(PrimTest, FifosAndArbitersFollowTheirRules) {
  Prims p;
  p.reset();
  unsigned push = 50, pop = 50, ask = 30;
  for (unsigned i = 0; i < 100000; i++) {
    if (p.rng.below(1000) == 0) p.reset();
    if (p.rng.below(60) == 0) push = p.rng.below(101), pop = p.rng.below(101), ask = p.rng.below(101);
    p.top.push_valid_i = p.top.pop_ready_i = 0, p.top.req_i = 0;
    for (unsigned k = 0; k < 3; k++) {
      p.top.push_valid_i |= uint8_t(p.rng.chance(push) << k), p.top.pop_ready_i |= uint8_t(p.rng.chance(pop) << k);
    }
    for (unsigned k = 0; k < 16; k++) p.top.req_i |= uint16_t(p.rng.chance(ask) << k);
    p.top.advance_i = uint8_t(p.rng.below(8));
    p.top.wdata_i = uint32_t(p.rng.next()) & 0xffffffu;
    p.top.clk_i = 0, p.top.eval();
    for (unsigned k = 0; k < 3; k++) {
      p.check_fifo(k);
      p.check_arbiter(k);
    }
    if (::testing::Test::HasFatalFailure()) FAIL() << "cycle " << i;
    p.edge();
  }
  EXPECT_GT(p.full, 1000u);
  EXPECT_GT(p.wraps, 1000u);
}

TEST(PrimTest, DelayLineDelays) {
  for (unsigned delay = 0; delay < 32; delay++) {
    Prims p;
    p.reset();
    p.top.delay_i = uint8_t(delay);
    std::deque<int> line(delay, -1); /* -1: nothing */
    for (unsigned i = 0; i < 500; i++) {
      p.top.late_valid_i = p.rng.chance(i % 100 < 50 ? 90 : 20), p.top.late_data_i = uint8_t(p.rng.next());
      line.push_back(p.top.late_valid_i ? int(p.top.late_data_i) : -1);
      p.top.clk_i = 0, p.top.eval();
      ASSERT_EQ(p.top.late_valid_o ? int(p.top.late_data_o) : -1, line.front()) << "delay " << delay << " cycle " << i;
      line.pop_front();
      p.edge();
    }
  }
}

}  // namespace
