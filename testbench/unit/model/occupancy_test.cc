// SPDX-License-Identifier: Apache-2.0
//
// Occupancy: the shares of single resources against the allocator, limiter and remedy, waves.
#include "model/gte/occupancy.h"

#include <cstring>
#include <string>

#include "gtest/gtest.h"

namespace {

wg_preset_t Load(const char *name) {
  wg_preset_t p;
  wg_diag_t d{};
  EXPECT_EQ(kWgOk, wg_preset_load(name, &p, &d)) << d.msg;
  return p;
}

wg_occ_t Of(const wg_preset_t &p, uint32_t threads, uint32_t regs, uint32_t shared) {
  wg_occ_block_t b = {threads, regs, shared};
  wg_occ_t o{};
  wg_diag_t d{};
  EXPECT_EQ(kWgOk, wg_occ_of(&p, &b, &o, &d)) << d.msg;
  return o;
}

// What the allocator holds, block by block, is the least of what the resources allow one by one.
TEST(OccTest, TheLeastResourceIsTheAllocatorsAnswer) {
  for (const char *name : {"tiny", "lecture", "v100", "h200", "ga102", "gtx980"}) {
    wg_preset_t p = Load(name);
    for (uint32_t threads = 1; threads <= 1024; threads += threads < 130 ? 31 : 97) {
      for (uint32_t regs = 1; regs <= 255; regs += 23) {
        for (uint32_t shared = 0; shared <= p.sm.shared_bytes + 1; shared += p.sm.shared_bytes / 7) {
          wg_occ_t o = Of(p, threads, regs, shared);
          uint32_t least = UINT32_MAX;
          for (uint32_t a : o.alone) least = std::min(least, a);
          EXPECT_EQ(least, o.blocks) << name << " " << threads << " " << regs << " " << shared;
          EXPECT_EQ(least, o.alone[o.limiter]);
        }
      }
    }
  }
}

TEST(OccTest, TextsExamples) {
  wg_preset_t p = Load("ga102");
  auto warps = [&](uint32_t regs) {
    wg_occ_t o = Of(p, 128, regs, 0);
    return o.blocks * o.warps;
  };
  EXPECT_EQ(48u, warps(40));
  EXPECT_EQ(40u, warps(41));
  EXPECT_EQ(kWgOccRegisters, Of(p, 128, 41, 0).limiter);
  p = Load("v100");
  EXPECT_EQ(64u, warps(32));
  EXPECT_EQ(48u, warps(33));
  p = Load("lecture");
  wg_occ_t o = Of(p, 128, 16, 520);
  EXPECT_EQ(2u, o.blocks);
  EXPECT_EQ(kWgOccShared, o.limiter);
  EXPECT_EQ(3u, o.alone[kWgOccThreads]);
  EXPECT_EQ(1u, Of(p, 256, 16, 1032).blocks);
}

std::string Remedy(const wg_preset_t &p, uint32_t threads, uint32_t regs, uint32_t shared) {
  wg_occ_block_t b = {threads, regs, shared};
  wg_occ_t o = Of(p, threads, regs, shared);
  char buf[256];
  return wg_occ_remedy(&p, &b, &o, buf, sizeof buf);
}

// Each remedy is tried: what it promises comes true, and one step less does not do it.
TEST(OccTest, RemediesHelp) {
  wg_preset_t p = Load("ga102");
  EXPECT_EQ("at most 40 registers a thread, by __launch_bounds__(128, 12), let an SM hold 12 blocks",
            Remedy(p, 128, 41, 0));
  EXPECT_EQ(12u, Of(p, 128, 40, 0).blocks);
  p = Load("lecture");
  EXPECT_EQ("at most 512 bytes of shared memory a block let an SM hold 3 blocks", Remedy(p, 128, 16, 520));
  EXPECT_EQ(3u, Of(p, 128, 16, 512).blocks);
  EXPECT_EQ(2u, Of(p, 128, 16, 513).blocks);
  p = Load("v100");
  EXPECT_EQ("none needed: all 64 warp slots are in use", Remedy(p, 256, 32, 0));
  EXPECT_EQ("blocks of 128 threads with the same needs give 64 of 64 warps instead of 32", Remedy(p, 32, 32, 0));
  EXPECT_NE(std::string::npos, Remedy(p, 1024, 32, 200000).find("shared memory"));
  EXPECT_NE(std::string::npos, Remedy(p, 1024, 255, 0).find("registers"));
}

TEST(OccTest, BadNumbersAreRefused) {
  wg_preset_t p = Load("v100");
  for (wg_occ_block_t b : {wg_occ_block_t{0, 32, 0}, {1025, 32, 0}, {32, 0, 0}, {32, 256, 0}, {32, 32, UINT32_MAX}}) {
    wg_occ_t o{};
    wg_diag_t d{};
    EXPECT_EQ(kWgBadArg, wg_occ_of(&p, &b, &o, &d));
    EXPECT_NE('\0', d.msg[0]);
  }
}

TEST(OccTest, Waves) {
  wg_occ_waves_t w;
  wg_occ_waves(1000, 2, 2, &w);
  EXPECT_EQ(4u, w.resident);
  EXPECT_EQ(250u, w.waves);
  EXPECT_DOUBLE_EQ(1.0, w.tail);
  wg_occ_waves(265, 132, 1, &w);
  EXPECT_EQ(3u, w.waves);
  EXPECT_EQ(1u, w.last);
  EXPECT_DOUBLE_EQ(1.0 / 132, w.tail);
  EXPECT_DOUBLE_EQ(265.0 / 396, w.use);
  wg_occ_waves(3, 132, 1, &w);
  EXPECT_EQ(1u, w.waves);
  EXPECT_EQ(3u, w.resident);
}

} // namespace
