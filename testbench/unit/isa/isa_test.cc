// SPDX-License-Identifier: Apache-2.0
//
// Instruction word: exact layout, round trip, refusals, registers touched; isagen's checks of the table.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

extern "C" {
#include "isa/isagen_check.h"
#include "isa/wg_cfg.h"
}

namespace {

wg_insn_t Decode(wg_word_t w) {
  wg_insn_t in;
  EXPECT_EQ(wg_decode(w, &in), kWgOk);
  return in;
}

wg_status_t Try(const wg_insn_t &in) {
  wg_insn_t out;
  return wg_decode(wg_encode(&in), &out);
}

// Bits placed by hand from isa/README.md, "The word".
TEST(IsaTest, FieldPlaces) {
  wg_insn_t in = wg_insn_default(kWgOp_FFMA);
  in.guard = 2;
  in.guard_not = true;
  in.rd = 0x12;
  in.ra = 0x34;
  in.rb = 0x56;
  in.rc = 0x78;
  in.mods = 0x0045;
  in.stall = 3;
  in.yield = 1;
  in.wr_ctr = 4;
  in.rd_ctr = 5;
  in.wait_mask = 0x2a;
  wg_word_t w = wg_encode(&in);
  EXPECT_EQ(w.lo, 0x0000005634120a22ULL);
  EXPECT_EQ(w.hi, 0x2a54130045777778ULL);
}

TEST(IsaTest, ConstantAndImmediate) {
  wg_insn_t in = wg_insn_default(kWgOp_MOV);
  in.rd = 1;
  in.form = kWgFormConst;
  in.cbank = 31;
  in.coff = 0x160;
  EXPECT_EQ(wg_encode(&in).lo, 0x001f0160ff012710ULL);
  in.form = kWgFormImm;
  in.imm = 0xdeadbeef;
  EXPECT_EQ(wg_encode(&in).lo, 0xdeadbeefff011710ULL);
}

TEST(IsaTest, PredicatesAndBarrier) {
  wg_insn_t in = wg_insn_default(kWgOp_ISETP);
  in.pd0 = 1;
  in.pd1 = 2;
  in.ps0 = 3;
  in.ps0_not = true;
  in.ps1 = 4;
  EXPECT_EQ(wg_encode(&in).hi >> 8 & 0xffff, 0x4b21u);
  wg_insn_t b = wg_insn_default(kWgOp_BSSY);
  b.breg = 13;
  EXPECT_EQ(wg_encode(&b).hi >> 20 & 15, 13u);
}

TEST(IsaTest, RandomWordsRoundTrip) {
  std::mt19937_64 rng(1);
  size_t n;
  const wg_insn_info_t *t = wg_insn_table(&n);
  for (size_t i = 0; i < n; i++) {
    int ok = 0;
    for (int k = 0; k < 20000; k++) {
      wg_word_t w = {rng(), rng()};
      w.lo = (w.lo & ~0xf0ffULL) | t[i].opcode | (rng() % 3) << 12;
      if (rng() % 2) w.hi &= ~(0xffffULL << 24) | (rng() & rng() & 0xffffULL << 24);
      if (rng() % 4 == 0) w.hi &= ~(0xffffULL << 24);
      if (rng() % 4 == 0) w.lo &= ~0xf000ULL;
      wg_insn_t a, b;
      if (wg_decode(w, &a) != kWgOk) continue;
      ok++;
      wg_word_t c = wg_encode(&a);
      ASSERT_EQ(wg_decode(c, &b), kWgOk) << t[i].id;
      wg_word_t d = wg_encode(&b);
      ASSERT_EQ(c.lo, d.lo) << t[i].id;
      ASSERT_EQ(c.hi, d.hi) << t[i].id;
    }
    EXPECT_GT(ok, 10) << t[i].id << ": the sample holds too few legal words";
  }
}

TEST(IsaTest, UndefinedWordsAreRefused) {
  wg_insn_t out;
  EXPECT_EQ(wg_decode({0, 0}, &out), kWgBadInput) << "zeroed memory";
  EXPECT_EQ(wg_decode({0xff, 0}, &out), kWgBadInput);
  wg_insn_t in = wg_insn_default(kWgOp_MOV);
  in.form = 3;
  EXPECT_EQ(Try(in), kWgBadInput);
  in = wg_insn_default(kWgOp_EXIT);
  in.form = kWgFormImm;
  EXPECT_EQ(Try(in), kWgBadInput) << "EXIT has no b";
  in = wg_insn_default(kWgOp_SHFL);
  in.form = kWgFormConst;
  EXPECT_EQ(Try(in), kWgBadInput) << "SHFL takes no constant";
  in = wg_insn_default(kWgOp_MOV);
  in.mods = 1;
  EXPECT_EQ(Try(in), kWgBadInput) << "a modifier bit outside the groups";
  in = wg_insn_default(kWgOp_IMAD);
  in.mods = 3;
  EXPECT_EQ(Try(in), kWgBadInput) << "IMADK 3";
  in = wg_insn_default(kWgOp_MUFU);
  in.mods = 10;
  EXPECT_EQ(Try(in), kWgBadInput) << "MUFU has ten functions";
  in.mods = 4;
  EXPECT_EQ(Try(in), kWgOk) << "MUFU.RCP is";
  in = wg_insn_default(kWgOp_BAR);
  in.mods = 3 << 2;
  EXPECT_EQ(Try(in), kWgBadInput) << "BARCNT 3";
}

TEST(IsaTest, IgnoredFieldsAreNormalised) {
  wg_insn_t in = wg_insn_default(kWgOp_EXIT);
  wg_word_t w = wg_encode(&in);
  w.lo |= 0x12345678ULL << 32;
  w.lo &= ~(0xffULL << 16);
  w.hi &= ~0xffULL;
  wg_insn_t out = Decode(w);
  EXPECT_EQ(out.rd, kWgRZ);
  EXPECT_EQ(out.rc, kWgRZ);
  EXPECT_EQ(out.imm, 0u);
}

TEST(IsaTest, PairsAndQuads) {
  wg_insn_t in = wg_insn_default(kWgOp_LDG);
  in.rd = 4;
  in.ra = 2;
  in.mods = 6;  // 128 bits
  EXPECT_EQ(Try(in), kWgOk);
  wg_regset_t r = wg_insn_regs(&in);
  EXPECT_EQ(r.first[0], 2);
  EXPECT_EQ(r.count[0], 2);
  EXPECT_EQ(r.first[4], 4);
  EXPECT_EQ(r.count[4], 4);
  EXPECT_EQ(wg_insn_bytes(&in), 16u);
  in.rd = 6;
  EXPECT_EQ(Try(in), kWgBadInput);
  in.rd = 252;
  EXPECT_EQ(Try(in), kWgBadInput) << "R252..R255 holds RZ";
  in.rd = 248;
  EXPECT_EQ(Try(in), kWgOk);
  in.rd = kWgRZ;
  EXPECT_EQ(Try(in), kWgOk);
  EXPECT_EQ(wg_insn_regs(&in).count[4], 0);
  in.ra = 3;
  EXPECT_EQ(Try(in), kWgBadInput) << "odd address pair";
  in.ra = 254;
  EXPECT_EQ(Try(in), kWgBadInput);
  in.ra = kWgRZ;
  EXPECT_EQ(Try(in), kWgOk);

  in = wg_insn_default(kWgOp_LDS);
  in.rd = 3;
  in.ra = 3;
  in.mods = 4;
  EXPECT_EQ(Try(in), kWgOk) << "shared addresses are one register";
  EXPECT_EQ(wg_insn_regs(&in).count[0], 1);

  in = wg_insn_default(kWgOp_STS);
  in.ra = 1;
  in.rc = 6;
  in.mods = 5;
  r = wg_insn_regs(&in);
  EXPECT_EQ(r.count[2], 0);
  EXPECT_EQ(r.first[3], 6);
  EXPECT_EQ(r.count[3], 2);
  EXPECT_EQ(r.count[4], 0);
  in.rc = 7;
  EXPECT_EQ(Try(in), kWgBadInput);

  in = wg_insn_default(kWgOp_IMAD);
  in.rd = 2;
  in.ra = 9;
  in.rb = 11;
  in.rc = 4;
  in.mods = 2;
  r = wg_insn_regs(&in);
  EXPECT_EQ(r.count[0], 1);
  EXPECT_EQ(r.count[1], 1);
  EXPECT_EQ(r.count[2], 2);
  EXPECT_EQ(r.count[4], 2);
  in.rc = 5;
  EXPECT_EQ(Try(in), kWgBadInput);
  in.mods = 0;
  EXPECT_EQ(Try(in), kWgOk);
  EXPECT_EQ(wg_insn_regs(&in).count[2], 1);
}

TEST(IsaTest, OptionalRegisters) {
  wg_insn_t in = wg_insn_default(kWgOp_SHFL);
  in.rd = 1;
  in.ra = 2;
  in.rb = 3;
  in.rc = 4;
  wg_regset_t r = wg_insn_regs(&in);
  EXPECT_EQ(r.count[1], 1);
  EXPECT_EQ(r.count[2], 1);
  in.form = kWgFormImm;
  in.mods = 1 << kWgModLsb_CIMM;
  in.imm = 31 | 0x1f << 8;
  r = wg_insn_regs(&in);
  EXPECT_EQ(r.count[1], 0);
  EXPECT_EQ(r.count[2], 0);
  EXPECT_EQ(wg_encode(&in).lo >> 32, 0x1f1fu);
  in = wg_insn_default(kWgOp_BAR);
  in.form = kWgFormImm;
  in.imm = 0xffff0000u | 64u << 16 | 5u;
  EXPECT_EQ(wg_encode(&in).lo >> 32, 5u) << "no count: its bits are not encoded";
  in.imm = 64u << 16 | 5u;
  in.mods = 1 << kWgModLsb_BARCNT;
  EXPECT_EQ(wg_encode(&in).lo >> 32, 0x00400005u);
  in.imm = 0xf0400005u;
  EXPECT_EQ(wg_encode(&in).lo >> 32, 0x00400005u) << "the count has 12 bits";
  in.mods = 2 << kWgModLsb_BARCNT;
  in.rc = 9;
  EXPECT_EQ(wg_insn_regs(&in).first[2], 9);
}

TEST(IsaTest, Info) {
  EXPECT_TRUE(wg_insn_info(kWgOp_FFMA)->defined);
  EXPECT_STREQ(wg_insn_info(kWgOp_FFMA)->mnemonic, "FFMA");
  EXPECT_FALSE(wg_insn_info(0xee)->defined);
}

TEST(CfgTest, NamesAndShapes) {
  EXPECT_STREQ(wg_reason_name(kWgReasonDepLong), "long dependence");
  EXPECT_STREQ(wg_reason_name(99), "?");
  EXPECT_STREQ(wg_sreg_name(kWgSrTidX), "SR_TID.X");
  EXPECT_EQ(wg_fault_cuda(kWgFaultMisaligned), 716u);
  EXPECT_EQ(wg_policy_find("gto"), kWgPolicyGto);
  EXPECT_EQ(wg_policy_find("none such"), -1);
  ASSERT_NE(wg_shape_find("sm16"), nullptr);
  EXPECT_EQ(wg_shape_find("sm16")->sub_cores, 4u);
  EXPECT_EQ(wg_shape_find("x"), nullptr);
}

// A table of two entries that each test breaks in one way.
class IsagenTest : public testing::Test {
 protected:
  wg_insn_info_t insns[2] = {{"ONE", "ONE", "D,A,B", "M1,K1", "WR", "", 1, 0, true},
                             {"TWO", "TWO", "D,p", "M2", "", "", 2, 0, true}};
  wg_mod_info_t mods[2] = {{"M1", "|.A", 0, 1}, {"M2", "|.B|.C|?", 4, 2}};
  wg_mark_info_t marks[1] = {{"K1", 3, 'A', '-'}};
  wg_diag_t d = {};
  wg_status_t Check() {
    wg_isagen_tables_t t = {insns, 2, mods, 2, marks, 1};
    return wg_isagen_check(&t, &d);
  }
};

TEST_F(IsagenTest, AcceptsGoodTables) {
  EXPECT_EQ(Check(), kWgOk) << d.msg;
  size_t n, m, k;
  wg_isagen_tables_t t = {wg_insn_table(&n), 0, wg_mod_table(&m), 0, wg_mark_table(&k), 0};
  t.num_insns = n, t.num_mods = m, t.num_marks = k;
  EXPECT_EQ(wg_isagen_check(&t, &d), kWgOk) << d.msg;
}
TEST_F(IsagenTest, DuplicateOpcode) {
  insns[1].opcode = 1;
  EXPECT_EQ(Check(), kWgBadInput);
  EXPECT_NE(strstr(d.msg, "opcode"), nullptr);
}
TEST_F(IsagenTest, DuplicateName) {
  insns[1].mnemonic = "ONE";
  EXPECT_EQ(Check(), kWgBadInput);
}
TEST_F(IsagenTest, OverlappingModifiers) {
  mods[0].lsb = 3;
  EXPECT_EQ(Check(), kWgBadInput);
  EXPECT_NE(strstr(d.msg, "overlaps"), nullptr) << d.msg;
}
TEST_F(IsagenTest, UnknownLetter) {
  insns[0].operands = "D,Z";
  insns[0].mods = "M1";
  EXPECT_EQ(Check(), kWgBadInput);
  EXPECT_NE(strstr(d.msg, "'Z'"), nullptr) << d.msg;
}
TEST_F(IsagenTest, UnknownModifier) {
  insns[1].mods = "M3";
  EXPECT_EQ(Check(), kWgBadInput);
  EXPECT_NE(strstr(d.msg, "'M3'"), nullptr) << d.msg;
}
TEST_F(IsagenTest, OperandsThatShareBits) {
  insns[0].operands = "A,B,T";
  EXPECT_EQ(Check(), kWgBadInput);
  EXPECT_NE(strstr(d.msg, "bit 32"), nullptr) << d.msg;
}
TEST_F(IsagenTest, MarkWithoutOperand) {
  insns[0].operands = "D,B";
  EXPECT_EQ(Check(), kWgBadInput);
}
TEST_F(IsagenTest, WrongNumberOfNames) {
  mods[1].names = "|.B|.C";
  EXPECT_EQ(Check(), kWgBadInput);
}
TEST_F(IsagenTest, ModifierBeyondSixteenBits) {
  mods[1].lsb = 15;
  EXPECT_EQ(Check(), kWgBadInput);
}

}  // namespace
