// SPDX-License-Identifier: Apache-2.0
//
// The lecture's timeline, event by event: 1000 blocks of 128 threads and 520 bytes on two SMs, whose blocks end in
// the order 0, 2.
#include "model/gte/timeline.h"

#include <cstdio>
#include <sstream>

#include "testbench/unit/model/stub_gpu.h"

namespace {

/** Events of a stub run as a timeline. */
wg_timeline_t Of(const StubGpu &t) {
  wg_timeline_t tl{};
  std::map<std::pair<uint16_t, uint8_t>, wg_block_event_t> there;
  for (const Event &e : t.events) {
    auto at = std::make_pair(e.sm, e.slot);
    if (e.start) there[at] = wg_block_start(e.cycle, e.sm, e.slot, &e.launch);
    wg_block_event_t x = there[at];
    x.start = e.start;
    x.cycle = e.cycle;
    EXPECT_TRUE(wg_timeline_add(&tl, &x));
  }
  return tl;
}

std::string Tell(const wg_preset_t &p, const wg_timeline_t &t, uint64_t steps, wg_timeline_sums_t *sums,
                 wg_status_t want = kWgOk) {
  wg_diag_t d{};
  char *text = nullptr;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  EXPECT_EQ(want, wg_timeline_tell(&p, &t, "convolve", steps, f, sums, &d)) << d.msg;
  fclose(f);
  std::string s(text, n);
  free(text);
  return want == kWgOk ? s : d.msg;
}

// What the figure says, in its order; the text's "shared 0x520" is 520 in decimal: 0x208.
TEST(TimelineTest, TheLecturesFigure) {
  StubGpu t("lecture", 0, {100, 500, 200, 500}, 1000);
  t.RunOne(t.Grid(1000, 128, 520, 16));
  wg_timeline_t tl = Of(t);
  wg_timeline_sums_t s;
  EXPECT_EQ(
      "t0   cycle       0  launch: EXECUTE=convolve, NUM_BLOCKS=1000, a block needs 128 threads, 520 bytes shared\n"
      "t1   cycle       0  block 0 -> SM0 (contexts 0-127, shared 0x000)  NEXT=1\n"
      "t2   cycle       1  block 1 -> SM1 (contexts 0-127, shared 0x000)  NEXT=2\n"
      "t3   cycle       4  block 2 -> SM0 (contexts 128-255, shared 0x208)  NEXT=3\n"
      "t4   cycle       5  block 3 -> SM1 (contexts 128-255, shared 0x208)  NEXT=4\n"
      "t5   cycle       5  block 4 fits nowhere, shared memory: 3 x 520 = 1560 > 1536: it waits for a block's end\n"
      "t6   cycle     100  block 0 ends on SM0, its resources are free: block 4 -> SM0 (contexts 0-127, shared "
      "0x000)  NEXT=5\n"
      "t7   cycle     204  block 2 ends on SM0, its resources are free: block 5 -> SM0 (contexts 128-255, shared "
      "0x208)  "
      "NEXT=6\n",
      Tell(t.preset, tl, 8, &s));
  EXPECT_EQ(0u, s.first_end[0]);
  EXPECT_EQ(2u, s.first_end[1]);
  EXPECT_EQ(2u, s.most_resident);
  // launch, four starts, the wait, 996 ends that a start follows, four last ends
  EXPECT_EQ(1u + 4 + 1 + 996 + 4, s.steps);
  wg_timeline_free(&tl);
}

// Equal SMs never end block 0 and then block 2: block 1 ends with block 0.
TEST(TimelineTest, EqualSmsNeverGiveThisOrder) {
  StubGpu t("lecture", 0, {}, 100);
  t.RunOne(t.Grid(1000, 128, 520, 16));
  wg_timeline_t tl = Of(t);
  wg_timeline_sums_t s;
  Tell(t.preset, tl, 0, &s);
  EXPECT_EQ(0u, s.first_end[0]);
  EXPECT_EQ(1u, s.first_end[1]);
  wg_timeline_free(&tl);
}

TEST(TimelineTest, Question3) {
  StubGpu t("lecture", 0, {}, 100);
  t.RunOne(t.Grid(500, 256, 1032, 16));
  wg_timeline_t tl = Of(t);
  wg_timeline_sums_t s;
  std::string text = Tell(t.preset, tl, 4, &s);
  EXPECT_NE(std::string::npos, text.find("block 0 -> SM0 (contexts 0-255, shared 0x000)"));
  EXPECT_NE(std::string::npos, text.find("shared memory: 2 x 1032 = 2064 > 1536, warp slots: 2 x 8 = 16 > 12, "
                                         "threads: 2 x 256 = 512 > 384"));
  EXPECT_EQ(1u, s.most_resident);
  wg_timeline_free(&tl);
}

TEST(TimelineTest, TablesComeBackAsTheyWere) {
  StubGpu t("lecture", 0, {}, 100);
  t.RunOne(t.Grid(10, 128, 520, 16));
  wg_timeline_t tl = Of(t), back{};
  wg_diag_t d{};
  FILE *f = tmpfile();
  wg_timeline_write_head(f);
  for (size_t i = 0; i < tl.n; i++) wg_timeline_write(f, &tl.event[i]);
  rewind(f);
  ASSERT_EQ(kWgOk, wg_timeline_read(f, 0, &back, &d)) << d.msg;
  ASSERT_EQ(tl.n, back.n);
  wg_timeline_sums_t s;
  EXPECT_EQ(Tell(t.preset, tl, 100, &s), Tell(t.preset, back, 100, &s));
  rewind(f);
  wg_timeline_t none{};
  ASSERT_EQ(kWgOk, wg_timeline_read(f, 7, &none, &d));
  EXPECT_EQ(0u, none.n);
  fclose(f);
  wg_timeline_free(&tl);
  wg_timeline_free(&back);
}

TEST(TimelineTest, BadTablesAreRefused) {
  for (const char *text :
       {"nonsense\n", "cycle,event,sm,slot,grid,number,blocks,threads,registers,shared_bytes\n1,start,0,0\n",
        "cycle,event,sm,slot,grid,number,blocks,threads,registers,shared_bytes\n1,stop,0,0,1,0,1,32,16,0\n",
        "cycle,event,sm,slot,grid,number,blocks,threads,registers,shared_bytes\n1,start,0,0,1,0,1,32,16,0x\n"}) {
    wg_timeline_t t{};
    wg_diag_t d{};
    FILE *f = tmpfile();
    fputs(text, f);
    rewind(f);
    EXPECT_EQ(kWgBadInput, wg_timeline_read(f, 0, &t, &d)) << text;
    EXPECT_NE(0u, d.line);
    fclose(f);
    wg_timeline_free(&t);
  }
}

TEST(TimelineTest, StoriesThatCannotBeAreRefused) {
  StubGpu t("lecture", 0, {}, 100);
  auto tell = [&](std::vector<wg_block_event_t> events) {
    wg_timeline_t tl = {events.data(), events.size(), events.size()};
    wg_timeline_sums_t s;
    return Tell(t.preset, tl, 0, &s, kWgBadInput);
  };
  wg_block_event_t a = {0, true, 0, 0, 1, 0, 9, 128, 16, 520}, b = a;
  b.number = 1;
  EXPECT_EQ("block 1 cannot have started in block slot 0 of SM 0", tell({a, b}));
  b.start = false;
  b.slot = 3;
  EXPECT_EQ("block 1 ends in block slot 3 of SM 0, where none is", tell({a, b}));
  b = a;
  b.sm = 2;
  EXPECT_EQ("an event of SM 2 and grid 1 does not belong to the story", tell({a, b}));
  EXPECT_EQ("no block ever started", tell({}));
}

} // namespace
