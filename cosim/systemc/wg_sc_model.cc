// SPDX-License-Identifier: Apache-2.0
#include "cosim/systemc/wg_sc_model.h"

#include <cstring>

#include "cosim/systemc/wg_sc_sm.h"

/* ---- memory ---- */

wg_sc_model_memory::wg_sc_model_memory(const sc_core::sc_module_name &name, unsigned num_sms,
                                       std::function<unsigned(unsigned)> room)
    : wg_sc_memory(name), sms_("sms"), port_(num_sms), room_(std::move(room)) {
  sms_.register_nb_transport_fw(this, &wg_sc_model_memory::from_sm);
}

void wg_sc_model_memory::bind_sm(unsigned, initiator &socket) { socket.bind(sms_); }

/* END_REQ says that the next request will find a place, so it is held back while the model has none for it. */
tlm::tlm_sync_enum wg_sc_model_memory::from_sm(int sm, tlm::tlm_generic_payload &p, tlm::tlm_phase &phase, sc_core::sc_time &) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED; // END_RESP
  port &t = port_[unsigned(sm)];
  wg_sc_ext *ext = nullptr;
  p.get_extension(ext);
  if (ext == nullptr) {
    p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  WG_BUG(t.held != nullptr);
  p.acquire();
  for (unsigned k = 0; k < 4; k++) {
    if ((ext->req.sector_mask >> k & 1u) == 0) continue;
    WG_BUG(t.open[ext->req.id][k] != nullptr);
    t.open[ext->req.id][k] = &p;
  }
  t.taken.push_back(ext->req);
  if (t.taken.size() < room_(unsigned(sm))) {
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  t.held = &p;
  return tlm::TLM_ACCEPTED;
}

bool wg_sc_model_memory::pop_req(unsigned sm, wg_mem_req_t *req) {
  port &t = port_[sm];
  if (t.taken.empty()) return false;
  *req = t.taken.front();
  t.taken.pop_front();
  return true;
}

void wg_sc_model_memory::cycle_over() {
  for (unsigned sm = 0; sm < port_.size(); sm++) {
    port &t = port_[sm];
    if (t.held == nullptr || t.taken.size() >= room_(sm)) continue;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    tlm::tlm_generic_payload *p = t.held;
    t.held = nullptr;
    (void)sms_[int(sm)]->nb_transport_bw(*p, phase, delay);
  }
}

void wg_sc_model_memory::respond(unsigned sm, const wg_mem_rsp_t &rsp) {
  port &t = port_[sm];
  WG_BUG(rsp.sector > 3 || t.open[rsp.id][rsp.sector] == nullptr);
  tlm::tlm_generic_payload *p = t.open[rsp.id][rsp.sector];
  t.open[rsp.id][rsp.sector] = nullptr;
  wg_sc_ext *ext = nullptr;
  p->get_extension(ext);
  ext->sector = rsp.sector;
  ext->status[rsp.sector] = rsp.status;
  ext->performed = true;
  if (p->is_read()) std::memcpy(p->get_data_ptr() + 32u * rsp.sector, rsp.data, sizeof rsp.data);
  else if (ext->req.op == kWgMemAtom) std::memcpy(p->get_data_ptr(), rsp.data, sizeof rsp.data);
  bool last = true;
  for (tlm::tlm_generic_payload *other : t.open[rsp.id]) last = last && other != p;
  tlm::tlm_phase phase = WG_SECTOR_RSP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  if (last) {
    phase = tlm::BEGIN_RESP;
    p->set_response_status(tlm::TLM_OK_RESPONSE);
  }
  (void)sms_[int(sm)]->nb_transport_bw(*p, phase, delay);
  if (last) p->release();
}

/* ---- GigaThread ---- */

wg_sc_gigathread::wg_sc_gigathread(const sc_core::sc_module_name &name, unsigned num_sms)
    : sc_core::sc_module(name), launch("launch"), report("report"), done_(num_sms), fault_(num_sms) {
  report.register_b_transport(this, &wg_sc_gigathread::from_sm);
}

static void prepare(tlm::tlm_generic_payload &p, tlm::tlm_command command, void *data, unsigned bytes) {
  p.set_command(command);
  p.set_address(0);
  p.set_data_ptr(static_cast<unsigned char *>(data));
  p.set_data_length(bytes);
  p.set_streaming_width(bytes);
}

bool wg_sc_gigathread::can_launch(unsigned sm) {
  tlm::tlm_generic_payload p;
  unsigned char ready = 0;
  prepare(p, tlm::TLM_READ_COMMAND, &ready, 1);
  return launch[int(sm)]->transport_dbg(p) == 1 && ready != 0;
}

bool wg_sc_gigathread::send(unsigned sm, const wg_cta_launch_t &msg) {
  tlm::tlm_generic_payload p;
  wg_cta_launch_t copy = msg;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  prepare(p, tlm::TLM_WRITE_COMMAND, &copy, sizeof copy);
  launch[int(sm)]->b_transport(p, delay);
  return p.is_response_ok();
}

void wg_sc_gigathread::from_sm(int sm, tlm::tlm_generic_payload &p, sc_core::sc_time &) {
  wg_cta_done_t done{};
  wg_fault_t fault{};
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  if (p.get_address() == kWgScDone && p.get_data_length() == sizeof done) {
    std::memcpy(&done, p.get_data_ptr(), sizeof done);
    done_[unsigned(sm)].push_back(done);
  } else if (p.get_address() == kWgScFault && p.get_data_length() == sizeof fault) {
    std::memcpy(&fault, p.get_data_ptr(), sizeof fault);
    fault_[unsigned(sm)].push_back(fault);
  } else {
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
}

bool wg_sc_gigathread::pop_done(unsigned sm, wg_cta_done_t *done) {
  if (done_[sm].empty()) return false;
  *done = done_[sm].front();
  done_[sm].pop_front();
  return true;
}

bool wg_sc_gigathread::pop_fault(unsigned sm, wg_fault_t *fault) {
  if (fault_[sm].empty()) return false;
  *fault = fault_[sm].front();
  fault_[sm].pop_front();
  return true;
}
