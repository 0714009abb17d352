// SPDX-License-Identifier: Apache-2.0
//
// The divergence unit's twin in mode its: random structured programs in all split orders, each lane's path compared with
// that of a lone thread, lanes together again after the outermost join; and the rules one by one.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "isa/wg_isa.h"
#include "model/twin/diverge.h"

namespace {

struct Ins {
  uint8_t op;
  uint8_t breg;
  unsigned target; /* index */
  unsigned cond;   /* 0: always; else a hash seed for the lane's choice at each visit; loops: trips */
  bool loop;
};

/* What a lane remembers: visits of each instruction. */
struct Lane {
  std::vector<unsigned> visits;
  std::vector<unsigned> path;
  std::vector<unsigned> link; /* return addresses */
};

bool Takes(const Ins &i, unsigned lane, unsigned visit) {
  if (i.cond == 0) return true;
  if (i.loop) return visit % (1 + (lane * 7 + i.cond) % 5) != 0;
  unsigned h = (lane + 1) * 2654435761u ^ (visit + 1) * 40503u ^ i.cond * 97u;
  return (h >> 13 & 1u) != 0;
}

class Program {
 public:
  std::vector<Ins> code;
  std::vector<unsigned> joins; /* indices behind outermost BSYNCs */

  explicit Program(unsigned seed) : rng_(seed) {
    for (unsigned k = 0; k < 4; k++) {
      Region(0);
      joins.push_back(unsigned(code.size()));
      Add(kWgOp_MOV);
    }
    Add(kWgOp_EXIT);
    /* one function for all calls: it uses B15, which nothing else does */
    unsigned fn = unsigned(code.size());
    unsigned open = Add(kWgOp_BSSY, 15), bra = Add(kWgOp_BRA, 0, 11);
    Add(kWgOp_MOV);
    Add(kWgOp_MOV);
    code[bra].target = code[open].target = Add(kWgOp_BSYNC, 15);
    Add(kWgOp_RET);
    for (Ins &i : code)
      if (i.op == kWgOp_CALL) i.target = fn;
  }

 private:
  std::mt19937 rng_;
  unsigned Rand(unsigned n) { return rng_() % n; }
  unsigned Add(uint8_t op, uint8_t breg = 0, unsigned cond = 0, bool loop = false) {
    code.push_back({op, breg, 0, cond, loop});
    return unsigned(code.size() - 1);
  }
  void Filler() {
    for (unsigned n = 1 + Rand(3); n > 0; n--) {
      const uint8_t kOps[] = {kWgOp_MOV, kWgOp_MOV, kWgOp_YIELD, kWgOp_CALL, kWgOp_NANOSLEEP};
      Add(kOps[Rand(5)]);
    }
  }
  void Region(unsigned depth) {
    uint8_t b = uint8_t(depth);
    unsigned open = Add(kWgOp_BSSY, b);
    if (Rand(3) == 0) { /* loop with trips by lane */
      unsigned top = unsigned(code.size());
      Filler();
      if (depth < 4 && Rand(2) == 0) Region(depth + 1);
      code[Add(kWgOp_BRA, 0, 1 + Rand(100), true)].target = top;
    } else {
      unsigned bra = Add(kWgOp_BRA, 0, 1 + Rand(1000));
      Filler();
      if (depth < 4 && Rand(2) == 0) Region(depth + 1);
      if (Rand(8) == 0) Add(kWgOp_EXIT, 0, 1 + Rand(1000));
      unsigned over = Add(kWgOp_BRA);
      code[bra].target = unsigned(code.size());
      Filler();
      if (depth < 4 && Rand(2) == 0) Region(depth + 1);
      code[over].target = unsigned(code.size());
    }
    code[open].target = Add(kWgOp_BSYNC, b);
  }
};

/* Where a lane goes from instruction `at`; SIZE_MAX = it has ended. */
unsigned Walk(const Program &p, Lane &lane, unsigned l, unsigned at) {
  const Ins &i = p.code[at];
  lane.path.push_back(at);
  bool takes = Takes(i, l, ++lane.visits[at]);
  if (i.op == kWgOp_EXIT && takes) return UINT32_MAX;
  if (i.op == kWgOp_CALL) lane.link.push_back(at + 1);
  if (i.op == kWgOp_RET) {
    unsigned to = lane.link.back();
    lane.link.pop_back();
    return to;
  }
  return (i.op == kWgOp_BRA && takes) || i.op == kWgOp_CALL ? i.target : at + 1;
}

class Its : public ::testing::TestWithParam<int> {
 protected:
  wg_diverge_t d_;
  void Reset(uint32_t mask, uint32_t seed = 1) {
    wg_diverge_cfg_t cfg = {true, uint8_t(GetParam()), seed};
    wg_diverge_reset(&d_, &cfg, 0, mask);
  }
};

TEST_P(Its, EveryLaneGoesItsOwnWay) {
  unsigned splits = 0, ends = 0;
  for (unsigned seed = 0; seed < 400; seed++) {
    Program p(seed);
    std::mt19937 r(seed);
    uint32_t present = seed % 3 == 0 ? UINT32_MAX : (uint32_t(r()) | 1u);
    Lane lone[32], lane[32];
    for (unsigned l = 0; l < 32; l++) {
      lone[l].visits.assign(p.code.size(), 0);
      lane[l].visits.assign(p.code.size(), 0);
      for (unsigned at = 0; at != UINT32_MAX && (present >> l & 1u);) at = Walk(p, lone[l], l, at);
    }
    Reset(present, seed);
    unsigned steps = 0;
    while (!wg_diverge_ended(&d_)) {
      ASSERT_LT(++steps, 200000u) << "seed " << seed;
      ASSERT_NE(d_.mask, 0u) << "seed " << seed << ": nobody can run";
      unsigned at = d_.pc / 16;
      ASSERT_LT(at, p.code.size());
      for (unsigned j : p.joins) {
        if (j == at) ASSERT_EQ(d_.mask, ~d_.gone) << "seed " << seed << ": not together behind a join";
      }
      const Ins &i = p.code[at];
      uint32_t target[32] = {0};
      wg_diverge_in_t in{};
      in.op = i.op, in.breg = i.breg, in.target = 16 * i.target, in.lane_target = target;
      bool by_lane = i.op == kWgOp_BRA || i.op == kWgOp_EXIT;
      for (unsigned l = 0; l < 32; l++) {
        if ((d_.mask >> l & 1u) == 0) continue;
        if (i.op == kWgOp_RET) target[l] = 16 * lane[l].link.back();
        if (!by_lane || Takes(i, l, lane[l].visits[at] + 1)) in.exec |= 1u << l;
        Walk(p, lane[l], l, at);
      }
      splits += (~d_.gone & ~d_.mask) != 0;
      ASSERT_EQ(wg_diverge_run(&d_, &in).fault, kWgFaultNone);
    }
    for (unsigned l = 0; l < 32; l++) ASSERT_EQ(lane[l].path, lone[l].path) << "seed " << seed << " lane " << l;
    ends++;
  }
  EXPECT_EQ(ends, 400u);
  EXPECT_GT(splits, 10000u);
}

TEST_P(Its, ASpinningSplitDoesNotKeepTheOthersOut) {
  Reset(3);
  wg_diverge_in_t bra{};
  bra.op = kWgOp_BRA, bra.target = 0x800, bra.exec = 2;
  wg_diverge_run(&d_, &bra); /* lane 1 goes away, lane 0 falls through */
  EXPECT_EQ(d_.mask, 1u);
  unsigned issues = 0;
  for (; d_.mask == 1u && issues < 5000; issues++) {
    wg_diverge_in_t back{};
    back.op = kWgOp_BRA, back.target = 0x10, back.exec = 1;
    wg_diverge_run(&d_, &back);
  }
  EXPECT_EQ(d_.mask, 2u);
  EXPECT_EQ(d_.pc, 0x800u);
  if (GetParam() == kWgSplitH200) EXPECT_EQ(issues, unsigned(kWgSplitRun));
  if (GetParam() == kWgSplitAlternate) EXPECT_EQ(issues, 1u);
}
INSTANTIATE_TEST_SUITE_P(Orders, Its, ::testing::Values(0, 1, 2));

class Rules : public ::testing::Test {
 protected:
  wg_diverge_t d_;
  wg_diverge_out_t o_;
  void SetUp() override {
    wg_diverge_cfg_t cfg = {true, kWgSplitH200, 0};
    wg_diverge_reset(&d_, &cfg, 0, 0xff);
  }
  void Do(uint8_t op, uint32_t exec, uint32_t target = 0, uint8_t breg = 0, uint32_t value = 0) {
    wg_diverge_in_t in{};
    in.op = op, in.exec = exec, in.target = target, in.breg = breg, in.value = value;
    in.bar.id = breg, in.bar.arrive_only = value != 0, in.bar.lanes = exec;
    o_ = wg_diverge_run(&d_, &in);
  }
};

TEST_F(Rules, BothArmsMeetAtABlockBarrier) {
  Do(kWgOp_BRA, 0x0f, 0x100);
  Do(kWgOp_BAR, 0xf0, 0, 3);
  EXPECT_FALSE(o_.arrives);
  EXPECT_EQ(d_.mask, 0x0fu);
  Do(kWgOp_BAR, 0x0f, 0, 3);
  ASSERT_TRUE(o_.arrives);
  EXPECT_EQ(o_.bar.lanes, 0xffu);
  EXPECT_EQ(d_.mask, 0u);
  wg_diverge_release(&d_);
  EXPECT_NE(d_.mask, 0u);
  EXPECT_EQ(d_.mask | d_.ready, 0xffu);
}

TEST_F(Rules, SyncAndArriveInTwoArmsWaitForEver) {
  Do(kWgOp_BRA, 0x0f, 0x100);
  Do(kWgOp_BAR, 0xf0, 0, 3);
  Do(kWgOp_BAR, 0x0f, 0, 3, 1); /* arrive only */
  EXPECT_FALSE(o_.arrives);
  EXPECT_EQ(d_.mask, 0u);
  EXPECT_EQ(d_.ready, 0u);
  char buf[160];
  EXPECT_NE(std::string(wg_diverge_waits(&d_, buf, sizeof buf)).find("lanes 0x000000f0 at barrier 3"), std::string::npos);
}

TEST_F(Rules, LanesThatExitCountAsThere) {
  Do(kWgOp_BRA, 0x0f, 0x100);
  Do(kWgOp_BAR, 0xf0, 0, 3);
  Do(kWgOp_EXIT, 0x0f);
  ASSERT_TRUE(o_.arrives);
  EXPECT_EQ(o_.bar.lanes, 0xf0u);
}

TEST_F(Rules, WarpsyncOfExitedLanesAndOfTwoGroups) {
  Do(kWgOp_BRA, 0x0f, 0x100);
  Do(kWgOp_WARPSYNC, 0xf0, 0, 0, 0xff);
  EXPECT_EQ(d_.mask, 0x0fu);
  Do(kWgOp_WARPSYNC, 0x03, 0, 0, 0x03); /* complete at once: the split goes on */
  EXPECT_EQ(d_.mask, 0x0cu);
  Do(kWgOp_EXIT, 0x0c);
  EXPECT_EQ(d_.mask, 0x03u);
  Do(kWgOp_EXIT, 0x03);
  EXPECT_EQ(d_.mask, 0xf0u);
  EXPECT_EQ(d_.pc, 0x20u);
}

TEST_F(Rules, EachLaneHasItsOwnConvergenceBarriers) {
  Do(kWgOp_BRA, 0x0f, 0x100);
  Do(kWgOp_BSSY, 0xf0, 0x200, 0); /* both halves use B0, one after the other */
  Do(kWgOp_BRA, 0xc0, 0x200);
  Do(kWgOp_BSYNC, 0x30, 0, 0);
  EXPECT_EQ(d_.mask, 0x0fu); /* the next one above lane 0, which led so far */
  Do(kWgOp_BSSY, 0x0f, 0x300, 0);
  EXPECT_EQ(wg_diverge_breg(&d_, 0, 0), 0x0fu);
  EXPECT_EQ(wg_diverge_breg(&d_, 0, 7), 0xf0u);
  Do(kWgOp_BSYNC, 0x0f, 0, 0); /* complete by itself */
  EXPECT_EQ(d_.mask, 0x0fu);
  Do(kWgOp_YIELD, 0x0f);
  ASSERT_EQ(d_.mask, 0xc0u);
  Do(kWgOp_BSYNC, 0xc0, 0, 0);
  EXPECT_EQ(d_.mask | d_.ready, 0xffu);
}

TEST_F(Rules, FollowTakesOnlyLanesThatCanRunThere) {
  Do(kWgOp_BRA, 0x0f, 0x100);
  EXPECT_FALSE(wg_diverge_follow(&d_, 0x10, 0x0f));
  EXPECT_FALSE(wg_diverge_follow(&d_, 0x100, 0x1f));
  EXPECT_TRUE(wg_diverge_follow(&d_, 0x100, 0x0f));
  EXPECT_EQ(wg_diverge_at(&d_, 0x10), 0xf0u);
  Do(kWgOp_BAR, 0x0f, 0, 1);
  EXPECT_FALSE(wg_diverge_follow(&d_, 0x110, 0x0f));
}

TEST_F(Rules, BadTargetsFault) {
  uint32_t target[32] = {0};
  wg_diverge_in_t in{};
  in.op = kWgOp_RET, in.exec = 0xff, in.lane_target = target;
  target[5] = 8;
  EXPECT_EQ(wg_diverge_run(&d_, &in).fault, kWgFaultBadPc);
  target[5] = 1u << 28;
  EXPECT_EQ(wg_diverge_run(&d_, &in).fault, kWgFaultBadPc);
  target[5] = 16;
  EXPECT_EQ(wg_diverge_run(&d_, &in).fault, kWgFaultNone);
  EXPECT_EQ(d_.mask | d_.ready, 0xffu);
}

}  // namespace
