// SPDX-License-Identifier: Apache-2.0
//
// Race checker: each edge of happens-before that model/ref/wg_ref_race.h names, with the same accesses without it; what
// may meet; what is a note; limits. Instructions are made by hand: 4 bytes a lane unless a test says otherwise.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <vector>

extern "C" {
#include "model/ref/ref_race.h"
}

namespace {

constexpr uint32_t kAll = UINT32_MAX, kLow = 0xffff, kHigh = 0xffff0000;
constexpr uint64_t kGlobal = UINT64_C(0x200100000000);

class Race : public testing::Test {
 protected:
  wg_race_t *race_ = wg_race_new();
  std::map<uint32_t, wg_race_block_t *> block_;
  uint32_t blocks_ = 4, threads_ = 64;
  bool its_ = true;
  std::vector<uint32_t> marks_;

  void SetUp() override { Launch(); }
  void TearDown() override {
    Drop();
    wg_race_free(race_);
  }
  void Drop() {
    for (auto &b : block_) wg_race_block_free(b.second);
    block_.clear();
  }
  void Launch() {
    Drop();
    wg_race_launch(race_, marks_.data(), marks_.size());
  }
  wg_race_block_t *Block(uint32_t n) {
    if (block_.count(n) != 0) return block_[n];
    wg_cta_launch_t c = {};
    c.ctaid[0] = n;
    c.nctaid[0] = blocks_;
    c.nctaid[1] = c.nctaid[2] = c.ntid[1] = c.ntid[2] = 1;
    c.ntid[0] = threads_;
    c.shared_bytes = 4096;
    return block_[n] = wg_race_block_new(race_, &c, its_);
  }

  struct Who {
    uint32_t block, warp, lanes, mask; /* mask: lanes that run, 0 = lanes */
  };
  using Row = std::function<uint64_t(uint32_t)>;

  wg_ref_insn_t insn_ = {};
  wg_ref_step_t st_ = {};

  wg_ref_step_t &Begin(const Who &w, uint8_t op, uint32_t pc) {
    insn_ = {};
    insn_.in = wg_insn_default(op);
    insn_.in.rd = 4;
    st_ = {};
    st_.insn = &insn_;
    st_.pc = pc;
    st_.mask = w.mask != 0 ? w.mask : w.lanes;
    st_.exec = w.lanes;
    return st_;
  }
  void Issue(const Who &w) {
    wg_ref_warp_t warp = {};
    warp.warp = w.warp;
    wg_race_issue(Block(w.block), &warp, &st_);
  }
  void Memory(const Who &w, uint8_t op, uint32_t mods, uint32_t pc, bool shared, const Row &addr, const Row &data,
              unsigned bytes = 4) {
    Begin(w, op, pc);
    insn_.in.mods = static_cast<uint16_t>(mods);
    st_.kind = kWgRefMemory;
    st_.lanes = w.lanes;
    st_.shared = shared ? w.lanes : 0;
    st_.bytes = bytes;
    for (uint32_t l = 0; l < 32; l++) {
      st_.addr[l] = (shared ? 0 : kGlobal) + addr(l);
      for (unsigned k = 0; k < bytes; k += 4) st_.data[k / 4][l] = static_cast<uint32_t>(data(l));
    }
    Issue(w);
    wg_race_loaded(Block(w.block), w.warp, &insn_.in, pc, w.lanes, st_.shared, st_.addr);
  }
  static uint64_t Own(uint32_t l) { return 4 * l; }
  static uint64_t Lane(uint32_t l) { return l; }
  static Row At(uint64_t a) {
    return [a](uint32_t) { return a; };
  }
  void Sts(const Who &w, const Row &addr, uint32_t pc = 0x100, const Row &data = Lane) {
    Memory(w, kWgOp_STS, 4, pc, true, addr, data);
  }
  void Lds(const Who &w, const Row &addr, uint32_t pc = 0x200) { Memory(w, kWgOp_LDS, 4, pc, true, addr, Lane); }
  void Stg(const Who &w, const Row &addr, uint32_t pc = 0x300, const Row &data = Lane) {
    Memory(w, kWgOp_STG, 4, pc, false, addr, data);
  }
  void Ldg(const Who &w, const Row &addr, uint32_t pc = 0x400) { Memory(w, kWgOp_LDG, 4, pc, false, addr, Lane); }
  static constexpr uint32_t kStrong = 4 | 2u << kWgModLsb_MCACHE;
  void StgStrong(const Who &w, const Row &addr) { Memory(w, kWgOp_STG, kStrong, 0x500, false, addr, Lane); }
  void LdgStrong(const Who &w, const Row &addr) { Memory(w, kWgOp_LDG, kStrong, 0x600, false, addr, Lane); }
  void Atomic(const Who &w, bool shared, const Row &addr, uint32_t op = 0, uint32_t pc = 0x700) {
    Memory(w, shared ? kWgOp_ATOMS : kWgOp_ATOMG, op << kWgModLsb_AOP, pc, shared, addr, Lane);
  }
  void Fence(const Who &w, uint32_t scope) {
    Begin(w, kWgOp_MEMBAR, 0x800);
    insn_.in.mods = static_cast<uint16_t>(scope);
    Issue(w);
  }
  void Plain(const Who &w, uint8_t op = kWgOp_NOP) {
    Begin(w, op, 0x900);
    Issue(w);
  }
  void WarpSync(const Who &w, uint32_t mask) {
    Begin(w, kWgOp_WARPSYNC, 0xa00);
    st_.diverge.value = mask;
    Issue(w);
  }
  /* The warp comes to a barrier as a whole; `arrived`: it does not wait for other lanes first. */
  void Bar(const Who &w, uint8_t id = 0, uint32_t count = 0, bool arrive_only = false, bool arrived = true) {
    Begin(w, kWgOp_BAR, 0xb00);
    st_.diverge.bar.id = id;
    st_.diverge.bar.has_count = count != 0;
    st_.diverge.bar.count = count;
    st_.diverge.bar.arrive_only = arrive_only;
    if (arrived) st_.kind = kWgRefBarrier;
    Issue(w);
  }
  void BarAll(uint32_t block) {
    for (uint32_t w = 0; w < threads_ / 32; w++) Bar({block, w, kAll, 0});
  }
  std::vector<wg_race_pair_t> Pairs() const {
    const wg_race_pair_t *p = nullptr;
    size_t n = wg_race_pairs(race_, &p);
    return std::vector<wg_race_pair_t>(p, p + n);
  }
  wg_race_pair_t First() const { return Pairs().empty() ? wg_race_pair_t{} : Pairs()[0]; }
  void Expect(wg_race_kind_t kind, wg_race_class_t cls) const {
    auto p = Pairs();
    ASSERT_EQ(p.size(), 1u);
    EXPECT_EQ(p[0].kind, kind);
    EXPECT_EQ(p[0].cls, cls);
  }
};


/* ---- block barriers ---- */

TEST_F(Race, BetweenWarpsWithoutBarrier) {
  Sts({0, 0, kAll, 0}, Own);
  Lds({0, 1, kAll, 0}, Own);
  Expect(kWgRaceRaw, kWgRaceBlock);
  wg_race_pair_t p = First();
  EXPECT_TRUE(p.shared);
  EXPECT_EQ(p.first.pc, 0x100u);
  EXPECT_EQ(p.second.pc, 0x200u);
  EXPECT_EQ(p.first.warp, 0u);
  EXPECT_EQ(p.second.warp, 1u);
  EXPECT_EQ(p.count, 32u);
  EXPECT_EQ(p.addr, 0u);
  EXPECT_TRUE(p.first.write);
  EXPECT_FALSE(p.second.write);
}

TEST_F(Race, BarrierOrders) {
  Sts({0, 0, kAll, 0}, Own);
  BarAll(0);
  Lds({0, 1, kAll, 0}, Own);
  BarAll(0);
  Sts({0, 0, kAll, 0}, Own);
  EXPECT_TRUE(Pairs().empty());
}

TEST_F(Race, SecondBarrierMissing) {
  Sts({0, 0, kAll, 0}, Own);
  BarAll(0);
  Lds({0, 1, kAll, 0}, Own);
  Sts({0, 0, kAll, 0}, Own);
  Expect(kWgRaceWar, kWgRaceBlock);
}

TEST_F(Race, WriteAfterWrite) {
  Sts({0, 0, kAll, 0}, Own);
  Sts({0, 1, kAll, 0}, Own, 0x110, At(99));
  Expect(kWgRaceWaw, kWgRaceBlock);
}

TEST_F(Race, SameValueIsANote) {
  Sts({0, 0, 1, 0}, At(0), 0x100, At(7));
  Sts({0, 1, 1, 0}, At(0), 0x110, At(7));
  Expect(kWgRaceWaw, kWgRaceEqual);
  EXPECT_TRUE(wg_race_is_note(kWgRaceEqual));
  EXPECT_FALSE(wg_race_is_note(kWgRaceBlock));
}

TEST_F(Race, BarrierWithCountOrdersOnlyItsWarps) {
  threads_ = 96;
  Sts({0, 0, kAll, 0}, Own);
  Bar({0, 0, kAll, 0}, 1, 64);
  Bar({0, 1, kAll, 0}, 1, 64);
  Lds({0, 1, kAll, 0}, Own);
  EXPECT_TRUE(Pairs().empty());
  Lds({0, 2, kAll, 0}, Own);
  Expect(kWgRaceRaw, kWgRaceBlock);
}

TEST_F(Race, ArriveGivesAndDoesNotTake) {
  Sts({0, 0, kAll, 0}, Own);
  Sts({0, 1, kAll, 0}, [](uint32_t l) { return 512 + 4 * l; });
  Bar({0, 0, kAll, 0}, 2, 64, true);
  Bar({0, 1, kAll, 0}, 2, 64);
  Lds({0, 1, kAll, 0}, Own); /* what the arriving warp gave */
  EXPECT_TRUE(Pairs().empty());
  Lds({0, 0, kAll, 0}, [](uint32_t l) { return 512 + 4 * l; });
  Expect(kWgRaceRaw, kWgRaceBlock);
}

TEST_F(Race, TwoBarriersDoNotMix) {
  threads_ = 128;
  Sts({0, 0, kAll, 0}, Own);
  Bar({0, 0, kAll, 0}, 1, 64);
  Bar({0, 2, kAll, 0}, 2, 64);
  Bar({0, 3, kAll, 0}, 2, 64);
  Bar({0, 1, kAll, 0}, 1, 64);
  Lds({0, 1, kAll, 0}, Own);
  EXPECT_TRUE(Pairs().empty());
  Lds({0, 3, kAll, 0}, Own);
  Expect(kWgRaceRaw, kWgRaceBlock);
}

TEST_F(Race, LanesGatherBeforeTheWarpArrives) {
  Plain({0, 0, kAll, 0});
  Sts({0, 0, kLow, 0}, Own);
  Bar({0, 0, kLow, 0}, 0, 0, false, false);
  Plain({0, 0, kHigh, 0});
  Bar({0, 0, kHigh, 0});
  Bar({0, 1, kAll, 0});
  Lds({0, 0, kHigh, 0}, At(0));
  Lds({0, 1, kAll, 0}, Own);
  EXPECT_TRUE(Pairs().empty());
}

TEST_F(Race, ExitedWarpCountsAsArrived) {
  Sts({0, 0, kAll, 0}, Own);
  Plain({0, 0, kAll, 0}, kWgOp_EXIT);
  Bar({0, 1, kAll, 0});
  Lds({0, 1, kAll, 0}, Own);
  EXPECT_TRUE(Pairs().empty());
}

/* ---- lanes of a warp ---- */

TEST_F(Race, ConvergedLanesAreANote) {
  Sts({0, 0, kAll, 0}, Own);
  Lds({0, 0, kAll, 0}, [](uint32_t l) { return 4 * (l ^ 1); });
  Expect(kWgRaceRaw, kWgRaceHidden);
}

TEST_F(Race, WarpSyncOrders) {
  Sts({0, 0, kAll, 0}, Own);
  WarpSync({0, 0, kAll, 0}, kAll);
  Lds({0, 0, kAll, 0}, [](uint32_t l) { return 4 * (l ^ 1); });
  EXPECT_TRUE(Pairs().empty());
}

TEST_F(Race, ShuffleOrders) {
  Sts({0, 0, kAll, 0}, Own);
  Plain({0, 0, kAll, 0}, kWgOp_SHFL);
  Lds({0, 0, kAll, 0}, [](uint32_t l) { return 4 * (l ^ 1); });
  EXPECT_TRUE(Pairs().empty());
}

TEST_F(Race, VoteOrdersOnlyItsLanes) {
  Sts({0, 0, kAll, 0}, Own);
  Plain({0, 0, kLow, kAll}, kWgOp_VOTE);
  Lds({0, 0, kAll, 0}, [](uint32_t l) { return 4 * (l ^ 1); });
  Expect(kWgRaceRaw, kWgRaceHidden);
  EXPECT_EQ(First().count, 16u); /* those that did not vote */
}

TEST_F(Race, ArmsThatRanApartAreAnError) {
  Plain({0, 0, kAll, 0});
  Sts({0, 0, kLow, 0}, Own);
  Lds({0, 0, kHigh, 0}, [](uint32_t l) { return 4 * (l - 16); });
  Expect(kWgRaceRaw, kWgRaceApart);
  EXPECT_EQ(First().first.lane, 0u);
  EXPECT_EQ(First().second.lane, 16u);
}

TEST_F(Race, JoinHides) {
  Plain({0, 0, kAll, 0});
  Sts({0, 0, kLow, 0}, Own);
  Plain({0, 0, kHigh, 0});
  Plain({0, 0, kAll, 0});
  Lds({0, 0, kHigh, 0}, [](uint32_t l) { return 4 * (l - 16); });
  Expect(kWgRaceRaw, kWgRaceHidden);
}

/* a and b meet, b and c meet later: a's write is before c's read in fact. */
TEST_F(Race, MeetingsChain) {
  Plain({0, 0, kAll, 0});
  Plain({0, 0, 4, 0});
  Sts({0, 0, 1, 0}, At(0));
  Plain({0, 0, 3, 0});
  Plain({0, 0, 2, 0});
  Plain({0, 0, 6, 0});
  Lds({0, 0, 4, 0}, At(0));
  Expect(kWgRaceRaw, kWgRaceHidden);
}

/* The same while b and c are still together. */
TEST_F(Race, MeetingsChainAtOnce) {
  Plain({0, 0, kAll, 0});
  Plain({0, 0, 4, 0});
  Sts({0, 0, 1, 0}, At(0));
  Plain({0, 0, 3, 0});
  Plain({0, 0, 2, 0});
  Lds({0, 0, 4, 6}, At(0));
  Expect(kWgRaceRaw, kWgRaceHidden);
}

TEST_F(Race, ExitedLanesAreNotMet) {
  Plain({0, 0, kAll, 0});
  Sts({0, 0, kLow, 0}, Own);
  Plain({0, 0, kLow, 0}, kWgOp_EXIT);
  Lds({0, 0, kHigh, 0}, [](uint32_t l) { return 4 * (l - 16); });
  Expect(kWgRaceRaw, kWgRaceApart);
}

TEST_F(Race, TogetherUntilTheExit) {
  Sts({0, 0, kAll, 0}, Own);
  Plain({0, 0, kLow, kAll}, kWgOp_EXIT);
  Lds({0, 0, kHigh, 0}, [](uint32_t l) { return 4 * (l - 16); });
  Expect(kWgRaceRaw, kWgRaceHidden);
}

TEST_F(Race, WarpSyncOfTwoArms) {
  Plain({0, 0, kAll, 0});
  Sts({0, 0, kLow, 0}, Own);
  WarpSync({0, 0, kLow, 0}, kAll);
  WarpSync({0, 0, kHigh, 0}, kAll);
  Lds({0, 0, kHigh, 0}, [](uint32_t l) { return 4 * (l - 16); });
  EXPECT_TRUE(Pairs().empty());
}

TEST_F(Race, WarpSyncsWithDifferentMasks) {
  Plain({0, 0, kAll, 0});
  Sts({0, 0, 0xff, 0}, Own);
  WarpSync({0, 0, 0xff, 0}, kLow);
  WarpSync({0, 0, 0xff0000, 0}, kHigh);
  WarpSync({0, 0, 0xff000000, 0}, kHigh);
  WarpSync({0, 0, 0xff00, 0}, kLow);
  Lds({0, 0, 0xff00, 0}, [](uint32_t l) { return 4 * (l - 8); });
  EXPECT_TRUE(Pairs().empty());
  Lds({0, 0, 0xff0000, 0}, [](uint32_t l) { return 4 * (l - 16); });
  Expect(kWgRaceRaw, kWgRaceApart);
}

TEST_F(Race, OneInstructionDifferentValues) {
  Sts({0, 0, 3, 0}, At(8));
  Expect(kWgRaceWaw, kWgRaceSame);
  EXPECT_EQ(First().first.lane, 0u);
  EXPECT_EQ(First().second.lane, 1u);
}

TEST_F(Race, OneInstructionEqualValues) {
  Sts({0, 0, kAll, 0}, At(8), 0x100, At(5));
  EXPECT_TRUE(Pairs().empty());
}

TEST_F(Race, OneInstructionFallingAddresses) {
  Sts({0, 0, kAll, 0}, [](uint32_t l) { return 4 * (31 - l); });
  EXPECT_TRUE(Pairs().empty());
}

TEST_F(Race, SameThreadIsInOrder) {
  Sts({0, 0, kAll, 0}, Own);
  Lds({0, 0, kAll, 0}, Own);
  Sts({0, 0, kAll, 0}, Own, 0x120);
  EXPECT_TRUE(Pairs().empty());
}

/* ---- bytes ---- */

TEST_F(Race, NeighbouringBytesDoNotMeet) {
  Memory({0, 0, kAll, 0}, kWgOp_STS, 0, 0x100, true, [](uint32_t l) { return 2 * l; }, Lane, 1);
  Memory({0, 1, kAll, 0}, kWgOp_STS, 0, 0x110, true, [](uint32_t l) { return 2 * l + 1; }, Lane, 1);
  EXPECT_TRUE(Pairs().empty());
  Memory({0, 1, 1, 0}, kWgOp_LDS, 0, 0x210, true, At(2), Lane, 1);
  Expect(kWgRaceRaw, kWgRaceBlock);
  EXPECT_EQ(First().addr, 2u);
}

TEST_F(Race, WordMeetsByte) {
  Memory({0, 0, 1, 0}, kWgOp_STS, 0, 0x100, true, At(7), Lane, 1);
  Lds({0, 1, 1, 0}, At(4));
  Expect(kWgRaceRaw, kWgRaceBlock);
}

TEST_F(Race, WideAccessMeetsItsLastWord) {
  Sts({0, 0, 1, 0}, At(12));
  Memory({0, 1, 1, 0}, kWgOp_LDS, 6, 0x200, true, At(0), Lane, 16);
  Expect(kWgRaceRaw, kWgRaceBlock);
  EXPECT_EQ(First().addr, 12u);
}

/* ---- readers ---- */

TEST_F(Race, OwnReadDoesNotHideAnothersRead) {
  Lds({0, 0, 1, 0}, At(0));
  Lds({0, 1, 1, 0}, At(0));
  Sts({0, 1, 1, 0}, At(0));
  Expect(kWgRaceWar, kWgRaceBlock);
}

/* ---- blocks, launches ---- */

TEST_F(Race, BetweenBlocksABarrierIsNothing) {
  Stg({0, 0, kAll, 0}, Own);
  BarAll(0);
  BarAll(1);
  Ldg({1, 1, kAll, 0}, Own);
  Expect(kWgRaceRaw, kWgRaceGrid);
  EXPECT_EQ(First().first.ctaid[0], 0u);
  EXPECT_EQ(First().second.ctaid[0], 1u);
}

TEST_F(Race, ALaterBlockRacesWithAnEarlierOne) {
  Stg({0, 0, kAll, 0}, Own);
  Plain({0, 0, kAll, 0}, kWgOp_EXIT);
  wg_race_block_free(Block(0));
  block_.clear();
  Ldg({1, 0, kAll, 0}, Own);
  Expect(kWgRaceRaw, kWgRaceGrid);
}

TEST_F(Race, LaunchOrders) {
  Stg({0, 0, kAll, 0}, Own);
  Launch();
  Ldg({1, 1, kAll, 0}, Own);
  EXPECT_TRUE(Pairs().empty());
}

TEST_F(Race, SharedMemoryOfTheNextBlockIsNew) {
  Sts({0, 0, kAll, 0}, Own);
  Drop();
  Lds({1, 1, kAll, 0}, Own);
  EXPECT_TRUE(Pairs().empty());
}

/* ---- atomics, flags ---- */

TEST_F(Race, AtomicsDoNotRace) {
  Atomic({0, 0, kAll, 0}, false, At(0));
  Atomic({1, 0, kAll, 0}, false, At(0));
  Atomic({0, 1, kAll, 0}, true, At(0));
  Atomic({0, 0, kAll, 0}, true, At(0));
  EXPECT_TRUE(Pairs().empty());
}

TEST_F(Race, AtomicAndPlainStore) {
  Sts({0, 0, 1, 0}, At(0));
  Atomic({0, 1, 1, 0}, true, At(0));
  Expect(kWgRaceWaw, kWgRaceBlock);
  EXPECT_TRUE(First().second.atomic);
}

/* A counter cleared too late: the first warp's own atomics do not hide its store from the second one's. */
TEST_F(Race, AtomicsDoNotHideAStore) {
  Sts({0, 0, 1, kAll}, At(0));
  Atomic({0, 0, kAll, 0}, true, At(0));
  Atomic({0, 1, kAll, 0}, true, At(0));
  ASSERT_EQ(Pairs().size(), 2u);
  EXPECT_EQ(First().cls, kWgRaceHidden);
  EXPECT_EQ(Pairs()[1].cls, kWgRaceBlock);
  EXPECT_EQ(Pairs()[1].count, 32u);
}

TEST_F(Race, StoreBesideAtomic) {
  Atomic({0, 0, 1, 0}, true, At(0));
  Sts({0, 1, 1, 0}, At(0));
  Expect(kWgRaceWaw, kWgRaceBlock);
  EXPECT_TRUE(First().first.atomic);
}

TEST_F(Race, PlainReadBesideAtomicAdd) {
  Atomic({0, 0, 1, 0}, true, At(0));
  Lds({0, 1, 1, 0}, At(0));
  Expect(kWgRaceRaw, kWgRaceBlock);
}

TEST_F(Race, PlainReadBesideCompareAndSwap) {
  Atomic({0, 0, 1, 0}, true, At(0), 9);
  Lds({0, 1, 1, 0}, At(0));
  Atomic({0, 0, 1, 0}, true, At(0), 9);
  EXPECT_TRUE(Pairs().empty());
}

TEST_F(Race, StrongAccessesOfGlobalMemoryDoNotRace) {
  StgStrong({0, 0, 1, 0}, At(0));
  LdgStrong({1, 0, 1, 0}, At(0));
  Atomic({2, 0, 1, 0}, false, At(0));
  EXPECT_TRUE(Pairs().empty());
  Ldg({3, 0, 1, 0}, At(0)); /* races with the store and with the atomic */
  ASSERT_EQ(Pairs().size(), 2u);
  for (const auto &p : Pairs()) {
    EXPECT_EQ(p.kind, kWgRaceRaw);
    EXPECT_EQ(p.cls, kWgRaceGrid);
  }
}

TEST_F(Race, FenceAndFlagOrderBlocks) {
  Stg({0, 0, 1, 0}, At(0));
  Fence({0, 0, 1, 0}, 1);
  StgStrong({0, 0, 1, 0}, At(128));
  LdgStrong({1, 0, 1, 0}, At(128));
  Ldg({1, 0, 1, 0}, At(0));
  EXPECT_TRUE(Pairs().empty());
}

TEST_F(Race, FlagWithoutFence) {
  Stg({0, 0, 1, 0}, At(0));
  StgStrong({0, 0, 1, 0}, At(128));
  LdgStrong({1, 0, 1, 0}, At(128));
  Ldg({1, 0, 1, 0}, At(0));
  Expect(kWgRaceRaw, kWgRaceGrid);
}

TEST_F(Race, WhatComesBehindTheFenceIsNotGiven) {
  Fence({0, 0, 1, 0}, 1);
  Stg({0, 0, 1, 0}, At(0));
  StgStrong({0, 0, 1, 0}, At(128));
  LdgStrong({1, 0, 1, 0}, At(128));
  Ldg({1, 0, 1, 0}, At(0));
  Expect(kWgRaceRaw, kWgRaceGrid);
}

TEST_F(Race, FenceOfABlockReachesItsBlock) {
  Stg({0, 0, 1, 0}, At(0));
  Fence({0, 0, 1, 0}, 0);
  StgStrong({0, 0, 1, 0}, At(128));
  LdgStrong({0, 1, 1, 0}, At(128));
  Ldg({0, 1, 1, 0}, At(0));
  EXPECT_TRUE(Pairs().empty());
  LdgStrong({1, 0, 1, 0}, At(128));
  Ldg({1, 0, 1, 0}, At(0));
  Expect(kWgRaceRaw, kWgRaceGrid);
}

/* All blocks write, a fence, a barrier, one thread counts; who comes last reads everything. */
TEST_F(Race, LastBlockReadsWhatAllWrote) {
  for (uint32_t b = 0; b < 3; b++) {
    Stg({b, 0, kAll, 0}, [b](uint32_t l) { return 4096 * b + 4 * l; });
    Stg({b, 1, kAll, 0}, [b](uint32_t l) { return 4096 * b + 128 + 4 * l; });
    BarAll(b);
    Plain({b, 0, kAll, 0});
    Fence({b, 0, 1, 0}, 1);
    Atomic({b, 0, 1, 0}, false, At(65536), 3);
  }
  Plain({2, 0, kAll, 0});
  BarAll(2);
  for (uint32_t b = 0; b < 3; b++) Ldg({2, 1, kAll, 0}, [b](uint32_t l) { return 4096 * b + 4 * l; });
  EXPECT_TRUE(Pairs().empty());
}

/* Memory is freed by one thread and handed to another one: no fence is asked of an allocator. */
TEST_F(Race, AllocatorHandsMemoryOn) {
  for (bool told : {true, false}) {
    wg_race_allocator(race_, kGlobal, told ? 64 : 0);
    Launch();
    Stg({0, 0, 1, 0}, At(128));
    Atomic({0, 0, 1, 0}, false, At(8), 5);
    Atomic({1, 0, 1, 0}, false, At(8), 9);
    Stg({1, 0, 1, 0}, At(128), 0x300, At(1));
    EXPECT_EQ(Pairs().empty(), told);
    if (told) Stg({0, 0, 3, 0}, At(4)); /* its hint, whatever it says */
    EXPECT_EQ(Pairs().empty(), told);
  }
}

TEST_F(Race, LockOrdersItsHolders) {
  for (uint32_t b = 0; b < 4; b++) {
    Atomic({b, 0, 1, 0}, false, At(0), 9);
    Fence({b, 0, 1, 0}, 1);
    Ldg({b, 0, 1, 0}, At(64));
    Stg({b, 0, 1, 0}, At(64), 0x300, At(b));
    Fence({b, 0, 1, 0}, 1);
    Atomic({b, 0, 1, 0}, false, At(0), 8);
  }
  EXPECT_TRUE(Pairs().empty());
}

TEST_F(Race, FlagInSharedMemory) {
  marks_ = {0x200 | kWgRaceStrong | kWgRaceWaits};
  Launch();
  Sts({0, 0, 1, 0}, At(64), 0x100);
  Sts({0, 0, 1, 0}, At(0), 0x110); /* the flag */
  Lds({0, 1, 1, 0}, At(0), 0x200); /* waits for it */
  Lds({0, 1, 1, 0}, At(64), 0x210);
  EXPECT_TRUE(Pairs().empty());
}

TEST_F(Race, VolatileAloneIsNoFlag) {
  marks_ = {0x110 | kWgRaceStrong, 0x200 | kWgRaceStrong};
  Launch();
  Sts({0, 0, 1, 0}, At(0), 0x110);
  Lds({0, 1, 1, 0}, At(0), 0x200);
  Expect(kWgRaceRaw, kWgRaceBlock);
}

TEST_F(Race, VolatileUnlock) {
  marks_ = {0x110 | kWgRaceStrong};
  Launch();
  for (uint32_t w = 0; w < 2; w++) {
    Atomic({0, w, 1, 0}, true, At(0), 9);
    Sts({0, w, 1, 0}, At(64), 0x100, At(w));
    Sts({0, w, 1, 0}, At(0), 0x110, At(0));
  }
  EXPECT_TRUE(Pairs().empty());
}

/* What one lane took, lanes that run with it have too; lanes that ran on have not. */
TEST_F(Race, AcquireIsSharedByTheSplit) {
  Stg({0, 0, 1, 0}, At(0));
  Fence({0, 0, 1, 0}, 1);
  StgStrong({0, 0, 1, 0}, At(128));
  Plain({1, 0, kAll, 0});
  Plain({1, 0, kHigh, 0});
  LdgStrong({1, 0, 1, kLow}, At(128));
  Ldg({1, 0, 2, kLow}, At(0));
  EXPECT_TRUE(Pairs().empty());
  Ldg({1, 0, 1u << 31, kHigh}, At(0));
  Expect(kWgRaceRaw, kWgRaceGrid);
}

/* ---- limits ---- */

TEST_F(Race, BlocksBeyondTheLimitAreTold) {
  blocks_ = 1u << 23;
  EXPECT_TRUE(wg_race_complete(race_));
  Stg({1u << 22, 0, 1, 0}, At(0));
  EXPECT_FALSE(wg_race_complete(race_));
}

/* Stamps start again between launches; what was noted with large ones does not come back. */
TEST_F(Race, TheClockStartsAgain) {
  race_->now = (1u << 31) + 1;
  Stg({0, 0, kAll, 0}, Own);
  Sts({0, 0, kAll, 0}, Own);
  Memory({0, 0, 1, 0}, kWgOp_STS, 0, 0x100, true, At(2), Lane, 1);
  Launch();
  EXPECT_LT(race_->now, 10u);
  Ldg({1, 0, kAll, 0}, Own);
  Lds({1, 1, kAll, 0}, Own);
  EXPECT_TRUE(Pairs().empty());
  Stg({0, 0, kAll, 0}, Own);
  Expect(kWgRaceWar, kWgRaceGrid);
}

TEST_F(Race, AClockThatEndsIsTold) {
  race_->now = UINT32_MAX - 3;
  for (int i = 0; i < 4; i++) Plain({0, 0, kAll, 0}, kWgOp_SHFL);
  EXPECT_FALSE(wg_race_complete(race_));
  Launch();
  Sts({0, 0, kAll, 0}, Own);
  Lds({0, 1, kAll, 0}, Own); /* the next launch is looked at again */
  Expect(kWgRaceRaw, kWgRaceBlock);
}

TEST_F(Race, PairsAreCountedAndLimited) {
  for (uint32_t i = 0; i < 5000; i++) {
    Sts({0, 0, 1, 0}, At(0), 16 * i, At(2 * i));
    Sts({0, 1, 1, 0}, At(0), 16 * i, At(2 * i + 1));
  }
  EXPECT_EQ(Pairs().size(), 4096u);
  EXPECT_FALSE(wg_race_complete(race_));
}

/* Thousands of threads give to one word: lists of what is known stay short, and nothing is invented. */
TEST_F(Race, ManyGivers) {
  threads_ = 1024;
  blocks_ = 64;
  for (uint32_t b = 0; b < 64; b++) {
    for (uint32_t w = 0; w < 32; w++) {
      Stg({b, w, kAll, 0}, [b, w](uint32_t l) { return 65536 * (b + 1) + 128 * w + 4 * l; });
      Fence({b, w, kAll, 0}, 1);
      Atomic({b, w, kAll, 0}, false, At(0));
    }
  }
  LdgStrong({0, 0, 1, 0}, At(0));
  for (uint32_t b = 0; b < 64; b++) Ldg({0, 0, 1, 0}, At(65536 * (b + 1) + 128 * 31));
  EXPECT_TRUE(Pairs().empty());
}

}  // namespace
