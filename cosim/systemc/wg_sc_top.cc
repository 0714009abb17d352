// SPDX-License-Identifier: Apache-2.0
//
// The SystemC top behind wg_sc_api.h: clock, SMs, GigaThread, a memory.
//
//   phase of a period      what runs
//   begin                  the C model gives responses and at most one block, over the sockets
//   rising edge,  at 1/4   every SM steps, sends requests and reports
//   falling edge, at 3/4   the C model takes them and moves everything behind them
#include <dlfcn.h>

#include <cstring>
#include <memory>
#include <stdexcept>

#include "cosim/systemc/wg_sc_api.h"
#include "cosim/systemc/wg_sc_model.h"
#include "cosim/systemc/wg_sc_sm.h"

/* SystemC's library has a main of its own that calls this; ours is the program's. */
int sc_main(int, char **) { return 0; }

namespace {

class contents : public wg_sc_contents {
 public:
  contents(const wg_sc_gpu_ops_t *ops, wg_gpu_t *const *gpu) : ops_(ops), gpu_(gpu) {}
  void perform(tlm::tlm_generic_payload &p) override {
    wg_sc_ext *ext = nullptr;
    p.get_extension(ext);
    if (ext == nullptr || ext->performed) {
      p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      return;
    }
    uint8_t line[kWgLineBytes];
    const uint8_t status = ops_->perform(*gpu_, &ext->req, line);
    for (unsigned k = 0; k < 4; k++) ext->status[k] = (ext->req.sector_mask >> k & 1u) != 0 ? status : uint8_t(kWgFaultNone);
    ext->performed = true;
    const unsigned at = unsigned(kWgSectorBytes) * unsigned(__builtin_ctz(ext->req.sector_mask));
    if (p.is_read()) std::memcpy(p.get_data_ptr(), line, sizeof line);
    else if (ext->req.op == kWgMemAtom) std::memcpy(p.get_data_ptr(), line + at, kWgSectorBytes);
    p.set_response_status(status == kWgFaultNone ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }

 private:
  const wg_sc_gpu_ops_t *ops_;
  wg_gpu_t *const *gpu_;
};

class top : public sc_core::sc_module {
 public:
  top(const sc_core::sc_module_name &name, const wg_sc_env_t &env, const sc_core::sc_time &period)
      : sc_core::sc_module(name), env_(env), clk_("clk", period, 0.5, period / 4, true), kill_("kill"), time_ns_("time_ns"),
        contents_(env.gpu, &gpu_), gigathread_("gigathread", env.num_sms) {
    SC_HAS_PROCESS(top);
    SC_METHOD(begin);
    sensitive << begin_;
    dont_initialize();
    SC_METHOD(end);
    sensitive << clk_.negedge_event();
    dont_initialize();
    for (unsigned i = 0; i < env.num_sms; i++) add_sm(i);
  }

  /** @param make the user's memory, or NULL: the C model's */
  void add_memory(wg_sc_memory *(*make)(const wg_sc_machine &, const char *), const sc_core::sc_time &period) {
    own_memory_ = make != nullptr;
    if (own_memory_) {
      const wg_sc_machine machine{env_.num_sms, period, &contents_};
      memory_.reset(make(machine, env_.memory_arg));
    } else {
      model_ = new wg_sc_model_memory("memory", env_.num_sms, [this](unsigned i) { return env_.gpu->req_room(gpu_, i); });
      memory_.reset(model_);
    }
    for (unsigned i = 0; i < env_.num_sms; i++) memory_->bind_sm(i, sms_[i]->memory);
  }

  void cycle(wg_gpu_t *g, const sc_core::sc_time &period) {
    gpu_ = g;
    begin_.notify(sc_core::SC_ZERO_TIME);
    sc_core::sc_start(period);
  }

  const wg_sc_env_t env_;
  std::vector<std::unique_ptr<wg_sc_sm>> sms_;
  wg_sc_model_memory *model_ = nullptr; // memory_, if it is ours
  std::unique_ptr<wg_sc_memory> memory_;
  std::string error_; // the first one

 private:
  void add_sm(unsigned i) {
    wg_sc_sm::hooks h;
    h.sent = [this](const wg_mem_req_t &r) {
      if (own_memory_) env_.gpu->note_traffic(gpu_, &r, 0);
    };
    h.given = [this](uint32_t n) {
      if (own_memory_) env_.gpu->note_traffic(gpu_, nullptr, n);
    };
    h.failed = [this](const std::string &what) {
      if (error_.empty()) error_ = what;
    };
    sms_.push_back(std::make_unique<wg_sc_sm>(("sm" + std::to_string(i)).c_str(), env_.sms[i], env_.rsp_per_cycle, h));
    wg_sc_sm &s = *sms_.back();
    s.clk(clk_);
    s.kill(kill_);
    s.time_ns(time_ns_);
    gigathread_.launch.bind(s.launch);
    s.report.bind(gigathread_.report);
  }

  void begin() {
    uint64_t ns = 0;
    bool kill = false;
    env_.gpu->begin_cycle(gpu_, &ns, &kill);
    time_ns_.write(ns);
    kill_.write(kill);
  }

  void end() {
    env_.gpu->end_cycle(gpu_);
    if (model_ != nullptr) model_->cycle_over();
  }

  sc_core::sc_event begin_;
  sc_core::sc_clock clk_;
  sc_core::sc_signal<bool> kill_;
  sc_core::sc_signal<uint64_t> time_ns_;
  wg_gpu_t *gpu_ = nullptr;
  contents contents_;
  bool own_memory_ = false;

 public:
  wg_sc_gigathread gigathread_;
};

/* What the C model drives: its calls become messages of the top's modules. */
struct port {
  wg_sm_t base;
  top *t;
  unsigned index;
};

port *of(wg_sm_t *sm) { return reinterpret_cast<port *>(sm); }
const port *of(const wg_sm_t *sm) { return reinterpret_cast<const port *>(sm); }

wg_status_t port_reset(wg_sm_t *sm, const wg_sm_cfg_t *cfg, wg_diag_t *diag) {
  return of(sm)->t->sms_[of(sm)->index]->reset(cfg, diag);
}
bool port_can_launch(const wg_sm_t *sm) { return of(sm)->t->gigathread_.can_launch(of(sm)->index); }
void port_launch(wg_sm_t *sm, const wg_cta_launch_t *msg) { WG_BUG(!of(sm)->t->gigathread_.send(of(sm)->index, *msg)); }
void port_push_rsp(wg_sm_t *sm, const wg_mem_rsp_t *rsp) { of(sm)->t->model_->respond(of(sm)->index, *rsp); }
void port_tick(wg_sm_t *, uint64_t, bool) { WG_BUG(true); } // the clock does
bool port_pop_req(wg_sm_t *sm, wg_mem_req_t *req) {
  return of(sm)->t->model_ != nullptr && of(sm)->t->model_->pop_req(of(sm)->index, req);
}
bool port_pop_done(wg_sm_t *sm, wg_cta_done_t *done) { return of(sm)->t->gigathread_.pop_done(of(sm)->index, done); }
bool port_pop_fault(wg_sm_t *sm, wg_fault_t *fault) { return of(sm)->t->gigathread_.pop_fault(of(sm)->index, fault); }
/* questions about an SM's counters are no messages */
wg_sm_t *real(const wg_sm_t *sm) { return of(sm)->t->env_.sms[of(sm)->index]; }
wg_sm_activity_t port_activity(wg_sm_t *sm) { return real(sm)->ops->activity(real(sm)); }
uint32_t port_resident(const wg_sm_t *sm) {
  return real(sm)->ops->resident == nullptr ? UINT32_MAX : real(sm)->ops->resident(real(sm));
}
uint64_t port_block_issued(const wg_sm_t *sm, uint32_t slot) {
  return real(sm)->ops->block_issued == nullptr ? 0 : real(sm)->ops->block_issued(real(sm), slot);
}
void port_destroy(wg_sm_t *) {}

const wg_sm_ops_t kPortOps = {"systemc",    port_reset,    port_can_launch, port_launch,    port_push_rsp, port_tick,
                              port_pop_req, port_pop_done, port_pop_fault,  port_activity, port_destroy,
                              port_resident, port_block_issued};

}  // namespace

struct wg_sc_top {
  sc_core::sc_simcontext *context = nullptr; // SystemC's state of this top
  sc_core::sc_time period;
  std::unique_ptr<top> modules;
  std::vector<port> ports;
  std::vector<wg_sm_t *> sms;
  std::string error;
};

namespace {

/* What SystemC says, without the lines about its own files. */
std::string first_line(const char *text) {
  const std::string all = text;
  return all.substr(0, all.find('\n'));
}

void enter(sc_core::sc_simcontext *c) { sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = c; }

/* A context that has run takes no more modules: every top gets its own. */
void new_context(wg_sc_top *t) {
  t->context = new sc_core::sc_simcontext();
  enter(t->context);
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS); // a period is no whole number of ps
}

using make_fn = wg_sc_memory *(*)(const wg_sc_machine &, const char *);

wg_status_t load_memory(const wg_sc_env_t *env, make_fn *out, wg_diag_t *diag) {
  *out = nullptr;
  if (env->memory_path == nullptr) return kWgOk;
  void *library = dlopen(env->memory_path, RTLD_NOW | RTLD_LOCAL); // stays loaded: SystemC keeps pointers into it
  if (library == nullptr) {
    if (diag != nullptr) std::snprintf(diag->hint, sizeof diag->hint, "scripts/systemc_memory.sh %s FILE.cc", env->memory_name);
    return wg_fail(diag, kWgNotFound, "cannot load the memory '%s': %s", env->memory_name, dlerror());
  }
  const auto *abi = static_cast<const unsigned *>(dlsym(library, "wg_sc_memory_abi"));
  void *make = dlsym(library, "wg_sc_memory_make");
  if (abi == nullptr || make == nullptr || *abi != kWgScMemoryAbi) {
    if (diag != nullptr) std::snprintf(diag->hint, sizeof diag->hint, "rebuild it: scripts/systemc_memory.sh %s FILE.cc", env->memory_name);
    return wg_fail(diag, kWgMismatch, "'%s' is no memory of this version (WG_SC_MEMORY)", env->memory_path);
  }
  std::memcpy(out, &make, sizeof make);
  return kWgOk;
}

void sc_destroy(wg_sc_top_t *t) {
  if (t == nullptr) return;
  if (t->context != nullptr) enter(t->context);
  t->modules.reset();
  delete t;
}

wg_status_t sc_create(const wg_sc_env_t *env, wg_sc_top_t **out, wg_diag_t *diag) {
  make_fn make = nullptr;
  WG_TRY(load_memory(env, &make, diag));
  auto *t = new wg_sc_top;
  try {
    new_context(t);
    t->period = sc_core::sc_time(1e12 / env->clock_khz, sc_core::SC_FS);
    t->modules = std::make_unique<top>("warpglass", *env, t->period);
    t->modules->add_memory(make, t->period);
  } catch (const std::exception &e) {
    if (diag != nullptr) diag->hint[0] = '\0';
    const wg_status_t st = env->memory_name == nullptr
                               ? wg_fail(diag, kWgBadInput, "SystemC: %s", first_line(e.what()).c_str())
                               : wg_fail(diag, kWgBadInput, "memory '%s': %s", env->memory_name, first_line(e.what()).c_str());
    sc_destroy(t);
    return st;
  }
  t->ports.resize(env->num_sms);
  for (unsigned i = 0; i < env->num_sms; i++) {
    t->ports[i] = port{{&kPortOps}, t->modules.get(), i};
    t->sms.push_back(&t->ports[i].base);
  }
  *out = t;
  return kWgOk;
}

wg_sm_t *const *sc_ports(wg_sc_top_t *t) { return t->sms.data(); }

const char *sc_cycle(wg_sc_top_t *t, wg_gpu_t *g) {
  enter(t->context);
  try {
    t->modules->cycle(g, t->period);
  } catch (const std::exception &e) {
    if (t->error.empty()) t->error = "SystemC: " + first_line(e.what());
  }
  if (t->error.empty()) t->error = t->modules->error_;
  return t->error.empty() ? nullptr : t->error.c_str();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const wg_sc_api_t wg_sc_api;
const wg_sc_api_t wg_sc_api = {kWgAbiVersion, sc_create, sc_ports, sc_cycle, sc_destroy};
