// SPDX-License-Identifier: Apache-2.0
//
// Checks of a program: allocations, bytes, barriers and masks, each rule with what it finds and the nearest thing that it must not.
// Instructions are made by hand: 4 bytes a lane unless a test says otherwise.
#include <gtest/gtest.h>

#include <vector>

extern "C" {
#include "model/ref/ref_tools.h"
#include "model/store/store.h"
}

namespace {

constexpr uint64_t kBase = WG_DEV_BASE + WG_DEV_DRIVER_BYTES;

class Tools : public testing::Test {
 protected:
  wg_tools_t *tools_ = nullptr;
  wg_tools_block_t *block_ = nullptr;
  wg_ref_warp_t warp_[2] = {};
  wg_ref_insn_t insn_ = {};
  wg_ref_step_t st_ = {};
  std::vector<uint32_t> regs_ = std::vector<uint32_t>(64 * 32);
  wg_cta_launch_t cta_ = {};

  void Begin(unsigned tools, bool its = false, uint32_t threads = 64) {
    tools_ = wg_tools_new(tools);
    cta_.ntid[0] = threads;
    cta_.ntid[1] = cta_.ntid[2] = cta_.nctaid[0] = cta_.nctaid[1] = cta_.nctaid[2] = 1;
    cta_.shared_bytes = 256;
    block_ = wg_tools_block_new(tools_, &cta_, its);
    for (uint32_t i = 0; i < 2; i++) {
      warp_[i].warp = i;
      warp_[i].cta = &cta_;
      warp_[i].reg = reinterpret_cast<uint32_t(*)[32]>(regs_.data());
    }
  }
  void TearDown() override {
    wg_tools_block_free(block_);
    wg_tools_free(tools_);
  }
  void Step(uint32_t warp, uint8_t op, uint32_t pc, uint32_t lanes) {
    insn_.in = {};
    insn_.in.op = op;
    st_.insn = &insn_;
    st_.pc = pc;
    st_.mask = st_.exec = st_.lanes = lanes;
    st_.kind = kWgRefDone;
    st_.fault = kWgFaultNone;
    st_.shared = st_.local = 0;
    (void)warp;
  }
  void Issue(uint32_t warp) { wg_tools_issue(block_, &warp_[warp], &st_); }
  /* Lane l accesses addr + l * stride. */
  void Access(uint8_t op, uint32_t pc, uint32_t lanes, uint64_t addr, unsigned bytes = 4, unsigned stride = 4) {
    Step(0, op, pc, lanes);
    st_.kind = kWgRefMemory;
    st_.bytes = bytes;
    for (unsigned l = 0; l < 32; l++) st_.addr[l] = addr + l * stride;
    if (op == kWgOp_LDS || op == kWgOp_STS) st_.shared = lanes;
    Issue(0);
  }
  void Bar(uint32_t warp, uint32_t pc, uint32_t lanes, uint32_t count = 0, uint8_t id = 0, bool arrives = true) {
    Step(warp, kWgOp_BAR, pc, lanes);
    st_.bar = {};
    st_.bar.id = id;
    st_.bar.pc = pc;
    st_.bar.has_count = count != 0;
    st_.bar.count = count;
    st_.bar.lanes = lanes;
    if (arrives) st_.kind = kWgRefBarrier;
    Issue(warp);
  }
  void Work(uint32_t warp, uint32_t pc, uint32_t lanes) {
    Step(warp, kWgOp_IADD3, pc, lanes);
    Issue(warp);
  }
  void Exit(uint32_t warp, uint32_t lanes) {
    Step(warp, kWgOp_EXIT, 0x500, lanes);
    Issue(warp);
  }
  void Sync(uint32_t pc, uint32_t lanes, uint32_t mask) {
    Step(0, kWgOp_WARPSYNC, pc, lanes);
    insn_.in.form = kWgFormImm;
    insn_.in.imm = mask;
    Issue(0);
  }
  /* Kinds found so far. */
  std::vector<wg_finding_kind_t> Found() {
    const wg_finding_t *f;
    size_t n = wg_tools_findings(tools_, &f);
    std::vector<wg_finding_kind_t> kinds;
    for (size_t i = 0; i < n; i++) kinds.push_back(f[i].kind);
    return kinds;
  }
  const wg_finding_t &First() {
    const wg_finding_t *f;
    EXPECT_NE(wg_tools_findings(tools_, &f), 0u);
    return f[0];
  }
};

using Kinds = std::vector<wg_finding_kind_t>;

TEST_F(Tools, ByteBehindTheEnd) {
  Begin(kWgToolMem);
  wg_tools_alloc(tools_, kBase, 127, false);
  Access(kWgOp_STG, 0x10, 0x7fffffff, kBase);
  EXPECT_EQ(Found(), Kinds{});
  Access(kWgOp_STG, 0x20, UINT32_MAX, kBase); /* the last byte of lane 31 */
  ASSERT_EQ(Found(), Kinds{kWgFindOobTail});
  EXPECT_EQ(First().lane, 31u);
  EXPECT_EQ(First().count, 1u);
  Access(kWgOp_STG, 0x20, UINT32_MAX, kBase + 4);
  EXPECT_EQ(First().count, 3u) << "one record an instruction";
}

TEST_F(Tools, KindsOfBadAddresses) {
  Begin(kWgToolMem);
  wg_tools_alloc(tools_, kBase, 128, false);
  wg_tools_alloc(tools_, kBase + 256, 128, false);
  wg_tools_freed(tools_, kBase + 256);
  Access(kWgOp_LDG, 0x10, 1, kBase + 128);
  Access(kWgOp_LDG, 0x20, 1, kBase + 300);
  Access(kWgOp_LDG, 0x30, 1, kBase + 4096);
  Access(kWgOp_LDG, 0x40, 1, 8);
  Access(kWgOp_LDG, 0x50, 1, UINT64_C(0x7fff00000000));
  EXPECT_EQ(Found(), (Kinds{kWgFindOobTail, kWgFindFreed, kWgFindOobGlobal, kWgFindNull, kWgFindNotDevice}));
  EXPECT_TRUE(wg_tools_was_freed(tools_, kBase + 256));
  wg_tools_alloc(tools_, kBase + 256, 128, false);
  EXPECT_FALSE(wg_tools_was_freed(tools_, kBase + 256));
  Access(kWgOp_LDG, 0x60, 1, kBase + 300);
  EXPECT_EQ(Found().size(), 5u);
}

TEST_F(Tools, BytesThatNobodyWrote) {
  Begin(kWgToolInit);
  wg_tools_alloc(tools_, kBase, 256, false);
  wg_tools_written(tools_, kBase + 1, 3);
  Access(kWgOp_LDG, 0x10, 1, kBase);
  EXPECT_EQ(Found(), Kinds{kWgFindUninitGlobal}) << "byte 0";
  Access(kWgOp_STG, 0x20, 1, kBase, 1);
  Access(kWgOp_LDG, 0x30, 1, kBase);
  EXPECT_EQ(Found().size(), 1u);
  Access(kWgOp_STG, 0x40, UINT32_MAX, kBase + 128);
  Access(kWgOp_LDG, 0x50, UINT32_MAX, kBase + 128);
  EXPECT_EQ(Found().size(), 1u);
  Access(kWgOp_RED, 0x60, 3, kBase + 64, 4, 0); /* two lanes, one word: the first one does not initialise it for the second */
  EXPECT_EQ(Found().size(), 2u);
  wg_tools_freed(tools_, kBase);
  wg_tools_alloc(tools_, kBase, 256, false);
  Access(kWgOp_LDG, 0x70, 1, kBase + 128);
  EXPECT_EQ(Found().size(), 3u) << "allocated again";
}

TEST_F(Tools, WrittenRangesByTheByte) {
  Begin(kWgToolInit);
  for (uint64_t from = 0; from < 20; from++) {
    for (uint64_t n = 0; n < 30; n++) {
      wg_tools_alloc(tools_, kBase, 64, false);
      wg_tools_written(tools_, kBase + from, n);
      tool_range_t *r = tools_range(tools_, kBase);
      for (uint64_t i = 0; i < 64; i++) ASSERT_EQ(r->written[i / 8] >> i % 8 & 1, i >= from && i < from + n) << from << " " << n << " " << i;
      wg_tools_freed(tools_, kBase);
    }
  }
}

TEST_F(Tools, SharedMemoryOnlyIfAsked) {
  Begin(kWgToolInit);
  Access(kWgOp_LDS, 0x10, UINT32_MAX, 0);
  EXPECT_EQ(Found(), Kinds{});
  TearDown();
  Begin(kWgToolInitAll);
  Access(kWgOp_STS, 0x10, 0xffff, 0);
  Access(kWgOp_LDS, 0x20, 0xffff, 0);
  EXPECT_EQ(Found(), Kinds{});
  Access(kWgOp_LDS, 0x30, UINT32_MAX, 0);
  ASSERT_EQ(Found(), Kinds{kWgFindUninitShared});
  EXPECT_EQ(First().count, 16u);
}

TEST_F(Tools, StackBarrierWithoutSomeLanes) {
  Begin(kWgToolSync);
  Bar(0, 0x10, UINT32_MAX);
  Bar(1, 0x10, UINT32_MAX);
  Work(0, 0x20, UINT32_MAX);
  EXPECT_EQ(Found(), Kinds{});
  Bar(0, 0x40, 0xffff);
  Exit(0, 0xffff0000); /* they returned early */
  EXPECT_EQ(Found(), Kinds{});
  Bar(1, 0x40, 0xffff);
  Work(1, 0x50, 0xffff0000);
  ASSERT_EQ(Found(), Kinds{kWgFindBarDivergent});
  EXPECT_EQ(First().pc, 0x40u);
  EXPECT_EQ(First().other_pc, 0x50u);
}

TEST_F(Tools, ItsBarrierFromTwoPlaces) {
  Begin(kWgToolSync, true);
  Bar(0, 0x10, 0xffff, 0, 0, false);
  Bar(0, 0x10, 0xffff0000);
  EXPECT_EQ(Found(), Kinds{}) << "one by one is no fault";
  Bar(1, 0x10, 0xffff, 0, 0, false);
  Bar(1, 0x20, 0xffff0000);
  ASSERT_EQ(Found(), Kinds{kWgFindBarDivergent});
  EXPECT_EQ(First().other_pc, 0x20u);
}

TEST_F(Tools, NumbersOfThreads) {
  Begin(kWgToolSync);
  Bar(0, 0x10, UINT32_MAX, 64, 1);
  Bar(1, 0x20, UINT32_MAX, 64, 1);
  EXPECT_EQ(Found(), Kinds{});
  Bar(0, 0x30, UINT32_MAX, 64, 1);
  Bar(1, 0x40, UINT32_MAX, 32, 1);
  ASSERT_EQ(Found(), Kinds{kWgFindBarCount});
  EXPECT_EQ(First().other_pc, 0x30u);
}

TEST_F(Tools, WarpsOfABlockAtOneBarrierOfTheWholeBlock) {
  Begin(kWgToolSync);
  Bar(0, 0x10, UINT32_MAX);
  Bar(1, 0x10, UINT32_MAX);
  Bar(0, 0x20, UINT32_MAX, 64, 1);
  Bar(1, 0x30, UINT32_MAX, 64, 1);
  Bar(0, 0x20, UINT32_MAX, 0, 1);
  Bar(1, 0x30, UINT32_MAX, 0, 1);
  Bar(0, 0x20, UINT32_MAX, 64, 0);
  Bar(1, 0x30, UINT32_MAX, 64, 0);
  EXPECT_EQ(Found(), Kinds{}) << "a named barrier, or one with a number of threads, may have several places";
  Bar(1, 0x50, UINT32_MAX); /* who comes first does not matter */
  EXPECT_EQ(Found(), Kinds{});
  Bar(0, 0x40, UINT32_MAX);
  ASSERT_EQ(Found(), Kinds{kWgFindBarApart});
  EXPECT_EQ(First().pc, 0x40u);
  EXPECT_EQ(First().other_pc, 0x50u);
  EXPECT_EQ(First().value, 1u);
  EXPECT_EQ(First().want, 2u);
  EXPECT_EQ(First().warp, 0u);
  Bar(0, 0x60, UINT32_MAX);
  Exit(1, UINT32_MAX);
  EXPECT_EQ(Found().size(), 1u) << "who has returned has no place";
}

TEST_F(Tools, AWarpThatCameInPartsIsToldOfOnce) {
  Begin(kWgToolSync, true);
  Bar(0, 0x10, 0xffff, 0, 0, false);
  Bar(0, 0x20, 0xffff0000);
  Bar(1, 0x30, UINT32_MAX);
  EXPECT_EQ(Found(), Kinds{kWgFindBarDivergent});
  Bar(0, 0x40, UINT32_MAX);
  Bar(1, 0x50, UINT32_MAX);
  EXPECT_EQ(Found(), (Kinds{kWgFindBarDivergent, kWgFindBarApart})) << "for that barrier only";
}

TEST_F(Tools, BarrierThatNeverCompletes) {
  Begin(kWgToolSync);
  Bar(0, 0x10, UINT32_MAX, 64, 1);
  wg_tools_given_up(tools_);
  EXPECT_EQ(Found(), Kinds{}) << "warp 1 may still come";
  Exit(1, UINT32_MAX);
  wg_tools_given_up(tools_);
  ASSERT_EQ(Found(), Kinds{kWgFindBarNever});
  EXPECT_EQ(First().value, 1u);
}

TEST_F(Tools, Masks) {
  Begin(kWgToolSync);
  Sync(0x10, UINT32_MAX, UINT32_MAX);
  Sync(0x20, 0xff, 0xff);
  EXPECT_EQ(Found(), Kinds{});
  Sync(0x30, UINT32_MAX, 0xffff);
  Sync(0x40, 0xffff, UINT32_MAX);
  EXPECT_EQ(Found(), (Kinds{kWgFindMaskSelf, kWgFindMaskApart}));
  Exit(0, 0xffff0000);
  Sync(0x50, 0xffff, UINT32_MAX);
  EXPECT_EQ(Found().size(), 2u) << "lanes that have exited may be named";
}

TEST_F(Tools, ItsOneCallForAllLanesThatTheMaskNames) {
  Begin(kWgToolSync, true);
  auto shuffle = [this](uint32_t pc, uint32_t lanes) {
    Step(0, kWgOp_SHFL, pc, lanes);
    st_.out.absent = 0;
    Issue(0);
  };
  Sync(0x10, 0xffff, UINT32_MAX);
  Sync(0x10, 0xffff0000, UINT32_MAX);
  shuffle(0x20, UINT32_MAX);
  shuffle(0x30, 0xffff);
  EXPECT_EQ(Found(), Kinds{}) << "the second one has no mask of its own";
  Sync(0x40, 0xffff, UINT32_MAX);
  Sync(0x80, 0xffff0000, UINT32_MAX);
  Bar(0, 0x90, UINT32_MAX);
  shuffle(0xa0, 0xffff);
  EXPECT_EQ(Found(), Kinds{}) << "__syncwarp() in both arms, and no call that belongs to it";
  Sync(0x50, 0xffff, UINT32_MAX);
  Sync(0xb0, 0xffff0000, UINT32_MAX);
  shuffle(0x60, 0xffff);
  ASSERT_EQ(Found(), Kinds{kWgFindMaskApart});
  EXPECT_EQ(First().pc, 0x60u);
  EXPECT_EQ(First().want, 0xffff0000u);
}

TEST_F(Tools, ShuffleFromLanesThatAreNotThere) {
  Begin(kWgToolSync);
  Step(0, kWgOp_SHFL, 0x10, 0xffff);
  st_.out.absent = 0;
  Issue(0);
  EXPECT_EQ(Found(), Kinds{});
  st_.out.absent = 0xff00;
  Issue(0);
  ASSERT_EQ(Found(), Kinds{kWgFindShuffleSource});
  EXPECT_EQ(First().value, 0xff00u);
  EXPECT_EQ(First().want, 0xffffu);
}

TEST_F(Tools, ItsMasksWaitForTheirLanes) {
  Begin(kWgToolSync, true);
  Sync(0x10, 0xffff, UINT32_MAX);
  Work(0, 0x20, 0xffff0000);
  Sync(0x10, 0xffff0000, UINT32_MAX);
  Work(0, 0x30, UINT32_MAX);
  EXPECT_EQ(Found(), Kinds{});
  Sync(0x40, 0xffff, UINT32_MAX);
  Work(0, 0x50, 0xffff0000);
  Exit(0, 0xffff0000);
  ASSERT_EQ(Found(), Kinds{kWgFindMaskApart});
  EXPECT_EQ(First().pc, 0x40u);
}

TEST_F(Tools, AdviceCountsWhatIsBeyondTheIdeal) {
  Begin(kWgToolAdvice);
  Access(kWgOp_LDG, 0x10, UINT32_MAX, kBase);
  Access(kWgOp_LDG, 0x20, UINT32_MAX, kBase, 4, 128);
  Access(kWgOp_LDS, 0x30, 0xf, 0, 4, 128);
  const wg_advice_t *a;
  ASSERT_EQ(wg_tools_advice(tools_, &a), 3u);
  EXPECT_EQ(a[0].units, 4u);
  EXPECT_EQ(a[0].ideal, 4u);
  EXPECT_EQ(a[1].units, 32u);
  EXPECT_EQ(a[1].ideal, 4u);
  EXPECT_EQ(a[2].units, 4u);
  EXPECT_EQ(a[2].ideal, 1u);
}

}  // namespace
