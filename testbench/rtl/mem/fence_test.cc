// SPDX-License-Identifier: Apache-2.0
//
// sm_fence against sets: no warp is released while an earlier instruction of its own has a tag, nor (MEMBAR.GPU) while a
// store that the SM had taken before has a tag or an open id; every wait ends when what it waits for has; CCTL drops the
// L1 with its release.
// bench: top sm_fence
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "Vtop.h"
#include "testbench/rtl/mem/wide.h"

namespace {

struct Tag {
  unsigned warp;
  bool store;
};
struct Wait {
  bool gpu, inval;
  std::set<unsigned> tags, stores; /* serial numbers of what must end first: own instructions, stores */
  unsigned since;
};

class FenceBench {
 public:
  bench::Rng rng{81};
  Vtop t;
  std::map<unsigned, Tag> tags;          /* by tag */
  std::map<unsigned, unsigned> serial;   /* of a tag */
  std::map<unsigned, unsigned> ids;      /* open id: serial of its store */
  std::map<unsigned, Wait> waits;        /* by warp {sub, slot} */
  std::set<unsigned> alive;              /* serials of instructions with a tag or an open id */
  unsigned next = 0, now = 0, released = 0, gpu_waited = 0, longest = 0;
  unsigned acc = 50, end = 20, ack = 20, req = 10;

  void reset() {
    t.rst_ni = 0, t.req_valid_i = t.acc_valid_i = 0;
    edge(), edge();
    t.rst_ni = 1;
    tags.clear(), serial.clear(), ids.clear(), waits.clear(), alive.clear();
    drive_tables();
  }
  void edge() { t.clk_i = 0, t.eval(), t.clk_i = 1, t.eval(); }

  void drive_tables() {
    for (unsigned w = 0; w < 4; w++) t.used_i[w] = 0;
    for (auto &[k, v] : tags) t.used_i[k / 32] |= 1u << (k % 32);
    uint64_t open = 0;
    for (auto &[k, v] : ids) open |= 1ull << k;
    t.open_i = open;
  }
  /** Things that end in this cycle: tags (a store's id opens before), ids. Seen by the unit in the next one. */
  void finish() {
    std::vector<unsigned> gone;
    for (auto &[k, v] : tags) if (rng.chance(end)) gone.push_back(k);
    for (unsigned k : gone) {
      const unsigned n = serial[k], id = rng.below(64);
      if (tags[k].store && ids.count(id)) continue;
      if (tags[k].store) ids[id] = n;
      else alive.erase(n);
      tags.erase(k), serial.erase(k);
    }
    gone.clear();
    for (auto &[k, v] : ids) if (rng.chance(ack)) gone.push_back(k);
    for (unsigned k : gone) alive.erase(ids[k]), ids.erase(k);
  }
  void step() {
    t.acc_valid_i = t.req_valid_i = 0;
    const unsigned warp = rng.below(64), tag = rng.below(128);
    drive_tables();
    const bool free = tags.count(tag) == 0;
    if (rng.chance(acc) && free && waits.count(warp) == 0) {
      t.acc_valid_i = 1, t.acc_tag_i = uint8_t(tag), t.acc_sub_i = uint8_t(warp >> 4), t.acc_slot_i = warp & 15;
      t.acc_store_i = rng.chance(40);
    } else if (rng.chance(req) && waits.count(warp) == 0) {
      t.req_valid_i = 1, t.req_gpu_i = rng.chance(50), t.req_inval_i = !t.req_gpu_i && rng.chance(50);
      t.req_sub_i = uint8_t(warp >> 4), t.req_slot_i = warp & 15;
    }
    t.clk_i = 0, t.eval();
    check();
    if (::testing::Test::HasFatalFailure()) return;
    finish(); /* what the tables show from the next cycle on; what is accepted now shows then too */
    if (t.acc_valid_i) {
      tags[tag] = {warp, t.acc_store_i != 0}, serial[tag] = next;
      alive.insert(next++);
    }
    if (t.req_valid_i) {
      Wait w{t.req_gpu_i != 0, t.req_inval_i != 0, {}, {}, now};
      for (auto &[k, v] : tags) if (v.warp == warp) w.tags.insert(serial[k]);
      if (w.gpu) {
        for (auto &[k, v] : tags) if (v.store) w.stores.insert(serial[k]);
        for (auto &[k, v] : ids) w.stores.insert(v);
      }
      waits[warp] = w;
    }
    t.clk_i = 1, t.eval();
    now++;
  }

  bool own_open(unsigned warp, const Wait &w) const {
    for (auto &[k, v] : tags) if (v.warp == warp && w.tags.count(serial.at(k))) return true;
    return false;
  }
  void check() {
    unsigned n = 0;
    for (unsigned w = 0; w < 64; w++) {
      if (!(t.release_o >> w & 1)) continue;
      n++;
      ASSERT_EQ(waits.count(w), 1u) << "warp " << w << " does not wait";
      const Wait &x = waits[w];
      ASSERT_FALSE(own_open(w, x)) << "warp " << w << " has an instruction in flight";
      for (unsigned s : x.stores) ASSERT_EQ(alive.count(s), 0u) << "warp " << w << ": a store is not acknowledged";
      ASSERT_EQ(t.inval_o != 0, x.inval);
      gpu_waited += x.gpu;
      longest = std::max(longest, now - x.since);
      waits.erase(w), released++;
    }
    ASSERT_LE(n, 1u);
    if (n == 0) ASSERT_EQ(t.inval_o, 0u);
  }
};

TEST(FenceTest, WarpsWaitForWhatTheyMustAndNoLonger) {
  FenceBench b;
  b.reset();
  for (unsigned i = 0; i < 200000; i++) {
    if (b.rng.below(20000) == 0) b.reset();
    if (b.rng.below(500) == 0) b.acc = b.rng.below(101), b.end = 1 + b.rng.below(60), b.ack = 1 + b.rng.below(60);
    b.step();
    if (::testing::Test::HasFatalFailure()) FAIL() << "cycle " << i;
  }
  EXPECT_GT(b.gpu_waited, 500u);
  /* nothing new: all waits end */
  b.acc = b.req = 0, b.end = b.ack = 50;
  for (unsigned i = 0; i < 400; i++) b.step();
  EXPECT_TRUE(b.waits.empty());
  EXPECT_GT(b.released, 2000u);
}

TEST(FenceTest, AnIdleMachineReleasesAtOnce) {
  FenceBench b;
  b.reset();
  for (bool gpu : {false, true}) {
    b.t.req_valid_i = 1, b.t.req_gpu_i = gpu, b.t.req_inval_i = 0, b.t.req_sub_i = 2, b.t.req_slot_i = 5;
    b.edge();
    b.t.req_valid_i = 0;
    unsigned n = 0;
    for (b.t.clk_i = 0, b.t.eval(); b.t.release_o == 0 && n < 20; n++) b.edge(), b.t.clk_i = 0, b.t.eval();
    EXPECT_EQ(b.t.release_o, 1ull << 37);
    EXPECT_LE(n, gpu ? 4u : 0u);
    b.edge();
  }
}

// Knobs: a request is seen later, and releases keep their distance.
TEST(FenceTest, KnobsDelayAndSpaceReleases) {
  for (unsigned extra : {0u, 6u, 15u}) {
    for (unsigned interval : {0u, 3u, 15u}) {
      FenceBench b;
      b.reset();
      b.t.extra_i = uint8_t(extra), b.t.interval_i = uint8_t(interval);
      std::vector<unsigned> when;
      for (unsigned i = 0; i < 120; i++) {
        b.t.req_valid_i = i < 4, b.t.req_gpu_i = i == 2, b.t.req_inval_i = 0, b.t.req_sub_i = uint8_t(i & 3), b.t.req_slot_i = 7;
        b.t.clk_i = 0, b.t.eval();
        if (b.t.release_o != 0) when.push_back(i);
        b.t.clk_i = 1, b.t.eval();
      }
      ASSERT_EQ(when.size(), 4u);
      EXPECT_EQ(when[0], 1 + extra);
      for (unsigned i = 1; i < 4; i++) EXPECT_GE(when[i] - when[i - 1], 1 + interval);
      EXPECT_LE(when[3], 1 + extra + 3 * (1 + interval) + 4); /* the third waits for a round over the stores, too */
    }
  }
}

// What the random streams demand also holds with the knobs.
TEST(FenceTest, KnobsLoseNothing) {
  FenceBench b;
  b.reset();
  b.t.extra_i = 6, b.t.interval_i = 3;
  for (unsigned i = 0; i < 50000; i++) {
    b.step();
    if (::testing::Test::HasFatalFailure()) FAIL() << "cycle " << i;
  }
  b.acc = b.req = 0, b.end = b.ack = 50;
  for (unsigned i = 0; i < 800; i++) b.step();
  EXPECT_TRUE(b.waits.empty());
  EXPECT_GT(b.released, 1000u);
}

}  // namespace
