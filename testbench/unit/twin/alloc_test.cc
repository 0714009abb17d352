// SPDX-License-Identifier: Apache-2.0
//
// The allocator's twin against maps of single rows and bytes, searched from the bottom.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "model/twin/cta_alloc.h"

namespace {

struct Config {
  unsigned sub_cores, warp_slots, block_slots, rows, shared, unit, reserve;
  bool rotate;
};

class Naive {
 public:
  explicit Naive(const Config &c) : c_(c), slots_(c.sub_cores), rows_(c.sub_cores), shared_(c.shared, -1) {
    for (auto &s : slots_) s.assign(c.warp_slots, -1);
    for (auto &r : rows_) r.assign(c.rows, -1);
  }
  // Lowest start with `len` free places, -1 if none.
  static int Fit(const std::vector<int> &map, unsigned len) {
    if (len == 0) return 0;
    unsigned run = 0;
    for (unsigned i = 0; i < map.size(); i++) {
      run = map[i] < 0 ? run + 1 : 0;
      if (run == len) return static_cast<int>(i + 1 - len);
    }
    return -1;
  }
  bool Place(unsigned warps, unsigned regs, unsigned shared, unsigned block, wg_cta_place_t *want) {
    unsigned size = shared == 0 && c_.reserve == 0 ? 0 : (shared + c_.reserve + c_.unit - 1) / c_.unit * c_.unit;
    int sbase = Fit(shared_, size);
    if (sbase < 0) return false;
    for (unsigned t = 0; t < (c_.rotate ? c_.sub_cores : 1); t++) {
      unsigned first = c_.rotate ? (next_ + t) % c_.sub_cores : 0;
      std::vector<unsigned> count(c_.sub_cores, 0);
      for (unsigned k = 0; k < warps; k++) count[(first + k) % c_.sub_cores]++;
      bool ok = true;
      std::vector<int> base(c_.sub_cores, 0);
      for (unsigned s = 0; s < c_.sub_cores; s++) {
        unsigned free = 0;
        for (int x : slots_[s]) free += x < 0;
        base[s] = Fit(rows_[s], count[s] * regs);
        ok = ok && free >= count[s] && base[s] >= 0;
      }
      if (!ok) continue;
      want->first = static_cast<uint8_t>(first);
      want->shared = {static_cast<uint32_t>(sbase), size};
      for (unsigned i = 0; i < size; i++) shared_[static_cast<unsigned>(sbase) + i] = static_cast<int>(block);
      for (unsigned s = 0; s < c_.sub_cores; s++)
        for (unsigned i = 0; i < count[s] * regs; i++)
          rows_[s][static_cast<unsigned>(base[s]) + i] = static_cast<int>(block);
      std::vector<unsigned> nth(c_.sub_cores, 0);
      for (unsigned k = 0; k < warps; k++) {
        unsigned s = (first + k) % c_.sub_cores, slot = 0;
        while (slots_[s][slot] >= 0) slot++;
        slots_[s][slot] = static_cast<int>(block);
        want->slot[k] = static_cast<uint8_t>(slot);
        row_[k] = static_cast<unsigned>(base[s]) + nth[s]++ * regs;
      }
      next_ = (first + warps) % c_.sub_cores;
      return true;
    }
    return false;
  }
  void Free(unsigned block) {
    auto drop = [&](std::vector<int> &v) {
      for (int &x : v)
        if (x == static_cast<int>(block)) x = -1;
    };
    drop(shared_);
    for (auto &r : rows_) drop(r);
    for (auto &s : slots_) drop(s);
  }
  unsigned Row(unsigned k) const { return row_.at(k); }

 private:
  Config c_;
  std::vector<std::vector<int>> slots_, rows_;
  std::vector<int> shared_;
  unsigned next_ = 0;
  std::map<unsigned, unsigned> row_;
};

class Alloc : public ::testing::TestWithParam<Config> {};

TEST_P(Alloc, AgainstMaps) {
  const Config c = GetParam();
  wg_sm_cfg_t cfg = {};
  cfg.warp_slots = c.warp_slots;
  cfg.block_slots = c.block_slots;
  cfg.regs_per_subcore = c.rows * 32;
  cfg.shared_bytes = c.shared;
  cfg.shared_unit = c.unit;
  cfg.shared_reserve = c.reserve;
  cfg.first_rotate = c.rotate;
  wg_cta_alloc_t a;
  wg_cta_alloc_reset(&a, c.sub_cores, &cfg);
  Naive naive(c);
  std::mt19937 rng(c.rows + c.rotate);
  std::vector<bool> used(c.block_slots, false);
  unsigned placed = 0, refused = 0;
  for (int round = 0; round < 4000; round++) {
    if (rng() % 5 < 2) {
      unsigned b = rng() % c.block_slots;
      if (!used[b]) continue;
      used[b] = false;
      wg_cta_alloc_free(&a, b);
      naive.Free(b);
      continue;
    }
    unsigned warps = rng() % (c.warp_slots * c.sub_cores) % 32 + 1, regs = 8 * (rng() % 8 + 1);
    unsigned shared = rng() % 3 == 0 ? 0 : rng() % (c.shared / 3);
    unsigned block = 0;
    while (block < c.block_slots && used[block]) block++;
    wg_cta_place_t want = {}, got = {};
    bool fits = block < c.block_slots && naive.Place(warps, regs, shared, block, &want);
    ASSERT_EQ(wg_cta_alloc_find(&a, warps, regs, shared, &got), fits);
    (fits ? placed : refused)++;
    if (!fits) continue;
    ASSERT_EQ(got.block, block);
    ASSERT_EQ(got.first, want.first);
    ASSERT_EQ(got.shared.base, want.shared.base);
    ASSERT_EQ(got.shared.len, want.shared.len);
    for (unsigned k = 0; k < warps; k++) {
      ASSERT_EQ(got.slot[k], want.slot[k]);
      ASSERT_EQ(wg_cta_place_sub(&a, &got, k), (got.first + k) % c.sub_cores);
      ASSERT_EQ(wg_cta_place_row(&a, &got, k), naive.Row(k));
    }
    wg_cta_alloc_take(&a, &got);
    used[block] = true;
  }
  EXPECT_GT(placed, 300u);
  EXPECT_GT(refused, 100u);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Alloc,
                         ::testing::Values(Config{1, 8, 8, 1024, 16384, 128, 1024, false},
                                           Config{4, 16, 32, 512, 32768, 256, 0, true},
                                           Config{4, 16, 32, 512, 32768, 128, 1024, true},
                                           Config{4, 3, 8, 160, 1536, 8, 0, false},
                                           Config{2, 4, 4, 96, 4096, 8, 0, true}));

// Blocks that an H200's SM holds by its runtime's own table: as many as our allocator places.
TEST(Alloc, OccupancyOfSilicon) {
  std::ifstream in("testbench/unit/twin/data/occupancy.csv");
  std::string line;
  ASSERT_TRUE(std::getline(in, line)) << "run from the repository root";
  unsigned rows = 0;
  while (std::getline(in, line)) {
    char kernel[64];
    unsigned regs, fixed, dynamic, threads, blocks;
    ASSERT_EQ(std::sscanf(line.c_str(), "%63[^,],%u,%u,%u,%u,%u", kernel, &regs, &fixed, &dynamic, &threads, &blocks),
              6);
    wg_sm_cfg_t cfg = {};
    cfg.warp_slots = 16;
    cfg.block_slots = 32;
    cfg.regs_per_subcore = 16384;
    cfg.shared_bytes = 233472;
    cfg.shared_unit = 128;
    cfg.shared_reserve = 1024;
    cfg.first_rotate = true;
    wg_cta_alloc_t a;
    wg_cta_alloc_reset(&a, 4, &cfg);
    unsigned n = 0;
    wg_cta_place_t p;
    while (threads <= 1024 && wg_cta_alloc_find(&a, (threads + 31) / 32, (regs + 7) / 8 * 8, fixed + dynamic, &p)) {
      wg_cta_alloc_take(&a, &p);
      n++;
    }
    EXPECT_EQ(n, blocks) << line;
    rows++;
  }
  EXPECT_EQ(rows, 3225u);
}

}  // namespace
