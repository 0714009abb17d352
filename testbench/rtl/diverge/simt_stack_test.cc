// SPDX-License-Identifier: Apache-2.0
//
// sm_simt_stack against its twin model/twin/simt_stack: random BSSY, BRA, BSYNC, EXIT of eight warps. Running pc and mask,
// redirects, ends, faults, depth, and the cycles that a step takes (one, and one for every empty entry that is popped).
// bench: top sm_simt_stack -GWarpSlots=8
// bench: link model/twin/simt_stack.c
#include <gtest/gtest.h>

#include "Vtop.h"
#include "isa/wg_isa.h"
#include "model/twin/simt_stack.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kSlots = 8;
constexpr uint32_t kPcMask = (1u << kWgPcBits) - 1u;

class StackBench {
 public:
  bench::Rng rng;
  Vtop top;
  wg_simt_stack_t twin[kSlots];
  bool live[kSlots] = {};
  unsigned push_percent = 50, odd_percent = 1, ends = 0, faults[16] = {}, redirects = 0, deepest = 0, empties = 0;

  explicit StackBench(uint64_t stream) : rng(stream) {
    reset();
  }
  void reset() {
    top.rst_ni = 0, top.init_valid_i = top.step_i = top.op_valid_i = 0, top.view_i = 1;
    for (int i = 0; i < 3; i++) edge();
    top.rst_ni = 1;
    for (bool &l : live) l = false;
  }
  void edge() {
    top.clk_i = 0, top.eval();
    top.clk_i = 1, top.eval();
  }

  void bind(unsigned s) {
    uint32_t mask = rng.chance(50) ? ~0u : uint32_t(rng.next());
    if (mask == 0) mask = 1;
    const uint32_t pc = uint32_t(rng.next()) & kPcMask & ~15u;
    top.init_valid_i = 1, top.init_slot_i = uint8_t(s), top.init_pc_i = pc, top.init_mask_i = mask;
    edge();
    top.init_valid_i = 0;
    wg_simt_reset(&twin[s], pc, mask);
    live[s] = true;
  }

  void check_running(unsigned s) {
    top.sel_slot_i = uint8_t(s);
    top.view_i = rng.chance(80);
    top.clk_i = 0, top.eval();
    ASSERT_EQ(top.pc_o, twin[s].pc) << "slot " << s;
    ASSERT_EQ(top.mask_o, twin[s].mask) << "slot " << s;
    const unsigned depth = twin[s].depth > 31 ? 31 : twin[s].depth;
    ASSERT_EQ(uint32_t(top.depth_o[5 * s / 32] >> (5 * s % 32) & 31u) | (5 * s % 32 > 27
                  ? uint32_t(top.depth_o[5 * s / 32 + 1] << (32 - 5 * s % 32) & 31u) : 0u),
              top.view_i ? depth : 0u) << "slot " << s;
    ASSERT_FALSE(top.busy_o);
    ASSERT_FALSE(top.redirect_valid_o || top.ended_valid_o || top.fault_valid_o);
  }

  wg_simt_in_t random_op(const wg_simt_stack_t &t) {
    wg_simt_in_t in{};
    const bool up = rng.chance(push_percent);
    in.op = up ? (rng.chance(40) ? kWgOp_BSSY : kWgOp_BRA) : (rng.chance(75) ? kWgOp_BSYNC : kWgOp_EXIT);
    in.breg = uint8_t(rng.below(16));
    for (unsigned i = t.depth; in.op == kWgOp_BSYNC && i-- > 0;) {
      if (!t.entry[i].sync) continue;
      if (!rng.chance(odd_percent)) in.breg = t.entry[i].breg;
      break;
    }
    if (in.op == kWgOp_BSYNC && t.depth == 0 && !rng.chance(odd_percent)) in.op = kWgOp_BSSY;
    in.target = uint32_t(rng.next()) & kPcMask & ~15u;
    if (rng.chance(odd_percent)) in.target |= 1u << rng.below(4);
    in.exec = t.mask;
    if (rng.chance(60)) in.exec &= uint32_t(rng.next());
    if (in.exec == 0 || rng.chance(10)) in.exec = t.mask & ~(t.mask - 1u);
    if (in.op == kWgOp_BSSY || in.op == kWgOp_BSYNC) in.exec = t.mask;
    return in;
  }

  /** One instruction of a slot through unit and twin; other slots step NOPs meanwhile. */
  void run_op(unsigned s) {
    const wg_simt_in_t in = random_op(twin[s]);
    const wg_simt_stack_t before = twin[s];
    const wg_simt_out_t want = wg_simt_step(&twin[s], &in);
    top.sel_slot_i = uint8_t(s), top.step_i = 1, top.op_valid_i = 1, top.op_i = in.op, top.op_breg_i = in.breg;
    top.op_imm_i = ((in.target - before.pc - 16u) & kPcMask) | uint32_t(rng.below(16)) << 28, top.op_exec_i = in.exec;
    edge();
    top.step_i = 0, top.op_valid_i = 0, top.op_imm_i = uint32_t(rng.next()), top.op_exec_i = uint32_t(rng.next());
    unsigned cycles = 1;
    for (;; cycles++) {
      step_other(s);
      top.clk_i = 0, top.eval();
      ASSERT_TRUE(top.busy_o);
      ASSERT_EQ(top.branching_o, 1u << s | stuck);
      const bool end = top.ended_valid_o || top.fault_valid_o || top.redirect_valid_o;
      if (end || cycles == cycles_of(in, before, want)) break;
      ASSERT_LT(cycles, 40u);
      edge();
      top.step_i = 0;
    }
    ASSERT_EQ(cycles, cycles_of(in, before, want)) << "op " << int(in.op);
    check_end(s, in, before, want);
    edge();
    top.step_i = 0;
    top.clk_i = 0, top.eval();
    if (want.fault != kWgFaultNone) stuck |= 1u << s, live[s] = false;
    if (want.mask == 0 && want.fault == kWgFaultNone) live[s] = false;
    ASSERT_EQ(top.branching_o, stuck);
  }
  uint32_t stuck = 0; /* slots that faulted: they stay where they are until bound anew */

 private:
  void step_other(unsigned s) {
    const unsigned o = rng.below(kSlots);
    top.step_i = o != s && live[o] && rng.chance(50);
    top.sel_slot_i = uint8_t(o);
    if (top.step_i) twin[o].pc = (twin[o].pc + 16u) & kPcMask;
  }
  unsigned cycles_of(const wg_simt_in_t &in, const wg_simt_stack_t &before, const wg_simt_out_t &want) {
    if (in.op == kWgOp_BRA || in.op == kWgOp_BSSY) return 1;
    if (want.fault != kWgFaultNone) { /* empty paths above the entry that does not fit */
      unsigned n = 1;
      for (unsigned d = before.depth; d-- > 0 && !before.entry[d].sync;) n++;
      return n;
    }
    const unsigned popped = before.depth - want.depth;
    if (want.mask == 0) return popped + 1;
    return popped == 0 ? 1 : popped;
  }
  void check_end(unsigned s, const wg_simt_in_t &in, const wg_simt_stack_t &before, const wg_simt_out_t &want) {
    ASSERT_EQ(top.fault_valid_o, want.fault != kWgFaultNone) << "op " << int(in.op);
    ASSERT_EQ(top.ended_valid_o, want.fault == kWgFaultNone && want.mask == 0);
    if (want.fault != kWgFaultNone) {
      ASSERT_EQ(top.fault_code_o, want.fault);
      ASSERT_EQ(top.fault_slot_o, s);
      ASSERT_EQ(top.fault_lanes_o, in.exec);
      ASSERT_EQ(top.fault_pc_o, before.pc);
      ASSERT_FALSE(top.redirect_valid_o);
      faults[want.fault]++;
    } else if (want.mask == 0) {
      ASSERT_EQ(top.ended_slot_o, s);
      ends++;
    } else if (want.pc != ((before.pc + 16u) & kPcMask)) {
      ASSERT_TRUE(top.redirect_valid_o) << "op " << int(in.op);
    }
    if (top.redirect_valid_o) {
      ASSERT_EQ(top.redirect_slot_o, s);
      ASSERT_EQ(top.redirect_pc_o, want.pc);
      redirects++;
    }
    deepest = want.depth > deepest ? want.depth : deepest;
  }
};

TEST(SimtStackTest, StepsFollowTheTwin) {
  unsigned overflow_depth = 0, stack_errors = 0, bad_pcs = 0, ends = 0;
  for (unsigned run = 0; run < 30; run++) {
    StackBench b(300 + run);
    b.push_percent = run % 3 == 0 ? 85 : 45 + b.rng.below(15);
    b.odd_percent = run % 5 == 0 ? 20 : 1;
    for (unsigned i = 0; i < 1500; i++) {
      const unsigned s = b.rng.below(kSlots);
      if (b.rng.below(500) == 0) b.reset(), b.stuck = 0;
      if (!b.live[s] || b.rng.below(300) == 0) b.bind(s), b.stuck &= ~(1u << s);
      b.check_running(s);
      if (!::testing::Test::HasFatalFailure()) b.run_op(s);
      if (::testing::Test::HasFatalFailure()) FAIL() << "run " << run << " step " << i;
    }
    overflow_depth = b.deepest > overflow_depth ? b.deepest : overflow_depth;
    stack_errors += b.faults[kWgFaultStackError], bad_pcs += b.faults[kWgFaultBadPc], ends += b.ends;
    EXPECT_GT(b.redirects, 100u);
  }
  EXPECT_EQ(overflow_depth, unsigned(kWgStackDepth));
  EXPECT_GT(stack_errors, 100u);
  EXPECT_GT(bad_pcs, 50u);
  EXPECT_GT(ends, 100u);
}

}  // namespace
