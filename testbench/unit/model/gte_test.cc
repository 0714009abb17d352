// SPDX-License-Identifier: Apache-2.0
//
// GigaThread engine with stub SMs: placement, resource limits, completion, the lecture's machine.
#include "model/gte/gte.h"

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testbench/unit/model/stub_gpu.h"

namespace {

// The lecture's figure: two blocks of 128 threads and 520 bytes on each SM; block 4 follows block 0, block 5 block 2.
TEST(GteTest, LectureTimeline) {
  StubGpu t("lecture", 0, {100, 500, 200, 500, 1000, 1000});
  t.RunOne(t.Grid(6, 128, 520));
  EXPECT_EQ("+B0:SM0 +B1:SM1 +B2:SM0 +B3:SM1 -B0 +B4:SM0 -B2 +B5:SM0 -B1 -B3 -B4 -B5", t.Story());
  EXPECT_EQ(2u, t.MostResident());
  EXPECT_EQ(2u, wg_gpu_blocks_per_sm(t.gpu, 128, 32, 520));
}

TEST(GteTest, LectureWithLargerBlocksHoldsOne) {
  StubGpu t("lecture", 0, {});
  t.RunOne(t.Grid(6, 256, 1032));
  EXPECT_EQ(1u, t.MostResident());
  EXPECT_EQ(1u, wg_gpu_blocks_per_sm(t.gpu, 256, 32, 1032));
  // Without shared memory the 384 contexts are the limit: three blocks of 128 threads, one of 256.
  EXPECT_EQ(3u, wg_gpu_blocks_per_sm(t.gpu, 128, 32, 0));
  EXPECT_EQ(1u, wg_gpu_blocks_per_sm(t.gpu, 256, 32, 0));
}

// What the engine counts of a grid in two ways agrees, whatever ends in the cycle in which something begins; and a difference is told.
TEST(GteTest, SumsHoldAndEachRuleIsBrokenOnce) {
  StubGpu t("lecture", 0, {100, 500, 200, 500, 1000, 1000});
  t.RunOne(t.Grid(6, 128, 520));
  wg_grid_result_t g;
  ASSERT_TRUE(wg_gpu_last_grid(t.gpu, &g));
  EXPECT_EQ(6u, g.launched);
  EXPECT_EQ(6u, g.retired);
  EXPECT_EQ(4 * g.block_cycles, g.resident_warp_cycles);  // 128 threads are four warps
  wg_gte_result_t good{};
  good.start_cycle = g.start_cycle, good.end_cycle = g.end_cycle, good.blocks = g.blocks, good.launched = g.launched, good.retired = g.retired;
  good.block_cycles = g.block_cycles, good.warps = 4, good.resident_warp_cycles = g.resident_warp_cycles, good.most_busy_cycles = g.most_busy_cycles;
  wg_diag_t d{};
  ASSERT_EQ(kWgOk, wg_gte_sums(&good, &d)) << d.msg;
  const struct {
    uint64_t wg_gte_result_t::*field;
    const char *says;
  } rules[] = {{&wg_gte_result_t::blocks, "blocks launched, 6, are not blocks of the grid, 7"},
               {&wg_gte_result_t::retired, "blocks retired, 7, are not blocks launched, 6"},
               {&wg_gte_result_t::resident_warp_cycles, "occupancy"},
               {&wg_gte_result_t::block_cycles, "lifetimes of all warps"}};
  for (const auto &r : rules) {
    wg_gte_result_t bad = good;
    bad.*r.field += 1;
    EXPECT_EQ(kWgMismatch, wg_gte_sums(&bad, &d)) << r.says;
    EXPECT_NE(std::string::npos, std::string(d.msg).find(r.says)) << d.msg;
  }
  good.most_busy_cycles = g.cycles + 1;
  EXPECT_EQ(kWgMismatch, wg_gte_sums(&good, &d));
}

// Occupancy by hand, V100: 64 warps, 32 blocks, 64 K registers in four sub-cores, 96 KB.
TEST(GteTest, OccupancyByEachResource) {
  StubGpu t("v100", 1, {});
  EXPECT_EQ(8u, wg_gpu_blocks_per_sm(t.gpu, 256, 32, 0));   // 64 warps / 8
  EXPECT_EQ(32u, wg_gpu_blocks_per_sm(t.gpu, 32, 32, 0));   // block slots
  EXPECT_EQ(6u, wg_gpu_blocks_per_sm(t.gpu, 256, 33, 0));   // 33 -> 40 registers: 12 warps a sub-core, 2 a block
  EXPECT_EQ(3u, wg_gpu_blocks_per_sm(t.gpu, 128, 32, 32768)); // shared memory
  EXPECT_EQ(2u, wg_gpu_blocks_per_sm(t.gpu, 128, 32, 32769)); // rounded up to 33024
  EXPECT_EQ(0u, wg_gpu_blocks_per_sm(t.gpu, 1024, 255, 0));
  EXPECT_EQ(0u, wg_gpu_blocks_per_sm(t.gpu, 0, 32, 0));
}

TEST(GteTest, ThreadSlotsCountWholeWarps) {
  StubGpu t("v100", 1, {}, 100, [](wg_preset_t &p) { p.sm.thread_slots = 200; });
  t.RunOne(t.Grid(20, 33)); // 64 threads each
  EXPECT_EQ(3u, t.MostResident());
  EXPECT_EQ(3u, wg_gpu_blocks_per_sm(t.gpu, 33, 32, 0));
  EXPECT_EQ(kWgNoSpace, t.Submit(t.Grid(1, 193)));
  EXPECT_STREQ("a block never fits on an SM: it needs 224 threads, an SM has 200", t.diag.msg);
}

// A stub's block lives exactly as long as its script says, from its launch to the report of its end.
TEST(GteTest, StubBlocksLastAsScripted) {
  StubGpu t("v100", 1, {1, 7, 300, 0}, 42);
  t.RunOne(t.Grid(6, 32));
  std::map<uint32_t, uint64_t> begin;
  const uint64_t want[6] = {1, 7, 300, 1, 42, 42};
  for (const Event &e : t.events) {
    if (e.start) begin[e.block] = e.cycle;
    else EXPECT_EQ(want[e.block], e.cycle - begin[e.block] + 1) << e.block;
  }
}

TEST(GteTest, EveryBlockOnceInOrderRoundRobin) {
  StubGpu t("v100", 7, {}, 50);
  wg_grid_t g = t.Grid(5, 64);
  g.grid[1] = 3;
  g.grid[2] = 4;
  t.RunOne(g);
  uint32_t next = 0;
  for (const Event &e : t.events) {
    if (!e.start) continue;
    EXPECT_EQ(next, e.block);
    EXPECT_EQ(next % 7, e.sm) << "all blocks fit at once on 7 SMs";
    next++;
  }
  EXPECT_EQ(60u, next);
  wg_grid_result_t r;
  ASSERT_TRUE(wg_gpu_last_grid(t.gpu, &r));
  EXPECT_EQ(60u, r.blocks);
  EXPECT_EQ(t.events.front().cycle, r.start_cycle);
  EXPECT_EQ(t.events.back().cycle, r.end_cycle);
  EXPECT_EQ(r.end_cycle - r.start_cycle + 1, r.cycles);
}

// Against an independent count of what is resident: no SM is ever over a limit, whole blocks come and go, a
// block waits only if no SM has room, and the slot that the engine predicts is the one the SM used.
TEST(GteTest, RandomGridsKeepTheInvariants) {
  std::mt19937 rng(2);
  for (int round = 0; round < 40; round++) {
    std::vector<uint32_t> cycles(300);
    for (auto &c : cycles) c = 1 + rng() % 400;
    uint32_t sms = 1 + rng() % 5;
    bool large = rng() % 2;
    StubGpu t(large ? "v100" : "tiny", large ? sms : 1, cycles);
    const wg_sm_cfg_t &c = t.preset.sm;
    uint32_t threads = 1 + rng() % 256, shared = rng() % 16000, regs = 8 + rng() % 57;
    t.RunOne(t.Grid(300, threads, shared, regs));
    struct Use {
      uint32_t blocks = 0, warps = 0, shared = 0;
      std::map<uint8_t, uint32_t> slot;
    };
    std::map<uint16_t, Use> use;
    uint32_t warps = (threads + 31) / 32, unit = c.shared_unit;
    uint32_t size = (shared + c.shared_reserve + unit - 1) / unit * unit;
    std::set<uint32_t> seen;
    for (const Event &e : t.events) {
      Use &u = use[e.sm];
      if (e.start) {
        EXPECT_TRUE(seen.insert(e.block).second);
        EXPECT_TRUE(u.slot.insert({e.slot, e.block}).second) << "slot in use";
        u.blocks++;
        u.warps += warps;
        u.shared += size;
        EXPECT_LE(u.blocks, c.block_slots);
        EXPECT_LE(u.warps, c.warp_slots * t.preset.shape->sub_cores);
        EXPECT_LE(u.shared, c.shared_bytes);
      } else {
        ASSERT_EQ(1u, u.slot.count(e.slot));
        EXPECT_EQ(u.slot[e.slot], e.block);
        u.slot.erase(e.slot);
        u.blocks--;
        u.warps -= warps;
        u.shared -= size;
      }
    }
    EXPECT_EQ(300u, seen.size());
    for (auto &u : use) EXPECT_EQ(0u, u.second.blocks);
    EXPECT_EQ(std::min(300u, wg_gpu_blocks_per_sm(t.gpu, threads, regs, shared)), t.MostResident()) << "never starved";
  }
}

TEST(GteTest, BlocksThatNeverFitAreNamed) {
  struct Case {
    const char *preset;
    uint32_t threads, shared, regs;
    const char *msg;
  } cases[] = {
      {"lecture", 512, 0, 32, "a block never fits on an SM: it needs 512 threads, an SM has 384"},
      {"lecture", 256, 8192, 32, "a block never fits on an SM: it needs 8192 bytes of shared memory, an SM has 1536"},
      {"tiny", 512, 0, 32, "a block never fits on an SM: it needs 16 warp slots, an SM has 8"},
      {"v100", 1024, 0, 128, "a block never fits on an SM: it needs 32768 registers in a sub-core, an SM has 16384"},
      {"v100", 32, 98305, 32, "a block never fits on an SM: it needs 98560 bytes of shared memory, an SM has 98304"},
  };
  for (const Case &c : cases) {
    StubGpu t(c.preset, 0, {});
    EXPECT_EQ(kWgNoSpace, t.Submit(t.Grid(1, c.threads, c.shared, c.regs)));
    EXPECT_STREQ(c.msg, t.diag.msg);
    EXPECT_NE('\0', t.diag.hint[0]);
    EXPECT_TRUE(wg_gpu_idle(t.gpu));
  }
  StubGpu t("v100", 0, {});
  wg_grid_t g = t.Grid(1, 32, UINT32_MAX);
  g.dyn_shared_bytes = UINT32_MAX; // the sum does not fit 32 bits
  EXPECT_EQ(kWgNoSpace, t.Submit(g));
  EXPECT_EQ(kWgOk, t.Submit(t.Grid(1, 1024, 98304, 64))); // exactly full
}

TEST(GteTest, InvalidLaunchesAreRefused) {
  StubGpu t("v100", 0, {});
  auto bad = [&](void (*change)(wg_grid_t &), const char *msg) {
    wg_grid_t g = t.Grid(1, 32);
    change(g);
    EXPECT_EQ(kWgBadArg, t.Submit(g));
    EXPECT_STREQ(msg, t.diag.msg);
  };
  bad([](wg_grid_t &g) { g.grid[0] = 0; }, "invalid grid: 0 blocks in x, must be 1 to 2147483647");
  bad([](wg_grid_t &g) { g.grid[1] = 65536; }, "invalid grid: 65536 blocks in y, must be 1 to 65535");
  bad([](wg_grid_t &g) { g.block[0] = 0; }, "invalid block: 0 threads in x, must be 1 to 1024");
  bad([](wg_grid_t &g) { g.block[2] = 65; }, "invalid block: 65 threads in z, must be 1 to 64");
  bad([](wg_grid_t &g) { g.block[1] = 64; }, "invalid block: 2048 threads, at most 1024 are allowed");
  bad([](wg_grid_t &g) { g.regs_per_thread = 256; },
      "invalid kernel: 256 registers, 0 barriers, 0 bytes of local memory a thread");
}

TEST(GteTest, GridsRunOneAfterAnother) {
  StubGpu t("v100", 2, {}, 30);
  for (uint32_t i = 1; i <= 5; i++) ASSERT_EQ(kWgOk, t.Submit(t.Grid(3 * i, 32, 0, 32, i)));
  ASSERT_EQ(kWgOk, wg_gpu_run(t.gpu, &t.diag));
  uint32_t grid = 1, open = 0;
  for (const Event &e : t.events) {
    if (e.start && open == 0 && e.grid == grid + 1) grid++;
    EXPECT_EQ(grid, e.grid);
    open += e.start ? 1u : UINT32_MAX;
  }
  EXPECT_EQ(5u, grid);
  unsigned queued = 0;
  while (t.Submit(t.Grid(1, 32)) == kWgOk) queued++;
  EXPECT_EQ(t.preset.gte.queue_grids, queued);
  EXPECT_STREQ("the launch queue is full: 32 grids wait", t.diag.msg);
}

TEST(GteTest, LaunchMessagesCarryTheCommand) {
  StubGpu t("v100", 2, {}, 1000);
  wg_grid_t g = t.Grid(4, 33, 100, 17);
  g.dyn_shared_bytes = 20;
  g.local_bytes = 64;
  g.local_arena = 0x200000001000;
  g.local_stride = wg_gpu_local_stride(t.gpu, 64);
  g.code_base = 0x200000000100;
  g.const_base[3] = 0x777700;
  g.const_size[3] = 12;
  g.inval_const = true;
  t.RunOne(g);
  EXPECT_EQ(64u * 32 * 64, g.local_stride); // 64 warps x 32 lanes x 64 bytes
  unsigned k = 0;
  for (const Event &e : t.events) {
    if (!e.start) continue;
    EXPECT_EQ(24u, e.launch.regs_per_thread);
    EXPECT_EQ(120u, e.launch.shared_bytes);
    EXPECT_EQ(g.local_arena + (k % 2) * g.local_stride, e.launch.local_arena);
    EXPECT_EQ(k < 2, e.launch.inval_l1) << "the first block of a grid on each SM";
    EXPECT_EQ(k < 2, e.launch.inval_const);
    EXPECT_FALSE(e.launch.inval_insn);
    EXPECT_EQ(0x777700u, e.launch.const_base[3]);
    k++;
  }
  EXPECT_EQ(4u, k);
}

TEST(GteTest, AReportForNoBlockIsAMismatch) {
  StubGpu t("v100", 1, {});
  wg_sm_cfg_t cfg;
  wg_preset_to_sm_cfg(&t.preset, 0, &cfg);
  wg_gte_t *g = nullptr;
  ASSERT_EQ(kWgOk, wg_gte_create(&t.preset.gte, t.preset.shape, &cfg, 1, &g, &t.diag));
  wg_grid_t k = t.Grid(2, 32);
  ASSERT_EQ(kWgOk, wg_gte_submit(g, &k, &t.diag));
  uint32_t sm;
  ASSERT_TRUE(wg_gte_peek(g, 0, &sm));
  wg_cta_launch_t l;
  EXPECT_EQ(0, wg_gte_dispatch(g, 0, &l));
  EXPECT_FALSE(wg_gte_peek(g, 0, &sm)); // one block a cycle
  wg_cta_done_t d{};
  d.grid_id = 1;
  d.block_slot = 1;
  EXPECT_EQ(kWgMismatch, wg_gte_done(g, 0, &d, 0, 5, &t.diag));
  d.block_slot = 0;
  d.ctaid[0] = 1;
  EXPECT_EQ(kWgMismatch, wg_gte_done(g, 0, &d, 0, 5, &t.diag));
  d.ctaid[0] = 0;
  EXPECT_EQ(kWgOk, wg_gte_done(g, 0, &d, 0, 5, &t.diag));
  EXPECT_EQ(kWgMismatch, wg_gte_done(g, 0, &d, 0, 5, &t.diag));
  EXPECT_FALSE(wg_gte_idle(g));
  wg_gte_destroy(g);
}

TEST(GteTest, AMachineOfManySms) {
  StubGpu t("v100", 80, {}, 200);
  t.RunOne(t.Grid(1000, 256));
  std::map<uint16_t, unsigned> per_sm;
  for (const Event &e : t.events) per_sm[e.sm] += e.start;
  EXPECT_EQ(80u, per_sm.size());
  for (auto &p : per_sm) EXPECT_NEAR(12.5, p.second, 1.0);
}

}  // namespace
