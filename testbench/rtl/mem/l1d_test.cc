// SPDX-License-Identifier: Apache-2.0
//
// sm_l1d against a table of lines: loads, stores, bypasses, fills and invalidations in many geometries: sectors that hit,
// the data row of a line, which line a fill evicts.
// bench: top sm_l1d -GSmemBytes=16384
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "Vtop.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

struct Way {
  uint64_t line = 0;
  unsigned secs = 0;
  bool used = false;
};

class L1dBench {
 public:
  bench::Rng rng;
  Vtop t;
  std::map<unsigned, std::array<Way, 8>> sets;
  unsigned ways, hits = 0, evictions = 0;
  uint64_t last_victim = 0;

  explicit L1dBench(uint64_t stream) : rng(stream) {
    t.rst_ni = 0, t.op_valid_i = 0;
    edge();
    edge();
    t.rst_ni = 1;
    t.sets_i = uint16_t(1u << rng.below(6)), t.ways_i = uint8_t(rng.below(10)), t.base_row_i = uint16_t(rng.below(1000));
    ways = t.ways_i > 8 ? 8 : t.ways_i;
  }
  void edge() { t.clk_i = 0, t.eval(), t.clk_i = 1, t.eval(); }

  void step() {
    const unsigned kind = rng.below(10); /* 0-3 load or store, 4 bypass, 5-8 fill */
    t.op_valid_i = kind < 9, t.bypass_i = kind == 4, t.fill_i = kind >= 5 && kind < 9;
    t.secs_i = uint8_t(t.fill_i && rng.chance(5) ? 0 : 1 + rng.below(15));
    t.inval_i = rng.below(500) == 0;
    const uint64_t tag = rng.chance(90) ? rng.below(ways + 3) : uint64_t(1) << rng.below(29);
    t.line_i = (tag * 4096 + rng.below(rng.chance(50) ? 2 : t.sets_i)) & 0x1ffffffffffull;
    if (t.sets_i < 16 && rng.chance(50)) t.line_i += t.sets_i; /* same set, another line */
    t.clk_i = 0, t.eval();
    const unsigned set = unsigned(t.line_i % t.sets_i);
    auto &s = sets[set];
    int at = -1;
    for (unsigned w = 0; w < ways; w++) if (s[w].secs != 0 && s[w].line == t.line_i) at = int(w);
    const bool plain = t.op_valid_i && !t.fill_i && !t.bypass_i;
    ASSERT_EQ(unsigned(t.hit_o), plain && at >= 0 ? s[unsigned(at)].secs & t.secs_i : 0u);
    hits += t.hit_o != 0;
    const unsigned before = evictions;
    last_victim = ~0ull;
    if (t.op_valid_i) operate(s, at, set);
    ASSERT_EQ(unsigned(t.evict_o), evictions - before);
    if (t.evict_o) ASSERT_EQ(t.evict_line_o, last_victim);
    if (t.inval_i) sets.clear();
    t.clk_i = 1, t.eval();
  }

 private:
  void operate(std::array<Way, 8> &s, int at, unsigned set) {
    if (t.fill_i && ways == 0) return;
    const bool known = at >= 0;
    if (t.fill_i && !known) at = victim(s);
    if (at < 0) return;
    Way &w = s[unsigned(at)];
    ASSERT_EQ(unsigned(t.row_o), (t.base_row_i + set * ways + unsigned(at)) & 8191u);
    if (t.fill_i && t.secs_i == 0) return; /* nothing is kept: no trace */
    if (t.fill_i) {
      if (!known && w.secs != 0) evictions++, last_victim = w.line;
      w.secs = known ? w.secs | t.secs_i : unsigned(t.secs_i);
      w.line = t.line_i;
    } else if (t.bypass_i) {
      w.secs &= ~unsigned(t.secs_i);
    }
    w.used = true;
    bool all = true;
    for (unsigned k = 0; k < ways; k++) all = all && s[k].used;
    for (unsigned k = 0; all && k < ways; k++) s[k].used = int(k) == at;
  }
  /** A free way, else the lowest not recently used, else the only one. */
  int victim(const std::array<Way, 8> &s) const {
    for (unsigned w = 0; w < ways; w++) if (s[w].secs == 0) return int(w);
    for (unsigned w = 0; w < ways; w++) if (!s[w].used) return int(w);
    return 0;
  }
};

TEST(L1dTest, LinesFollowTheTable) {
  unsigned hits = 0, evictions = 0;
  for (unsigned run = 0; run < 60; run++) {
    L1dBench b(700 + run);
    for (unsigned i = 0; i < 3000; i++) {
      b.step();
      if (::testing::Test::HasFatalFailure()) FAIL() << "run " << run << " cycle " << i << " ways " << b.ways;
    }
    hits += b.hits, evictions += b.evictions;
  }
  EXPECT_GT(hits, 2000u);
  EXPECT_GT(evictions, 1000u);
}

}  // namespace
