// SPDX-License-Identifier: Apache-2.0
//
// sm_mem_track against sets and counts: lowest free tag out of 128, open instructions and stores of every block.
// bench: top sm_mem_track
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "Vtop.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

class TrackBench {
 public:
  bench::Rng rng{91};
  Vtop top;
  std::map<unsigned, unsigned> used;  /* tag to block */
  std::vector<unsigned> stores;       /* blocks of unacknowledged flits */
  unsigned acc = 60, end = 40, ack = 60, full = 0;

  void edge() {
    top.clk_i = 0, top.eval();
    top.clk_i = 1, top.eval();
  }
  void reset() {
    top.rst_ni = 0, top.acc_valid_i = 0, top.end_valid_i = 0, top.st_num_i = 0, top.ack_valid_i = 0;
    edge();
    edge();
    top.rst_ni = 1;
    used.clear(), stores.clear();
  }
  void check() {
    unsigned tag = 0;
    while (used.count(tag)) tag++;
    ASSERT_EQ(top.tag_valid_o != 0, tag < 128);
    if (tag < 128) ASSERT_EQ(top.tag_o, tag);
    full += tag == 128;
    uint32_t busy = 0;
    for (auto &u : used) busy |= 1u << u.second;
    for (unsigned b : stores) busy |= 1u << b;
    ASSERT_EQ(top.busy_o, busy);
    ASSERT_EQ(top.idle_o != 0, busy == 0);
  }
  void step() {
    const unsigned blocks = rng.chance(70) ? 32 : 2;
    top.clk_i = 0, top.eval();
    check();
    if (::testing::Test::HasFatalFailure()) return;
    top.end_valid_i = 0, top.end_tag_i = uint32_t(rng.next()) & 0xfffffffu;
    for (unsigned i = 0; i < 4 && !used.empty(); i++) {
      auto at = used.lower_bound(rng.below(128));
      if (at == used.end() || !rng.chance(end)) continue;
      top.end_valid_i |= uint8_t(1u << i);
      top.end_tag_i = (top.end_tag_i & ~(127u << (7 * i))) | at->first << (7 * i);
      used.erase(at);
    }
    top.ack_valid_i = 0, top.ack_block_i = uint16_t(rng.below(1024));
    for (unsigned i = 0; i < 2 && !stores.empty(); i++) {
      if (!rng.chance(ack)) continue;
      const size_t at = rng.below(uint32_t(stores.size()));
      top.ack_valid_i |= uint8_t(1u << i);
      top.ack_block_i = uint16_t((top.ack_block_i & ~(31u << (5 * i))) | stores[at] << (5 * i));
      stores.erase(stores.begin() + long(at));
    }
    top.acc_valid_i = top.tag_valid_o && rng.chance(acc), top.acc_block_i = uint8_t(rng.below(blocks));
    if (top.acc_valid_i) used[top.tag_o] = top.acc_block_i;
    top.st_num_i = uint8_t(rng.chance(50) ? rng.below(5) : 0), top.st_block_i = uint8_t(rng.below(blocks));
    if (stores.size() + top.st_num_i > 64) top.st_num_i = 0;
    for (unsigned i = 0; i < top.st_num_i; i++) stores.push_back(top.st_block_i);
    edge();
  }
};

TEST(MemTrackTest, TagsAndOpenWorkFollowTheModel) {
  TrackBench b;
  b.reset();
  for (unsigned i = 0; i < 100000; i++) {
    if (b.rng.below(5000) == 0) b.reset();
    if (b.rng.below(400) == 0) b.acc = b.rng.below(101), b.end = b.rng.below(60), b.ack = b.rng.below(101);
    b.step();
    if (::testing::Test::HasFatalFailure()) FAIL() << "cycle " << i;
  }
  EXPECT_GT(b.full, 100u);
}

}  // namespace
