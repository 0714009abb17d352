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
    // From the tick that hands the request over to the tick that first sees the response: one more than the ways' sum,
    // because the request leaves after its tick and the response arrives before one.
    uint64_t hit = p.xbar.req_cycles + p.l2.hit_cycles + p.xbar.rsp_cycles;
    const Access &miss = t.sms[0].script[0], &again = t.sms[0].script[1];
    EXPECT_EQ(hit, again.done - again.sent + 1) << name;
    double dram_clocks = p.hbm.t_rcd + p.hbm.t_cl + 32.0 / (2 * p.hbm.bus_bytes);
    double dram = dram_clocks * p.clock_khz / p.hbm.clock_khz + p.hbm.ctrl_latency_cycles + p.l2.fill_cycles;
    double want = p.xbar.req_cycles + dram + p.xbar.rsp_cycles;
    EXPECT_NEAR(want, static_cast<double>(miss.done - miss.sent + 1), 1.0 + 1.0 * p.clock_khz / p.hbm.clock_khz) << name;
  }
}

}  // namespace
