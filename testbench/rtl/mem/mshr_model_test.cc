// SPDX-License-Identifier: Apache-2.0
//
// sm_mshr against a list of open requests: who merges where, who takes a new entry, when there is room, what is served in which
// order with which lanes, which sectors may be installed after stores and invalidates, whom an error names.
// bench: top sm_mshr
#include <gtest/gtest.h>

#include <vector>

#include "Vtop.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

struct Merged {
  unsigned tag;
  uint32_t lanes;
};

struct Entry {
  bool valid = false, closed = false, ready = false;
  uint64_t line = 0;
  unsigned want = 0, got = 0, stale = 0, warp = 0;
  uint32_t pc = 0, lanes = 0;
  std::vector<Merged> list;
};

class MshrBench {
 public:
  bench::Rng rng{93};
  Vtop top;
  Entry e[64];
  unsigned mshrs = 64, load = 60, answer = 40, take = 80, lines = 3;
  unsigned merged = 0, opened = 0, served = 0, stale = 0, full_lists = 0, refused = 0, errors = 0;

  void edge() {
    top.clk_i = 0, top.eval();
    top.clk_i = 1, top.eval();
  }
  void reset(unsigned n) {
    mshrs = n;
    for (Entry &x : e) x = Entry();
    act_ = p1_ = p2_ = can_ = false, cur_ = 0;
    top.mshrs_i = uint8_t(n), top.rst_ni = 0, top.inval_i = 0, top.ld_valid_i = 0, top.mark_valid_i = 0, top.rsp_valid_i = 0;
    top.sv_take_i = 0, top.p1_valid_i = 0, top.free_valid_i = 0;
    edge(), edge();
    top.rst_ni = 1;
  }

  void step() {
    drive_stage();
    drive_rest();
    top.clk_i = 0, top.eval();
    check_stage();
    check_rest();
    if (::testing::Test::HasFatalFailure()) return;
    top.sv_take_i = top.sv_valid_o && rng.chance(take);
    top.eval();
    update();
    top.clk_i = 1, top.eval();
  }

 private:
  bool act_ = false, p1_ = false, p1_last_ = false, p2_ = false, can_ = false;
  unsigned cur_ = 0, k_ = 0, p1_id_ = 0, p1_k_ = 0, p2_id_ = 0, id_ = 0;
  bool new_ = false;

  void drive_stage() {
    top.ld_valid_i = can_ && rng.chance(load);
    refused += !can_;
    top.ld_bypass_i = rng.chance(10);
    const bool store = !top.ld_valid_i && rng.chance(15);
    top.mark_valid_i = store || (top.ld_valid_i && top.ld_bypass_i);
    top.line_i = 0x1000 + rng.below(lines);
    top.secs_i = uint8_t(1 + rng.below(15));
    top.mark_secs_i = top.ld_valid_i ? top.secs_i : uint8_t(1 + rng.below(15));
    top.ld_tag_i = uint8_t(rng.below(128)), top.ld_lanes_i = uint32_t(rng.next()), top.ld_warp_i = uint8_t(rng.below(64));
    top.ld_pc_i = rng.below(1u << 28);
    top.inval_i = rng.below(1000) < 2;
  }

  void drive_rest() {
    top.rsp_valid_i = 0, top.rsp_id_i = 0, top.rsp_sector_i = 0, top.rsp_error_i = 0;
    unsigned taken_id = 64, taken_sector = 4;
    for (unsigned r = 0; r < 2; r++) {
      const unsigned id = rng.below(mshrs), s = rng.below(4);
      if (!rng.chance(answer) || !e[id].valid || !((e[id].want & ~e[id].got) >> s & 1) || (id == taken_id && s == taken_sector)) continue;
      top.rsp_valid_i |= uint8_t(1u << r), top.rsp_id_i |= uint16_t(id << (6 * r)), top.rsp_sector_i |= uint8_t(s << (2 * r));
      top.rsp_error_i |= uint8_t(unsigned(rng.chance(5)) << r);
      taken_id = id, taken_sector = s;
    }
    top.p1_valid_i = p1_, top.p1_id_i = uint8_t(p1_id_), top.p1_k_i = uint8_t(p1_k_);
    top.free_valid_i = p2_, top.free_id_i = uint8_t(p2_id_);
    top.sv_take_i = 0;
  }

  void check_stage() {
    unsigned open = 0, first = 64;
    bool any = false;
    for (unsigned i = 64; i-- > 0;) {
      any |= e[i].valid;
      if (i < mshrs && !e[i].valid) open++, first = i;
    }
    ASSERT_EQ(top.alloc_ok_o != 0, open > (top.ld_valid_i ? 1u : 0u));
    ASSERT_EQ(top.idle_o != 0, !any);
    can_ = top.alloc_ok_o;
    if (!top.ld_valid_i) return;
    id_ = 64;
    for (unsigned i = 64; i-- > 0 && !top.ld_bypass_i;) {
      const Entry &x = e[i];
      if (!x.valid || x.line != top.line_i || x.closed) continue;
      full_lists += x.list.size() == 8;
      if (x.list.size() < 8 && (top.secs_i & ~(x.want & ~x.stale)) == 0) id_ = i;
    }
    new_ = id_ == 64;
    if (new_) id_ = first;
    ASSERT_EQ(top.ld_new_o != 0, new_);
    ASSERT_EQ(unsigned(top.ld_id_o), id_);
  }

  void check_rest() {
    ASSERT_EQ(top.sv_valid_o != 0, act_);
    if (act_) {
      ASSERT_EQ(unsigned(top.sv_id_o), cur_);
      ASSERT_EQ(unsigned(top.sv_k_o), k_);
      ASSERT_EQ(top.sv_first_o != 0, k_ == 0);
      ASSERT_EQ(top.sv_last_o != 0, k_ + 1 == e[cur_].list.size());
    }
    if (p1_) {
      const Entry &x = e[p1_id_];
      ASSERT_EQ(top.p1_line_o, x.line);
      ASSERT_EQ(unsigned(top.p1_warp_o), x.warp);
      ASSERT_EQ(unsigned(top.p1_secs_o), x.want);
      ASSERT_EQ(unsigned(top.p1_stale_o & top.p1_secs_o), x.stale & x.want);
      ASSERT_EQ(unsigned(top.p1_tag_o), x.list[p1_k_].tag);
      ASSERT_EQ(top.p1_lanes_o, x.list[p1_k_].lanes);
      served++, stale += (x.stale & x.want) != 0;
    }
    const unsigned bad = top.rsp_valid_i & top.rsp_error_i;
    ASSERT_EQ(top.err_valid_o != 0, bad != 0);
    if (bad == 0) return;
    const Entry &x = e[top.rsp_id_i >> (bad & 1 ? 0 : 6) & 63];
    ASSERT_EQ(unsigned(top.err_warp_o), x.warp);
    ASSERT_EQ(top.err_pc_o, x.pc);
    ASSERT_EQ(top.err_lanes_o, x.lanes);
    ASSERT_EQ(top.err_line_o, x.line);
    errors++;
  }

  void update() {
    unsigned pick = 64;
    for (unsigned n = 64; n > 0 && !act_; n--) if (e[(cur_ + n) % 64].ready) pick = (cur_ + n) % 64;   /* the next above the last one */
    p2_ = p1_ && p1_last_, p2_id_ = p1_id_;
    if (top.free_valid_i) e[top.free_id_i].valid = false;
    p1_ = top.sv_take_i, p1_id_ = cur_, p1_k_ = k_;
    if (p1_) {
      p1_last_ = k_ + 1 == e[cur_].list.size();
      act_ = !p1_last_, k_++;
    }
    for (unsigned r = 0; r < 2; r++) {
      if (!(top.rsp_valid_i >> r & 1)) continue;
      e[top.rsp_id_i >> (6 * r) & 63].got |= 1u << (top.rsp_sector_i >> (2 * r) & 3);
    }
    for (unsigned r = 0; r < 2; r++) {
      Entry &x = e[top.rsp_id_i >> (6 * r) & 63];
      if ((top.rsp_valid_i >> r & 1) && (x.want & ~x.got) == 0) x.ready = true;
    }
    if (pick < 64) e[pick].ready = false, e[pick].closed = true, act_ = true, cur_ = pick, k_ = 0;
    if (top.mark_valid_i) for (Entry &x : e) if (x.valid && x.line == top.line_i) x.stale |= top.mark_secs_i;
    if (top.ld_valid_i) {
      Entry &x = e[id_];
      if (new_) {
        x = Entry();
        x.valid = true, x.line = top.line_i, x.want = top.secs_i, x.stale = top.ld_bypass_i ? 15 : 0;
        x.warp = top.ld_warp_i, x.pc = top.ld_pc_i, x.lanes = top.ld_lanes_i, opened++;
      } else {
        merged++;
      }
      x.list.push_back({top.ld_tag_i, top.ld_lanes_i});
    }
    if (top.inval_i) for (Entry &x : e) x.stale = 15;
  }
};

TEST(MshrModelTest, EveryLoadIsBroughtOnce) {
  MshrBench b;
  const struct { unsigned mshrs, lines, load, answer, take; } cases[] = {
      {64, 3, 60, 40, 80}, {64, 100, 90, 30, 60}, {4, 2, 90, 60, 90}, {1, 2, 90, 90, 90}, {16, 1, 95, 5, 50}};
  for (const auto &c : cases) {
    b.reset(c.mshrs);
    b.lines = c.lines, b.load = c.load, b.answer = c.answer, b.take = c.take;
    for (unsigned i = 0; i < 20000; i++) {
      b.step();
      if (::testing::Test::HasFatalFailure()) FAIL() << c.mshrs << " MSHRs, cycle " << i;
    }
  }
  std::printf("%u opened, %u merged, %u served, %u of them stale, %u errors\n", b.opened, b.merged, b.served, b.stale, b.errors);
  for (unsigned n : {b.opened, b.merged, b.served, b.stale, b.full_lists, b.refused, b.errors}) EXPECT_GT(n, 100u);
}

}  // namespace
