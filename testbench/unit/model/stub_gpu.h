// SPDX-License-Identifier: Apache-2.0
//
// Test helper: a GPU of stub SMs that records every block's start and end.
#ifndef WG_TESTBENCH_UNIT_MODEL_STUB_GPU_H
#define WG_TESTBENCH_UNIT_MODEL_STUB_GPU_H

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/gpu.h"
#include "model/gte/gte_policy.h"
#include "model/sm/sm_stub.h"

struct Event {
  bool start;
  uint64_t cycle;
  uint16_t sm;
  uint8_t slot;
  uint32_t grid, block;
  wg_cta_launch_t launch;
};

/** A GPU of stub SMs that records every block's start and end. */
struct StubGpu {
  wg_preset_t preset{};
  std::vector<wg_sm_t *> sms;
  wg_store_t *store = nullptr;
  wg_gpu_t *gpu = nullptr;
  wg_diag_t diag{};
  std::vector<Event> events;

  StubGpu(const char *name, uint32_t num_sms, const std::vector<uint32_t> &cycles, uint32_t other = 100,
          const std::function<void(wg_preset_t &)> &change = nullptr, const wg_sm_stub_script_t *more = nullptr) {
    EXPECT_EQ(kWgOk, wg_preset_load(name, &preset, &diag)) << diag.msg;
    if (change != nullptr) change(preset);
    EXPECT_EQ(kWgOk, wg_preset_scale(&preset, num_sms, &diag)) << diag.msg;
    EXPECT_EQ(kWgOk, wg_store_create(&store, &diag));
    wg_sm_stub_script_t script{};
    if (more != nullptr) script = *more;
    script.default_cycles = other;
    script.cycles = cycles.data();
    script.n = cycles.size();
    for (uint32_t i = 0; i < preset.num_sms; i++) {
      sms.push_back(nullptr);
      EXPECT_EQ(kWgOk, wg_sm_stub_create(preset.shape, &script, &sms.back(), &diag));
    }
    wg_gpu_cfg_t cfg{};
    cfg.preset = &preset;
    cfg.sms = sms.data();
    cfg.store = store;
    cfg.policy = UINT32_MAX;
    cfg.hooks.ctx = this;
    cfg.hooks.block_start = [](void *ctx, uint64_t cycle, uint16_t sm, uint8_t slot, const wg_cta_launch_t *l) {
      uint32_t n = l->ctaid[0] + l->nctaid[0] * (l->ctaid[1] + l->nctaid[1] * l->ctaid[2]);
      static_cast<StubGpu *>(ctx)->events.push_back({true, cycle, sm, slot, l->grid_id, n, *l});
    };
    cfg.hooks.block_done = [](void *ctx, uint64_t cycle, uint16_t sm, const wg_cta_done_t *d) {
      static_cast<StubGpu *>(ctx)->events.push_back({false, cycle, sm, d->block_slot, d->grid_id, d->ctaid[0], {}});
    };
    EXPECT_EQ(kWgOk, wg_gpu_create(&cfg, &gpu, &diag)) << diag.msg;
  }
  ~StubGpu() {
    wg_gpu_destroy(gpu);
    for (wg_sm_t *s : sms) s->ops->destroy(s);
    wg_store_destroy(store);
  }
  wg_grid_t Grid(uint32_t blocks, uint32_t threads, uint32_t shared = 0, uint32_t regs = 32, uint32_t id = 1) {
    wg_grid_t g{};
    g.grid_id = id;
    g.grid[0] = blocks;
    g.block[0] = threads;
    g.grid[1] = g.grid[2] = g.block[1] = g.block[2] = 1;
    g.regs_per_thread = regs;
    g.static_shared_bytes = shared;
    return g;
  }
  wg_status_t Submit(const wg_grid_t &g) {
    diag = wg_diag_t{};
    return wg_gpu_submit(gpu, &g, &diag);
  }
  void RunOne(const wg_grid_t &g) {
    ASSERT_EQ(kWgOk, Submit(g)) << diag.msg;
    ASSERT_EQ(kWgOk, wg_gpu_run(gpu, &diag)) << diag.msg;
  }
  std::string Story() const {
    std::string s;
    for (const Event &e : events) {
      if (!s.empty()) s += ' ';
      s += (e.start ? "+B" : "-B") + std::to_string(e.block) + (e.start ? ":SM" + std::to_string(e.sm) : "");
    }
    return s;
  }
  unsigned MostResident() const {
    std::map<uint16_t, unsigned> now;
    unsigned most = 0;
    for (const Event &e : events) {
      now[e.sm] += e.start ? 1u : UINT32_MAX;
      most = std::max(most, now[e.sm]);
    }
    return most;
  }
};

/** A change of a preset: this block policy. */
inline std::function<void(wg_preset_t &)> Blocks(const char *policy) {
  return [policy](wg_preset_t &p) {
    wg_diag_t d{};
    EXPECT_EQ(kWgOk, wg_gte_choice_parse(policy, &p.gte.policy, &d)) << d.msg;
  };
}

#endif
