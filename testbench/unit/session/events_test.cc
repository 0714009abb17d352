// SPDX-License-Identifier: Apache-2.0
//
// Event traces: every kind of event to bytes and back, files written and read, damaged files, windows in words and as recorded.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "cosim/events.h"
#include "cosim/events_life.h"

namespace {

bool Equal(const wg_event_t &a, const wg_event_t &b) {
  return a.cycle == b.cycle && a.kind == b.kind && a.sub == b.sub && a.slot == b.slot && a.a == b.a && a.b == b.b && a.c == b.c &&
         a.d == b.d && a.pc == b.pc && a.mask == b.mask && a.exec == b.exec && a.x == b.x && a.y == b.y && a.z == b.z && a.t == b.t &&
         a.addr == b.addr;
}

// An event with values in all fields that its kind has.
wg_event_t Random(std::mt19937 &rng, uint64_t cycle, unsigned kind) {
  wg_event_t e{};
  auto word = [&] { return rng() % 3 == 0 ? uint32_t(rng()) : uint32_t(rng() % 64); };
  e.cycle = cycle;
  e.kind = uint8_t(kind);
  for (const char *f = wg_event_info[kind].fields; *f != '\0'; f++) {
    switch (*f) {
      case 'w': e.sub = rng() % 4, e.slot = rng() % 16; break;
      case 's': e.sub = rng() % 4; break;
      case 'a': e.a = uint8_t(rng()); break;
      case 'b': e.b = uint8_t(rng()); break;
      case 'c': e.c = uint8_t(rng()); break;
      case 'd': e.d = uint8_t(rng()); break;
      case 'x': e.x = word(); break;
      case 'y': e.y = word(); break;
      case 'z': e.z = word(); break;
      case 't': e.t = word(); break;
      case 'u': e.addr = uint64_t(rng()) << 32 | rng(); break;
      case 'l': e.addr = (uint64_t(rng()) << 16 | rng() % 65536) & ~uint64_t(127); break;
      case 'f': case 'p': case 'q': e.pc = word() & 0x0ffffff0u; break;
      case 'm': case 'M': e.mask = rng() % 2 == 0 ? 0xffffffffu : uint32_t(rng()); break;
      case 'e': case 'E': e.exec = rng() % 2 == 0 ? e.mask : uint32_t(rng()); break;
      case 'v': e.addr = rng() % 2 == 0 ? 0xeeeeeeeeeeee1234u : uint64_t(rng()) << 32 | rng(); break;
      default: ADD_FAILURE() << "field " << *f;
    }
  }
  return e;
}

std::vector<unsigned> Kinds() {
  std::vector<unsigned> out;
  for (unsigned k = 0; k < kWgEventKinds; k++) {
    if (wg_event_info[k].fields != nullptr && k != kWgEventNext) out.push_back(k);  // Next is how the writer shortens Issue
  }
  return out;
}

TEST(Events, EveryKindComesBack) {
  std::mt19937 rng(1);
  std::vector<wg_event_t> in;
  std::vector<uint8_t> bytes;
  wg_event_base_t base;
  uint64_t cycle = 5;
  wg_event_base_init(&base, cycle);
  const auto kinds = Kinds();
  ASSERT_GE(kinds.size(), 20u);
  for (int i = 0; i < 20000; i++) {
    uint8_t buf[kWgEventMaxBytes];
    cycle += rng() % 50 == 0 ? rng() % 100000 : rng() % 3;
    wg_event_t e = Random(rng, cycle, i < int(kinds.size()) ? kinds[size_t(i)] : kinds[rng() % kinds.size()]);
    size_t n = wg_event_encode(&base, &e, buf);
    ASSERT_LE(n, sizeof buf);
    bytes.insert(bytes.end(), buf, buf + n);
    in.push_back(e);
  }
  wg_event_base_init(&base, 5);
  size_t at = 0;
  for (const wg_event_t &e : in) {
    wg_event_t got;
    ASSERT_TRUE(wg_event_decode(&base, bytes.data(), bytes.size(), &at, &got));
    ASSERT_TRUE(Equal(e, got)) << "kind " << int(e.kind) << " cycle " << e.cycle;
  }
  wg_event_t none;
  EXPECT_FALSE(wg_event_decode(&base, bytes.data(), bytes.size(), &at, &none));
  EXPECT_EQ(at, bytes.size());
}

TEST(Events, AnIssueOfTheNextWordTakesTwoBytes) {
  wg_event_base_t base;
  wg_event_base_init(&base, 0);
  uint8_t buf[kWgEventMaxBytes];
  wg_event_t e{};
  e.kind = kWgEventIssue, e.pc = 0x100, e.mask = e.exec = 0xff;
  wg_event_encode(&base, &e, buf);
  e.pc = 0x110;
  EXPECT_EQ(wg_event_encode(&base, &e, buf), 2u);
  e.pc = 0x120, e.exec = 1;
  EXPECT_GT(wg_event_encode(&base, &e, buf), 2u);
}

TEST(Events, NoBytesMakeTheReaderReadBeyondThem) {
  std::mt19937 rng(2);
  for (int i = 0; i < 20000; i++) {
    std::vector<uint8_t> bytes(rng() % 40);
    for (uint8_t &b : bytes) b = uint8_t(rng());
    wg_event_base_t base;
    wg_event_base_init(&base, 0);
    size_t at = 0;
    wg_event_t e;
    while (wg_event_decode(&base, bytes.data(), bytes.size(), &at, &e)) {
      ASSERT_LE(at, bytes.size());
      ASSERT_LT(e.sub, 4);
      ASSERT_LT(e.slot, 16);
    }
  }
}

// ---- files ----

struct File {
  std::string path = testing::TempDir() + "events_test_" + std::to_string(getpid()) + ".ev";
  wg_events_out_t *out = nullptr;
  explicit File(const char *window = nullptr, unsigned depth = kWgEventDepthPipe) {
    wg_events_cfg_t c{};
    c.path = path.c_str(), c.preset = "tiny", c.shape = wg_shape_find("tiny"), c.num_sms = 2, c.clock_khz = 1000000, c.depth = depth;
    c.window_text = window;
    c.window.to = UINT64_MAX;
    if (window != nullptr) EXPECT_EQ(wg_events_window_parse(window, &c.window, nullptr), kWgOk);
    EXPECT_EQ(wg_events_create(&c, &out, nullptr), kWgOk);
  }
  void Close(wg_status_t st = kWgOk) {
    EXPECT_EQ(wg_events_close(out, st, "why", nullptr), kWgOk);
    wg_events_free_out(out);
    out = nullptr;
  }
  std::string Bytes() const {
    std::ifstream f(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(f), {});
  }
  void Put(const std::string &bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
  ~File() { std::remove(path.c_str()); }
};

wg_event_t Init(uint64_t cycle, uint8_t slot) {
  wg_event_t e{};
  e.cycle = cycle, e.kind = kWgEventInit, e.slot = slot, e.b = slot, e.mask = 0xffffffffu, e.x = 1;
  return e;
}

wg_event_t Issue(uint64_t cycle, uint8_t slot, uint32_t pc) {
  wg_event_t e{};
  e.cycle = cycle, e.kind = kWgEventIssue, e.slot = slot, e.pc = pc, e.mask = e.exec = 0xffffffffu;
  return e;
}

struct Seen {
  std::vector<wg_event_t> events;
  std::vector<bool> follows;
};
void See(void *ctx, const wg_event_t *e, bool follows) {
  auto *s = static_cast<Seen *>(ctx);
  s->events.push_back(*e);
  s->follows.push_back(follows);
}

TEST(Events, AFileIsReadAsItWasWritten) {
  File f;
  wg_recorder_t *r[2] = {wg_recorder_new(f.out, 0), wg_recorder_new(f.out, 1)};
  size_t written = 0;
  for (uint64_t c = 10; c < 60000; c++) {  // more than one buffer
    for (int sm = 0; sm < 2; sm++) {
      wg_event_t e = c == 10 ? Init(c, 3) : Issue(c, 3, uint32_t(c % 1000 * 16));
      if (c == 10) wg_recorder_restart(r[sm], c, 777);
      wg_recorder_add(r[sm], &e);
      wg_recorder_drain(r[sm]);
      written++;
    }
  }
  f.Close();
  wg_events_t t;
  wg_diag_t d{};
  ASSERT_EQ(wg_events_read(f.path.c_str(), &t, &d), kWgOk) << d.msg;
  EXPECT_STREQ(t.preset, "tiny");
  EXPECT_STREQ(t.status, "ok");
  EXPECT_STREQ(t.message, "why");
  EXPECT_GT(t.num_chunks, 3u);
  Seen s;
  ASSERT_EQ(wg_events_each(&t, See, &s, &d), kWgOk) << d.msg;
  EXPECT_EQ(s.events.size(), written + 2);  // each SM's time
  EXPECT_EQ(t.total, s.events.size());
  EXPECT_EQ(s.events[0].kind, kWgEventTime);
  EXPECT_EQ(s.events[0].addr, 777u);
  for (size_t i = 0; i < s.events.size(); i++) EXPECT_EQ(s.follows[i], s.events[i].kind != kWgEventTime);
  wg_events_free(&t);
}

TEST(Events, EveryCutAndEveryFlippedHeadIsToldNotReadAsAShorterRun) {
  File f;
  wg_recorder_t *r = wg_recorder_new(f.out, 0);
  for (uint64_t c = 10; c < 60; c++) {
    wg_event_t e = c == 10 ? Init(c, 3) : Issue(c, 3, uint32_t(c * 16));
    wg_recorder_add(r, &e);
  }
  f.Close();
  const std::string whole = f.Bytes();
  for (size_t n = 0; n < whole.size(); n++) {
    f.Put(whole.substr(0, n));
    wg_events_t t;
    wg_diag_t d{};
    ASSERT_EQ(wg_events_read(f.path.c_str(), &t, &d), kWgBadInput) << n;
    EXPECT_NE(d.msg[0], '\0');
  }
  std::mt19937 rng(3);
  for (int i = 0; i < 3000; i++) {  // any damage: a refusal or other events, never a crash
    std::string bad = whole;
    bad[rng() % bad.size()] = char(rng());
    f.Put(bad);
    wg_events_t t;
    wg_lives_t lives;
    if (wg_events_read(f.path.c_str(), &t, nullptr) != kWgOk) continue;
    if (wg_lives_build(&t, 0, UINT64_MAX, &lives, nullptr) == kWgOk) wg_lives_free(&lives);
    wg_events_free(&t);
  }
}

TEST(Events, AWindowOfCyclesBeginsWithTheWarpsThatAreThere) {
  File f("20..30");
  wg_recorder_t *r = wg_recorder_new(f.out, 0);
  for (uint64_t c = 10; c < 60; c++) {
    wg_event_t e = c == 10 ? Init(c, 3) : Issue(c, 3, uint32_t(c * 16));
    wg_recorder_add(r, &e);
  }
  f.Close();
  wg_events_t t;
  ASSERT_EQ(wg_events_read(f.path.c_str(), &t, nullptr), kWgOk);
  Seen s;
  ASSERT_EQ(wg_events_each(&t, See, &s, nullptr), kWgOk);
  ASSERT_EQ(s.events.size(), 12u);
  EXPECT_EQ(s.events[1].kind, kWgEventKey);
  EXPECT_EQ(s.events[1].cycle, 20u);
  EXPECT_EQ(s.events[2].pc, 20u * 16);
  EXPECT_EQ(s.events.back().cycle, 29u);
  wg_events_free(&t);
}

TEST(Events, AWindowAroundAnEventHoldsWhatWasBeforeIt) {
  for (uint64_t at : {35u, 137u, 4321u}) {
    File f("15..7@barrier:2");
    wg_recorder_t *r = wg_recorder_new(f.out, 0);
    for (uint64_t c = 10; c < 9000; c++) {
      wg_event_t e = c == 10 ? Init(c, 3) : Issue(c, 3, uint32_t(c % 64 * 16));
      if (c == at) wg_recorder_trigger(r, c);
      wg_recorder_add(r, &e);
      wg_recorder_drain(r);
    }
    f.Close();
    wg_events_t t;
    ASSERT_EQ(wg_events_read(f.path.c_str(), &t, nullptr), kWgOk);
    EXPECT_EQ(t.mark, at);
    EXPECT_EQ(t.from, at - 15);
    EXPECT_EQ(t.to, at + 7);
    Seen s;
    ASSERT_EQ(wg_events_each(&t, See, &s, nullptr), kWgOk);
    ASSERT_FALSE(s.events.empty());
    EXPECT_LE(s.events[0].cycle, at - 15);
    EXPECT_EQ(s.events.back().cycle, at + 6);
    EXPECT_LT(s.events.size(), 80u);  // not the whole run
    for (size_t i = 1; i < s.events.size(); i++) EXPECT_TRUE(s.follows[i]);
    wg_events_free(&t);
  }
}

TEST(Events, AWindowBeforeAHangHoldsTheLastCycles) {
  for (wg_status_t st : {kWgHang, kWgOk}) {
    File f("20..1@hang");
    wg_recorder_t *r = wg_recorder_new(f.out, 0);
    for (uint64_t c = 10; c < 5000; c++) {
      wg_event_t e = c == 10 ? Init(c, 3) : Issue(c, 3, uint32_t(c % 64 * 16));
      wg_recorder_add(r, &e);
      wg_recorder_drain(r);
    }
    f.Close(st);
    wg_events_t t;
    ASSERT_EQ(wg_events_read(f.path.c_str(), &t, nullptr), kWgOk);
    Seen s;
    ASSERT_EQ(wg_events_each(&t, See, &s, nullptr), kWgOk);
    EXPECT_EQ(t.mark, st == kWgHang ? 4999u : UINT64_MAX);
    EXPECT_EQ(s.events.empty(), st == kWgOk);
    if (st == kWgHang) EXPECT_LE(s.events[0].cycle, 4979u);
    wg_events_free(&t);
  }
}

TEST(Events, DepthLeavesDeeperKindsOut) {
  File f(nullptr, kWgEventDepthWarps);
  wg_recorder_t *r = wg_recorder_new(f.out, 0);
  wg_event_t e = Init(10, 0);
  wg_recorder_add(r, &e);
  e = Issue(11, 0, 16);
  wg_recorder_add(r, &e);
  f.Close();
  wg_events_t t;
  ASSERT_EQ(wg_events_read(f.path.c_str(), &t, nullptr), kWgOk);
  EXPECT_EQ(t.total, 2u);  // time, init
  wg_lives_t lives;
  wg_diag_t d{};
  EXPECT_EQ(wg_lives_build(&t, 0, UINT64_MAX, &lives, &d), kWgBadInput);
  EXPECT_STREQ(d.msg, "the event trace has no instructions");
  wg_events_free(&t);
}

// ---- words ----

TEST(When, WordsAreEvents) {
  wg_when_t w;
  ASSERT_EQ(wg_when_parse("barrier:3,block=5#2", &w, nullptr), kWgOk);
  EXPECT_EQ(w.kind, kWgWhenBarrier);
  EXPECT_EQ(w.value, 3u);
  EXPECT_EQ(w.block, 5);
  EXPECT_EQ(w.warp, -1);
  EXPECT_EQ(w.nth, 2u);
  ASSERT_EQ(wg_when_parse("diverge,warp=2", &w, nullptr), kWgOk);
  EXPECT_EQ(w.kind, kWgWhenDiverge);
  EXPECT_EQ(w.warp, 2);
  ASSERT_EQ(wg_when_parse("pc:0x40", &w, nullptr), kWgOk);
  EXPECT_EQ(w.value, 0x40u);
  for (const char *good : {"block:0", "block-end:1", "arrive:15,warp=31", "reconverge", "exit#3", "fault", "mismatch", "hang", "pc:16,sm=1"})
    EXPECT_EQ(wg_when_parse(good, &w, nullptr), kWgOk) << good;
}

TEST(When, OtherWordsAreToldWithTheRemedy) {
  wg_when_t w;
  for (const char *bad : {"", "pc", "pc:", "pc:8", "pc:0x", "pc:010", "pc:-1", "pc:0x10000000", "barrier:16", "barrier:x", "block:4294967296",
                          "diverge:2", "diverge,lane=1", "diverge,warp=32", "exit#0", "exit#", "hang ", "barrier:1,", "barrier:1#2,block=1",
                          "pc:0x40 "}) {
    wg_diag_t d{};
    EXPECT_EQ(wg_when_parse(bad, &w, &d), kWgBadInput) << bad;
    EXPECT_EQ(std::string(d.msg), "no event '" + std::string(bad) + "'");
    EXPECT_NE(d.hint[0], '\0') << bad;
  }
}

TEST(When, Windows) {
  wg_events_window_t w;
  ASSERT_EQ(wg_events_window_parse("100..250", &w, nullptr), kWgOk);
  EXPECT_EQ(w.from, 100u);
  EXPECT_EQ(w.to, 250u);
  EXPECT_EQ(w.when.kind, kWgWhenNone);
  ASSERT_EQ(wg_events_window_parse("5..9@exit", &w, nullptr), kWgOk);
  EXPECT_EQ(w.before, 5u);
  EXPECT_EQ(w.after, 9u);
  EXPECT_EQ(w.when.kind, kWgWhenExit);
  ASSERT_EQ(wg_events_window_parse("barrier:0", &w, nullptr), kWgOk);
  EXPECT_EQ(w.before, 100u);
  for (const char *bad : {"", "5..", "..5", "5..5", "9..5", "5.6", "5..x", "5..9@", "5..9@nothing", "1..2..3"})
    EXPECT_EQ(wg_events_window_parse(bad, &w, nullptr), kWgBadInput) << bad;
}

}  // namespace
