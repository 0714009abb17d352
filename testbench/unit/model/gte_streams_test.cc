// SPDX-License-Identifier: Apache-2.0
//
// Grids beside each other: streams, the default stream, priorities, grid slots, whose block is next, holes in
// contiguous ranges, runs in steps, and block ends that get lost.
#include "model/gte/gte.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

#include "testbench/unit/model/stub_gpu.h"

namespace {

struct Span {
  uint64_t first = UINT64_MAX, last = 0; // start of the first block, end of the last
};

std::map<uint32_t, Span> Spans(const StubGpu &t) {
  std::map<uint32_t, Span> s;
  for (const Event &e : t.events) {
    if (e.start) s[e.grid].first = std::min(s[e.grid].first, e.cycle);
    else s[e.grid].last = std::max(s[e.grid].last, e.cycle);
  }
  return s;
}

wg_grid_t In(StubGpu &t, uint32_t id, uint32_t stream, uint32_t blocks = 2, bool nonblocking = false,
             int priority = 0) {
  wg_grid_t g = t.Grid(blocks, 256, 0, 32, id);
  g.stream = stream;
  g.nonblocking = nonblocking;
  g.priority = priority;
  return g;
}

void RunAll(StubGpu &t, const std::vector<wg_grid_t> &grids) {
  for (const wg_grid_t &g : grids) ASSERT_EQ(kWgOk, t.Submit(g)) << t.diag.msg;
  ASSERT_EQ(kWgOk, wg_gpu_run(t.gpu, &t.diag)) << t.diag.msg;
}

TEST(GteStreams, OneStreamIsAQueueAndOthersRunBeside) {
  StubGpu t("v100", 1, {}, 500);
  RunAll(t, {In(t, 1, 1), In(t, 2, 1), In(t, 3, 2)});
  auto s = Spans(t);
  EXPECT_GT(s[2].first, s[1].last);
  EXPECT_LT(s[3].first, s[1].last) << "another stream's grid runs at the same time";
}

// The legacy default stream waits for all others before it and holds up all behind it, but for non-blocking streams.
TEST(GteStreams, TheDefaultStreamOrdersAll) {
  StubGpu t("v100", 1, {}, 500);
  RunAll(t, {In(t, 1, 1), In(t, 2, 2), In(t, 3, 0), In(t, 4, 1), In(t, 5, 7, 2, true)});
  auto s = Spans(t);
  EXPECT_LT(s[2].first, s[1].last);
  EXPECT_GT(s[3].first, std::max(s[1].last, s[2].last));
  EXPECT_GT(s[4].first, s[3].last);
  EXPECT_LT(s[5].first, s[1].last) << "non-blocking";
}

// Random commands: whatever must be ordered is, and everything ends.
TEST(GteStreams, RandomCommandsKeepTheOrder) {
  std::mt19937 rng(5);
  for (int round = 0; round < 20; round++) {
    StubGpu t("v100", 1 + rng() % 4, {}, 1 + rng() % 300);
    std::vector<wg_grid_t> grids;
    for (uint32_t i = 1; i <= 30; i++) {
      uint32_t stream = rng() % 5;
      grids.push_back(In(t, i, stream, 1 + rng() % 40, stream == 4, (int)(rng() % 3) - 1));
    }
    RunAll(t, grids);
    auto s = Spans(t);
    ASSERT_EQ(30u, s.size());
    for (size_t a = 0; a < grids.size(); a++) {
      for (size_t b = a + 1; b < grids.size(); b++) {
        const wg_grid_t &x = grids[a], &y = grids[b];
        bool ordered = x.stream == y.stream || (x.stream == 0 && !y.nonblocking) || (y.stream == 0 && !x.nonblocking);
        if (ordered) EXPECT_LT(s[x.grid_id].last, s[y.grid_id].first) << x.grid_id << " before " << y.grid_id;
      }
    }
  }
}

// Blocks of the lower number's grid come first, though it was submitted last; residents are not preempted.
TEST(GteStreams, PriorityDecidesWhoseBlockIsNext) {
  StubGpu t("v100", 1, {}, 400); // 8 blocks of 256 threads fit
  RunAll(t, {In(t, 1, 1, 20), In(t, 2, 2, 4, false, 5), In(t, 3, 3, 4, false, -5)});
  std::vector<uint32_t> starts;
  for (const Event &e : t.events) {
    if (e.start) starts.push_back(e.grid);
  }
  EXPECT_EQ((std::vector<uint32_t>{3, 3, 3, 3, 1, 1, 1, 1}),
            std::vector<uint32_t>(starts.begin(), starts.begin() + 8));
  EXPECT_EQ(std::vector<uint32_t>(4, 2), std::vector<uint32_t>(starts.end() - 4, starts.end()));
  // submitted while the others run: next, but nobody leaves
  StubGpu u("v100", 1, {}, 400);
  ASSERT_EQ(kWgOk, u.Submit(In(u, 1, 1, 20)));
  bool ended = false;
  ASSERT_EQ(kWgOk, wg_gpu_run_until(u.gpu, 200, &ended, nullptr, &u.diag));
  EXPECT_FALSE(ended);
  ASSERT_EQ(kWgOk, u.Submit(In(u, 2, 2, 4, false, -1)));
  ASSERT_EQ(kWgOk, wg_gpu_run(u.gpu, &u.diag));
  starts.clear();
  for (const Event &e : u.events) {
    if (e.start) starts.push_back(e.grid);
  }
  EXPECT_EQ((std::vector<uint32_t>{1, 2, 2, 2, 2, 1}),
            std::vector<uint32_t>(starts.begin() + 7, starts.begin() + 13));
}

// Head of line: while a block of the first grid fits nowhere, a smaller one behind it waits too; when the first
// grid's blocks are all sent, the second fills what is left, on the same SM.
TEST(GteStreams, NobodyOvertakesABlockThatDoesNotFit) {
  StubGpu t("v100", 1, {}, 300);
  wg_grid_t large = t.Grid(3, 1024, 0, 32, 1), small = t.Grid(4, 32, 0, 32, 2);
  large.stream = 1;
  large.static_shared_bytes = 40000; // two on an SM, with room for small ones beside
  small.stream = 2;
  large.block[0] = 512;
  RunAll(t, {large, small});
  uint64_t third = 0, first_small = UINT64_MAX;
  for (const Event &e : t.events) {
    if (e.start && e.grid == 1) third = e.cycle;
    if (e.start && e.grid == 2) first_small = std::min(first_small, e.cycle);
  }
  EXPECT_GE(third, 300u);
  EXPECT_GT(first_small, third) << "though 32 threads would have fitted from the start";
  EXPECT_LT(first_small, third + 100) << "beside the large grid's last block";
}

// A policy that withholds a grid opens the way for the next one.
TEST(GteStreams, AWithheldGridIsOvertaken) {
  StubGpu t("v100", 1, {}, 5000, Blocks("dyncta"));
  wg_grid_t a = t.Grid(40, 256, 0, 32, 1), b = t.Grid(2, 256, 0, 32, 2);
  a.stream = 1;
  b.stream = 2;
  RunAll(t, {a, b});
  EXPECT_LT(Spans(t)[2].first, 300u); // dyncta begins with half of what fits
}

TEST(GteStreams, GridSlotsLimitTheResidentGrids) {
  StubGpu t("v100", 1, {}, 1000, [](wg_preset_t &p) { p.gte.grid_slots = 3; });
  std::vector<wg_grid_t> grids;
  for (uint32_t i = 1; i <= 7; i++) grids.push_back(In(t, i, i, 1));
  RunAll(t, grids);
  unsigned now = 0, most = 0;
  for (const Event &e : t.events) {
    now += e.start ? 1u : UINT32_MAX;
    most = std::max(most, now);
  }
  EXPECT_EQ(3u, most);
  EXPECT_EQ(7u, Spans(t).size());
  // 128 of them: one block each, all resident at once on eight SMs
  StubGpu u("v100", 8, {}, 2000, [](wg_preset_t &p) { p.gte.queue_grids = 64; });
  uint32_t id = 0;
  bool ended = false;
  for (int half = 0; half < 2; half++) {
    for (uint32_t i = 0; i < 64; i++, id++) ASSERT_EQ(kWgOk, u.Submit(In(u, id + 1, id + 1, 1)));
    ASSERT_EQ(kWgOk, wg_gpu_run_until(u.gpu, 1 + 10u * half, &ended, nullptr, &u.diag)); // they become resident
  }
  ASSERT_EQ(kWgOk, wg_gpu_run(u.gpu, &u.diag));
  now = most = 0;
  for (const Event &e : u.events) {
    now += e.start ? 1u : UINT32_MAX;
    most = std::max(most, now);
  }
  EXPECT_EQ(64u, most) << "eight SMs hold eight blocks of 256 threads each";
  EXPECT_EQ(128u, Spans(u).size());
}

// Contiguous ranges, first fit: blocks of 24 KB and of 40 KB on 96 KB. When the small grid's blocks 1 and 3 have
// ended, 48 KB are free, but in two holes of 24 KB: the large block waits until its neighbours go. The engine knows
// (no dispatch is refused: the stub's allocator is the twin itself, and would stop the run).
TEST(GteStreams, HolesAreNotRoom) {
  StubGpu t("v100", 1, {1000, 100, 600, 100}, 50);
  wg_grid_t small = t.Grid(4, 64, 24 * 1024, 32, 1), large = t.Grid(1, 64, 40 * 1024, 32, 2);
  small.stream = 1;
  large.stream = 2;
  RunAll(t, {small, large});
  uint64_t start = 0;
  std::map<uint32_t, uint64_t> end;
  for (const Event &e : t.events) {
    if (e.start && e.grid == 2) start = e.cycle;
    if (!e.start && e.grid == 1) end[e.block] = e.cycle;
  }
  EXPECT_LT(end[3], 200u) << "48 KB are free from here on";
  EXPECT_GT(start, end[2]) << "but 40 KB in one piece only now";
  EXPECT_LT(start, end[0]);
}

// The same in the registers of a sub-core: 512 rows; 160-row and 192-row blocks.
TEST(GteStreams, HolesInTheRegisters) {
  StubGpu t("v100", 1, {1000, 100, 600}, 50);
  // 128 threads: a warp a sub-core. 168 registers: three blocks take 504 of 512 rows
  wg_grid_t small = t.Grid(3, 128, 0, 168, 1), large = t.Grid(1, 128, 0, 176, 2);
  small.stream = 1;
  large.stream = 2;
  RunAll(t, {small, large});
  uint64_t start = 0;
  std::map<uint32_t, uint64_t> end;
  for (const Event &e : t.events) {
    if (e.start && e.grid == 2) start = e.cycle;
    if (!e.start && e.grid == 1) end[e.block] = e.cycle;
  }
  // after block 1: 176 rows are free, 168 and 8 of them apart
  EXPECT_GT(start, end[2]);
  EXPECT_GT(end[2], end[1] + 100);
}

// Random grids of different size at once: the twin inside each stub stops the run at the first refused dispatch.
TEST(GteStreams, NoDispatchIsEverRefused) {
  std::mt19937 rng(3);
  for (int round = 0; round < 30; round++) {
    std::vector<uint32_t> cycles(100);
    for (auto &c : cycles) c = 1 + rng() % 700;
    StubGpu t("v100", 1 + rng() % 3, cycles, 100, [&](wg_preset_t &p) { p.sm.first_rotate = rng() % 2; });
    std::vector<wg_grid_t> grids;
    uint32_t total = 0;
    for (uint32_t i = 1; i <= 6; i++) {
      grids.push_back(t.Grid(1 + rng() % 60, 1 + rng() % 512, rng() % 40000, 1 + rng() % 64, i));
      grids.back().stream = i;
      total += grids.back().grid[0];
    }
    RunAll(t, grids);
    EXPECT_EQ(2u * total, t.events.size());
  }
}

// ---- runs in steps ----

TEST(GteStreams, RunUntilStopsAtEachGridEnd) {
  StubGpu t("v100", 1, {}, 100);
  ASSERT_EQ(kWgOk, t.Submit(In(t, 1, 1, 1)));
  ASSERT_EQ(kWgOk, t.Submit(In(t, 2, 2, 8)));
  bool ended = false;
  wg_grid_result_t r{};
  ASSERT_EQ(kWgOk, wg_gpu_run_until(t.gpu, 20, &ended, &r, &t.diag));
  EXPECT_FALSE(ended);
  EXPECT_EQ(20u, wg_gpu_cycle(t.gpu));
  ASSERT_EQ(kWgOk, wg_gpu_run_until(t.gpu, UINT64_MAX, &ended, &r, &t.diag));
  EXPECT_TRUE(ended);
  EXPECT_EQ(1u, r.grid_id);
  EXPECT_EQ(1u, r.blocks);
  EXPECT_EQ(r.end_cycle + 1, wg_gpu_cycle(t.gpu));
  ASSERT_EQ(kWgOk, t.Submit(In(t, 3, 1, 1))); // grid 2 still runs
  ASSERT_EQ(kWgOk, wg_gpu_run_until(t.gpu, UINT64_MAX, &ended, &r, &t.diag));
  EXPECT_EQ(2u, r.grid_id);
  ASSERT_EQ(kWgOk, wg_gpu_run_until(t.gpu, UINT64_MAX, &ended, &r, &t.diag));
  EXPECT_EQ(3u, r.grid_id);
  uint64_t now = wg_gpu_cycle(t.gpu);
  ASSERT_EQ(kWgOk, wg_gpu_run_until(t.gpu, UINT64_MAX, &ended, &r, &t.diag));
  EXPECT_FALSE(ended);
  EXPECT_EQ(now, wg_gpu_cycle(t.gpu)) << "nothing is left: no cycle passes";
  ASSERT_EQ(kWgOk, wg_gpu_run_until(t.gpu, now + 30, &ended, &r, &t.diag)); // but may, for copies
  EXPECT_EQ(now + 30, wg_gpu_cycle(t.gpu));
  ASSERT_EQ(kWgOk, wg_gpu_run(t.gpu, &t.diag));
  ASSERT_TRUE(wg_gpu_grid(t.gpu, 2, &r));
  EXPECT_EQ(8u, r.blocks);
  EXPECT_FALSE(wg_gpu_grid(t.gpu, 9, &r));
}

TEST(GteStreams, GridsThatEndTogetherAreToldOneByOne) {
  StubGpu t("v100", 2, {100, 100, 98}, 100); // grid 1: one block, of 100 cycles; grid 2: its third block ends with it
  wg_grid_t a = In(t, 1, 1, 1), b = In(t, 2, 2, 3);
  a.block[0] = b.block[0] = 32;
  ASSERT_EQ(kWgOk, t.Submit(a));
  ASSERT_EQ(kWgOk, t.Submit(b));
  bool ended = false;
  wg_grid_result_t r{};
  std::vector<uint32_t> ids;
  for (;;) {
    ASSERT_EQ(kWgOk, wg_gpu_run_until(t.gpu, 1000, &ended, &r, &t.diag));
    if (!ended) break;
    ids.push_back(r.grid_id);
  }
  EXPECT_EQ((std::vector<uint32_t>{1, 2}), ids);
  EXPECT_EQ(1000u, wg_gpu_cycle(t.gpu));
}

TEST(GteStreams, ResultsTellWavesAndTail) {
  StubGpu t("v100", 2, {}, 100); // 16 blocks of 256 threads at once
  t.RunOne(t.Grid(40, 256));     // 2.5 waves
  wg_grid_result_t r{};
  ASSERT_TRUE(wg_gpu_last_grid(t.gpu, &r));
  EXPECT_EQ(8u, r.blocks_per_sm);
  EXPECT_EQ(100u, r.shortest_block_cycles);
  EXPECT_EQ(100u, r.longest_block_cycles);
  EXPECT_EQ(4000u, r.block_cycles);
  EXPECT_GE(r.last_sent_cycle, 200u);
  EXPECT_EQ(r.last_sent_cycle + 99, r.end_cycle);
  EXPECT_LE(r.most_busy_cycles, r.cycles);
  EXPECT_EQ(r.sm_busy_cycles, r.least_busy_cycles + r.most_busy_cycles); // of two SMs
}

// ---- faults ----

// An SM that swallows a block's end: told with the place, within three looks of the watchdog; or when the SM puts the
// next block there and tells of its end.
TEST(GteStreams, ALostBlockEndIsReported) {
  wg_sm_stub_script_t script{};
  script.lose = 5 + 1;
  StubGpu t("v100", 2, {}, 100, nullptr, &script);
  ASSERT_EQ(kWgOk, t.Submit(t.Grid(40, 256)));
  EXPECT_EQ(kWgMismatch, wg_gpu_run(t.gpu, &t.diag));
  EXPECT_NE(nullptr, strstr(t.diag.msg, "but the allocator's twin has block (5,0,0) of grid 1 there, sent in cycle"))
      << t.diag.msg;
  ASSERT_EQ(kWgOk, t.Submit(t.Grid(16, 256)));
  EXPECT_EQ(kWgMismatch, wg_gpu_run(t.gpu, &t.diag));
  EXPECT_NE(nullptr, strstr(t.diag.msg,
                            "a block's end was lost on SM 1: block (5,0,0) of grid 1 in block slot 2, sent in cycle"))
      << t.diag.msg;
  EXPECT_LT(wg_gpu_cycle(t.gpu), 80000u);
  EXPECT_TRUE(wg_gpu_idle(t.gpu));
  t.RunOne(t.Grid(4, 256, 0, 32, 2)); // and the GPU runs on
}

TEST(GteStreams, BadCommandsAreRefused) {
  StubGpu t("v100", 1, {});
  wg_gte_t *g = nullptr;
  wg_sm_cfg_t cfg;
  wg_preset_to_sm_cfg(&t.preset, 0, &cfg);
  wg_gte_spec_t spec = t.preset.gte;
  spec.grid_slots = 129;
  EXPECT_EQ(kWgBadArg, wg_gte_create(&spec, t.preset.shape, &cfg, 1, &g, &t.diag));
  spec = t.preset.gte;
  snprintf(spec.policy.name, sizeof spec.policy.name, "deep");
  EXPECT_EQ(kWgBadArg, wg_gte_create(&spec, t.preset.shape, &cfg, 1, &g, &t.diag));
  EXPECT_STREQ("no block policy 'deep' with 0 knobs", t.diag.msg);
}

} // namespace
