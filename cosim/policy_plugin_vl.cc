// SPDX-License-Identifier: Apache-2.0
//
// A verilated warp scheduler (testbench/plugin/sm_policy_top.sv) behind cosim/policy_plugin.h; built by
// scripts/plugin.sh.

#include <memory>

#include "Vsm_policy_top.h"
#include "cosim/policy_plugin.h"
#include "verilated.h"

namespace {

struct Instance {
  VerilatedContext context;
  Vsm_policy_top top{&context};
};

void clock(Vsm_policy_top &t) {
  t.clk_i = 1;
  t.eval();
  t.clk_i = 0;
}

void *create(const wg_policy_plugin_t *, uint32_t, const uint32_t knob[4], uint32_t progress_cycles) {
  auto i = std::make_unique<Instance>();
  Vsm_policy_top &t = i->top;
  t.rst_ni = 0;
  t.valid_i = t.eligible_i = 0;
  for (unsigned i = 0; i < 4; i++) t.knob_i[i] = knob[i], t.ev_i[i] = 0;
  t.progress_i = CData(progress_cycles / kWgSchedStep);
  t.clk_i = 0;
  for (int n = 0; n < 4; n++) {
    t.eval();
    clock(t);
  }
  t.rst_ni = 1;
  return i.release();
}

int pick(void *state, const sm_sched_view_t *v, uint16_t *withheld) {
  Vsm_policy_top &t = static_cast<Instance *>(state)->top;
  uint64_t ranks = 0;
  for (unsigned w = 0; w < 16; w++) ranks |= uint64_t(v->age_rank[w] & 15u) << (4 * w);
  t.valid_i = v->valid;
  t.eligible_i = v->eligible;
  t.age_rank_i = ranks;
  for (unsigned i = 0; i < 4; i++) t.ev_i[i] = v->event[i];
  t.eval();
  int slot = t.pick_valid_o ? int(t.pick_slot_o) : -1;
  *withheld = t.withheld_o;
  clock(t);
  return slot;
}

void destroy(void *state) {
  auto *i = static_cast<Instance *>(state);
  i->top.final();
  delete i;
}

}  // namespace

/* a policy verilated for fewer slots than the machine has would never pick those above: wg_policy_plugin_load() looks
 */
extern "C" __attribute__((visibility("default"))) const uint32_t wg_policy_warp_slots;
const uint32_t wg_policy_warp_slots = WG_POLICY_SLOTS;
extern "C" __attribute__((visibility("default"))) const wg_policy_plugin_t wg_policy_plugin;
const wg_policy_plugin_t wg_policy_plugin = {kWgAbiVersion, WG_POLICY_NAME, nullptr, create, pick, destroy};
