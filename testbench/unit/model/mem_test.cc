// SPDX-License-Identifier: Apache-2.0
//
// The memory system's checkers: each injected fault is told with its place, each sum rule is broken once, Little's law and the
// other rules hold under every scheduler, page policy and clock ratio; stores and fences across SMs.
#include "model/mem/mem.h"

#include <random>

#include "model/door/door.h"
#include "traffic_sm.h"

namespace {

Access Make(uint64_t line, uint8_t op, uint8_t sectors, uint32_t bytes = 0) {
  Access a;
  a.line = line;
  a.op = op;
  a.sectors = sectors;
  a.byte_mask = bytes;
  return a;
}

/** n random loads, stores and additions a SM. */
void Script(TrafficGpu *t, unsigned n, unsigned seed, unsigned lines = 4000) {
  std::mt19937_64 rng(seed);
  for (TrafficSm &s : t->sms) {
    for (unsigned i = 0; i < n; i++) {
      uint64_t line = t->mem + rng() % lines * 128;
      uint8_t one = static_cast<uint8_t>(1u << (rng() % 4));
      switch (rng() % 4) {
        case 0: s.script.push_back(Make(line, kWgMemStore, one, static_cast<uint32_t>(rng()) | 1)); break;
        case 1: s.script.push_back(Make(line, kWgMemRed, one, 0xf)); break;
        default: s.script.push_back(Make(line, kWgMemLoad, static_cast<uint8_t>(1 + rng() % 15))); break;
      }
    }
  }
}

/** Run with a fault from cycle 300 on. @return the diag's message; the run must end as a mismatch, not as a hang. */
std::string Faulty(wg_mem_fault_t fault, uint64_t *cycles = nullptr, uint32_t sms = 2, bool stray_traffic = true) {
  TrafficGpu t("v100", sms);
  if (stray_traffic) {
    Script(&t, 3000, 17);
  } else {
    for (TrafficSm &s : t.sms) s.script = {Make(t.mem, kWgMemLoad, 1)};
  }
  t.Build();
  wg_gpu_inject(t.gpu, fault, stray_traffic ? 300 : 0);
  EXPECT_EQ(kWgMismatch, t.Run());
  if (cycles != nullptr) *cycles = wg_gpu_cycle(t.gpu);
  // The machine is not used again.
  wg_grid_t g{};
  wg_diag_t d{};
  EXPECT_NE(kWgOk, wg_gpu_submit(t.gpu, &g, &d));
  return t.diag.msg;
}

void ExpectMatch(const std::string &text, const std::string &regex) {
  EXPECT_TRUE(::testing::internal::RE::FullMatch(text, ::testing::internal::RE(regex.c_str()))) << text << "\nis not\n" << regex;
}

TEST(MemCheckTest, ALostRequestIsTold) {
  uint64_t cycles = 0;
  std::string text = Faulty(kWgMemLostRequest, &cycles);
  ExpectMatch(text,
              "memory checker: lost: (load|store|red) of line 0x[0-9a-f]+ .sectors 0x[0-9a-f]+ of 0x[0-9a-f]+ open., SM [01], id [0-9]+, "
              "warp 0, pc 0x0, age [0-9]+ cycles: in no queue of crossbar, slice [01] and channel [01]");
  EXPECT_LT(cycles, 60000u);
}

TEST(MemCheckTest, ALostResponseIsTold) {
  std::string text = Faulty(kWgMemLostResponse);
  EXPECT_NE(std::string::npos, text.find("memory checker: lost: ")) << text;
  EXPECT_NE(std::string::npos, text.find("in no queue of crossbar")) << text;
  text = Faulty(kWgMemLostResponse, nullptr, 1, false); // alone, with nothing else on the way
  EXPECT_NE(std::string::npos, text.find("memory checker: lost: load of line 0x")) << text;
}

TEST(MemCheckTest, ALostFillIsTold) {
  std::string text = Faulty(kWgMemLostFill, nullptr, 1, false);
  EXPECT_NE(std::string::npos, text.find("memory checker: lost: load")) << text;
  EXPECT_NE(std::string::npos, text.find("slice 0 waits for channel 0, which knows nothing of it")) << text;
}

TEST(MemCheckTest, ADuplicatedResponseIsToldInItsCycle) {
  uint64_t cycles = 0;
  std::string text = Faulty(kWgMemTwiceResponse, &cycles);
  ExpectMatch(text,
              "memory checker: duplicated response: SM [01], id [0-9]+, sector [0-3] of line 0x[0-9a-f]+ "
              ".(load|store|red), warp 0, pc 0x0., [0-9]+ cycles after the (request|last response) of that id");
  EXPECT_LT(cycles, 2000u);
}

TEST(MemCheckTest, AResponseThatNobodyAskedForIsTold) {
  std::string text = Faulty(kWgMemStrayResponse, nullptr, 1, false);
  EXPECT_NE(std::string::npos, text.find("response that nobody asked for: SM 0, id 0, sector 2 of line 0x")) << text;
}

TEST(MemCheckTest, ALostByteBreaksTheSums) {
  std::string text = Faulty(kWgMemLostByte);
  EXPECT_NE(std::string::npos, text.find("bytes of stores and atomics taken from SMs, ")) << text;
}

TEST(MemCheckTest, AStoppedSliceIsTold) {
  uint64_t cycles = 0;
  std::string text = Faulty(kWgMemStopSlice, &cycles);
  ExpectMatch(text,
              "memory checker: L2 slice [01] has stopped: work waits, nothing was done for [0-9]+ cycles; oldest: "
              ".* of line 0x.*SM [01], id .*age [0-9]+ cycles .*");
  EXPECT_LT(cycles, 60000u);
}

TEST(MemCheckTest, AStoppedChannelIsTold) {
  uint64_t cycles = 0;
  std::string text = Faulty(kWgMemStopChannel, &cycles);
  ExpectMatch(text,
              "memory checker: memory channel [01] has stopped: work waits, nothing was done for [0-9]+ cycles; oldest: "
              ".* of line 0x.*SM [01], id .*age [0-9]+ cycles .*");
  EXPECT_LT(cycles, 60000u);
  text = Faulty(kWgMemStopChannel, nullptr, 1, false);
  EXPECT_NE(std::string::npos, text.find("(slice 0, waits for memory: queue of channel 0, bank ")) << text;
}

TEST(MemCheckTest, EveryFaultOfTheTableHasAWord) {
  unsigned n = 0;
#define WG_MEM_FAULT(ID, WORD, DOC) \
  EXPECT_EQ(kWgMem##ID, wg_mem_fault_find(WORD)); \
  n++;
#include "model/mem/mem_faults.def"
  EXPECT_EQ(8u, n);
  EXPECT_EQ(kWgMemNoFault, wg_mem_fault_find("nonsense"));
}

// Starved for a long time is not lost: a slow machine under full load is not blamed.
TEST(MemCheckTest, ASlowMachineIsNotBlamed) {
  TrafficGpu t("v100", 20, [](wg_preset_t &p) {
    p.l2.slices = p.hbm.channels = 1;
    p.hbm.scheduler = kWgHbmFcfs;
    p.hbm.clock_khz = 50000;
  });
  Script(&t, 150, 3, 400000);
  ASSERT_EQ(kWgOk, t.Run()) << t.diag.msg;
  uint64_t longest = 0;
  for (TrafficSm &s : t.sms) {
    for (Access &a : s.script) longest = std::max(longest, a.done - a.sent);
  }
  EXPECT_GT(longest, static_cast<uint64_t>(kWgMemStuckCycles)) << "the test is to wait longer than the checker's limit";
}

TEST(MemSumsTest, EachRuleIsBrokenOnce) {
  TrafficGpu t("v100", 2);
  Script(&t, 2000, 5, 20000);
  ASSERT_EQ(kWgOk, t.Run()) << t.diag.msg;
  wg_gpu_stats_t g = t.Stats();
  wg_mem_counts_t c{};
#define WG_MEMCOUNT(FIELD, KEY, TABLE, DOC) c.FIELD = g.FIELD;
#include "model/mem/mem_counts.def"
  wg_diag_t d{};
  ASSERT_EQ(kWgOk, wg_mem_sums(&c, &d)) << d.msg;
  EXPECT_GT(c.l2_writebacks, 0u);
  EXPECT_GT(c.l2_atomics, 0u);
  const struct {
    uint64_t wg_mem_counts_t::*field;
    const char *says;
  } rules[] = {
      {&wg_mem_counts_t::requests, "requests taken from SMs"},
      {&wg_mem_counts_t::responses, "response sectors given to SMs"},
      {&wg_mem_counts_t::l2_responses, "response sectors sent by slices"},
      {&wg_mem_counts_t::l2_store_bytes, "those served by slices"},
      {&wg_mem_counts_t::l2_load_sector_hits, "L2 hits + misses + faults"},
      {&wg_mem_counts_t::l2_store_sector_misses, "L2 hits + misses + faults"},
      {&wg_mem_counts_t::l2_merged_sectors, "sectors filled"},
      {&wg_mem_counts_t::dram_read_bytes, "32 x sectors filled"},
      {&wg_mem_counts_t::l2_writebacks, "32 x sectors written back"},
      {&wg_mem_counts_t::dram_row_hits, "DRAM bursts"},
      {&wg_mem_counts_t::l2_no_way, "reservation failures"},
      {&wg_mem_counts_t::mem_latency_cycles, "Little's law at the SMs' ports"},
      {&wg_mem_counts_t::dram_read_in_flight_cycles, "Little's law in the DRAM"},
  };
  for (const auto &r : rules) {
    wg_mem_counts_t b = c;
    b.*r.field += 1;
    EXPECT_EQ(kWgMismatch, wg_mem_sums(&b, &d)) << r.says;
    EXPECT_NE(std::string::npos, std::string(d.msg).find(r.says)) << d.msg;
  }
}

// The counters are those of the SMs' own clocks: what Little's law says is what the SMs see.
TEST(MemSumsTest, LatencyIsWhatTheSmsSee) {
  TrafficGpu t("v100", 3);
  for (TrafficSm &s : t.sms) {
    for (unsigned i = 0; i < 500; i++) s.script.push_back(Make(t.mem + 128ull * i, kWgMemLoad, 1));
  }
  ASSERT_EQ(kWgOk, t.Run()) << t.diag.msg;
  uint64_t sum = 0;
  // `sent` is counted after the tick, `done` before: one more than the difference
  for (TrafficSm &s : t.sms) {
    for (Access &a : s.script) sum += a.done - a.sent + 1;
  }
  EXPECT_EQ(sum, t.Stats().mem_latency_cycles);
  EXPECT_EQ(sum, t.Stats().mem_in_flight_cycles);
}

// Every combination keeps every rule: wg_gpu_run itself checks the sums and Little's law, the channels their timing.
TEST(MemSumsTest, HoldUnderEveryPolicy) {
  for (const char *preset : {"tiny", "v100", "h200", "ga102", "gtx980"}) {
    for (uint32_t k = 0; k < 24; k++) {
      TrafficGpu t(preset, 1, [&](wg_preset_t &p) {
        p.hbm.scheduler = k % 4;
        p.hbm.page = k / 4 % 2;
        p.hbm.write_drain = k / 8;
        p.l2.clock_den = 1 + k % 3;
        p.l2.slice_bytes = 128 * p.l2.ways * 4;
      });
      Script(&t, 600, k, 3000);
      ASSERT_EQ(kWgOk, t.Run()) << preset << " " << k << ": " << t.diag.msg;
      wg_gpu_stats_t s = t.Stats();
      EXPECT_EQ(s.expected_responses, s.responses);
      EXPECT_GT(s.l2_writebacks, 0u);
    }
  }
}

// The reasons for which a slice makes a request wait are told apart.
TEST(MemSumsTest, ReservationFailuresAreToldApart) {
  auto run = [](const std::function<void(wg_preset_t &)> &change) {
    TrafficGpu t("v100", 1, change);
    std::mt19937_64 rng(2);
    for (unsigned i = 0; i < 3000; i++) {
      t.sms[0].script.push_back(i % 4 == 3 ? Make(t.mem + rng() % 9000 * 128, kWgMemStore, 1, 0xff) : Make(t.mem + rng() % 9000 * 128, kWgMemLoad, 15));
    }
    EXPECT_EQ(kWgOk, t.Run()) << t.diag.msg;
    return t.Stats();
  };
  wg_gpu_stats_t mshr = run([](wg_preset_t &p) { p.l2.mshrs = 2; });
  EXPECT_GT(mshr.l2_no_mshr, mshr.l2_stall_cycles / 2);
  wg_gpu_stats_t way = run([](wg_preset_t &p) { p.l2.ways = 1, p.l2.slice_bytes = 128 * 4, p.l2.mshrs = 128; });
  EXPECT_GT(way.l2_no_way, way.l2_stall_cycles / 2);
  wg_gpu_stats_t waiter = run([](wg_preset_t &p) { p.l2.waiters = 8; });
  EXPECT_GT(waiter.l2_no_waiter, waiter.l2_stall_cycles / 2);
  wg_gpu_stats_t ask = run([](wg_preset_t &p) { p.l2.mshrs = 1, p.l2.writebacks = 4, p.l2.slice_bytes = 128 * p.l2.ways; });
  EXPECT_GT(ask.l2_no_ask + ask.l2_no_mshr, ask.l2_stall_cycles / 2);
  EXPECT_EQ(ask.l2_stall_cycles, ask.l2_no_ask + ask.l2_no_mshr + ask.l2_no_way + ask.l2_no_waiter + ask.l2_no_answer);
}

TEST(DoorTest, AnIdIsNotUsedTwice) {
  wg_door_t *d = nullptr;
  wg_diag_t diag{};
  ASSERT_EQ(kWgOk, wg_door_create(2, &d, &diag));
  wg_mem_req_t q{};
  q.line = WG_DEV_BASE + 256;
  q.sm = 1;
  q.id = 7;
  q.sector_mask = 3;
  q.pc = 0x40;
  q.warp = 5;
  EXPECT_EQ(kWgOk, wg_door_req(d, &q, 10, &diag));
  EXPECT_EQ(kWgMismatch, wg_door_req(d, &q, 25, &diag));
  EXPECT_STREQ("memory checker: an id is used again while it is open: load of line 0x200000000100 (sectors 0x3 of 0x3 open), SM 1, id 7, "
               "warp 5, pc 0x40, age 15 cycles", diag.msg);
  wg_mem_rsp_t r{};
  r.sm = 1;
  r.id = 7;
  wg_door_tick(d);
  EXPECT_EQ(kWgOk, wg_door_rsp(d, &r, 11, &diag));
  EXPECT_EQ(kWgMismatch, wg_door_rsp(d, &r, 12, &diag)); // sector 0 again, sector 1 still open
  r.sm = 0;
  EXPECT_EQ(kWgMismatch, wg_door_rsp(d, &r, 12, &diag)); // another SM's
  uint16_t sm = 0;
  uint8_t id = 0;
  wg_door_open_t o{};
  ASSERT_TRUE(wg_door_oldest(d, &sm, &id, &o));
  EXPECT_EQ(1u, sm);
  EXPECT_EQ(7u, id);
  EXPECT_EQ(2u, o.pending);
  wg_door_destroy(d);
}

// An atomic with a result is one flit a sector, all under one id; its later flits may come before the first answer.
TEST(DoorTest, AnAtomicAsksSectorBySector) {
  wg_door_t *d = nullptr;
  wg_diag_t diag{};
  ASSERT_EQ(kWgOk, wg_door_create(1, &d, &diag));
  wg_mem_req_t q{};
  q.line = WG_DEV_BASE;
  q.op = kWgMemAtom;
  q.id = 3;
  q.pc = 0x80;
  uint64_t now = 0;
  for (; now < 3; now++) {
    q.sector_mask = (uint8_t)(1u << now);
    EXPECT_EQ(kWgOk, wg_door_req(d, &q, now, &diag)) << diag.msg;
    wg_door_tick(d);
  }
  EXPECT_EQ(kWgMismatch, wg_door_req(d, &q, now, &diag)) << "sector 2 twice";
  auto other = [&](const std::function<void(wg_mem_req_t &)> &change) {
    wg_mem_req_t r = q;
    r.sector_mask = 8;
    change(r);
    EXPECT_EQ(kWgMismatch, wg_door_req(d, &r, now, &diag));
  };
  other([](wg_mem_req_t &r) { r.line += 128; });
  other([](wg_mem_req_t &r) { r.pc += 16; });
  other([](wg_mem_req_t &r) { r.warp++; });
  other([](wg_mem_req_t &r) { r.op = kWgMemLoad; });
  for (uint8_t s = 0; s < 3; s++) {
    wg_mem_rsp_t r{};
    r.id = 3;
    r.sector = s;
    EXPECT_EQ(kWgOk, wg_door_rsp(d, &r, now, &diag)) << diag.msg;
    EXPECT_EQ(kWgMismatch, wg_door_rsp(d, &r, now, &diag));
  }
  wg_door_stats_t t{};
  wg_door_stats(d, &t);
  EXPECT_EQ(3u, t.asked);
  EXPECT_EQ(3u, t.answered);
  EXPECT_EQ(6u, t.latency_cycles);
  EXPECT_EQ(t.latency_cycles, t.in_flight_cycles);
  wg_door_destroy(d);
}

}  // namespace
