// SPDX-License-Identifier: Apache-2.0
//
// sm_cta against its twin model/twin/cta_alloc.c: random blocks of 1, 2 and 3 dimensions under random configurations;
// every warp's place, mask and first thread; block-granular release only after the last exit and with idle memory.
// bench: top cta_bench
// bench: link model/twin/cta_alloc.c
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "Vtop.h"
#include "model/twin/cta_alloc.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

struct Resident {
  bool on = false;
  uint32_t ctaid = 0, live = 0;
  unsigned warps = 0;
};

class Bench {
 public:
  Vtop top;
  wg_sm_cfg_t cfg{};
  wg_cta_alloc_t twin{};
  Resident block[8];
  uint8_t busy = 0;
  unsigned frees = 0;

  void reset(bench::Rng &rng) {
    std::memset(&cfg, 0, sizeof cfg);
    cfg.warp_slots = 1 + rng.below(16);
    cfg.block_slots = 8;
    cfg.regs_per_subcore = 32 * (64 + 8 * rng.below(57));
    cfg.shared_bytes = 1024 * (1 + rng.below(96));
    cfg.shared_unit = 8u << rng.below(6);
    cfg.shared_reserve = rng.chance(50) ? 0 : 1024;
    cfg.first_rotate = rng.chance(50);
    top.warp_slots_i = uint8_t(cfg.warp_slots), top.block_slots_i = uint8_t(cfg.block_slots);
    top.reg_rows_i = uint16_t(cfg.regs_per_subcore / 32), top.shared_bytes_i = cfg.shared_bytes;
    top.shared_unit_i = uint16_t(cfg.shared_unit), top.shared_reserve_i = uint16_t(cfg.shared_reserve);
    top.first_rotate_i = cfg.first_rotate;
    top.launch_valid_i = top.exit_valid_i = top.mem_busy_i = 0;
    top.rst_ni = 0;
    for (int i = 0; i < 4; i++) clock();
    top.rst_ni = 1;
    wg_cta_alloc_reset(&twin, 4, &cfg);
    for (auto &b : block) b = Resident();
  }
  void clock() {
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
  }
  /* One cycle; a release must be of a block without live warps and with idle memory. */
  void cycle() {
    uint8_t busy_before = top.mem_busy_i;
    clock();
    ASSERT_EQ(top.free_valid_o, top.done_valid_o);
    if (!top.free_valid_o) return;
    unsigned b = top.free_block_o;
    ASSERT_LT(b, 8u);
    ASSERT_EQ(top.done_block_o, b);
    ASSERT_TRUE(block[b].on);
    EXPECT_EQ(block[b].live, 0u);
    EXPECT_EQ(busy_before >> b & 1, 0);
    EXPECT_EQ(top.done_ctaid_o, block[b].ctaid);
    wg_cta_alloc_free(&twin, b);
    block[b].on = false;
    frees++;
  }
};

void launch(Bench &b, bench::Rng &rng, uint32_t ctaid, bool *fits) {
  uint32_t n[3] = {1 + rng.below(96), 1, 1};
  if (rng.chance(50)) n[1] = 1 + rng.below(8);
  if (rng.chance(30)) n[2] = 1 + rng.below(4);
  if (rng.chance(10)) n[0] = 32 * (1 + rng.below(8)), n[1] = n[2] = 1;
  while (n[0] * n[1] * n[2] > 1024) n[0] = 1 + n[0] / 2;
  uint32_t threads = n[0] * n[1] * n[2], warps = (threads + 31) / 32;
  uint32_t regs = 8 * (1 + rng.below(12));
  uint32_t shared = rng.chance(30) ? 0 : rng.below(12000);
  wg_cta_place_t place;
  *fits = wg_cta_alloc_find(&b.twin, warps, regs, shared, &place);
  if (!*fits) return;
  wg_cta_alloc_take(&b.twin, &place);
  b.top.launch_valid_i = 1;
  b.top.ctaid_i = ctaid, b.top.ntid_x_i = uint16_t(n[0]), b.top.ntid_y_i = uint16_t(n[1]), b.top.ntid_z_i = uint8_t(n[2]);
  b.top.regs_i = uint16_t(regs), b.top.shared_i = shared;
  ASSERT_NO_FATAL_FAILURE(b.cycle());
  b.top.launch_valid_i = 0;
  uint32_t k = 0;
  for (int guard = 0; k < warps; guard++) {
    ASSERT_LT(guard, 500) << "the launch never finishes";
    ASSERT_NO_FATAL_FAILURE(b.cycle());
    if (!b.top.init_valid_o) continue;
    uint32_t t = 32 * k;
    uint32_t left = threads - t;
    ASSERT_EQ(b.top.init_warp_o, k);
    ASSERT_EQ(b.top.init_warps_o, warps);
    ASSERT_EQ(b.top.init_block_o, place.block);
    ASSERT_EQ(b.top.init_sub_o, wg_cta_place_sub(&b.twin, &place, k));
    ASSERT_EQ(b.top.init_slot_o, place.slot[k]);
    ASSERT_EQ(b.top.init_reg_base_o, wg_cta_place_row(&b.twin, &place, k));
    ASSERT_EQ(b.top.init_shared_base_o, place.shared.base);
    ASSERT_EQ(b.top.init_mask_o, left >= 32 ? 0xffffffffu : (1u << left) - 1);
    ASSERT_EQ(b.top.init_tid_x_o, t % n[0]);
    ASSERT_EQ(b.top.init_tid_y_o, t / n[0] % n[1]);
    ASSERT_EQ(b.top.init_tid_z_o, t / n[0] / n[1]);
    k++;
  }
  Resident &r = b.block[place.block];
  r.on = true, r.ctaid = ctaid, r.warps = warps;
  r.live = uint32_t((1ull << warps) - 1);
}

TEST(CtaTest, PlacesAndReleasesMatchTheTwin) {
  bench::Rng rng(23);
  Bench b;
  unsigned launched = 0, refused = 0;
  for (int round = 0; round < 150; round++) {
    b.reset(rng);
    for (int step = 0; step < 120; step++) {
      if (rng.chance(60)) {
        for (int i = 0; i < 40 && !b.top.launch_ready_o; i++) ASSERT_NO_FATAL_FAILURE(b.cycle());
        ASSERT_TRUE(b.top.launch_ready_o);
        bool fits = false;
        ASSERT_NO_FATAL_FAILURE(launch(b, rng, uint32_t(round * 1000 + step), &fits));
        if (fits) launched++;
        else refused++;
      }
      // some warps exit; memory of some blocks is busy for a while
      uint32_t ev = 0, eb = 0, ew = 0;
      for (unsigned s = 0; s < 4; s++) {
        unsigned n = rng.below(8);
        Resident &r = b.block[n];
        if (!r.on || r.live == 0) continue;
        unsigned w = unsigned(__builtin_ctz(r.live));
        r.live &= r.live - 1;
        ev |= 1u << s, eb |= n << (5 * s), ew |= w << (5 * s);
      }
      b.top.exit_valid_i = uint8_t(ev), b.top.exit_block_i = eb, b.top.exit_warp_i = ew;
      b.top.mem_busy_i = rng.chance(30) ? uint8_t(rng.next()) : 0;
      ASSERT_NO_FATAL_FAILURE(b.cycle());
      b.top.exit_valid_i = 0;
    }
    // drain: everything must come back
    b.top.mem_busy_i = 0;
    for (unsigned n = 0; n < 8; n++) {
      while (b.block[n].on && b.block[n].live != 0) {
        b.top.exit_valid_i = 1, b.top.exit_block_i = n, b.top.exit_warp_i = uint32_t(__builtin_ctz(b.block[n].live));
        b.block[n].live &= b.block[n].live - 1;
        ASSERT_NO_FATAL_FAILURE(b.cycle());
        b.top.exit_valid_i = 0;
      }
    }
    for (int i = 0; i < 40; i++) ASSERT_NO_FATAL_FAILURE(b.cycle());
    for (unsigned n = 0; n < 8; n++) ASSERT_FALSE(b.block[n].on) << "block slot " << n << " never released";
  }
  std::printf("%u launched, %u did not fit, %u released\n", launched, refused, b.frees);
  EXPECT_EQ(launched, b.frees);
  EXPECT_GT(launched, 3000u);
  EXPECT_GT(refused, 1000u);
}

TEST(CtaTest, TailWarpOfAHundredThreadBlock) {
  bench::Rng rng(1);
  Bench b;
  b.reset(rng);
  b.top.warp_slots_i = 16, b.top.reg_rows_i = 512, b.top.shared_bytes_i = 65536;
  b.top.launch_valid_i = 1, b.top.ntid_x_i = 100, b.top.ntid_y_i = 1, b.top.ntid_z_i = 1, b.top.regs_i = 16, b.top.shared_i = 0;
  b.clock();
  b.top.launch_valid_i = 0;
  std::vector<uint32_t> masks;
  for (int i = 0; i < 60; i++) {
    b.clock();
    if (b.top.init_valid_o) masks.push_back(b.top.init_mask_o);
  }
  EXPECT_EQ(masks, (std::vector<uint32_t>{0xffffffffu, 0xffffffffu, 0xffffffffu, 0x0000000fu}));
}

/* The text's example: blockDim (64, 2, 1) is four warps; warp 0 = threads 0..31, warp 2 starts the second row. */
TEST(CtaTest, ThreadOrderOfA64By2Block) {
  bench::Rng rng(1);
  Bench b;
  b.reset(rng);
  b.top.warp_slots_i = 16, b.top.reg_rows_i = 512, b.top.shared_bytes_i = 65536;
  b.top.launch_valid_i = 1, b.top.ntid_x_i = 64, b.top.ntid_y_i = 2, b.top.ntid_z_i = 1, b.top.regs_i = 16, b.top.shared_i = 0;
  b.clock();
  b.top.launch_valid_i = 0;
  std::vector<std::vector<unsigned>> first;
  for (int i = 0; i < 60; i++) {
    b.clock();
    if (b.top.init_valid_o) first.push_back({b.top.init_tid_x_o, b.top.init_tid_y_o, b.top.init_tid_z_o});
  }
  EXPECT_EQ(first, (std::vector<std::vector<unsigned>>{{0, 0, 0}, {32, 0, 0}, {0, 1, 0}, {32, 1, 0}}));
}

}  // namespace
