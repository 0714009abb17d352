// SPDX-License-Identifier: Apache-2.0
//
// Block policies: a contract that all keep, and a case for each that shows its effect; orders of blocks; their words.
#include "model/gte/gte_policy.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

#include "testbench/unit/model/stub_gpu.h"

namespace {

/** A policy that is none of the table, as `--blocks c:outside` adds one: greedy's. */
const wg_gte_policy_t kOutside = [] {
  wg_gte_policy_t p = wg_gte_policy_greedy;
  p.name = "c:outside";
  return p;
}();
const bool kAdded = wg_gte_policy_add(&kOutside);

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (size_t i = 0; kWgGtePolicies[i] != nullptr; i++) names.push_back(kWgGtePolicies[i]->name);
  names.push_back("c:outside");
  return names;
}

/** SM of each block, by number. */
std::vector<int> Places(const StubGpu &t) {
  std::map<uint32_t, int> sm;
  for (const Event &e : t.events) {
    if (e.start) sm[e.block] = e.sm;
  }
  std::vector<int> v;
  for (auto &p : sm) v.push_back(p.second);
  return v;
}

class Policy : public testing::TestWithParam<std::string> {};

// Never refuses, never loses or doubles a block, ends, whole blocks within the limits, equal runs are equal.
TEST_P(Policy, KeepsTheContract) {
  std::mt19937 rng(11);
  for (int round = 0; round < 12; round++) {
    std::vector<uint32_t> cycles(200);
    for (auto &c : cycles) c = 1 + rng() % 3000;
    uint32_t sms = 1 + rng() % 6, threads = 1 + rng() % 300, shared = rng() % 20000, regs = 8 + rng() % 57;
    uint32_t blocks = 1 + rng() % 200;
    wg_sm_stub_script_t script{};
    script.insts = rng() % 2 ? 1 + rng() % 2000 : 0;
    script.memory_over = rng() % 4;
    std::string first;
    for (int turn = 0; turn < 2; turn++) {
      StubGpu t("v100", sms, cycles, 100, Blocks(GetParam().c_str()), &script);
      wg_grid_t g = t.Grid(blocks, threads, shared, regs);
      // a second grid with other blocks at the same time, from another stream
      wg_grid_t h = t.Grid(50, 64, 1000, 40, 2);
      g.stream = 1;
      h.stream = 2;
      ASSERT_EQ(kWgOk, t.Submit(g)) << t.diag.msg;
      ASSERT_EQ(kWgOk, t.Submit(h)) << t.diag.msg;
      ASSERT_EQ(kWgOk, wg_gpu_run(t.gpu, &t.diag)) << t.diag.msg;
      std::set<std::pair<uint32_t, uint32_t>> begun, ended;
      std::map<uint16_t, uint32_t> warps;
      std::map<uint16_t, std::map<uint8_t, uint32_t>> slot;
      for (const Event &e : t.events) {
        uint32_t w = e.grid == 1 ? (threads + 31) / 32 : 2;
        auto block = std::make_pair(e.grid, e.block);
        EXPECT_TRUE((e.start ? begun : ended).insert(block).second) << "a block twice";
        warps[e.sm] += e.start ? w : 0u - w;
        EXPECT_LE(warps[e.sm], 64u);
        EXPECT_EQ(e.start, slot[e.sm].count(e.slot) == 0) << "block slot";
        if (e.start) slot[e.sm][e.slot] = e.block;
        else slot[e.sm].erase(e.slot);
      }
      EXPECT_EQ(blocks + 50, begun.size());
      EXPECT_EQ(begun, ended);
      if (turn == 0) first = t.Story();
      else EXPECT_EQ(first, t.Story()) << "not deterministic";
    }
  }
}

// One block on one SM, one SM, a grid of one block, and a machine with more SMs than blocks.
TEST_P(Policy, WorksAtTheEdges) {
  for (uint32_t sms : {1u, 2u, 80u}) {
    for (uint32_t blocks : {1u, 2u, 3u, 7u}) {
      StubGpu t("v100", sms, {}, 30, Blocks(GetParam().c_str()));
      t.RunOne(t.Grid(blocks, 1024, 98304, 64)); // fills an SM
      EXPECT_EQ(2u * blocks, t.events.size());
    }
  }
}

TEST_P(Policy, IsDocumented) {
  const wg_gte_policy_t *p = wg_gte_policy_find(GetParam().c_str());
  ASSERT_NE(nullptr, p);
  EXPECT_GT(strlen(p->doc), 10u);
  EXPECT_GT(strlen(p->source), 10u);
  EXPECT_EQ(p->num_knobs != 0, p->knobs != nullptr);
  for (uint32_t i = 0; i < p->num_knobs; i++) {
    EXPECT_GE(p->knob[i], p->lo[i]);
    EXPECT_LE(p->knob[i], p->hi[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Policy, testing::ValuesIn(Names()), [](const auto &i) {
  std::string name = i.param;
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
});

// A policy from outside may be wrong: its pick is looked at, and the run ends with a sentence.
TEST(BlockPolicy, APickThatDoesNotFitEndsTheRun) {
  EXPECT_TRUE(kAdded);
  EXPECT_FALSE(wg_gte_policy_add(&kOutside)) << "the name is taken";
  static uint32_t target;
  static const wg_gte_policy_t kBad = {"c:bad", "a test", "none", 0, nullptr, {}, {}, {}, false, -1, nullptr, nullptr, nullptr,
                                       [](void *, const wg_gte_view_t *, uint32_t, uint32_t *sm) { *sm = target; return kWgGtePick; }, nullptr, nullptr, nullptr};
  wg_gte_policy_add(&kBad);
  for (uint32_t sm : {1u, 9u}) {
    target = sm;
    StubGpu t("v100", 2, {}, 1000, Blocks("c:bad"));
    wg_grid_t g = t.Grid(8, 1024);
    ASSERT_EQ(kWgOk, t.Submit(g)) << t.diag.msg;
    EXPECT_EQ(kWgBadInput, wg_gpu_run(t.gpu, &t.diag));
    EXPECT_NE(nullptr, strstr(t.diag.msg, sm == 1 ? "block 2 of grid 1 to SM 1" : "block 0 of grid 1 to SM 9")) << t.diag.msg;
    EXPECT_NE(nullptr, strstr(t.diag.msg, sm == 1 ? "does not fit" : "does not exist")) << t.diag.msg;
  }
}

// Eight blocks on four SMs that hold four each.
TEST(BlockPolicy, BreadthAndDepth) {
  StubGpu b("v100", 4, {}, 1000, Blocks("breadth"));
  b.RunOne(b.Grid(8, 512));
  EXPECT_EQ((std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3}), Places(b));
  StubGpu d("v100", 4, {}, 1000, Blocks("depth"));
  d.RunOne(d.Grid(8, 512));
  EXPECT_EQ((std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1}), Places(d));
}

// SM 1's blocks end early, SM 0 loses one later: breadth goes on round robin, greedy to where most room is.
TEST(BlockPolicy, GreedyTakesTheEmptierSm) {
  std::vector<uint32_t> cycles = {100, 60, 900, 60, 900, 60, 900, 60}; // odd blocks, on SM 1, are short
  auto last = [&](const char *policy) {
    StubGpu t("v100", 2, cycles, 900, Blocks(policy));
    wg_grid_t small = t.Grid(8, 512, 0, 32, 1), late = t.Grid(2, 512, 0, 32, 2);
    small.stream = 1;
    late.stream = 2;
    EXPECT_EQ(kWgOk, t.Submit(small));
    bool ended = false;
    EXPECT_EQ(kWgOk, wg_gpu_run_until(t.gpu, 150, &ended, nullptr, &t.diag)); // now 3 blocks on SM 0, none on SM 1
    EXPECT_EQ(kWgOk, t.Submit(late));
    EXPECT_EQ(kWgOk, wg_gpu_run(t.gpu, &t.diag));
    std::vector<int> v;
    for (const Event &e : t.events) {
      if (e.start && e.grid == 2) v.push_back(e.sm);
    }
    return v;
  };
  EXPECT_EQ((std::vector<int>{1, 1}), last("greedy"));
  EXPECT_EQ((std::vector<int>{0, 1}), last("breadth"));
}

TEST(BlockPolicy, BcsPutsNeighboursTogether) {
  StubGpu t("v100", 3, {}, 500, Blocks("bcs"));
  t.RunOne(t.Grid(13, 512)); // 4 an SM: all fit but the last
  EXPECT_EQ((std::vector<int>{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2, 0}), Places(t));
  // Block 0 ends long before its neighbour: one place is free, and stays so until there are two.
  StubGpu u("v100", 1, {10, 300, 300, 300}, 300, Blocks("bcs"));
  u.RunOne(u.Grid(6, 512));
  std::map<uint32_t, uint64_t> begin;
  for (const Event &e : u.events) {
    if (e.start) begin[e.block] = e.cycle;
  }
  EXPECT_GE(begin[4], 300u);
  StubGpu v("v100", 1, {10, 300, 300, 300}, 300, Blocks("breadth"));
  v.RunOne(v.Grid(6, 512));
  for (const Event &e : v.events) {
    if (e.start && e.block == 4) EXPECT_LT(e.cycle, 100u) << "breadth uses it at once";
  }
}

// Four blocks share an SM; the first one ends when the SM has issued 10000 x (1 + 1/2 + 1/3 + 1/4) instructions, 2.08
// blocks' worth: three blocks are enough from then on.
TEST(BlockPolicy, LcsFindsTheLimit) {
  std::vector<uint32_t> cycles;
  for (int i = 0; i < 40; i++) cycles.push_back(10000u * (1 + i % 4));
  wg_sm_stub_script_t script{};
  script.insts = 10000;
  StubGpu t("v100", 1, cycles, 100, Blocks("lcs"), &script);
  t.RunOne(t.Grid(40, 512));
  unsigned now = 0, early = 0, late = 0;
  for (const Event &e : t.events) {
    now += e.start ? 1u : UINT32_MAX;
    unsigned &most = e.cycle < 15000 ? early : late;
    if (e.start) most = std::max(most, now);
  }
  EXPECT_EQ(4u, early);
  EXPECT_EQ(3u, late);
  // where each block issues alike there is nothing to win: all four stay
  StubGpu u("v100", 1, {}, 100, Blocks("lcs"), &script);
  u.RunOne(u.Grid(40, 512));
  EXPECT_EQ(4u, u.MostResident());
  EXPECT_EQ(40u, u.events.size() / 2);
}

// More than two blocks and every slot waits for memory: from four of eight that fit it goes down to two and stays
// near.
TEST(BlockPolicy, DynctaFollowsTheMemory) {
  auto most_late = [](uint32_t memory_over) {
    wg_sm_stub_script_t script{};
    script.memory_over = memory_over;
    StubGpu t("v100", 1, {}, 1000, Blocks("dyncta"), &script);
    t.RunOne(t.Grid(200, 256));
    unsigned now = 0, most = 0;
    for (const Event &e : t.events) {
      now += e.start ? 1u : UINT32_MAX;
      if (e.cycle > 20000 && e.cycle < 30000) most = std::max(most, now);
    }
    return most;
  };
  EXPECT_EQ(8u, most_late(0)); // memory is never the limit: all that fit
  EXPECT_LE(most_late(2), 3u);
  EXPECT_GE(most_late(2), 2u);
}

TEST(BlockPolicy, RandomFollowsItsSeed) {
  auto places = [](const char *policy) {
    StubGpu t("v100", 8, {}, 1000, Blocks(policy));
    t.RunOne(t.Grid(64, 128));
    return Places(t);
  };
  EXPECT_EQ(places("random:7"), places("random:7"));
  EXPECT_NE(places("random:7"), places("random:8"));
  std::vector<int> v = places("random:7");
  std::map<int, int> count;
  for (int sm : v) count[sm]++;
  EXPECT_EQ(8u, count.size());
  for (auto &c : count) EXPECT_LT(c.second, 20) << "of 64 blocks on 8 SMs";
}

// ---- orders ----

TEST(BlockOrder, EveryOrderIsAPermutation) {
  wg_diag_t d{};
  for (const char *text : {"forward", "reverse", "shuffle:0", "shuffle:12345", "2,0,1"}) {
    wg_gte_order_t o;
    ASSERT_EQ(kWgOk, wg_gte_order_parse(text, &o, &d)) << d.msg;
    for (uint64_t total : {1u, 2u, 3u, 7u, 64u, 1000u, 4096u}) {
      std::set<uint64_t> seen;
      for (uint64_t i = 0; i < total; i++) seen.insert(wg_gte_order_block(&o, i, total));
      EXPECT_EQ(total, seen.size()) << text << " of " << total;
      EXPECT_EQ(total - 1, *seen.rbegin());
    }
  }
  wg_gte_order_t o;
  ASSERT_EQ(kWgOk, wg_gte_order_parse("reverse", &o, &d));
  EXPECT_EQ(9u, wg_gte_order_block(&o, 0, 10));
  ASSERT_EQ(kWgOk, wg_gte_order_parse("2,0,1", &o, &d));
  EXPECT_EQ(2u, wg_gte_order_block(&o, 0, 10));
  EXPECT_EQ(5u, wg_gte_order_block(&o, 5, 10));
  EXPECT_EQ(0u, wg_gte_order_block(&o, 0, 2)) << "names blocks that the grid lacks: by number";
}

TEST(BlockOrder, TheEngineFollowsIt) {
  StubGpu t("v100", 1, {}, 100, [](wg_preset_t &p) {
    p.sm.block_slots = 1;
    EXPECT_EQ(kWgOk, wg_gte_order_parse("1,0", &p.gte.order, nullptr));
  });
  wg_grid_t g = t.Grid(2, 32);
  g.grid[1] = 2;
  t.RunOne(g);
  EXPECT_EQ("+B1:SM0 -B1 +B0:SM0 -B0 +B2:SM0 -B0 +B3:SM0 -B1", t.Story()); // ends name ctaid.x
}

TEST(BlockWords, BadOnesAreRefusedWithAHint) {
  const struct {
    const char *text, *msg, *hint;
  } kBad[] = {{"", "''", "breadth"},
              {"deep", "'deep'", "depth"},
              {"breadth:1", "no knobs", ""},
              {"random:x", "knobs", "seed"},
              {"random:1,2", "knobs", "seed"},
              {"random:", "knobs", "seed"},
              {"random:4294967296", "knobs", "seed"},
              {"dyncta:63", "64 to 1000000", "period"},
              {"dyncta:-1", "knobs", "period"},
              {"c:", "unknown", "c:NAME"},
              {"c:none", "'c:none'", "c:NAME"},
              {"c:outside:1", "no knobs", ""},
              {"averyveryverylongname", "unknown", "breadth"}};
  for (auto &b : kBad) {
    wg_gte_choice_t c{};
    wg_diag_t d{};
    EXPECT_EQ(kWgBadInput, wg_gte_choice_parse(b.text, &c, &d)) << b.text;
    EXPECT_NE(nullptr, strstr(d.msg, b.msg)) << d.msg;
    EXPECT_NE(nullptr, strstr(d.hint, b.hint)) << d.hint;
    EXPECT_EQ('\0', c.name[0]) << "untouched";
  }
  for (const char *text :
       {"", "backward", "shuffle", "shuffle:", "shuffle:x", "1", "0,0", "0,2", "1,0,", "0,1,99999999999", "-1"}) {
    wg_gte_order_t o{};
    wg_diag_t d{};
    EXPECT_EQ(kWgBadInput, wg_gte_order_parse(text, &o, &d)) << text;
    EXPECT_NE(nullptr, strstr(d.hint, "reverse"));
  }
}

} // namespace
