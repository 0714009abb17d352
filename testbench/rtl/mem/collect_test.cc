// SPDX-License-Identifier: Apache-2.0
//
// sm_collect against a list of what is in flight: lanes delivered in any parts and any order come back as the beats of their
// instruction, in the order of completion of each kind, not before the padding is over, and unchanged until they are taken; stores
// end with their last lane; LDSM's matrices by their definition (isa/README.md).
// bench: top sm_collect -GSubCores=2
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <vector>

#include "Vtop.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kWide = 5, kQuad = 6, kPads[2] = {7, 16};

struct Insn {
  unsigned sub, slot, rd, pd, size, beats;
  bool load, shfl, global, ldsm, trans, pred_known = false;
  uint32_t mask, left, pred = 0;
  uint32_t row[4][32] = {};
  uint64_t done = 0; /* cycle of its last delivery */
};

class CollectBench {
 public:
  bench::Rng rng{96};
  Vtop top;
  std::map<unsigned, Insn> open;       /* by tag */
  std::deque<unsigned> queue[2];       /* complete loads: shared, global */
  unsigned beats = 0, stores = 0, matrices = 0, shuffles = 0, held = 0, waited = 0;
  uint64_t now = 0;
  unsigned ready = 70;

  void edge() {
    top.clk_i = 0, top.eval();
    top.clk_i = 1, top.eval();
  }
  void reset() {
    top.pad_shared_i = kPads[0], top.pad_global_i = kPads[1];
    top.rst_ni = 0, top.acc_valid_i = 0, top.pred_valid_i = 0, top.del_valid_i = 0, top.wb_ready_i = 0;
    for (unsigned i = 0; i < 40; i++) edge();
    top.rst_ni = 1;
  }
  void step() {
    accept();
    deliver();
    top.wb_ready_i = uint8_t(unsigned(rng.chance(ready)) | unsigned(rng.chance(ready)) << 1);
    top.clk_i = 0, top.eval();
    check();
    if (::testing::Test::HasFatalFailure()) return;
    top.clk_i = 1, top.eval();
    update();
    now++;
  }

 private:
  int turn_ = -1;         /* kind whose beat is offered */
  bool second_ = false;   /* words 2 and 3 */
  unsigned new_tag_ = 128, del_tag_ = 128, out_tag_ = 0;
  Insn new_{};
  uint32_t lanes_ = 0;
  bool taken_ = false, last_ = false;

  void accept() {
    top.acc_valid_i = 0, new_tag_ = 128;
    const unsigned tag = rng.below(128);
    if (open.count(tag) || open.size() > 40 || !rng.chance(50)) return;
    Insn i{};
    i.sub = rng.below(2), i.slot = rng.below(16), i.rd = rng.chance(5) ? 255 : 4 * rng.below(60), i.pd = rng.below(8);
    i.load = rng.chance(70), i.global = rng.chance(50), i.size = rng.below(7);
    if (i.load && !i.global) i.shfl = rng.chance(25), i.ldsm = !i.shfl && rng.chance(30);
    if (i.shfl) i.size = 4;
    i.beats = i.size, i.mask = rng.chance(20) ? 0xffffffffu : uint32_t(rng.next()) | 1u, i.left = i.mask;
    if (i.ldsm) {
      const unsigned n = rng.below(3);   /* 1, 2, 4 matrices */
      i.size = kQuad, i.beats = 4 + n, i.trans = rng.chance(50), i.left &= n == 2 ? 0xffffffffu : n == 1 ? 0xffffu : 0xffu;
    }
    new_ = i, new_tag_ = tag;
    top.acc_valid_i = 1, top.acc_tag_i = uint8_t(tag), top.acc_sub_i = uint8_t(i.sub), top.acc_slot_i = uint8_t(i.slot);
    top.acc_rd_i = uint8_t(i.rd), top.acc_pd_i = uint8_t(i.pd), top.acc_size_i = uint8_t(i.size), top.acc_load_i = i.load;
    top.acc_shfl_i = i.shfl, top.acc_global_i = i.global, top.acc_mask_i = i.mask, top.acc_left_i = i.left;
    top.acc_beats_i = uint8_t(i.beats), top.acc_ldsm_i = i.ldsm, top.acc_trans_i = i.trans;
  }
  void deliver() {
    top.del_valid_i = 0, top.pred_valid_i = 0, del_tag_ = 128;
    std::vector<unsigned> tags;
    for (auto &o : open) if (o.second.left != 0) tags.push_back(o.first);
    if (tags.empty() || !rng.chance(70)) return;
    const unsigned tag = tags[rng.below(uint32_t(tags.size()))];
    Insn &i = open[tag];
    if (i.shfl && !i.pred_known) {   /* its predicates come first */
      i.pred = uint32_t(rng.next()), i.pred_known = true;
      top.pred_valid_i = 1, top.pred_tag_i = uint8_t(tag), top.pred_i = i.pred;
      return;
    }
    lanes_ = rng.chance(60) || i.shfl ? i.left : i.left & uint32_t(rng.next());
    del_tag_ = tag, top.del_valid_i = 1, top.del_tag_i = uint8_t(tag), top.del_lanes_i = lanes_, top.del_data_i = i.load;
    for (unsigned l = 0; l < 32; l++) {
      const uint32_t w[4] = {uint32_t(rng.next()), uint32_t(rng.next()), uint32_t(rng.next()), uint32_t(rng.next())};
      top.del_w0_i[l] = w[0], top.del_w1_i[l] = w[1], top.del_w2_i[l] = w[2], top.del_w3_i[l] = w[3];
      for (unsigned k = 0; k < 4 && (lanes_ >> l & 1); k++) i.row[k][l] = w[k];
    }
    top.size_tag_i = uint8_t(tag);
  }

  /* Matrix k of an LDSM in lane l. */
  static uint32_t fragment(const Insn &i, unsigned k, unsigned l) {
    const auto element = [&](unsigned row, unsigned e) {
      const unsigned lane = 8 * k + row;
      return (i.mask >> lane & 1) ? i.row[e / 2][lane] >> (e % 2 * 16) & 0xffffu : 0u;
    };
    const unsigned two = 2 * (l % 4), one = l / 4;
    return i.trans ? element(two, one) | element(two + 1, one) << 16 : element(one, two) | element(one, two + 1) << 16;
  }

  void check() {
    if (del_tag_ < 128) {
      const Insn &i = open[del_tag_];
      ASSERT_EQ(unsigned(top.size_o), i.size);
      ASSERT_EQ(top.st_done_o != 0, !i.load && (i.left & ~lanes_) == 0);
    } else {
      ASSERT_FALSE(top.st_done_o);
    }
    taken_ = false;
    if (top.wb_valid_o == 0) {
      ASSERT_FALSE(second_);
      ASSERT_FALSE(top.ld_done_o);
      return;
    }
    if (turn_ < 0) {   /* a new instruction: the oldest of its kind */
      for (int q = 0; q < 2 && turn_ < 0; q++) {
        if (queue[q].empty()) continue;
        const Insn &i = open[queue[q].front()];
        if (i.done + 2 + kPads[q] <= now && matches(i)) turn_ = q;
      }
      ASSERT_GE(turn_, 0) << "a beat of nobody";
      out_tag_ = queue[turn_].front();
    }
    const Insn &i = open[out_tag_];
    ASSERT_TRUE(matches(i)) << "tag " << out_tag_;
    compare(i);
    if (::testing::Test::HasFatalFailure()) return;
    taken_ = top.wb_ready_i >> i.sub & 1, last_ = i.beats != kQuad || second_;
    held += !taken_;
    ASSERT_EQ(top.ld_done_o != 0, taken_ && last_);
    if (top.ld_done_o) ASSERT_EQ(unsigned(top.ld_done_tag_o), out_tag_);
  }
  bool matches(const Insn &i) const {
    const unsigned rd = i.rd + (second_ && i.rd != 255 ? 2 : 0);
    return top.wb_valid_o == 1u << i.sub && (top.wb_slot_o >> (4 * i.sub) & 15u) == i.slot && (top.wb_rd_o >> (8 * i.sub) & 255u) == rd &&
           uint32_t(top.wb_mask_o >> (32 * i.sub)) == i.mask;
  }
  void compare(const Insn &i) {
    const bool wide = i.beats == kWide || i.beats == kQuad;
    ASSERT_EQ(top.wb_wide_o >> i.sub & 1u, unsigned(wide));
    ASSERT_EQ(top.wb_last_o >> i.sub & 1u, unsigned(i.beats != kQuad || second_));
    for (unsigned l = 0; l < 32; l++) {
      if (!(i.mask >> l & 1)) continue;
      for (unsigned k = 0; k < (wide ? 2u : 1u); k++) {
        const unsigned w = k + (second_ ? 2 : 0);
        ASSERT_EQ(top.wb_data_o[64 * i.sub + 32 * k + l], i.ldsm ? fragment(i, w, l) : i.row[w][l]) << "lane " << l << " word " << w;
      }
    }
    ASSERT_EQ(top.wb_pvalid_o >> i.sub & 1u, unsigned(i.shfl && i.pd != 7));
    if (i.shfl && i.pd != 7) {
      ASSERT_EQ(top.wb_pd_o >> (3 * i.sub) & 7u, i.pd);
      ASSERT_EQ(uint32_t(top.wb_pbits_o >> (32 * i.sub)), i.pred);
    }
    beats++, matrices += i.ldsm, shuffles += i.shfl;
  }

  void update() {
    if (taken_) {
      second_ = !last_;
      if (last_) queue[turn_].pop_front(), open.erase(out_tag_), turn_ = -1;
    }
    if (del_tag_ < 128) {
      Insn &i = open[del_tag_];
      i.left &= ~lanes_;
      if (i.left == 0 && !i.load) open.erase(del_tag_), stores++;
      else if (i.left == 0) i.done = now, queue[i.global].push_back(del_tag_);
    }
    if (new_tag_ < 128) {
      open[new_tag_] = new_;
      if (new_.left == 0) open[new_tag_].left = 0;
    }
    for (auto &q : queue) waited += q.size() > 8;
  }
};

TEST(CollectTest, WhatIsDeliveredComesBack) {
  CollectBench b;
  b.reset();
  for (unsigned i = 0; i < 60000; i++) {
    if (i % 1000 == 0) b.ready = i / 1000 % 3 == 0 ? 20 : 90;
    b.step();
    if (::testing::Test::HasFatalFailure()) FAIL() << "cycle " << i;
  }
  std::printf("%u beats, %u stores, %u of LDSM, %u of shuffles, %u held\n", b.beats, b.stores, b.matrices, b.shuffles, b.held);
  for (unsigned n : {b.beats, b.stores, b.matrices, b.shuffles, b.held, b.waited}) EXPECT_GT(n, 1000u);
}

}  // namespace
