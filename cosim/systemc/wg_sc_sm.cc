// SPDX-License-Identifier: Apache-2.0
#include "cosim/systemc/wg_sc_sm.h"

#include <cstring>

using tlm::tlm_phase;
using tlm::tlm_sync_enum;

/* ---- transactions ---- */

struct wg_sc_sm::transaction {
  tlm::tlm_generic_payload payload;
  wg_sc_ext ext;
  uint8_t data[kWgLineBytes]{};
  uint8_t enable[kWgLineBytes]{};
  uint8_t due = 0; // sectors that have not arrived
  bool open = false;
};

struct wg_sc_sm::pool : tlm::tlm_mm_interface {
  std::vector<std::unique_ptr<transaction>> all;
  std::vector<transaction *> idle;

  transaction *take() {
    if (idle.empty()) {
      all.push_back(std::make_unique<transaction>());
      transaction *t = all.back().get();
      t->payload.set_mm(this);
      t->payload.set_extension(&t->ext);
      idle.push_back(t);
    }
    transaction *t = idle.back();
    idle.pop_back();
    t->payload.acquire();
    return t;
  }
  transaction *find(const tlm::tlm_generic_payload *p) {
    for (auto &t : all) {
      if (&t->payload == p) return t.get();
    }
    return nullptr;
  }
  /* the last holder let go of it; the extension stays where it is */
  void free(tlm::tlm_generic_payload *p) override { idle.push_back(find(p)); }
  ~pool() override {
    for (auto &t : all) t->payload.clear_extension(&t->ext); // a member: nobody else may delete it
  }
};

/* Loads, of instructions and constants as well. */
static bool reads(uint8_t op) { return op != kWgMemStore && op != kWgMemAtom && op != kWgMemRed; }

/* Loads: the line, with the wanted sectors enabled. Stores: a sector with its bytes enabled. Atomics: a sector, no command of the
   generic payload; what they do stands in the extension. */
static void fill_payload(tlm::tlm_generic_payload &p, const wg_mem_req_t &r, uint8_t *data, uint8_t *enable) {
  const bool load = reads(r.op), store = r.op == kWgMemStore;
  const unsigned at = load ? 0u : unsigned(kWgSectorBytes) * unsigned(__builtin_ctz(r.sector_mask));
  const unsigned bytes = load ? unsigned(kWgLineBytes) : unsigned(kWgSectorBytes);
  for (unsigned i = 0; i < bytes; i++) {
    const bool on = load ? (r.sector_mask >> i / unsigned(kWgSectorBytes) & 1u) != 0 : (r.byte_mask >> i & 1u) != 0;
    enable[i] = on ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  }
  if (load) std::memset(data, 0, bytes);
  else std::memcpy(data, r.data, bytes);
  p.set_command(load ? tlm::TLM_READ_COMMAND : store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_IGNORE_COMMAND);
  p.set_address(r.line + at);
  p.set_data_ptr(data);
  p.set_data_length(bytes);
  p.set_streaming_width(bytes);
  p.set_byte_enable_ptr(enable);
  p.set_byte_enable_length(bytes);
  p.set_dmi_allowed(false);
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

/* ---- the module ---- */

wg_sc_sm::wg_sc_sm(const sc_core::sc_module_name &name, wg_sm_t *sm, unsigned rsp_per_cycle, hooks h)
    : sc_core::sc_module(name), clk("clk"), kill("kill"), time_ns("time_ns"), memory("memory"), launch("launch"), report("report"),
      sm_(sm), rsp_per_cycle_(rsp_per_cycle), hooks_(std::move(h)), pool_(std::make_unique<pool>()) {
  SC_HAS_PROCESS(wg_sc_sm);
  SC_METHOD(edge);
  sensitive << clk.pos();
  dont_initialize();
  memory.register_nb_transport_bw(this, &wg_sc_sm::from_memory);
  launch.register_b_transport(this, &wg_sc_sm::take_launch);
  launch.register_transport_dbg(this, &wg_sc_sm::ask_launch);
}

wg_sc_sm::~wg_sc_sm() = default;

wg_status_t wg_sc_sm::reset(const wg_sm_cfg_t *cfg, wg_diag_t *diag) {
  responses_.clear();
  has_launch_ = false;
  index_ = uint16_t(cfg->smid);
  return sm_->ops->reset(sm_, cfg, diag);
}

/* The order of a cycle is that of model/sm_port.h. */
void wg_sc_sm::edge() {
  uint32_t given = 0;
  while (given < rsp_per_cycle_ && !responses_.empty() && responses_.front().due <= sc_core::sc_time_stamp()) {
    sm_->ops->push_rsp(sm_, &responses_.front().flit);
    responses_.pop_front();
    given++;
  }
  if (given != 0 && hooks_.given) hooks_.given(given);
  if (has_launch_) sm_->ops->launch(sm_, &launch_);
  has_launch_ = false;
  sm_->ops->tick(sm_, time_ns.read(), kill.read());
  send_requests();
  send_reports();
}

/* A request leaves the SM only when the target takes it: END_REQ of the one before has said so. The SM counts its credits by that. */
void wg_sc_sm::send_requests() {
  wg_mem_req_t req{};
  while (offered_ == nullptr && free_at_ <= sc_core::sc_time_stamp() && sm_->ops->pop_req(sm_, &req)) {
    req.sm = index_;
    transaction *t = pool_->take();
    fill_payload(t->payload, req, t->data, t->enable);
    t->ext.req = req;
    t->ext.performed = false;
    std::memset(t->ext.status, 0, sizeof t->ext.status);
    t->due = req.sector_mask;
    t->open = true;
    if (hooks_.sent) hooks_.sent(req);
    tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    offered_ = t;
    switch (memory->nb_transport_fw(t->payload, phase, delay)) {
      case tlm::TLM_ACCEPTED: break;
      case tlm::TLM_UPDATED:
        if (phase == tlm::END_REQ) {
          request_over(delay);
        } else if (phase == tlm::BEGIN_RESP) {
          finish(*t, delay);
          phase = tlm::END_RESP;
          (void)memory->nb_transport_fw(t->payload, phase, delay);
        } else {
          fail(t, "answered BEGIN_REQ with a phase that is none of the base protocol");
        }
        break;
      case tlm::TLM_COMPLETED: finish(*t, delay); break;
    }
  }
}

void wg_sc_sm::tell(uint64_t what, void *data, unsigned bytes) {
  tlm::tlm_generic_payload p;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  p.set_command(tlm::TLM_WRITE_COMMAND);
  p.set_address(what);
  p.set_data_ptr(static_cast<unsigned char *>(data));
  p.set_data_length(bytes);
  p.set_streaming_width(bytes);
  report->b_transport(p, delay);
  if (p.is_response_error()) fail(nullptr, "GigaThread did not take a report");
}

void wg_sc_sm::send_reports() {
  wg_cta_done_t done{};
  while (sm_->ops->pop_done(sm_, &done)) tell(kWgScDone, &done, sizeof done);
  wg_fault_t fault{};
  if (sm_->ops->pop_fault(sm_, &fault)) tell(kWgScFault, &fault, sizeof fault);
}

/* ---- launches ---- */

void wg_sc_sm::take_launch(tlm::tlm_generic_payload &p, sc_core::sc_time &) {
  if (p.get_command() != tlm::TLM_WRITE_COMMAND || p.get_data_length() != sizeof launch_) {
    p.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  if (has_launch_ || !sm_->ops->can_launch(sm_)) {
    p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  std::memcpy(&launch_, p.get_data_ptr(), sizeof launch_);
  has_launch_ = true;
  p.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned wg_sc_sm::ask_launch(tlm::tlm_generic_payload &p) {
  if (p.get_command() != tlm::TLM_READ_COMMAND || p.get_data_length() < 1) return 0;
  *p.get_data_ptr() = !has_launch_ && sm_->ops->can_launch(sm_);
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  return 1;
}

/* ---- responses ---- */

void wg_sc_sm::request_over(const sc_core::sc_time &delay) {
  offered_ = nullptr;
  free_at_ = sc_core::sc_time_stamp() + delay;
}

tlm_sync_enum wg_sc_sm::from_memory(tlm::tlm_generic_payload &p, tlm_phase &phase, sc_core::sc_time &delay) {
  transaction *t = pool_->find(&p);
  if (t == nullptr || !t->open) {
    fail(nullptr, "named a transaction that is not open");
    return tlm::TLM_COMPLETED;
  }
  if (phase == tlm::END_REQ) {
    if (offered_ == t) request_over(delay);
    else fail(t, "ended its request phase twice");
  } else if (phase == WG_SECTOR_RSP) {
    arrive(*t, t->ext.sector, delay);
  } else if (phase == tlm::BEGIN_RESP) {
    finish(*t, delay);
    return tlm::TLM_COMPLETED; // responses are always taken: END_RESP
  }
  return tlm::TLM_ACCEPTED; // another ignorable phase
}

void wg_sc_sm::arrive(transaction &t, unsigned sector, const sc_core::sc_time &delay) {
  if (sector > 3 || (t.due >> sector & 1u) == 0) {
    fail(&t, "brought a sector that was not asked for, or twice");
    return;
  }
  t.due &= uint8_t(~(1u << sector));
  response r{};
  r.due = sc_core::sc_time_stamp() + delay;
  r.flit.id = t.ext.req.id;
  r.flit.sector = uint8_t(sector);
  r.flit.sm = t.ext.req.sm;
  r.flit.status = t.ext.status[sector];
  if (t.payload.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE) r.flit.status = kWgFaultIllegalAddr;
  const bool load = reads(t.ext.req.op);
  if (load || t.ext.req.op == kWgMemAtom) std::memcpy(r.flit.data, t.data + (load ? 32u * sector : 0u), sizeof r.flit.data);
  auto at = responses_.end();
  while (at != responses_.begin() && (at - 1)->due > r.due) --at;
  responses_.insert(at, r);
}

/* BEGIN_RESP, or what stands for it: the sectors that have not come alone. It implies END_REQ. */
void wg_sc_sm::finish(transaction &t, const sc_core::sc_time &delay) {
  const tlm::tlm_response_status st = t.payload.get_response_status();
  if (offered_ == &t) request_over(delay);
  if (st != tlm::TLM_OK_RESPONSE && st != tlm::TLM_ADDRESS_ERROR_RESPONSE) {
    fail(&t, ("answered with " + t.payload.get_response_string()).c_str());
  } else if (!t.ext.performed && t.payload.get_command() == tlm::TLM_IGNORE_COMMAND && st == tlm::TLM_OK_RESPONSE) {
    fail(&t, "did not perform an atomic (wg_sc_contents::perform does)");
  }
  for (unsigned k = 0; k < 4; k++) {
    if ((t.due >> k & 1u) != 0) arrive(t, k, delay);
  }
  t.open = false;
  t.payload.release();
}

void wg_sc_sm::fail(const transaction *t, const char *what) {
  char text[240];
  if (t == nullptr) {
    std::snprintf(text, sizeof text, "%s: the other side %s", name(), what);
  } else {
    std::snprintf(text, sizeof text, "%s: the memory %s (request %u of line 0x%llx)", name(), what, unsigned(t->ext.req.id),
                  static_cast<unsigned long long>(t->ext.req.line));
  }
  if (hooks_.failed) hooks_.failed(text);
}
