// SPDX-License-Identifier: Apache-2.0
//
// The hazard checker and the annotator against each other: annotated code has no hazard; one stall less, one wait
// bit less, a wrong counter is a hazard, with its register and both instructions.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/ref/ref_hazard.h"
#include "toolchain/asm/wg_asm.h"
#include "toolchain/ctl/wg_annotate.h"

namespace {

const char kCode[] =
    ".kernel k\n.regs 64\n"
    "  S2R R0, SR_TID.X\n"
    "  MOV R4, 0x10\n"
    "  MOV R5, 0x0\n"
    "  IADD3 R6, R0, R4, RZ\n"
    "  ISETP.LT.AND P0, PT, R6, R4, PT\n"
    "  @P0 FADD R7, R6, R6\n"
    "  MUFU.RCP R8, R7\n"
    "  FMUL R9, R8, R7\n"
    "  MOV R8, R9\n"
    "  SHFL.BFLY P1, R10, R9, 0x1, 0x1f\n"
    "  LDG.E R12, [R4+0x0]\n"
    "  LDG.E.64 R14, [R4+0x8]\n"
    "  MOV R4, R6\n"
    "  @P1 IADD3 R16, R12, R14, R15\n"
    "  DADD R18, R14, R14\n"
    "  STG.E [R4+0x0], R16\n"
    "  IADD3 R16, R18, R10, RZ\n"
    "  IADD3 R19, R16, RZ, RZ\n"
    "  HADD2 R20, R19, R19\n"
    "  FADD R20, R20, R9\n"
    "  LDG.E R21, [R4+0x4]\n"
    "  MOV R21, 0x3\n"
    "  EXIT\n";

using Code = std::vector<wg_insn_t>;

Code Annotated(const wg_ctl_table_t &t, wg_annotate_mode_t mode) {
  wg_obj_t *o = nullptr;
  wg_diag_t d = {};
  EXPECT_EQ(wg_asm_text(kCode, "k.s", &o, &d), kWgOk) << d.msg << " line " << d.line;
  Code c;
  if (o == nullptr) return c;
  EXPECT_EQ(o->kernels[0].latency_hash, 0u);
  wg_annotate_object(o, &t, mode);
  EXPECT_EQ(o->kernels[0].latency_hash, wg_ctl_hash(&t));
  for (uint32_t i = 0; i < o->kernels[0].num_insns; i++) {
    wg_insn_t in;
    EXPECT_EQ(wg_decode(o->kernels[0].code[i], &in), kWgOk);
    c.push_back(in);
  }
  wg_obj_free(o);
  return c;
}

/** Index of the first instruction with a hazard, -1 if there is none. */
int Walk(const Code &c, const wg_ctl_table_t &t, wg_hazard_report_t *r) {
  wg_hazard_t h = {};
  int at = -1;
  for (size_t i = 0; i < c.size() && at < 0; i++) {
    if (!wg_hazard_issue(&h, &t, &c[i], uint32_t(16 * i), ~0u, ~0u, 100 + i, r)) at = int(i);
  }
  wg_hazard_free(&h);
  return at;
}

const wg_ctl_table_t kTables[] = {{{4, 4, 4}, {6, 6, 6}}, {{4, 4, 4}, {4, 4, 4}}, {{9, 5, 15}, {3, 3, 7}}};

TEST(HazardTest, AnnotatedCodeHasNone) {
  for (const wg_ctl_table_t &t : kTables) {
    for (wg_annotate_mode_t m : {kWgAnnotateTight, kWgAnnotateSafe}) {
      wg_hazard_report_t r = {};
      EXPECT_EQ(Walk(Annotated(t, m), t, &r), -1) << wg_hazard_name(r.kind) << " R" << int(r.reg) << " pc " << r.pc;
    }
  }
}

TEST(HazardTest, OneCycleLessIsFound) {
  for (const wg_ctl_table_t &t : kTables) {
    Code c = Annotated(t, kWgAnnotateTight);
    int planted = 0;
    for (size_t i = 0; i + 1 < c.size(); i++) {
      if (c[i].stall < 2) continue;
      c[i].stall--;
      wg_hazard_report_t r = {};
      int at = Walk(c, t, &r);
      c[i].stall++;
      ASSERT_GT(at, int(i)) << "a cycle less behind word " << i;
      EXPECT_TRUE(r.fixed);
      EXPECT_EQ(r.have + 1, r.need);
      EXPECT_EQ(r.pc, uint32_t(16 * at));
      EXPECT_LE(r.first_pc, 16 * i);
      EXPECT_EQ(r.first_cycle, 100 + r.first_pc / 16);
      planted++;
    }
    EXPECT_GT(planted, 5);
  }
}

TEST(HazardTest, MissingWaitIsFound) {
  Code c = Annotated(wg_ctl_any, kWgAnnotateTight);
  int found[4] = {};
  for (size_t i = 0; i < c.size(); i++) {
    for (unsigned k = 0; k < kWgCounters; k++) {
      if (!(c[i].wait_mask >> k & 1)) continue;
      c[i].wait_mask ^= uint8_t(1u << k);
      wg_hazard_report_t r = {};
      ASSERT_EQ(Walk(c, wg_ctl_any, &r), int(i)) << "wait for counter " << k << " of word " << i;
      c[i].wait_mask ^= uint8_t(1u << k);
      EXPECT_FALSE(r.fixed);
      EXPECT_EQ(r.counter, k);
      found[r.kind]++;
    }
  }
  EXPECT_GT(found[kWgHazardRaw], 3);
  EXPECT_GT(found[kWgHazardWaw], 0);
  EXPECT_GT(found[kWgHazardWar], 0);
}

TEST(HazardTest, WrongOrNoCounterIsFound) {
  Code c = Annotated(wg_ctl_any, kWgAnnotateTight);
  int planted = 0;
  for (size_t i = 0; i + 1 < c.size(); i++) {
    if (wg_ctl_write_counter(&c[i]) == kWgNoCounter) continue;
    for (unsigned wrong : {7u, 6u}) {
      uint8_t right = c[i].wr_ctr;
      c[i].wr_ctr = uint8_t(wrong);
      wg_hazard_report_t r = {};
      int at = Walk(c, wg_ctl_any, &r);
      c[i].wr_ctr = right;
      ASSERT_GT(at, int(i)) << "no counter on word " << i;
      EXPECT_EQ(r.first_pc, 16 * i);
      EXPECT_EQ(r.counter, kWgNoCounter);
      planted++;
    }
  }
  EXPECT_GE(planted, 8);
  c[6].wr_ctr = uint8_t((c[6].wr_ctr + 1) % 5); /* MUFU under a counter that nobody waits for yet */
  wg_hazard_report_t r = {};
  EXPECT_EQ(Walk(c, wg_ctl_any, &r), 7);
  EXPECT_EQ(r.kind, kWgHazardRaw);
  EXPECT_EQ(r.reg, 8);
  EXPECT_EQ(r.counter, c[6].wr_ctr);
}

TEST(HazardTest, LanesOfOtherSplitsDoNotCount) {
  Code c = Annotated(wg_ctl_any, kWgAnnotateTight);
  c[3].stall = 1; /* IADD3 R6, then a reader */
  for (bool other : {false, true}) {
    wg_hazard_t h = {};
    wg_hazard_report_t r = {};
    EXPECT_TRUE(wg_hazard_issue(&h, &wg_ctl_any, &c[3], 0, 0xffff, 0xffff, 1, &r));
    uint32_t lanes = other ? 0xffff0000u : 0x00018000u;
    EXPECT_EQ(wg_hazard_issue(&h, &wg_ctl_any, &c[4], 16, lanes, lanes, 2, &r), other);
    if (!other) EXPECT_EQ(r.lanes, 0x8000u);
    wg_hazard_free(&h);
  }
}

TEST(CtlTableTest, FollowsLanesAndExtraLatency) {
  wg_ctl_table_t t;
  wg_diag_t d = {};
  const uint32_t none[4] = {}, some[3] = {1, 2, 3}, narrow[2] = {1, 3}, much[4] = {0, 12, 0, 0};
  ASSERT_EQ(wg_ctl_table(8, none, none, &t, &d), kWgOk);
  EXPECT_EQ(wg_ctl_hash(&t), wg_ctl_hash(&wg_ctl_any));
  ASSERT_EQ(wg_ctl_table(16, none, some, &t, &d), kWgOk);
  EXPECT_EQ(t.result[0], 5);
  EXPECT_EQ(t.result[1], 6);
  EXPECT_EQ(t.result[2], 7);
  EXPECT_EQ(t.pred[0], 5);
  EXPECT_EQ(t.pred[2], 7);
  EXPECT_NE(wg_ctl_hash(&t), wg_ctl_hash(&wg_ctl_any));
  ASSERT_EQ(wg_ctl_table(32, narrow, none, &t, &d), kWgOk);
  EXPECT_EQ(t.result[0], 4);
  EXPECT_EQ(t.pred[0], 4);
  EXPECT_EQ(t.pred[2], 6);
  EXPECT_EQ(wg_ctl_table(16, none, much, &t, &d), kWgBadInput);
  EXPECT_NE(std::string(d.msg).find("12 cycles"), std::string::npos) << d.msg;
}

}  // namespace
