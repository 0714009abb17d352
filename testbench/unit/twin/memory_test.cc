// SPDX-License-Identifier: Apache-2.0
//
// Coalescer and shared-memory passes against counters of real silicon and against rules written down a second time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "model/twin/coalescer.h"
#include "model/twin/smem_passes.h"

namespace {

std::vector<std::vector<std::string>> ReadCsv(const std::string &path) {
  std::ifstream in(path);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    rows.emplace_back();
    std::stringstream ss(line);
    for (std::string f; std::getline(ss, f, ',');) rows.back().push_back(f);
  }
  return rows;
}

/** Constants: a transaction a distinct address, ascending lines; each lane once, with its own address' lanes. */
TEST(Coalescer, ConstantsOneAddressATime) {
  std::mt19937 rng(7);
  for (int round = 0; round < 5000; round++) {
    unsigned bytes = 1u << (rng() % 5), words = 1 + rng() % 40;
    uint32_t mask = rng() % 3 == 0 ? UINT32_MAX : static_cast<uint32_t>(rng()), seen = 0;
    uint64_t addr[32];
    std::set<uint64_t> want;
    for (unsigned l = 0; l < 32; l++) {
      addr[l] = UINT64_C(0x1000) + uint64_t(rng() % words) * bytes;
      if (mask >> l & 1) want.insert(addr[l]);
    }
    wg_line_access_t out[32];
    unsigned n = wg_coalesce_const(addr, bytes, mask, out);
    ASSERT_EQ(n, want.size());
    for (unsigned i = 0; i < n; i++) {
      ASSERT_NE(out[i].lanes, 0u);
      ASSERT_EQ(out[i].lanes & (seen | ~mask), 0u);
      seen |= out[i].lanes;
      uint64_t a = addr[__builtin_ctz(out[i].lanes)];
      for (unsigned l = 0; l < 32; l++) ASSERT_EQ(out[i].lanes >> l & 1, (mask >> l & 1) != 0 && addr[l] == a);
      ASSERT_EQ(out[i].line, a / 128 * 128);
      ASSERT_EQ(out[i].sectors, 1u << (a % 128 / 32));
      if (i > 0) {
        ASSERT_GE(out[i].line, out[i - 1].line);
      }
    }
    ASSERT_EQ(seen, mask);
  }
}

TEST(Coalescer, AgainstSets) {
  std::mt19937 rng(1);
  for (int round = 0; round < 20000; round++) {
    unsigned bytes = 1u << (rng() % 5);
    uint32_t mask = rng() % 4 == 0 ? UINT32_MAX : static_cast<uint32_t>(rng());
    if (rng() % 50 == 0) mask = 0;
    uint64_t base = UINT64_C(0x200000000000) + (rng() % 64) * 4;
    unsigned kind = rng() % 4, stride = rng() % 9;
    uint64_t addr[32];
    for (unsigned l = 0; l < 32; l++) {
      uint64_t a = kind == 0   ? base + rng() % 8192
                   : kind == 1 ? base + l * stride * bytes
                   : kind == 2 ? base + (31 - l) * bytes
                               : base + (uint64_t(rng()) << 16);
      addr[l] = a & ~uint64_t(bytes - 1);
    }
    std::map<uint64_t, std::pair<uint32_t, std::set<uint64_t>>> want;
    for (unsigned l = 0; l < 32; l++) {
      if (!(mask >> l & 1)) continue;
      auto &e = want[addr[l] / 128 * 128];
      e.first |= 1u << l;
      for (uint64_t b = addr[l]; b < addr[l] + bytes; b++) e.second.insert(b % 128 / 32);
    }
    wg_line_access_t out[32];
    unsigned n = wg_coalesce(addr, bytes, mask, out);
    ASSERT_EQ(n, want.size());
    unsigned i = 0;
    for (const auto &[line, e] : want) {  // std::map: ascending
      uint8_t sectors = 0;
      for (uint64_t s : e.second) sectors |= static_cast<uint8_t>(1u << s);
      ASSERT_EQ(out[i].line, line);
      ASSERT_EQ(out[i].lanes, e.first);
      ASSERT_EQ(out[i].sectors, sectors);
      i++;
    }
  }
}

// The rules of silicon/README.md, written down a second time (run/check.py): a pass takes each address once.
uint64_t SectorsOfPasses(std::vector<uint64_t> left) {
  uint64_t total = 0;
  while (!left.empty()) {
    std::set<uint64_t> seen, sectors;
    std::vector<uint64_t> rest;
    for (uint64_t a : left) {
      if (!seen.insert(a).second) rest.push_back(a);
      sectors.insert(a / 32);
    }
    total += sectors.size();
    left = rest;
  }
  return total;
}

TEST(Coalescer, AtomicsTakeEachAddressOnceAPass) {
  std::mt19937 rng(7);
  for (int round = 0; round < 20000; round++) {
    unsigned bytes = rng() % 2 ? 4 : 8, spread = rng() % 64 + 1;
    uint32_t mask = rng() % 4 == 0 ? UINT32_MAX : static_cast<uint32_t>(rng());
    uint64_t addr[32];
    std::vector<uint64_t> all;
    for (unsigned l = 0; l < 32; l++) {
      addr[l] = UINT64_C(0x200000000000) + rng() % spread * bytes;
      if (mask >> l & 1) all.push_back(addr[l]);
    }
    wg_line_access_t out[32];
    unsigned n = wg_coalesce_atom(addr, bytes, mask, out);
    uint32_t lanes = 0;
    uint64_t sectors = 0;
    for (unsigned i = 0; i < n; i++) {
      ASSERT_EQ(lanes & out[i].lanes, 0u);
      lanes |= out[i].lanes;
      sectors += static_cast<unsigned>(__builtin_popcount(out[i].sectors));
      std::set<uint64_t> once;
      for (unsigned l = 0; l < 32; l++) {
        if (!(out[i].lanes >> l & 1)) continue;
        ASSERT_EQ(addr[l] / 128 * 128, out[i].line);
        ASSERT_TRUE(once.insert(addr[l]).second) << "an address twice in one transaction";
        ASSERT_TRUE(out[i].sectors >> (addr[l] % 128 / 32) & 1);
      }
    }
    ASSERT_EQ(lanes, mask);
    ASSERT_EQ(sectors, SectorsOfPasses(all));
  }
}

// Counters of silicon/counters/{global,shared}_atomics.cu: thread t works on word (t % words) * spread.
TEST(Coalescer, AtomicCountersOfSilicon) {
  auto rows = ReadCsv("testbench/silicon/atomics/counters.csv");
  ASSERT_EQ(rows.size(), 28u) << "run from the repository root";
  for (size_t r = 1; r < rows.size(); r++) {
    const auto &f = rows[r];
    auto n = [&](size_t i) { return static_cast<unsigned>(std::stoul(f[i])); };
    bool shared = f[0] == "shared";
    unsigned bytes = f[1] == "ga_max64" ? 8 : 4, threads = n(4) * n(5), requests = 0;
    uint64_t sum = 0;
    for (unsigned first = 0; first < threads; first += 32) {
      uint64_t addr[32];
      uint32_t low[32], mask = f[1] == "ga_xor_if" ? 0xaaaaaaaau : UINT32_MAX;
      for (unsigned l = 0; l < 32; l++) {
        unsigned t = shared ? (first + l) % n(5) : first + l;
        addr[l] = uint64_t(t % n(2)) * n(3) * bytes;
        low[l] = static_cast<uint32_t>(addr[l]);
      }
      requests++;
      wg_line_access_t line[32];
      wg_smem_passes_t p;
      wg_smem_split_atom(low, bytes, mask, &p);
      unsigned lines = wg_coalesce_atom(addr, bytes, mask, line);
      if (shared) sum += p.num;
      for (unsigned i = 0; !shared && i < lines; i++) sum += static_cast<unsigned>(__builtin_popcount(line[i].sectors));
    }
    EXPECT_EQ(requests, n(6)) << f[1] << " words " << f[2];
    EXPECT_EQ(sum, n(7)) << f[1] << " words " << f[2] << " spread " << f[3];
  }
}

TEST(Coalescer, ReductionsOfSilicon) { /* silicon/README.md: 32 lanes on one word, on consecutive words */
  uint64_t addr[32];
  wg_line_access_t out[32];
  for (unsigned l = 0; l < 32; l++) addr[l] = UINT64_C(0x200000000000);
  EXPECT_EQ(wg_coalesce_atom(addr, 4, UINT32_MAX, out), 32u);
  for (unsigned l = 0; l < 32; l++) addr[l] += 4 * l;
  ASSERT_EQ(wg_coalesce_atom(addr, 4, UINT32_MAX, out), 1u);
  EXPECT_EQ(out[0].sectors, 15u);
}

TEST(SmemPasses, AtomicsAreMostLanesInOneBank) {
  std::mt19937 rng(11);
  for (int round = 0; round < 20000; round++) {
    unsigned words = rng() % 64 + 1, spread = rng() % 40 + 1;
    uint32_t mask = rng() % 4 == 0 ? UINT32_MAX : static_cast<uint32_t>(rng()), addr[32];
    unsigned bank[32] = {0}, most = 0;
    for (unsigned l = 0; l < 32; l++) {
      addr[l] = static_cast<uint32_t>(rng() % words) * spread * 4;
      if (mask >> l & 1) most = std::max(most, ++bank[addr[l] / 4 % 32]);
    }
    wg_smem_passes_t p;
    wg_smem_split_atom(addr, 4, mask, &p);
    ASSERT_EQ(p.num, most);
    uint32_t lanes = 0;
    for (unsigned i = 0; i < p.num; i++) lanes |= p.lanes[i];
    ASSERT_EQ(lanes, mask);
  }
}

TEST(SmemPasses, CountersOfSilicon) {
  auto rows = ReadCsv("testbench/unit/twin/data/shared_counters.csv");
  ASSERT_GT(rows.size(), 90u) << "run from the repository root";
  for (size_t r = 1; r < rows.size(); r++) {
    uint32_t addr[32] = {0}, mask = 0;
    for (unsigned l = 0; l < 32; l++) {
      if (rows[r][7 + l] == "-") continue;
      addr[l] = static_cast<uint32_t>(std::stoul(rows[r][7 + l]));
      mask |= 1u << l;
    }
    wg_smem_passes_t p;
    wg_smem_split(addr, static_cast<unsigned>(std::stoul(rows[r][3])), mask, rows[r][4] == "1", &p);
    EXPECT_EQ(p.num, std::stoul(rows[r][5])) << rows[r][1] << " " << rows[r][2];
    EXPECT_EQ(p.conflicts, std::stoul(rows[r][6])) << rows[r][1] << " " << rows[r][2];
  }
}

// Dependent loads take 2 cycles more for each further word of one bank (22.5 + 2 x degree): the degree is our count.
TEST(SmemPasses, LatencyLadderOfSilicon) {
  auto rows = ReadCsv("testbench/unit/twin/data/conflict.csv");
  unsigned checked = 0;
  for (const auto &row : rows) {
    if (row[0] != "ld.shared one bank") continue;
    unsigned degree = static_cast<unsigned>(std::stoul(row[1]));
    uint32_t addr[32];
    for (unsigned l = 0; l < 32; l++) addr[l] = 128 * (l % degree);
    wg_smem_passes_t p;
    wg_smem_split(addr, 4, UINT32_MAX, false, &p);
    EXPECT_EQ(p.num, static_cast<unsigned>(std::lround((std::stod(row[2]) - 22.53) / 2)));
    checked++;
  }
  EXPECT_GT(checked, 20u);
}

// Counts by the words of each bank; order and content of the wavefronts by their definition.
TEST(SmemPasses, AgainstWordSets) {
  std::mt19937 rng(2);
  for (int round = 0; round < 30000; round++) {
    unsigned bytes = 1u << (rng() % 5);
    bool store = rng() & 1;
    uint32_t mask = rng() % 3 == 0 ? UINT32_MAX : static_cast<uint32_t>(rng() | rng());
    unsigned range = 1u << (rng() % 10 + 3), pairing = rng() % 4;
    uint32_t addr[32];
    for (unsigned l = 0; l < 32; l++) addr[l] = rng() % range * bytes;
    for (unsigned l = 0; l < 32; l++) {
      if (pairing == 1) addr[l] = addr[l & ~1u];
      if (pairing == 2) addr[l] = addr[l & ~2u];
    }
    unsigned width = bytes == 8 ? 16 : bytes == 16 ? 8 : 32;
    // groups, two of them together where a load's neighbours agree
    std::vector<uint32_t> groups;
    for (unsigned at = 0; at < 32; at += width) {
      uint32_t g = 0;
      for (unsigned l = at; l < at + width; l++) g |= 1u << l;
      groups.push_back(g);
    }
    std::vector<uint32_t> joined;
    for (size_t i = 0; i < groups.size(); i++) {
      if (!store && groups.size() > 1 && i % 2 == 0) {
        uint32_t both = groups[i] | groups[i + 1];
        bool ok[2] = {true, true};
        for (unsigned x = 1; x <= 2; x++)
          for (unsigned l = 0; l < 32; l++)
            if ((both & mask) >> l & 1 && (both & mask) >> (l ^ x) & 1 && addr[l] != addr[l ^ x]) ok[x - 1] = false;
        if (ok[0] || ok[1]) {
          joined.push_back(both);
          i++;
          continue;
        }
      }
      joined.push_back(groups[i]);
    }
    wg_smem_passes_t p;
    wg_smem_split(addr, bytes, mask, store, &p);
    unsigned at = 0, conflicts = 0;
    for (uint32_t g : joined) {
      std::map<unsigned, std::set<uint32_t>> words;  // bank -> words
      uint32_t left = g & mask;
      for (unsigned l = 0; l < 32; l++)
        if (left >> l & 1)
          for (uint32_t b = addr[l]; b < addr[l] + bytes; b++) words[b / 4 % 32].insert(b / 4);
      size_t most = 0;
      for (const auto &[bank, w] : words) most = std::max(most, w.size());
      if (most > 0) conflicts += static_cast<unsigned>(most) - 1;
      for (size_t k = 0; k < most; k++, at++) {
        ASSERT_LT(at, p.num);
        // a lane is served if for each of its banks no lower lane left wants another word
        uint32_t want = 0;
        for (unsigned l = 0; l < 32; l++) {
          if (!(left >> l & 1)) continue;
          bool served = true;
          for (unsigned m = 0; m < l; m++) {
            if (!(left >> m & 1)) continue;
            for (uint32_t x = addr[l] / 4; x <= (addr[l] + bytes - 1) / 4; x++)
              for (uint32_t y = addr[m] / 4; y <= (addr[m] + bytes - 1) / 4; y++)
                if (x % 32 == y % 32 && x != y) {
                  bool first = true;  // does lane m own the bank, or is it blocked itself
                  for (unsigned o = 0; o < m; o++)
                    if (left >> o & 1)
                      for (uint32_t z = addr[o] / 4; z <= (addr[o] + bytes - 1) / 4; z++)
                        if (z % 32 == y % 32) first = false;
                  if (first) served = false;
                }
          }
          if (served) want |= 1u << l;
        }
        ASSERT_EQ(p.lanes[at], want);
        left &= ~want;
      }
      ASSERT_EQ(left, 0u);
    }
    ASSERT_EQ(p.num, at);
    ASSERT_EQ(p.conflicts, conflicts);
  }
}

}  // namespace
