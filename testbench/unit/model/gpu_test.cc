// SPDX-License-Identifier: Apache-2.0
//
// The whole GPU model with scripted SMs: latency, bandwidth, conservation, order, faults, determinism.
#include "model/gpu.h"

#include <random>

#include "traffic_sm.h"

namespace {

Access Load(uint64_t line, uint8_t sectors = 15) {
  Access a;
  a.line = line;
  a.sectors = sectors;
  return a;
}

Access Store(uint64_t line, unsigned sector, uint8_t value, uint32_t mask = UINT32_MAX) {
  Access a;
  a.line = line;
  a.op = kWgMemStore;
  a.sectors = static_cast<uint8_t>(1u << sector);
  a.byte_mask = mask;
  std::memset(a.data, value, 32);
  return a;
}

TEST(GpuTest, StoreThenLoadReturnsTheBytes) {
  TrafficGpu t("tiny");
  t.sms[0].script = {Store(t.mem, 1, 0xab, 0x0000ffff), Load(t.mem)};
  ASSERT_EQ(kWgOk, t.Run()) << t.diag.msg;
  for (int i = 0; i < 128; i++) {
    EXPECT_EQ(i >= 32 && i < 48 ? 0xab : 0, t.sms[0].script[1].got[i]) << i;
  }
  uint8_t in_store[128];
  ASSERT_EQ(kWgOk, wg_store_read(t.store, t.mem, in_store, 128, &t.diag));
  EXPECT_EQ(0, std::memcmp(in_store, t.sms[0].script[1].got, 128));
}

// Parts: way there + L2 + way back; a miss adds row activation, column access, burst and the controller.
TEST(GpuTest, UnloadedLatencyIsTheSumOfItsParts) {
  for (const char *name : {"tiny", "lecture", "v100"}) {
    TrafficGpu t(name);
    t.sms[0].script = {Load(t.mem, 1), Load(t.mem, 1)};
    t.sms[0].max_open = 1;
    ASSERT_EQ(kWgOk, t.Run());
    const wg_preset_t &p = t.preset;
    // From the tick that hands the request over to the tick that first sees the response: one more than the
    // ways' sum, because the request leaves after its tick and the response arrives before one.
    uint64_t hit = p.xbar.req_cycles + p.l2.hit_cycles + p.xbar.rsp_cycles;
    const Access &miss = t.sms[0].script[0], &again = t.sms[0].script[1];
    EXPECT_EQ(hit, again.done - again.sent + 1) << name;
    double dram_clocks = p.hbm.t_rcd + p.hbm.t_cl + 32.0 / (2 * p.hbm.bus_bytes);
    double dram = dram_clocks * p.clock_khz / p.hbm.clock_khz + p.hbm.ctrl_latency_cycles + p.l2.fill_cycles;
    double want = p.xbar.req_cycles + dram + p.xbar.rsp_cycles;
    double clock = 1.0 * p.clock_khz / p.hbm.clock_khz;
    EXPECT_NEAR(want, static_cast<double>(miss.done - miss.sent + 1), 1.0 + clock) << name;
  }
}


// One SM streams lines over the whole GPU: the memory's pins are the limit, not a queue on the way.
TEST(GpuTest, StreamingReadsReachTheMemoryBandwidth) {
  for (const char *name : {"tiny", "lecture", "v100", "gtx980"}) {
    TrafficGpu t(name);
    const unsigned n = 20000;
    uint32_t sms = t.preset.num_sms;
    for (uint32_t s = 0; s < sms; s++) {
      for (uint64_t i = 0; i < n; i++) t.sms[s].script.push_back(Load(t.mem + (i * sms + s) * 128));
    }
    ASSERT_EQ(kWgOk, t.Run()) << t.diag.msg;
    wg_grid_result_t r;
    ASSERT_TRUE(wg_gpu_last_grid(t.gpu, &r));
    const wg_hbm_spec_t &h = t.preset.hbm;
    double bytes_a_cycle = 128.0 * n * sms / static_cast<double>(r.cycles);
    double pins = wg_preset_hbm_gbytes_per_s(&t.preset) * 1e6 / t.preset.clock_khz;
    double refresh = 1.0 - static_cast<double>(h.t_rfc) / h.t_refi;
    EXPECT_GE(bytes_a_cycle, 0.9 * pins) << name;
    EXPECT_LE(bytes_a_cycle, pins * refresh * 1.01) << name;
    EXPECT_EQ(128ull * n * sms, t.Stats().dram_read_bytes) << name;
  }
}

TEST(GpuTest, RandomReadsAreFarBelowTheStream) {
  TrafficGpu t("v100");
  std::mt19937_64 rng(4);
  const unsigned n = 10000;
  for (unsigned i = 0; i < n; i++) t.sms[0].script.push_back(Load(t.mem + rng() % (t.mem_bytes / 128) * 128, 1));
  ASSERT_EQ(kWgOk, t.Run());
  wg_grid_result_t r;
  ASSERT_TRUE(wg_gpu_last_grid(t.gpu, &r));
  double clocks = static_cast<double>(r.cycles) * t.preset.hbm.clock_khz / t.preset.clock_khz;
  EXPECT_GE(clocks, n * 0.98 * t.preset.hbm.t_faw / 4.0);  // the activate window
  EXPECT_LE(clocks, n * 1.6 * t.preset.hbm.t_faw / 4.0);
}

// A set that fits the L2 is read a second time at the slice's rate of one sector a cycle.
TEST(GpuTest, L2HitsRunAtTheSlicesRate) {
  TrafficGpu t("v100");
  const unsigned lines = 400;
  for (unsigned k = 0; k < 11; k++) {
    for (unsigned i = 0; i < lines; i++) t.sms[0].script.push_back(Load(t.mem + 128ull * i));
  }
  ASSERT_EQ(kWgOk, t.Run());
  wg_gpu_stats_t s = t.Stats();
  EXPECT_EQ(4ull * lines, s.l2_load_sector_misses);
  EXPECT_EQ(40ull * lines, s.l2_load_sector_hits);
  const Access &first = t.sms[0].script[2 * lines], &last = t.sms[0].script.back();
  EXPECT_NEAR(4.0 * 9 * lines, static_cast<double>(last.done - first.done), 0.02 * 36 * lines);
}

// Half the SM's clock halves the slice's rate; latencies are SM cycles and stay, but for the wait for an L2 clock.
TEST(GpuTest, TheL2ClockIsARatioOfTheSms) {
  double per_sector[2];
  for (uint32_t den : {1u, 2u}) {
    TrafficGpu t("v100", 1, [&](wg_preset_t &p) { p.l2.clock_den = den; });
    for (unsigned k = 0; k < 11; k++) {
      for (unsigned i = 0; i < 400; i++) t.sms[0].script.push_back(Load(t.mem + 128ull * i));
    }
    ASSERT_EQ(kWgOk, t.Run());
    const Access &first = t.sms[0].script[2 * 400], &last = t.sms[0].script.back();
    per_sector[den - 1] = static_cast<double>(last.done - first.done) / (4.0 * 9 * 400);
    TrafficGpu u("v100", 1, [&](wg_preset_t &p) { p.l2.clock_den = den; });
    u.sms[0].script = {Load(u.mem, 1), Load(u.mem, 1)};
    u.sms[0].max_open = 1;
    ASSERT_EQ(kWgOk, u.Run());
    const Access &again = u.sms[0].script[1];
    uint64_t hit = u.preset.xbar.req_cycles + u.preset.l2.hit_cycles + u.preset.xbar.rsp_cycles;
    EXPECT_GE(again.done - again.sent + 1, hit);
    EXPECT_LE(again.done - again.sent + 1, hit + 2 * (den - 1));
  }
  EXPECT_NEAR(1.0, per_sector[0], 0.02);
  EXPECT_NEAR(2.0, per_sector[1], 0.04);
}

// Shape of the loaded latency: flat while the rate is far below the bandwidth, then rising.
TEST(GpuTest, LatencyRisesWithLoad) {
  double at[3];
  for (int k = 0; k < 3; k++) {
    TrafficGpu t("v100");
    const unsigned gap[3] = {400, 20, 1}, n = 1500;
    for (unsigned i = 0; i < n; i++) {
      Access a = Load(t.mem + 128ull * i);
      a.not_before = 10 + static_cast<uint64_t>(i) * gap[k];
      t.sms[0].script.push_back(a);
    }
    ASSERT_EQ(kWgOk, t.Run());
    double sum = 0;
    for (const Access &a : t.sms[0].script) sum += static_cast<double>(a.done - a.sent);
    at[k] = sum / n;
  }
  EXPECT_LT(at[1], 1.3 * at[0]);
  EXPECT_GT(at[2], 2.0 * at[0]);
}

/** Random loads and stores of several SMs over a small range. */
void RandomScripts(TrafficGpu *t, unsigned n, unsigned seed) {
  std::mt19937_64 rng(seed);
  for (TrafficSm &s : t->sms) {
    for (unsigned i = 0; i < n; i++) {
      uint64_t line = t->mem + rng() % 2000 * 128;
      if (rng() % 3 == 0) {
        unsigned sector = rng() % 4;
        uint8_t value = static_cast<uint8_t>(rng());
        s.script.push_back(Store(line, sector, value, static_cast<uint32_t>(rng())));
      } else {
        s.script.push_back(Load(line, static_cast<uint8_t>(1 + rng() % 15)));
      }
    }
  }
}

TEST(GpuTest, RequestsAreConservedAndServedInOneOrder) {
  struct Log {
    std::vector<std::pair<uint64_t, wg_mem_req_t>> served;
    std::map<uint64_t, std::vector<uint8_t>> memory; // replay in the order of serving
  } log;
  TrafficGpu t("v100", 5);
  RandomScripts(&t, 4000, 9);
  t.hooks.ctx = &log;
  t.hooks.serve = [](void *ctx, uint64_t cycle, const wg_mem_req_t *q, const uint8_t *data, uint8_t status) {
    Log *l = static_cast<Log *>(ctx);
    EXPECT_EQ(kWgFaultNone, status);
    if (!l->served.empty()) EXPECT_LE(l->served.back().first, cycle);
    l->served.push_back({cycle, *q});
    std::vector<uint8_t> &m = l->memory.emplace(q->line, 128).first->second;
    for (unsigned b = 0; q->op == kWgMemStore && b < 32; b++) {
      if (q->byte_mask >> b & 1) m[32u * static_cast<unsigned>(__builtin_ctz(q->sector_mask)) + b] = q->data[b];
    }
    ASSERT_EQ(0, std::memcmp(m.data(), data, 128));
  };
  ASSERT_EQ(kWgOk, t.Run()) << t.diag.msg;
  wg_gpu_stats_t s = t.Stats();
  EXPECT_EQ(5u * 4000, s.requests);
  EXPECT_EQ(s.requests, log.served.size());
  EXPECT_EQ(s.expected_responses, s.responses);
  EXPECT_EQ(s.blocks_started, s.blocks_done);
  // What memory holds in the end is what the replay holds.
  for (auto &m : log.memory) {
    uint8_t now[128];
    wg_store_peek(t.store, m.first, now, 128);
    ASSERT_EQ(0, std::memcmp(now, m.second.data(), 128));
  }
  EXPECT_EQ(s.dram_read_bytes + s.dram_write_bytes, 32 * (s.dram_row_hits + s.dram_row_misses));
}

// The whole machine: 80 SMs, 64 slices, 64 pseudo channels.
TEST(GpuTest, EightySmsStreamTogether) {
  TrafficGpu t("v100", 80);
  const uint64_t n = 1000;
  for (uint64_t s = 0; s < 80; s++) {
    for (uint64_t i = 0; i < n; i++) t.sms[s].script.push_back(Load(t.mem + (i * 80 + s) * 128));
  }
  ASSERT_EQ(kWgOk, t.Run()) << t.diag.msg;
  wg_grid_result_t r;
  ASSERT_TRUE(wg_gpu_last_grid(t.gpu, &r));
  double gbytes = 128.0 * 80 * n / static_cast<double>(r.cycles) * t.preset.clock_khz * 1e-6;
  EXPECT_GE(gbytes, 0.75 * wg_preset_hbm_gbytes_per_s(&t.preset));
  EXPECT_LE(gbytes, wg_preset_hbm_gbytes_per_s(&t.preset));
  wg_gpu_stats_t s = t.Stats();
  EXPECT_EQ(320u * n, s.responses);
  EXPECT_EQ(320u * n * 32, s.dram_read_bytes);
}

TEST(GpuTest, TwoRunsAreEqualToTheByte) {
  wg_gpu_stats_t s[2];
  std::vector<uint64_t> done[2];
  for (int k = 0; k < 2; k++) {
    TrafficGpu t("v100", 7);
    RandomScripts(&t, 1500, 21);
    ASSERT_EQ(kWgOk, t.Run());
    std::memset(&s[k], 0, sizeof s[k]);
    s[k] = t.Stats();
    for (TrafficSm &m : t.sms) {
      for (Access &a : m.script) done[k].push_back(a.done);
    }
  }
  EXPECT_EQ(0, std::memcmp(&s[0], &s[1], sizeof s[0]));
  EXPECT_EQ(done[0], done[1]);
}

// SMs are cleared when the GPU idles; L2 and memory keep their state.
TEST(GpuTest, OnlyTheMemorySystemRemembersEarlierLaunches) {
  TrafficGpu t("v100");
  t.sms[0].script = {Load(t.mem)};
  ASSERT_EQ(kWgOk, t.Run());
  EXPECT_EQ(2u, t.sms[0].resets); // create, and after the run
  EXPECT_EQ(4u, t.Stats().l2_load_sector_misses);
  ASSERT_EQ(kWgOk, t.Run());
  EXPECT_EQ(3u, t.sms[0].resets);
  EXPECT_EQ(4u, t.Stats().l2_load_sector_hits);
}

TEST(GpuTest, IllegalAddressesComeBackAsStatus) {
  TrafficGpu t("tiny");
  const uint64_t end = t.mem + t.mem_bytes;
  t.sms[0].script = {Load(end), Load(0), Load(end - 128), Store(end, 0, 1)};
  ASSERT_EQ(kWgOk, t.Run());
  EXPECT_EQ(kWgFaultIllegalAddr, t.sms[0].script[0].status);
  EXPECT_EQ(kWgFaultIllegalAddr, t.sms[0].script[1].status);
  EXPECT_EQ(kWgFaultNone, t.sms[0].script[2].status);
  EXPECT_EQ(kWgFaultIllegalAddr, t.sms[0].script[3].status);
}

TEST(GpuTest, TheFirstFaultKillsEverySm) {
  TrafficGpu t("v100", 3);
  t.sms[1].script = {Load(t.mem)};
  t.sms[1].fault_at_end = true;
  t.sms[2].script = {Load(t.mem + 4096)};
  t.sms[2].fault_at_end = true; // same latency, higher number: SM 1 wins
  for (unsigned i = 0; i < 5000; i++) t.sms[0].script.push_back(Load(t.mem + 128ull * i));
  ASSERT_EQ(kWgFault, t.Run());
  wg_fault_t f;
  ASSERT_TRUE(wg_gpu_fault(t.gpu, &f));
  EXPECT_EQ(kWgFaultTrap, f.code);
  EXPECT_NE(0u, f.cycle);
  EXPECT_EQ(1u, f.sm);
  EXPECT_LT(t.sms[0].next, 5000u) << "SM 0 was told to stop";
  EXPECT_EQ(t.Stats().expected_responses, t.Stats().responses) << "traffic has drained";
  EXPECT_TRUE(wg_gpu_idle(t.gpu));
  // The machine is clean again: a run without a fault succeeds.
  for (TrafficSm &s : t.sms) s.fault_at_end = false;
  EXPECT_EQ(kWgOk, t.Run());
  EXPECT_FALSE(wg_gpu_fault(t.gpu, nullptr));
}

TEST(GpuTest, WithoutProgressTheRunIsAHang) {
  TrafficGpu t("tiny");
  Access never = Load(t.mem);
  never.not_before = UINT64_MAX;
  t.sms[0].script = {never};
  t.Build();
  wg_gpu_destroy(t.gpu);
  wg_gpu_cfg_t cfg{};
  cfg.preset = &t.preset;
  cfg.sms = t.ptrs.data();
  cfg.store = t.store;
  cfg.policy = UINT32_MAX;
  cfg.watchdog_cycles = 1000;
  cfg.hang_cycles = 50000;
  ASSERT_EQ(kWgOk, wg_gpu_create(&cfg, &t.gpu, &t.diag));
  ASSERT_EQ(kWgHang, t.Run());
  EXPECT_GE(wg_gpu_cycle(t.gpu), 50000u);
  EXPECT_LT(wg_gpu_cycle(t.gpu), 53000u);
  EXPECT_STREQ("no progress up to cycle 51000: 1 blocks resident, 0 memory responses outstanding; on SM 0 block (0,0,0) of "
               "grid 1 in block slot 0, sent in cycle 0", t.diag.msg);
}

TEST(GpuTest, TheWatchdogHookDecides) {
  TrafficGpu t("tiny");
  Access late = Load(t.mem);
  late.not_before = 45000;
  t.sms[0].script = {late};
  static unsigned calls;
  calls = 0;
  t.hooks.watchdog = [](void *, const wg_gpu_progress_t *p) {
    calls++;
    EXPECT_EQ(calls * 10000ull, p->cycle);
    return calls < 4;
  };
  EXPECT_EQ(kWgHang, t.Run());
  EXPECT_EQ(4u, calls);
}

TEST(GpuTest, AHookCanStopTheRun) {
  TrafficGpu t("tiny");
  for (unsigned i = 0; i < 1000; i++) t.sms[0].script.push_back(Load(t.mem + 128 * i));
  t.hooks.ctx = &t;
  t.hooks.serve = [](void *ctx, uint64_t, const wg_mem_req_t *q, const uint8_t *, uint8_t) {
    TrafficGpu *g = static_cast<TrafficGpu *>(ctx);
    wg_diag_t why{};
    if (q->line != g->mem + 128 * 500) return;
    std::snprintf(why.msg, sizeof why.msg, "line 500");
    wg_gpu_stop(g->gpu, kWgMismatch, &why);
  };
  EXPECT_EQ(kWgMismatch, t.Run());
  EXPECT_STREQ("line 500", t.diag.msg);
  EXPECT_LT(t.sms[0].next, 1000u);
}

TEST(GpuTest, TimeFollowsTheClock) {
  TrafficGpu t("v100");
  Access late = Load(t.mem);
  late.not_before = 900000; // below hang_cycles
  t.sms[0].script = {late};
  ASSERT_EQ(kWgOk, t.Run());
  uint64_t cycles = wg_gpu_cycle(t.gpu);
  EXPECT_GT(cycles, 900000u);
  EXPECT_EQ(cycles * 1000000 / 1380000, wg_gpu_time_ns(t.gpu));
  wg_gpu_advance_ns(t.gpu, 5000);
  EXPECT_EQ(cycles * 1000000 / 1380000 + 5000, wg_gpu_time_ns(t.gpu));
}

}  // namespace
