// SPDX-License-Identifier: Apache-2.0
//
// The `func` SM back end through its port, on a device memory with allocations.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/sm/sm_func.h"
#include "testbench/unit/ref/program.h"

namespace {

using wgtest::Program;

class SmFunc : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(wg_store_create(&store_, nullptr), kWgOk);
    wg_sm_func_cfg_t cfg = {};
    cfg.mem = wg_sm_func_store_mem(store_);
    cfg.block_cycles = 10;
    ASSERT_EQ(wg_sm_func_create(wg_shape_find("tiny"), &cfg, &sm_, nullptr), kWgOk);
    sm_cfg_.warp_slots = 8;
    sm_cfg_.block_slots = 4;
    sm_cfg_.nsmid = 1;
    ASSERT_EQ(sm_->ops->reset(sm_, &sm_cfg_, nullptr), kWgOk);
    ASSERT_EQ(wg_store_alloc(store_, 1024, &out_, nullptr), kWgOk);
  }
  void TearDown() override {
    sm_->ops->destroy(sm_);
    wg_store_destroy(store_);
  }

  void Load(const Program &p) {
    auto w = p.Words();
    uint64_t code, bank;
    ASSERT_EQ(wg_store_alloc_driver(store_, w.size() * 16, 128, &code, nullptr), kWgOk);
    wg_store_poke(store_, code, w.data(), w.size() * 16);
    cta_ = {};
    cta_.ntid[0] = 64;
    cta_.ntid[1] = cta_.ntid[2] = 1;
    cta_.nctaid[0] = 8;
    cta_.nctaid[1] = cta_.nctaid[2] = 1;
    cta_.regs_per_thread = 16;
    cta_.code_base = code;
    std::vector<uint8_t> b0(kWgParamBase + 8);
    wg_ref_bank0(&cta_, 0, 0, reinterpret_cast<const uint8_t *>(&out_), 8, b0.data());
    ASSERT_EQ(wg_store_alloc_driver(store_, b0.size(), 256, &bank, nullptr), kWgOk);
    wg_store_poke(store_, bank, b0.data(), b0.size());
    cta_.const_base[0] = bank;
    cta_.const_size[0] = static_cast<uint32_t>(b0.size());
  }
  void Launch(uint32_t x) {
    ASSERT_TRUE(sm_->ops->can_launch(sm_));
    cta_.ctaid[0] = x;
    sm_->ops->launch(sm_, &cta_);
  }
  // Ticks until n blocks are done; -1 if that takes more than 1000 cycles.
  int RunUntilDone(unsigned n, std::vector<wg_cta_done_t> *done) {
    for (int c = 1; c <= 1000; c++) {
      sm_->ops->tick(sm_, 0, false);
      wg_cta_done_t d;
      while (sm_->ops->pop_done(sm_, &d)) done->push_back(d);
      if (done->size() >= n) return c;
    }
    return -1;
  }
  uint32_t Word(unsigned i) {
    uint32_t v;
    wg_store_peek(store_, out_ + 4 * i, &v, 4);
    return v;
  }

  wg_store_t *store_ = nullptr;
  wg_sm_t *sm_ = nullptr;
  wg_sm_cfg_t sm_cfg_ = {};
  wg_cta_launch_t cta_ = {};
  uint64_t out_ = 0;
};

TEST_F(SmFunc, BlocksRunAndFreeTheirSlots) {
  Program p;
  p.S2r(0, kWgSrCtaidX);
  p.MovConst(4, 0, kWgParamBase);
  p.MovConst(5, 0, kWgParamBase + 4);
  p.ImadWide(2, 0, 4, 4);
  p.IaddImm(6, 0, 7);
  p.Store(kWgOp_STG, 2, 6);
  p.Exit();
  Load(p);
  for (uint32_t i = 0; i < 4; i++) Launch(i);
  EXPECT_FALSE(sm_->ops->can_launch(sm_));
  std::vector<wg_cta_done_t> done;
  EXPECT_EQ(RunUntilDone(4, &done), 10);
  for (uint32_t i = 0; i < 4; i++) {
    EXPECT_EQ(done[i].block_slot, i);
    EXPECT_EQ(done[i].ctaid[0], i);
    EXPECT_EQ(Word(i), i + 7);
  }
  Launch(5);
  done.clear();
  EXPECT_EQ(RunUntilDone(1, &done), 10);
  EXPECT_EQ(done[0].block_slot, 0);
  EXPECT_EQ(wg_sm_func_totals(sm_).warp_insts, 5u * 2 * 7);
  wg_mem_req_t req;
  EXPECT_FALSE(sm_->ops->pop_req(sm_, &req));
}

// The first block waits for a flag that the second one sets.
TEST_F(SmFunc, BlocksThatWaitForEachOtherEnd) {
  Program p;
  p.MovConst(4, 0, kWgParamBase);      // 0
  p.MovConst(5, 0, kWgParamBase + 4);  // 1
  p.S2r(0, kWgSrCtaidX);               // 2
  p.IsetpImm(0, 2, 0, 0);              // 3: P0 = block 0
  p.Branch(7, 0);                      // 4
  p.Store(kWgOp_STG, 4, 0);            // 5: flag = 1
  p.Exit();                            // 6
  p.Load(kWgOp_LDG, 6, 4);             // 7
  p.IsetpImm(1, 2, 6, 0);              // 8
  p.Branch(7, 1);                      // 9
  p.Exit();
  Load(p);
  Launch(0);
  Launch(1);
  std::vector<wg_cta_done_t> done;
  EXPECT_GT(RunUntilDone(2, &done), 0);
}

TEST_F(SmFunc, FaultIsReportedAndKillDrains) {
  Program p;
  p.MovConst(4, 0, kWgParamBase);
  p.MovConst(5, 0, kWgParamBase + 4);
  p.Load(kWgOp_LDG, 6, 4, 4096);  // behind the allocation
  p.Exit();
  Load(p);
  Launch(0);
  Launch(1);
  wg_fault_t f;
  EXPECT_FALSE(sm_->ops->pop_fault(sm_, &f));
  sm_->ops->tick(sm_, 0, false);
  ASSERT_TRUE(sm_->ops->pop_fault(sm_, &f));
  EXPECT_EQ(f.code, kWgFaultIllegalAddr);
  EXPECT_EQ(f.addr, out_ + 4096);
  EXPECT_EQ(f.pc, 32u);
  sm_->ops->tick(sm_, 0, true);
  wg_cta_done_t d;
  EXPECT_TRUE(sm_->ops->pop_done(sm_, &d));
  EXPECT_TRUE(sm_->ops->pop_done(sm_, &d));
  EXPECT_FALSE(sm_->ops->pop_done(sm_, &d));
  ASSERT_EQ(sm_->ops->reset(sm_, &sm_cfg_, nullptr), kWgOk);
  EXPECT_TRUE(sm_->ops->can_launch(sm_));
}

TEST_F(SmFunc, DeadlockIsIdleAndNamed) {
  Program p;
  p.S2r(0, kWgSrTidX);
  p.IsetpImm(0, 1, 0, 32);
  p.Branch(4, 0);
  p.Bar(1);
  p.Bar(2);
  p.Exit();
  Load(p);
  Launch(3);
  std::vector<wg_cta_done_t> done;
  EXPECT_EQ(RunUntilDone(1, &done), -1);
  wg_sm_activity_t a = sm_->ops->activity(sm_);
  EXPECT_GT(a.idle, 900u);
  char buf[256];
  EXPECT_NE(std::string(wg_sm_func_waits(sm_, buf, sizeof buf)).find("block (3,0,0): warp 0 at barrier 2"),
            std::string::npos)
      << buf;
}

}  // namespace
