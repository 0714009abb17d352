// SPDX-License-Identifier: Apache-2.0
//
// sm_mshr under a flood of loads that are answered at once: each complete line has its turn, however fast low ids are
// given again (warps that hammer a lock must not keep the answer of another one for ever).
// bench: top sm_mshr
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "Vtop.h"

namespace {

constexpr unsigned kIds = 8;

TEST(MshrTest, EveryCompleteLineHasItsTurn) {
  Vtop t;
  std::array<int, kIds> asked{}, since{}, served{}; /* cycles until the answer, 0 none; services since, -1 none */
  since.fill(-1);
  int longest = 0;
  unsigned p1_id = 0, free_id = 0;
  bool p1 = false, release = false;
  auto edge = [&] { t.clk_i = 0, t.eval(), t.clk_i = 1, t.eval(); };
  t.mshrs_i = kIds;
  t.rst_ni = 0;
  edge();
  edge();
  t.rst_ni = 1;
  t.ld_bypass_i = 1, t.secs_i = 1, t.ld_lanes_i = 1;
  for (uint64_t cycle = 0; cycle < 4000; cycle++) {
    t.rsp_valid_i = 0;
    for (unsigned id = 0; id < kIds && t.rsp_valid_i == 0; id++) {
      if (asked[id] == 0 || --asked[id] != 0) continue;
      t.rsp_valid_i = 1, t.rsp_id_i = uint16_t(id), t.rsp_sector_i = 0;
      since[id] = 0;
    }
    t.p1_valid_i = p1, t.p1_id_i = uint8_t(p1_id);
    t.free_valid_i = release, t.free_id_i = uint8_t(free_id);
    t.line_i = cycle;
    t.ld_valid_i = 0;
    t.clk_i = 0, t.eval();
    t.ld_valid_i = t.alloc_ok_o, t.sv_take_i = t.sv_valid_o;
    t.clk_i = 0, t.eval();
    if (t.ld_valid_i) asked[t.ld_id_o] = 1;
    release = p1, free_id = p1_id;
    p1 = t.sv_valid_o, p1_id = t.sv_id_o;
    if (p1) {
      ASSERT_LT(p1_id, kIds);
      ASSERT_GE(since[p1_id], 0) << "served without an answer, cycle " << cycle;
      since[p1_id] = -1;
      served[p1_id]++;
      for (int &s : since) longest = std::max(longest, s < 0 ? 0 : ++s);
    }
    t.clk_i = 1, t.eval();
  }
  EXPECT_LE(longest, int(kIds));
  for (int s : served) EXPECT_GT(s, 50);
}

}  // namespace
