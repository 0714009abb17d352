// SPDX-License-Identifier: Apache-2.0
//
// The front end: encoding, stream order, the default stream's rules as a table, priorities, waiting for records.
#include "model/front/front.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace {

constexpr wg_front_spec_t kSpec = {16, 100, 10};

wg_front_cmd_t Cmd(wg_front_op_t op, uint32_t stream, uint64_t after = 0) {
  wg_front_cmd_t c{};
  c.op = op;
  c.stream = stream;
  c.after = after;
  return c;
}

/** A front end and the plainest owner: every launch takes `launch` ns one after another, every copy 50. */
struct Front {
  wg_front_t *f = nullptr;
  uint64_t launch_free = 0, copy_free[4] = {};
  std::map<uint64_t, uint64_t> start;
  std::vector<uint64_t> order;
  explicit Front(wg_front_spec_t s = kSpec) {
    wg_diag_t d{};
    EXPECT_EQ(kWgOk, wg_front_create(&s, &f, &d)) << d.msg;
  }
  ~Front() { wg_front_destroy(f); }
  uint32_t Open(bool blocking = true, int priority = 0) {
    uint32_t s = 0;
    wg_diag_t d{};
    EXPECT_EQ(kWgOk, wg_front_open(f, blocking, priority, &s, &d)) << d.msg;
    return s;
  }
  uint64_t Push(wg_front_op_t op, uint32_t stream, uint64_t now = 0, uint64_t after = 0) {
    wg_front_cmd_t c = Cmd(op, stream, after);
    return wg_front_push(f, &c, now);
  }
  /** All commands, in order of their start; none overlaps with another of its unit. */
  void Run(uint64_t launch = 1000) {
    std::multimap<uint64_t, uint32_t> running;
    for (;;) {
      wg_front_free_t free = {launch_free, {copy_free[0], copy_free[1], copy_free[2], copy_free[3]}};
      wg_front_cmd_t c;
      uint64_t id = 0, t = 0;
      bool any = wg_front_peek(f, &free, &c, &id, &t);
      if (!running.empty() && (!any || running.begin()->first <= t)) {
        wg_front_done(f, running.begin()->second, running.begin()->first);
        running.erase(running.begin());
        continue;
      }
      if (!any) break;
      wg_front_pop(f, c.stream);
      start[id] = t;
      order.push_back(id);
      uint64_t end = t + (c.op == kWgFrontLaunch ? launch : c.op == kWgFrontCopy ? 50 : 0);
      if (c.op == kWgFrontLaunch) launch_free = end;
      if (c.op == kWgFrontCopy) copy_free[c.kind] = end;
      running.emplace(end, c.stream);
    }
    EXPECT_TRUE(wg_front_idle(f));
  }
  uint64_t End(uint64_t id) {
    uint64_t e = 0;
    EXPECT_TRUE(wg_front_ended(f, id, &e)) << id;
    return e;
  }
};

TEST(FrontTest, CommandsSurviveTheirWords) {
  std::mt19937 rng(3);
  for (int op = kWgFrontLaunch; op <= kWgFrontFunction; op++) {
    for (int i = 0; i < 100; i++) {
      wg_front_cmd_t c{}, back;
      uint32_t words[kWgFrontMaxWords];
      c.op = (wg_front_op_t)op;
      c.stream = rng() % kWgFrontMaxStreams;
      c.work = (uint64_t)rng() << 32 | rng();
      if (op == kWgFrontLaunch) {
        for (int k = 0; k < 3; k++) c.grid[k] = rng(), c.block[k] = rng();
        c.dyn_shared = rng();
      } else if (op == kWgFrontCopy) {
        c.kind = rng() % 4;
        c.addr = (uint64_t)rng() << 32 | rng();
        c.bytes = (uint64_t)rng() << 32 | rng();
      } else if (op == kWgFrontWait) {
        c.after = (uint64_t)rng() << 32 | rng();
      }
      unsigned n = wg_front_encode(&c, words);
      ASSERT_LE(n, (unsigned)kWgFrontMaxWords);
      ASSERT_EQ(n, wg_front_decode(words, &back));
      EXPECT_EQ(c.op, back.op);
      EXPECT_EQ(c.stream, back.stream);
      EXPECT_EQ(c.work, back.work);
      for (int k = 0; k < 3; k++) EXPECT_TRUE(c.grid[k] == back.grid[k] && c.block[k] == back.block[k]);
      EXPECT_TRUE(c.dyn_shared == back.dyn_shared && c.kind == back.kind && c.addr == back.addr && c.bytes == back.bytes);
      EXPECT_EQ(c.after, back.after);
    }
  }
  wg_front_cmd_t out;
  for (uint32_t w : {0u, 1u << 28, 7u << 28 | 3u << 16, 0xffffffffu}) EXPECT_EQ(0u, wg_front_decode(&w, &out));
}

TEST(FrontTest, ACommandTakesTheDoorbellsWayAndTheFrontEndsTime) {
  Front t;
  uint64_t a = t.Push(kWgFrontLaunch, 0, 500), b = t.Push(kWgFrontLaunch, 0, 510);
  t.Run();
  EXPECT_EQ(500u + 100 + 10, t.start[a]);
  EXPECT_EQ(610u + 1000 + 10, t.start[b]); /* fetched meanwhile: only the front end's time is left */
  EXPECT_EQ(2620u, t.End(b));
}

/* Two commands, `first` before `second`: may the second begin before the first has ended? */
TEST(FrontTest, DefaultStreamRules) {
  enum { kLegacy, kBlockA, kBlockB, kFree };
  const bool overlap[4][4] = {
      /* second:     legacy  A      B      non-blocking */
      /* legacy */ {false, false, false, true},
      /* A */ {false, false, true, true},
      /* B */ {false, true, false, true},
      /* non-blocking */ {true, true, true, false},
  };
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) {
      Front t;
      uint32_t s[4] = {kWgFrontLegacy, t.Open(), t.Open(), t.Open(false)};
      uint64_t a = t.Push(kWgFrontLaunch, s[i]), b = t.Push(kWgFrontCopy, s[k]);
      t.Run();
      EXPECT_EQ(overlap[i][k], t.start[b] < t.End(a)) << i << " then " << k;
      if (!overlap[i][k]) EXPECT_EQ(t.End(a) + 10, t.start[b]) << i << " then " << k;
    }
  }
}

TEST(FrontTest, TheDefaultStreamIsAWallForBlockingStreams) {
  Front t;
  uint32_t a = t.Open(), b = t.Open(), free = t.Open(false);
  uint64_t before = t.Push(kWgFrontLaunch, a), wall = t.Push(kWgFrontRecord, kWgFrontLegacy), after = t.Push(kWgFrontCopy, b),
           beside = t.Push(kWgFrontCopy, free);
  t.Run();
  EXPECT_GE(t.start[wall], t.End(before));
  EXPECT_GE(t.start[after], t.End(wall));
  EXPECT_LT(t.start[beside], t.End(before));
}

TEST(FrontTest, WaitHoldsItsStreamUntilTheRecord) {
  Front t;
  uint32_t a = t.Open(), b = t.Open();
  t.Push(kWgFrontLaunch, a);
  uint64_t record = t.Push(kWgFrontRecord, a);
  t.Push(kWgFrontWait, b, 0, record);
  uint64_t copy = t.Push(kWgFrontCopy, b), none = t.Push(kWgFrontWait, a, 0, 0);
  t.Run();
  EXPECT_GE(t.start[copy], t.End(record));
  EXPECT_EQ(110u + 1000 + 10, t.End(record));
  EXPECT_EQ(t.End(record) + 10, t.End(none));
}

TEST(FrontTest, TheUrgentStreamComesFirst) {
  Front t;
  uint32_t low = t.Open(false, 0), high = t.Open(false, -5);
  uint64_t first = t.Push(kWgFrontLaunch, low), second = t.Push(kWgFrontLaunch, low), urgent = t.Push(kWgFrontLaunch, high);
  t.Run();
  /* all three could begin at 110; the second of `low` only behind the first */
  EXPECT_EQ((std::vector<uint64_t>{urgent, first, second}), t.order);
  Front e;
  uint32_t x = e.Open(false), y = e.Open(false);
  uint64_t p = e.Push(kWgFrontLaunch, y), q = e.Push(kWgFrontLaunch, x);
  e.Run();
  EXPECT_EQ((std::vector<uint64_t>{p, q}), e.order); /* as urgent: the earlier one */
}

TEST(FrontTest, APushBufferIsFullAndEmptiesAgain) {
  Front t;
  uint32_t s = t.Open();
  for (uint32_t i = 0; i < kSpec.queue_commands; i++) {
    ASSERT_TRUE(wg_front_can_accept(t.f, s));
    t.Push(kWgFrontLaunch, s);
  }
  EXPECT_FALSE(wg_front_can_accept(t.f, s));
  EXPECT_TRUE(wg_front_can_accept(t.f, kWgFrontLegacy));
  EXPECT_EQ(16u, wg_front_last(t.f, s));
  t.Run();
  EXPECT_TRUE(wg_front_can_accept(t.f, s));
  EXPECT_EQ(0u, wg_front_last(t.f, s));
  for (uint64_t i = 2; i <= 16; i++) EXPECT_EQ(t.End(i - 1) + 10, t.start[i]);
  wg_front_stats_t st{};
  wg_front_stats(t.f, &st);
  EXPECT_EQ(16u, st.commands);
  EXPECT_EQ(16u * 40, st.push_buffer_bytes);
  EXPECT_EQ(16u, st.most_waiting_commands);
}

TEST(FrontTest, NumbersOfStreamsComeBack) {
  Front t;
  uint32_t a = t.Open(), b = t.Open();
  t.Push(kWgFrontLaunch, a);
  wg_front_close(t.f, a);
  EXPECT_NE(a, t.Open()); /* its command has not ended */
  t.Run();
  EXPECT_EQ(a, t.Open());
  EXPECT_NE(a, b);
  for (int i = 4; i < kWgFrontMaxStreams; i++) t.Open();
  uint32_t s = 0;
  EXPECT_EQ(kWgNoSpace, wg_front_open(t.f, true, 0, &s, nullptr));
}

TEST(FrontTest, ClearForgetsCommands) {
  Front t;
  uint32_t a = t.Open();
  uint64_t id = t.Push(kWgFrontLaunch, a);
  wg_front_clear(t.f);
  EXPECT_TRUE(wg_front_idle(t.f));
  EXPECT_FALSE(wg_front_ended(t.f, id, nullptr));
  EXPECT_EQ(0u, wg_front_submitted(t.f, id));
  wg_front_t *f = nullptr;
  wg_front_spec_t bad = {0, 1, 1};
  EXPECT_EQ(kWgBadArg, wg_front_create(&bad, &f, nullptr));
  wg_front_destroy(nullptr);
}

/* Random programs over five streams: stream order, the default stream's rule and waits hold for every pair. */
TEST(FrontTest, RandomCommandsKeepTheRules) {
  for (unsigned seed = 1; seed <= 40; seed++) {
    std::mt19937 rng(seed);
    Front t({64, 100, 10});
    uint32_t stream[5] = {kWgFrontLegacy, t.Open(), t.Open(true, -1), t.Open(false), t.Open(false, -2)};
    struct One {
      uint64_t id;
      int s;
      uint64_t after;
    };
    std::vector<One> all;
    uint64_t now = 0, record = 0;
    for (int i = 0; i < 60; i++) {
      auto op = (wg_front_op_t)(1 + rng() % 5);
      int s = (int)(rng() % 5);
      uint64_t after = op == kWgFrontWait ? record : 0;
      uint64_t id = t.Push(op, stream[s], now += rng() % 300, after);
      if (op == kWgFrontRecord) record = id;
      all.push_back({id, s, after});
    }
    t.Run(700);
    for (const One &b : all) {
      EXPECT_GE(t.start[b.id], wg_front_submitted(t.f, b.id) + 110);
      if (b.after != 0) EXPECT_GE(t.start[b.id], t.End(b.after)) << seed;
      for (const One &a : all) {
        if (a.id >= b.id) break;
        bool ordered = a.s == b.s || (a.s == 0 && b.s < 3) || (b.s == 0 && a.s < 3);
        if (ordered) EXPECT_GE(t.start[b.id], t.End(a.id) + 10) << "seed " << seed << ": " << a.id << " and " << b.id;
      }
    }
  }
}

}  // namespace
