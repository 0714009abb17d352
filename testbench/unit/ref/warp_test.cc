// SPDX-License-Identifier: Apache-2.0
//
// One warp of the golden model: special registers, guards, which results an instruction writes, the width of loads; and
// the layout of constant bank 0.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "testbench/unit/ref/program.h"

namespace {

using wgtest::Memory;
using wgtest::Program;

class Warp : public ::testing::Test {
 protected:
  // Steps one instruction on a warp of 32 registers whose rows hold 100 * register + lane.
  void Step(const wg_insn_t &in, uint32_t present = UINT32_MAX) {
    cta_ = {};
    cta_.ntid[0] = 7;
    cta_.ntid[1] = 5;
    cta_.ntid[2] = 3;
    cta_.ctaid[0] = 11;
    cta_.ctaid[1] = 12;
    cta_.ctaid[2] = 13;
    cta_.grid_id = 14;
    insn_ = {};
    insn_.word = wg_encode(&in);
    ASSERT_EQ(wg_decode(insn_.word, &insn_.in), kWgOk);
    insn_.regs = wg_insn_regs(&insn_.in);
    w_.reg = rows_;
    w_.num_regs = 32;
    w_.warp = 2;
    w_.cta = &cta_;
    wg_ref_warp_init(&w_, 0, present);
    w_.pred[0] = 0x0000ff00;
    for (unsigned r = 0; r < 32; r++)
      for (unsigned l = 0; l < 32; l++) rows_[r][l] = 100 * r + l;
    wg_ref_issue(&w_, &insn_, &st_);
    ASSERT_EQ(st_.fault, kWgFaultNone);
  }
  wg_insn_t S2r(unsigned sr) {
    wg_insn_t i = wg_insn_default(kWgOp_S2R);
    i.rd = 4;
    i.imm = sr;
    return i;
  }
  wg_cta_launch_t cta_{};
  wg_ref_insn_t insn_{};
  wg_ref_warp_t w_{};
  wg_ref_step_t st_{};
  uint32_t rows_[32][32];
};

TEST_F(Warp, SpecialRegisters) {
  for (unsigned l = 0; l < 32; l++) {
    uint32_t t = 64 + l, lt = 0, gt = 0;
    for (unsigned k = 0; k < 32; k++) {
      if (k < l) lt |= 1u << k;
      if (k > l) gt |= 1u << k;
    }
    const std::pair<unsigned, uint32_t> want[] = {{kWgSrTidX, t % 7},
                                                  {kWgSrTidY, t / 7 % 5},
                                                  {kWgSrTidZ, t / 35},
                                                  {kWgSrCtaidX, 11},
                                                  {kWgSrCtaidY, 12},
                                                  {kWgSrCtaidZ, 13},
                                                  {kWgSrLaneId, l},
                                                  {kWgSrGridIdLo, 14},
                                                  {kWgSrLaneMaskEq, 1u << l},
                                                  {kWgSrLaneMaskLt, lt},
                                                  {kWgSrLaneMaskLe, lt | 1u << l},
                                                  {kWgSrLaneMaskGt, gt},
                                                  {kWgSrLaneMaskGe, gt | 1u << l},
                                                  {200, 0}};
    for (auto [sr, v] : want) {
      Step(S2r(sr));
      EXPECT_EQ(rows_[4][l], v) << "sr " << sr << " lane " << l;
      EXPECT_EQ(st_.kind, kWgRefDone);
    }
  }
  Step(S2r(kWgSrClockLo));
  EXPECT_EQ(st_.kind, kWgRefSreg);
}

TEST_F(Warp, GuardAndTailLanes) {
  wg_insn_t i = wg_insn_default(kWgOp_MOV);
  i.rd = 5;
  i.form = kWgFormImm;
  i.imm = 77;
  i.guard = 0;
  Step(i, 0x0fff0fff);
  EXPECT_EQ(st_.exec, 0x00000f00u);
  for (unsigned l = 0; l < 32; l++) EXPECT_EQ(rows_[5][l], 0xf00u >> l & 1 ? 77 : 500 + l);
  i.guard_not = true;
  Step(i, 0x0fff0fff);
  EXPECT_EQ(st_.exec, 0x0fff00ffu);
  EXPECT_EQ(w_.div.pc, 16u);
}

TEST_F(Warp, ResultsAnInstructionHas) {
  struct Row {
    uint8_t op;
    bool d, p0, p1;
  };
  for (Row r :
       {Row{kWgOp_MOV, true, false, false}, Row{kWgOp_IADD3, true, true, false}, Row{kWgOp_IMAD, true, false, false},
        Row{kWgOp_ISETP, false, true, true}, Row{kWgOp_LOP3, true, true, false}, Row{kWgOp_SHF, true, false, false},
        Row{kWgOp_PRMT, true, false, false}, Row{kWgOp_SEL, true, false, false}, Row{kWgOp_IMNMX, true, false, false},
        Row{kWgOp_FSETP, false, true, true}, Row{kWgOp_FMNMX, true, false, false}, Row{kWgOp_FCHK, false, true, false},
        Row{kWgOp_PLOP3, false, true, true}, Row{kWgOp_FADD, true, false, false}, Row{kWgOp_FMUL, true, false, false},
        Row{kWgOp_FFMA, true, false, false}, Row{kWgOp_SHFL, true, true, false}}) {
    wg_insn_t i = wg_insn_default(r.op);
    i.rd = 6;
    Step(i);
    EXPECT_EQ(st_.out.wr, r.d) << int(r.op);
    EXPECT_EQ(st_.out.wr_p0, r.p0) << int(r.op);
    EXPECT_EQ(st_.out.wr_p1, r.p1) << int(r.op);
  }
}

TEST_F(Warp, PredicatesAreWrittenInExecutingLanes) {
  wg_insn_t i = wg_insn_default(kWgOp_FSETP);
  i.mods = 15;  // .T
  i.pd0 = 1;
  i.pd1 = 2;
  i.guard = 0;
  Step(i);
  EXPECT_EQ(w_.pred[1], 0x0000ff00u);
  EXPECT_EQ(w_.pred[2], 0u);
  i.mods = 0;  // .F
  Step(i);
  EXPECT_EQ(w_.pred[1], 0u);
  EXPECT_EQ(w_.pred[2], 0x0000ff00u);
  EXPECT_EQ(w_.pred[kWgPT], UINT32_MAX);
}

TEST_F(Warp, MinMaxFlushes) {
  wg_insn_t i = wg_insn_default(kWgOp_FMNMX);
  i.rd = 6;
  i.ra = 8;
  i.rb = 255;  // +0
  i.ps0_not = true;
  Step(i);     // max of a denormal and zero
  EXPECT_EQ(rows_[6][3], 803u);
  i.mods = 1u << kWgModLsb_FTZ;
  Step(i);
  EXPECT_EQ(rows_[6][3], 0u);
}

TEST_F(Warp, LoadsWriteTheirWordsOnly) {
  Memory mem(1024);
  for (unsigned k = 0; k < 256; k++) mem.SetWord(k, 0xa0000000u + k);
  wg_ref_mem_t ops = mem.Ops();
  for (unsigned size : {0u, 2u, 4u, 5u, 6u}) {
    wg_insn_t i = wg_insn_default(kWgOp_LDG);
    i.mods = static_cast<uint16_t>(size);
    i.rd = 8;  // the address operand is RZ; real addresses are set below
    Step(i);
    for (unsigned l = 0; l < 32; l++) st_.addr[l] = Memory::kBase + 16 * l;
    ASSERT_EQ(wg_ref_memory(&w_, &st_, 0x00ffff00, nullptr, &ops), kWgFaultNone);
    unsigned words = size == 6 ? 4 : size == 5 ? 2 : 1;
    for (unsigned k = 0; k < 5; k++) {
      for (unsigned l = 0; l < 32; l++) {
        uint32_t raw = 0xa0000000u + 4 * l + k, value = size == 0 ? raw & 0xff : size == 2 ? raw & 0xffff : raw;
        EXPECT_EQ(rows_[8 + k][l], k < words && 0x00ffff00u >> l & 1 ? value : 100 * (8 + k) + l)
            << size << " " << k << " " << l;
      }
    }
  }
}

TEST(Bank0, Layout) {
  wg_cta_launch_t c = {};
  for (uint32_t i = 0; i < 3; i++) {
    c.ntid[i] = 1 + i;
    c.nctaid[i] = 11 + i;
  }
  c.local_bytes = 40;
  c.grid_id = 9;
  std::vector<uint8_t> bank(kWgParamBase + 5, 0xee);
  const uint8_t params[5] = {1, 2, 3, 4, 5};
  wg_ref_bank0(&c, 128, 256, params, 5, bank.data());
  auto word = [&](size_t at) {
    uint32_t v;
    std::memcpy(&v, &bank[at], 4);
    return v;
  };
  const std::pair<size_t, uint32_t> want[] = {{0x00, 1},   {0x04, 2},   {0x08, 3},  {0x0c, 11}, {0x10, 12}, {0x14, 13},
                                              {0x18, 256}, {0x1c, 128}, {0x20, 40}, {0x38, 9},  {0x3c, 0},  {0x100, 0}};
  for (auto [at, v] : want) EXPECT_EQ(word(at), v) << at;
  EXPECT_EQ(std::memcmp(&bank[kWgParamBase], params, 5), 0);
}

}  // namespace
