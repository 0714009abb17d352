// SPDX-License-Identifier: Apache-2.0
//
// Test helpers: an SM that issues a given list of memory requests, and a GPU over such SMs and one preset.
#ifndef WG_TESTBENCH_UNIT_MODEL_TRAFFIC_SM_H
#define WG_TESTBENCH_UNIT_MODEL_TRAFFIC_SM_H

#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/gpu.h"
#include "model/sm/sm_stub.h"

/** One request of a script and what came of it. */
struct Access {
  uint64_t line;
  uint8_t op = kWgMemLoad;
  uint8_t sectors = 15;
  uint32_t byte_mask = 0;
  uint8_t data[32] = {};
  uint64_t not_before = 0;     // tick
  // results
  uint64_t sent = 0, done = 0; // ticks
  unsigned responses = 0;
  uint8_t status = 0;
  uint8_t got[128] = {};
};

/** Holds every block until its whole script has been answered. At most `max_open` requests are open. */
struct TrafficSm {
  wg_sm_t base;
  std::vector<Access> script;
  unsigned max_open = 200;
  bool fault_at_end = false;
  size_t next = 0;
  uint64_t tick = 0, answered = 0;
  bool killed = false;
  unsigned resets = 0;
  wg_sm_cfg_t cfg{};
  std::deque<uint8_t> free_ids;
  std::map<uint8_t, size_t> open;
  std::deque<wg_cta_done_t> resident;
  std::vector<wg_cta_launch_t> launches;

  TrafficSm() { base.ops = &Ops(); }
  static TrafficSm *Of(wg_sm_t *s) { return reinterpret_cast<TrafficSm *>(s); }
  static const TrafficSm *Of(const wg_sm_t *s) { return reinterpret_cast<const TrafficSm *>(s); }
  static const wg_sm_ops_t &Ops() {
    static const wg_sm_ops_t ops = {
        "traffic",
        [](wg_sm_t *s, const wg_sm_cfg_t *cfg, wg_diag_t *) {
          TrafficSm *t = Of(s);
          t->cfg = *cfg;
          t->resets++;
          EXPECT_TRUE(t->open.empty()) << "reset with open requests";
          t->free_ids.clear();
          for (unsigned i = 0; i < 256; i++) t->free_ids.push_back(static_cast<uint8_t>(i));
          t->resident.clear();
          t->killed = false;
          return kWgOk;
        },
        [](const wg_sm_t *) { return true; },
        [](wg_sm_t *s, const wg_cta_launch_t *m) {
          TrafficSm *t = Of(s);
          wg_cta_done_t d{};
          d.grid_id = m->grid_id;
          std::memcpy(d.ctaid, m->ctaid, sizeof d.ctaid);
          d.block_slot = static_cast<uint8_t>(t->resident.size());
          t->resident.push_back(d);
          t->launches.push_back(*m);
        },
        [](wg_sm_t *s, const wg_mem_rsp_t *r) { Of(s)->Respond(*r); },
        [](wg_sm_t *s, uint64_t, bool kill) {
          Of(s)->tick++;
          Of(s)->killed |= kill;
        },
        [](wg_sm_t *s, wg_mem_req_t *q) { return Of(s)->Request(q); },
        [](wg_sm_t *s, wg_cta_done_t *d) {
          TrafficSm *t = Of(s);
          if (t->resident.empty() || t->answered < t->script.size() || t->fault_at_end) return false;
          *d = t->resident.front();
          t->resident.pop_front();
          return true;
        },
        [](wg_sm_t *s, wg_fault_t *f) {
          TrafficSm *t = Of(s);
          if (!t->fault_at_end || t->answered < t->script.size() || t->resident.empty()) return false;
          *f = wg_fault_t{};
          f->code = kWgFaultTrap;
          return true;
        },
        [](wg_sm_t *) { return wg_sm_activity_t{0, 0, 0}; },
        [](wg_sm_t *) {},
        nullptr,
        nullptr,
    };
    return ops;
  }
  bool Request(wg_mem_req_t *q) {
    if (resident.empty() || next == script.size() || open.size() >= max_open || killed) return false;
    Access &a = script[next];
    if (tick < a.not_before) return false;
    std::memset(q, 0, sizeof *q);
    q->line = a.line;
    q->op = a.op;
    q->sector_mask = a.sectors;
    q->byte_mask = a.byte_mask;
    std::memcpy(q->data, a.data, 32);
    q->id = free_ids.front();
    free_ids.pop_front();
    open[q->id] = next++;
    a.sent = tick;
    return true;
  }
  void Respond(const wg_mem_rsp_t &r) {
    ASSERT_TRUE(open.count(r.id)) << "response for an id that is not open";
    Access &a = script[open[r.id]];
    ASSERT_TRUE(a.sectors >> r.sector & 1) << "a sector that was not asked for";
    std::memcpy(a.got + 32 * r.sector, r.data, 32);
    a.status |= r.status;
    if (++a.responses < static_cast<unsigned>(__builtin_popcount(a.sectors))) return;
    a.done = tick;
    answered++;
    free_ids.push_back(r.id);
    open.erase(r.id);
  }
};

/** A GPU of `preset` with traffic SMs and one big allocation at `mem`. */
struct TrafficGpu {
  wg_preset_t preset{};
  std::vector<TrafficSm> sms;
  std::vector<wg_sm_t *> ptrs;
  wg_store_t *store = nullptr;
  wg_gpu_t *gpu = nullptr;
  wg_gpu_hooks_t hooks{};
  uint64_t mem = 0, mem_bytes = UINT64_C(64) << 20;
  wg_diag_t diag{};

  explicit TrafficGpu(const std::string &name, uint32_t num_sms = 0,
                      const std::function<void(wg_preset_t &)> &change = nullptr) {
    EXPECT_EQ(kWgOk, wg_preset_load(name.c_str(), &preset, &diag)) << diag.msg;
    EXPECT_EQ(kWgOk, wg_preset_scale(&preset, num_sms, &diag)) << diag.msg;
    if (change) change(preset);
    sms.resize(preset.num_sms);
    for (TrafficSm &s : sms) ptrs.push_back(&s.base);
    EXPECT_EQ(kWgOk, wg_store_create(&store, &diag));
    EXPECT_EQ(kWgOk, wg_store_alloc(store, mem_bytes, &mem, &diag));
  }
  void Build() {
    wg_gpu_cfg_t cfg{};
    cfg.preset = &preset;
    cfg.sms = ptrs.data();
    cfg.store = store;
    cfg.hooks = hooks;
    cfg.policy = UINT32_MAX;
    ASSERT_EQ(kWgOk, wg_gpu_create(&cfg, &gpu, &diag)) << diag.msg;
  }
  /** One block on each SM; each runs its SM's script. */
  wg_status_t Run() {
    if (gpu == nullptr) Build();
    for (TrafficSm &s : sms) {
      s.next = s.answered = 0;
      for (Access &a : s.script) a.responses = a.status = 0;
    }
    wg_grid_t g{};
    g.grid_id = 1;
    g.grid[0] = preset.num_sms;
    g.grid[1] = g.grid[2] = 1;
    g.block[0] = 32;
    g.block[1] = g.block[2] = 1;
    g.regs_per_thread = 16;
    EXPECT_EQ(kWgOk, wg_gpu_submit(gpu, &g, &diag)) << diag.msg;
    return wg_gpu_run(gpu, &diag);
  }
  wg_gpu_stats_t Stats() const {
    wg_gpu_stats_t s;
    wg_gpu_stats(gpu, &s);
    return s;
  }
  ~TrafficGpu() {
    wg_gpu_destroy(gpu);
    wg_store_destroy(store);
  }
};

#endif
