// SPDX-License-Identifier: Apache-2.0
//
// sm_barrier against its twin model/twin/barrier.c: random blocks, arrivals with and without counts, arrive-only, exits at
// any time, several blocks at once, reductions. Every arrival that the unit takes is given to the twin; every release must match
// it, and so must the result that comes with it.
// bench: top barrier_bench
// bench: link model/twin/barrier.c
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "Vtop.h"
#include "model/twin/barrier.h"
#include "testbench/rtl/exec/bench_text.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

struct Block {
  bool live = false;
  unsigned warps = 0;
  wg_barrier_t twin{};
  uint32_t exited = 0, blocked = 0;      // blocked: waiting by BAR.SYNC
  std::vector<std::pair<int, int>> place;  // sub, slot by warp
  std::map<unsigned, uint32_t> owed;     // id -> warps that the twin released by an exit and the unit still has to
  uint32_t due = 0;                      // warps whose release must appear in the next cycle
};

class Bench {
 public:
  Bench() {
    top.rst_ni = 0;
    clear();
    for (int i = 0; i < 4; i++) cycle();
    top.rst_ni = 1;
    cycle();
  }
  void clear() {
    top.init_valid_i = top.bar_valid_i = top.exit_valid_i = 0;
  }
  void cycle() {
    top.clk_i = 0;
    top.eval();
    ready = top.bar_ready_o;
    top.clk_i = 1;
    top.eval();
    now++;
  }
  Vtop top;
  unsigned ready = 0;
  uint64_t now = 0;
};

TEST(BarrierTest, RandomStreamsMatchTheTwin) {
  bench::Rng rng(11);
  Bench b;
  Block blocks[4];
  unsigned reductions[4] = {};
  std::set<std::pair<int, int>> used;
  uint64_t releases = 0, arrivals = 0, exit_releases = 0;
  struct Want { bool on = false; unsigned block, warp, id; bool arv, has_count; unsigned count, red, sum; bool some_false; } want[2];
  /* Releases of the cycle that ended: due ones at once, those owed by an exit as one whole. */
  auto take_releases = [&](int step) {
    uint32_t seen = b.top.release_o;
    for (Block &k : blocks) {
      if (!k.live) continue;
      uint32_t warps = 0;
      for (unsigned w = 0; w < k.place.size(); w++) {
        if ((seen >> (k.place[w].first * 16 + k.place[w].second) & 1u) != 0) {
          warps |= 1u << w;
          seen &= ~(1u << (k.place[w].first * 16 + k.place[w].second));
        }
      }
      const uint32_t released = warps & k.due, extra = warps & ~k.due;
      ASSERT_HEX_EQ(released, k.due) << "warps of a block that are due, step " << step;
      if (extra != 0) {  // must be one whole release owed by an exit
        bool found = false;
        for (auto it = k.owed.begin(); it != k.owed.end(); ++it) {
          if (it->second == extra) {
            k.owed.erase(it);
            found = true;
            exit_releases++;
            break;
          }
        }
        ASSERT_TRUE(found) << "step " << step << ": warps are released that are not due: " << bench::hex(extra, 8);
      }
      if (warps != 0) releases++;
      k.blocked &= ~warps;
      k.due = 0;
    }
    ASSERT_HEX_EQ(seen, 0u) << "released slots that have no warp";
  };
  for (int step = 0; step < 200000; step++) {
    b.clear();
    // launch
    unsigned n = rng.below(4);
    if (!blocks[n].live && rng.chance(20)) {
      Block &k = blocks[n];
      k = Block();
      k.warps = 1 + rng.below(7);
      k.live = true;
      wg_barrier_reset(&k.twin, uint32_t((1ull << k.warps) - 1));
      for (unsigned w = 0; w < k.warps; w++) {
        int sub = int(w % 2), slot = 0;
        while (used.count({sub, slot})) slot++;
        used.insert({sub, slot});
        k.place.push_back({sub, slot});
        b.top.init_valid_i = 1;
        b.top.init_sub_i = uint8_t(sub);
        b.top.init_slot_i = uint8_t(slot);
        b.top.init_block_i = uint8_t(n);
        b.top.init_warp_i = uint8_t(w);
        b.top.init_warps_i = uint8_t(k.warps);
        b.cycle();
        ASSERT_NO_FATAL_FAILURE(take_releases(step));
      }
      b.clear();
    }
    // one arrival offered a sub-core; payload stays until it is taken
    for (unsigned s = 0; s < 2; s++) {
      if (!want[s].on && rng.chance(60)) {
        unsigned blk = rng.below(4);
        Block &k = blocks[blk];
        if (!k.live) continue;
        unsigned w = rng.below(k.warps);
        if (w % 2 != s || ((k.exited | k.blocked) >> w & 1u) != 0) continue;
        unsigned id = rng.below(3);
        const wg_barrier_one_t &one = k.twin.bar[id];
        bool fresh = one.arrived == 0;
        Want c;
        c.on = true, c.block = blk, c.warp = w, c.id = id;
        c.has_count = fresh ? rng.chance(40) : one.has_count;
        c.count = fresh ? 32 * (1 + rng.below(k.warps)) : one.count;
        c.arv = c.has_count && rng.chance(30);
        c.red = !c.arv && rng.chance(50) ? 1 + rng.below(3) : 0;
        c.sum = c.red == 0 ? 0 : rng.chance(30) ? 32 : rng.chance(30) ? 0 : rng.below(33);
        c.some_false = c.red != 0 && (c.sum == 0 || (c.sum < 32 && rng.chance(80)));
        if ((one.arrived >> w & 1u) != 0) continue;  // a warp arrives once a generation
        // the other port may hold an arrival of the same barrier whose count is not known to the twin yet
        if (want[1 - s].on && want[1 - s].block == blk && want[1 - s].id == id) continue;
        want[s] = c;
      }
    }
    unsigned bar_block = 0, bar_warp = 0, bar_id = 0, arv = 0, has = 0, valid = 0;
    uint32_t count = 0;
    unsigned red = 0, sum = 0, some_false = 0;
    for (unsigned s = 0; s < 2; s++) {
      if (!want[s].on) continue;
      red |= want[s].red << (2 * s), sum |= want[s].sum << (6 * s), some_false |= unsigned(want[s].some_false) << s;
      valid |= 1u << s;
      bar_block |= want[s].block << (5 * s), bar_warp |= want[s].warp << (5 * s), bar_id |= want[s].id << (4 * s);
      arv |= unsigned(want[s].arv) << s, has |= unsigned(want[s].has_count) << s;
      count |= want[s].count << (12 * s);
    }
    b.top.bar_valid_i = uint8_t(valid), b.top.bar_block_i = uint16_t(bar_block), b.top.bar_warp_i = uint16_t(bar_warp);
    b.top.bar_id_i = uint8_t(bar_id), b.top.bar_arrive_only_i = uint8_t(arv), b.top.bar_has_count_i = uint8_t(has);
    b.top.bar_count_i = count;
    b.top.bar_red_i = uint8_t(red), b.top.bar_red_sum_i = uint16_t(sum), b.top.bar_red_false_i = uint8_t(some_false);
    // exits: a warp that is not waiting and not offered
    unsigned ev = 0, eb = 0, ew = 0;
    for (unsigned s = 0; s < 2; s++) {
      unsigned blk = rng.below(4);
      Block &k = blocks[blk];
      if (!k.live || !rng.chance(6)) continue;
      unsigned w = rng.below(k.warps);
      if (w % 2 != s || ((k.exited | k.blocked) >> w & 1u) != 0) continue;
      if (want[s].on && want[s].block == blk && want[s].warp == w) continue;
      ev |= 1u << s, eb |= blk << (5 * s), ew |= w << (5 * s);
    }
    b.top.exit_valid_i = uint8_t(ev), b.top.exit_block_i = uint16_t(eb), b.top.exit_warp_i = uint16_t(ew);

    b.cycle();

    // the twin: the taken arrival sees participation before this cycle's exits
    for (unsigned s = 0; s < 2; s++) {
      if ((b.ready >> s & 1u) == 0) continue;
      ASSERT_TRUE(want[s].on);
      Block &k = blocks[want[s].block];
      const uint32_t preds = want[s].sum >= 32 ? ~0u : (1u << want[s].sum) - 1u;
      wg_bar_arrival_t a{};
      a.id = uint8_t(want[s].id), a.arrive_only = want[s].arv, a.has_count = want[s].has_count;
      a.count = want[s].count, a.red = uint8_t(want[s].red), a.preds = preds;
      a.lanes = want[s].some_false ? ~0u : preds;
      wg_barrier_out_t o = wg_barrier_take(&k.twin, want[s].warp, &a);
      /* the result comes with the release, in the next cycle */
      if (o.complete) {
        const wg_barrier_one_t &one = k.twin.bar[a.id];
        ASSERT_EQ(b.top.red_valid_o, one.done_red != 0) << "step " << step;
        if (one.done_red != 0) {
          ASSERT_EQ(b.top.red_o, one.result) << "step " << step << " kind " << int(one.done_red);
          reductions[one.done_red]++;
        }
      }
      ASSERT_EQ(o.fault, 0u);
      arrivals++;
      if (!want[s].arv) k.blocked |= 1u << want[s].warp;
      k.due |= o.release;
      want[s].on = false;
    }
    for (unsigned s = 0; s < 2; s++) {
      if ((ev >> s & 1u) == 0) continue;
      Block &k = blocks[eb >> (5 * s) & 31u];
      unsigned w = ew >> (5 * s) & 31u;
      uint32_t rel[kWgBarriers] = {};
      uint32_t done = wg_barrier_exit(&k.twin, w, rel);
      k.exited |= 1u << w;
      for (unsigned id = 0; id < kWgBarriers; id++) {
        if ((done >> id & 1u) != 0 && rel[id] != 0) k.owed[id] |= rel[id];
      }
    }
    ASSERT_NO_FATAL_FAILURE(take_releases(step));
    ASSERT_EQ(b.top.fault_o, 0u);
    // end a block once all exited, or wait for stuck ones: force exits of the rest
    for (Block &k : blocks) {
      if (!k.live) continue;
      bool pending = false;
      for (auto &w : want) pending |= w.on && &blocks[w.block] == &k;
      if (k.exited == uint32_t((1ull << k.warps) - 1) && !pending) {
        ASSERT_TRUE(k.owed.empty());
        for (auto &p : k.place) used.erase(p);
        k.live = false;
      }
    }
    // a block whose live warps all wait on barriers that cannot complete is abandoned by a reset now and then
    if (step % 100 == 99) {
      b.clear();
      for (int i = 0; i < 80; i++) {
        b.cycle();
        ASSERT_NO_FATAL_FAILURE(take_releases(step));
      }
      for (Block &k : blocks) ASSERT_TRUE(k.owed.empty()) << "a release never came";
      b.top.rst_ni = 0;
      for (int i = 0; i < 4; i++) b.cycle();
      b.top.rst_ni = 1;
      for (Block &k : blocks) k = Block();
      for (auto &w : want) w = Want();
      used.clear();
    }
  }
  std::printf("%llu arrivals, %llu releases, %llu by exits\n", (unsigned long long)arrivals,
              (unsigned long long)releases, (unsigned long long)exit_releases);
  EXPECT_GT(releases, 1000u);
  EXPECT_GT(exit_releases, 50u);
  for (unsigned kind = 1; kind < 4; kind++) EXPECT_GT(reductions[kind], 300u);
}

TEST(BarrierTest, BadCountsFault) {
  for (unsigned count : {0u, 16u, 33u}) {
    Bench b;
    b.top.init_valid_i = 1, b.top.init_sub_i = 0, b.top.init_slot_i = 0, b.top.init_block_i = 0, b.top.init_warp_i = 0;
    b.top.init_warps_i = 2;
    b.cycle();
    b.clear();
    b.top.bar_valid_i = 1, b.top.bar_block_i = 0, b.top.bar_warp_i = 0, b.top.bar_id_i = 5;
    b.top.bar_has_count_i = 1, b.top.bar_count_i = count;
    b.cycle();
    b.clear();
    b.cycle();
    EXPECT_EQ(b.top.fault_o, 1u) << count;
    EXPECT_EQ(b.top.fault_code_o, unsigned(kWgFaultTrap));
    EXPECT_HEX_EQ(b.top.fault_lanes_o, 0x0000ffffu);   /* what sub-core 0 of the bench brings */
    EXPECT_HEX_EQ(b.top.release_o, 0u);
  }
}

TEST(BarrierTest, ReleaseComesOneCycleAfterTheLastArrival) {
  Bench b;
  for (unsigned w = 0; w < 2; w++) {
    b.top.init_valid_i = 1, b.top.init_sub_i = uint8_t(w), b.top.init_slot_i = 3, b.top.init_block_i = 1;
    b.top.init_warp_i = uint8_t(w), b.top.init_warps_i = 2;
    b.cycle();
  }
  b.clear();
  b.top.bar_valid_i = 1, b.top.bar_block_i = 1, b.top.bar_warp_i = 0, b.top.bar_id_i = 0, b.top.bar_has_count_i = 0;
  b.cycle();
  EXPECT_HEX_EQ(b.top.release_o, 0u);
  b.clear();
  b.top.bar_valid_i = 2, b.top.bar_block_i = 1 << 5, b.top.bar_warp_i = 1 << 5, b.top.bar_id_i = 0;
  b.cycle();
  EXPECT_HEX_EQ(b.top.release_o, 0x00080008u);
}

// Arrivals wait for each other by the interval, the release by the extra cycles; the result comes with it.
TEST(BarrierTest, IntervalAndExtraCycles) {
  for (unsigned interval : {0u, 1u, 3u}) {
    for (unsigned extra : {0u, 4u, 31u}) {
      Bench b;
      b.top.interval_i = uint8_t(interval), b.top.extra_i = uint8_t(extra);
      for (unsigned w = 0; w < 4; w++) {
        b.clear();
        b.top.init_valid_i = 1, b.top.init_sub_i = uint8_t(w % 2), b.top.init_slot_i = uint8_t(w / 2);
        b.top.init_block_i = 0, b.top.init_warp_i = uint8_t(w), b.top.init_warps_i = 4;
        b.cycle();
      }
      b.clear();
      unsigned left[2] = {2, 2}, taken = 0, cycle = 0, released = 0;
      for (; cycle < 100 && released == 0; cycle++) {
        b.top.bar_valid_i = uint8_t((left[0] != 0) | (left[1] != 0) << 1);
        b.top.bar_warp_i = uint16_t((4 - 2 * left[0]) | (5 - 2 * left[1]) << 5);
        b.top.bar_red_i = 5, b.top.bar_red_sum_i = 3 | 3 << 6, b.top.bar_red_false_i = 3;
        b.cycle();
        for (unsigned s = 0; s < 2; s++) {
          if ((b.ready >> s & 1u) == 0) continue;
          EXPECT_EQ(cycle, taken * (1 + interval));
          left[s]--, taken++;
        }
        released = b.top.release_o;
        EXPECT_EQ(b.top.red_valid_o, released != 0);
      }
      EXPECT_HEX_EQ(released, 0x00030003u);
      EXPECT_EQ(b.top.red_o, 12u);
      EXPECT_EQ(cycle, 3 * (1 + interval) + 1 + extra) << interval << " " << extra;
    }
  }
}

/** Binds `warps` warps of a block to slots from `slot` of both sub-cores in turn. */
void bind(Bench &b, unsigned block, unsigned warps, unsigned slot) {
  for (unsigned w = 0; w < warps; w++) {
    b.clear();
    b.top.init_valid_i = 1, b.top.init_sub_i = uint8_t(w % 2), b.top.init_slot_i = uint8_t(slot + w / 2);
    b.top.init_block_i = uint8_t(block), b.top.init_warp_i = uint8_t(w), b.top.init_warps_i = uint8_t(warps);
    b.cycle();
  }
  b.clear();
}

/** One arrival at barrier 0, from sub-core 0. count: threads, 0 = none; red: kind of BAR.RED, 0 = BAR. */
void arrive(Bench &b, unsigned block, unsigned warp, unsigned count, bool from_register, unsigned red) {
  b.top.bar_valid_i = 1, b.top.bar_block_i = uint16_t(block), b.top.bar_warp_i = uint16_t(warp), b.top.bar_id_i = 0;
  b.top.bar_arrive_only_i = 0, b.top.bar_has_count_i = count != 0, b.top.bar_count_i = count;
  b.top.bar_count_reg_i = from_register, b.top.bar_red_i = uint8_t(red), b.top.bar_red_sum_i = 2, b.top.bar_red_false_i = 1;
  b.cycle();
  b.clear();
}

/** Cycles from the last arrival, just made, until a release; release_o then holds it. */
unsigned until_release(Bench &b) {
  unsigned n = 1;
  for (; b.top.release_o == 0 && n < 200; n++) b.cycle();
  return n;
}

// A count from a register, and BAR.RED by its warps beyond eight, make the release later, each by its knob.
TEST(BarrierTest, ReleasesThatTakeLonger) {
  for (unsigned extra : {0u, 4u}) {
    for (unsigned warps : {2u, 8u, 9u, 20u}) {
      Bench b;
      b.top.extra_i = uint8_t(extra), b.top.count_extra_i = 11, b.top.red_extra_i = 20, b.top.red_interval_i = 2;
      bind(b, 1, warps, 0);
      const uint32_t half = (1u << warps / 2) - 1, first = (1u << (warps - warps / 2)) - 1, all = first | half << 16;
      struct { unsigned count; bool from_register; unsigned red, late; } rows[] = {
          {0, false, 0, 0}, {32 * warps, false, 0, 0}, {32 * warps, true, 0, 11},
          {0, false, 1, 20 + (warps > 8 ? 2 * (warps - 8) : 0)}, {0, false, 0, 0}};
      for (const auto &r : rows) {
        for (unsigned w = 0; w < warps; w++) {
          EXPECT_HEX_EQ(b.top.release_o, 0u);
          arrive(b, 1, w, r.count, r.from_register, r.red);
        }
        EXPECT_EQ(until_release(b), 1 + extra + r.late) << warps << " " << r.late;
        EXPECT_HEX_EQ(b.top.release_o, all);
        EXPECT_EQ(b.top.red_valid_o, r.red != 0);
        if (r.red != 0) EXPECT_EQ(b.top.red_o, 2 * warps);
        b.cycle();
      }
    }
  }
}

// A late release gives way to one that is due in its cycle, and comes in the next; nothing is lost, results stay with theirs.
TEST(BarrierTest, ALateReleaseGivesWay) {
  for (unsigned gap = 1; gap < 8; gap++) {
    Bench b;
    b.top.extra_i = 0, b.top.count_extra_i = 0, b.top.red_extra_i = 5, b.top.red_interval_i = 0;
    bind(b, 0, 1, 0);
    bind(b, 1, 1, 4);
    arrive(b, 0, 0, 0, false, 1);
    uint32_t got[20] = {}, red[20] = {};
    for (unsigned i = 1; i < 20; i++) {  // got[i]: what came i cycles after the first arrival's release could have
      got[i - 1] = b.top.release_o, red[i - 1] = b.top.red_valid_o;
      if (i == gap) arrive(b, 1, 0, 0, false, 0);
      else b.cycle();
    }
    EXPECT_EQ(got[gap], 0x10u) << gap;
    EXPECT_EQ(got[gap == 5 ? 6 : 5], 0x1u) << gap;
    for (unsigned i = 0; i < 19; i++) EXPECT_EQ(red[i] != 0, got[i] == 1u) << gap << " " << i;
  }
}

}  // namespace
