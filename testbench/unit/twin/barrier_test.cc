// SPDX-License-Identifier: Apache-2.0
//
// The barrier's twin against lists of arrivals that are looked through from the start after every event.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "model/twin/barrier.h"

namespace {

struct Arrival {
  unsigned warp;
  bool wait;
};

struct Naive {
  std::set<unsigned> alive;
  std::vector<Arrival> list[16];
  int count[16];  // -1 = none
  bool Complete(unsigned id) const {
    std::set<unsigned> who;
    for (const Arrival &a : list[id]) who.insert(a.warp);
    if (who.empty()) return false;
    if (count[id] >= 0) return static_cast<int>(32 * who.size()) == count[id];
    for (unsigned w : alive)
      if (who.count(w) == 0) return false;
    return true;
  }
  uint32_t Release(unsigned id) {
    uint32_t m = 0;
    for (const Arrival &a : list[id])
      if (a.wait) m |= 1u << a.warp;
    list[id].clear();
    return m;
  }
};

TEST(Barrier, AgainstLists) {
  std::mt19937 rng(4);
  unsigned releases = 0, faults = 0, by_exit = 0;
  for (int round = 0; round < 3000; round++) {
    unsigned warps = rng() % 32 + 1;
    uint32_t present = warps == 32 ? UINT32_MAX : (1u << warps) - 1;
    wg_barrier_t b;
    wg_barrier_reset(&b, present);
    Naive n;
    std::vector<bool> waiting(warps, false);
    for (unsigned w = 0; w < warps; w++) n.alive.insert(w);
    unsigned ids = rng() % 3 + 1;
    for (int e = 0; e < 200; e++) {
      unsigned w = rng() % warps;
      if (waiting[w] || n.alive.count(w) == 0) continue;
      if (rng() % 24 == 0) {
        uint32_t rel[kWgBarriers] = {0};
        n.alive.erase(w);
        uint32_t done = wg_barrier_exit(&b, w, rel);
        for (unsigned id = 0; id < 16; id++) {
          bool want = n.list[id].empty() ? false : n.count[id] < 0 && n.Complete(id);
          ASSERT_EQ(done >> id & 1, want);
          if (!want) continue;
          uint32_t m = n.Release(id);
          ASSERT_EQ(rel[id], m);
          for (unsigned k = 0; k < warps; k++)
            if (m >> k & 1) waiting[k] = false;
          by_exit++;
        }
        continue;
      }
      unsigned id = rng() % ids, kind = rng() % 16;
      bool has = id == 1, arrive = rng() % 4 == 0;
      uint32_t count = 32 * (warps / 2 + 1);
      if (kind == 0) has = !has;
      if (kind == 1) count += 32;
      if (kind == 2 && has) count = rng() % 2 ? 0 : 33;
      bool bad = has && (count == 0 || count % 32 != 0);
      int as = has ? static_cast<int>(count) : -1;
      bad = bad || (!n.list[id].empty() && n.count[id] != as);
      wg_barrier_t before = b;
      wg_barrier_out_t o = wg_barrier_arrive(&b, w, id, arrive, has, count);
      ASSERT_EQ(o.fault, bad ? kWgFaultTrap : kWgFaultNone);
      if (bad) {
        ASSERT_EQ(b.bar[id].arrived, before.bar[id].arrived);
        faults++;
        continue;
      }
      n.count[id] = as;
      n.list[id].push_back({w, !arrive});
      waiting[w] = !arrive;
      bool want = n.Complete(id);
      ASSERT_EQ(o.complete, want);
      uint32_t m = want ? n.Release(id) : 0;
      ASSERT_EQ(o.release, m);
      for (unsigned k = 0; k < warps; k++)
        if (m >> k & 1) waiting[k] = false;
      releases += want;
    }
  }
  EXPECT_GT(releases, 1000u);
  EXPECT_GT(faults, 1000u);
  EXPECT_GT(by_exit, 100u);
}

TEST(Barrier, IdOutOfRange) {
  wg_barrier_t b;
  wg_barrier_reset(&b, 3);
  EXPECT_EQ(wg_barrier_arrive(&b, 0, 16, false, false, 0).fault, kWgFaultTrap);
}

TEST(BarrierTrap, GoesIntoAnAddressAndBack) {
  const wg_bar_trap_t kCases[] = {{0, 0, 64, 1}, {15, 1024, 32, 0xffffffffu}, {3, 33, 0, 0}, {9, 2046, 2046, 2}};
  for (const wg_bar_trap_t &t : kCases) {
    wg_bar_trap_t back;
    ASSERT_TRUE(wg_bar_trap_unpack(wg_bar_trap_pack(&t), &back));
    EXPECT_EQ(back.id, t.id);
    EXPECT_EQ(back.asks, t.asks);
    EXPECT_EQ(back.expects, t.expects);
    EXPECT_EQ(back.arrived, t.arrived);
  }
  const wg_bar_trap_t wide = {200, 4000000000u, 5000, 7};
  wg_bar_trap_t back;
  ASSERT_TRUE(wg_bar_trap_unpack(wg_bar_trap_pack(&wide), &back));
  EXPECT_EQ(back.id, 16);
  EXPECT_EQ(back.asks, 2047u);
  EXPECT_EQ(back.expects, 2047u);
  EXPECT_FALSE(wg_bar_trap_unpack(0, &back));
  EXPECT_FALSE(wg_bar_trap_unpack(UINT64_C(0x200100000000), &back));
}

}  // namespace
