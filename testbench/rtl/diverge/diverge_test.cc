// SPDX-License-Identifier: Apache-2.0
//
// sm_diverge against its twin model/twin/diverge, both modes: random instructions of eight warps, releases of block
// barriers, sleeps that end. Running pc and mask, redirects, ends, faults, arrivals at block barriers, BMOV.RD, depth, who may
// issue; in mode `stack` the cycles that an instruction takes (one, and one for every empty entry that is popped).
// bench: top sm_diverge -GWarpSlots=8
// bench: link model/twin/simt_stack.c model/twin/diverge.c isa/wg_isa.c
#include <gtest/gtest.h>

#include "Vtop.h"
#include "isa/wg_isa.h"
#include "model/twin/diverge.h"
#include "testbench/rtl/exec/bench_text.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kSlots = 8;
constexpr uint32_t kPcMask = (1u << kWgPcBits) - 1u;
enum { kBarLsb = 29, kBarLanesLsb = 66 };  // of sm_pkg::bar_req_t: red_false, lanes

struct Seen { /* what the unit said since the last instruction */
  bool redirect = false, ended = false, fault = false, arrives = false, waits = false;
  uint32_t pc = 0, code = 0, lanes = 0, fault_pc = 0;
  uint64_t bar = 0;
  uint32_t bar_lanes = 0;
  unsigned cycles = 0;
};

class DivergeBench {
 public:
  bench::Rng rng;
  Vtop top;
  wg_diverge_cfg_t cfg;
  wg_diverge_t twin[kSlots];
  bool live[kSlots] = {}, at_bar[kSlots] = {}, sleeps[kSlots] = {};
  uint32_t stuck = 0, now = 0xfff00000u; /* stuck: faulted, they stay where they are until bound anew */
  unsigned push_percent = 50, odd_percent = 1, ends = 0, faults[16] = {}, redirects = 0, deepest = 0;
  unsigned switches = 0, arrivals = 0, chosen = 0, waits = 0, ops[256] = {}, completions = 0, wakes = 0;

  DivergeBench(uint64_t stream, bool its, unsigned order) : rng(stream), cfg{its, uint8_t(order), 0} {
    reset();
  }
  void reset() {
    top.rst_ni = 0, top.init_valid_i = top.step_i = top.op_valid_i = top.late_issue_i = top.late_valid_i = 0;
    top.kill_i = 0, top.view_i = 1, top.its_i = cfg.its, top.order_i = cfg.order, top.time_i = now, top.release_i = 0;
    top.bar_ready_i = 0, top.breg_re_i = 0;
    for (int i = 0; i < 3; i++) edge();
    top.rst_ni = 1;
    for (unsigned s = 0; s < kSlots; s++) live[s] = at_bar[s] = sleeps[s] = false;
    stuck = 0;
  }
  void settle() { top.clk_i = 0, top.eval(); }
  void edge() {
    settle();
    top.clk_i = 1, top.eval();
  }

  void bind(unsigned s) {
    uint32_t mask = rng.chance(50) ? ~0u : uint32_t(rng.next());
    if (mask == 0) mask = 1;
    const uint32_t pc = uint32_t(rng.next()) & kPcMask & ~15u;
    cfg.seed = rng.chance(10) ? 0 : uint32_t(rng.next()) & 0xffffu;
    top.init_valid_i = 1, top.init_slot_i = uint8_t(s), top.init_pc_i = pc, top.init_mask_i = mask;
    top.seed_i = uint16_t(cfg.seed);
    edge();
    top.init_valid_i = 0;
    wg_diverge_reset(&twin[s], &cfg, pc, mask);
    live[s] = true, at_bar[s] = sleeps[s] = false, stuck &= ~(1u << s);
  }

  bool can_issue(unsigned s) const { return live[s] && !at_bar[s] && !sleeps[s] && twin[s].mask != 0; }

  void check_slot(unsigned s) {
    const wg_diverge_t &t = twin[s];
    top.sel_slot_i = uint8_t(s);
    top.view_i = rng.chance(80);
    settle();
    if (!live[s]) return;
    ASSERT_HEX_EQ(top.mask_o, t.mask) << "slot " << s;
    if (t.mask != 0) ASSERT_HEX_EQ(top.pc_o, t.pc) << "slot " << s;
    ASSERT_EQ(top.branching_o >> s & 1u, unsigned(t.mask == 0 || sleeps[s])) << "slot " << s;
    ASSERT_EQ(top.idle_o >> s & 1u, unsigned(t.mask == 0 || sleeps[s])) << "slot " << s;
    const unsigned depth = t.depth > 31 ? 31 : t.depth, at = 5 * s;
    uint32_t got = top.depth_o[at / 32] >> at % 32;
    if (at % 32 > 27) got |= top.depth_o[at / 32 + 1] << (32 - at % 32);
    ASSERT_EQ(got & 31u, top.view_i ? depth : 0u) << "slot " << s;
    ASSERT_FALSE(top.busy_o || top.redirect_valid_o || top.ended_valid_o || top.fault_valid_o || top.bar_valid_o);
    if (!cfg.its) return;
    if (t.mask == 0) return;
    const unsigned lane = unsigned(__builtin_ctz(t.mask));
    top.breg_re_i = 1, top.op_breg_i = uint8_t(rng.below(rng.chance(80) ? 3 : 16));
    settle();
    ASSERT_HEX_EQ(top.breg_mask_o, wg_diverge_breg(&t, top.op_breg_i, lane)) << "slot " << s << " B"
        << int(top.op_breg_i);
    top.breg_re_i = 0;
  }

  uint8_t random_opcode(const wg_diverge_t &t) {
    static const uint8_t kRare[] = {kWgOp_CALL,  kWgOp_RET,       kWgOp_BRX,      kWgOp_YIELD, kWgOp_BREAK,
                                    kWgOp_BMOVB, kWgOp_NANOSLEEP, kWgOp_WARPSYNC, kWgOp_BAR,   kWgOp_BARRED};
    if (rng.chance(cfg.its ? 25 : 6)) {
      uint8_t op = kRare[rng.below(sizeof kRare)];
      if (cfg.its || (op != kWgOp_BAR && op != kWgOp_BARRED)) return op;
    }
    const bool up = rng.chance(push_percent);
    uint8_t op = up ? (rng.chance(40) ? kWgOp_BSSY : kWgOp_BRA) : (rng.chance(75) ? kWgOp_BSYNC : kWgOp_EXIT);
    if (!cfg.its && op == kWgOp_BSYNC && t.depth == 0 && !rng.chance(odd_percent)) op = kWgOp_BSSY;
    return op;
  }

  wg_diverge_in_t random_in(const wg_diverge_t &t, uint32_t row[32]) {
    wg_diverge_in_t in{};
    in.op = random_opcode(t);
    in.breg = uint8_t(rng.below(cfg.its ? 3 : 16));
    for (unsigned i = t.stack.depth; !cfg.its && in.op == kWgOp_BSYNC && i-- > 0;) {
      if (!t.stack.entry[i].sync) continue;
      if (!rng.chance(odd_percent)) in.breg = t.stack.entry[i].breg;
      break;
    }
    /* few targets under its, so that splits meet again */
    in.target = cfg.its ? 0x1000u + 16u * rng.below(12) : uint32_t(rng.next()) & kPcMask & ~15u;
    if (rng.chance(odd_percent)) in.target |= 1u << rng.below(4);
    in.exec = t.mask;
    if (rng.chance(60)) in.exec &= uint32_t(rng.next());
    if (in.exec == 0 || rng.chance(10)) in.exec = t.mask & ~(t.mask - 1u);
    if (in.op == kWgOp_BSSY || in.op == kWgOp_BSYNC) in.exec = t.mask;
    in.value = rng.chance(40) ? ~0u : rng.chance(50) ? t.mask : uint32_t(rng.next() & rng.next());
    if (!cfg.its && in.op == kWgOp_WARPSYNC && rng.chance(90)) in.value = in.exec;
    const unsigned kinds = rng.chance(60) ? 1 : 3;
    for (unsigned l = 0; l < 32; l++) row[l] = 0x1000u + 16u * (in.target / 16u % 4u + rng.below(kinds));
    if (rng.chance(odd_percent)) row[rng.below(32)] |= rng.chance(50) ? 8u : 1u << (28 + rng.below(4));
    in.lane_target = row;
    in.bar.id = uint8_t(rng.chance(95) ? 3 : rng.below(16));
    in.bar.arrive_only = in.op == kWgOp_BAR && rng.chance(30);
    in.bar.has_count = rng.chance(20);
    in.bar.count = in.bar.has_count ? 64 : 0;
    in.bar.red = in.op == kWgOp_BARRED ? uint8_t(1 + rng.below(3)) : uint8_t(0);
    in.bar.preds = uint32_t(rng.next()) & in.exec;
    in.bar.lanes = in.exec;
    if (t.bar_lanes != 0 && rng.chance(90)) { /* usually what the gathered lanes wait for */
      in.bar.has_count = t.bar.has_count, in.bar.count = t.bar.count, in.bar.id = t.bar.id;
      in.bar.arrive_only = t.bar.arrive_only && in.op == kWgOp_BAR;
      if (rng.chance(5)) in.bar.id ^= 1; /* or all but the number */
    }
    return in;
  }

  static bool is_late(uint8_t op) {
    return op == kWgOp_RET || op == kWgOp_BRX || op == kWgOp_BMOVB || op == kWgOp_NANOSLEEP || op == kWgOp_WARPSYNC ||
           op == kWgOp_BAR || op == kWgOp_BARRED;
  }

  /* The arrival as sm_pkg::bar_req_t's bits from `id` down to red_false: [55:29]. */
  static uint64_t bar_bits(const wg_bar_arrival_t &a) {
    const uint64_t sum = a.red != 0 ? uint64_t(__builtin_popcount(a.preds & a.lanes)) : 0;
    const uint64_t some_false = (a.lanes & ~a.preds) != 0;
    return uint64_t(a.id) << 23 | uint64_t(a.arrive_only) << 22 | uint64_t(a.has_count) << 21 | uint64_t(a.count) << 9 |
           uint64_t(a.red) << 7 | sum << 1 | some_false;
  }
  static uint64_t bits(const VlWide<4> &w, unsigned lsb, unsigned n) {
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++) v |= uint64_t(w[(lsb + i) / 32] >> ((lsb + i) % 32) & 1u) << i;
    return v;
  }

  void drive_late(unsigned s, const wg_diverge_in_t &in, uint32_t pc) {
    top.late_valid_i = 1, top.late_slot_i = uint8_t(s), top.late_op_i = in.op, top.late_pc_i = pc;
    top.late_exec_i = in.exec, top.late_value_i = in.op == kWgOp_NANOSLEEP ? 1000 : in.value;
    top.late_preds_i = in.bar.preds;
    for (unsigned l = 0; l < 32; l++) top.late_row_i[l] = in.lane_target[l];
    wg_bar_arrival_t bare = in.bar;
    bare.lanes = bare.preds = 0;
    const uint64_t b = bar_bits(bare);
    for (unsigned i = 0; i < 4; i++) top.late_bar_i[i] = 0;
    for (unsigned i = 0; i < 27; i++) top.late_bar_i[(kBarLsb + i) / 32] |= uint32_t(b >> i & 1u) << (kBarLsb + i) % 32;
  }

  /* Clock until the unit is idle; other slots step plain instructions meanwhile. */
  void run_until_idle(unsigned s, Seen *seen, bool counted) {
    for (unsigned n = 0;; n++) {
      ASSERT_LT(n, 150u);
      if (rng.chance(50)) step_other(s);
      top.bar_ready_i = rng.chance(60);
      settle();
      if (top.redirect_valid_o && top.redirect_slot_o == s) seen->redirect = true, seen->pc = top.redirect_pc_o;
      if (top.ended_valid_o) {
        ASSERT_EQ(top.ended_slot_o, s);
        seen->ended = true;
      }
      if (top.fault_valid_o) {
        ASSERT_EQ(top.fault_slot_o, s);
        seen->fault = true, seen->code = top.fault_code_o, seen->lanes = top.fault_lanes_o;
        seen->fault_pc = top.fault_pc_o;
      }
      if (top.bar_wait_valid_o) {
        ASSERT_EQ(top.bar_wait_slot_o, s);
        seen->waits = true;
      }
      if (top.bar_valid_o && top.bar_ready_i) seen->arrives = true, seen->bar = bits(top.bar_o, kBarLsb, 27), seen->bar_lanes = uint32_t(bits(top.bar_o, kBarLanesLsb, 32));
      const bool taken = top.late_valid_i && top.late_ready_o, busy = top.busy_o;
      edge();
      top.step_i = 0;
      if (taken) top.late_valid_i = 0;
      if (busy && counted) seen->cycles++;
      if (!busy) break;
    }
    top.bar_ready_i = 0;
  }

  /** A plain instruction. */
  void run_plain(unsigned s) {
    top.sel_slot_i = uint8_t(s), top.step_i = 1;
    const bool due = wg_diverge_issued(&twin[s], false);
    edge();
    top.step_i = 0;
    settle();
    ASSERT_EQ(top.branching_o >> s & 1u, unsigned(due));
    if (!due) return;
    Seen seen;
    run_until_idle(s, &seen, false);
    wg_diverge_switch(&twin[s]);
    ASSERT_TRUE(seen.redirect);
    ASSERT_HEX_EQ(seen.pc, twin[s].pc);
    switches++;
  }

  /** One control instruction of a slot through unit and twin. */
  void run_op(unsigned s) {
    uint32_t row[32];
    const wg_diverge_in_t in = random_in(twin[s], row);
    const wg_diverge_t before = twin[s];
    const bool late = is_late(in.op);
    wg_diverge_issued(&twin[s], true);
    /* a sleep that ends while the instruction is on its way to the unit comes first */
    const bool wake = late && twin[s].asleep != 0 && rng.chance(50);
    if (wake) {
      for (unsigned o = 0; o < kSlots; o++) {
        if (live[o]) wg_diverge_wake(&twin[o]);
      }
    }
    wg_diverge_out_t want = wg_diverge_step(&twin[s], &in);
    ops[in.op]++;
    top.sel_slot_i = uint8_t(s), top.step_i = 1, top.op_valid_i = !late, top.late_issue_i = late, top.op_i = in.op;
    top.op_breg_i = in.breg, top.op_exec_i = in.exec;
    top.op_imm_i = ((in.target - before.pc - 16u) & kPcMask) | uint32_t(rng.below(16)) << 28;
    edge();
    top.step_i = top.op_valid_i = top.late_issue_i = 0;
    top.op_imm_i = uint32_t(rng.next()), top.op_exec_i = uint32_t(rng.next()), top.op_breg_i = uint8_t(rng.below(16));
    settle();
    ASSERT_EQ(top.branching_o >> s & 1u, 1u);
    if (wake) {
      now += 1001u, top.time_i = now;
      for (unsigned n = 0; n < 60; n++) edge();
      settle();
      ASSERT_EQ(top.branching_o >> s & 1u, 1u) << "it may issue before its last instruction is resolved";
      wakes++;
    }
    if (late) {
      for (unsigned n = rng.below(4); n > 0; n--) edge();
      drive_late(s, in, before.pc);
    }
    Seen seen;
    run_until_idle(s, &seen, !late);
    if (!::testing::Test::HasFatalFailure()) check_end(s, in, before, want, seen);
  }

  /** A block barrier that a warp waits for is complete. */
  void run_release(unsigned s) {
    top.release_i = uint8_t(1u << s);
    Seen seen;
    edge();
    top.release_i = 0;
    run_until_idle(s, &seen, false);
    const bool was_idle = twin[s].mask == 0;
    wg_diverge_release(&twin[s]);
    at_bar[s] = false;
    ASSERT_EQ(seen.redirect, was_idle);
    if (was_idle) ASSERT_HEX_EQ(seen.pc, twin[s].pc);
  }

  /** All sleeps are over. */
  void run_wake() {
    now += 1001u;
    top.time_i = now;
    edge();
    Seen seen;
    for (unsigned n = 0; n < 60; n++) {
      settle();
      edge();
    }
    for (unsigned s = 0; s < kSlots; s++) {
      if (!live[s]) continue;
      sleeps[s] = false;
      if (cfg.its) wg_diverge_wake(&twin[s]);
    }
  }

 private:
  void step_other(unsigned s) {
    const unsigned o = rng.below(kSlots);
    if (o == s || !can_issue(o) || (cfg.its && twin[o].ready != 0)) return;
    top.sel_slot_i = uint8_t(o), top.step_i = 1;
    wg_diverge_issued(&twin[o], false);
  }
  unsigned stack_cycles(const wg_diverge_in_t &in, const wg_diverge_t &before, const wg_diverge_out_t &want) {
    if (in.op != kWgOp_BSYNC && in.op != kWgOp_EXIT) return 1;
    if (want.fault != kWgFaultNone) { /* empty paths above the entry that does not fit */
      unsigned n = 1;
      for (unsigned d = before.stack.depth; d-- > 0 && !before.stack.entry[d].sync;) n++;
      return n;
    }
    const unsigned popped = before.stack.depth - want.depth;
    if (want.mask == 0) return popped + 1;
    return popped == 0 ? 1 : popped;
  }
  void check_end(unsigned s, const wg_diverge_in_t &in, const wg_diverge_t &before, const wg_diverge_out_t &want,
                 const Seen &seen) {
    const char *name = wg_insn_info(in.op)->mnemonic;
    ASSERT_EQ(seen.fault, want.fault != kWgFaultNone) << name;
    const bool over = want.fault == kWgFaultNone && wg_diverge_ended(&twin[s]);
    ASSERT_EQ(seen.ended, over) << name;
    ASSERT_EQ(seen.arrives, want.arrives) << name;
    if (want.arrives) ASSERT_PRED_FORMAT2(bench::SameArrival, seen.bar, bar_bits(want.bar)) << name;
    if (want.arrives) ASSERT_HEX_EQ(seen.bar_lanes, want.bar.lanes) << name;
    if (want.arrives) arrivals++;
    ASSERT_EQ(seen.waits, want.arrives && !want.bar.arrive_only) << name;
    if (seen.waits) at_bar[s] = true, waits++;
    if (want.fault != kWgFaultNone) {
      ASSERT_EQ(seen.code, want.fault) << name;
      ASSERT_HEX_EQ(seen.lanes, in.exec);
      ASSERT_HEX_EQ(seen.fault_pc, before.pc);
      ASSERT_FALSE(seen.redirect);
      faults[want.fault]++;
      live[s] = false, stuck |= 1u << s;
      return;
    }
    if (over) {
      ends++, live[s] = false;
    } else if (want.mask != 0 && want.pc != ((before.pc + 16u) & kPcMask)) {
      ASSERT_TRUE(seen.redirect) << name;
    }
    if (seen.redirect) {
      ASSERT_HEX_EQ(seen.pc, want.pc) << name;
      redirects++;
    }
    if (in.op == kWgOp_NANOSLEEP && !cfg.its) sleeps[s] = true;
    if (in.op == kWgOp_WARPSYNC && (want.mask & ~before.mask) != 0) completions++;
    if (!cfg.its && !is_late(in.op)) ASSERT_EQ(seen.cycles, stack_cycles(in, before, want)) << name;
    const bool scans = in.op == kWgOp_EXIT || in.op == kWgOp_BREAK || in.op == kWgOp_BSYNC;
    if (cfg.its && !is_late(in.op) && !scans) ASSERT_LE(seen.cycles, 2u) << name;
    deepest = want.depth > deepest ? want.depth : deepest;
  }
};

void Drive(DivergeBench &b, unsigned steps) {
  for (unsigned i = 0; i < steps; i++) {
    const unsigned s = b.rng.below(kSlots);
    if (b.rng.below(500) == 0) b.reset();
    if (!b.live[s] || b.rng.below(300) == 0) b.bind(s);
    b.check_slot(s);
    if (::testing::Test::HasFatalFailure()) return;
    if (b.at_bar[s]) {
      if (b.rng.chance(30)) b.run_release(s);
    } else if (!b.can_issue(s)) {
      /* sleeping, or waiting for ever */
      if (!b.cfg.its || b.rng.chance(30)) b.run_wake();
      else if (b.cfg.its && b.twin[s].asleep == 0) b.bind(s);
    } else if (b.rng.chance(30)) {
      b.run_plain(s);
    } else {
      b.run_op(s);
    }
    if (::testing::Test::HasFatalFailure()) FAIL() << "step " << i << " slot " << s;
  }
}

TEST(DivergeTest, StackFollowsTheTwin) {
  unsigned deepest = 0, stack_errors = 0, bad_pcs = 0, ends = 0, rare = 0;
  for (unsigned run = 0; run < 30; run++) {
    DivergeBench b(300 + run, false, 0);
    b.push_percent = run % 3 == 0 ? 94 : 45 + b.rng.below(15);
    b.odd_percent = run % 5 == 0 ? 20 : 1;
    Drive(b, 3000);
    if (HasFatalFailure()) FAIL() << "run " << run;
    deepest = b.deepest > deepest ? b.deepest : deepest;
    stack_errors += b.faults[kWgFaultStackError], bad_pcs += b.faults[kWgFaultBadPc], ends += b.ends;
    rare += b.ops[kWgOp_WARPSYNC] + b.ops[kWgOp_NANOSLEEP] + b.ops[kWgOp_RET];
    EXPECT_GT(b.redirects, 100u);
  }
  EXPECT_EQ(deepest, unsigned(kWgStackDepth));
  EXPECT_GT(stack_errors, 100u);
  EXPECT_GT(bad_pcs, 50u);
  EXPECT_GT(ends, 100u);
  EXPECT_GT(rare, 300u);
}

TEST(DivergeTest, ItsFollowsTheTwin) {
  unsigned bad_pcs = 0, ends = 0, arrivals = 0, waits = 0, switches = 0, completions = 0, wakes = 0;
  for (unsigned run = 0; run < 60; run++) {
    DivergeBench b(700 + run, true, run % 3);
    b.push_percent = 45 + b.rng.below(25);
    b.odd_percent = run % 5 == 0 ? 10 : 1;
    Drive(b, 1500);
    if (HasFatalFailure()) FAIL() << "run " << run;
    bad_pcs += b.faults[kWgFaultBadPc], ends += b.ends, arrivals += b.arrivals, waits += b.waits;
    switches += b.switches, completions += b.completions, wakes += b.wakes;
    EXPECT_GT(b.redirects, 100u);
    if (run % 3 != 0) EXPECT_GT(b.switches, 20u) << "order " << run % 3;
  }
  EXPECT_GT(bad_pcs, 50u);
  EXPECT_GT(ends, 300u);
  EXPECT_GT(arrivals, 300u);
  EXPECT_GT(waits, 200u);
  EXPECT_GT(switches, 1000u);
  EXPECT_GT(completions, 100u);
  EXPECT_GT(wakes, 50u);
}

TEST(DivergeTest, H200SwitchesAfterItsRun) {
  DivergeBench b(5, true, kWgSplitH200);
  b.bind(0);
  wg_diverge_t &t = b.twin[0];
  t.gone = 0;
  /* half of the lanes branch away; then plain instructions until the unit switches */
  b.top.sel_slot_i = 0, b.top.step_i = b.top.op_valid_i = 1, b.top.op_i = kWgOp_BRA, b.top.op_imm_i = 0x800;
  b.settle();
  const uint32_t lanes = b.top.mask_o, taken = lanes & ~(lanes - 1u);
  b.top.op_exec_i = taken;
  b.edge();
  b.top.step_i = b.top.op_valid_i = 0;
  for (int i = 0; i < 4; i++) b.edge();
  unsigned issues = 0;
  if (taken != lanes) {
    for (; issues < 3000; issues++) {
      b.settle();
      if ((b.top.branching_o & 1u) != 0) break;
      b.top.step_i = 1;
      b.edge();
      b.top.step_i = 0;
    }
    EXPECT_EQ(issues, unsigned(kWgSplitRun));
  }
}

}  // namespace
