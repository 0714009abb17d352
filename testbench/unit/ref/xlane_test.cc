// SPDX-License-Identifier: Apache-2.0
//
// VOTE, MATCH, REDUX of the golden model: every row of testbench/silicon/warp/{vote,match,redux}.csv, and masks that
// silicon leaves open (one a lane, lanes outside their own mask) by definition.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "model/ref/wg_ref.h"
#include "testbench/unit/ref/csv.h"

namespace {

using wgtest::ReadCsv;

uint32_t Hex(const std::string &s) { return static_cast<uint32_t>(std::stoul(s, nullptr, 16)); }

wg_insn_t Insn(uint8_t op, unsigned mods) {
  wg_insn_t in = wg_insn_default(op), back;
  in.mods = static_cast<uint16_t>(mods);
  EXPECT_EQ(wg_decode(wg_encode(&in), &back), kWgOk) << "op " << int(op) << " mods " << mods;
  return in;
}

unsigned Vote(unsigned mode) { return mode << kWgModLsb_VOTEM; }
unsigned Match(bool all, bool b64) { return unsigned(all) << kWgModLsb_MATCHM | unsigned(b64) << kWgModLsb_B64; }
unsigned Redux(unsigned op, bool s32) { return op << kWgModLsb_RDXOP | unsigned(s32) << kWgModLsb_RDXS; }

struct Rows {
  uint32_t a[32] = {}, a1[32] = {}, b[32] = {};
  uint32_t p = 0;
};

wg_ref_out_t Exec(uint8_t op, unsigned mods, const Rows &r, uint32_t exec) {
  wg_insn_t in = Insn(op, mods);
  wg_ref_in_t src = {};
  src.a = r.a, src.a1 = r.a1, src.b = r.b, src.p = r.p, src.exec = exec;
  wg_ref_out_t out;
  std::memset(&out, 0xa5, sizeof out);
  EXPECT_TRUE(wg_ref_exec(&in, &src, &out));
  EXPECT_TRUE(out.wr && !out.wide && !out.quad && !out.wr_p1);
  EXPECT_EQ(out.wr_p0, op != kWgOp_REDUX);
  EXPECT_EQ(out.p0 & ~exec, 0u);
  for (unsigned l = 0; l < 32; l++) {
    if ((exec >> l & 1u) == 0u) EXPECT_EQ(out.d[l], 0xa5a5a5a5u) << "lane " << l << " does not execute";
  }
  return out;
}

// Lanes of the mask execute, with this mask (as the measured programs), and also: all lanes execute.
template <typename F>
void BothWays(uint32_t mask, F f) {
  f(mask);
  f(UINT32_MAX);
}

TEST(XlaneTest, VoteOfSilicon) {
  auto rows = ReadCsv("../../../silicon/warp/vote.csv");
  ASSERT_EQ(rows.size(), 73u);
  for (size_t i = 1; i < rows.size(); i++) {
    uint32_t mask = Hex(rows[i][0]);
    Rows r;
    r.p = Hex(rows[i][1]);
    for (uint32_t &b : r.b) b = mask;
    BothWays(mask, [&](uint32_t exec) {
      const unsigned column[3] = {3, 2, 4};  // .ALL .ANY .EQ
      for (unsigned mode = 0; mode < 3; mode++) {
        wg_ref_out_t o = Exec(kWgOp_VOTE, Vote(mode), r, exec);
        for (unsigned l = 0; l < 32; l++) {
          if ((exec >> l & 1u) == 0u) continue;
          ASSERT_EQ(o.d[l], Hex(rows[i][5])) << "row " << i << " lane " << l;
          ASSERT_EQ(o.p0 >> l & 1u, Hex(rows[i][column[mode]])) << "row " << i << " mode " << mode << " lane " << l;
        }
      }
    });
  }
}

TEST(XlaneTest, MatchOfSilicon) {
  auto rows = ReadCsv("../../../silicon/warp/match.csv");
  ASSERT_EQ(rows.size(), 113u);
  for (size_t i = 1; i < rows.size(); i++) {
    const auto &row = rows[i];
    ASSERT_EQ(row.size(), 68u);
    bool b64 = row[0] == "64";
    uint32_t mask = Hex(row[1]);
    Rows r;
    for (unsigned l = 0; l < 32; l++) {
      r.a[l] = Hex(row[2 + l]);
      r.a1[l] = b64 ? r.a[l] : l * 0x1234567u;  // 32 bits: the upper word does not count
      r.b[l] = mask;
    }
    BothWays(mask, [&](uint32_t exec) {
      wg_ref_out_t any = Exec(kWgOp_MATCH, Match(false, b64), r, exec);
      wg_ref_out_t all = Exec(kWgOp_MATCH, Match(true, b64), r, exec);
      for (unsigned l = 0; l < 32; l++) {
        if ((mask >> l & 1u) == 0u) continue;
        ASSERT_EQ(any.d[l], Hex(row[34 + l])) << "row " << i << " lane " << l;
        ASSERT_EQ(all.d[l], Hex(row[66])) << "row " << i << " lane " << l;
      }
      ASSERT_EQ(all.p0 & mask, Hex(row[67])) << "row " << i;
    });
  }
}

TEST(XlaneTest, MatchOf64BitsLooksAtBothWords) {
  Rows r;
  for (unsigned l = 0; l < 32; l++) r.a[l] = 7u, r.a1[l] = l & 1u, r.b[l] = UINT32_MAX;
  wg_ref_out_t o = Exec(kWgOp_MATCH, Match(false, true), r, UINT32_MAX);
  for (unsigned l = 0; l < 32; l++) EXPECT_EQ(o.d[l], (l & 1u) != 0 ? 0xaaaaaaaau : 0x55555555u);
  EXPECT_EQ(Exec(kWgOp_MATCH, Match(true, true), r, UINT32_MAX).p0, 0u);
  EXPECT_EQ(Exec(kWgOp_MATCH, Match(true, false), r, UINT32_MAX).p0, UINT32_MAX);
}

TEST(XlaneTest, ReduxOfSilicon) {
  auto rows = ReadCsv("../../../silicon/warp/redux.csv");
  ASSERT_EQ(rows.size(), 49u);
  const struct {
    unsigned op;
    bool s32;
  } column[8] = {{0, false}, {1, false}, {2, false}, {1, true}, {2, true}, {3, false}, {4, false}, {5, false}};
  for (size_t i = 1; i < rows.size(); i++) {
    const auto &row = rows[i];
    ASSERT_EQ(row.size(), 42u);
    uint32_t mask = Hex(row[0]);
    Rows r;
    for (unsigned l = 0; l < 32; l++) r.a[l] = Hex(row[2 + l]), r.b[l] = mask;
    BothWays(mask, [&](uint32_t exec) {
      for (unsigned k = 0; k < 8; k++) {
        wg_ref_out_t o = Exec(kWgOp_REDUX, Redux(column[k].op, column[k].s32), r, exec);
        for (unsigned l = 0; l < 32; l++) {
          if ((exec >> l & 1u) != 0u) ASSERT_EQ(o.d[l], Hex(row[34 + k])) << "row " << i << " column " << 34 + k;
        }
      }
    });
  }
}

TEST(XlaneTest, EmptyGroups) {
  Rows r;
  r.p = UINT32_MAX;
  EXPECT_EQ(Exec(kWgOp_VOTE, Vote(0), r, 0xffu).p0, 0xffu);
  EXPECT_EQ(Exec(kWgOp_VOTE, Vote(1), r, 0xffu).p0, 0u);
  EXPECT_EQ(Exec(kWgOp_VOTE, Vote(2), r, 0xffu).p0, 0xffu);
  EXPECT_EQ(Exec(kWgOp_MATCH, Match(true, false), r, 0xffu).p0, 0xffu);
  EXPECT_EQ(Exec(kWgOp_MATCH, Match(true, false), r, 0xffu).d[3], 0u);
  const uint32_t want[2][6] = {{0, UINT32_MAX, 0, UINT32_MAX, 0, 0}, {0, 0x7fffffffu, 0x80000000u, UINT32_MAX, 0, 0}};
  for (unsigned s = 0; s < 2; s++) {
    for (unsigned op = 0; op < 6; op++) EXPECT_EQ(Exec(kWgOp_REDUX, Redux(op, s != 0), r, 1u).d[0], want[s][op]) << op;
  }
}

TEST(XlaneTest, OneMaskPerLane) {
  const unsigned seed = 5;
  std::printf("seed %u\n", seed);
  std::mt19937 g(seed);
  for (unsigned n = 0; n < 500; n++) {
    Rows r;
    r.p = g();
    uint32_t exec = g() | g(), two[2] = {uint32_t(g()), uint32_t(g())};
    for (unsigned l = 0; l < 32; l++) {
      r.a[l] = g() & 3u, r.a1[l] = g() & 1u;
      r.b[l] = n % 2 != 0 ? two[g() & 1u] : uint32_t(g());
    }
    wg_ref_out_t any = Exec(kWgOp_MATCH, Match(false, true), r, exec);
    wg_ref_out_t all = Exec(kWgOp_MATCH, Match(true, true), r, exec);
    wg_ref_out_t sum = Exec(kWgOp_REDUX, Redux(0, false), r, exec), vote = Exec(kWgOp_VOTE, Vote(0), r, exec);
    for (unsigned l = 0; l < 32; l++) {
      if ((exec >> l & 1u) == 0u) continue;
      uint32_t same = 0, total = 0, group = 0;
      for (unsigned j = 0; j < 32; j++) {
        if ((exec >> j & 1u) == 0u || (r.b[l] >> j & 1u) == 0u) continue;
        group |= 1u << j;
        total += r.a[j];
        if (r.a[j] == r.a[l] && r.a1[j] == r.a1[l]) same |= 1u << j;
      }
      ASSERT_EQ(any.d[l], same);
      ASSERT_EQ(all.d[l], same == group ? group : 0u);
      ASSERT_EQ(all.p0 >> l & 1u, same == group ? 1u : 0u);
      ASSERT_EQ(any.p0 >> l & 1u, same == group ? 1u : 0u);
      ASSERT_EQ(sum.d[l], total);
      ASSERT_EQ(vote.d[l], group & r.p);
      ASSERT_EQ(vote.p0 >> l & 1u, (group & ~r.p) == 0u ? 1u : 0u);
    }
  }
}

}  // namespace
