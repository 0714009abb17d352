// SPDX-License-Identifier: Apache-2.0
//
// Proof of livelocks on blocks of the golden model: what spins for ever is found, what might end is not.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "model/ref/wg_ref_spin.h"
#include "testbench/unit/ref/program.h"

namespace {

using wgtest::Memory;
using wgtest::Program;

constexpr unsigned kEq = 2, kNe = 5; /* group ICMP */

class Block {
 public:
  Block(const Program &p, uint32_t threads, bool its) : mem_(65536) {
    auto w = p.Words();
    std::memcpy(&mem_.bytes[4096], w.data(), w.size() * sizeof w[0]);
    ops_ = mem_.Ops();
    place_.nsmid = 1;
    place_.nwarpid = 8;
    code_ = wg_ref_code_new(&ops_, Memory::kBase + 4096);
    wg_cta_launch_t cta = {};
    cta.ntid[0] = threads;
    cta.ntid[1] = cta.ntid[2] = cta.nctaid[0] = cta.nctaid[1] = cta.nctaid[2] = 1;
    cta.regs_per_thread = 8;
    cta.shared_bytes = 256;
    block_ = wg_ref_block_new(&cta, code_, &ops_, &place_);
    wg_diverge_cfg_t d = {its, kWgSplitH200, 0};
    wg_ref_block_diverge(block_, &d);
  }
  ~Block() {
    wg_ref_block_free(block_);
    wg_ref_code_free(code_);
  }
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;
  wg_ref_state_t Run(uint64_t insts) {
    wg_fault_t f;
    return wg_ref_block_run(block_, insts, &totals_, &f);
  }
  /** A window of about `insts` instructions: is it proved that the block spins? */
  bool Spins(uint64_t insts) {
    wg_ref_block_spin_begin(block_);
    EXPECT_EQ(Run(insts), kWgRefRunning);
    bool any = false;
    return wg_ref_block_spins(block_, &any) && any;
  }
  std::string Text() {
    wg_spin_report_t r = {};
    wg_ref_block_spin_text(block_, &r);
    return r.text;
  }

 private:
  Memory mem_;
  wg_ref_mem_t ops_{};
  wg_ref_code_t *code_ = nullptr;
  wg_ref_place_t place_{};
  wg_ref_totals_t totals_{};
  wg_ref_block_t *block_ = nullptr;
};

/** Lane 0 falls through into a loop on the shared word at 0, the others are to set it behind the branch. */
Program Flag() {
  Program p;
  p.S2r(1, kWgSrLaneId);          // 0
  p.IsetpImm(0, kNe, 1, 0);       // 1
  p.Branch(6, 0);                 // 2
  p.Load(kWgOp_LDS, 2, kWgRZ);    // 3
  p.IsetpImm(1, kEq, 2, 0);       // 4
  p.Add(kWgOp_YIELD);             // 5, and the branch below at 6 is the others' way too: they find P1 false
  p.Branch(3, 1);                 // 6
  p.Store(kWgOp_STS, kWgRZ, 1);   // 7
  p.Exit();                       // 8
  return p;
}

TEST(Spin, LaneThatWaitsForASuspendedOne) {
  Block b(Flag(), 32, false);
  b.Run(64);
  EXPECT_TRUE(b.Spins(4096));
  EXPECT_EQ(b.Text(), "block (0,0,0) warp 0: lanes 0x1 spin at pc 0x30 to pc 0x60 on shared memory 0x0, "
                      "lanes 0xfffffffe wait at pc 0x60");
}

TEST(Spin, IndependentLanesEnd) {
  Block b(Flag(), 32, true);
  EXPECT_EQ(b.Run(4096), kWgRefEnded);
}

TEST(Spin, TooShortAWindowProvesNothing) {
  Block b(Flag(), 64, false); /* the second warp is not looked at before the first one's 4,096 instructions */
  EXPECT_FALSE(b.Spins(100));
  EXPECT_FALSE(b.Spins(9000)); /* it came to its loop */
  EXPECT_TRUE(b.Spins(9000));
}

/** A loop over `body`; the word at 0 is never set. */
template <typename Body>
Program Loop(Body body) {
  Program p;
  p.MovImm(3, 0);
  unsigned top = p.size();
  body(&p);
  p.Load(kWgOp_LDS, 2, kWgRZ);
  p.IsetpImm(1, kEq, 2, 0);
  p.Branch(top, 1);
  p.Exit();
  return p;
}

bool LoopSpins(const Program &p, bool its) {
  Block b(p, 64, its);
  b.Run(16);
  b.Spins(9000);
  return b.Spins(9000);
}

TEST(Spin, WhatALoopMayDo) {
  for (bool its : {false, true}) {
    auto spins = [&](auto body) { return LoopSpins(Loop(body), its); };
    EXPECT_TRUE(spins([](Program *) {}));
    EXPECT_TRUE(spins([](Program *p) { p->Store(kWgOp_STS, kWgRZ, kWgRZ, 64); })) << "stores what is there";
    EXPECT_TRUE(spins([](Program *p) {  // a state of two turns
      wg_insn_t &i = p->Add(kWgOp_LOP3);
      i.rd = i.ra = 3;
      i.form = kWgFormImm;
      i.imm = 1;
      i.mods = 0x3c; /* a ^ b */
    }));
    EXPECT_FALSE(spins([](Program *p) { p->IaddImm(3, 3, 1); })) << "counts: a bound may come";
    EXPECT_FALSE(spins([](Program *p) {
      p->IaddImm(3, 3, 1);
      p->Store(kWgOp_STS, kWgRZ, 3, 64);
    })) << "changes memory";
    EXPECT_FALSE(spins([](Program *p) { p->S2r(4, kWgSrClockLo); })) << "reads a clock";
    EXPECT_FALSE(spins([](Program *p) { p->Bar(0); })) << "meets others";
    EXPECT_EQ(spins([](Program *p) {
                wg_insn_t &i = p->Add(kWgOp_SHFL);
                i.rd = 4;
                i.ra = 3;
                i.form = kWgFormImm;
                i.imm = 1;
              }),
              !its)
        << "other lanes' values: only with the warp as a whole";
  }
}

TEST(Spin, AWarpAtABarrierWaitsToo) {
  Program p;
  p.S2r(1, kWgSrTidX);
  p.IsetpImm(0, kNe, 1, 0);
  unsigned top = p.size() + 2;
  p.Branch(top + 3, 0);
  p.MovImm(3, 0);
  p.Load(kWgOp_LDS, 2, kWgRZ);  // lane 0 of warp 0
  p.IsetpImm(1, kEq, 2, 0);
  p.Branch(top, 1);
  p.Bar(0);
  p.Exit();
  Block b(p, 64, true);
  b.Run(64);
  b.Spins(9000);
  EXPECT_TRUE(b.Spins(9000));
  EXPECT_NE(b.Text().find("warp 0: lanes 0x1 spin"), std::string::npos) << b.Text();
  EXPECT_EQ(b.Text().find("warp 1"), std::string::npos) << b.Text();
}

}  // namespace
