// SPDX-License-Identifier: Apache-2.0
//
// The SIMT stack's twin: random structured programs, each lane's path compared with the path of a lone thread, lanes
// together again behind every join; and its faults.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "isa/wg_isa.h"
#include "model/twin/simt_stack.h"

namespace {

struct Op {
  uint8_t op;
  uint8_t breg = 0;
  unsigned target = 0;  // instruction index
  bool uniform = true;  // guard PT
  bool loop = false;    // guard: trips left
};

// Structured code: sequences, if / if-else, loops, early exits, each divergent construct inside BSSY .. BSYNC.
class Builder {
 public:
  explicit Builder(uint32_t seed) : rng_(seed) {
    Block(0);
    code_.push_back({kWgOp_EXIT});
  }
  std::vector<Op> code_;
  std::vector<std::pair<unsigned, unsigned>> joins_;  // BSSY index, BSYNC index

 private:
  void Plain() { code_.push_back({kWgOp_MOV}); }
  unsigned At() const { return static_cast<unsigned>(code_.size()); }
  void Block(unsigned depth) {
    for (unsigned n = rng_() % 3 + 1; n > 0; n--) {
      unsigned kind = depth >= 4 ? 0 : rng_() % 8;
      if (kind < 3) Plain();
      else if (kind < 6) If(depth, kind == 5);
      else if (kind == 6) Loop(depth);
      else code_.push_back({kWgOp_EXIT, 0, 0, false, false});
    }
  }
  unsigned Open(unsigned depth) {
    unsigned at = At();
    code_.push_back({kWgOp_BSSY, static_cast<uint8_t>(depth), 0});
    return at;
  }
  void Close(unsigned open, unsigned depth) {
    code_[open].target = At();
    joins_.push_back({open, At()});
    code_.push_back({kWgOp_BSYNC, static_cast<uint8_t>(depth)});
  }
  void If(unsigned depth, bool with_else) {
    unsigned open = Open(depth), br = At();
    code_.push_back({kWgOp_BRA, 0, 0, false});
    Block(depth + 1);
    if (with_else) {
      unsigned over = At();
      code_.push_back({kWgOp_BRA, 0, 0, true});
      code_[br].target = At();
      Block(depth + 1);
      code_[over].target = At();
    } else {
      code_[br].target = At();
    }
    Close(open, depth);
  }
  void Loop(unsigned depth) {
    unsigned open = Open(depth), top = At();
    Plain();
    Block(depth + 1);
    code_.push_back({kWgOp_BRA, 0, top, false, true});
    Close(open, depth);
  }
  std::mt19937 rng_;
};

bool Holds(uint32_t seed, unsigned pc, unsigned lane, unsigned visit, bool loop, bool is_exit) {
  uint32_t h = seed * 2654435761u ^ pc * 40503u ^ lane * 2246822519u ^ visit * 3266489917u;
  h ^= h >> 15;
  h *= 2246822519u;
  h ^= h >> 13;
  if (is_exit) return h % 8 == 0;
  return loop ? visit < 4 && h % 2 == 0 : h % 2 == 0;
}

// What a lone thread would run.
std::vector<unsigned> LonePath(const std::vector<Op> &code, uint32_t seed, unsigned lane) {
  std::vector<unsigned> path, visits(code.size(), 0);
  for (unsigned pc = 0;;) {
    path.push_back(pc);
    const Op &o = code[pc];
    bool g = o.uniform || Holds(seed, pc, lane, visits[pc]++, o.loop, o.op == kWgOp_EXIT);
    if (o.op == kWgOp_EXIT && g) return path;
    pc = o.op == kWgOp_BRA && g ? o.target : pc + 1;
  }
}

TEST(SimtStack, StructuredProgramsRunAsLoneThreads) {
  unsigned divergent = 0, joins = 0;
  for (uint32_t seed = 1; seed <= 3000; seed++) {
    Builder b(seed);
    const auto &code = b.code_;
    uint32_t present = seed % 3 == 0 ? 0x0fffffffu : UINT32_MAX;
    wg_simt_stack_t s;
    wg_simt_reset(&s, 0, present);
    std::vector<std::vector<unsigned>> path(32);
    std::vector<std::vector<unsigned>> visits(32, std::vector<unsigned>(code.size(), 0));
    std::vector<uint32_t> opened(code.size(), 0);
    uint32_t exited = 0;
    unsigned steps = 0;
    while (s.mask != 0) {
      ASSERT_LT(steps++, 1000000u);
      unsigned pc = s.pc / 16;
      ASSERT_LT(pc, code.size());
      const Op &o = code[pc];
      uint32_t exec = 0, before = s.mask;
      for (unsigned l = 0; l < 32; l++) {
        if (!(s.mask >> l & 1)) continue;
        path[l].push_back(pc);
        bool g = o.uniform || Holds(seed, pc, l, visits[l][pc]++, o.loop, o.op == kWgOp_EXIT);
        exec |= static_cast<uint32_t>(g) << l;
      }
      if (o.op == kWgOp_BSSY) opened[pc] = s.mask;
      wg_simt_in_t in = {o.op, o.breg, 16 * o.target, exec};
      wg_simt_out_t out = wg_simt_step(&s, &in);
      ASSERT_EQ(out.fault, kWgFaultNone) << seed;
      ASSERT_EQ(out.mask, s.mask);
      if (o.op == kWgOp_EXIT) exited |= exec;
      if (o.op == kWgOp_BRA && s.mask != before && s.mask != 0) divergent++;
      // behind a join: exactly the lanes that opened it and live
      for (const auto &j : b.joins_) {
        if (o.op != kWgOp_BSYNC || pc != j.second || s.pc / 16 != pc + 1) continue;
        ASSERT_EQ(s.mask, opened[j.first] & ~exited) << seed;
        joins++;
      }
    }
    EXPECT_EQ(s.depth, 0u);
    for (unsigned l = 0; l < 32; l++) {
      if (!(present >> l & 1)) ASSERT_TRUE(path[l].empty());
      else ASSERT_EQ(path[l], LonePath(code, seed, l)) << "seed " << seed << " lane " << l;
    }
  }
  EXPECT_GT(divergent, 10000u);
  EXPECT_GT(joins, 5000u);
}

wg_simt_out_t Step(wg_simt_stack_t *s, uint8_t op, uint32_t exec, unsigned target = 0, uint8_t breg = 0) {
  wg_simt_in_t in = {op, breg, 16 * target, exec};
  return wg_simt_step(s, &in);
}

TEST(SimtStack, FallThroughSideFirst) {
  wg_simt_stack_t s;
  wg_simt_reset(&s, 0x100, 0xff);
  Step(&s, kWgOp_BSSY, 0xff, 100);
  wg_simt_out_t o = Step(&s, kWgOp_BRA, 0x0f, 50);
  EXPECT_EQ(o.pc, 0x120u);
  EXPECT_EQ(o.mask, 0xf0u);
  EXPECT_EQ(o.depth, 2u);
}

TEST(SimtStack, DepthIsLimited) {
  wg_simt_stack_t s;
  wg_simt_reset(&s, 0, UINT32_MAX);
  for (int i = 0; i < kWgStackDepth; i++) ASSERT_EQ(Step(&s, kWgOp_BSSY, UINT32_MAX, 9).fault, kWgFaultNone);
  wg_simt_stack_t before = s;
  EXPECT_EQ(Step(&s, kWgOp_BSSY, UINT32_MAX, 9).fault, kWgFaultStackError);
  EXPECT_EQ(Step(&s, kWgOp_BRA, 1, 9).fault, kWgFaultStackError);
  EXPECT_EQ(s.pc, before.pc);
  EXPECT_EQ(s.mask, before.mask);
  EXPECT_EQ(Step(&s, kWgOp_BRA, UINT32_MAX, 9).fault, kWgFaultNone);  // needs no entry
}

TEST(SimtStack, WrongSyncFaults) {
  wg_simt_stack_t s;
  wg_simt_reset(&s, 0, 3);
  EXPECT_EQ(Step(&s, kWgOp_BSYNC, 3, 0, 1).fault, kWgFaultStackError);
  Step(&s, kWgOp_BSSY, 3, 9, 2);
  EXPECT_EQ(Step(&s, kWgOp_BSYNC, 3, 0, 1).fault, kWgFaultStackError);
  EXPECT_EQ(Step(&s, kWgOp_BSYNC, 3, 0, 2).fault, kWgFaultNone);
}

// Without an executing lane nothing happens; with one, the whole running split takes part.
TEST(SimtStack, GuardedSync) {
  wg_simt_stack_t s;
  wg_simt_reset(&s, 0, 0xff);
  EXPECT_EQ(Step(&s, kWgOp_BSSY, 0, 9).depth, 0u);
  EXPECT_EQ(Step(&s, kWgOp_BSYNC, 0).fault, kWgFaultNone);
  EXPECT_EQ(s.pc, 32u);
  EXPECT_EQ(Step(&s, kWgOp_EXIT, 0).mask, 0xffu);
  EXPECT_EQ(Step(&s, kWgOp_BSSY, 1, 9).depth, 1u);
  EXPECT_EQ(s.entry[0].mask, 0xffu);
  EXPECT_EQ(Step(&s, kWgOp_BSYNC, 2).mask, 0xffu);
  EXPECT_EQ(s.depth, 0u);
}

TEST(SimtStack, MisalignedTargetFaults) {
  wg_simt_stack_t s;
  wg_simt_reset(&s, 0, 3);
  wg_simt_in_t in = {kWgOp_BRA, 0, 24, 1};
  EXPECT_EQ(wg_simt_step(&s, &in).fault, kWgFaultBadPc);
  in.exec = 0;
  EXPECT_EQ(wg_simt_step(&s, &in).fault, kWgFaultNone);
}

// All lanes of one side leave; the others already wait at the join: they go on behind it.
TEST(SimtStack, ExitOfTheLastSideReleasesTheJoin) {
  wg_simt_stack_t s;
  wg_simt_reset(&s, 0, 0xff);
  Step(&s, kWgOp_BSSY, 0xff, 20, 0);
  Step(&s, kWgOp_BRA, 0x0f, 10);
  s.pc = 16 * 20;
  EXPECT_EQ(Step(&s, kWgOp_BSYNC, 0xf0, 0, 0).pc, 160u);  // lanes 0-3 run
  wg_simt_out_t o = Step(&s, kWgOp_EXIT, 0x0f);
  EXPECT_EQ(o.pc, 16u * 21);
  EXPECT_EQ(o.mask, 0xf0u);
  EXPECT_EQ(o.depth, 0u);
  EXPECT_EQ(Step(&s, kWgOp_EXIT, 0xf0).mask, 0u);
}

}  // namespace
