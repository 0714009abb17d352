// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_view against counts: age ranks, open loads, cycles since the last issue, with the door open and closed.
// bench: top sm_sched_view -GWarpSlots=16
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "Vtop.h"
#include "testbench/rtl/mem/wide.h"

namespace {

using mem::put;
using mem::take;

constexpr unsigned kSlots = 16;

TEST(SchedViewTest, FieldsFollowTheEvents) {
  bench::Rng rng(81);
  Vtop t;
  std::vector<unsigned> order; /* slots ever bound, oldest first */
  unsigned loads[kSlots] = {}, since[kSlots] = {}, valid = 0, saturated = 0, many = 0;
  bool known[kSlots] = {};
  for (unsigned i = 0; i < 40000; i++) {
    const bool storm = i / 500 % 3 == 0; /* few issues: counters saturate; else many loads */
    t.en_i = i % 4000 < 3500 || rng.chance(50);
    const unsigned b = rng.below(kSlots), s = rng.below(storm ? kSlots : 3), d = rng.below(kSlots);
    t.init_valid_i = t.en_i && rng.chance(i < 100 ? 80 : 1), t.init_slot_i = uint8_t(b);
    t.issue_valid_i = known[s] && rng.chance(storm ? 2 : 80), t.issue_slot_i = uint8_t(s), t.issue_load_i = rng.chance(50);
    const bool load = t.en_i && t.issue_valid_i && t.issue_load_i && loads[s] < 200;
    if (!load) t.issue_load_i = 0;
    t.load_slot_i = uint8_t(rng.chance(30) ? s : d);
    t.load_done_i = t.en_i && (loads[t.load_slot_i] > 0) && rng.chance(30);
    if (rng.chance(2)) valid = uint16_t(rng.next());
    t.valid_i = uint16_t(valid);
    for (unsigned x = 0; x < kSlots; x++) {
      for (unsigned y = 0; y < kSlots; y++) {
        const auto px = std::find(order.begin(), order.end(), x), py = std::find(order.begin(), order.end(), y);
        put(t.older_i, x * kSlots + y, 1, x != y && py < px);
      }
    }
    t.clk_i = 0, t.eval();
    for (unsigned x = 0; x < kSlots; x++) {
      if (!known[x]) continue;
      const bool on = t.en_i && (valid >> x & 1);
      unsigned rank = 0;
      for (unsigned y : order) {
        if (y == x) break;
        rank += valid >> y & 1;
      }
      if (std::find(order.begin(), order.end(), x) == order.end()) continue;
      ASSERT_EQ(t.age_rank_o >> (4 * x) & 15, on ? rank : 0u) << "cycle " << i << " slot " << x;
      ASSERT_EQ(t.pending_loads_o >> (4 * x) & 15, on ? std::min(loads[x], 15u) : 0u) << "cycle " << i << " slot " << x;
      ASSERT_EQ(take(t.since_issue_o, 8 * x, 8), on ? since[x] : 0u) << "cycle " << i << " slot " << x;
      saturated += on && since[x] == 255, many += on && loads[x] > 15;
    }
    t.clk_i = 1, t.eval();
    if (!t.en_i) continue; /* it keeps its state */
    for (unsigned x = 0; x < kSlots; x++) since[x] = std::min(since[x] + 1, 255u);
    if (t.issue_valid_i) since[s] = 0;
    if (load) loads[s]++;
    if (t.load_done_i) loads[t.load_slot_i]--;
    if (t.init_valid_i) {
      order.erase(std::remove(order.begin(), order.end(), b), order.end());
      order.push_back(b);
      loads[b] = since[b] = 0, known[b] = true;
    }
  }
  EXPECT_GT(saturated, 1000u);
  EXPECT_GT(many, 1000u);
}

}  // namespace
