// SPDX-License-Identifier: Apache-2.0
//
// sm_coalescer against its twin model/twin/coalescer: random accesses back to back, line by line: order, lanes of every
// sector, what travels along, and when the entry is free again.
// bench: top sm_coalescer
// bench: link model/twin/coalescer.c
#include <gtest/gtest.h>

#include <deque>

#include "Vtop.h"
#include "model/twin/coalescer.h"
#include "testbench/rtl/mem/wide.h"

namespace {

using mem::put;
using mem::take;

struct Access {
  uint64_t addr[32];
  uint32_t mask, rows[4][32], pc;
  unsigned lg, tag, warp, block, aop;
  bool store, bypass, atom, constant;
};

Access random_access(bench::Rng &r) {
  Access a{};
  a.lg = r.below(5), a.tag = r.below(128), a.warp = r.below(64), a.block = r.below(32), a.pc = r.below(1u << 28);
  a.store = r.chance(40), a.bypass = r.chance(30);
  a.atom = r.chance(30), a.aop = r.below(256);
  if (a.atom) a.lg = 1 + r.below(3);
  a.constant = !a.atom && r.chance(30);
  do a.mask = r.chance(30) ? ~0u : uint32_t(r.next());
  while (a.mask == 0);
  const uint64_t base = r.next() & 0xffffffffffffu;
  const unsigned pattern = r.below(5), span = 1u << (5 + r.below(8));
  for (unsigned l = 0; l < 32; l++) {
    uint64_t x = base + (uint64_t(l) << a.lg);                                /* consecutive */
    if (pattern == 1) x = base + r.below(span);                               /* inside a few lines */
    if (pattern == 2) x = base + uint64_t(128) * (r.below(2) ? l : 31 - l);  /* a line a lane */
    if (pattern == 3) x = r.next();                                           /* anywhere */
    if (pattern == 4) x = base ^ uint64_t(1) << r.below(48);                  /* one bit away */
    a.addr[l] = (x & 0xffffffffffffu) >> a.lg << a.lg;
    for (auto &row : a.rows) row[l] = uint32_t(r.next());
  }
  return a;
}

void offer(Vtop &t, const Access &a) {
  t.g_const_i = a.constant, t.g_atom_i = a.atom, t.g_aop_i = uint8_t(a.aop);
  t.g_tag_i = uint8_t(a.tag), t.g_store_i = a.store, t.g_bypass_i = a.bypass, t.g_lg_i = uint8_t(a.lg);
  t.g_mask_i = a.mask, t.g_warp_i = uint8_t(a.warp), t.g_pc_i = a.pc, t.g_block_i = uint8_t(a.block);
  for (unsigned l = 0; l < 32; l++) {
    put(t.g_lines_i, l * 41, 41, a.addr[l] >> 7);
    put(t.g_offs_i, l * 7, 7, a.addr[l] & 127);
    for (unsigned k = 0; k < 4; k++) t.g_data_i[32 * k + l] = a.rows[k][l];
  }
}

void check_line(const Vtop &t, const Access &a, const wg_line_access_t &want) {
  ASSERT_EQ(t.ln_line_o, want.line >> 7);
  ASSERT_EQ(t.ln_tag_o, a.tag);
  ASSERT_EQ(t.ln_store_o, a.store);
  ASSERT_EQ(t.ln_bypass_o, a.bypass);
  ASSERT_EQ(t.ln_atom_o, a.atom);
  ASSERT_EQ(t.ln_aop_o, a.aop);
  ASSERT_EQ(t.ln_lg_o, a.lg);
  ASSERT_EQ(t.ln_warp_o, a.warp);
  ASSERT_EQ(t.ln_pc_o, a.pc);
  ASSERT_EQ(t.ln_block_o, a.block);
  for (unsigned l = 0; l < 32; l++) {
    for (unsigned s = 0; s < 4; s++) {
      const bool in = (want.lanes >> l & 1) && (a.addr[l] >> 5 & 3) == s;
      ASSERT_EQ(take(t.ln_sec_lanes_o, s * 32 + l, 1), unsigned(in)) << "lane " << l << " sector " << s;
    }
    if (!(a.mask >> l & 1)) continue;
    ASSERT_EQ(take(t.ln_offs_o, l * 7, 7), a.addr[l] & 127);
    for (unsigned k = 0; (a.store || a.atom) && k < (a.lg < 3 && !a.atom ? 1u : 4u); k++) ASSERT_EQ(t.ln_data_o[32 * k + l], a.rows[k][l]);
  }
}

TEST(CoalescerTest, LinesFollowTheTwin) {
  bench::Rng rng(21);
  Vtop t;
  const auto edge = [&] { t.clk_i = 0, t.eval(), t.clk_i = 1, t.eval(); };
  const auto reset = [&] { t.rst_ni = 0, edge(), edge(), t.rst_ni = 1; };
  reset();
  Access now{}, next = random_access(rng);
  std::deque<wg_line_access_t> lines; /* of `now`, still to come */
  unsigned done = 0, most = 0;
  for (unsigned i = 0; done < 6000; i++) {
    ASSERT_LT(i, 400000u);
    if (rng.below(2000) == 0) reset(), lines.clear();
    t.g_valid_i = rng.chance(70), t.sel_i = rng.chance(80);
    offer(t, next);
    t.clk_i = 0, t.eval();
    ASSERT_EQ(t.ln_valid_o != 0, !lines.empty()) << "cycle " << i;
    const bool last = t.sel_i && lines.size() == 1;
    ASSERT_EQ(t.g_ready_o != 0, lines.empty() || last) << "cycle " << i;
    if (!lines.empty() && t.sel_i) {
      check_line(t, now, lines.front());
      if (::testing::Test::HasFatalFailure()) FAIL() << "cycle " << i << " access " << done;
      lines.pop_front();
    }
    const bool loaded = t.g_valid_i && t.g_ready_o;
    t.clk_i = 1, t.eval();
    if (!loaded) continue;
    now = next, next = random_access(rng), done++;
    wg_line_access_t out[32];
    const unsigned n = now.atom       ? wg_coalesce_atom(now.addr, 1u << now.lg, now.mask, out)
                       : now.constant ? wg_coalesce_const(now.addr, 1u << now.lg, now.mask, out)
                                      : wg_coalesce(now.addr, 1u << now.lg, now.mask, out);
    lines.assign(out, out + n);
    most = n > most ? n : most;
  }
  EXPECT_EQ(most, 32u);
}

}  // namespace
