// SPDX-License-Identifier: Apache-2.0
//
// sm_ccws_vta against its twin (model/twin/vta): random misses, fills with and without a displaced line, new warps,
// cycles in which it is off, resets; and directed: a warp finds what it lost, 8 lines a set, the oldest goes first.
// bench: top sm_ccws_vta -GRows=64
// bench: link model/twin/vta.c
#include <gtest/gtest.h>

#include "Vtop.h"
#include "model/twin/vta.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kRows = 64;

class VtaBench {
 public:
  Vtop t;
  wg_vta_t twin;
  uint64_t in_row[kRows] = {};
  bool full[kRows] = {};

  VtaBench() { reset(); }
  void reset() {
    idle();
    t.rst_ni = 0, t.en_i = 1;
    edge(), edge();
    t.rst_ni = 1;
    wg_vta_reset(&twin);
    for (bool &f : full) f = false;
  }
  void idle() { t.init_valid_i = t.miss_i = t.fill_i = t.evict_i = 0; }
  void edge() { t.clk_i = 0, t.eval(), t.clk_i = 1, t.eval(); }
  /** @return what the tags say in the cycle after */
  bool miss(unsigned warp, uint64_t line) {
    idle();
    t.miss_i = 1, t.warp_i = uint8_t(warp), t.line_i = line;
    edge();
    if (t.hit_valid_o) EXPECT_EQ(t.hit_warp_o, warp);
    return t.hit_valid_o;
  }
  void fill(unsigned warp, uint64_t line, unsigned row) {
    idle();
    t.fill_i = 1, t.warp_i = uint8_t(warp), t.line_i = line, t.row_i = uint16_t(row);
    t.evict_i = full[row], t.victim_i = in_row[row];
    if (t.en_i) wg_vta_fill(&twin, warp, row, full[row], in_row[row]);
    in_row[row] = line, full[row] = true;
    edge();
    EXPECT_FALSE(t.hit_valid_o);
  }
  void bind(unsigned warp) {
    idle();
    t.init_valid_i = 1, t.init_warp_i = uint8_t(warp);
    wg_vta_bind(&twin, warp);
    edge();
  }
};

TEST(VtaTest, AWarpFindsWhatItLost) {
  VtaBench b;
  b.fill(5, 100, 3);
  EXPECT_FALSE(b.miss(5, 100));
  b.fill(6, 200, 3); /* displaces line 100 of warp 5 */
  EXPECT_FALSE(b.miss(6, 100));
  EXPECT_TRUE(b.miss(5, 100));
  EXPECT_FALSE(b.miss(5, 102));
  for (unsigned i = 0; i < 8; i++) b.fill(5, 300 + 2 * i, 4); /* seven more even lines of warp 5 are lost */
  EXPECT_TRUE(b.miss(5, 100));
  b.fill(6, 400, 4); /* the eighth: the oldest, line 100, makes room */
  EXPECT_FALSE(b.miss(5, 100));
  EXPECT_TRUE(b.miss(5, 300));
  EXPECT_TRUE(b.miss(5, 314));
  b.bind(5);
  EXPECT_FALSE(b.miss(5, 300));
}

TEST(VtaTest, FollowsTheTwin) {
  bench::Rng rng(61);
  VtaBench b;
  unsigned hits = 0, misses = 0;
  for (unsigned i = 0; i < 60000; i++) {
    if (rng.below(5000) == 0) b.reset();
    const unsigned warp = rng.chance(90) ? rng.below(3) : rng.below(64);
    const uint64_t line = rng.chance(95) ? rng.below(40) : rng.next() & 0x1ffffffffffull;
    const unsigned kind = rng.below(100);
    if (kind < 45) {
      const bool want = wg_vta_miss(&b.twin, warp, line);
      ASSERT_EQ(b.miss(warp, line), want) << "cycle " << i << " warp " << warp << " line " << line;
      (want ? hits : misses)++;
    } else if (kind < 98) {
      b.fill(warp, line, rng.below(rng.chance(80) ? 4 : kRows));
    } else if (kind < 99) {
      b.bind(rng.below(4));
    } else {
      b.idle();
      b.edge();
      EXPECT_FALSE(b.t.hit_valid_o);
    }
  }
  EXPECT_GT(hits, 2000u);
  EXPECT_GT(misses, 2000u);
}

TEST(VtaTest, OffItDoesNothing) {
  VtaBench b;
  b.fill(1, 10, 0);
  b.fill(1, 12, 0);
  b.t.en_i = 0;
  EXPECT_FALSE(b.miss(1, 10));
  b.t.en_i = 1;
  EXPECT_TRUE(b.miss(1, 10));
}

}  // namespace
