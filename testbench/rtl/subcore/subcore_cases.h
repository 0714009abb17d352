// SPDX-License-Identifier: Apache-2.0
//
// Tests of sm_subcore for one pipe width; the including file defines kLanes. Timing rules: rtl/README.md "Timing".
#ifndef WG_TESTBENCH_RTL_SUBCORE_CASES_H
#define WG_TESTBENCH_RTL_SUBCORE_CASES_H

#include "testbench/rtl/subcore/subcore_bench.h"

namespace {

using subcore::Bench;
using subcore::branch;
using subcore::constant;
using subcore::guarded;
using subcore::imm;
using subcore::insn;
using subcore::memory;
using subcore::movi;
using subcore::setpi;

constexpr unsigned kBeats = 32 / kLanes;
constexpr uint64_t kNever = ~uint64_t(0);

wg_insn_t exit_insn() { return wg_insn_default(kWgOp_EXIT); }
wg_insn_t nop() { return wg_insn_default(kWgOp_NOP); }

/** Code with `n` NOPs in front, so that fetch is ahead when the measured words come. */
void pad(Bench &b, unsigned n) {
  for (unsigned i = 0; i < n; i++) b.code.push_back(nop());
}

TEST(SubcoreTimingTest, DependentFixedLatencyInstructionIssuesFourCyclesLater) {
  Bench b;
  b.code = {movi(0, 0x3f800000), movi(1, 3)};
  pad(b, 12);
  b.code.push_back(insn(kWgOp_FADD, 2, 0, 0));                /* 14 */
  b.code.push_back(insn(kWgOp_FADD, 3, 2, 0));                /* 15: fp after fp */
  b.code.push_back(insn(kWgOp_IMAD, 4, 3, 1, 1));             /* 16: int after fp */
  b.code.push_back(insn(kWgOp_IMAD, 5, 4, 1, 4));             /* 17: int after int */
  b.code.push_back(insn(kWgOp_FFMA, 6, 5, 0, 5));             /* 18: fp after int */
  b.code.push_back(exit_insn());
  b.warm();
  b.start(0);
  ASSERT_TRUE(b.run());
  for (unsigned w = 15; w <= 18; w++) EXPECT_EQ(b.when(0, w) - b.when(0, w - 1), 4u) << "word " << w;
  EXPECT_EQ(b.owed(), 0u);
}

TEST(SubcoreTimingTest, IndependentInstructionsFollowEachOther) {
  Bench b;
  pad(b, 6);
  for (unsigned i = 0; i < 8; i++) b.code.push_back(i % 2 ? movi(uint8_t(i), i) : imm(kWgOp_FADD, uint8_t(i), 255, i));
  b.code.push_back(exit_insn());
  b.warm();
  b.start(0);
  ASSERT_TRUE(b.run());
  /* one pipe takes a warp in kBeats cycles */
  EXPECT_EQ(b.when(0, 7) - b.when(0, 6), 1u);
  EXPECT_EQ(b.when(0, 8) - b.when(0, 6), kBeats > 2 ? uint64_t(kBeats) : 2u);
  EXPECT_EQ(b.when(0, 12) - b.when(0, 6), kBeats > 2 ? 3u * kBeats : 6u);
}

TEST(SubcoreTimingTest, GuardAndBranchFollowThePredicate) {
  Bench b;
  b.code = {movi(0, 5)};
  pad(b, 12);
  b.code.push_back(setpi(0, 0, 2, 5));                          /* 13 */
  b.code.push_back(guarded(movi(1, 1), 0));                     /* 14 */
  b.code.push_back(setpi(1, 0, 2, 5));                          /* 15 */
  b.code.push_back(guarded(branch(kWgOp_BRA, 1), 1));           /* 16 */
  b.code.push_back(movi(2, 1));                                 /* 17: skipped */
  b.code.push_back(exit_insn());                                /* 18 */
  b.warm();
  b.start(0);
  ASSERT_TRUE(b.run());
  EXPECT_EQ(b.when(0, 14) - b.when(0, 13), 2u + kBeats);   /* last beat in t+1+beats, guard in the cycle after */
  EXPECT_EQ(b.when(0, 16) - b.when(0, 15), 2u + kBeats);
  EXPECT_EQ(b.when(0, 17), kNever);
  EXPECT_EQ(b.when(0, 18) - b.when(0, 16), 4u);            /* taken branch whose target is in the L0 */
}

TEST(SubcoreTimingTest, BankConflictDelaysTheDependentInstruction) {
  const uint8_t rows[][3] = {{0, 1, 2}, {0, 4, 1}, {0, 4, 4}, {0, 4, 8}, {0, 2, 4}, {1, 5, 3}}; /* the last three: three rows of one bank */
  for (unsigned k = 0; k < 6; k++) {
    Bench b;
    for (uint8_t i = 0; i < 9; i++) b.code.push_back(movi(i, i + 1u));
    pad(b, 15);
    b.code.push_back(insn(kWgOp_IMAD, 10, rows[k][0], rows[k][1], rows[k][2]));   /* 24 */
    b.code.push_back(insn(kWgOp_IMAD, 11, 10, 10, 10));                           /* 25 */
    b.code.push_back(exit_insn());
    b.warm();
    b.start(0);
    ASSERT_TRUE(b.run());
    EXPECT_EQ(b.when(0, 25) - b.when(0, 24), k < 3 ? 4u : 5u) << "case " << k;
    EXPECT_EQ(b.owed(), 0u);
  }
}

/** One warp's independent instructions `op` x, x, y, z with eight x from `first` on. @return cycles of 32 of them */
uint64_t cycles_of_32(uint8_t op, uint8_t y, uint8_t z, uint8_t first, uint8_t step, unsigned *bank_cycles) {
  Bench b;
  b.golden = op != kWgOp_DFMA; /* writes of the fp64 pipe are not among the events */
  for (uint8_t i = 0; i < 30; i++) b.code.push_back(movi(i, 0x3f000000u + i));
  pad(b, 18);
  for (unsigned i = 0; i < 56; i++) { /* 48 .. 103 */
    const uint8_t x = uint8_t(first + step * (i % 8));
    b.code.push_back(insn(op, x, x, y, z));
  }
  b.code.push_back(exit_insn());
  b.warm();
  b.bank_cycles = 0;
  b.start(0);
  EXPECT_TRUE(b.run());
  EXPECT_EQ(b.owed(), 0u);
  *bank_cycles = b.bank_cycles;
  return b.when(0, 96) - b.when(0, 64);
}

TEST(SubcoreTimingTest, ABankGivesTwoRowsACycle) {
  unsigned waits = 0;
  const uint64_t pace = 32 * kBeats;
  /* y and z in two banks: x makes the second row of one of them */
  EXPECT_EQ(cycles_of_32(kWgOp_FFMA, 1, 2, 8, 1, &waits), pace);
  EXPECT_EQ(waits, 0u);
  /* y, z and every second x in one bank, 20 rows in eight instructions: 10 cycles */
  EXPECT_EQ(cycles_of_32(kWgOp_FFMA, 1, 3, 8, 1, &waits), kBeats == 1 ? 40u : pace);
  EXPECT_EQ(waits > 0, kBeats == 1);
  /* each in one bank: 3 rows, two cycles at two a cycle, 12 for eight */
  EXPECT_EQ(cycles_of_32(kWgOp_FFMA, 1, 3, 9, 2, &waits), kBeats == 1 ? 48u : pace);
  EXPECT_EQ(waits > 0, kBeats == 1);
  /* pairs: three rows of each bank */
  EXPECT_EQ(cycles_of_32(kWgOp_DFMA, 2, 4, 8, 2, &waits), 32u * 64 / kLanes);
}

TEST(SubcoreTimingTest, KnobsSpaceStartsAndDelayResults) {
  Bench b;
  b.top->interval_i = 0x0003;   /* int: 3 more cycles between starts */
  b.top->latency_i = 0x0020;    /* fp32: results two cycles later */
  b.code = {movi(0, 1), movi(1, 2)};
  pad(b, 10);
  b.code.push_back(movi(2, 3));                      /* 12 */
  b.code.push_back(movi(3, 4));                      /* 13 */
  b.code.push_back(insn(kWgOp_FADD, 4, 0, 1));       /* 14 */
  b.code.push_back(insn(kWgOp_FADD, 5, 4, 1));       /* 15 */
  b.code.push_back(exit_insn());
  b.warm();
  b.start(0);
  ASSERT_TRUE(b.run());
  EXPECT_EQ(b.when(0, 13) - b.when(0, 12), kBeats + 3u);
  EXPECT_EQ(b.when(0, 15) - b.when(0, 14), 6u);
}

TEST(SubcoreTimingTest, EachPipeHasItsOwnInterval) {
  for (unsigned more : {0u, 5u, 15u}) {
    for (bool fp : {false, true}) {
      Bench b;
      b.top->interval_i = uint16_t(fp ? more << 4 : more);
      pad(b, 12);
      for (uint8_t i = 0; i < 3; i++) b.code.push_back(fp ? imm(kWgOp_FADD, i, 255, i) : movi(i, i));     /* 12, 13, 14 */
      for (uint8_t i = 3; i < 5; i++) b.code.push_back(fp ? movi(i, i) : imm(kWgOp_FADD, i, 255, i));     /* 15, 16 */
      b.code.push_back(exit_insn());
      b.warm();
      b.start(0);
      ASSERT_TRUE(b.run());
      EXPECT_EQ(b.when(0, 13) - b.when(0, 12), kBeats + more) << "fp " << fp;
      EXPECT_EQ(b.when(0, 14) - b.when(0, 13), kBeats + more) << "fp " << fp;
      EXPECT_EQ(b.when(0, 15) - b.when(0, 14), 1u);
      EXPECT_EQ(b.when(0, 16) - b.when(0, 15), kBeats) << "the other pipe keeps its pace";
    }
  }
}

/** Gaps between the memory instructions that `warps` warps hand over: 24 independent ones each; of the last 16. */
std::vector<uint64_t> memory_gaps(uint8_t op, unsigned warps, unsigned interval, unsigned switched) {
  Bench b;
  b.top->mem_interval_i = uint8_t(interval), b.top->mem_switch_i = uint8_t(switched);
  b.mem_spread = 0;
  b.code = {movi(0, 64), movi(1, 7)};
  for (uint8_t i = 0; i < 24; i++) b.code.push_back(memory(op, op == kWgOp_STS ? 1 : uint8_t(2 + i), 0, 4 * i));
  b.code.push_back(exit_insn());
  b.warm();
  for (unsigned w = 0; w < warps; w++) b.start(w);
  EXPECT_TRUE(b.run());
  std::vector<uint64_t> gaps;
  EXPECT_EQ(b.handed.size(), 24u * warps);
  for (size_t i = b.handed.size() - 16; i + 4 < b.handed.size(); i++) gaps.push_back(b.handed[i].first - b.handed[i - 1].first);
  return gaps;
}

// Memory instructions keep their distance; behind a load of another warp it is the smaller one, behind a store never. None
// comes early; some come late where so few wait that the next one is still on its way: one of two warps at three cycles fewer, and
// one in three where loads may be two cycles apart (8 lanes).
TEST(SubcoreTimingTest, MemoryInstructionsKeepTheirDistance) {
  for (uint8_t op : {uint8_t(kWgOp_LDS), uint8_t(kWgOp_STS)}) {
    for (unsigned warps : {1u, 2u, 3u}) {
      for (auto [interval, less] : {std::pair{5u, 0u}, {5u, 1u}, {5u, 2u}, {5u, 3u}, {3u, 0u}, {3u, 1u}, {3u, 2u}}) {
        const uint64_t want = interval + 1 - (op == kWgOp_LDS && warps > 1 ? less : 0),
                       late = less == 3 && warps == 2 ? 1 : kLanes == 8 && want == 2 ? 2 : 0;
        for (uint64_t gap : memory_gaps(op, warps, interval, less)) {
          EXPECT_GE(gap, want) << unsigned(op) << " " << warps << " " << interval << " " << less;
          EXPECT_LE(gap, want + late) << unsigned(op) << " " << warps << " " << interval << " " << less;
        }
      }
    }
  }
}

/** Cycles from the issue of a shared atomic until it is handed over, and from there until the LDS behind it is. */
std::pair<uint64_t, uint64_t> shared_atomic(bool cas, unsigned extra) {
  Bench b;
  b.golden = false;
  b.top->cas_extra_i = uint8_t(extra);
  b.code = {movi(0, 64), movi(2, 7), movi(3, 8)};
  pad(b, 12);
  wg_insn_t atom = insn(kWgOp_ATOMS, 4, 0, 255, 2);
  atom.mods = uint16_t((cas ? 9u : 0u) << kWgModLsb_AOP);
  b.code.push_back(atom);                            /* 12 */
  b.code.push_back(memory(kWgOp_LDS, 6, 0, 0));      /* 13 */
  b.code.push_back(exit_insn());
  b.warm();
  b.start(0);
  EXPECT_TRUE(b.run());
  EXPECT_EQ(b.handed.size(), 2u);
  return {b.handed.at(0).first - b.when(0, 12), b.handed.at(1).first - b.handed.at(0).first};
}

// A CAS on shared memory is on the port later; other atomics are not, and what follows keeps its distance.
TEST(SubcoreTimingTest, SharedCasLeavesLater) {
  const auto plain = shared_atomic(false, 0), cas = shared_atomic(true, 0);
  for (unsigned extra : {1u, 7u, 15u}) {
    EXPECT_EQ(shared_atomic(false, extra), plain);
    EXPECT_EQ(shared_atomic(true, extra).first, cas.first + extra);
    EXPECT_EQ(shared_atomic(true, extra).second, 1u);
  }
}

TEST(SubcoreTimingTest, OneIssueACycleFromManyWarps) {
  Bench b;
  for (unsigned i = 0; i < 100; i++) {
    b.code.push_back(i % 2 ? imm(kWgOp_IADD3, uint8_t(i % 16), 255, i) : imm(kWgOp_FADD, uint8_t(i % 16), 255, i));
  }
  b.code.push_back(exit_insn());
  for (unsigned s = 0; s < 16; s++) b.start(s);
  for (int i = 0; i < 150; i++) b.step();
  const size_t before = b.issued.size();
  for (int i = 0; i < 200; i++) b.step();
  EXPECT_GE(b.issued.size() - before, kBeats > 2 ? 98u : 196u);
}

TEST(SubcoreTest, WriteAfterReadAndWriteAfterWriteHazards) {
  Bench b;
  b.mem_min = 30, b.mem_spread = 0, b.mem_ready_percent = 20;
  b.code = {movi(0, 0x100), movi(1, 0), movi(2, 7), movi(3, 9)};
  b.code.push_back(memory(kWgOp_STG, 2, 0, 0));       /* reads R2 late: memory is slow */
  b.code.push_back(memory(kWgOp_STG, 2, 0, 4));
  b.code.push_back(memory(kWgOp_STG, 2, 0, 8));
  b.code.push_back(movi(2, 8));                       /* must not reach the stores */
  b.code.push_back(movi(0, 0x200));
  b.code.push_back(memory(kWgOp_LDG, 4, 0, 0));
  b.code.push_back(movi(4, 64));                      /* after the load's write */
  b.code.push_back(memory(kWgOp_LDS, 5, 4, 0));
  b.code.push_back(insn(kWgOp_IADD3, 6, 5, 4, 2));
  b.code.push_back(exit_insn());
  b.start(0);
  ASSERT_TRUE(b.run());
  ASSERT_EQ(b.stores.size(), 3u * 64);
  for (unsigned i = 0; i < 32 * 3; i++) {
    EXPECT_EQ(b.stores[2 * i], 0x100u + 4 * (i / 32));
    EXPECT_EQ(b.stores[2 * i + 1], 7u);
  }
  EXPECT_EQ(b.owed(), 0u);
}

TEST(SubcoreTest, WideOperandsPairsAndQuads) {
  Bench b;
  b.code = {movi(0, 0x40), movi(1, 1), movi(2, 0x80000000u), movi(3, 2), movi(4, 3), movi(5, 4), movi(6, 5), movi(7, 6)};
  wg_insn_t wide = insn(kWgOp_IMAD, 8, 2, 3, 4);
  wide.mods = 2 | 4;                                  /* .WIDE.U32 */
  b.code.push_back(wide);
  wg_insn_t again = insn(kWgOp_IMAD, 10, 2, 3, 8);    /* needs both halves of the pair at once */
  again.mods = 2 | 4;
  b.code.push_back(again);
  b.code.push_back(memory(kWgOp_STG, 4, 0, 0, 6));
  b.code.push_back(memory(kWgOp_LDG, 12, 0, 16, 6));
  b.code.push_back(insn(kWgOp_IADD3, 16, 12, 13, 14));
  b.code.push_back(insn(kWgOp_IADD3, 17, 15, 10, 11));
  b.code.push_back(exit_insn());
  b.start(0);
  ASSERT_TRUE(b.run());
  ASSERT_EQ(b.stores.size(), 32u * 5);
  for (unsigned l = 0; l < 32; l++) {
    for (unsigned k = 0; k < 4; k++) EXPECT_EQ(b.stores[5 * l + 1 + k], 3 + k);
  }
  EXPECT_EQ(b.rows_owed, 0);
  EXPECT_EQ(b.reads_owed, 0);
  EXPECT_EQ(b.writes_owed, 0);
  EXPECT_EQ(b.owed(), 0u);
}

TEST(SubcoreTest, ConstantOperands) {
  Bench b;
  b.code = {constant(insn(kWgOp_MOV, 0), 0, 0), constant(insn(kWgOp_MOV, 1), 0, 0x3fc),
            constant(insn(kWgOp_IADD3, 2, 0), 3, 0x80), exit_insn()};
  b.start(0);
  b.start(1);
  ASSERT_TRUE(b.run());
  EXPECT_EQ(b.reg(0, 0)[3], b.consts[0]);
  EXPECT_EQ(b.owed(), 0u);

  Bench c;
  c.code = {constant(insn(kWgOp_MOV, 0), 0, 0x400), exit_insn()};   /* behind the bank's end */
  c.start(2);
  EXPECT_FALSE(c.run());
  EXPECT_EQ(c.top->fault_code_o, kWgFaultAddrSpace);
  EXPECT_EQ(c.top->fault_slot_o, 2);
}

TEST(SubcoreTest, DivergenceAndReconvergence) {
  Bench b;
  wg_insn_t lane = wg_insn_default(kWgOp_S2R);   /* the golden model writes LANEID itself */
  lane.rd = 0, lane.imm = kWgSrLaneId;
  b.code = {lane, setpi(0, 0, 1, 11), branch(kWgOp_BSSY, 5, 3), guarded(branch(kWgOp_BRA, 2), 0),
            movi(1, 100), branch(kWgOp_BRA, 2), movi(1, 200), setpi(1, 0, 1, 4), branch(kWgOp_BSYNC, 0, 3)};
  b.code[2].imm = 5 * 16;   /* 8: the BSYNC */
  b.code.push_back(guarded(exit_insn(), 1));
  b.code.push_back(insn(kWgOp_IADD3, 2, 1, 0));
  b.code.push_back(exit_insn());
  b.start(0, 0x7fffffff);
  b.start(5);
  ASSERT_TRUE(b.run());
  EXPECT_EQ(b.reg(0, 1)[10], 200u);
  EXPECT_EQ(b.reg(0, 1)[11], 100u);
  EXPECT_EQ(b.owed(), 0u);
}

TEST(SubcoreTest, BarrierHoldsTheWarpUntilReleased) {
  Bench b;
  wg_insn_t bar = wg_insn_default(kWgOp_BAR);
  bar.form = kWgFormImm;
  bar.imm = 3 | 64u << 16;
  bar.mods = 1 << 2;
  wg_insn_t arrive = bar;
  arrive.mods |= 1;
  b.code = {movi(0, 1), memory(kWgOp_STS, 0, 255, 0), arrive, bar, movi(1, 2), exit_insn()};
  b.mem_ready_percent = 10, b.bar_ready_percent = 5;
  b.start(4);
  for (int i = 0; i < 300; i++) b.step();
  EXPECT_EQ(b.bar_arrivals, 2u);
  EXPECT_EQ(b.when(4, 4), kNever);
  EXPECT_EQ(b.top->bar_id_o, 3);
  EXPECT_EQ(b.top->bar_count_o, 64);
  EXPECT_EQ(b.top->slot_reason_o, kWgReasonBarrier);
  b.release(1u << 4);
  const uint64_t t = b.cycle;
  b.step();
  b.release(0);
  ASSERT_TRUE(b.run());
  EXPECT_EQ(b.when(4, 4), t + 1);
}

TEST(SubcoreTest, FaultsNameTheWarpAndThePlace) {
  struct Case {
    wg_insn_t in;
    unsigned code;
  };
  wg_insn_t trap1 = wg_insn_default(kWgOp_TRAP), trap2 = trap1;
  trap1.imm = 1, trap2.imm = 2;
  wg_insn_t bad_reg = movi(40, 1), odd = memory(kWgOp_LDG, 4, 3, 0), off = branch(kWgOp_BRA, 0);
  off.imm = 8;
  const Case cases[] = {{trap1, kWgFaultAssert}, {trap2, kWgFaultTrap}, {bad_reg, kWgFaultIllegalInsn},
                        {odd, kWgFaultIllegalInsn}, {branch(kWgOp_BSYNC, 0, 2), kWgFaultStackError}, {off, kWgFaultBadPc}};
  for (const Case &c : cases) {
    Bench b;
    b.golden = false;
    b.code = {movi(0, 1), c.in, exit_insn()};
    b.start(7, 0xff);
    EXPECT_FALSE(b.run(500));
    EXPECT_TRUE(b.top->fault_valid_o);
    EXPECT_EQ(b.top->fault_code_o, c.code);
    EXPECT_EQ(b.top->fault_slot_o, 7);
    EXPECT_EQ(b.top->fault_pc_o, 16u);
    EXPECT_EQ(b.top->fault_lanes_o, 0xffu);
    EXPECT_EQ(b.when(7, 2), kNever);
  }
}

TEST(SubcoreTest, StackOverflowFaults) {
  Bench b;
  b.golden = false;
  for (unsigned i = 0; i < 33; i++) b.code.push_back(branch(kWgOp_BSSY, 1, uint8_t(i % 16)));
  b.code.push_back(exit_insn());
  b.start(0);
  EXPECT_FALSE(b.run(2000));
  EXPECT_EQ(b.top->fault_code_o, kWgFaultStackError);
  EXPECT_EQ(b.top->fault_pc_o, 32u * 16);
}

TEST(SubcoreTest, UnreadableCodeFaultsOnlyWhenReached) {
  Bench b;
  b.golden = false;
  b.code = {branch(kWgOp_BRA, 40)};
  b.start(0);
  uint64_t asked = 0;
  for (int i = 0; i < 200 && !b.top->fault_valid_o; i++) {
    if (b.top->ifreq_valid_o && b.top->ifreq_addr_o != subcore::kCode) b.top->iffill_error_i = 1, asked++;
    b.step();
  }
  EXPECT_GT(asked, 0u);
  EXPECT_EQ(b.top->fault_code_o, kWgFaultBadPc);
  EXPECT_EQ(b.top->fault_pc_o, 41u * 16);
}

TEST(SubcoreSchedTest, PicksFollowThePolicy) {
  for (unsigned policy : {unsigned(kWgPolicyLrr), unsigned(kWgPolicyGto)}) {
    Bench b;   /* every cycle's pick is checked by the harness */
    b.top->policy_i = uint8_t(policy);
    for (unsigned i = 0; i < 60; i++) b.code.push_back(i % 3 ? nop() : insn(kWgOp_FADD, 1, 1, 1));
    b.code.push_back(exit_insn());
    for (unsigned s : {9u, 2u, 5u, 15u, 0u}) b.start(s);
    ASSERT_TRUE(b.run());
    EXPECT_GT(b.picks_checked, 100u);
  }
}

TEST(SubcoreSchedTest, ExternalPolicyPicks) {
  Bench b;
  b.top->policy_i = kWgPolicyExt;
  pad(b, 10);
  b.code.push_back(exit_insn());
  b.start(1);
  b.start(6);
  for (int i = 0; i < 60; i++) b.step();
  EXPECT_EQ(b.issued.size(), 0u);
  EXPECT_EQ(b.top->view_valid_o, 0x42);
  EXPECT_EQ(b.top->view_eligible_o, 0x42);
  EXPECT_EQ(b.top->slot_reason_o, kWgReasonNotSelected);
  for (unsigned withheld : {0xffffu, 2u, 0x40u}) {
    b.top->pick_withheld_i = uint16_t(withheld);
    b.step();
    EXPECT_EQ(b.top->slot_reason_o, kWgReasonThrottled);
  }
  b.top->pick_withheld_i = 0xffbd;   /* none of the two */
  b.step();
  EXPECT_EQ(b.top->slot_reason_o, kWgReasonNotSelected);
  b.top->pick_withheld_i = 2;
  EXPECT_EQ(b.top->view_age_rank_o >> 24 & 15, 1u);
  b.top->pick_valid_i = 1, b.top->pick_warp_i = 6;
  b.step();
  ASSERT_EQ(b.issued.size(), 1u);
  EXPECT_EQ(b.issued[0].slot, 6u);
  EXPECT_EQ(b.top->slot_reason_o, kWgReasonIssued);
  EXPECT_EQ(b.top->slot_warp_o, 6);
  b.top->pick_warp_i = 7;   /* not eligible: nothing issues */
  b.step();
  EXPECT_EQ(b.issued.size(), 1u);
}

TEST(SubcoreSchedTest, EventsReachTheDoor) {
  Bench b;
  b.top->policy_i = kWgPolicyExt;
  wg_insn_t lane = wg_insn_default(kWgOp_S2R);   /* the golden model writes LANEID itself */
  lane.rd = 0, lane.imm = kWgSrLaneId;
  b.code = {lane, setpi(0, 0, 1, 11), branch(kWgOp_BSSY, 3, 3), guarded(branch(kWgOp_BRA, 2), 0), nop(), nop(),
            branch(kWgOp_BSYNC, 0, 3), setpi(1, 255, 2, 1), guarded(branch(kWgOp_BRA, -9), 1), branch(kWgOp_BRA, 300),
            exit_insn()};
  wg_sched_in_t in{};
  std::vector<wg_sched_in_t> branches;
  unsigned launched = 0, mem = 0;
  b.start(6, ~0u);
  wg_sched_unpack(&in, &b.top->view_event_o[0]);
  EXPECT_EQ(in.launched, 0x40);
  for (int i = 0; i < 3000 && branches.size() < 3; i++) {
    b.top->pick_valid_i = b.top->view_eligible_o >> 6 & 1, b.top->pick_warp_i = 6;
    b.step();
    wg_sched_unpack(&in, &b.top->view_event_o[0]);
    launched += in.launched != 0, mem += in.mem != 0;
    if (in.branch) branches.push_back(in);
  }
  EXPECT_EQ(launched, 0u); /* only in the first cycle */
  EXPECT_EQ(mem, 0u);
  ASSERT_EQ(branches.size(), 3u);
  EXPECT_EQ(branches[0].branch_slot, 6);      /* 11 of 32 lanes skip two instructions: a split */
  EXPECT_EQ(branches[0].branch_lanes, 11);
  EXPECT_EQ(branches[0].branch_of, 32);
  EXPECT_EQ(branches[0].branch_insts, 2);
  EXPECT_EQ(branches[1].branch_lanes, 0);     /* 0 == 1 is false: the loop is left */
  EXPECT_EQ(branches[1].branch_insts, 0);
  EXPECT_EQ(branches[2].branch_lanes, 32);    /* all skip 300 instructions: nothing is added */
  EXPECT_EQ(branches[2].branch_insts, 0);
}

TEST(SubcoreSchedTest, MemoryEventsReachTheDoor) {
  Bench b;
  b.top->policy_i = kWgPolicyExt;
  pad(b, 4);
  b.start(2);
  for (int i = 0; i < 30; i++) b.step();
  wg_sched_in_t in{};
  b.top->ev_full_i = 1, b.top->ev_miss_i = 1, b.top->ev_miss_slot_i = 9, b.top->ev_vta_i = 1, b.top->ev_vta_slot_i = 5;
  b.step();
  wg_sched_unpack(&in, &b.top->view_event_o[0]);
  EXPECT_TRUE(in.mshr_full && in.miss && in.vta_hit);
  EXPECT_EQ(in.miss_slot, 9);
  EXPECT_EQ(in.vta_slot, 5);
  b.top->ev_full_i = b.top->ev_miss_i = b.top->ev_vta_i = 0;
  b.step();
  wg_sched_unpack(&in, &b.top->view_event_o[0]);
  EXPECT_FALSE(in.mshr_full || in.miss || in.vta_hit);
}

/* ---- random programs against the golden model ---- */

wg_insn_t random_alu(bench::Rng &r) {
  static const uint8_t ops[] = {kWgOp_MOV, kWgOp_IADD3, kWgOp_IMAD, kWgOp_ISETP, kWgOp_LOP3, kWgOp_SHF, kWgOp_PRMT, kWgOp_SEL,
                                kWgOp_IMNMX, kWgOp_FSETP, kWgOp_FMNMX, kWgOp_PLOP3, kWgOp_FADD, kWgOp_FMUL, kWgOp_FFMA};
  const auto reg = [&] { return uint8_t(r.chance(10) ? 255 : 8 + r.below(12)); };
  wg_insn_t i = insn(ops[r.below(sizeof ops)], reg(), reg(), reg(), reg());
  const wg_insn_info_t *info = wg_insn_info(i.op);
  const bool has_b = std::strchr(info->operands, 'B') != nullptr;
  if (has_b && r.chance(30)) i.form = kWgFormImm, i.imm = bench::random_int(r);
  else if (has_b && r.chance(20)) i = constant(i, r.chance(50) ? 0 : 3, uint16_t(4 * r.below(256)));
  i.ps0 = uint8_t(r.below(8)), i.ps1 = uint8_t(r.below(8)), i.ps0_not = r.chance(50), i.ps1_not = r.chance(50);
  i.pd0 = uint8_t(r.chance(50) ? 7 : r.below(4));
  do i.pd1 = uint8_t(r.chance(50) ? 7 : r.below(4));
  while (i.pd1 == i.pd0 && i.pd1 != 7);
  if (r.chance(25)) i.guard = uint8_t(r.below(4)), i.guard_not = r.chance(50);
  if (i.op == kWgOp_IMAD && r.chance(40)) i.mods = 2, i.rd &= 0xfe, i.rc &= 0xfe;
  if (i.op == kWgOp_IMAD && i.mods == 2 && i.rc >= 254) i.rc = 255;
  if (i.op == kWgOp_IMAD && i.mods == 2 && i.rd >= 254) i.rd = 255;
  if (i.op == kWgOp_LOP3 || i.op == kWgOp_PLOP3) i.mods = uint16_t(r.below(256));
  if (i.op == kWgOp_ISETP) i.mods = uint16_t(r.below(8));
  return i;
}

wg_insn_t random_memory(bench::Rng &r) {
  const auto pair = [&] { return uint8_t(8 + 2 * r.below(6)); };
  const auto addr = [&] { return uint8_t(20 + 2 * r.below(2)); };
  switch (r.below(7)) {
    case 0: return memory(kWgOp_LDG, pair(), addr(), int32_t(8 * r.below(64)), 5);
    case 1: return memory(kWgOp_LDG, uint8_t(8 + 4 * r.below(3)), addr(), 0, 6);
    case 2: return memory(kWgOp_STG, uint8_t(8 + 4 * r.below(3)), addr(), 0, 6);
    case 4: {
      const uint8_t a = addr();
      return imm(kWgOp_IADD3, a, a, 16);
    }
    case 5: return memory(kWgOp_LDS, uint8_t(8 + r.below(12)), addr(), 4, 4);
    case 3: {
      wg_insn_t i = wg_insn_default(kWgOp_SHFL);
      i.rd = pair(), i.ra = pair(), i.pd0 = uint8_t(r.below(8));
      if (r.chance(50)) i.form = kWgFormImm, i.imm = r.below(32);
      else i.rb = pair();
      if (r.chance(50)) i.mods |= 4, i.imm |= 0x1fu << 8;
      else i.rc = pair();
      i.mods |= uint16_t(r.below(4));
      if (i.form == kWgFormReg && (i.mods & 4)) i.imm |= i.rb;
      return i;
    }
    default: return insn(kWgOp_FADD, pair(), pair(), pair());
  }
}

/** Straight code with forward branches inside BSSY/BSYNC, then EXIT. Registers 8..19 and P0..P3 are used; R20..R23 hold addresses. */
std::vector<wg_insn_t> random_program(bench::Rng &r, unsigned length, bool with_memory) {
  std::vector<wg_insn_t> code;
  for (unsigned i = 8; i < 20; i++) {
    wg_insn_t s = wg_insn_default(kWgOp_S2R);
    s.rd = uint8_t(i), s.imm = i % 3 == 0 ? kWgSrLaneId : i % 3 == 1 ? kWgSrLaneMaskLt : kWgSrLaneMaskEq;
    code.push_back(s);
  }
  for (uint8_t a = 20; a < 24; a += 2) {
    code.push_back(imm(kWgOp_IMAD, a, 9, 16, 255));
    code.push_back(movi(uint8_t(a + 1), 0x2000));
  }
  for (uint8_t p = 0; p < 4; p++) code.push_back(setpi(p, 8, 1 + p, 3u + 7u * p));
  while (code.size() < length) {
    if (r.chance(8)) {
      const unsigned n = 1 + r.below(5);   /* BSSY, @p BRA over n words, n words, BSYNC */
      code.push_back(branch(kWgOp_BSSY, int(n) + 1, uint8_t(r.below(16))));
      const uint8_t breg = code.back().breg;
      code.push_back(guarded(branch(kWgOp_BRA, int(n)), uint8_t(r.below(4)), r.chance(50)));
      for (unsigned i = 0; i < n; i++) code.push_back(random_alu(r));
      if (r.chance(20)) code.back() = guarded(wg_insn_default(kWgOp_EXIT), uint8_t(r.below(4)));
      code.push_back(branch(kWgOp_BSYNC, 0, breg));
    } else {
      code.push_back(with_memory && r.chance(25) ? random_memory(r) : random_alu(r));
    }
  }
  code.push_back(exit_insn());
  return code;
}

void random_runs(uint64_t stream, unsigned runs, bool with_memory) {
  for (unsigned n = 0; n < runs; n++) {
    Bench b(stream * 1000 + n);
    b.code = random_program(b.rng, 120, with_memory);
    b.mem_min = 2 + b.rng.below(30), b.mem_ready_percent = 30 + b.rng.below(71);
    b.top->policy_i = b.rng.chance(50) ? kWgPolicyLrr : kWgPolicyGto;
    b.top->in_order_i = b.rng.chance(25);
    if (b.rng.chance(30)) b.top->latency_i = uint16_t(b.rng.below(256)), b.top->interval_i = uint16_t(b.rng.below(256));
    const unsigned warps = 1 + b.rng.below(16);
    for (unsigned s = 0; s < warps; s++) b.start((s * 5) % 16, b.rng.chance(50) ? ~0u : uint32_t(b.rng.next()) | 1u);
    EXPECT_TRUE(b.run(60000)) << "run " << n << " running " << b.running << " fault " << int(b.top->fault_code_o) << " pc "
                              << b.top->fault_pc_o;
    EXPECT_EQ(b.owed(), 0u) << "run " << n;
    EXPECT_EQ(b.rows_owed, 0) << "run " << n;
    EXPECT_EQ(b.reads_owed, 0) << "run " << n;
    EXPECT_EQ(b.writes_owed, 0) << "run " << n;
    EXPECT_GT(b.issued.size(), 80u);
    EXPECT_FALSE(b.top->busy_o);
    if (::testing::Test::HasFailure()) return;
  }
}

/** Whatever waits or runs when kill comes leaves the sub-core; nothing issues any more. */
TEST(SubcoreRandomTest, KillDrains) {
  wg_insn_t mufu = insn(kWgOp_MUFU, 5, 6), bar = wg_insn_default(kWgOp_BAR), sreg = wg_insn_default(kWgOp_S2R);
  bar.form = kWgFormImm, bar.mods = 1 /* arrives, goes on */, sreg.rd = 6, sreg.imm = kWgSrLaneId;
  for (unsigned n = 0; n < 120; n++) {
    Bench b(9000 + n);
    b.golden = false, b.mem_ready_percent = 20, b.bar_ready_percent = 20;
    for (unsigned i = 0; i < 60; i++) {
      const wg_insn_t pick[] = {memory(kWgOp_STG, 1, 2, 0), mufu, bar, sreg, insn(kWgOp_FADD, 7, 7, 7), movi(3, i),
                                memory(kWgOp_LDG, 8, 2, 0)};
      b.code.push_back(pick[b.rng.below(7)]);
    }
    for (unsigned s = 0; s < 4; s++) b.start(s);
    for (unsigned i = b.rng.below(120); i > 0; i--) b.step();
    b.top->kill_i = 1, b.mem_ready_percent = b.bar_ready_percent = 0, b.hold_memory = true;
    b.step();
    const size_t issued = b.issued.size();
    for (unsigned i = 0; i < 60; i++) b.step();
    EXPECT_FALSE(b.top->busy_o || b.top->mem_valid_o || b.top->bar_valid_o) << "run " << n;
    EXPECT_EQ(b.issued.size(), issued);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(SubcoreRandomTest, AluProgramsMatchTheGoldenModel) { random_runs(1, 60, false); }
TEST(SubcoreRandomTest, MemoryProgramsMatchTheGoldenModel) { random_runs(2, 60, true); }

}  // namespace
#endif
