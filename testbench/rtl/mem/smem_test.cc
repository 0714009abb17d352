// SPDX-License-Identifier: Apache-2.0
//
// sm_lsu_saddr + sm_smem against the twin model/twin/smem_passes: random shared accesses back to back, wavefront by
// wavefront: lanes in order, rows of the banks they touch, what travels along; faulting lanes of the address check.
// bench: top smem_bench
// bench: link model/twin/smem_passes.c
#include <gtest/gtest.h>

#include <deque>

#include "Vtop.h"
#include "model/twin/smem_passes.h"
#include "testbench/rtl/mem/wide.h"

namespace {

using mem::take;

constexpr uint32_t kSize = 0x20000; /* what the block may touch */

struct Access {
  uint32_t addr[32], imm, mask, base, rows[4][32];
  unsigned lg, tag, aop;
  bool store, shfl, atom;
};

Access random_access(bench::Rng &r) {
  Access a{};
  a.lg = r.below(5), a.tag = r.below(128), a.base = 128 * r.below(0x800), a.imm = r.chance(50) ? 0 : uint32_t(r.next());
  a.store = r.chance(35), a.shfl = !a.store && r.chance(10);
  a.atom = !a.store && !a.shfl && r.chance(30), a.aop = r.below(256);
  if (a.shfl) a.lg = 2;
  if (a.atom) a.lg = 1 + r.below(3);
  a.mask = r.chance(40) ? ~0u : uint32_t(r.next());
  if (r.chance(20)) a.mask &= uint32_t(r.next()) & uint32_t(r.next());
  if (a.mask == 0) a.mask = 1u << r.below(32);
  const unsigned pattern = r.below(7), stride = (1u + r.below(34)) << a.lg, span = 1u << (4 + r.below(12));
  const uint32_t at = r.below(0x8000);
  for (unsigned l = 0; l < 32; l++) {
    uint32_t x = at + l * stride;
    if (pattern == 1) x = at + r.below(span);
    if (pattern == 2) x = at;
    if (pattern == 3) x = at + ((l >> 1) << a.lg) * (1 + r.below(2) * 8);  /* l and l^1 agree, mostly */
    if (pattern == 4) x = at + ((l & ~2u) << a.lg) * 9;                    /* l and l^2 agree */
    if (pattern == 5) x = at + ((l & ~1u) << a.lg) * 17;                   /* l and l^1 agree */
    if (pattern == 6) x = at + 128 * r.below(32) + (r.below(4) << a.lg);
    a.addr[l] = (x % (kSize - 16)) >> a.lg << a.lg;
    for (auto &row : a.rows) row[l] = uint32_t(r.next());
  }
  if (r.chance(30) && (pattern == 4 || pattern == 5)) a.addr[r.below(32)] ^= 128; /* one lane breaks it */
  return a;
}

void offer(Vtop &t, const Access &a) {
  t.s_atom_i = a.atom, t.s_aop_i = uint8_t(a.aop);
  t.s_tag_i = uint8_t(a.tag), t.s_store_i = a.store, t.s_shfl_i = a.shfl, t.s_lg_i = uint8_t(a.lg);
  t.s_mask_i = a.mask, t.imm_i = a.imm, t.base_i = a.base, t.size_i = kSize;
  for (unsigned l = 0; l < 32; l++) {
    t.a_i[l] = a.addr[l] - a.imm;
    for (unsigned k = 0; k < 4; k++) t.s_data_i[32 * k + l] = a.rows[k][l];
  }
}

/** Up to 32 bits a lane, all lanes left are one group: the wavefront is uniform exactly if they are in one row. */
bool in_one_row(const Access &a, uint32_t left) {
  uint32_t row = ~0u;
  for (unsigned l = 0; l < 32; l++) {
    if (!(left >> l & 1)) continue;
    const uint32_t r = (a.base + a.addr[l]) >> 7;
    if (row != ~0u && row != r) return false;
    row = r;
  }
  return true;
}

void check_wavefront(const Vtop &t, const Access &a, uint32_t lanes, uint32_t left) {
  ASSERT_EQ(t.wf_lanes_o, lanes);
  ASSERT_EQ(t.wf_tag_o, a.tag);
  ASSERT_EQ(t.wf_store_o, a.store);
  ASSERT_EQ(t.wf_shfl_o, a.shfl);
  ASSERT_EQ(t.wf_lg_o, a.lg);
  ASSERT_EQ(t.wf_atom_o, a.atom);
  if (a.atom) ASSERT_EQ(t.wf_aop_o, a.aop);
  if (a.atom) ASSERT_FALSE(t.wf_uniform_o);
  else if (a.shfl) ASSERT_TRUE(t.wf_uniform_o);
  else if (a.lg < 3) ASSERT_EQ(t.wf_uniform_o != 0, in_one_row(a, left));
  for (unsigned l = 0; l < 32; l++) {
    if (!(lanes >> l & 1)) continue;
    const uint32_t p = a.base + a.addr[l];
    for (unsigned k = 0; (a.store || a.shfl || a.atom) && k < (a.lg < 3 && !a.atom ? 1u : 4u); k++) {
      ASSERT_EQ(t.wf_data_o[32 * k + l], a.rows[k][l]) << "lane " << l;
    }
    if (a.shfl) continue;
    ASSERT_EQ(take(t.wf_offs_o, 7 * l, 7), p & 127) << "lane " << l;
    if (t.wf_uniform_o) ASSERT_EQ(t.wf_row_o, p >> 7) << "lane " << l;
    for (unsigned b = (p & 127) / 4; !t.wf_uniform_o && b <= ((p & 127) + (1u << a.lg) - 1) / 4; b++) {
      ASSERT_EQ(take(t.wf_rows_o, 13 * b, 13), p >> 7) << "lane " << l << " bank " << b;
    }
  }
}

TEST(SmemTest, WavefrontsFollowTheTwin) {
  bench::Rng rng(31);
  Vtop t;
  const auto edge = [&] { t.clk_i = 0, t.eval(), t.clk_i = 1, t.eval(); };
  const auto reset = [&] { t.rst_ni = 0, edge(), edge(), t.rst_ni = 1; };
  reset();
  Access now{}, next = random_access(rng);
  std::deque<uint32_t> passes; /* of `now`, still to come */
  unsigned done = 0, seen[34] = {};
  for (unsigned i = 0; done < 12000; i++) {
    ASSERT_LT(i, 800000u);
    if (rng.below(4000) == 0) reset(), passes.clear();
    t.s_valid_i = rng.chance(70), t.sel_i = rng.chance(80);
    offer(t, next);
    t.clk_i = 0, t.eval();
    if (!next.shfl) ASSERT_EQ(t.mis_o | t.oob_o, 0u);
    ASSERT_EQ(t.wf_valid_o != 0, !passes.empty()) << "cycle " << i;
    ASSERT_EQ(t.s_ready_o != 0, passes.empty() || (t.sel_i && passes.size() == 1)) << "cycle " << i;
    if (!passes.empty() && t.sel_i) {
      uint32_t left = 0;
      for (uint32_t p : passes) left |= p;
      check_wavefront(t, now, passes.front(), left);
      if (::testing::Test::HasFatalFailure()) FAIL() << "cycle " << i << " access " << done << " lg " << now.lg;
      passes.pop_front();
    }
    const bool loaded = t.s_valid_i && t.s_ready_o;
    t.clk_i = 1, t.eval();
    if (!loaded) continue;
    now = next, next = random_access(rng), done++;
    uint32_t p[32];
    for (unsigned l = 0; l < 32; l++) p[l] = now.base + now.addr[l];
    wg_smem_passes_t out;
    if (now.atom) wg_smem_split_atom(p, 1u << now.lg, now.mask, &out);
    else wg_smem_split(p, 1u << now.lg, now.mask, now.store, &out);
    if (now.shfl) out.num = 1, out.lanes[0] = now.mask;
    passes.assign(out.lanes, out.lanes + out.num);
    seen[out.num]++;
  }
  EXPECT_GT(seen[1], 500u);
  EXPECT_GT(seen[32], 20u);
}

TEST(SmemTest, AddressCheckNamesEveryBadLane) {
  bench::Rng rng(32);
  Vtop t;
  t.rst_ni = 1;
  unsigned mis = 0, oob = 0;
  for (unsigned i = 0; i < 20000; i++) {
    t.s_valid_i = rng.chance(90), t.s_lg_i = uint8_t(rng.below(5)), t.s_mask_i = uint32_t(rng.next());
    t.size_i = rng.chance(10) ? 0 : rng.below(0x3ffff), t.imm_i = rng.chance(50) ? 0 : uint32_t(rng.next());
    for (unsigned l = 0; l < 32; l++) {
      t.a_i[l] = rng.chance(40) ? rng.below(t.size_i + 32) - t.imm_i
               : rng.chance(50) ? t.size_i - t.imm_i - rng.below(32) : uint32_t(rng.next());
    }
    t.clk_i = 0, t.eval();
    uint32_t want_mis = 0, want_oob = 0;
    for (unsigned l = 0; t.s_valid_i && l < 32; l++) {
      const uint32_t addr = t.a_i[l] + t.imm_i, bytes = 1u << t.s_lg_i;
      if (!(t.s_mask_i >> l & 1)) continue;
      want_mis |= uint32_t(addr % bytes != 0) << l;
      want_oob |= uint32_t(uint64_t(addr) + bytes > t.size_i) << l;
    }
    ASSERT_EQ(t.mis_o, want_mis) << i;
    ASSERT_EQ(t.oob_o, want_oob) << i;
    mis += want_mis != 0, oob += want_oob != 0 && want_oob != t.s_mask_i;
  }
  EXPECT_GT(mis, 1000u);
  EXPECT_GT(oob, 1000u);
}

}  // namespace
